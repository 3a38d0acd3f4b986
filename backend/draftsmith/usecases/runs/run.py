"""One run of the assistant on this worker: from the request to a decision that is carried out, or to an answer.

Until the decision nothing is written but the run's events. Not here: tools (`tool_calls`), streamed events
(`progress`), the turns with the provider (`assistant.loop`), the commit or the proposal (`finish`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from draftsmith.assistant.answers import feedback
from draftsmith.assistant.answers.batches import is_about_document
from draftsmith.assistant.answers.decision import reason_to_propose
from draftsmith.assistant.answers.written_operations import operations_in_text
from draftsmith.assistant.builtin.refusal import RefusalJson
from draftsmith.assistant.loop import LoopContext, LoopResult, TurnReport, run_loop
from draftsmith.assistant.provider import ToolCall, ToolResult
from draftsmith.assistant.tools.tools import EDIT_TOOLS, tools_of
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.diff import is_nothing
from draftsmith.ports.run_outcomes import OutcomeOut
from draftsmith.ports.runs import Ending
from draftsmith.usecases.runs.finish import failed_ending, record_ending
from draftsmith.usecases.runs.investigation import Investigation
from draftsmith.usecases.runs.options import Option
from draftsmith.usecases.runs.outcomes import loop_result_json, settled_json
from draftsmith.usecases.runs.prepare import PreparedRun
from draftsmith.usecases.runs.progress import Progress
from draftsmith.usecases.runs.recorder import RunRecorder, StoredRecorder
from draftsmith.usecases.runs.tool_calls import ToolCalls
from draftsmith.usecases.runs.values import EXPLANATION_CHARS, Decision
from draftsmith.usecases.staging.staged_values import StagedSummary
from draftsmith.usecases.usage.metering import UsageFacts
from draftsmith.usecases.usage.quality import RunTally

if TYPE_CHECKING:
    from draftsmith.usecases.plugins.plugin_session import PluginSession

_FROM_TEXT = "The model wrote it down as text and called no tool."
_NOT_UNDERSTOOD = "not_understood"
_CODES = {"changed": "run_conflict", "name_unclear": "name_unclear"}
"""Codes of refusals of the built-in commands that are not `not_understood`."""


class Run:
    """A prepared run that goes on."""

    def __init__(self, prepared: PreparedRun, recorder: RunRecorder) -> None:
        self.staging = prepared.staging
        self._prepared, self._recorder = prepared, recorder
        self._run_input, self._request, self._provider = prepared.run_input, prepared.request, prepared.provider
        self._limits = prepared.limits
        prompts = prepared.prompts
        is_small = self._limits.is_small
        self._tools = tools_of(
            prepared.run_input.workflow, prompts, regenerate=prompts.workflow == "regenerate", is_small=is_small
        )
        self._system = prompts.small_system if is_small else prompts.system
        workspaces, patterns = prepared.dependencies.workspaces, prepared.dependencies.patterns
        self._investigation = Investigation(workspaces, prepared.workspace_id, prepared.staging)
        edits = () if EDIT_TOOLS.isdisjoint(one.name for one in self._tools) else prompts.edits
        self._calls = ToolCalls(
            self._tools, prepared.staging, recorder, self._investigation, patterns=patterns, edits=edits
        )
        self._progress = Progress(prepared.staging, recorder)
        self._result = LoopResult()
        self._summary: StagedSummary | None = None
        self._has_asked_to_call = False
        self._is_from_text = False
        self._began = 0.0
        self._tally = RunTally()
        self._context: LoopContext | None = None
        self._timeout: asyncio.Timeout | None = None
        if prepared.plugins is not None:
            self._offer(prepared.plugins)

    def _offer(self, plugins: PluginSession) -> None:
        """Offer the tools of plugins beside ours."""
        from draftsmith.usecases.runs.plugin_calls import PluginCalls

        assert isinstance(self._recorder, StoredRecorder)  # whoever reads a context takes long
        self._tools = [*self._tools, *plugins.specs]
        self._system = (*self._system, plugins.guidance)
        self._calls.tools = self._tools
        self._calls.plugins = PluginCalls(plugins, self._recorder, self._limits.approval_seconds, self._extend)

    def _extend(self, seconds: float) -> None:
        """Let the run last longer than its limit, by seconds that may be negative."""
        if self._context is not None and self._timeout is not None and (when := self._timeout.when()) is not None:
            self._context.extension += seconds
            self._timeout.reschedule(when + seconds)

    async def run(self, first_message: str) -> Ending | None:
        """Run to the end, write the ending and count it; None if somebody else had ended the run before.

        Raises:
            StorageError: the outcome is unknown; whoever finds the run finishes it.
        """
        status = "failed"
        try:
            ending = await self._run(first_message)
            status = "cancelled" if ending is None else ending.status
            return ending
        except asyncio.CancelledError:
            status = "cancelled"
            raise
        finally:
            if self._provider.reads_context:
                self._prepared.dependencies.metering.quality.count_run(
                    self._request,
                    status,
                    self._tally,
                    repaired=self._calls.batches.repaired,
                    is_fallback=self._prepared.is_fallback,
                )

    async def _run(self, first_message: str) -> Ending | None:
        dependencies = self._prepared.dependencies
        self._began = dependencies.clock.monotonic()
        self._context = context = LoopContext(
            provider=self._provider,
            system=self._system,
            tools=self._tools,
            execute=self._execute,
            on_event=self._progress.on_event,
            on_turn=self._on_turn,
            on_done=self._on_done,
            clock=dependencies.clock,
            limits=self._limits,
            result=self._result,
        )
        try:
            async with asyncio.timeout(self._limits.seconds) as self._timeout:
                await run_loop(context, first_message)
            decision = self._decide()
        except TimeoutError:
            message = f"The assistant did not finish within {self._limits.seconds:.0f} seconds. Ask for a smaller step."
            return await self._end(self._failed_ending(DraftsmithError("deadline", message)))
        except DraftsmithError as error:
            return await self._end(self._failed_ending(error))
        if decision is None:
            return await self._end(self._answered_ending())
        if not await self._recorder.save_decision(decision):
            return None
        await self._recorder.add_event({"type": "phase", "phase": decision.do})
        ending = await dependencies.finisher.carry_out(
            self._prepared.workspace_id, self._run_input.id, self._request, decision
        )
        return await self._end(ending)

    async def _end(self, ending: Ending) -> Ending | None:
        return ending if await self._recorder.end(ending) else None

    def _failed_ending(self, error: DraftsmithError) -> Ending:
        result = loop_result_json(self._result)
        if error.code == "too_many_failures" and self._prepared.prompts.workflow == "edit":
            result["fallback"] = "regenerate"
        return failed_ending(self._run_input.id, self._request, error, result)

    def _answered_ending(self) -> Ending:
        """The ending of a run that changes nothing: an answer, or an edit that comes to nothing."""
        refused = None if self._provider.reads_context else self._result.last_message.get("refused")
        if refused:
            return self._not_carried_out(refused)
        summary = self._summary
        staged = summary.operations if summary else ()
        outcome = settled_json(self._result, self._calls.batches, staged, waits=False)
        if staged and summary and not outcome.get("refused"):
            return record_ending(
                self._run_input.id, self._request, "unchanged", {**outcome, "revision": summary.base.revision}
            )
        return record_ending(self._run_input.id, self._request, "answered", self._investigation.with_findings(outcome))

    def _not_carried_out(self, refused: RefusalJson) -> Ending:
        """The ending of a built-in command that was not carried out, with what would be understood."""
        reason = refused["reason"]
        result: OutcomeOut = {**loop_result_json(self._result), "summary": reason}
        if refused["suggestions"]:
            result["suggestions"] = refused["suggestions"]
        if refused["is_answer"]:
            return record_ending(self._run_input.id, self._request, "answered", result)
        error = DraftsmithError(_CODES.get(refused["kind"], _NOT_UNDERSTOOD), reason)
        if any(one.problems for one in self._calls.batches.uncorrected_batches):
            error = DraftsmithError("batch_rejected", reason)
        return failed_ending(self._run_input.id, self._request, error, result)

    async def _execute(self, call: ToolCall) -> ToolResult:
        self._progress.forget(call.id)
        self._calls.turn = self._result.iterations
        result = await self._calls.execute(call)
        self._tally.count(call.name, result)
        return result

    async def _on_done(self) -> str | None:
        """Check once more whether what is staged still fits, and summarize it; a note to the model if it does not.

        Both are of the same moment: what others commit from here on makes the commit a conflict. What was refused and
        not corrected is noted, too, once, and findings that are missing are.
        """
        await self._stage_written()
        self._summary = await self.staging.summary()
        notes = [
            await self._calls.conflict_note(),
            self._calls.reminder() if self._may_remind else None,
            self._investigation.reminder(is_wanted=self._is_investigating) if self._may_remind else None,
            await self._note_to_call(),
            self._calls.options.note_for_another() if self._may_remind else None,
        ]
        return "\n\n".join(note for note in notes if note is not None) or None

    async def _note_to_call(self) -> str | None:
        """Ask once for the call of operations that the model only wrote down; None if there are none."""
        names = [tool.name for tool in self._tools if tool.name in EDIT_TOOLS]
        if self._has_asked_to_call or not names or not self._may_remind:
            return None
        batches = self._calls.batches
        told = [one.asked for one in self.staging.operations]
        told += [one for batch in batches.uncorrected_batches for one in batch.operations_left.values()]
        written = [one for one in operations_in_text(self._result.text) if one not in told]
        if not written:
            return None
        self._has_asked_to_call = True
        message = "The operations stood in the answer as text, where they change nothing."
        batches.take_back(self._calls.turn, names[0], written, message)
        problem = Problem(-1, "", "operations_as_text", "", message).to_json()
        await self._recorder.add_event({"type": "refused", "call": "", "tool": names[0], "problems": [problem]})
        return feedback.written_as_text(len(written), names)

    async def _stage_written(self) -> None:
        """Stage what a model writes down again after it was asked to call, as small ones do; it is only proposed."""
        if not self._has_asked_to_call or self._is_from_text or self.staging.operations:
            return
        offered = {tool.name for tool in self._tools}
        written = operations_in_text(self._result.text)
        for name, is_document in (("edit_diagram", False), ("edit_document", True)):
            some = [one for one in written if is_about_document(one) == is_document]
            if some and name in offered:
                self._is_from_text = True
                await self._execute(ToolCall(f"written_{name}", name, {"operations": some}))

    @property
    def _is_investigating(self) -> bool:
        return self._run_input.workflow == "investigate"

    @property
    def _may_remind(self) -> bool:
        """Whether a model has room for two more turns: what fits must not be lost for asking about the rest."""
        limits, result = self._limits, self._result
        extension = 0.0 if self._context is None else self._context.extension
        is_late = self._prepared.dependencies.clock.monotonic() - self._began - extension > limits.seconds / 2
        used = result.input_tokens + result.output_tokens
        is_costly = limits.tokens > 0 and used > limits.tokens / 2
        return self._provider.reads_context and result.iterations + 2 <= limits.turns and not (is_late or is_costly)

    async def _on_turn(self, report: TurnReport) -> None:
        prepared, result = self._prepared, self._result
        if report.turn == 1 or self._provider.reads_context:  # a run of a provider without a model counts as one call
            facts = UsageFacts(
                provider=self._provider.name,
                model=self._provider.model,
                operation=prepared.prompts.workflow,
                person=self._request["actor"]["id"],
                workspace=prepared.workspace_id,
                run_id=self._run_input.id,
                prompt_hash=self._request["prompt_hash"],
                tool_errors=sum(one.status != "ok" for one in result.executed),
            )
            prepared.dependencies.metering.count(report, facts)
        if report.status == "ok" and self._provider.reads_context:
            await self._recorder.add_event(
                {
                    "type": "usage", "iterations": result.iterations, "input_tokens": result.input_tokens,
                    "output_tokens": result.output_tokens,
                }
            )  # fmt: skip

    def _decide(self) -> Decision | None:
        """What becomes of what is staged; None if it changes nothing."""
        if self._calls.options.options:
            return self._recommend(self._calls.options.options)
        summary = self._summary
        if summary is None or not summary.operations or is_nothing(summary.diff):
            return None
        reason = reason_to_propose(
            self._run_input.mode,
            summary.operations,
            summary.diff,
            summary.losses,
            nodes=summary.nodes,
            chars=summary.chars,
            sections_lost=summary.sections_lost,
            is_first=self._prepared.before.is_empty,
        )
        if self._is_from_text:
            reason = reason or _FROM_TEXT
        explanation = "; ".join(self._calls.explanations) or self._run_input.prompt
        return Decision(
            do="commit" if reason is None else "propose",
            reason=reason or "",
            base=summary.base,
            staged=summary.operations,
            explanation=explanation[:EXPLANATION_CHARS],
            result=settled_json(self._result, self._calls.batches, summary.operations, waits=reason is not None),
        )

    def _recommend(self, options: Sequence[Option]) -> Decision:
        """Propose the alternatives; which one it becomes is for a person to say."""
        staged = [one for option in options for one in option.staged]
        count = len(options)
        return Decision(
            do="propose",
            reason=f"Accept one of {count} alternatives." if count > 1 else "There is one alternative.",
            base=options[0].base,
            staged=(),
            explanation=self._run_input.prompt[:EXPLANATION_CHARS],
            result=settled_json(self._result, self._calls.batches, staged, waits=True),
            options=tuple(options),
        )
