"""The group commit alone: a request is ready or prepared, and what is neither ends the group and is given back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from draftsmith.adapters.process.system import SystemClock
from draftsmith.history.commit import Entry, Head
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.slices import run_slices
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.commits.group_commit import GroupCommit, TakesLong
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.prepare.preparation import prepare_at_head, taking
from draftsmith.usecases.prepare.queue import QueuedRequest
from draftsmith.usecases.replicas.dependencies import Counters, WriterDependencies
from draftsmith.usecases.replicas.local_replica import LocalReplica
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.costs import COMMITS
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.requests.request import Request
from draftsmith.usecases.requests.typing_request import TypingRequest, typed_changes
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.fakes.preparers import PreparerHere
from tests.integration.typists import ADA, new_workspace

CLOCK, LIMITS = SystemClock(), WorkspaceLimits()


def renaming(name: str) -> Request[Any]:
    operations = [{"op": "rename_workspace", "name": name}]
    identity = identify(ADA, None, CLOCK)
    batch = parse_batch(operations, LIMITS)
    return from_input.edit(identity, ADA, operations=operations, batch=batch, limits=LIMITS)


def undo(touching: str | None = None) -> Request[Any]:
    identity = identify(ADA, None, CLOCK)
    return from_input.undo(identity, ADA, limits=LIMITS, scope="mine", expect=None, force=False, touching=touching)


def typed_at_the_end(head: Head, at: int, text: str) -> Request[Any]:
    """Text that somebody has typed at the end of a document that is `at` characters long."""
    identity = identify(ADA, None, CLOCK)
    changes = typed_changes([*([at] if at else []), [0, text]])
    common = from_input.common(identity, ADA, [head.revision, at, text])
    return TypingRequest(**common, epoch=head.epoch, base=head.revision, changes=changes, limits=LIMITS)


def revert(revision: int) -> Request[Any]:
    identity = identify(ADA, None, CLOCK)
    return from_input.revert(identity, ADA, revision, limits=LIMITS, upto=None, force=False)


@dataclass
class Committing:
    """One workspace in memory, and what commits to it."""

    store: MemoryStore
    log: MemoryCommitLog
    w: WorkspaceId
    dependencies: WriterDependencies
    local: LocalReplica

    async def run(self, *group: QueuedRequest, takes_long: TakesLong | None = None) -> list[QueuedRequest]:
        """Commit a group; what is given back."""
        return list(await GroupCommit(self.dependencies, self.w, self.local, group, takes_long).run())

    async def prepare(self, queued: QueuedRequest) -> None:
        """Prepare a request for the head of now."""
        preparation = await PreparerHere(self.log, CLOCK).prepare(self.w, queued.request)
        queued.prepared = run_slices(taking(preparation))

    def lose_newest(self) -> None:
        """Let the store lose the newest commit, as a failover may."""
        line = self.store.lines[self.w]
        del line.txids[line.entries.pop().txid]
        line.head = Head(line.head.epoch, line.entries[-1].revision, line.entries[-1].chain)

    async def entries(self) -> Sequence[Entry]:
        return await self.log.entries(self.w, 0, 1_000)


@pytest.fixture
async def one() -> Committing:
    store = MemoryStore()
    log = MemoryCommitLog(store)
    w = WorkspaceId(await new_workspace(Workspaces(log, MemoryIndex(store), CLOCK, LIMITS, "w"), ""))
    dependencies = WriterDependencies(log=log, clock=CLOCK, worker="w", counters=Counters())
    return Committing(store, log, w, dependencies, LocalReplica(dependencies, w))


def queue(*requests: Request[Any]) -> list[QueuedRequest]:
    loop = asyncio.get_running_loop()
    return [QueuedRequest(request, loop.create_future()) for request in requests]


async def test_a_request_that_is_known_to_take_long_ends_the_group(one: Committing) -> None:
    """Those before it are committed, it and those after it are given back as they are."""
    first, long, last = group = queue(renaming("First"), renaming("Long"), renaming("Last"))
    left = await one.run(*group, takes_long=lambda request, replica: request is long.request)
    assert left == [long, last]
    assert first.future.result()["revision"] == 2
    assert not long.future.done()
    assert not last.future.done()
    assert len(await one.entries()) == 2


async def test_a_request_that_is_found_out_to_take_long_ends_the_group(one: Committing) -> None:
    """By a trial with a counted budget; memory is as it was."""
    text = "".join(f"Line {number} of {number * number}.\n" for number in range(2_000))
    operations = [{"op": "replace_document", "text": text}]
    batch = parse_batch(operations, LIMITS)
    await one.run(
        *queue(from_input.edit(identify(ADA, None, CLOCK), ADA, operations=operations, batch=batch, limits=LIMITS))
    )
    before = (await one.local.ready()).dump()
    long, last = group = queue(undo(), renaming("Last"))
    assert await one.run(*group, takes_long=nothing_takes_long) == [long, last]
    assert (await one.local.ready()).dump() == before
    assert await one.run(*group) == []  # where everything is prepared here, it is
    assert [queued.future.result()["revision"] for queued in group] == [3, 4]


async def test_a_prepared_request_is_appended_at_its_head(one: Committing) -> None:
    """As it was prepared, before those that are ready."""
    group = queue(renaming("Prepared"), renaming("Ready"))
    prepared = group[0]
    await one.prepare(prepared)
    assert prepared.prepared is not None
    assert await one.run(*group) == []
    assert [queued.future.result()["revision"] for queued in group] == [2, 3]
    assert (await one.entries())[1].body == prepared.prepared.body
    assert (await one.local.ready()).workspace.name == "Ready"


async def test_a_prepared_request_leads_memory_to_its_head(one: Committing) -> None:
    """Where another worker has committed before."""
    (prepared,) = queue(renaming("Prepared"))
    await one.local.ready()
    behind = one.local.replica
    other = LocalReplica(one.dependencies, one.w)
    await GroupCommit(one.dependencies, one.w, other, queue(renaming("Other"))).run()
    await one.prepare(prepared)
    assert await one.run(prepared) == []
    assert prepared.future.result()["revision"] == 3
    assert one.local.replica is behind


async def test_what_was_prepared_for_another_head_is_given_back(one: Committing) -> None:
    """It and those after it; nothing is appended."""
    prepared, last = group = queue(renaming("Prepared"), renaming("Last"))
    await one.prepare(prepared)
    await one.run(*queue(renaming("Rival")))
    assert await one.run(*group) == [prepared, last]
    assert not prepared.future.done()
    assert len(await one.entries()) == 2


async def test_memory_that_the_log_has_lost_does_not_keep_a_prepared_request_out(one: Committing) -> None:
    """It was prepared for where the log ends: memory is read anew."""
    await one.run(*queue(renaming("Lost")))
    one.lose_newest()
    (prepared,) = queue(renaming("Prepared"))
    await one.prepare(prepared)
    assert await one.run(prepared) == []
    assert prepared.future.result()["revision"] == 2
    assert (await one.local.ready()).workspace.name == "Prepared"


async def test_what_was_prepared_for_a_head_that_the_log_has_lost_is_given_back(one: Committing) -> None:
    """And what prepares it then reads anew, too."""
    await one.run(*queue(renaming("Lost")))
    (prepared,) = queue(renaming("Prepared"))
    await one.prepare(prepared)
    elsewhere = LocalReplica(one.dependencies, one.w)
    await elsewhere.ready()
    one.lose_newest()
    assert await one.run(prepared) == [prepared]
    preparation = await prepare_at_head(elsewhere, one.log, one.w, prepared.request)
    assert preparation.head == (await one.local.ready()).head


async def test_taking_back_text_over_many_commits_takes_long(one: Committing) -> None:
    """As is found out while the log is read for it; over few it is done here, and so is typing however far behind."""
    await one.run(*queue(typed_at_the_end((await one.local.ready()).head, 0, "First.")))
    early = (await one.local.ready()).head
    for number in range(COMMITS):
        await one.run(*queue(typed_at_the_end((await one.local.ready()).head, 6 + number, ".")))
    long, last = group = queue(revert(2), renaming("Last"))
    assert await one.run(*group, takes_long=nothing_takes_long) == [long, last]
    recent, behind = group = queue(revert(3), typed_at_the_end(early, 6, " Late."))
    assert await one.run(*group, takes_long=nothing_takes_long) == []
    assert recent.future.result()["changed"]
    assert behind.future.result()["changed"]
    assert (await one.local.ready()).workspace.document.text == f"First.{'.' * (COMMITS - 1)} Late."


async def test_reading_some_commits_again_and_again_takes_long(one: Committing) -> None:
    """All that one request reads is counted, whatever else is in its group."""
    await one.run(*queue(typed_at_the_end((await one.local.ready()).head, 0, "First.")))
    for number in range(50):
        await one.run(*queue(typed_at_the_end((await one.local.ready()).head, 6 + number, ".")))
    many, few, last = group = queue(prepended(12, 13, 14), prepended(52), renaming("Last"))
    assert await one.run(*group, takes_long=nothing_takes_long) == [many, few, last]
    assert await one.run(*queue(*[prepended(12 + number) for number in range(3)]), takes_long=nothing_takes_long) == []


async def test_looking_through_many_taken_back_runs_takes_long(one: Committing) -> None:
    """Each is read together with all that came after it."""
    for _ in range(10):
        head = (await one.local.ready()).head
        await one.run(*queue(typed_at_the_end(head, 0, "Typed.")))
        await one.run(*queue(revert(head.revision + 1)))
    group = queue(undo("typing"))
    assert await one.run(*group, takes_long=nothing_takes_long) == group
    assert await one.run(*group) == []
    assert not group[0].future.result()["changed"]


def prepended(*bases: int) -> Request[Any]:
    """Text put before what stood in the document at some revisions."""
    operations = [{"op": "edit_text", "base_revision": base, "changes": [[0, "x"], base + 4]} for base in bases]
    batch = parse_batch(operations, LIMITS)
    return from_input.edit(identify(ADA, None, CLOCK), ADA, operations=operations, batch=batch, limits=LIMITS)


def nothing_takes_long(request: Request[Any], replica: Replica) -> bool:
    """Nothing is known to take long."""
    return False
