"""The replay set: well formed, and able to fail."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import httpx
import pytest

from draftsmith.assistant.context.focus import Focus
from draftsmith.assistant.tools.investigation_inputs import REPORT
from draftsmith.assistant.tools.tools import PROPOSE_OPTION
from draftsmith.model.workspace import Workspace, diagram_json, export_json
from tests.builders import canonical, edge, node, run, workspace_of
from tests.replay.__main__ import KEY, main
from tests.replay.cases import STARTS, Case, WrongRequests, cases, read_workspace, unmet
from tests.replay.conditions import After, holds
from tests.replay.running import Replayed
from tests.standin.solving import SOLUTIONS

_CASES = cases()


def test_there_are_sixty_of_all_workflows() -> None:
    """Each has an id of its own, a start that there is, and something to check."""
    assert len(_CASES) == 60
    assert len({case.id for case in _CASES}) == len({case.prompt for case in _CASES}) == 60
    assert Counter(case.part for case in _CASES) == {
        "edit": 29, "decline": 4, "ask": 12, "generate": 6, "investigate": 6, "recommend": 3
    }  # fmt: skip
    assert Counter(case.part for case in _CASES if case.context) == {"edit": 2, "ask": 2}, "for models that read little"
    for case in _CASES:
        assert case.start in STARTS
        assert case.checks
        assert case.prompt[-1] in ".?"


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.id)
def test_no_check_holds_before_the_request(case: Case) -> None:
    """Doing nothing and saying nothing passes none of them; what must be left alone is as it must be."""
    start = case.before()
    untouched = After(start, case.before())
    assert [check for check in case.checks if holds(check, untouched)] == []
    assert [guard for guard in case.guards if not holds(guard, untouched)] == []


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.id)
def test_every_guard_can_fail(case: Case) -> None:
    """Throwing everything away, or leaving loose ends, is noticed."""
    start = case.before()
    broken = workspace_of(*map(node, ("loose", "x", "y")), edge("x", "y"), text="# T\n\n[gone](#node/gone)\n")
    for guard in case.guards:
        assert not all(holds(guard, After(start, ruined)) for ruined in (Workspace(), broken)), guard


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.id)
def test_bodies_are_what_the_api_takes(case: Case) -> None:
    """The focus is one; what it points at is there."""
    body = case.body()
    assert body.keys() <= {"prompt", "workflow", "mode", "focus"}
    focus = Focus.model_validate(body.get("focus", {}))
    start = STARTS[case.start]()
    assert all(node_id in start.diagram for node_id in focus.nodes)
    if focus.range is not None:
        assert start.document.text[focus.range.start : focus.range.end] == case.focus["select"]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.id)
def test_a_right_answer_passes(case: Case) -> None:
    """Each request can be done: checks and guards hold together once it is done as it is meant."""
    ways, findings, common = [], None, case.before()
    for tool, given in SOLUTIONS[case.id]["calls"]:
        if tool == REPORT:
            findings = [{"section": "", **one} for one in given["findings"]]
        elif tool == PROPOSE_OPTION:
            ways.append(case.before())
            run(ways[-1], *given["operations"], by_person=False)
        else:
            run(common, *given["operations"], by_person=False)
    for now in ways or [common]:  # whichever of the alternatives is accepted
        after = After(case.before(), now, SOLUTIONS[case.id]["text"], "applied", findings, len(ways))
        assert unmet(case, after) == []


def test_a_workspace_is_read_as_the_api_tells_it() -> None:
    """What is compared is what the server has: fields, groups, places, text and line ends."""
    start = STARTS["shop"]()
    told = {
        "name": start.name,
        "diagram": json.loads(json.dumps(diagram_json(start.diagram))),
        "document": {"text": start.document.text, "eol": start.document.eol},
    }
    assert canonical(read_workspace(told)) == canonical(start)
    assert export_json(read_workspace(told)) == export_json(start)


_OWN = {"id": "one", "start": "own.json", "workflow": "edit", "prompt": "Rename the mailer.",
        "checks": [{"node": {"label": "post"}}]}  # fmt: skip


def test_requests_of_ones_own_on_a_workspace_of_ones_own(tmp_path: Path) -> None:
    """A file names an exported workspace beside it."""
    (tmp_path / "own.json").write_text(json.dumps(export_json(STARTS["shop"]())))
    (tmp_path / "requests.json").write_text(json.dumps([_OWN]))
    (case,) = cases(tmp_path / "requests.json")
    assert canonical(case.before()) == canonical(STARTS["shop"]())


@pytest.mark.parametrize(
    "more, said",
    [
        ({"start": "shopp"}, "request 1: start is a file of an exported workspace, or one of blank"),
        ({"start": "none.json"}, "request 1 cannot be read: FileNotFoundError"),
        ({"start": "shop", "colour": "red"}, "colour"),
        ({"start": "shop", "workflow": "paint"}, "workflow is one of edit"),
        ({"start": "shop", "checks": []}, "something to check"),
        ({"start": "shop", "checks": [{"nod": "mailer"}]}, "there is no nod; there are alternatives, answer"),
        ({"start": "shop", "history": [[{"op": "delete_node", "id": "no"}]]}, "BatchRejected"),
    ],
)
def test_a_wrong_file_of_requests_says_where(more: dict[str, object], said: str, tmp_path: Path) -> None:
    (tmp_path / "requests.json").write_text(json.dumps([{**_OWN, **more}]))
    with pytest.raises(WrongRequests, match=said):
        cases(tmp_path / "requests.json")


def test_without_a_key_nothing_is_invented(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It says that nothing was measured, opens no connection, and ends well."""
    monkeypatch.delenv(KEY, raising=False)
    assert main(["--base-url", "http://127.0.0.1:1"]) == 0
    assert capsys.readouterr().out == f"Not measured: {KEY} is not set, so there is no model to ask. Nothing was run.\n"


def test_built_in_commands_are_no_model(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A server without a model gives no figure about models."""
    real = httpx.Client

    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/api/v1/assistant", "nothing else is asked"
        return httpx.Response(200, json={"provider": "builtin"})

    monkeypatch.setenv(KEY, "made-up")
    monkeypatch.setattr(httpx, "Client", lambda **given: real(transport=httpx.MockTransport(answer), **given))
    assert main([]) == 1
    assert "which are no model" in capsys.readouterr().out


def test_a_run_that_failed_is_not_right() -> None:
    """Even if nothing that could be checked is wrong."""
    case = _CASES[0]
    assert Replayed(case, "applied").is_right
    assert not Replayed(case, "failed").is_right
    assert not Replayed(case, "timeout").is_right
    assert not Replayed(case, "applied", [case.checks[0]]).is_right
