"""The replay set: well formed, and able to fail."""

from __future__ import annotations

import json
from collections import Counter

import httpx
import pytest

from draftsmith.assistant.focus import Focus
from draftsmith.model.workspace import Workspace, diagram_json, export_json
from tests.builders import canonical, edge, node, run, workspace_of
from tests.replay.__main__ import KEY, main
from tests.replay.cases import STARTS, Case, cases
from tests.replay.conditions import After, holds
from tests.replay.running import Replayed, read_workspace

_CASES = cases()


def test_there_are_forty_of_all_workflows() -> None:
    """Each has an id of its own, a start that there is, and something to check."""
    assert len(_CASES) == 40
    assert len({case.id for case in _CASES}) == len({case.prompt for case in _CASES}) == 40
    counts = Counter(case.workflow for case in _CASES)
    assert counts["edit"] >= 20
    assert counts["ask"] >= 10
    assert counts["generate"] >= 4
    for case in _CASES:
        assert case.start in STARTS
        assert case.checks
        assert case.prompt[-1] in ".?"


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.id)
def test_no_check_holds_before_the_request(case: Case) -> None:
    """Doing nothing and saying nothing passes none of them; what must be left alone is as it must be."""
    start = STARTS[case.start]()
    untouched = After(start, STARTS[case.start]())
    assert [check for check in case.checks if holds(check, untouched)] == []
    assert [guard for guard in case.guards if not holds(guard, untouched)] == []


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.id)
def test_every_guard_can_fail(case: Case) -> None:
    """Throwing everything away, or leaving loose ends, is noticed."""
    start = STARTS[case.start]()
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


_DONE = [
    ("cache-between", [{"op": "insert_between", "source": "orders", "target": "orders-db",
                        "node": {"type": "cache", "label": "Cache", "technology": "Redis 8"}}], ""),
    ("remove-and-bridge", [{"op": "delete_node", "id": "legacy-proxy", "bridge": True}], ""),
    ("group-data", [{"op": "group_nodes", "label": "Data tier", "ids": ["orders-db", "session-store"]}], ""),
    ("table-row", [{"op": "append_to_section", "section": "## Capacity", "text": "| Inventory | 2 | 90 |"}], ""),
    ("move-section", [{"op": "move_section", "section": "## Security", "before": "## Capacity"}], ""),
    ("selected-text", [{"op": "edit_section", "section": "### Orders", "find": " Nothing else writes there.",
                        "replace": ""}], ""),
    ("ambiguous-target", [], "Which one: from Commerce DB or from Shipping DB?"),
    ("ask-number", [], "60 orders per second, for an hour."),
]  # fmt: skip


@pytest.mark.parametrize("name, operations, answer", _DONE, ids=[done[0] for done in _DONE])
def test_a_right_answer_passes(name: str, operations: list[dict[str, object]], answer: str) -> None:
    """Checks and guards hold together when the request is done as it is meant."""
    case = next(case for case in _CASES if case.id == name)
    start, now = STARTS[case.start](), STARTS[case.start]()
    if operations:
        run(now, *operations, by_person=False)
    after = After(start, now, answer)
    assert [one for one in (*case.checks, *case.guards) if not holds(one, after)] == []


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
