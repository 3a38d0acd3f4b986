"""Start a run: inline if its provider needs no context, else as a task that is entered in the store first.

Not here: what is asked and of whom (`prepare`), what happens inside a run (`run`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final

from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.runs import RUNNING, AlreadyThere, Busy, RunRow, RunStart, StartOutcome, Switch, SwitchedOff
from draftsmith.usecases.runs.dependencies import RunDependencies
from draftsmith.usecases.runs.prepare import PreparedRun, prepare_run
from draftsmith.usecases.runs.recorder import HEARTBEAT_TTL_MS, InlineRecorder, StoredRecorder
from draftsmith.usecases.runs.run import Run
from draftsmith.usecases.runs.takeover import take_over
from draftsmith.usecases.runs.tasks import RunTasks
from draftsmith.usecases.runs.values import RunInput
from draftsmith.usecases.runs.watch import RunNotifier

RUNS_AT_ONCE: Final = 4
_SWITCH_SECONDS: Final = 1.0
"""How long the switch of a workspace is cached; what is entered in the store is checked there anyway."""


@dataclass
class RunStarter:
    """Starts the runs of one worker.

    Attributes:
        alive_ms: how long after its last heartbeat a run counts as abandoned.
    """

    dependencies: RunDependencies
    tasks: RunTasks
    notifier: RunNotifier
    alive_ms: int = HEARTBEAT_TTL_MS
    _switches: dict[WorkspaceId, tuple[float, Switch]] = field(default_factory=dict)

    async def start(self, workspace_id: WorkspaceId, actor: Actor, run_input: RunInput) -> RunRow | None:
        """Start a run, or repeat one; its row, None if the row is to be read from the store.

        Raises:
            DraftsmithError: see `Assistant.start`.
        """
        store = self.dependencies.store
        if run_input.is_given and (row := await store.run(workspace_id, run_input.id)) is not None:
            check_repeat(row, actor, run_input)
            return row
        switch = await self._switch_of(workspace_id)
        prepared = await prepare_run(self.dependencies, workspace_id, actor, run_input, switch)
        if switch.is_off:
            raise _switched_off()
        if not prepared.provider.reads_context:
            return await self._start_inline(prepared)
        await self.dependencies.metering.check_day()
        return await self._start_task(actor, prepared)

    async def _start_inline(self, prepared: PreparedRun) -> RunRow | None:
        workspace_id, run_input, request = prepared.workspace_id, prepared.run_input, prepared.request
        finisher, worker = self.dependencies.finisher, self.dependencies.worker
        recorder = InlineRecorder(
            store=self.dependencies.store,
            workspace_id=workspace_id,
            run_id=run_input.id,
            request=request,
            worker=worker,
            write_later=None if run_input.is_given else partial(self.tasks.record, workspace_id),
        )
        ending = await finisher.find_committed(workspace_id, run_input.id, request) if run_input.is_given else None
        if ending is not None:  # a worker ended between this run's commit and its row
            await recorder.end(ending)
            return None
        ending = await Run(prepared, recorder).run(await prepared.first_message())
        if ending is None or run_input.is_given:  # with the store's times, which a repeat is answered with as well
            return None
        now = self.dependencies.clock.now_ms()
        return RunRow(
            id=run_input.id,
            status=ending.status,
            request=request,
            outcome=ending.outcome,
            staged=b"",
            worker=worker,
            alive_until_ms=now,
            created_ms=now,
            updated_ms=now,
            now_ms=now,
        )

    async def _start_task(self, actor: Actor, prepared: PreparedRun) -> RunRow | None:
        workspace_id, run_id = prepared.workspace_id, prepared.run_input.id
        store = self.dependencies.store
        await take_over(store, self.dependencies.finisher, workspace_id)
        match outcome := await self._enter(actor, prepared):
            case AlreadyThere():
                check_repeat(outcome.row, actor, prepared.run_input)
                return outcome.row
            case Busy():
                raise _busy(outcome)
            case SwitchedOff():
                raise _switched_off()
            case RunStart():
                pass
        recorder = StoredRecorder(
            store=store,
            workspace_id=workspace_id,
            run_id=run_id,
            worker=self.dependencies.worker,
            clock=self.dependencies.clock,
            on_ended_elsewhere=lambda: self.tasks.stop((workspace_id, run_id)),
            on_written=lambda: self.notifier.notify(workspace_id, run_id),
            alive_ms=self.alive_ms,
        )
        self.tasks.start(recorder, prepared)
        self.notifier.notify(workspace_id, run_id)
        return None

    async def _enter(self, actor: Actor, prepared: PreparedRun) -> StartOutcome:
        """Enter the run in the store; after a lost reply again, so that no run is left without its task."""
        workspace_id, run_input, worker = prepared.workspace_id, prepared.run_input, self.dependencies.worker

        async def enter() -> StartOutcome:
            return await self.dependencies.store.start(
                workspace_id,
                run_input.id,
                prepared.request,
                worker,
                edits_for=actor.id if run_input.edits else "",
                ttl_ms=self.alive_ms,
                at_most=RUNS_AT_ONCE,
            )

        try:
            return await enter()
        except StorageError:
            outcome = await enter()
        is_ours = isinstance(outcome, AlreadyThere) and outcome.row.worker == worker and outcome.row.status == RUNNING
        return RunStart() if is_ours and (workspace_id, run_input.id) not in self.tasks else outcome

    async def _switch_of(self, workspace_id: WorkspaceId) -> Switch:
        known = self._switches.get(workspace_id)
        now = self.dependencies.clock.monotonic()
        if known is None or now - known[0] > _SWITCH_SECONDS:
            known = self._switches[workspace_id] = (now, await self.dependencies.store.switch_of(workspace_id))
        return known[1]

    def forget_switch(self, workspace_id: WorkspaceId) -> None:
        """Read the switch of a workspace again when it is needed next."""
        self._switches.pop(workspace_id, None)

    def forget_switches(self) -> None:
        """Empty the cache, which would grow without end."""
        self._switches.clear()


def check_repeat(row: RunRow, actor: Actor, run_input: RunInput) -> None:
    """Check that a run of the same id was asked for the same.

    Raises:
        DraftsmithError: `key_reused`.
    """
    request = row.request
    asked = (request["actor"]["id"], request["prompt"], request["workflow"], request["mode"])
    is_same = asked == (actor.id, run_input.prompt, run_input.workflow, run_input.mode)
    is_same = is_same and request.get("about") == run_input.about
    if not is_same or request.get("asked_edit_mode") != run_input.edit_mode:
        raise DraftsmithError("key_reused", "This id was used for another run; take a new one.")


def _busy(busy: Busy) -> DraftsmithError:
    if busy.whose == "person":
        message = "Your last request to the assistant is still running; wait for it or stop it."
    else:
        message = f"{RUNS_AT_ONCE} requests to the assistant are running in this workspace; wait for one of them."
    return DraftsmithError("run_busy", message, extra={"runs": list(busy.runs), "whose": busy.whose})


def _switched_off() -> DraftsmithError:
    return DraftsmithError("assistant_off", "The assistant is switched off in this workspace.")
