"""What every commit log promises about snapshots, trimming, kept states, the trash and replacement."""

from __future__ import annotations

import asyncio
from dataclasses import replace as changed

import pytest

from draftsmith.history.commit import Head
from draftsmith.ports import AppendSuccess, Blob, CommitLog, DuplicateTransactions, WorkspaceGone
from tests.contracts.lines import EPOCH, SUMMARY, blob_at, create, draft, extend, line_after, new_w


async def pointers(log: CommitLog, w: str) -> tuple[int, int, int]:
    meta = await log.meta(w)
    assert meta is not None
    return meta.base, meta.snap_prev, meta.snap


async def test_a_snapshot_is_read_back_and_moves_the_pointer(log: CommitLog) -> None:
    """Of the head as of an older revision, of any size."""
    w, head = await create(log)
    await extend(log, w, head, 9)
    large = await blob_at(log, w, 4, bytes(range(256)) * 3000)
    assert await log.put_snapshot(w, large) == "ok"
    assert await log.snapshot(w, 4) == large
    assert await pointers(log, w) == (0, 0, 4)
    empty = await blob_at(log, w, 10, b"")
    assert await log.put_snapshot(w, empty) == "ok"
    assert await log.snapshot(w, 10) == empty
    assert await log.snapshot(w, 4) == large
    assert await pointers(log, w) == (0, 4, 10)


async def test_snapshots_older_than_the_one_before_are_removed(log: CommitLog) -> None:
    """Two are kept, because a reader may be on its way with the older."""
    w, head = await create(log)
    await extend(log, w, head, 9)
    for revision in (3, 6, 9):
        assert await log.put_snapshot(w, await blob_at(log, w, revision)) == "ok"
    assert [await log.snapshot(w, revision) is not None for revision in (3, 6, 9)] == [False, True, True]
    assert await pointers(log, w) == (0, 6, 9)


async def test_a_snapshot_that_the_log_does_not_confirm_is_refused(log: CommitLog) -> None:
    """Old, ahead, diverged at the head and below it, of another epoch, of no workspace: nothing is stored."""
    w, head = await create(log)
    await extend(log, w, head, 9)
    good = await blob_at(log, w, 5, b"good")
    assert await log.put_snapshot(w, good) == "ok"
    refused = {
        "old": [changed(good, content=b"worse"), await blob_at(log, w, 2), changed(good, revision=0)],
        "ahead": [changed(good, revision=11)],
        "diverged": [changed(good, revision=7, chain="f" * 16), changed(good, revision=10, chain="f" * 16)],
        "epoch": [changed(await blob_at(log, w, 8), epoch="e2")],
    }
    for why, blobs in refused.items():
        for blob in blobs:
            assert await log.put_snapshot(w, blob) == why
    assert await log.put_snapshot(new_w(), good) == "gone"
    assert await pointers(log, w) == (0, 0, 5)
    assert await log.snapshot(w, 5) == good
    assert [await log.snapshot(w, revision) for revision in (0, 2, 7, 8, 10, 11)] == [None] * 6


async def test_trim_refuses_above_the_older_snapshot(log: CommitLog) -> None:
    """Whatever it is asked; and in another epoch altogether."""
    w, head = await create(log)
    await extend(log, w, head, 9)
    assert await log.trim(w, EPOCH, 1) == 0
    await log.put_snapshot(w, await blob_at(log, w, 4))
    assert await log.trim(w, EPOCH, 4) == 0
    await log.put_snapshot(w, await blob_at(log, w, 8))
    assert await log.trim(w, EPOCH, 5) == 0
    assert await log.trim(w, "e2", 4) == 0
    assert len(await log.entries(w, 0, 100)) == 10
    assert await log.trim(new_w(), EPOCH, 4) == 0


async def test_trim_drops_entries_ids_and_bytes_together(log: CommitLog) -> None:
    """Step by step, and it may be asked again."""
    w, head = await create(log)
    await extend(log, w, head, 9)
    all_entries = await log.entries(w, 0, 10)
    for revision in (6, 8):
        await log.put_snapshot(w, await blob_at(log, w, revision))
    assert await log.trim(w, EPOCH, 6, count=4) == 4
    assert await log.trim(w, EPOCH, 6, count=4) == 6
    assert await log.trim(w, EPOCH, 6, count=4) == 6
    assert await log.trim(w, EPOCH, 3) == 6
    assert await log.entries(w, 0, 100) == all_entries[6:]
    assert await log.entries_before(w, 8, 5) == [all_entries[6]]
    assert [await log.find(w, entry.txid) for entry in all_entries] == [None] * 6 + [7, 8, 9, 10]
    meta = await log.meta(w)
    assert meta is not None
    assert meta.log_bytes == sum(len(entry.body) for entry in all_entries[6:])
    assert await pointers(log, w) == (6, 6, 8)
    await extend(log, w, meta.head, 2)


