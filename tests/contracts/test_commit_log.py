"""What every commit log promises about creating, appending, leasing and reading."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from draftsmith.history.commit import GENESIS, Draft, Head, chain_hash, entry_of
from draftsmith.ports import AppendSuccess, CommitLog, Conflict, DuplicateTransactions, LeaseHeld, WorkspaceGone
from tests.contracts.lines import EPOCH, SUMMARY, create, draft, extend, new_w


async def test_create_makes_revision_1_and_its_meta(log: CommitLog) -> None:
    """A workspace begins to exist with one revision, no snapshot and nothing trimmed."""
    w, first = new_w(), draft()
    created = await log.create(w, EPOCH, first, SUMMARY)
    chain = chain_hash(GENESIS, first)
    assert isinstance(created, AppendSuccess)
    assert created.head == Head(EPOCH, 1, chain)
    assert await log.entries(w, 0, 10) == [entry_of(first, 1, chain, created.ms)]
    meta = await log.meta(w)
    assert meta is not None
    assert (meta.head, meta.base, meta.snap, meta.snap_prev) == (created.head, 0, 0, 0)
    assert (meta.summary, meta.created_ms, meta.updated_ms) == (SUMMARY, created.ms, created.ms)
    assert (meta.deleted_ms, meta.log_bytes) == (None, len(first.body))


async def test_create_again_is_known_or_a_conflict(log: CommitLog) -> None:
    """The same first draft is told from another one; neither changes the workspace."""
    w, first = new_w(), draft()
    created = await log.create(w, EPOCH, first, SUMMARY)
    assert isinstance(created, AppendSuccess)
    head = await extend(log, w, created.head, 1)
    assert await log.create(w, "e2", first, SUMMARY) == DuplicateTransactions(head, {first.txid: 1})
    assert await log.create(w, "e2", draft(), SUMMARY) == Conflict(head, ())
    assert len(await log.entries(w, 0, 10)) == 2


async def test_create_with_the_id_of_a_later_revision_is_a_conflict(log: CommitLog) -> None:
    """Only revision 1 answers a repeated creation."""
    w, head = await create(log)
    later = draft()
    appended = await log.append(w, head, [later], SUMMARY, "a")
    assert isinstance(appended, AppendSuccess)
    assert await log.create(w, EPOCH, later, SUMMARY) == Conflict(appended.head, ())


async def test_append_puts_all_drafts_into_the_log_in_order(log: CommitLog) -> None:
    """A group of 64 becomes 64 contiguous revisions with one chain, and the meta follows."""
    w, head = await create(log)
    drafts = [draft(text="é" * number) for number in range(64)]
    outcome = await log.append(w, head, drafts, {"name": "Later"}, "a")
    assert isinstance(outcome, AppendSuccess)
    chain, expected = head.chain, []
    for number, one in enumerate(drafts):
        chain = chain_hash(chain, one)
        expected.append(entry_of(one, 2 + number, chain, outcome.ms))
    assert outcome.head == Head(EPOCH, 65, chain)
    assert await log.entries(w, 1, 65) == expected
    assert [await log.find(w, one.txid) for one in drafts] == list(range(2, 66))
    meta = await log.meta(w)
    assert meta is not None
    assert (meta.head, meta.summary, meta.updated_ms) == (outcome.head, {"name": "Later"}, outcome.ms)
    assert meta.log_bytes == sum(len(entry.body) for entry in await log.entries(w, 0, 65))


async def test_one_known_id_keeps_all_64_out(log: CommitLog) -> None:
    """All or none: the answer names what is known, and the log has not moved."""
    w, head = await create(log)
    old = [draft(), draft()]
    outcome = await log.append(w, head, old, SUMMARY, "a")
    assert isinstance(outcome, AppendSuccess)
    group = [draft() for _ in range(62)]
    group[10:10] = old
    assert await log.append(w, outcome.head, group, SUMMARY, "a") == DuplicateTransactions(
        outcome.head, {old[0].txid: 2, old[1].txid: 3}
    )
    assert len(await log.entries(w, 0, 100)) == 3


async def test_a_repeat_is_known_although_the_head_has_moved(log: CommitLog) -> None:
    """A draft sent again after a lost reply hears that it is in, not that it lost a race, even under a lease."""
    w, head = await create(log)
    one = draft()
    assert isinstance(await log.append(w, head, [one], SUMMARY, "a"), AppendSuccess)
    newer = await extend(log, w, (await log.create(w, EPOCH, draft(), SUMMARY)).head, 3)
    assert await log.lease(w, "other", 60_000)
    assert await log.append(w, head, [one], SUMMARY, "a") == DuplicateTransactions(newer, {one.txid: 2})


async def test_a_lost_race_returns_what_was_missed(log: CommitLog) -> None:
    """Nothing is appended, and the loser need not read to catch up."""
    w, head = await create(log)
    newer = await extend(log, w, head, 3)
    outcome = await log.append(w, head, [draft()], SUMMARY, "b")
    assert outcome == Conflict(newer, await log.entries(w, 1, 4))
    assert (await log.entries_before(w, 100, 1))[0].revision == 4


async def test_a_conflict_returns_at_most_256_entries(log: CommitLog) -> None:
    """The oldest ones, so that they continue what the caller has."""
    w, head = await create(log)
    newer = await extend(log, w, head, 300)
    outcome = await log.append(w, head, [draft()], SUMMARY, "b")
    assert isinstance(outcome, Conflict)
    assert [entry.revision for entry in outcome.missed] == list(range(2, 258))
    assert outcome.head == newer


@pytest.mark.parametrize("wrong", [Head("e2", 2, "right"), Head(EPOCH, 2, "0123456789abcdef"), Head(EPOCH, 9, "right")])
async def test_equal_numbers_are_not_equal_states(log: CommitLog, wrong: Head) -> None:
    """Another epoch, another hash under the same number, or a caller ahead of the log: a conflict without entries."""
    w, first = await create(log)
    head = await extend(log, w, first, 1)
    expected = Head(wrong.epoch, wrong.revision, head.chain if wrong.chain == "right" else wrong.chain)
    for drafts in ([], [draft()]):
        outcome = await log.append(w, expected, drafts, SUMMARY, "a")
        assert isinstance(outcome, Conflict)
        assert (outcome.head, list(outcome.missed)) == (head, [])


async def test_another_epoch_hides_known_ids(log: CommitLog) -> None:
    """Ids are compared within an epoch only; a caller of another one has to load anew first."""
    w, first = new_w(), draft()
    created = await log.create(w, EPOCH, first, SUMMARY)
    assert isinstance(created, AppendSuccess)
    outcome = await log.append(w, Head("e2", 1, created.head.chain), [first], SUMMARY, "a")
    assert outcome == Conflict(created.head, outcome.missed if isinstance(outcome, Conflict) else ())


async def test_an_append_of_nothing_only_compares(log: CommitLog) -> None:
    """It neither minds a lease nor gives one back, and changes neither log nor meta."""
    w, head = await create(log)
    before = await log.meta(w)
    assert await log.lease(w, "other", 60_000)
    same = await log.append(w, head, [], {"name": "no"}, "a")
    assert isinstance(same, AppendSuccess)
    assert same.head == head
    assert isinstance(await log.append(w, head, [], SUMMARY, "other"), AppendSuccess)
    assert isinstance(await log.append(w, head, [draft()], SUMMARY, "a"), LeaseHeld)
    assert await log.meta(w) == before


async def test_no_workspace_and_one_in_the_trash_are_gone(log: CommitLog) -> None:
    """The reason tells them apart, before anything else is looked at."""
    w, head = await create(log)
    assert await log.append(new_w(), head, [draft()], SUMMARY, "a") == WorkspaceGone("absent")
    assert await log.set_deleted(w, True)
    for drafts in ([], [draft()]):
        assert await log.append(w, Head("other", 7, "x"), drafts, SUMMARY, "a") == WorkspaceGone("deleted")
    assert await log.set_deleted(w, False)
    assert isinstance(await log.append(w, head, [draft()], SUMMARY, "a"), AppendSuccess)


async def test_two_drafts_with_one_id_are_the_callers_mistake(log: CommitLog) -> None:
    w, head = await create(log)
    with pytest.raises(ValueError, match="one transaction id"):
        await log.append(w, head, [draft("same"), draft("same")], SUMMARY, "a")
    assert await log.find(w, "same") is None


async def test_a_lease_lets_one_worker_through_and_is_given_back(log: CommitLog) -> None:
    """Others wait; the holder's append ends the lease."""
    w, head = await create(log)
    assert await log.lease(w, "a", 60_000)
    assert not await log.lease(w, "b", 60_000)
    assert await log.lease(w, "a", 60_000)
    refused = await log.append(w, head, [draft()], SUMMARY, "b")
    assert isinstance(refused, LeaseHeld)
    assert 0 < refused.ttl_ms <= 60_000
    appended = await log.append(w, head, [draft()], SUMMARY, "a")
    assert isinstance(appended, AppendSuccess)
    assert isinstance(await log.append(w, appended.head, [draft()], SUMMARY, "b"), AppendSuccess)
    assert await log.lease(w, "b", 60_000)


