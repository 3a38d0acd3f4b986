"""Backup, recovery and repair on a real server."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest

from draftsmith.adapters.files.backup_file import BackupReader, BackupWriter
from draftsmith.adapters.process.system import SystemClock
from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Head
from draftsmith.history.replica import replica_from
from draftsmith.model.workspace import dump
from draftsmith.ports import AppendSuccess, Blob, LeaseHeld
from draftsmith.usecases.replicas.log_reader import FrozenReplica, LogReader, load_or_freeze, load_replica
from draftsmith.usecases.upkeep.backup import SavedWorkspace, back_up
from draftsmith.usecases.upkeep.recover import RecoveryResult, check, recover
from draftsmith.usecases.upkeep.repair import repair
from draftsmith.usecases.upkeep.snapshot import Policy, make_snapshot
from tests.contracts.backends import RedisBackend, emptied
from tests.contracts.lines import draft
from tests.integration.edited_workspaces import ADA, BOB, DAY_MS, EditedWorkspace, in_memory, meta_of

FEW = Policy(max_entries=12, min_entries=6)
CLOCK = SystemClock()


@pytest.fixture
async def life(store: RedisBackend) -> EditedWorkspace:
    return await worked_on(store)


async def worked_on(store: RedisBackend) -> EditedWorkspace:
    """A workspace with a trimmed log, snapshots, a checkpoint, undo and redo stacks."""
    life = EditedWorkspace(store.log, store.index)
    await life.begin()
    for turn in range(3):
        await life.grow(8, ADA if turn else BOB)
        await life.checkpoint(f"c{turn}")
        await make_snapshot(life.log, life.w, FEW, life.clock)
    await life.grow(3)
    await life.grow(2, BOB)
    await life.undo(ADA)
    return life


async def saved_to(path: Path, store: RedisBackend) -> list[SavedWorkspace]:
    with BackupWriter(path) as writer:
        saved, failures = await back_up(store.log, sorted(await store.index.all()), writer, lambda *_: None)
        writer.finish("draftsmith test", 1, saved)
    assert failures == []
    return saved


async def recovered_from(
    path: Path, store: RedisBackend, *, as_copy: bool = False, force: bool = False
) -> Sequence[RecoveryResult]:
    with BackupReader(path) as reader:
        check(reader, reader.saved, lambda *_: None)
        return [
            await recover(store.log, store.index, CLOCK, reader, one, as_copy=as_copy, force=force)
            for one in reader.saved
        ]


async def everything(life: EditedWorkspace) -> dict[str, object]:
    """What must be the same afterwards: state, stacks, log, kept states, times."""
    meta = await meta_of(life)
    kept = await life.log.kept_states(life.w)
    blobs = [await life.log.read_kept(life.w, revision) for revision, _, _ in kept]
    return {
        "state": await life.dump(),
        "log": await life.log.entries(life.w, 0, meta.head.revision, 10_000),
        "kept": kept,
        "blobs": [dataclasses.replace(blob, epoch="") for blob in blobs if blob is not None],
        "meta": dataclasses.replace(
            meta, head=Head("", meta.head.revision, meta.head.chain), snap_prev=0, snap_bytes=0
        ),
    }


async def test_everything_comes_back_to_an_empty_server(
    store: RedisBackend, life: EditedWorkspace, tmp_path: Path
) -> None:
    """State, history, undo stacks, kept states and the trash, byte for byte; and work goes on."""
    small, thrown = EditedWorkspace(store.log, store.index), await worked_on(store)
    await small.begin("Small")
    await store.log.set_deleted(thrown.w, True)
    lives = [life, small, thrown]
    before = [await everything(one) for one in lives]
    epochs = {(await meta_of(one)).head.epoch for one in lives}
    await saved_to(tmp_path / "b.zip", store)
    await emptied(store)
    done = await recovered_from(tmp_path / "b.zip", store)
    assert {one.outcome for one in done} == {"recovered"}
    assert sorted(await store.index.all()) == sorted(one.w for one in lives)
    again = [EditedWorkspace(store.log, store.index) for _ in lives]
    for new, old in zip(again, lives, strict=True):
        new.w = old.w
    assert [await everything(one) for one in again] == before
    assert epochs.isdisjoint({(await meta_of(one)).head.epoch for one in again})
    first = again[0]
    await first.grow(10)
    report = await make_snapshot(first.log, first.w, FEW, first.clock)
    assert report.stored == "ok"
    assert report.checkpoints_lost == ()


async def test_undo_works_as_if_nothing_had_happened(
    store: RedisBackend, life: EditedWorkspace, tmp_path: Path
) -> None:
    """What is undone and redone after recovery is what would have been without it."""
    await saved_to(tmp_path / "b.zip", store)
    (done,) = await recovered_from(tmp_path / "b.zip", store, as_copy=True)
    copy = EditedWorkspace(store.log, store.index)
    copy.w = done.id
    answers = []
    for one in (life, copy):
        said = [await one.redo(ADA), await one.undo(BOB), await one.undo(BOB), await one.undo(ADA), await one.redo(BOB)]
        answers.append([(answer["kind"], answer["ref"], answer["diff"], answer["left_out"]) for answer in said])
    assert answers[0] == answers[1]
    assert all(ref is not None for _, ref, _, _ in answers[0])
    assert sum(bool(diff["nodes"]["removed"] or diff["document"]) for _, _, diff, _ in answers[0]) > 1
    assert await copy.dump() == await life.dump()


async def test_old_revisions_are_shown_from_recovered_states(store: RedisBackend, tmp_path: Path) -> None:
    """Also when the log has been trimmed; and the snapshot goes on trimming as before."""
    memory, clock = in_memory()
    await memory.begin()
    for _ in range(6):
        await memory.grow(5)
        clock.ms += DAY_MS
    life = await memory.move_to(store.log, store.index)
    old = await load_replica(life.log, life.w)
    expected = dump(await LogReader(life.log, life.w, old).state(6))
    for _ in range(2):
        await make_snapshot(life.log, life.w, FEW, clock)
        await life.grow(2)
    assert 6 in [revision for revision, _, _ in await life.log.kept_states(life.w)]
    assert (await meta_of(life)).base > 6
    await saved_to(tmp_path / "b.zip", store)
    await emptied(store)
    await recovered_from(tmp_path / "b.zip", store)
    replica = await load_replica(life.log, life.w)
    assert dump(await LogReader(life.log, life.w, replica).state(6)) == expected


async def test_copies_stand_beside(store: RedisBackend, life: EditedWorkspace, tmp_path: Path) -> None:
    await saved_to(tmp_path / "b.zip", store)
    (done,) = await recovered_from(tmp_path / "b.zip", store, as_copy=True)
    copy = EditedWorkspace(store.log, store.index)
    copy.w = done.id
    assert copy.w != life.w
    assert await copy.dump() == await life.dump()
    await copy.grow(1)
    await life.undo(ADA)
    assert sorted(await store.index.all()) == sorted([life.w, copy.w])


async def test_newer_work_is_not_overwritten(store: RedisBackend, life: EditedWorkspace, tmp_path: Path) -> None:
    """Unless that is asked for; what stands there just so is left alone too."""
    before, revision = await everything(life), (await meta_of(life)).head.revision
    await saved_to(tmp_path / "b.zip", store)
    assert [one.outcome for one in await recovered_from(tmp_path / "b.zip", store)] == ["unchanged"]
    await life.grow(2)
    newer = await everything(life)
    assert [one.outcome for one in await recovered_from(tmp_path / "b.zip", store)] == ["newer"]
    assert await everything(life) == newer
    epoch = (await meta_of(life)).head.epoch
    await life.log.keep(life.w, Blob(epoch, 20, "f" * 16, 1, b"of another past"), "day")
    assert [one.outcome for one in await recovered_from(tmp_path / "b.zip", store, force=True)] == ["recovered"]
    assert await everything(life) == before
    # The worker that held the newer state notices.
    await life.grow(1)
    assert (await meta_of(life)).head.revision == revision + 1


async def test_nobody_writes_while_a_workspace_is_replaced(
    store: RedisBackend, life: EditedWorkspace, tmp_path: Path
) -> None:
    """And everybody may again afterwards, also when there was nothing to do."""
    await saved_to(tmp_path / "b.zip", store)
    head = (await meta_of(life)).head
    await recovered_from(tmp_path / "b.zip", store)

    async def set_aside(rest: Sequence[Entry]) -> None:
        outcome = await life.log.append(life.w, head, [draft()], {}, "another")
        assert isinstance(outcome, LeaseHeld | AppendSuccess)

    assert await repair(life.log, life.w, CLOCK, set_aside) is None
    await life.grow(1)


async def test_a_backup_is_consistent_while_work_goes_on(
    store: RedisBackend, life: EditedWorkspace, tmp_path: Path
) -> None:
    """Commits and trims made meanwhile neither tear it nor get into it half."""
    writing = asyncio.ensure_future(life.grow(120))
    number = 0
    while not writing.done():
        number += 1
        await saved_to(tmp_path / f"{number}.zip", store)
        await make_snapshot(life.log, life.w, FEW, life.clock)
    await writing
    assert number > 2
    for one in range(1, number + 1):
        with BackupReader(tmp_path / f"{one}.zip") as reader:
            check(reader, reader.saved, lambda *_: None)
    (done,) = await recovered_from(tmp_path / f"{number}.zip", store, as_copy=True)
    copy = await load_replica(store.log, done.id)
    assert dump(copy.workspace) == dump(
        await LogReader(life.log, life.w, await load_replica(life.log, life.w)).state(copy.head.revision)
    )


async def nothing_in(store: RedisBackend) -> bool:
    """Whether no key of a workspace is there, and no folder; servers of other tests keep keys of their own."""
    client = store.connection.read.client
    return not [key async for key in client.scan_iter(match="*") if key.startswith((b"ws:", b"draftsmith:{access}"))]


async def test_a_damaged_backup_is_refused(store: RedisBackend, life: EditedWorkspace, tmp_path: Path) -> None:
    """Wherever a byte is wrong: it is refused before anything is written, or it was a byte that says nothing."""
    await saved_to(tmp_path / "good.zip", store)
    good = (tmp_path / "good.zip").read_bytes()
    before = await everything(life)
    await emptied(store)
    chance = random.Random(7)
    codes = []
    for _ in range(60):
        at = chance.randrange(len(good))
        bad = bytearray(good)
        bad[at] ^= 1 << chance.randrange(8)
        (tmp_path / "bad.zip").write_bytes(bad)
        try:
            await recovered_from(tmp_path / "bad.zip", store)
        except DraftsmithError as error:
            codes.append(error.code)
            assert await nothing_in(store)
        else:
            assert await everything(life) == before
            await emptied(store)
    assert set(codes) <= {"backup_damaged", "backup_unknown", "backup_too_large"}
    assert len(codes) > 50
    for cut in (0, 100, len(good) // 2, len(good) - 1):
        (tmp_path / "bad.zip").write_bytes(good[:cut])
        with pytest.raises(DraftsmithError, match="backup_damaged"):
            await recovered_from(tmp_path / "bad.zip", store)


def altered(good: Path, bad: Path, name: str, change: dict[str, object]) -> None:
    """Copy a backup with a manifest that says something else of its workspace."""
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(bad, "w") as new:
        for member in old.namelist():
            content = old.read(member)
            if member == "manifest.json":
                manifest = orjson.loads(content)
                part = manifest["workspaces"][0][name] if name else manifest["workspaces"][0]
                part.update(change)
                content = orjson.dumps(manifest)
            new.writestr(member, content)


@pytest.mark.parametrize(
    "name,change",
    [
        ("head", {"chain": "0" * 16}),
        ("head", {"revision": 9_999}),
        ("snapshot", {"chain": "0" * 16}),
        ("snapshot", {"revision": 3}),
        ("", {"snapshot": None}),
        ("", {"base": 0}),
        ("", {"id": "../../etc/passwd"}),
        ("", {"log": 5}),
        ("log", {"name": "nothing"}),
        ("log", {"size": 3}),
        ("log", {"sha256": "0" * 64}),
    ],
)
async def test_what_does_not_hang_together_is_refused(
    store: RedisBackend, life: EditedWorkspace, tmp_path: Path, name: str, change: dict[str, object]
) -> None:
    """Sums that agree are not enough: log, state and manifest must belong to each other."""
    await saved_to(tmp_path / "good.zip", store)
    altered(tmp_path / "good.zip", tmp_path / "bad.zip", name, change)
    await emptied(store)
    with pytest.raises(DraftsmithError, match="backup_damaged"):
        await recovered_from(tmp_path / "bad.zip", store)
    assert await nothing_in(store)
    assert life.w


def test_other_files_are_no_backups(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("Hello")
    with pytest.raises(DraftsmithError, match="backup_damaged"):
        BackupReader(tmp_path / "text")
    with zipfile.ZipFile(tmp_path / "zip", "w") as other:
        other.writestr("manifest.json", "{}")
    with pytest.raises(DraftsmithError, match="backup_unknown"):
        BackupReader(tmp_path / "zip")
    with pytest.raises(DraftsmithError, match="file_unreadable"):
        BackupReader(tmp_path / "nothing")


def test_a_backup_that_was_not_finished_leaves_no_file(tmp_path: Path) -> None:
    """Nor does one take the place of a file without being told to."""
    with BackupWriter(tmp_path / "b.zip") as writer:
        writer.write("a", [b"1"])
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "b.zip").write_text("mine")
    with pytest.raises(DraftsmithError, match="file_exists"):
        BackupWriter(tmp_path / "b.zip")
    assert (tmp_path / "b.zip").read_text() == "mine"
    with pytest.raises(DraftsmithError, match="file_unwritable"):
        BackupWriter(tmp_path / "no" / "b.zip")


async def test_a_workspace_whose_log_has_a_gap_is_named(
    store: RedisBackend, life: EditedWorkspace, tmp_path: Path
) -> None:
    """The others are saved."""
    other = await worked_on(store)
    meta = await meta_of(life)
    await store.connection.write.command("XDEL", f"ws:{{{life.w}}}:log", f"{meta.head.revision - 2}-0")
    with BackupWriter(tmp_path / "b.zip") as writer:
        saved, failures = await back_up(store.log, [life.w, other.w, "0" * 26], writer, lambda *_: None)
    assert [one.id for one in saved] == [other.w]
    assert len(failures) == 1
    assert life.w in failures[0]


class Aside:
    """Where a repair puts what cannot stay."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    async def __call__(self, rest: Sequence[Entry]) -> None:
        self.entries += rest


