"""Snapshots, trimming and kept states on a real server."""

from __future__ import annotations

import asyncio

import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Head
from draftsmith.history.replica import CorruptEntry, Replica, replica_from
from draftsmith.model.workspace import dump
from draftsmith.ports import Blob, Meta
from draftsmith.usecases.replicas.log_reader import LogReader, follow, load_replica
from draftsmith.usecases.upkeep.snapshot import Policy, is_due, make_snapshot
from tests.contracts.backends import RedisBackend
from tests.integration.edited_workspaces import (
    ADA,
    BOB,
    DAY_MS,
    HOUR_MS,
    MINUTE_MS,
    EditedWorkspace,
    SetClock,
    in_memory,
    meta_of,
)

KEEP_FEW = Policy(every_entries=5, max_entries=12, min_entries=6)


async def check_shape(life: EditedWorkspace) -> Meta:
    """P12: base <= snap_prev <= snap <= v, and the log is exactly (base, v]."""
    meta = await meta_of(life)
    assert meta.base <= meta.snap_prev <= meta.snap <= meta.head.revision
    entries = await life.log.entries(life.w, 0, meta.head.revision, 100_000)
    assert [entry.revision for entry in entries] == list(range(meta.base + 1, meta.head.revision + 1))
    assert meta.log_bytes == sum(len(entry.body) for entry in entries)
    assert 0 <= meta.snap_bytes <= meta.log_bytes
    return meta


async def every_state(life: EditedWorkspace) -> dict[int, bytes]:
    """The dump at each revision, by replay from the very beginning."""
    meta = await meta_of(life)
    replica = Replica(meta.head.epoch)
    states = {}
    for entry in await life.log.entries(life.w, 0, meta.head.revision, 100_000):
        replica.advance(entry)
        states[entry.revision] = replica.dump()
    return states


async def test_every_cut_leads_to_the_same_bytes(life: EditedWorkspace) -> None:
    """P3 and P16: state at any revision, stored and read again, plus the rest of the log, is the state of the head."""
    await life.grow(12)
    await life.grow(6, BOB)
    await life.checkpoint("c1")
    for actor in (ADA, BOB, ADA):
        await life.undo(actor)
    await life.redo(ADA)
    await life.grow(8)
    await life.drop_checkpoint("c1")
    states = await every_state(life)
    newest = max(states)
    entries = await life.log.entries(life.w, 0, newest, 100)
    for cut, content in states.items():
        replica = replica_from(content, Head("e", cut, entries[cut - 1].chain))
        assert replica.dump() == content
        for entry in entries[cut:]:
            replica.advance(entry)
        assert replica.dump() == states[newest]


async def test_snapshots_and_trimming_never_change_a_state(life: EditedWorkspace) -> None:
    """At every step what is loaded from the newest snapshot is what the writer's memory holds, and P12 holds."""
    for turn in range(12):
        await life.grow(4, ADA if turn % 3 else BOB)
        if turn % 4 == 2:
            await life.undo(BOB)
        before = await life.workspaces.read(life.w, lambda replica: replica.dump())
        report = await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
        assert report.stored == "ok"
        meta = await check_shape(life)
        assert meta.snap == meta.head.revision
        assert report.base == meta.base
        assert await life.dump() == before
    assert meta.base == meta.head.revision - 12
    assert (await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)).stored == "unchanged"
    undone = await life.undo(BOB)
    assert undone["kind"] == "undo"


async def test_trimming_stops_at_the_snapshot_before(life: EditedWorkspace) -> None:
    """Whatever the rules say: whoever is just loading that one needs the rest."""
    everything_goes = Policy(max_entries=1, min_entries=0)
    await life.grow(9)
    assert (await make_snapshot(life.log, life.w, everything_goes, life.clock)).base == 0
    await life.grow(5)
    assert (await make_snapshot(life.log, life.w, everything_goes, life.clock)).base == 10
    await check_shape(life)


async def test_a_snapshot_is_due_again_after_bytes_or_commits(life: EditedWorkspace) -> None:
    """The store counts what came since, also over a trim."""
    policy = Policy(every_entries=10, every_bytes=20_000, max_entries=5, min_entries=1)
    await life.grow(9)
    assert is_due(await meta_of(life), policy)
    for _ in range(3):
        await make_snapshot(life.log, life.w, policy, life.clock)
        assert not is_due(await check_shape(life), policy)
        await life.grow(3)
        assert not is_due(await meta_of(life), policy)
        large = "".join(chr(0x4E00 + (n * n * 7919) % 20_000) for n in range(30_000))
        await life.edit({"op": "append_to_section", "section": "Shop", "text": large})
        assert is_due(await meta_of(life), policy)


async def test_load_and_write_go_on_while_snapshots_are_made(store: RedisBackend, life: EditedWorkspace) -> None:
    """Two workers write, one reads, one makes snapshots and trims: nothing is lost, nobody is refused."""
    other = EditedWorkspace(store.log, store.index)
    other.w = life.w
    writing = asyncio.gather(life.grow(150), other.grow(150, BOB))
    looks = 0
    while not writing.done():
        await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
        replica = await load_replica(life.log, life.w)
        assert replica.head.revision <= (await meta_of(life)).head.revision
        looks += 1
    await writing
    meta = await check_shape(life)
    assert meta.head.revision == 301
    assert looks > 3
    assert meta.base > 0
    assert await life.dump() == await other.workspaces.read(life.w, lambda replica: replica.dump())


