"""What everybody in a room sees in its newest form alone: runs, open proposals, whether the store can be written to.

A board has a version; a page that has seen an older one is shown the whole of the new one. What one person asked the
assistant is shown to that person's own pages alone. Not here: what the rows say (`usecases.live_news`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from draftsmith.collab.protocol import encode

Json = Mapping[str, Any]
_PRIVATE: Final = ("prompt", "focus")


class Board:
    """A list of rows, each with the `actor` who asked for it."""

    def __init__(self, kind: Literal["runs", "proposals"]) -> None:
        self.version = 0
        self._kind = kind
        self._rows: Sequence[Json] = ()
        self._encoded: dict[str, bytes] = {}

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see."""
        return not self._rows

    def put(self, rows: Sequence[Json]) -> bool:
        """Show other rows; whether they differ in more than signs of life."""
        if [_lasting(row) for row in rows] == [_lasting(row) for row in self._rows]:
            return False
        self._rows, self.version = rows, self.version + 1
        self._encoded.clear()
        return True

    def message(self, person: str) -> bytes:
        """The encoded message for somebody's pages."""
        reader = person if any(_asker(row) == person for row in self._rows) else ""
        if reader not in self._encoded:
            rows = [row if _asker(row) == reader else _public(row) for row in self._rows]
            self._encoded[reader] = encode({"t": self._kind, self._kind: rows})
        return self._encoded[reader]


class Light:
    """Whether the store can be written to."""

    def __init__(self) -> None:
        self.version = 0
        self.is_on = True

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to tell: all is well."""
        return self.is_on

    def put(self, is_on: bool) -> bool:
        """Set it; whether that changed it."""
        changed = is_on != self.is_on
        self.is_on, self.version = is_on, self.version + changed
        return changed

    def message(self, _person: str) -> bytes:
        """The encoded message."""
        return encode({"t": "store", "ok": self.is_on})


def _asker(row: Json) -> str:
    return str(row["actor"]["id"])


def _lasting(row: Json) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "updated_at"}


def _public(row: Json) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in _PRIVATE}
