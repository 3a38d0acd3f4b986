"""Wakes inside one process, with the semantics of Redis, for tests and for embedding; implements `ports.live`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.live import OnWake
from tests.fakes.memory_states import MemoryStore


class MemoryWakes:
    """The subscriptions of one worker to workspaces of a `MemoryStore`; workers on one store reach each other."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._ears: dict[str, tuple[OnWake, Callable[[bytes], None]]] = {}
        self._is_closed = False
        store.listeners.append(self._hear)

    async def listen(self, workspace_id: WorkspaceId, on_wake: OnWake, on_presence: Callable[[bytes], None]) -> None:
        """Subscribe to a workspace; see `ports.live.Wakes`."""
        if not self._is_closed:
            self._ears[workspace_id] = (on_wake, on_presence)
            self._hear(workspace_id, None)

    async def unlisten(self, workspace_id: WorkspaceId) -> None:
        """Unsubscribe from a workspace."""
        self._ears.pop(workspace_id, None)

    async def send_presence(self, workspace_id: WorkspaceId, content: bytes) -> None:
        """Send to all subscribers of the workspace, the sender included."""
        if not self._is_closed:
            self._store.tell(workspace_id, content)

    async def close(self) -> None:
        """Remove all subscriptions."""
        self._is_closed = True
        self._ears.clear()
        if self._hear in self._store.listeners:
            self._store.listeners.remove(self._hear)

    def _hear(self, workspace_id: WorkspaceId, content: bytes | None) -> None:
        """Schedule the callback for a later iteration of the loop, as if the message had come from outside."""
        if workspace_id in self._ears:
            asyncio.get_running_loop().call_soon(self._pass_on, workspace_id, content)

    def _pass_on(self, workspace_id: WorkspaceId, content: bytes | None) -> None:
        if workspace_id in self._ears:
            on_wake, on_presence = self._ears[workspace_id]
            if content is None:
                on_wake(None)
            else:
                on_presence(content)
