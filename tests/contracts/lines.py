"""Short ways to make drafts, workspaces and states for the contract suites."""

from __future__ import annotations

import itertools

from draftsmith.adapters.process.system import SystemClock
from draftsmith.history.commit import GENESIS, Draft, Entry, Head, chain_hash, encode_body, entry_of
from draftsmith.ports import AppendSuccess, Blob, CommitLog

EPOCH = "e1"
SUMMARY = {"name": "Shop", "nodes": 0, "edges": 0, "chars": 0}
_numbers = itertools.count(1)


def new_w() -> str:
    return SystemClock().new_id()


def draft(txid: str | None = None, text: str = "x") -> Draft:
    number = next(_numbers)
    actor = '{"id":"u1","name":"Ada","kind":"person"}'
    return Draft(txid or f"tx-{number}", f"fp-{number}", actor, "u1", "edit", "", encode_body({"text": text}))


async def create(log: CommitLog) -> tuple[str, Head]:
    """Make a workspace of one revision."""
    w = new_w()
    created = await log.create(w, EPOCH, draft(), SUMMARY)
    assert isinstance(created, AppendSuccess)
    return w, created.head


async def extend(log: CommitLog, w: str, head: Head, count: int) -> Head:
    """Append `count` drafts at once."""
    outcome = await log.append(w, head, [draft() for _ in range(count)], SUMMARY, "worker")
    assert isinstance(outcome, AppendSuccess)
    return outcome.head


async def blob_at(log: CommitLog, w: str, revision: int, content: bytes = b"state") -> Blob:
    """A state that the log confirms."""
    (entry,) = await log.entries(w, revision - 1, revision)
    return Blob(EPOCH, revision, entry.chain, 1000 + revision, content)


def line_after(blob: Blob, count: int) -> list[Entry]:
    """Entries that continue a state."""
    entries: list[Entry] = []
    chain = blob.chain
    for number in range(count):
        one = draft()
        chain = chain_hash(chain, one)
        entries.append(entry_of(one, blob.revision + 1 + number, chain, 5000 + number))
    return entries


def chain_of(drafts: list[Draft], before: str = GENESIS) -> str:
    for one in drafts:
        before = chain_hash(before, one)
    return before
