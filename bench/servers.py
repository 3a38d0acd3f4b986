"""The servers that are compared: ours, and ours without something that makes it fast. Floors are in `floors`."""

from __future__ import annotations

from starlette.types import ASGIApp

import draftsmith.collab.room
import draftsmith.usecases.commits.writer
from draftsmith.collab.connection_state import ConnectionState
from draftsmith.collab.protocol import frame
from draftsmith.history.commit import Head
from draftsmith.main import create_app


def ours() -> ASGIApp:
    """Draftsmith as it is."""
    return create_app()


def one_at_a_time() -> ASGIApp:
    """Draftsmith with groups of one."""
    draftsmith.usecases.commits.writer.GROUP_SIZE = 1
    return create_app()


def frame_per_commit() -> ASGIApp:
    """Draftsmith without coalescing: pages are sent each commit at once, in a frame of its own that is made once."""
    together = ConnectionState._commits_frame

    def one(self: ConnectionState) -> str | None:
        commits, start = self._shared.commits, self.position.revision
        commit = commits.at(start + 1)
        if commit is None:
            return together(self)
        self.position = Head(commits.head.epoch, commit.revision, commit.chain)
        key = (start, False)
        if key not in commits._frames:
            commits._frames[key] = frame([commit.commit])
        return commits._frames[key]

    draftsmith.collab.room.TICK_S = 0.0  # type: ignore[misc]  # what is measured is to do without it
    ConnectionState._commits_frame = one  # type: ignore[method-assign]
    return create_app()
