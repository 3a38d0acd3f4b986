"""Who has moved since a moment, encoded once for all pages; each is told of the others alone."""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from draftsmith.collab.roster import Roster


class Moves:
    """The moves since a moment.

    Attributes:
        upto: the number of the last of them.
    """

    def __init__(self, roster: Roster, since: int) -> None:
        self.upto = roster.moves
        moved = roster.moved_since(since)
        self._pieces = {member: orjson.dumps(member) + b":" + orjson.dumps(one.state) for member, one in moved}
        self._whole = _presence(self._pieces.values())

    def message(self, but: str) -> list[bytes]:
        """The encoded `presence` message without one member; none where nobody else has moved."""
        if but not in self._pieces:
            return [self._whole] if self._pieces else []
        others = [piece for member, piece in self._pieces.items() if member != but]
        return [_presence(others)] if others else []


def _presence(pieces: Iterable[bytes]) -> bytes:
    return b'{"t":"presence","members":{' + b",".join(pieces) + b"}}"
