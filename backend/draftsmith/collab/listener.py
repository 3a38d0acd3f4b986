"""One page as the room sees it: where it stands in the log, what it waits for, what it has seen.

It has no queue of frames: a place in the log, and a bounded list of what is for this page alone. What it has written
is known by transaction id, so that its commits are recognised as they come along. Not here: what is told (`room`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from draftsmith.collab.feeds import Place
from draftsmith.collab.protocol import Ending, ending
from draftsmith.collab.recent import Lack
from draftsmith.collab.told import RETRY, Told, committed, rejected
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Head
from draftsmith.model.ids import RunId

DIRECT_AT_MOST: Final = 4_096
_DIRECT_BYTES: Final = 4 * 1024 * 1024
_EXPECTED_AT_MOST: Final = 8_192
_LOST: Final = DraftsmithError("outcome_unknown", "The store may have lost its newest commits; send this again.")


@dataclass(frozen=True, slots=True)
class Expected:
    """A write that is on its way; `is_sent`: over this connection, before it became a commit as far as is known."""

    id: str
    is_sent: bool


@dataclass(frozen=True, slots=True)
class Due:
    """The answer to a write, held back until its commit has come along, at `revision`."""

    revision: int
    message: bytes


@dataclass(slots=True, eq=False)
class Listener:
    """One page.

    Attributes:
        member: its name in the roster.
        actor: who it is.
        position: the log as far as the page has been told it.
        lacks: why the page is to be given the whole state next; None if it is not.
        prelude: what goes before everything else, encoded.
        direct: what is for this page alone, encoded; goes after the commits of a frame.
        expected: its writes that have not been answered for good, by transaction id, oldest first.
        due: answers held back.
        watched: runs whose events it watches, with the place of the last one that it has seen.
        seen: versions of boards that it has seen.
        moves_seen: the number of the last move that it was told.
        ending: why the connection is to be closed.
        has_ended: whether it has been told so.
        told_at: when it was given its last frame.
        owes_sign: whether it has heard nothing for so long that an empty frame is due.
    """

    member: str
    actor: Actor
    position: Head
    lacks: Lack | None = None
    prelude: list[bytes] = field(default_factory=list)
    direct: list[bytes] = field(default_factory=list)
    direct_bytes: int = 0
    expected: dict[str, Expected] = field(default_factory=dict)
    due: dict[str, Due] = field(default_factory=dict)
    watched: dict[RunId, Place] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    moves_seen: int = 0
    ending: Ending | None = None
    has_ended: bool = False
    told_at: float = 0.0
    owes_sign: bool = False

    def say(self, message: bytes) -> None:
        """Tell this page alone something."""
        self.direct.append(message)
        self.direct_bytes += len(message)
        if len(self.direct) > DIRECT_AT_MOST or self.direct_bytes > _DIRECT_BYTES:
            self.end(
                ending("invalid_message", "Thousands of answers wait to be read; this page sends and never reads.")
            )

    def end(self, end: Ending) -> None:
        """Have the connection closed; the first reason counts."""
        self.ending = self.ending or end

    def taken(self) -> list[bytes]:
        """What is for this page alone, handed over."""
        direct, self.direct, self.direct_bytes = self.direct, [], 0
        return direct

    # -- its writes --------------------------------------------------------------------------------------------------

    def expect(self, txid: str, write_id: str, *, is_sent: bool) -> None:
        """A write is on its way; its commit is announced where it comes along."""
        self.expected.pop(txid, None)
        self.expected[txid] = Expected(write_id, is_sent)
        if len(self.expected) > _EXPECTED_AT_MOST:
            oldest = next(iter(self.expected))
            del self.expected[oldest]
            self.due.pop(oldest, None)

    def announce(self, commits: Iterable[Told]) -> list[bytes]:
        """Commits come along: encoded, each of this page's own after its answer."""
        parts: list[bytes] = []
        for one in commits:
            write = self.expected.pop(one.txid, None)
            self.due.pop(one.txid, None)
            if write is not None:
                parts.append(one.committed(write.id, replayed=not write.is_sent))
            parts.append(one.commit)
        return parts

    def answer(self, txid: str, answer: Mapping[str, Any], *, is_coming: bool) -> bool:
        """A write has been answered; whether there is something to say at once.

        `is_coming`: whether its commit is known to come along over this connection.
        """
        write = self.expected.get(txid)
        if write is None:
            return False
        message = committed(write.id, answer)
        if is_coming or (answer["changed"] and answer["revision"] > self.position.revision):
            self.due[txid] = Due(answer["revision"], message)
            return False
        del self.expected[txid]
        self.say(message)
        return True

    def refuse(self, txid: str, error: DraftsmithError) -> bool:
        """A write has been refused; whether there is something to say. One whose outcome is unknown is expected on."""
        write = self.expected.get(txid)
        if write is None or txid in self.due:
            return False
        if error.code not in RETRY:
            del self.expected[txid]
        self.say(rejected(write.id, error))
        return True

    def overtaken(self, head: int, holds: Callable[[str, int], bool]) -> list[bytes]:
        """The page has been told of everything up to a revision: the answers whose commits did not come along.

        `holds`: whether a transaction is known to be the commit of a revision. Where it is not, the store may have
        lost what it had acknowledged; the page sends it again, and the log says what became of it.
        """
        said: list[bytes] = []
        for txid, due in list(self.due.items()):
            if due.revision > head:
                continue
            del self.due[txid]
            if holds(txid, due.revision):
                said.append(due.message)
                del self.expected[txid]
            else:
                said.append(rejected(self.expected[txid].id, _LOST))
        return said

    def lose_beyond(self, head: int) -> bool:
        """The log was read anew and ends before commits that were answered; whether there is something to say."""
        lost = [txid for txid, due in self.due.items() if due.revision > head]
        for txid in lost:
            del self.due[txid]
            self.say(rejected(self.expected[txid].id, _LOST))
        return bool(lost)