async def test_a_lease_runs_out(log: CommitLog) -> None:
    """A worker that dies with it holds up nobody for long."""
    w, head = await create(log)
    assert await log.lease(w, "a", 30)
    await asyncio.sleep(0.08)
    assert isinstance(await log.append(w, head, [draft()], SUMMARY, "b"), AppendSuccess)


async def test_entries_are_read_in_ranges(log: CommitLog) -> None:
    """`after < revision <= upto`, oldest first; before, newest first; never more than asked."""
    w, head = await create(log)
    await extend(log, w, head, 9)

    async def forward(after: int, upto: int, count: int = 500) -> list[int]:
        return [entry.revision for entry in await log.entries(w, after, upto, count)]

    async def backward(before: int, count: int) -> list[int]:
        return [entry.revision for entry in await log.entries_before(w, before, count)]

    assert await forward(0, 10) == list(range(1, 11))
    assert await forward(3, 6) == [4, 5, 6]
    assert await forward(8, 99) == [9, 10]
    assert await forward(2, 10, 2) == [3, 4]
    assert [await forward(5, 5), await forward(6, 5), await forward(10, 99), await forward(0, 9, 0)] == [[]] * 4
    assert await backward(11, 3) == [10, 9, 8]
    assert await backward(99, 2) == [10, 9]
    assert await backward(3, 9) == [2, 1]
    assert [await backward(1, 9), await backward(0, 9), await backward(5, 0)] == [[]] * 3
    assert await log.entries(new_w(), 0, 10) == []
    assert await log.entries_before(new_w(), 10, 10) == []


