"""What every commit log promises about writes that a page sends again over another connection."""

from __future__ import annotations

from draftsmith.adapters.redis import commit_log
from draftsmith.history.commit import Head
from draftsmith.ports import (
    AppendOutcome,
    AppendSuccess,
    ClaimedElsewhere,
    CommitLog,
    Conflict,
    DuplicateTransactions,
    KeptAnswer,
)
from tests.contracts.backends import RedisBackend
from tests.contracts.lines import SUMMARY, create, draft, extend


async def append_as(log: CommitLog, w: str, head: Head, txid: str, connection: str = "") -> AppendOutcome:
    """Append a draft that a page has sent over a connection, or somebody else over none."""
    connections = {txid: connection} if connection else None
    return await log.append(w, head, [draft(txid)], SUMMARY, "a", (), connections)


async def test_only_copies_over_the_connection_that_claimed_a_write_are_appended(log: CommitLog) -> None:
    w, head = await create(log)
    await log.claim(w, ["one", "two"], "second")
    assert await append_as(log, w, head, "one", "first") == ClaimedElsewhere(frozenset({"one"}))
    assert await log.meta(w) is not None
    assert len(await log.entries(w, 0, 9)) == 1
    outcome = await append_as(log, w, head, "one", "second")
    assert isinstance(outcome, AppendSuccess)
    assert isinstance(await append_as(log, w, outcome.head, "three", "first"), AppendSuccess)


async def test_the_latest_claim_counts(log: CommitLog) -> None:
    w, head = await create(log)
    await log.claim(w, ["one"], "second")
    await log.claim(w, ["one"], "third")
    assert await append_as(log, w, head, "one", "second") == ClaimedElsewhere(frozenset({"one"}))
    assert isinstance(await append_as(log, w, head, "one", "third"), AppendSuccess)


async def test_a_write_without_a_connection_is_not_concerned(log: CommitLog) -> None:
    """As over HTTP, where the id alone says which write it is."""
    w, head = await create(log)
    await log.claim(w, ["one"], "second")
    assert isinstance(await append_as(log, w, head, "one"), AppendSuccess)


async def test_what_is_in_the_log_is_said_before_who_claims_it(log: CommitLog) -> None:
    w, head = await create(log)
    outcome = await append_as(log, w, head, "one", "first")
    assert isinstance(outcome, AppendSuccess)
    await log.claim(w, ["one"], "second")
    assert await append_as(log, w, head, "one", "first") == DuplicateTransactions(outcome.head, {"one": 2})


async def test_a_claim_is_said_before_a_lost_race(log: CommitLog) -> None:
    """What does not come over this connection any more need not be tried again."""
    w, head = await create(log)
    newer = await extend(log, w, head, 1)
    await log.claim(w, ["one"], "second")
    assert await append_as(log, w, head, "one", "first") == ClaimedElsewhere(frozenset({"one"}))
    assert isinstance(await append_as(log, w, head, "one", "second"), Conflict)
    assert isinstance(await append_as(log, w, newer, "one", "second"), AppendSuccess)


async def test_nothing_of_a_group_with_a_claimed_write_is_done(log: CommitLog) -> None:
    w, head = await create(log)
    await log.claim(w, ["one", "none"], "second")
    unchanged = [KeptAnswer("none", "fp", b"nothing")]
    connections = {"one": "first", "other": "first", "none": "first"}
    outcome = await log.append(w, head, [draft("other"), draft("one")], SUMMARY, "a", unchanged, connections)
    assert outcome == ClaimedElsewhere(frozenset({"one", "none"}))
    assert len(await log.entries(w, 0, 9)) == 1
    assert await log.find_answer(w, "none") is None


async def test_claims_go_with_the_workspace(redis_backend: RedisBackend) -> None:
    log = redis_backend.log
    w, _ = await create(log)
    await log.claim(w, ["one"], "second")
    assert "claims" in await redis_backend.keys(w)
    await log.set_deleted(w, True)
    await log.purge(w)
    assert await redis_backend.keys(w) == set()


async def test_claims_do_not_grow_without_end(redis_backend: RedisBackend) -> None:
    """The newest are there; those before them go when there are too many, and all with time."""
    log = redis_backend.log
    w, head = await create(log)
    for start in range(0, commit_log.MOST_CLAIMS + 4_000, 2_000):
        await log.claim(w, [f"n-{number}" for number in range(start, start + 2_000)], "second")
    newest = f"n-{commit_log.MOST_CLAIMS + 3_000}"
    assert await append_as(log, w, head, newest, "first") == ClaimedElsewhere(frozenset({newest}))
    assert isinstance(await append_as(log, w, head, "n-0", "first"), AppendSuccess)
