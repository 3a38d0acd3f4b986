"""The whole log of a workspace, including what is trimmed later.

Read straight from the store and folded here, so it depends on no worker and no client.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.history.commit import Entry
from draftsmith.history.record import Record, decode_record
from draftsmith.history.replica import Replica
from draftsmith.model.document import from_units
from draftsmith.usecases.upkeep.retention import Policy
from draftsmith.usecases.upkeep.snapshot import make_snapshot
from tests.simulation.live.users import MARKS

_PAGE = 500
_KEEP_ALL = Policy(min_entries=10**9)
# Keeps nothing but what it must: a snapshot at once, and commits up to the snapshot before it are gone.
_KEEP_NOTHING = Policy(every_entries=1, retain_days=1, max_entries=1, max_bytes=1, min_entries=0)


class FullLog:
    """All commits of a workspace, from the first.

    Attributes:
        w: the workspace.
        replica: the fold of them.
        entries: by transaction id.
        explained: revisions by explanation.
        arrived: revisions at which each mark came into the document by a person's own words, undo and the like aside.
        base: newest revision that the store no longer has.
    """

    def __init__(self, log: RedisCommitLog, w: str) -> None:
        self._log, self.w = log, w
        self.replica = Replica("")
        self.entries: dict[str, Entry] = {}
        self.kinds: Counter[str] = Counter()
        self.explained: dict[str, list[int]] = {}
        self.arrived: dict[str, list[int]] = {}
        self.base = 0

    @property
    def rev(self) -> int:
        return self.replica.head.revision

    async def read(self) -> int:
        """Read on to the head; its revision."""
        meta = await self._log.meta(self.w)
        assert meta is not None
        if not self.rev:
            self.replica = Replica(meta.head.epoch)
        assert meta.head.epoch == self.replica.head.epoch
        assert meta.base <= self.rev, "commits were trimmed that nobody had read"
        while self.rev < meta.head.revision:
            for entry in await self._log.entries(self.w, self.rev, meta.head.revision, _PAGE):
                self._take(entry)
        assert self.replica.head == meta.head
        self.base = meta.base
        return self.rev

    def _take(self, entry: Entry) -> None:
        text = self.replica.workspace.document.text
        self.replica.advance(entry)  # checks the chain, and that the steps fit
        assert entry.txid not in self.entries, f"{entry.txid} is in the log twice"
        self.entries[entry.txid] = entry
        self.kinds[entry.kind] += 1
        record = decode_record(entry.body)
        if record.explanation:
            self.explained.setdefault(record.explanation, []).append(entry.revision)
        # An agent that writes a section anew repeats what others wrote there.
        if entry.kind in ("edit", "text") and json.loads(entry.actor)["kind"] != "agent":
            self._note_marks(entry.revision, record, text)

    def _note_marks(self, revision: int, record: Record, text: str) -> None:
        """What a commit puts in, without what it takes out and puts back."""
        step = record.text_step
        if step is None:
            return
        point = from_units(text)
        net: Counter[str] = Counter()
        for change in step.changes.changes():
            net.update(_marks(change.inserted))
            net.subtract(_marks(text[point(change.start) : point(change.end)]))
        for mark, count in net.items():
            self.arrived.setdefault(mark, []).extend([revision] * max(0, count))

    def at(self, revision: int) -> Entry:
        """The commit of a revision."""
        return next(one for one in self.entries.values() if one.revision == revision)

    def tell(self, revision: int) -> str:
        """A commit in words, for the message of a failed test."""
        entry = self.at(revision)
        record = decode_record(entry.body)
        steps = [step.to_json() for step in record.steps]
        return f"{revision} {entry.kind} {entry.ref} of {entry.actor}: {record.what} {record.explanation} {steps}"

    async def snapshot(self) -> None:
        """Make a snapshot, up to which `trim` may forget."""
        await make_snapshot(self._log, self.w, _KEEP_ALL, SystemClock())

    async def trim(self) -> int:
        """Let housekeeping do its work at once: a snapshot, and old commits go; what is no longer there afterwards."""
        await self.read()
        await make_snapshot(self._log, self.w, _KEEP_NOTHING, SystemClock())
        await self.read()
        return self.base


def _marks(text: str) -> list[str]:
    return [one for one in text if ord(one) >= MARKS]


@asynccontextmanager
async def open_full_log(store_url: str, w: str) -> AsyncIterator[FullLog]:
    """A reader with a connection of its own."""
    connection = await connect(store_url)
    try:
        yield FullLog(RedisCommitLog(connection), w)
    finally:
        await connection.close()
