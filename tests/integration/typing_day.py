"""A simulated day of people who type into one document: bursts and pauses, jumps, slips of the finger, breaks.

Everybody's letters are of another alphabet, so it can be told who wrote what. Pages push as the real one does: 250 ms
after the last key, at the latest a second after the first that was not sent; what others have committed reaches them a
tenth of a second later, and what they have not sent is mapped over it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from draftsmith.history.commit import GENESIS
from draftsmith.history.record import decode_record
from draftsmith.history.rows import PageCursor
from draftsmith.model.document import units
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import Blob, CommitLog
from draftsmith.transform.steps.changeset import ChangeSet, of_parts
from draftsmith.transform.steps.rebase import map_changes
from draftsmith.transform.steps.spans import SpanMap
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.upkeep.history import list_rows
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.edited_workspaces import SetClock
from tests.integration.typists import ADA, BOB, CLEO, Typist, new_workspace

QUIET_MS, LATEST_MS, DELAY_MS = 250, 1_000, 100
KEY_MS = 170.0
BURST = 40
ALPHABETS = {ADA: "abcdefghijklmnopqrstuvwxyz", BOB: "ABCDEFGHIJKLMNOPQRSTUVWXYZ", CLEO: "αβγδεζηθικλ🚀🌍"}
"""What people write with, besides blanks and line ends; the document begins with digits."""
START = "# 0\n\n" + "".join(f"## {number}\n\n" + f"{number} 01234 56789.\n" * 30 + "\n" for number in range(1, 50))
MORNING_MS = 10 * 60_000
KEYS_PER_HOUR = 5_000


@dataclass
class Writer:
    """Somebody with a page open, all day.

    Attributes:
        waiting: what they have typed and not sent, for the document at `typist.base`.
        caret, length: in the document as they see it, in UTF-16 units.
        typed: the last characters before the caret that are theirs.
    """

    typist: Typist
    alphabet: str
    keys: int
    caret: int = 0
    length: int = units(START)
    waiting: ChangeSet | None = None
    typed: list[str] = field(default_factory=list)
    first_ms: float = 0
    last_ms: float = 0
    pushed_ms: float = 0
    burst: str = ""

    def press(self, key: str) -> None:
        """Write a character, or take the last one back."""
        if key != "\b":
            self._change(0, key)
            self.typed.append(key)
        elif self.typed:
            self._change(units(self.typed.pop()), "")

    def _change(self, deleted: int, inserted: str) -> None:
        begin = self.caret - deleted
        change = of_parts([(begin, None), (deleted, inserted), (self.length - self.caret, None)])
        self.waiting = change if self.waiting is None else self.waiting.compose(change)
        self.caret, self.length = begin + units(inserted), change.new_length

    def hear(self, changes: ChangeSet) -> None:
        """Take in what somebody else has committed."""
        seen = changes
        if self.waiting is not None:
            seen = map_changes(changes, self.waiting, before=True)
            self.waiting = map_changes(self.waiting, changes)
        own = sum(map(units, self.typed))
        if SpanMap(seen.changes()).exact(self.caret - own, self.caret) is None:
            self.typed.clear()
        shift = 0
        for change in seen.changes():
            if change.start >= self.caret:
                break
            shift = change.new_end - min(change.end, self.caret)
        self.caret, self.length = self.caret + shift, seen.new_length


class Day:
    """A day: `run` it, then look at what is in the log.

    Attributes:
        pushes, edits: how many there were.
    """

    def __init__(self, workspaces: Workspaces, clock: SetClock, seed: int, hours: float, keys: int) -> None:
        self.workspaces, self.clock = workspaces, clock
        self._chance = random.Random(seed)
        self._morning_ms, self._end_ms, self._keys = clock.ms + MORNING_MS, clock.ms + hours * 3_600_000, keys
        # Nine pauses in ten are a breath or a thought; the tenth is a talk, so that the day is filled. Everybody begins
        # with ten minutes of writing.
        self._pause_ms = max(0.0, (hours * 3_600_000 - keys * KEY_MS) * BURST / keys)
        self._landed: list[tuple[float, ChangeSet | None]] = []
        self._events: list[tuple[float, int, str]] = []
        self.pushes = self.edits = 0
        self.w = ""

    async def run(self) -> None:
        """Let everybody type."""
        self.w = await new_workspace(self.workspaces, START)
        self._writers = [
            Writer(Typist(self.workspaces, self.w, actor), alphabet, self._keys)
            for actor, alphabet in ALPHABETS.items()
        ]
        for number, writer in enumerate(self._writers):
            await writer.typist.look()
            heappush(self._events, (self.clock.ms + 1_000.0 * number, number, "key"))
        while self._events:
            now, number, kind = heappop(self._events)
            self.clock.ms = max(self.clock.ms, int(now))
            if kind == "key":
                await self._key(self._writers[number], number, now)
            else:
                await self._push(self._writers[number], number, now)

    async def _key(self, writer: Writer, number: int, now: float) -> None:
        self._hear(writer, now - DELAY_MS)
        if not writer.burst:
            await self._begin_burst(writer, now)
        key, writer.burst = writer.burst[0], writer.burst[1:]
        if writer.waiting is None:
            writer.first_ms = now
            heappush(self._events, (now + QUIET_MS, number, "push"))
        writer.press(key)
        writer.last_ms = now
        writer.keys -= 1
        pause = self._chance.lognormvariate(0, 0.5) * KEY_MS * 0.88
        if not writer.burst:
            pause = self._chance.expovariate(1) * self._pause_ms * (0.4 if self._chance.random() < 0.9 else 6.4)
            pause = min(pause, 5_000.0) if now < self._morning_ms else pause
        if writer.keys and now + pause < self._end_ms:
            heappush(self._events, (now + pause, number, "key"))

    async def _push(self, writer: Writer, number: int, now: float) -> None:
        if writer.waiting is None:
            return
        due = max(min(writer.first_ms + LATEST_MS, writer.last_ms + QUIET_MS), writer.pushed_ms + QUIET_MS)
        if due > now:
            heappush(self._events, (due, number, "push"))
            return
        typist, sent = writer.typist, writer.waiting
        answer = await typist.push_changes(sent)
        self._hear(writer, now)
        if answer["changed"]:
            await self._land(now, answer["revision"])
            self.pushes += 1
        typist.base = len(self._landed) + 1
        writer.waiting, writer.pushed_ms = None, now

    async def _land(self, now: float, revision: int) -> None:
        [entry] = await self.workspaces.log.entries(self.w, revision - 1, revision, 1)
        step = decode_record(entry.body).text_step
        assert revision == len(self._landed) + 2
        self._landed.append((now, None if step is None else step.changes))

    def _hear(self, writer: Writer, until: float) -> None:
        typist = writer.typist
        while typist.base - 1 < len(self._landed) and self._landed[typist.base - 1][0] <= until:
            changes = self._landed[typist.base - 1][1]
            if changes is not None:
                writer.hear(changes)
            typist.base += 1

    async def _begin_burst(self, writer: Writer, now: float) -> None:
        """Where to go on, and what to write next."""
        where = self._chance.random()
        if where < 0.03:
            self.edits += 1
            answer = await writer.typist.edit({"op": "update_node", "id": "api", "label": f"Api {self.edits}"})
            await self._land(now, answer["revision"])
        self._hear(writer, now)
        if where > 0.6 and writer.waiting is None:
            text = await self.workspaces.read(self.w, lambda replica: replica.workspace.document.text)
            near = len(text) - 200 if where < 0.7 else 0  # where somebody may be writing, or anywhere
            at = text.find("\n", self._chance.randrange(max(0, near), len(text)))
            if where > 0.95:  # in the middle of a line
                at = self._chance.randrange(len(text))
            writer.caret = units(text[:at]) if at >= 0 else units(text)
            writer.typed.clear()
        writer.burst = self._words(writer.alphabet)

    def _words(self, alphabet: str) -> str:
        count = 1 + int(self._chance.expovariate(1 / BURST))
        keys = "".join(" " if self._chance.random() < 0.16 else self._chance.choice(alphabet) for _ in range(count))
        end = self._chance.random()
        if end < 0.15:  # a slip: some go back, and are written anew
            keys += "\b" * self._chance.randint(1, 8) + self._chance.choice(alphabet) * 3
        elif end < 0.25:
            keys += "\n\n"
        elif end < 0.27:
            keys = f"\n\n## {keys[:12].strip()}\n\n{keys[12:]}"
        return keys


async def lived(log: CommitLog, seed: int, keys: int) -> tuple[str, Day, SetClock]:
    """A day, in a store whose clock can be set, and then moved to a real one with its times."""
    clock = SetClock()
    store = MemoryStore(clock)
    there = Workspaces(MemoryCommitLog(store), MemoryIndex(store), clock, WorkspaceLimits(), "day")
    day = Day(there, clock, seed, keys / KEYS_PER_HOUR, keys)
    await day.run()
    meta = await there.log.meta(day.w)
    assert meta is not None
    entries = await there.log.entries(day.w, 0, meta.head.revision, meta.head.revision)
    await log.replace(day.w, Blob(meta.head.epoch, 0, GENESIS, 0, b""), entries, {"summary": meta.summary})
    return day.w, day, clock


async def first_row(workspaces: Workspaces, w: str) -> dict[str, Any]:
    """The first row of Ada's typing."""
    head = await workspaces.read(w, lambda replica: replica.head.revision)
    rows, _ = await list_rows(workspaces.log, w, PageCursor(head + 1), 100_000)
    return [row for row in rows if row["kind"] == "text" and row["actor"]["id"] == ADA.id][-1]
