"""A long batch of the assistant is staged in slices: others have their turn, and see nothing of it."""

from __future__ import annotations

import asyncio

import pytest

from draftsmith.errors import BatchRejected
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.usecases.staging.staged_values import StagedBatch
from draftsmith.usecases.staging.staging import StagingArea
from tests.builders import Op, canonical, edge, node
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.edited_workspaces import BOB, EditedWorkspace

DOC = "# Shop\n\n" + "".join(f"## Part {i}\n\nThis is part {i} of it.\n\n" for i in range(60))
EDITS: list[Op] = [
    {"op": "edit_section", "section": f"## Part {i}", "find": f"part {i} of", "replace": f"piece {i} of"}
    for i in range(60)
]
BATCH = [node("c"), *EDITS, edge("a", "c")]


async def _begun() -> EditedWorkspace:
    store = MemoryStore()
    life = EditedWorkspace(MemoryCommitLog(store), MemoryIndex(store))
    await life.begin()
    await life.edit({"op": "replace_document", "text": DOC}, node("a"), node("b"), edge("a", "b"))
    return life


async def _looking_on(life: EditedWorkspace, staging: StagingArea, *batch: Op) -> tuple[StagedBatch, int]:
    """Stage a batch; how often somebody else had a turn meanwhile, who must never see anything of it."""
    replica, _ = await life.workspaces.log_reader(life.w)
    before, turns = canonical(replica.workspace), 0
    staged = asyncio.create_task(staging.add(batch))
    while not staged.done():
        await asyncio.sleep(0)
        turns += 1
        assert canonical(replica.workspace) == before
    return staged.result(), turns


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that few operations are many slices."""
    monkeypatch.setattr("draftsmith.usecases.staging.staging.TRIAL", 50_000)


@pytest.mark.usefixtures("small_slices")
async def test_others_have_their_turn_and_see_nothing_of_it() -> None:
    """Sentences speak of the text before each operation, lines of the text after all of them."""
    life = await _begun()
    staged, turns = await _looking_on(life, StagingArea(life.workspaces, life.w, WorkspaceLimits()), *BATCH)
    assert turns > 20
    assert [one.what for one in staged.operations][:2] == ["Added node c", "Edited “Part 0” in the document"]
    assert len(staged.operations) == len(BATCH)
    assert [(line.number, line.text) for line in staged.lines[60]] == [(240 + 1, "This is piece 59 of it.")]


async def test_in_slices_or_in_one_piece_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operations, sentences, warnings and lines."""
    results: list[StagedBatch] = []
    for units in (1, 10**12):
        monkeypatch.setattr("draftsmith.usecases.staging.staging.TRIAL", units)
        life = await _begun()
        results.append(await StagingArea(life.workspaces, life.w, WorkspaceLimits()).add(BATCH))
    assert results[0] == results[1]


@pytest.mark.usefixtures("small_slices")
async def test_a_commit_in_between_begins_it_anew() -> None:
    """Then it is resolved against what others have written."""
    life = await _begun()
    staging = StagingArea(life.workspaces, life.w, WorkspaceLimits())
    staged = asyncio.create_task(staging.add(BATCH))
    for number in range(6):
        await asyncio.sleep(0)
        await life.edit({"op": "append_to_section", "section": "# Shop", "text": f"By Bob {number}."}, actor=BOB)
    done = await staged
    assert len(done.operations) == len(staging.operations) == len(BATCH)
    text = await staging.read(lambda workspace: workspace.document.text)
    assert all(f"By Bob {number}." in text and f"piece {number} of" in text for number in range(6))


@pytest.mark.usefixtures("small_slices")
async def test_a_batch_that_does_not_fit_leaves_nothing() -> None:
    """However many slices of it fitted; and the budget is one for all of them."""
    life = await _begun()
    staging = StagingArea(life.workspaces, life.w, WorkspaceLimits())
    with pytest.raises(BatchRejected) as rejected:
        await staging.add([*BATCH, edge("a", "nobody")])
    assert [(one.index, one.code) for one in rejected.value.problems] == [(len(BATCH), "node_not_found")]
    poor = StagingArea(life.workspaces, life.w, WorkspaceLimits(work=500_000))
    with pytest.raises(BatchRejected) as rejected:
        await poor.add(BATCH)
    assert [one.code for one in rejected.value.problems] == ["too_costly"]
    replica, _ = await life.workspaces.log_reader(life.w)
    assert (staging.operations, poor.operations, replica.workspace.document.text) == ([], [], DOC)
