"""What every commit log promises about answers to writes that changed nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from draftsmith.history.commit import Head
from draftsmith.ports import AppendSuccess, CommitLog, Conflict, DuplicateTransactions, KeptAnswer, WorkspaceGone
from tests.contracts.backends import Backend, RedisBackend, open_redis
from tests.contracts.lines import EPOCH, SUMMARY, blob_at, create, draft, extend, new_w


def kept(txid: str, body: bytes = b"nothing") -> KeptAnswer:
    return KeptAnswer(txid, f"fp-{txid}", body)


@pytest.fixture
async def other(backend: Backend) -> AsyncIterator[CommitLog]:
    """The log of another worker over the same store."""
    if not isinstance(backend, RedisBackend):
        yield backend.log
        return
    async with open_redis(backend.url) as second:
        yield second.log


async def keep(log: CommitLog, w: str, head: Head, *answers: KeptAnswer) -> None:
    assert isinstance(await log.append(w, head, [], SUMMARY, "a", answers), AppendSuccess)


async def test_an_answer_is_found_again_by_every_worker(log: CommitLog, other: CommitLog) -> None:
    """It is no entry: revision, log and meta stay as they are. Later revisions do not take it away."""
    w, head = await create(log)
    before = await log.meta(w)
    await keep(log, w, head, kept("one"), kept("two", b"\x00\xff"))
    assert await log.meta(w) == before
    assert len(await log.entries(w, 0, 9)) == 1
    await extend(log, w, head, 3)
    assert [await other.find_answer(w, txid) for txid in ("one", "two", "three")] == [
        kept("one"),
        kept("two", b"\x00\xff"),
        None,
    ]
    assert await other.find(w, "one") is None
    assert await other.find_answer(new_w(), "one") is None


async def test_a_kept_id_is_never_appended_nor_kept_again(log: CommitLog, other: CommitLog) -> None:
    """Neither by a draft that has become possible since, nor by another answer; all of its group stay out."""
    w, head = await create(log)
    await keep(log, w, head, kept("one"))
    newer = await extend(log, w, head, 1)
    for drafts, unchanged in (([draft("one"), draft()], []), ([], [kept("one", b"other"), kept("two")])):
        for expected in (head, newer):
            outcome = await other.append(w, expected, drafts, SUMMARY, "b", unchanged)
            assert outcome == DuplicateTransactions(newer, {}, {"one": kept("one")})
    assert len(await log.entries(w, 0, 9)) == 2
    assert await log.find_answer(w, "two") is None


async def test_an_answer_is_not_kept_for_an_id_that_is_in_the_log(log: CommitLog) -> None:
    w, head = await create(log)
    outcome = await log.append(w, head, [draft("one")], SUMMARY, "a")
    assert isinstance(outcome, AppendSuccess)
    assert await log.append(w, outcome.head, [], SUMMARY, "a", [kept("one"), kept("two")]) == DuplicateTransactions(
        outcome.head, {"one": 2}
    )
    assert [await log.find_answer(w, txid) for txid in ("one", "two")] == [None, None]


async def test_an_answer_is_kept_only_with_the_state_it_is_true_of(log: CommitLog) -> None:
    """After a lost race, in another epoch and where the workspace is gone nothing is kept; a lease does not matter."""
    w, head = await create(log)
    newer = await extend(log, w, head, 1)
    for wrong in (head, Head("e2", 2, newer.chain)):
        assert isinstance(await log.append(w, wrong, [], SUMMARY, "a", [kept("one")]), Conflict)
    assert await log.append(new_w(), head, [], SUMMARY, "a", [kept("one")]) == WorkspaceGone("absent")
    assert await log.find_answer(w, "one") is None
    assert await log.lease(w, "other", 60_000)
    await keep(log, w, newer, kept("one"))
    assert await log.find_answer(w, "one") == kept("one")


async def test_drafts_and_answers_go_in_together(log: CommitLog) -> None:
    w, head = await create(log)
    outcome = await log.append(w, head, [draft("made")], SUMMARY, "a", [kept("one")])
    assert isinstance(outcome, AppendSuccess)
    assert outcome.head.revision == 2
    assert (await log.find(w, "made"), await log.find_answer(w, "one")) == (2, kept("one"))
    with pytest.raises(ValueError, match="one transaction id"):
        await log.append(w, outcome.head, [draft("x")], SUMMARY, "a", [kept("x")])


async def test_answers_are_trimmed_with_the_entries_of_their_revision(log: CommitLog) -> None:
    """As long as other ids, and no longer."""
    w, head = await create(log)
    for number in range(2, 10):
        head = await extend(log, w, head, 1)
        await keep(log, w, head, kept(f"at-{number}"))
    for revision in (6, 8):
        await log.put_snapshot(w, await blob_at(log, w, revision))
    assert await log.trim(w, EPOCH, 6, count=4) == 4
    assert [number for number in range(2, 10) if await log.find_answer(w, f"at-{number}")] == [5, 6, 7, 8, 9]
    assert await log.trim(w, EPOCH, 6) == 6
    assert [number for number in range(2, 10) if await log.find_answer(w, f"at-{number}")] == [7, 8, 9]


async def test_only_the_newest_answers_are_kept(log: CommitLog) -> None:
    """4,096 of them; nobody can fill the store by asking for nothing."""
    w, head = await create(log)
    for start in range(0, 4_160, 64):
        await keep(log, w, head, *(kept(f"n-{number}") for number in range(start, start + 64)))
    assert [await log.find_answer(w, f"n-{number}") for number in (0, 63)] == [None, None]
    assert await log.find_answer(w, "n-64") == kept("n-64")
    assert await log.find_answer(w, "n-4159") == kept("n-4159")


async def test_large_answers_push_out_older_ones(log: CommitLog) -> None:
    """4 MiB of them, whatever their number."""
    w, head = await create(log)
    for number in range(5):
        await keep(log, w, head, kept(f"n-{number}", b"x" * (1 << 20)))
    assert [number for number in range(5) if await log.find_answer(w, f"n-{number}")] == [1, 2, 3, 4]


async def test_answers_go_with_the_workspace_and_with_a_replaced_log(log: CommitLog) -> None:
    """They are true of the log that has gone."""
    w, head = await create(log)
    head = await extend(log, w, head, 2)
    await keep(log, w, head, kept("one"))
    blob = await blob_at(log, w, 3)
    await log.replace(w, type(blob)("e2", 3, blob.chain, blob.ms, blob.content), [], {"summary": SUMMARY})
    assert await log.find_answer(w, "one") is None
    await keep(log, w, Head("e2", 3, blob.chain), kept("two"))
    assert await log.set_deleted(w, True)
    await log.purge(w)
    assert await log.find_answer(w, "two") is None


async def test_no_key_of_a_purged_workspace_is_left(redis_backend: RedisBackend) -> None:
    log = redis_backend.log
    w, head = await create(log)
    await keep(log, w, head, kept("one"))
    assert {"answers", "answered"} <= await redis_backend.keys(w)
    await log.set_deleted(w, True)
    await log.purge(w)
    assert await redis_backend.keys(w) == set()
