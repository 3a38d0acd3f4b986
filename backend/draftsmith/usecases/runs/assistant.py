"""The assistant as a use case: start, watch, cancel and list runs; the conversation; the switch of a workspace.

Runs live in the store, so any worker serves, cancels or resolves them. Not here: what happens inside a run
(`run_course`), what becomes of its decision (`settlement`, `proposals`), which provider answers (`providers`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from draftsmith.assistant.loop import Limits as LoopLimits
from draftsmith.assistant.prompts import PromptSet
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.model.limits import Limits
from draftsmith.ports import Clock
from draftsmith.ports.runs import (
    RUNNING,
    AlreadyThere,
    Busy,
    RunRow,
    RunStore,
    Started,
    StartOutcome,
    SwitchedOff,
)
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.runs.finish import Settlement, ended
from draftsmith.usecases.runs.metering import Metering
from draftsmith.usecases.runs.providers import Providers
from draftsmith.usecases.runs.recorder import ALIVE_MS, InlineJournal, StoredJournal
from draftsmith.usecases.runs.start import Opening, Surroundings, open_run
from draftsmith.usecases.runs.takeover import rescue, rescue_all
from draftsmith.usecases.runs.tasks import RunTasks
from draftsmith.usecases.runs.values import Ask, run_json
from draftsmith.usecases.runs.watch import Bells, pause, watch

Json = Mapping[str, Any]
RUNS_AT_ONCE: Final = 4
_LOOK_SECONDS: Final = 0.2
_SWEEP_SECONDS: Final = 10.0
_SWITCH_SECONDS: Final = 1.0
_ON_ITS_WAY_SECONDS: Final = 0.1
_RECENT: Final = 20  # runs that are looked at for those that go on; four may at a time


@dataclass
class Assistant:
    """The assistant of all workspaces, as one worker sees it."""

    workspaces: Workspaces
    store: RunStore
    providers: Providers
    metering: Metering
    prompts: Callable[[str], PromptSet]
    clock: Clock
    limits: Limits
    run_limits: LoopLimits
    worker: str
    regenerate: bool = False
    alive_ms: int = ALIVE_MS
    _tasks: RunTasks = field(default_factory=RunTasks)
    _switches: dict[str, tuple[float, bool]] = field(default_factory=dict)
    _bells: Bells = field(default_factory=Bells)
    _sweeping: asyncio.Task[None] | None = None

    @property
    def _around(self) -> Surroundings:
        return Surroundings(
            self.workspaces, self.store, self.providers, self.metering, self.prompts, self.clock, self.run_limits,
            self.settlement, self.regenerate,
        )  # fmt: skip

    @property
    def settlement(self) -> Settlement:
        """What carries decisions out."""
        return Settlement(self.workspaces, self.store, self.limits)

    # -- runs --------------------------------------------------------------------------------------------------------

    async def start(self, workspace_id: WorkspaceId, actor: Actor, ask: Ask) -> dict[str, Any]:
        """Start a run; its JSON. The built-in commands have answered already when this returns.

        Raises:
            DraftsmithError: `assistant_off`, `run_busy`, `needs_key`, `day_tokens`, `workspace_not_empty`,
                `key_reused`.
        """
        if ask.is_given and (known := await self.store.run(workspace_id, ask.id)) is not None:
            return self._known(known, actor, ask)
        opening = await open_run(self._around, workspace_id, actor, ask)
        if await self._is_off(workspace_id):
            raise _switched_off()
        if opening.provider.name == "builtin":
            return await self._start_inline(actor, opening)
        await self.metering.check_day()
        return await self._start_stored(actor, opening)

    def _known(self, row: RunRow, actor: Actor, ask: Ask) -> dict[str, Any]:
        asked = (row.request["actor"]["id"], row.request["prompt"], row.request["workflow"], row.request["mode"])
        if asked != (actor.id, ask.prompt, ask.workflow, ask.mode):
            raise DraftsmithError("key_reused", "This id was used for another run; take a new one.")
        return run_json(row)

    async def _start_inline(self, actor: Actor, opening: Opening) -> dict[str, Any]:
        workspace_id, ask = opening.workspace_id, opening.ask
        later = None if ask.is_given else self._tasks.record
        journal = InlineJournal(self.store, workspace_id, ask.id, opening.request, self.worker, later)
        ending = await self.settlement.committed(workspace_id, ask.id, opening.request, {}) if ask.is_given else None
        if ending is not None:  # a worker died between this run's commit and its record
            await journal.end(ending)
            return self._known(await self._row(workspace_id, ask.id), actor, ask)
        ending = await opening.course(journal, await opening.first()).run()
        if ending is None:
            return self._known(await self._row(workspace_id, ask.id), actor, ask)
        if ask.is_given:  # with the store's times, which a repeat is answered with as well
            return run_json(await self._row(workspace_id, ask.id))
        now = self.clock.now_ms()
        row = RunRow(ask.id, ending.status, opening.request, ending.outcome, b"", self.worker, now, now, now, now)
        return run_json(row)

    async def _start_stored(self, actor: Actor, opening: Opening) -> dict[str, Any]:
        workspace_id, ask = opening.workspace_id, opening.ask
        await rescue(self.store, self.settlement, workspace_id)
        outcome = await self._enter(opening, actor)
        match outcome:
            case AlreadyThere():
                return self._known(outcome.row, actor, ask)
            case Busy():
                raise _busy(outcome)
            case SwitchedOff():
                raise _switched_off()
            case Started():
                pass
        key = (workspace_id, ask.id)
        journal = StoredJournal(
            self.store, workspace_id, ask.id, self.worker, self.clock,
            lambda: self._tasks.stop(key), lambda: self._bells.ring(*key), self.alive_ms,
        )  # fmt: skip
        self._tasks.start(journal, opening)
        self._bells.ring(*key)
        return await self.run(workspace_id, ask.id)

    async def _enter(self, opening: Opening, actor: Actor) -> StartOutcome:
        """Enter the run into the store; a lost reply is asked for again, so that no run is left without its task."""
        workspace_id, ask = opening.workspace_id, opening.ask
        edits_for = actor.id if ask.edits else ""

        async def enter() -> StartOutcome:
            return await self.store.start(
                workspace_id, ask.id, opening.request, self.worker,
                edits_for=edits_for, ttl_ms=self.alive_ms, at_most=RUNS_AT_ONCE,
            )  # fmt: skip

        try:
            return await enter()
        except StorageError:
            outcome = await enter()
        is_mine = (
            isinstance(outcome, AlreadyThere) and outcome.row.worker == self.worker and outcome.row.status == RUNNING
        )
        return Started() if is_mine and (workspace_id, ask.id) not in self._tasks else outcome

    async def run(self, workspace_id: WorkspaceId, run_id: RunId) -> dict[str, Any]:
        """One run as JSON; an abandoned one is resolved first.

        Raises:
            DraftsmithError: `run_not_found`.
        """
        return run_json(await self._settled_row(workspace_id, run_id))

    async def _settled_row(self, workspace_id: WorkspaceId, run_id: RunId) -> RunRow:
        row = await self._row(workspace_id, run_id)
        if row.is_abandoned:
            await rescue(self.store, self.settlement, workspace_id)
            row = await self._row(workspace_id, run_id)
        return row

    async def _row(self, workspace_id: WorkspaceId, run_id: RunId) -> RunRow:
        await self.workspaces.meta(workspace_id)
        await self._tasks.recorded()
        row = await self.store.run(workspace_id, run_id)
        if row is None:  # it may be on its way into the store from another worker
            await self.clock.sleep(_ON_ITS_WAY_SECONDS)
            row = await self.store.run(workspace_id, run_id)
        if row is None:
            raise DraftsmithError("run_not_found", "There is no such run; runs are kept for 7 days.")
        return row

    async def runs(self, workspace_id: WorkspaceId, before: str | None, count: int) -> list[dict[str, Any]]:
        """Runs as JSON, newest first."""
        await self.workspaces.meta(workspace_id)
        await self._tasks.recorded()
        await rescue(self.store, self.settlement, workspace_id)
        return [run_json(row) for row in await self.store.runs(workspace_id, before=before, count=count)]

    async def recent_runs(self, workspace_id: WorkspaceId, over_for_ms: int) -> list[dict[str, Any]]:
        """Runs as JSON that go on, and those that have been over for less than so long, newest first."""
        await self._tasks.recorded()
        await rescue(self.store, self.settlement, workspace_id)
        rows = await self.store.runs(workspace_id, before=None, count=_RECENT)
        return [run_json(row) for row in rows if not row.is_over or row.now_ms - row.updated_ms < over_for_ms]

    def listen(self, listener: Callable[[WorkspaceId], None] | None) -> None:
        """Have somebody told of a workspace whenever something happens in one of its runs on this worker."""
        self._bells.listener = listener

    async def cancel(self, workspace_id: WorkspaceId, run_id: RunId, actor: Actor) -> dict[str, Any]:
        """Stop a run, from whichever worker; nothing of it remains.

        Raises:
            DraftsmithError: `run_finished` if it is too late, with what can be done instead.
        """
        row = await self._row(workspace_id, run_id)
        detail = f"Stopped by {actor.name}; nothing was changed."
        ending = ended(run_id, row.request, "cancelled", {"summary": "", "detail": detail})
        if not await self.store.end(workspace_id, run_id, {RUNNING}, ending):
            raise _finished(await self._final(workspace_id, run_id))
        self._tasks.stop((workspace_id, run_id))
        self._bells.ring(workspace_id, run_id)
        return await self.run(workspace_id, run_id)

    async def _final(self, workspace_id: WorkspaceId, run_id: RunId) -> RunRow:
        """The run once it is over; what is being carried out takes a moment."""
        for _ in range(50):
            row = await self._row(workspace_id, run_id)
            if row.is_over:
                return row
            await self.clock.sleep(_LOOK_SECONDS)
        return row

    async def watch(
        self, workspace_id: WorkspaceId, run_id: RunId, after: str
    ) -> AsyncIterator[tuple[str, Json] | None]:
        """Events of a run after an id, as they come, until its end; None now and then where nothing comes.

        Raises:
            DraftsmithError: `run_not_found`; `invalid_request` for an id that is none of an event.
        """
        await self._row(workspace_id, run_id)
        found = watch(
            self.store,
            workspace_id,
            run_id,
            after,
            self._bells.of(workspace_id, run_id),
            lambda: self._settled_row(workspace_id, run_id),
        )
        async for event in found:
            yield event

    async def wait(self, workspace_id: WorkspaceId, run_id: RunId, seconds: float) -> dict[str, Any]:
        """The run once it is over, or as it is after some seconds."""
        deadline = self.clock.monotonic() + seconds
        bell = self._bells.of(workspace_id, run_id)
        while True:
            bell.clear()
            run = await self.run(workspace_id, run_id)
            if run["outcome"] is not None or self.clock.monotonic() >= deadline:
                return run
            await pause(bell)

    # -- conversation and switch -------------------------------------------------------------------------------------

    async def conversation(
        self, workspace_id: WorkspaceId, before: str | None, count: int
    ) -> Sequence[tuple[str, Json]]:
        """Turns of the conversation, newest first."""
        await self.workspaces.meta(workspace_id)
        await self._tasks.recorded()
        return await self.store.talks(workspace_id, before=before, count=count)

    async def clear_conversation(self, workspace_id: WorkspaceId) -> None:
        """Forget the conversation."""
        await self.workspaces.meta(workspace_id)
        await self._tasks.recorded()
        await self.store.clear_talks(workspace_id)

    async def is_on(self, workspace_id: WorkspaceId) -> bool:
        """Whether the assistant may be used in this workspace."""
        await self.workspaces.meta(workspace_id)
        return not await self.store.is_switched_off(workspace_id)

    async def _is_off(self, workspace_id: WorkspaceId) -> bool:
        """Whether it is switched off, as of a second ago at most; what starts in the store is checked there anyway."""
        known = self._switches.get(workspace_id)
        now = self.clock.monotonic()
        if known is None or now - known[0] > _SWITCH_SECONDS:
            known = self._switches[workspace_id] = (now, await self.store.is_switched_off(workspace_id))
        return known[1]

    async def switch(self, workspace_id: WorkspaceId, *, on: bool) -> None:
        """Allow or forbid the assistant in this workspace."""
        await self.workspaces.meta(workspace_id)
        await self.store.switch(workspace_id, off=not on)
        self._switches.pop(workspace_id, None)

    # -- the life of this worker -------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin to look after runs whose worker has gone."""
        self._sweeping = asyncio.create_task(self._sweep_for_ever(), name="runs")

    async def close(self) -> None:
        """Stop what runs here, and bring what is counted to the store."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.wait([self._sweeping])
        await self._tasks.close()
        await self.metering.close()

    async def _sweep_for_ever(self) -> None:
        while True:
            await rescue_all(self.store, self.settlement)
            self._switches.clear()  # or it would grow for ever
            await self.clock.sleep(_SWEEP_SECONDS)


def _busy(busy: Busy) -> DraftsmithError:
    if busy.whose == "person":
        message = "Your last request to the assistant is still running; wait for it or stop it."
    else:
        message = f"{RUNS_AT_ONCE} requests to the assistant are running in this workspace; wait for one of them."
    return DraftsmithError("run_busy", message, extra={"runs": list(busy.runs), "whose": busy.whose})


def _switched_off() -> DraftsmithError:
    return DraftsmithError("assistant_off", "The assistant is switched off in this workspace.")


def _finished(row: RunRow) -> DraftsmithError:
    revision = row.outcome.get("revision") if row.status == "applied" else None
    if row.status == "applied":
        message = f"Too late to stop: it was applied as revision {revision}. Undo takes it back."
    elif not row.is_over:
        message = "Too late to stop: it has decided and is being carried out. Undo or reject what comes of it."
    elif row.status == "proposed":
        message = "It has finished and waits as a proposal; reject that instead."
    else:
        message = "It is over already; nothing was changed."
    return DraftsmithError("run_finished", message, extra={"run_status": row.status, "revision": revision})