async def test_kept_states_are_listed_read_and_dropped(log: CommitLog) -> None:
    """Oldest first, whatever happens to the log meanwhile."""
    w, head = await create(log)
    await extend(log, w, head, 11)
    states = {revision: await blob_at(log, w, revision, b"s%d" % revision * 99_999) for revision in (10, 2, 5)}
    for revision, blob in states.items():
        await log.keep(w, blob, "hour" if revision < 10 else "checkpoint:a b")
    assert await log.kept_states(w) == [(2, 1002, "hour"), (5, 1005, "hour"), (10, 1010, "checkpoint:a b")]
    assert [await log.read_kept(w, revision) for revision in (10, 2, 5)] == list(states.values())
    await log.drop_kept(w, 5)
    await log.drop_kept(w, 5)
    assert [revision for revision, _, _ in await log.kept_states(w)] == [2, 10]
    assert await log.read_kept(w, 5) is None
    assert await log.read_kept(w, 6) is None


async def test_a_kept_state_keeps_the_reason_that_lives_longest(log: CommitLog) -> None:
    """An hourly state of the same revision must not let a checkpoint expire."""
    w, _ = await create(log)
    blob = await blob_at(log, w, 1)
    for reason, stays in [("hour", "hour"), ("day", "day"), ("hour", "day"), ("checkpoint:c", "checkpoint:c"),
                          ("day", "checkpoint:c"), ("checkpoint:d", "checkpoint:d")]:  # fmt: skip
        await log.keep(w, blob, reason)
        assert await log.kept_states(w) == [(1, 1001, stays)]
    assert await log.read_kept(w, 1) == blob
    other = changed(blob, chain="f" * 16, content=b"of another line")
    await log.keep(w, other, "hour")
    assert await log.kept_states(w) == [(1, 1001, "hour")]
    assert await log.read_kept(w, 1) == other


async def test_nothing_is_kept_of_no_workspace(log: CommitLog) -> None:
    w = new_w()
    await log.keep(w, Blob(EPOCH, 1, "a" * 16, 1, b"x"), "hour")
    assert await log.kept_states(w) == []
    assert await log.read_kept(w, 1) is None
    assert not await log.set_deleted(w, True)
    await log.purge(w)


async def test_one_at_a_time_makes_the_snapshot(log: CommitLog) -> None:
    """Whoever asks second is refused, the holder too, until the time is over."""
    w, _ = await create(log)
    assert await log.lock_snapshotter(w, "a", 60_000)
    assert not await log.lock_snapshotter(w, "a", 60_000)
    assert not await log.lock_snapshotter(w, "b", 60_000)
    other, _ = await create(log)
    assert await log.lock_snapshotter(other, "a", 40)
    await asyncio.sleep(0.09)
    assert await log.lock_snapshotter(other, "b", 40)


async def test_the_trash_remembers_when(log: CommitLog) -> None:
    """Putting it in twice does not start the 30 days anew; taking it out forgets."""
    w, _ = await create(log)

    async def deleted_ms() -> int | None:
        meta = await log.meta(w)
        assert meta is not None
        return meta.deleted_ms

    assert await log.set_deleted(w, True)
    first = await deleted_ms()
    assert first is not None
    await asyncio.sleep(0.005)
    assert await log.set_deleted(w, True)
    assert await deleted_ms() == first
    assert await log.set_deleted(w, False)
    assert await deleted_ms() is None


async def test_purge_removes_everything_but_only_from_the_trash(log: CommitLog) -> None:
    """Afterwards the id may begin anew and nothing of the old shows."""
    w, head = await create(log)
    await extend(log, w, head, 9)
    for revision in (3, 6, 9):
        await log.put_snapshot(w, await blob_at(log, w, revision))
        await log.keep(w, await blob_at(log, w, revision), "day")
    await log.lease(w, "a", 60_000)
    await log.purge(w)
    assert len(await log.entries(w, 0, 100)) == 10
    await log.set_deleted(w, True)
    await log.purge(w)
    assert await log.meta(w) is None
    assert await log.append(w, head, [draft()], SUMMARY, "a") == WorkspaceGone("absent")
    created = await log.create(w, "e2", draft(), SUMMARY)
    assert isinstance(created, AppendSuccess)
    assert len(await log.entries(w, 0, 100)) == 1
    assert await log.kept_states(w) == []
    assert [await log.snapshot(w, revision) for revision in (6, 9)] == [None, None]
    assert isinstance(await log.append(w, created.head, [draft()], SUMMARY, "b"), AppendSuccess)


