"""Where a run writes what happens to it: into the store as it goes, or all at once when it is over.

A run with a model takes long, so it is known to the store from its start, says that it is alive, and can be cancelled
from any worker. The built-in commands answer within milliseconds, so theirs is written when it is over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

import structlog

from draftsmith.errors import StorageError
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports import Clock
from draftsmith.ports.runs import OPEN_STATUSES, SETTLING, Ending, RunStore
from draftsmith.usecases.runs.values import Decision

Json = Mapping[str, Any]
ALIVE_MS: Final = 15_000
BEAT_SECONDS: Final = 1.0
_FLUSH_SECONDS: Final = 0.1
_AWAY_SECONDS: Final = 10.0  # how long a store may be away before a run is left to whoever finds it
_AGAIN_SECONDS: Final = 0.25
T = TypeVar("T")
_log = structlog.get_logger("draftsmith.runs")


class Journal(Protocol):
    """What a run tells."""

    async def tell(self, event: Json) -> None:
        """Something has happened: `{type, …}`."""
        ...

    async def settle(self, decision: Decision) -> bool:
        """It has decided; False if it was cancelled or given up by others before."""
        ...

    async def end(self, ending: Ending) -> bool:
        """It is over; False if somebody else had ended it before."""
        ...


def merged(events: list[Json], event: Json) -> None:
    """Append an event; pieces of one text become one."""
    last = events[-1] if events else None
    if last is not None and last["type"] == event["type"] and event["type"] in ("text", "thinking"):
        events[-1] = {**last, "text": last["text"] + event["text"]}
    else:
        events.append(event)


@dataclass
class InlineJournal:
    """Of a run that is over before anybody could look: one write at the end.

    Attributes:
        later: takes the write where nobody has to wait for it, since nobody else can know a run of this id.
    """

    store: RunStore
    workspace_id: WorkspaceId
    run_id: RunId
    request: Json
    worker: str
    later: Callable[[Coroutine[Any, Any, bool]], None] | None = None
    events: list[Json] = field(default_factory=list)

    async def tell(self, event: Json) -> None:
        """Keep it."""
        merged(self.events, event)

    async def settle(self, decision: Decision) -> bool:
        """Nobody can have cancelled it."""
        return True

    async def end(self, ending: Ending) -> bool:
        """Write all of it."""
        whole = Ending(ending.status, ending.outcome, [*self.events, *ending.events], ending.talk)
        writing = self.store.record(self.workspace_id, self.run_id, self.request, self.worker, whole)
        if self.later is None:
            return await writing
        self.later(writing)
        return True


@dataclass
class StoredJournal:
    """Of a run that others watch while it goes.

    Attributes:
        alive_ms: how long after its last word it counts as abandoned.
        on_end_elsewhere: called when somebody else has ended the run.
        woken: told after each write, for those who watch it on this worker.
    """

    store: RunStore
    workspace_id: WorkspaceId
    run_id: RunId
    worker: str
    clock: Clock
    on_end_elsewhere: Callable[[], None]
    woken: Callable[[], None] = lambda: None
    alive_ms: int = ALIVE_MS
    _waiting: list[Json] = field(default_factory=list)
    _flushed_at: float = 0.0
    _beating: asyncio.Task[None] | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def start(self) -> None:
        """Begin to say that it is alive."""
        self._beating = asyncio.create_task(self._beat_for_ever(), name=f"beat {self.run_id}")

    async def tell(self, event: Json) -> None:
        """Write it soon; texts are gathered for a tenth of a second."""
        merged(self._waiting, event)
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
        self.woken()

    async def settle(self, decision: Decision) -> bool:
        """Write the decision, so that whoever finds it can carry it out."""
        await self._flush()
        staged = decision.encode()
        return (
            await self._surely(lambda: self.store.settle(self.workspace_id, self.run_id, staged, self.alive_ms))
            == SETTLING
        )

    async def end(self, ending: Ending) -> bool:
        """Write the end."""
        await self._flush()
        ended = await self._surely(lambda: self.store.end(self.workspace_id, self.run_id, OPEN_STATUSES, ending))
        self.woken()
        return ended

    async def _surely(self, write: Callable[[], Awaitable[T]]) -> T:
        """Write what a whole run has been for, again if the store was away for a moment; doing it twice is harmless."""
        deadline = self.clock.monotonic() + _AWAY_SECONDS
        while True:
            try:
                return await write()
            except StorageError:
                if self.clock.monotonic() > deadline:
                    raise
                await self.clock.sleep(_AGAIN_SECONDS)

    async def close(self) -> None:
        """Stop saying that it is alive."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.wait([self._beating])

    async def _beat_for_ever(self) -> None:
        while True:
            await self.clock.sleep(min(BEAT_SECONDS, self.alive_ms / 4000))
            try:
                status = await self.store.beat(self.workspace_id, self.run_id, self.worker, self.alive_ms)
                await self._flush()
            except StorageError:
                continue  # it counts as alive for some seconds more
            except Exception as error:  # noqa: BLE001  # an event that cannot be written must not let the run seem dead
                _log.error("beat_defect", run=self.run_id, exc_info=error)
                continue
            if status not in OPEN_STATUSES:
                self.on_end_elsewhere()
                return