async def test_metas_come_in_the_order_asked(log: CommitLog) -> None:
    """Across nodes too, with None where there is no workspace."""
    made = [await create(log) for _ in range(8)]
    asked = [w for w, _ in made]
    asked.insert(3, new_w())
    metas = await log.metas(asked)
    assert metas[3] is None
    del metas[3]
    assert [meta.head for meta in metas if meta] == [head for _, head in made]
    assert await log.metas([]) == []
    assert await log.meta(new_w()) is None
    assert await log.find(new_w(), "x") is None


async def test_of_many_racers_each_revision_goes_to_one(log: CommitLog) -> None:
    """Workers that retry after conflicts end with every draft in the log exactly once."""
    w, start = await create(log)
    drafts = [draft() for _ in range(20)]

    async def race(one: Draft) -> None:
        head = start
        while True:
            outcome = await log.append(w, head, [one], SUMMARY, one.txid)
            if isinstance(outcome, AppendSuccess):
                return
            assert isinstance(outcome, Conflict)
            head = outcome.head

    await asyncio.gather(*(race(one) for one in drafts))
    entries = await log.entries(w, 0, 100)
    assert sorted(entry.txid for entry in entries[1:]) == sorted(one.txid for one in drafts)
    assert [entry.revision for entry in entries] == list(range(1, 22))


texts = st.text(max_size=40)
any_draft = st.builds(
    Draft, st.text(min_size=1, max_size=40), texts, texts, texts, st.sampled_from(["edit", "undo", "text"]), texts,
    st.binary(max_size=300),
)  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=any_draft, group=st.lists(any_draft, min_size=1, max_size=5, unique_by=lambda one: one.txid))
async def test_the_stores_chain_is_the_chain_of_history(log: CommitLog, first: Draft, group: list[Draft]) -> None:
    """Whatever texts and bytes a draft holds, the hash is the same and it is read back as written.

    The fixture is shared by all examples on purpose: each makes a workspace of its own.
    """
    w = new_w()
    created = await log.create(w, EPOCH, first, {"name": first.actor})
    assert isinstance(created, AppendSuccess)
    assert created.head.chain == chain_hash(GENESIS, first)
    fresh = [one for one in group if one.txid != first.txid]
    outcome = await log.append(w, created.head, fresh, {}, "a")
    assert isinstance(outcome, AppendSuccess)
    chain, expected = GENESIS, []
    for number, one in enumerate([first, *fresh]):
        chain = chain_hash(chain, one)
        expected.append(entry_of(one, number + 1, chain, created.ms if number == 0 else outcome.ms))
    assert outcome.head.chain == chain
    assert await log.entries(w, 0, 100) == expected
