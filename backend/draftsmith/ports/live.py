"""What live updates need from outside: messages between workers that something has happened, and a page's socket.

The messages are hints only. What has happened is read from the log; a lost message costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from draftsmith.model.ids import WorkspaceId


@dataclass(frozen=True, slots=True)
class AppendWake:
    """Word of an append, by whom, and where the log ended then."""

    revision: int
    worker: str


OnWake = Callable[[AppendWake | None], None]


WRITER_EXTENSION: Final = "draftsmith.writer"
"""The ASGI extension by which a server offers to write texts past every layer: `{"socket": PageWriter}`."""


class PageWriter(Protocol):
    """A page's socket, as far as frames are written to it without waiting."""

    def can_write(self) -> bool:
        """Whether a frame would go out without waiting."""
        ...

    async def until_writable(self) -> None:
        """Wait until one would, or the page has gone."""
        ...

    def write(self, text: str) -> None:
        """Write a frame; only while `can_write`."""
        ...


class Wakes(Protocol):
    """Messages from and to other workers; any of them may be lost, doubled or late.

    Callbacks are called from the event loop, never from inside a method of this class; they do not wait and do not
    raise. One may still come after `unlisten` has been called, never after it has returned.
    """

    async def listen(self, workspace_id: WorkspaceId, on_wake: OnWake, on_presence: Callable[[bytes], None]) -> None:
        """Listen for messages about a workspace from now on.

        Returns once that has begun, or after a moment where the store is not available; it begins by itself when it is,
        and again after a connection was lost, until `unlisten`. Listening again replaces the callbacks.

        Args:
            workspace_id: the workspace; it need not exist yet.
            on_wake: called when it may have changed, by this worker too, and each time that listening has begun, at
                first and again after a connection was lost: what was sent until then was missed. It is given the
                append that changed it; None for anything else, and where that is not known.
            on_presence: called with what a worker has sent; this worker may or may not receive its own messages.
        """
        ...

    async def unlisten(self, workspace_id: WorkspaceId) -> None:
        """Listen no more; does nothing if nobody listens."""
        ...

    async def send_presence(self, workspace_id: WorkspaceId, content: bytes) -> None:
        """Send to everybody who listens for the workspace; what cannot be sent now is dropped without an error."""
        ...

    async def close(self) -> None:
        """Stop listening; nothing is received or sent afterwards."""
        ...
