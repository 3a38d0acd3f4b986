"""Record what happens to a run: in the store as it goes, or all at once when it is over.

A run with a model takes long, so it is in the store from its start, sends heartbeats and can be cancelled from any
worker. A run of the built-in commands takes milliseconds and is written when it is over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

import structlog

from draftsmith.errors import StorageError
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports import Clock
from draftsmith.ports.run_events import RunEventFields
from draftsmith.ports.runs import OPEN_STATUSES, SETTLING, Ending, RunRequest, RunStore
from draftsmith.usecases.runs.values import Decision

HEARTBEAT_TTL_MS: Final = 15_000
HEARTBEAT_SECONDS: Final = 1.0
_FLUSH_SECONDS: Final = 0.1
_RETRY_SECONDS: Final = 10.0  # how long the store may be unreachable before the run is left to be taken over
_RETRY_PAUSE_SECONDS: Final = 0.25
T = TypeVar("T")
_log = structlog.get_logger("draftsmith.runs")


class RunRecorder(Protocol):
    """Records one run."""

    async def add_event(self, event: RunEventFields) -> None:
        """Record an event, `{type, …}`."""
        ...

    async def save_decision(self, decision: Decision) -> bool:
        """Record what was decided; False if the run was cancelled or taken over before."""
        ...

    async def end(self, ending: Ending) -> bool:
        """Record the ending; False if somebody else had ended the run before."""
        ...


def append_event(events: list[RunEventFields], event: RunEventFields) -> None:
    """Append an event to a list; successive pieces of a text are joined."""
    last = events[-1] if events else None
    if last is not None and last["type"] == event["type"] and event["type"] in ("text", "thinking"):
        events[-1] = {**last, "text": last["text"] + event["text"]}
    else:
        events.append(event)


@dataclass(kw_only=True)
class InlineRecorder:
    """Records a run that is over before anybody can watch it: one write at the end.

    Attributes:
        write_later: takes the write where nobody has to wait for it, since nobody else can know the id of the run.
    """

    store: RunStore
    workspace_id: WorkspaceId
    run_id: RunId
    request: RunRequest
    worker: str
    write_later: Callable[[Coroutine[Any, Any, bool]], None] | None = None
    events: list[RunEventFields] = field(default_factory=list)

    async def add_event(self, event: RunEventFields) -> None:
        """Keep the event for the end."""
        append_event(self.events, event)

    async def save_decision(self, decision: Decision) -> bool:
        """Do nothing: nobody can have cancelled the run."""
        return True

    async def end(self, ending: Ending) -> bool:
        """Write the run, its events and its ending."""
        whole = Ending(ending.status, ending.outcome, [*self.events, *ending.events], ending.turn)
        writing = self.store.record(self.workspace_id, self.run_id, self.request, self.worker, whole)
        if self.write_later is None:
            return await writing
        self.write_later(writing)
        return True


@dataclass(kw_only=True)
class StoredRecorder:
    """Records a run that others may watch while it goes.

    Attributes:
        on_ended_elsewhere: called when another task or worker has ended the run.
        on_written: called after each write.
        alive_ms: how long after its last heartbeat the run counts as abandoned.
    """

    store: RunStore
    workspace_id: WorkspaceId
    run_id: RunId
    worker: str
    clock: Clock
    on_ended_elsewhere: Callable[[], None]
    on_written: Callable[[], None] = lambda: None
    alive_ms: int = HEARTBEAT_TTL_MS
    _waiting: list[RunEventFields] = field(default_factory=list)
    _flushed_at: float = 0.0
    _heartbeats: asyncio.Task[None] | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def start(self) -> None:
        """Start to send heartbeats."""
        self._heartbeats = asyncio.create_task(self._send_heartbeats(), name=f"heartbeats of {self.run_id}")

    async def add_event(self, event: RunEventFields) -> None:
        """Write the event; pieces of text are gathered for a tenth of a second."""
        append_event(self._waiting, event)
        is_due = self.clock.monotonic() - self._flushed_at >= _FLUSH_SECONDS
        if is_due or event["type"] not in ("text", "thinking"):
            await self._flush()

    async def _flush(self) -> None:
        async with self._lock:
            events, self._waiting = self._waiting, []
            if not events:
                return
            self._flushed_at = self.clock.monotonic()
            try:
                await self.store.add_events(self.workspace_id, self.run_id, events)
            except StorageError as error:
                _log.warning("events_lost", run=self.run_id, reason=error.detail)
        self.on_written()

    async def save_decision(self, decision: Decision) -> bool:
        """Write the decision, so that any worker can carry it out."""
        await self._flush()
        staged = decision.encode()
        status = await self.retry(
            lambda: self.store.save_decision(self.workspace_id, self.run_id, staged, self.alive_ms)
        )
        return status == SETTLING

    async def end(self, ending: Ending) -> bool:
        """Write the ending."""
        await self._flush()
        ended = await self.retry(lambda: self.store.end(self.workspace_id, self.run_id, OPEN_STATUSES, ending))
        self.on_written()
        return ended

    async def retry(self, write: Callable[[], Awaitable[T]]) -> T:
        """Write, again while the store is unreachable for a moment; writing twice must do no harm.

        Raises:
            StorageError: it stayed so.
        """
        deadline = self.clock.monotonic() + _RETRY_SECONDS
        while True:
            try:
                return await write()
            except StorageError:
                if self.clock.monotonic() > deadline:
                    raise
                await self.clock.sleep(_RETRY_PAUSE_SECONDS)

    async def close(self) -> None:
        """Stop the heartbeats."""
        if self._heartbeats is not None:
            self._heartbeats.cancel()
            await asyncio.wait([self._heartbeats])

    async def _send_heartbeats(self) -> None:
        while True:
            await self.clock.sleep(min(HEARTBEAT_SECONDS, self.alive_ms / 4000))
            try:
                status = await self.store.heartbeat(self.workspace_id, self.run_id, self.worker, self.alive_ms)
                await self._flush()
            except StorageError:
                continue  # the run counts as alive for some seconds more
            except Exception as error:  # noqa: BLE001  # an event that cannot be written must not make the run look abandoned
                _log.error("heartbeat_defect", run=self.run_id, exc_info=error)
                continue
            if status not in OPEN_STATUSES:
                self.on_ended_elsewhere()
                return