@pytest.mark.parametrize("entries", [0, 3])
@pytest.mark.parametrize("exists", [False, True])
async def test_replace_installs_a_whole_workspace(log: CommitLog, exists: bool, entries: int) -> None:
    """With a new epoch, over an old one or afresh; it works on from there."""
    w, old_entries = new_w(), 0
    if exists:
        w, head = await create(log)
        await extend(log, w, head, 9)
        for revision in (4, 6):
            await log.put_snapshot(w, await blob_at(log, w, revision))
        await log.keep(w, await blob_at(log, w, 2), "day")
        await log.keep(w, await blob_at(log, w, 10), "hour")
        await log.lease(w, "other", 60_000)
        old_entries = 10
    blob = Blob("e2", 5, "ab" * 8, 4000, b"whole" * 100_000)
    line = line_after(blob, entries)
    meta = {"summary": {"name": "Back"}, "created_ms": 77}
    await log.replace(w, blob, line, meta)
    found = await log.meta(w)
    assert found is not None
    chain = line[-1].chain if line else blob.chain
    assert found.head == Head("e2", 5 + entries, chain)
    assert (found.base, found.snap_prev, found.snap) == (5, 5, 5)
    assert (found.summary, found.created_ms, found.deleted_ms) == ({"name": "Back"}, 77, None)
    assert found.updated_ms == (5002 if entries else 4000)
    assert found.log_bytes == sum(len(entry.body) for entry in line)
    assert await log.snapshot(w, 5) == blob
    assert [await log.snapshot(w, revision) for revision in (4, 6)] == [None, None]
    assert await log.entries(w, 0, 100) == line
    assert [await log.find(w, entry.txid) for entry in line] == [entry.revision for entry in line]
    assert [revision for revision, _, _ in await log.kept_states(w)] == ([2] if old_entries else [])
    appended = await log.append(w, found.head, [draft()], SUMMARY, "a")
    assert isinstance(appended, AppendSuccess)
    (entry,) = await log.entries(w, 5 + entries, 100)
    next_blob = Blob("e2", entry.revision, entry.chain, 1, b"next")
    assert await log.put_snapshot(w, next_blob) == "ok"
    assert await log.snapshot(w, 5) == blob
    if line:
        assert await log.append(w, found.head, [draft(line[0].txid)], SUMMARY, "a") == DuplicateTransactions(
            appended.head, {line[0].txid: 6}
        )


async def test_replace_from_the_very_beginning(log: CommitLog) -> None:
    """A state of revision 0 is no snapshot; the log alone tells everything."""
    w, blob = new_w(), Blob("e2", 0, "0", 9, b"")
    line = line_after(blob, 2)
    await log.replace(w, blob, line, {"deleted_ms": 5, "updated_ms": 6})
    meta = await log.meta(w)
    assert meta is not None
    assert (meta.base, meta.snap, meta.snap_prev, meta.deleted_ms, meta.updated_ms) == (0, 0, 0, 5, 6)
    assert await log.entries(w, 0, 9) == line


async def test_replace_again_changes_nothing(log: CommitLog) -> None:
    """After a lost reply it may be repeated, and commits made since stay."""
    w, blob = new_w(), Blob("e2", 5, "ab" * 8, 4000, b"whole")
    line = line_after(blob, 2)
    await log.replace(w, blob, line, {})
    await log.replace(w, blob, line, {})
    head = await extend(log, w, Head("e2", 7, line[-1].chain), 2)
    await log.replace(w, blob, line, {})
    meta = await log.meta(w)
    assert meta is not None
    assert meta.head == head
    with pytest.raises(ValueError, match="in use"):
        await log.replace(w, blob, line_after(blob, 2), {})


async def test_replace_refuses_entries_that_do_not_continue_the_state(log: CommitLog) -> None:
    w, blob = new_w(), Blob("e2", 5, "ab" * 8, 4000, b"whole")
    line = line_after(blob, 3)
    for broken in (line[1:], [line[0], line[2]], [line[0], changed(line[1], body=b"forged")]):
        with pytest.raises(ValueError, match="does not continue"):
            await log.replace(w, blob, broken, {})
    assert await log.meta(w) is None
