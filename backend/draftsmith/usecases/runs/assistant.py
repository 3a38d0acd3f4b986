"""The assistant as a use case: start, watch, cancel and list runs; the conversation; the switch of a workspace.

Runs live in the store, so any worker can show, cancel or finish them. Not here: how a run is started (`start`), what
happens inside it (`run`), what becomes of its decision (`finish`, `proposals`), which provider answers (`providers`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from draftsmith.assistant.context.focus import Focus
from draftsmith.assistant.loop import TurnReport
from draftsmith.assistant.provider import Usage
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.approvals import Verdict
from draftsmith.ports.run_events import RunEventFields
from draftsmith.ports.run_outcomes import OutcomeOut
from draftsmith.ports.run_shapes import QueryOut, RunOut
from draftsmith.ports.runs import RUNNING, ConversationTurn, EditMode, GivenRating, Rating, RunRow, Switch
from draftsmith.usecases.providers.trial import FINDINGS, TrialStep
from draftsmith.usecases.runs.dependencies import RunDependencies
from draftsmith.usecases.runs.finish import record_ending
from draftsmith.usecases.runs.outcomes import query_json, without_calls
from draftsmith.usecases.runs.outside_changes import outside_note
from draftsmith.usecases.runs.start import RunStarter, check_repeat
from draftsmith.usecases.runs.summary import Summaries
from draftsmith.usecases.runs.takeover import take_over, take_over_all
from draftsmith.usecases.runs.tasks import RunTasks
from draftsmith.usecases.runs.values import RunInput, run_json
from draftsmith.usecases.runs.watch import RunNotifier, RunWatch, wait_briefly
from draftsmith.usecases.usage.metering import UsageFacts

_POLL_SECONDS: Final = 0.2
_POLLS_UNTIL_OVER: Final = 50
_TAKEOVER_EVERY_SECONDS: Final = 10.0
_NOT_YET_STORED_SECONDS: Final = 0.1
_QUERY_SECONDS: Final = 60.0  # after which a query waits again; a run ends by itself
_RECENT: Final = 20  # runs that are searched for those that go on; four may at a time


class Assistant:
    """The assistant of all workspaces on one worker.

    Attributes:
        dependencies: what its runs work with.
        starter: starts its runs.
        summaries: tells what has changed.
    """

    def __init__(self, dependencies: RunDependencies) -> None:
        self.dependencies = dependencies
        self._tasks = RunTasks()
        self._notifier = RunNotifier()
        self.starter = RunStarter(dependencies, self._tasks, self._notifier)
        self.summaries = Summaries(dependencies)
        self._takeovers: asyncio.Task[None] | None = None

    async def try_server(self, step: TrialStep, person: str) -> None:
        """Make a step of trying the server of models that was entered; its tokens count like those of a run.

        Raises:
            DraftsmithError: `provider_unknown`, `day_tokens`, `file_unwritable`.
        """
        needs, usage = self.dependencies, Usage()
        servers = needs.providers.entered
        access = None if servers is None else servers.access()
        if servers is None or access is None:
            raise DraftsmithError("provider_unknown", "No server of your own has been entered.")
        await needs.metering.check_day()
        began = needs.clock.monotonic()
        code = "cancelled"
        try:
            code = (await servers.try_step(step, usage)).code
        finally:
            needs.metering.count(
                TurnReport(
                    turn=1,
                    status="ok" if not code or code in FINDINGS else code,
                    stop="",
                    usage=usage,
                    calls=0,
                    first_ms=None,
                    duration_ms=round(1000 * (needs.clock.monotonic() - began)),
                    retries=0,
                ),
                UsageFacts(
                    provider=access.info.name,
                    model=access.models["edit"],
                    operation="trial",
                    person=person,
                    workspace="",
                    run_id="",
                    prompt_hash="",
                    tool_errors=0,
                ),
            )

    # -- runs --------------------------------------------------------------------------------------------------------

    async def start(self, workspace_id: WorkspaceId, actor: Actor, run_input: RunInput) -> RunOut:
        """Start a run; its JSON. A run of the built-in commands is over when this returns.

        Raises:
            DraftsmithError: `assistant_off`, `run_busy`, `needs_key`, `day_tokens`, `workspace_not_empty`,
                `key_reused`.
        """
        row = await self.starter.start(workspace_id, actor, run_input)
        if row is None:
            row = await self._finished_row(workspace_id, run_input.id)
            check_repeat(row, actor, run_input)
        return run_json(row)

    async def query(
        self, workspace_id: WorkspaceId, actor: Actor, run_id: RunId, intent: str, *, is_given: bool, provider: str = ""
    ) -> QueryOut:
        """Ask a question and wait for its answer; who leaves before finds it in the run.

        Raises:
            DraftsmithError: see `start`.
        """
        run_input = RunInput(
            id=run_id, is_given=is_given, workflow="ask", prompt=intent, mode="propose", focus=Focus(),
            provider=provider, may_approve=False,
        )  # fmt: skip
        run = await self.start(workspace_id, actor, run_input)
        while run["outcome"] is None:
            run = await self.wait(workspace_id, run_id, _QUERY_SECONDS)
        return query_json(run)

    async def run(self, workspace_id: WorkspaceId, run_id: RunId) -> RunOut:
        """One run as JSON; an abandoned one is finished first.

        Raises:
            DraftsmithError: `run_not_found`.
        """
        return run_json(await self._finished_row(workspace_id, run_id))

    async def _finished_row(self, workspace_id: WorkspaceId, run_id: RunId) -> RunRow:
        """The row of a run; an abandoned one is finished first."""
        row = await self._row(workspace_id, run_id)
        if row.is_abandoned:
            await take_over(self.dependencies.store, self.dependencies.finisher, workspace_id)
            row = await self._row(workspace_id, run_id)
        return row

    async def _row(self, workspace_id: WorkspaceId, run_id: RunId) -> RunRow:
        await self._wait_until_readable(workspace_id)
        row = await self.dependencies.store.run(workspace_id, run_id)
        if row is None:  # another worker may be writing it
            await self.dependencies.clock.sleep(_NOT_YET_STORED_SECONDS)
            row = await self.dependencies.store.run(workspace_id, run_id)
        if row is None:
            raise DraftsmithError("run_not_found", "There is no such run; runs are kept for 7 days.")
        return row

    async def _wait_until_readable(self, workspace_id: WorkspaceId) -> None:
        """Check that the workspace exists, and wait for the runs that this worker is still writing."""
        await self.dependencies.workspaces.meta(workspace_id)
        await self._tasks.flush()

    async def runs(self, workspace_id: WorkspaceId, before: str | None, count: int) -> list[RunOut]:
        """Runs of everybody as JSON, newest first, with their calls; abandoned ones are finished first.

        Args:
            workspace_id: of which workspace, in the trash or not.
            before: the id of the run that these are older than, none if that one is gone; None: the newest.
            count: at most so many.

        Raises:
            DraftsmithError: `workspace_not_found`.
        """
        await self._wait_until_readable(workspace_id)
        store = self.dependencies.store
        await take_over(store, self.dependencies.finisher, workspace_id)
        return [run_json(row) for row in await store.runs(workspace_id, before=before, count=count)]

    async def recent_runs(self, workspace_id: WorkspaceId, over_for_ms: int) -> list[RunOut]:
        """Runs as JSON that go on or have been over for less than `over_for_ms`, newest first, without their calls."""
        await self._tasks.flush()
        store = self.dependencies.store
        await take_over(store, self.dependencies.finisher, workspace_id)
        rows = await store.runs(workspace_id, before=None, count=_RECENT)
        shown = [run_json(row) for row in rows if not row.is_over or row.now_ms - row.updated_ms < over_for_ms]
        for run in shown:
            if run["outcome"] is not None:
                run["outcome"] = without_calls(run["outcome"])
        return shown

    def listen(self, listener: Callable[[WorkspaceId], None] | None) -> None:
        """Set the function that is called with a workspace whenever one of its runs was written on this worker."""
        self._notifier.listener = listener

    def proposals_changed(self, workspace_id: WorkspaceId) -> None:
        """Tell the listener that a proposal was made or closed other than by a run."""
        if self._notifier.listener is not None:
            self._notifier.listener(workspace_id)

    async def cancel(self, workspace_id: WorkspaceId, run_id: RunId, actor: Actor) -> RunOut:
        """Stop a run of any worker; nothing of it remains.

        Raises:
            DraftsmithError: `run_finished` if it is too late, with what can be done instead.
        """
        row = await self._row(workspace_id, run_id)
        outcome: OutcomeOut = {"summary": "", "detail": f"Stopped by {actor.name}; nothing was changed."}
        if self.dependencies.plugins is not None:
            note = await outside_note(self.dependencies.store, workspace_id, run_id)
            outcome = {**outcome, "reason": note} if note else outcome
        ending = record_ending(run_id, row.request, "cancelled", outcome)
        if not await self.dependencies.store.end(workspace_id, run_id, {RUNNING}, ending):
            raise _finished_error(await self._row_when_over(workspace_id, run_id))
        self._tasks.stop((workspace_id, run_id))
        self._notifier.notify(workspace_id, run_id)
        return await self.run(workspace_id, run_id)

    async def answer_approval(
        self, workspace_id: WorkspaceId, run_id: RunId, approval_id: str, actor: Actor, *, allow: bool
    ) -> RunOut:
        """Allow or refuse a call of a run that waits for a yes (`plugin_calls`).

        The first answer counts, and the same answer again changes nothing.

        Raises:
            DraftsmithError: `run_not_found`; `forbidden` for all but the person who asked; `approval_closed` if nothing
                waits (any more), or if it was answered otherwise.
        """
        row = await self._row(workspace_id, run_id)
        if row.request["actor"]["id"] != actor.id:
            raise DraftsmithError("forbidden", "Only the person who asked can say yes to what a plugin is to change.")
        store = self.dependencies.store
        counts = await store.answer_approval(workspace_id, row.id, approval_id, Verdict(allow, actor.name))
        if counts is None:
            message = "This call waits for no answer (any more); without a yes in time it was not made."
            raise DraftsmithError("approval_closed", message)
        if counts.allow != allow:
            message = f"It was answered already: {counts.by} said {'yes' if counts.allow else 'no'}."
            raise DraftsmithError("approval_closed", message)
        self._notifier.notify(workspace_id, run_id)
        return run_json(await self._row(workspace_id, run_id))

    async def rate(self, workspace_id: WorkspaceId, run_id: RunId, actor: Actor, rating: Rating | None) -> RunOut:
        """Keep what the person who asked thinks of a run; None takes it back. Twice is once.

        Raises:
            DraftsmithError: `run_not_found`; `forbidden` for others; `run_busy` while it runs.
        """
        row = await self._finished_row(workspace_id, run_id)
        if row.request["actor"]["id"] != actor.id:
            raise DraftsmithError("forbidden", "Only the person who asked can rate what came of it.")
        if not row.is_over:
            raise DraftsmithError("run_busy", "It is still running; rate it once it is over.", extra={"runs": [run_id]})
        quality = self.dependencies.metering.quality
        given = None if rating is None else GivenRating(rating, quality.counters.day())
        before = await self.dependencies.store.rate(workspace_id, run_id, given)
        quality.count_rating(workspace_id, row, before, given)
        self._notifier.notify(workspace_id, run_id)
        return run_json(await self._row(workspace_id, run_id))

    async def _row_when_over(self, workspace_id: WorkspaceId, run_id: RunId) -> RunRow:
        """The row of a run once it is over; as it is after some seconds if a decision is still being carried out."""
        for _ in range(_POLLS_UNTIL_OVER):
            row = await self._row(workspace_id, run_id)
            if row.is_over:
                return row
            await self.dependencies.clock.sleep(_POLL_SECONDS)
        return row

    async def watch(
        self, workspace_id: WorkspaceId, run_id: RunId, after: str
    ) -> AsyncIterator[tuple[str, RunEventFields] | None]:
        """Events of a run after an id until it is over; None every few seconds in which there are none.

        Raises:
            DraftsmithError: `run_not_found`; `invalid_request` if `after` is no id of an event.
        """
        await self._row(workspace_id, run_id)
        watch = RunWatch(
            self.dependencies.store,
            workspace_id,
            run_id,
            self._notifier.event(workspace_id, run_id),
            lambda: self._finished_row(workspace_id, run_id),
        )
        async for event in watch.events(after):
            yield event

    async def wait(self, workspace_id: WorkspaceId, run_id: RunId, seconds: float) -> RunOut:
        """The run once it is over, or as it is after some seconds."""
        clock = self.dependencies.clock
        deadline = clock.monotonic() + seconds
        written = self._notifier.event(workspace_id, run_id)
        while True:
            written.clear()
            run = await self.run(workspace_id, run_id)
            if run["outcome"] is not None or clock.monotonic() >= deadline:
                return run
            await wait_briefly(written)

    # -- conversation and switch -------------------------------------------------------------------------------------

    async def conversation(
        self, workspace_id: WorkspaceId, before: str | None, count: int
    ) -> Sequence[tuple[str, ConversationTurn]]:
        """Turns of the conversation, newest first."""
        await self._wait_until_readable(workspace_id)
        return await self.dependencies.store.conversation(workspace_id, before=before, count=count)

    async def clear_conversation(self, workspace_id: WorkspaceId) -> None:
        """Forget the conversation."""
        await self._wait_until_readable(workspace_id)
        await self.dependencies.store.clear_conversation(workspace_id)

    async def workspace_switch(self, workspace_id: WorkspaceId) -> Switch:
        """Whether the assistant may be used in this workspace, and how models edit there."""
        await self.dependencies.workspaces.meta(workspace_id)
        return await self.dependencies.store.switch_of(workspace_id)

    async def switch(self, workspace_id: WorkspaceId, *, on: bool) -> None:
        """Allow or forbid the assistant in this workspace."""
        await self.dependencies.workspaces.meta(workspace_id)
        await self.dependencies.store.switch(workspace_id, off=not on)
        self.starter.forget_switch(workspace_id)

    async def set_edit_mode(self, workspace_id: WorkspaceId, edit_mode: EditMode | None) -> None:
        """Say how models edit in this workspace; None: as the server is set."""
        await self.dependencies.workspaces.meta(workspace_id)
        await self.dependencies.store.set_edit_mode(workspace_id, edit_mode)
        self.starter.forget_switch(workspace_id)

    async def set_provider(self, workspace_id: WorkspaceId, provider: str | None) -> None:
        """Say who answers in this workspace, by name; None: whoever answers on this server.

        Raises:
            DraftsmithError: `provider_unknown` where the operator does not allow it.
        """
        if provider is not None:
            self.dependencies.providers.check_choice(provider)
        await self.dependencies.workspaces.meta(workspace_id)
        await self.dependencies.store.set_provider(workspace_id, provider)
        self.starter.forget_switch(workspace_id)

    # -- lifespan ----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start to take over runs whose worker has gone, to look for keys that others were given, and at plugins."""
        if self.dependencies.plugins is not None:
            self.dependencies.plugins.start()
        self._takeovers = asyncio.create_task(self._take_over_periodically(), name="takeovers of runs")

    async def close(self) -> None:
        """Stop the runs of this worker, and write what is counted."""
        if self._takeovers is not None:
            self._takeovers.cancel()
            await asyncio.wait([self._takeovers])
        await self._tasks.close()
        if self.dependencies.plugins is not None:
            await self.dependencies.plugins.close()
        await self.dependencies.metering.close()

    async def _take_over_periodically(self) -> None:
        while True:
            await take_over_all(self.dependencies.store, self.dependencies.finisher)
            self.starter.forget_switches()
            if self.dependencies.debug is not None:
                self.dependencies.debug.tidy()
            await self.dependencies.clock.sleep(_TAKEOVER_EVERY_SECONDS)
            self.dependencies.providers.load_in_background()


def _finished_error(row: RunRow) -> DraftsmithError:
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
