"""The newest part of a log as a room tells it: commits encoded once, and the whole state where they do not reach.

Follows the replica of the workspace's owner; notices when that has become another history. Not here: who is told.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Final, Literal

import orjson

from draftsmith.collab.protocol import encode
from draftsmith.collab.told import Told, told
from draftsmith.history.commit import Entry, Head, chain_hash
from draftsmith.history.replica import TAIL, Replica
from draftsmith.model.workspace import dump

BEHIND_BYTES: Final = 4 * 1024 * 1024
_KEPT_BYTES: Final = 256 * 1024  # of what everybody has been told, for those who come back

Lack = Literal["fresh", "trimmed", "diverged", "behind", "asked"]


class Recent:
    """The newest commits of one workspace.

    Attributes:
        head: where the log ends, as far as it has been followed.
        replica: what it follows; None while there is none. It may be ahead for a moment.
    """

    def __init__(self, replica: Replica, at_most: int = BEHIND_BYTES) -> None:
        """Begin at its head; keep as many commits as the replica does, of at most so many bytes."""
        self.head = replica.head
        self.replica: Replica | None = replica
        self._at_most = at_most
        self._tail: deque[Told] = deque()
        self._bytes = 0
        self._joined: dict[int, bytes] = {}
        self._content: bytes | None = None

    def follow(self, replica: Replica | None) -> Literal["", "on", "anew"]:
        """Take the replica as it is now, None while there is none; whether the log went on or is another one now."""
        known, self.replica = self.replica, replica
        if replica is None or (replica is known and replica.head == self.head):
            return ""
        self._content = None
        count = replica.head.revision - self.head.revision
        continues = replica is known or joins(replica, self.head)
        before, self.head = self.head, replica.head
        if not continues or not 0 <= count <= len(replica.tail):
            self._begin_anew()
            return "anew" if replica.head != before else ""
        self._joined.clear()
        for entry in _newest(replica, count):
            self._add(told(entry), replica.tail.maxlen or TAIL)
        return "on" if count else ""

    def _add(self, one: Told, count: int) -> None:
        self._tail.append(one)
        self._bytes += len(one.commit)
        while self._bytes > self._at_most or len(self._tail) > count:
            self._bytes -= len(self._tail.popleft().commit)

    def _begin_anew(self) -> None:
        self._tail.clear()
        self._joined.clear()
        self._bytes = 0

    def forget(self, upto: int) -> None:
        """Nobody needs what came up to a revision any more."""
        while self._bytes > _KEPT_BYTES and self._tail[0].revision <= upto:
            self._bytes -= len(self._tail.popleft().commit)

    def lack(self, place: Head) -> Lack | None:
        """Why a page that stands at a place needs the whole state; None if commits lead on from there."""
        if place == self.head:
            return None
        if place.epoch != self.head.epoch or place.revision > self.head.revision:
            return "diverged"
        before = self.at(place.revision)
        known = before.chain == place.chain if before is not None else self._is_in_memory(place)
        if known is False:
            return "diverged"
        return None if known and self.reaches(place.revision) else "behind"

    def _is_in_memory(self, place: Head) -> bool | None:
        return None if self.replica is None else joins(self.replica, place)

    def reaches(self, revision: int) -> bool:
        """Whether all commits after a revision are here."""
        return revision == self.head.revision or bool(self._tail and self._tail[0].revision <= revision + 1)

    def at(self, revision: int) -> Told | None:
        """The commit of a revision, if it is here."""
        index = revision - self._tail[0].revision if self._tail else -1
        return self._tail[index] if 0 <= index < len(self._tail) else None

    def holds(self, txid: str, revision: int) -> bool:
        """Whether a transaction is known to be the commit of a revision."""
        one = self.at(revision)
        if one is not None or self.replica is None:
            return one is not None and one.txid == txid
        index = revision - self.replica.tail[0].revision if self.replica.tail else -1
        return 0 <= index < len(self.replica.tail) and self.replica.tail[index].txid == txid

    def after(self, revision: int) -> list[Told]:
        """The commits after a revision, oldest first; only where it `reaches`."""
        newest = list(islice(reversed(self._tail), self.head.revision - revision))
        newest.reverse()
        return newest

    def joined(self, revision: int) -> bytes:
        """The same as encoded messages, a comma between two."""
        if revision not in self._joined:
            self._joined[revision] = b",".join(one.commit for one in self.after(revision))
        return self._joined[revision]

    @property
    def has_state(self) -> bool:
        """Whether the whole state can be told now."""
        return self.replica is not None

    def state(self, why: Lack) -> bytes:
        """The encoded `state` message; only where it `has_state`, and the replica has been followed."""
        assert self.replica is not None
        assert self.replica.head == self.head
        if self._content is None:
            self._content = orjson.dumps(dump(self.replica.workspace))
        facts = {"t": "state", "epoch": self.head.epoch, "rev": self.head.revision, "h": self.head.chain, "why": why}
        return encode(facts)[:-1] + b',"workspace":' + self._content + b"}"


def joins(replica: Replica, place: Head) -> bool | None:
    """Whether a place is on a replica's own line; None if its memory does not reach back so far."""
    head, tail = replica.head, replica.tail
    if place.epoch != head.epoch or place.revision > head.revision:
        return False
    if place.revision == head.revision:
        return place == head
    if not tail or tail[0].revision > place.revision + 1:
        return None
    if tail[0].revision == place.revision + 1:
        return chain_hash(place.chain, tail[0]) == tail[0].chain
    return tail[place.revision - tail[0].revision].chain == place.chain


def _newest(replica: Replica, count: int) -> Sequence[Entry]:
    newest = list(islice(reversed(replica.tail), count))
    newest.reverse()
    return newest