async def test_a_poisoned_log_is_repaired(store: RedisBackend, life: EditedWorkspace) -> None:
    """It goes on from the revision before, with its history and stacks; what followed is handed out."""
    good = await life.dump()
    before = await meta_of(life)
    log = await life.log.entries(life.w, 0, before.head.revision, 1000)
    await life.poison()
    await life.poison()
    with pytest.raises(FrozenReplica):
        await load_or_freeze(life.log, life.w)
    with pytest.raises(DraftsmithError, match="frozen"):
        await life.grow(1)
    aside = Aside()
    done = await repair(life.log, life.w, CLOCK, aside)
    assert done is not None
    assert (done.revision, done.previous_revision) == (before.head.revision, before.head.revision + 2)
    assert "cannot be applied" in done.reason
    assert [entry.revision for entry in aside.entries] == [done.revision + 1, done.revision + 2]
    after = await meta_of(life)
    assert (after.base, after.snap, after.head.revision) == (before.base, before.snap, before.head.revision)
    assert after.head.epoch != before.head.epoch
    assert after.summary["name"] == replica_from(good, before.head).workspace.name
    assert await life.dump() == good
    assert await life.log.entries(life.w, 0, after.head.revision, 1000) == log
    # The worker that had found it frozen goes on.
    assert (await life.undo(BOB))["ref"] is not None
    await life.grow(10)
    assert (await make_snapshot(life.log, life.w, FEW, life.clock)).stored == "ok"
    assert await repair(life.log, life.w, CLOCK, aside) is None


