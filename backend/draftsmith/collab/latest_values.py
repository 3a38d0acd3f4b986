"""What pages are sent in its latest form only: runs, open proposals, whether the store can be written to.

Each value has a version; a page that was sent an older one is sent the whole new one. What a person asked the assistant
is sent to that person's own pages only. Not here: what the rows contain (`ports.run_shapes`, `ports.proposal_shapes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from draftsmith.collab.protocol import encode

Json = Mapping[str, Any]
_PRIVATE: Final = ("prompt", "focus")


class LatestRows:
    """A list of rows, each with the `actor` who asked for it."""

    def __init__(self, kind: Literal["runs", "proposals"]) -> None:
        self.version = 0
        self._kind = kind
        self._rows: Sequence[Json] = ()
        self._encoded: dict[str, bytes] = {}

    @property
    def is_default(self) -> bool:
        """Whether there are no rows, which a new page assumes."""
        return not self._rows

    def put(self, rows: Sequence[Json]) -> bool:
        """Set the rows; return whether they differ in more than `updated_at`."""
        if [_comparable_row(row) for row in rows] == [_comparable_row(row) for row in self._rows]:
            return False
        self._rows, self.version = rows, self.version + 1
        self._encoded.clear()
        return True

    def message(self, person: str) -> bytes:
        """The encoded message for a person's pages."""
        reader = person if any(_requester(row) == person for row in self._rows) else ""
        if reader not in self._encoded:
            rows = [row if _requester(row) == reader else _without_private_fields(row) for row in self._rows]
            self._encoded[reader] = encode({"t": self._kind, self._kind: rows})
        return self._encoded[reader]


class StoreStatus:
    """Whether the store can be written to, and what it may lose."""

    def __init__(self) -> None:
        self.version = 0
        self.is_ok = True
        self._facts: Json = {"ok": True}

    @property
    def is_default(self) -> bool:
        """Whether the store is available and safe, which a new page assumes."""
        return self._facts == {"ok": True}

    def put(self, is_ok: bool, reason: str = "", risks: Sequence[Json] = ()) -> bool:
        """Set it, with why it cannot be written to, and what it may lose; return whether anything changed."""
        facts: dict[str, Any] = {"ok": is_ok}
        if reason and not is_ok:
            facts["reason"] = reason
        if risks:
            facts["risks"] = list(risks)
        changed = facts != self._facts
        self.is_ok, self._facts, self.version = is_ok, facts, self.version + changed
        return changed

    def message(self, _person: str) -> bytes:
        """The encoded message, the same for everybody."""
        return encode({"t": "store", **self._facts})


def _requester(row: Json) -> str:
    return str(row["actor"]["id"])


def _comparable_row(row: Json) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "updated_at"}


def _without_private_fields(row: Json) -> dict[str, Any]:
    """A run's row as others than its requester see it."""
    return {name: value for name, value in row.items() if name not in _PRIVATE}
