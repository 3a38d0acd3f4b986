"""What all connections of one room are sent from: each part is encoded once, however many pages there are."""

from __future__ import annotations

from dataclasses import dataclass, field

from draftsmith.collab.commit_buffer import CommitBuffer
from draftsmith.collab.cursor_updates import CursorUpdates
from draftsmith.collab.latest_values import LatestRows, StoreStatus
from draftsmith.collab.roster import MemberRoster
from draftsmith.collab.run_feeds import RunFeed
from draftsmith.model.ids import RunId


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