async def test_a_gap_is_repaired(store: RedisBackend, life: EditedWorkspace) -> None:
    """Up to the gap."""
    meta = await meta_of(life)
    await store.connection.write.command("XDEL", f"ws:{{{life.w}}}:log", f"{meta.head.revision - 1}-0")
    aside = Aside()
    done = await repair(life.log, life.w, CLOCK, aside)
    assert done is not None
    assert done.revision == meta.head.revision - 2
    assert [entry.revision for entry in aside.entries] == [meta.head.revision]
    await load_replica(life.log, life.w)


async def test_damaged_snapshots_are_repaired_from_older_states(store: RedisBackend, life: EditedWorkspace) -> None:
    """From the one before without a loss; from a kept one, at the price of the stacks."""
    before = await life.dump()
    meta = await meta_of(life)
    write = store.connection.write.command
    await write("HSET", f"ws:{{{life.w}}}:snap:{meta.snap}", "0", b"rubbish")
    done = await repair(life.log, life.w, CLOCK, Aside())
    assert done is not None
    assert (done.revision, done.entries_left) == (meta.head.revision, [])
    assert (await meta_of(life)).snap == meta.snap_prev
    assert await life.dump() == before
    await write("HSET", f"ws:{{{life.w}}}:snap:{meta.snap_prev}", "0", b"rubbish")
    assert (await repair(life.log, life.w, CLOCK, Aside())) is not None
    loaded = await load_replica(life.log, life.w)
    assert dump(loaded.workspace) == dump(replica_from(before, meta.head).workspace)


async def test_what_cannot_be_repaired_is_said(store: RedisBackend, life: EditedWorkspace) -> None:
    meta = await meta_of(life)
    for revision in (meta.snap, meta.snap_prev):
        await store.connection.write.command("HSET", f"ws:{{{life.w}}}:snap:{revision}", "0", b"rubbish")
    for revision, _, _ in await life.log.kept_states(life.w):
        await life.log.drop_kept(life.w, revision)
    with pytest.raises(DraftsmithError, match="unrecoverable"):
        await repair(life.log, life.w, CLOCK, Aside())
    with pytest.raises(DraftsmithError, match="workspace_not_found"):
        await repair(life.log, "0" * 26, CLOCK, Aside())
    assert (await meta_of(life)) == meta