async def test_two_snapshotters_at_once_do_no_harm(life: EditedWorkspace) -> None:
    """One stores it, the others find that it is there; the state is the same."""
    for _ in range(5):
        await life.grow(7)
        before = await life.dump()
        reports = await asyncio.gather(*(make_snapshot(life.log, life.w, KEEP_FEW, life.clock) for _ in range(3)))
        assert {report.stored for report in reports} <= {"ok", "old", "unchanged"}
        assert sum(report.stored == "ok" for report in reports) == 1
        await check_shape(life)
        assert await life.dump() == before


async def test_a_snapshot_of_a_lost_tail_is_refused(store: RedisBackend, life: EditedWorkspace) -> None:
    """After a failover that lost the last commit, and another in its place, what was read before is stored no more."""
    await life.grow(9)
    command = store.connection.write.command
    keys = [f"ws:{{{life.w}}}:{name}" for name in ("meta", "log", "txn")]
    copies = [await command("DUMP", key) for key in keys]
    await life.grow(1)
    stale = await load_replica(life.log, life.w)
    head = stale.head
    for key, copy in zip(keys, copies, strict=True):
        await command("RESTORE", key, 0, copy, "REPLACE")
    other = EditedWorkspace(store.log, store.index)
    other.w = life.w
    await other.edit({"op": "rename_workspace", "name": "Another history"})
    assert (await meta_of(life)).head.revision == head.revision
    blob = Blob(head.epoch, head.revision, head.chain, 1, stale.dump())
    assert await life.log.put_snapshot(life.w, blob) == "diverged"
    assert (await meta_of(life)).snap == 0
    assert (await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)).stored == "ok"
    assert (await load_replica(life.log, life.w)).workspace.name == "Another history"


async def test_an_entry_that_cannot_be_applied_stops_it_without_harm(life: EditedWorkspace) -> None:
    """Nothing is stored, nothing is trimmed, and what was good before can still be read."""
    await life.grow(9)
    await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
    await life.grow(9)
    before = await meta_of(life)
    await life.poison()
    with pytest.raises(CorruptEntry) as refused:
        await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
    assert refused.value.revision == before.head.revision + 1
    after = await check_shape(life)
    assert (after.base, after.snap, after.snap_prev) == (before.base, before.snap, before.snap_prev)


async def test_what_lies_in_the_trash_is_left_alone(life: EditedWorkspace) -> None:
    await life.grow(3)
    await life.log.set_deleted(life.w, True)
    assert (await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)).stored == "deleted"
    with pytest.raises(DraftsmithError, match="workspace_not_found"):
        await make_snapshot(life.log, "0" * 26, KEEP_FEW, life.clock)


async def days_of_work(store: RedisBackend) -> tuple[EditedWorkspace, SetClock, dict[int, bytes], dict[int, int]]:
    """Six hours a day for ten days, three commits an hour; on the real server, with its states and times."""
    life, clock = in_memory()
    await life.begin()
    for _ in range(10):
        for _ in range(6):
            for _ in range(3):
                await life.grow(1)
                clock.ms += 10 * MINUTE_MS
            clock.ms += HOUR_MS - 30 * MINUTE_MS
        clock.ms += DAY_MS - 6 * HOUR_MS
    states = await every_state(life)
    times = {entry.revision: entry.ms for entry in await life.log.entries(life.w, 0, 1000, 1000)}
    return await life.move_to(store.log, store.index), clock, states, times


