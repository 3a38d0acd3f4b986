"""What live needs of a store: word between workers that something has happened.

Never more than a hint. What has happened is read from the log; a word that is lost costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from draftsmith.model.ids import WorkspaceId


class Wakes(Protocol):
    """Word from and to other workers; any of it may be lost, doubled or late.

    Callbacks are called from the event loop, never from inside a method of this class; they do not wait and do not
    raise. One may still come after `unlisten` has been called, never after it has returned.
    """

    async def listen(
        self, workspace_id: WorkspaceId, on_wake: Callable[[], None], on_presence: Callable[[bytes], None]
    ) -> None:
        """Listen for word about a workspace from now on.

        Returns once that has begun, or after a moment where the store is not there; it begins by itself when it is, and
        anew where a way was lost, until `unlisten`. Listening again puts the new callbacks in place of the old.

        Args:
            workspace_id: the workspace; it need not exist yet.
            on_wake: called when it may have changed, by this worker too, and each time that listening has begun, at
                first and again after a way was lost: what was said until then has not been heard.
            on_presence: called with what a worker has sent; whether one hears what one has sent oneself is left open.
        """
        ...

    async def unlisten(self, workspace_id: WorkspaceId) -> None:
        """Listen no more; nothing happens if nobody did."""
        ...

    async def send_presence(self, workspace_id: WorkspaceId, content: bytes) -> None:
        """Send to everybody who listens for the workspace; what cannot be sent now is dropped without a word."""
        ...

    async def close(self) -> None:
        """Let go of everything; nothing is heard or sent afterwards."""
        ...
