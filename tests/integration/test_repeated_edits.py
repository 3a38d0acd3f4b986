"""Edits that were made before, recognised from the log: over HTTP, after a restart, beside one another, by a model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from draftsmith.errors import BatchRejected
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.usecases.requests import repeats
from draftsmith.usecases.staging.staging import StagingArea
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.client import Api, check_problem, node
from tests.integration.edited_workspaces import BOB, EditedWorkspace
from tests.kit.documents import edit_section

OLD, NEW = "Sells things.", "Sells things to people who asked for them."
REPEAT = edit_section("Shop", OLD, "Sells books, and nothing besides.")
TEXT = "# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known.\n"


def test_a_repeated_edit_is_a_change_of_nothing_with_a_warning(api: Api) -> None:
    """Another id, the same edit: no commit, and the answer says why."""
    w = api.create(name="Twice", document={"text": TEXT})
    asked = edit_section("Risks", "None known.", "Two risks are known by now.")
    first = api.batch(w, asked)
    before = api.state(w)
    again = api.batch(w, asked)
    assert (again["changed"], again["revision"]) == (False, first["revision"])
    assert [(one["index"], one["code"]) for one in again["warnings"]] == [(0, "already_so")]
    assert again["results"][0]["match"]["lines"] == [7, 7]
    assert api.state(w) == before
    both = api.batch(w, node("queue"), asked)
    assert both["changed"]
    assert "already_so" in [one["code"] for one in both["warnings"]]
    mistyped = edit_section("Risks", "None known at all.", "Two risks are known by now.")
    refusal = check_problem(
        api.send_to("POST", f"/workspaces/{w}/batches", json={"operations": [mistyped]}), 422, "batch_rejected"
    )
    assert "The replacement stands there already." in refusal["problems"][0]["message"]


def test_a_repeated_edit_that_left_out_marks_is_recognised(api: Api) -> None:
    """What stands there now is the replacement with the marks that stayed."""
    w = api.create(name="Marks", document={"text": "# Plan\n\nWe ask [the runbook](x) and **nobody** else. 5.\n"})
    asked = edit_section("Plan", "We ask the runbook and nobody else. 5.", "We ask the runbook and nobody else. 7.")
    first = api.batch(w, asked)
    again = api.batch(w, asked)
    assert (again["changed"], again["revision"]) == (False, first["revision"])
    assert [one["code"] for one in again["warnings"]] == ["already_so"]
    assert api.read(w)["document"]["text"] == "# Plan\n\nWe ask [the runbook](x) and **nobody** else. 7.\n"


def test_a_section_that_brings_its_heading_is_told_in_the_answer(api: Api) -> None:
    w = api.create(name="Heading", document={"text": TEXT})
    answer = api.batch(w, {"op": "replace_section", "section": "## Risks", "text": "## Risks\n\nOne."})
    assert [(one["index"], one["code"]) for one in answer["warnings"]] == [(0, "heading_repeated")]
    assert api.read(w)["document"]["text"] == TEXT.replace("None known.", "One.")


async def _begun() -> EditedWorkspace:
    store = MemoryStore()
    life = EditedWorkspace(MemoryCommitLog(store), MemoryIndex(store))
    await life.begin()
    return life


async def test_it_is_recognised_by_another_worker_and_after_many_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the log, page by page, where memory does not reach back; beyond the bound it is a mistake like another."""
    life = await _begun()
    await life.edit(REPEAT)
    for number in range(30):
        await life.edit({"op": "append_to_section", "section": "Shop", "text": f"Line {number}."}, actor=BOB)
    monkeypatch.setattr(repeats, "_PAGE", 7)
    other = EditedWorkspace(life.log, MemoryIndex(MemoryStore()))
    other.w = life.w
    for worker in (life, other):
        answer = await worker.edit(REPEAT)
        assert (answer["changed"], [one["code"] for one in answer["warnings"]]) == (False, ["already_so"])
    monkeypatch.setattr(repeats, "_FAR", 14)
    with pytest.raises(BatchRejected):
        await life.edit(REPEAT)


async def test_two_who_send_the_same_edit_at_once_both_succeed() -> None:
    """The second of a group is answered as it would be a moment later."""
    life = await _begun()
    one, other = await asyncio.gather(life.edit(REPEAT), life.edit(REPEAT, actor=BOB))
    assert sorted([one["changed"], other["changed"]]) == [False, True]
    await life.edit({"op": "append_to_section", "section": "Shop", "text": NEW})
    await life.edit(edit_section("Shop", "Sells books, and nothing besides.", OLD))
    assert (await life.edit(REPEAT))["changed"], "the find stands there again"


async def test_the_log_is_read_only_where_it_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for finds that stand there, nor where the replacement does not."""
    life = await _begun()
    read: list[Any] = []
    monkeypatch.setattr(repeats, "reading_text_steps", read.append)
    await life.edit(edit_section("Shop", "things", "things to everybody who asks"))
    with pytest.raises(BatchRejected):
        await life.edit(edit_section("Shop", "books and papers", "books and nothing besides"))
    assert read == []


async def test_a_models_repeated_edit_is_recognised_and_its_own_is_not() -> None:
    """What a commit made is already so; what the run itself has staged is not a commit."""
    life = await _begun()
    await life.edit(REPEAT)
    staging = StagingArea(life.workspaces, life.w, WorkspaceLimits())
    await staging.add([node("books", label="Books")])
    added = await staging.add([{"op": "append_to_section", "section": "Shop", "text": "More."}, REPEAT])
    assert [(one["index"], one["code"]) for one in added.warnings] == [(1, "already_so")]
    assert [[(line.number, line.text) for line in some] for some in added.lines] == [
        [(5, "More.")],
        [(3, "Sells books, and nothing besides.")],
    ]
    await staging.add([edit_section("Shop", "More.", "A good deal more of everything.")])
    with pytest.raises(BatchRejected) as rejected:
        await staging.add([edit_section("Shop", "More.", "A good deal more of everything.")])
    assert "stands there already" in rejected.value.problems[0].message
