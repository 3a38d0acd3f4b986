"""What all connections of one room are sent from: each part is encoded once, however many pages there are.

Runs, open proposals and the status of the store are sent in their latest form only. Each of these values has a version,
and a page that was sent an older one is sent the whole new one. What a person asked the assistant is sent to that
person's own pages only. Not here: what the rows contain (`ports.run_shapes`, `ports.proposal_shapes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from draftsmith.collab.commit_buffer import CommitBuffer
from draftsmith.collab.cursor_updates import CursorUpdates
from draftsmith.collab.protocol import encode
from draftsmith.collab.roster import MemberRoster
from draftsmith.collab.run_feeds import RunFeed
from draftsmith.model.ids import RunId

Json = Mapping[str, Any]
_PRIVATE: Final = ("prompt", "focus")  # members of a row


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
        """Return the encoded message for a person's pages."""
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
        """Set the status, with why it cannot be written to and what it may lose; return whether anything changed."""
        facts: dict[str, Any] = {"ok": is_ok}
        if reason and not is_ok:
            facts["reason"] = reason
        if risks:
            facts["risks"] = list(risks)
        changed = facts != self._facts
        self.is_ok, self._facts, self.version = is_ok, facts, self.version + changed
        return changed

    def message(self, _person: str) -> bytes:
        """Return the encoded message, which is the same for everybody."""
        return encode({"t": "store", **self._facts})


def _requester(row: Json) -> str:
    return str(row["actor"]["id"])


def _comparable_row(row: Json) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "updated_at"}


def _without_private_fields(row: Json) -> dict[str, Any]:
    """A run's row as others than its requester see it."""
    return {name: value for name, value in row.items() if name not in _PRIVATE}


@dataclass(slots=True)
class SharedState:
    """The shared part of a room.

    Attributes:
        feeds: the runs that somebody watches.
        latest: `runs`, `proposals` and `store` by name, in the order in which they stand in a frame.
        resyncs: how many whole states were sent to pages that had one already.
    """

    commits: CommitBuffer
    roster: MemberRoster
    cursors: CursorUpdates
    runs: LatestRows = field(default_factory=lambda: LatestRows("runs"))
    proposals: LatestRows = field(default_factory=lambda: LatestRows("proposals"))
    store: StoreStatus = field(default_factory=StoreStatus)
    feeds: dict[RunId, RunFeed] = field(default_factory=dict)
    latest: dict[str, LatestRows | StoreStatus] = field(init=False)
    resyncs: int = 0

    def __post_init__(self) -> None:
        self.latest = {"runs": self.runs, "proposals": self.proposals, "store": self.store}

    @property
    def version(self) -> int:
        """Grows whenever the roster or one of the latest values gets a new version."""
        return self.roster.version + self.runs.version + self.proposals.version + self.store.version
