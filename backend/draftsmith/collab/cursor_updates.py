"""Where members have moved, encoded once for all pages; each page is sent the moves of others only."""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from draftsmith.collab.gossip_message import MemberId
from draftsmith.collab.roster import MemberRoster


class CursorUpdates:
    """The moves of a roster's members, released to pages from time to time.

    Attributes:
        released: the number of the last move that pages may be sent.
    """

    def __init__(self, roster: MemberRoster) -> None:
        self.released = 0
        self._roster = roster
        self._batches: dict[int, _Batch] = {}

    @property
    def is_due(self) -> bool:
        """Whether there are moves that have not been released."""
        return self._roster.moves > self.released

    def release(self) -> None:
        """Let pages be sent all moves up to now."""
        self.released = self._roster.moves
        self._batches.clear()

    def since(self, move: int, but: MemberId) -> tuple[list[bytes], int]:
        """The encoded `presence` message after a move, without one member; none if no other has moved.

        Also returns the number of the last move that it covers.
        """
        if move not in self._batches:
            self._batches[move] = _Batch(self._roster, move)
        batch = self._batches[move]
        return batch.message(but), batch.upto


class _Batch:
    """The moves since one move."""

    def __init__(self, roster: MemberRoster, since: int) -> None:
        self.upto = roster.moves
        moved = roster.moved_since(since)
        self._entry_by_member = {
            member: orjson.dumps(member) + b":" + orjson.dumps(entry.state) for member, entry in moved
        }
        self._message_for_all = _presence(self._entry_by_member.values())

    def message(self, but: MemberId) -> list[bytes]:
        if but not in self._entry_by_member:
            return [self._message_for_all] if self._entry_by_member else []
        others = [piece for member, piece in self._entry_by_member.items() if member != but]
        return [_presence(others)] if others else []


def _presence(entries: Iterable[bytes]) -> bytes:
    return b'{"t":"presence","members":{' + b",".join(entries) + b"}}"
