"""Long work in slices: how many there are follows from the size, and others have a turn between any two."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

import pytest

from draftsmith.history.commit import GENESIS, Draft, Entry, Head, chain_hash, entry_of
from draftsmith.history.record import Record, decode_record, reading_record
from draftsmith.history.replica import CorruptEntry, Replica, reading_replica, replica_from
from draftsmith.model.workspace import Workspace, copying, dump
from draftsmith.transform.steps.changeset import replacing
from draftsmith.transform.steps.node import InsertNode
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.steps.text import ChangeText, in_one
from draftsmith.usecases.commits.at_head import composed_if_many
from draftsmith.usecases.replicas.log_reader import advance, advance_unseen, reading_text_steps
from draftsmith.usecases.replicas.slices import in_slices

COUNT = 5_000


def entry(count: int, before: str = GENESIS, first: int = 0, revision: int = 1) -> Entry:
    """A commit that makes so many nodes."""
    steps: list[Step] = [
        InsertNode(f"n{number}", revision, {"type": "service", "label": "N", "x": 0, "y": 0}, None)  # type: ignore[arg-type]
        for number in range(first, first + count)
    ]
    draft = Draft("t", "", "{}", "", "edit", "", Record(steps, "Added nodes").encode())
    return entry_of(draft, revision, chain_hash(before, draft), 0)


def slices_of(work: Generator[None, None, Any]) -> int:
    """How many slices some work has."""
    return sum(1 for _ in work) + 1


def large() -> Replica:
    replica = Replica("e")
    replica.advance(entry(COUNT))
    return replica


def test_a_large_state_is_read_in_slices_and_is_the_same() -> None:
    """And so is a copy, and a large commit; what is small has hardly any."""
    replica = large()
    content = replica.dump()
    assert replica_from(content, replica.head).dump() == content
    assert slices_of(reading_replica(content, replica.head)) >= 5
    assert slices_of(copying(replica.workspace)) >= 5
    assert slices_of(reading_record(entry(COUNT).body)) >= 5
    assert slices_of(Replica("e").advancing(entry(COUNT))) >= 10
    assert slices_of(reading_record(entry(10).body)) == 1
    assert slices_of(Replica("e").advancing(entry(10))) == 1


async def test_a_copy_is_of_the_moment_in_which_it_was_begun() -> None:
    """Whatever is committed between its slices."""
    replica = large()
    before = dump(replica.workspace)
    work = copying(replica.workspace)
    next(work)
    replica.advance(entry(10, replica.head.chain, COUNT, 2))
    replica.workspace.diagram[next(iter(replica.workspace.diagram.nodes()))]["label"] = "Other"
    copy: Workspace = await in_slices(work)
    assert [one[0] for one in dump(copy)["nodes"]] == [one[0] for one in before["nodes"]]
    assert {one[1]["label"] for one in dump(copy)["nodes"]} == {"N"}


@pytest.mark.parametrize("is_seen", [True, False])
async def test_others_have_a_turn_while_commits_are_taken_in(is_seen: bool) -> None:
    """And what others see of a replica is a revision, never half of one."""
    replica, seen, turns = Replica("e"), set(), 0

    async def look() -> None:
        nonlocal turns
        while True:
            seen.add((replica.head.revision, replica.workspace.diagram.node_count))
            turns += 1
            await asyncio.sleep(0)

    looking = asyncio.create_task(look())
    first = entry(COUNT)
    await (advance if is_seen else advance_unseen)(replica, [first, entry(1, first.chain, COUNT, 2)])
    looking.cancel()
    assert replica.head.revision == 2
    assert turns >= 5
    assert not is_seen or seen <= {(0, 0), (1, COUNT), (2, COUNT + 1)}


async def test_a_large_commit_that_cannot_be_applied_is_corrupt() -> None:
    """As a small one is, and the replica stays before it."""
    replica = large()
    bad = entry(COUNT, replica.head.chain, 10, 2)
    before, content = replica.head, replica.dump()
    with pytest.raises(CorruptEntry):
        await advance(replica, [bad])
    assert (replica.head, replica.dump()) == (before, content)
    assert decode_record(bad.body) == await in_slices(reading_record(bad.body))
    assert before == Head("e", 1, before.chain)


def test_text_steps_are_read_in_slices_of_so_many_bytes() -> None:
    """However few commits they are in."""
    first = entry(COUNT)
    assert slices_of(reading_text_steps([first])) >= 5
    small = [entry(1) for _ in range(100)]
    assert slices_of(reading_text_steps(small)) >= 5
    assert slices_of(reading_text_steps(small[:5])) == 1


async def test_many_text_steps_are_composed_in_slices() -> None:
    """And are then what they are in one."""
    text, steps = "Begin.", []
    for number in range(450):
        changes = replacing(text, [(number % len(text), number % len(text) + number % 2, f"{number} ")])
        steps.append(ChangeText(changes, tuple(changes.deleted_texts(text))))
        text = changes.apply(text)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    assert await composed_if_many(steps) == [in_one(steps)]
    assert turns == 3
    counting.cancel()