async def test_trimmed_revisions_are_shown_from_kept_states(store: RedisBackend) -> None:
    """The last of each hour of the last week and of each day before give the right bytes; the rest is 410."""
    life, clock, states, times = await days_of_work(store)
    policy = Policy(max_entries=20, min_entries=10)
    await make_snapshot(life.log, life.w, policy, clock)
    await life.grow(2)
    report = await make_snapshot(life.log, life.w, policy, clock)
    assert report.base == 163
    kept = [revision for revision, _, _ in await life.log.kept_states(life.w)]
    lasts: dict[int, int] = {}
    for revision, ms in times.items():
        is_recent = clock.ms - ms <= 7 * DAY_MS
        lasts[ms // HOUR_MS if is_recent else -(ms // DAY_MS)] = revision
    assert kept == sorted(lasts.values())
    replica = await load_replica(life.log, life.w)
    past = LogReader(life.log, life.w, replica)
    for revision in range(1, report.base):
        if revision in kept:
            expected = replica_from(states[revision], Head("e", revision, "")).workspace
            assert dump(await past.state(revision)) == dump(expected)
        else:
            with pytest.raises(DraftsmithError) as refused:
                await past.state(revision)
            assert refused.value.code == "trimmed"
            assert refused.value.extra["nearest"] in kept
    later = report.base + 1
    assert dump(await past.state(later)) == dump(replica_from(states[later], Head("e", later, "")).workspace)


async def test_kept_states_age_out(store: RedisBackend) -> None:
    """Hourly ones after a week, daily ones after ninety days; those of checkpoints never."""
    life, clock, _, times = await days_of_work(store)
    await life.checkpoint("plan", 5)
    await make_snapshot(life.log, life.w, Policy(), clock)
    reasons = {revision: reason for revision, _, reason in await life.log.kept_states(life.w)}
    assert reasons[5] == "checkpoint:plan"
    assert set(reasons.values()) == {"checkpoint:plan", "day", "hour"}
    clock.ms += 60 * DAY_MS
    await make_snapshot(life.log, life.w, Policy(), clock)
    kept = await life.log.kept_states(life.w)
    assert [revision for revision, _, _ in kept if revision == 5 or times.get(revision, 0) % DAY_MS > 5 * HOUR_MS] == [
        revision for revision, _, _ in kept
    ]
    clock.ms += 60 * DAY_MS
    await make_snapshot(life.log, life.w, Policy(), clock)
    # The day that its newest commits were made on, by the server's own clock, is not over.
    assert [revision for revision, _, _ in await life.log.kept_states(life.w) if revision in times] == [5]
    await life.drop_checkpoint("plan")
    await make_snapshot(life.log, life.w, Policy(), clock)
    assert [revision for revision, _, _ in await life.log.kept_states(life.w) if revision in times] == []


async def test_checkpoints_are_kept_before_their_commits_go(life: EditedWorkspace) -> None:
    """Also one that names an older revision, two that name the same, and none that was dropped before."""
    await life.grow(20)
    await life.checkpoint("old", 7)
    await life.checkpoint("same", 7)
    await life.checkpoint("now")
    await life.checkpoint("gone")
    await life.drop_checkpoint("gone")
    states = await every_state(life)
    for _ in range(3):
        await life.grow(10)
        report = await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
        assert report.checkpoints_lost == ()
    assert report.base > 23
    assert [revision for revision, _, _ in await life.log.kept_states(life.w)] == [7, 23]
    past = LogReader(life.log, life.w, await load_replica(life.log, life.w))
    for revision in (7, 23):
        expected = replica_from(states[revision], Head("e", revision, "")).workspace
        assert dump(await past.state(revision)) == dump(expected)
    await life.drop_checkpoint("old")
    await life.grow(8)
    later = EditedWorkspace(life.log, life.index, SetClock((await meta_of(life)).updated_ms + 100 * DAY_MS))
    later.w = life.w
    await make_snapshot(life.log, life.w, KEEP_FEW, later.clock)
    assert [revision for revision, _, _ in await life.log.kept_states(life.w)] == [7, 23]
    await life.drop_checkpoint("same")
    await make_snapshot(life.log, life.w, KEEP_FEW, later.clock)
    assert [revision for revision, _, _ in await life.log.kept_states(life.w)] == [23]


async def test_a_checkpoint_that_came_too_late_is_reported(life: EditedWorkspace) -> None:
    """Its revision is gone; the snapshot is made all the same."""
    await life.grow(20)
    for _ in range(2):
        await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
        await life.grow(10)
    await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
    assert (await meta_of(life)).base > 3
    await life.checkpoint("late", 3)
    report = await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
    assert (report.stored, report.checkpoints_lost) == ("ok", ("late",))


async def test_a_damaged_snapshot_is_not_built_upon(store: RedisBackend, life: EditedWorkspace) -> None:
    """The one before is taken; nothing is trimmed on the strength of what cannot be read."""
    await life.grow(10)
    await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
    await life.grow(10)
    before = await life.dump()
    await make_snapshot(life.log, life.w, Policy(), life.clock)
    meta = await meta_of(life)
    await store.connection.write.command("HSET", f"ws:{{{life.w}}}:snap:{meta.snap}", "0", b"rubbish")
    report = await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)
    assert (report.stored, report.base) == ("unchanged", 0)
    assert await life.dump() == before
    replica = await load_replica(life.log, life.w)
    await follow(life.log, life.w, replica, meta.head.revision)
    await life.grow(1)
    assert (await make_snapshot(life.log, life.w, KEEP_FEW, life.clock)).stored == "ok"
    await check_shape(life)


async def test_a_replaced_workspace_takes_no_state_of_the_old_one(life: EditedWorkspace) -> None:
    """A snapshotter that was on its way while a backup was recovered leaves nothing behind."""
    await life.grow(5)
    replica = await load_replica(life.log, life.w)
    head = replica.head
    old = Blob(head.epoch, head.revision, head.chain, 1, replica.dump())
    new = Blob("another", head.revision, head.chain, 1, replica.dump())
    await life.log.replace(life.w, new, [], {})
    await life.log.keep(life.w, old, "day")
    assert await life.log.kept_states(life.w) == []
    assert await life.log.put_snapshot(life.w, old) == "epoch"
    await life.log.keep(life.w, new, "day")
    assert len(await life.log.kept_states(life.w)) == 1
