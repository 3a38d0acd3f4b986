"""One run of the assistant on this worker: from the person's words to a decision that is carried out, or to nothing.

Until the decision nothing is written but the journal. Every call of an edit tool is a batch that is staged; what others
commit meanwhile is told to the model once if it overtakes what is staged, then reported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from draftsmith.assistant import feedback
from draftsmith.assistant.decision import reason_to_propose
from draftsmith.assistant.loop import Course, Limits, Talk, TurnReport, Waiting, run_loop
from draftsmith.assistant.parse import complete_operations, operations_of
from draftsmith.assistant.provider import (
    AIProvider,
    Event,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolDelta,
    ToolResult,
    ToolSpec,
    ToolStart,
)
from draftsmith.assistant.tools import EDIT_TOOLS, READERS, ToolFault
from draftsmith.errors import DraftsmithError
from draftsmith.history.diff import is_nothing
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import Workspace
from draftsmith.ports import Clock
from draftsmith.ports.runs import Ending
from draftsmith.transform.staged import Staged
from draftsmith.usecases.runs.finish import Settlement, ended, failed
from draftsmith.usecases.runs.metering import Metering
from draftsmith.usecases.runs.partial_input import CallBeingWritten
from draftsmith.usecases.runs.recorder import Journal
from draftsmith.usecases.runs.staging import Outlook, Stage, problems_of
from draftsmith.usecases.runs.values import EXPLANATION_CHARS, Ask, Decision, course_json

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Before:
    """What there was when a run began."""

    nodes: int
    chars: int

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing to lose."""
        return self.nodes == 0 and self.chars == 0


def before_of(workspace: Workspace) -> Before:
    """What there is now."""
    return Before(workspace.diagram.node_count, len(workspace.document.text.strip()))


@dataclass
class RunCourse:
    """What one run needs, and what it has come to.

    Attributes:
        request: as it stands in the store.
        system: the prompt's system texts.
        tools: what the model may call.
        first: the first message.
        facts: for the rows of usage.
    """

    workspace_id: WorkspaceId
    ask: Ask
    request: Json
    provider: AIProvider
    system: Sequence[str]
    tools: Sequence[ToolSpec]
    first: str
    before: Before
    stage: Stage
    journal: Journal
    settlement: Settlement
    metering: Metering
    clock: Clock
    limits: Limits
    facts: Mapping[str, Any]
    course: Course = field(default_factory=Course)
    _explanations: dict[str, None] = field(default_factory=dict)
    _told_of_clash: bool = False
    _outlook: Outlook | None = None
    _written: dict[str, CallBeingWritten] = field(default_factory=dict)

    async def run(self) -> Ending | None:
        """Run to the end and write it; None if somebody else had ended the run before.

        Raises:
            StorageError: the outcome is unknown; whoever finds the run settles it.
        """
        talk = Talk(
            self.provider, self.system, self.tools, self._execute, self._listen, self._report, self._settle,
            self.clock, self.limits, self.course,
        )  # fmt: skip
        try:
            async with asyncio.timeout(self.limits.seconds):
                await run_loop(talk, self.first)
            decision = self._decide()
        except TimeoutError:
            message = f"The assistant did not finish within {self.limits.seconds:.0f} seconds. Ask for a smaller step."
            return await self._end(self._failed(DraftsmithError("deadline", message)))
        except DraftsmithError as error:
            return await self._end(self._failed(error))
        if decision is None:
            return await self._end(self._answered())
        if not await self.journal.settle(decision):
            return None
        await self.journal.tell({"type": "phase", "phase": decision.do})
        return await self._end(await self.settlement.carry_out(self.workspace_id, self.ask.id, self.request, decision))

    async def _end(self, ending: Ending) -> Ending | None:
        return ending if await self.journal.end(ending) else None

    def _failed(self, error: DraftsmithError) -> Ending:
        return failed(self.ask.id, self.request, error, course_json(self.course))

    def _answered(self) -> Ending:
        outcome = course_json(self.course)
        refused = self.course.last_message.get("refused") if self.provider.name == "builtin" else None
        if refused:
            outcome |= {"summary": refused["reason"], "suggestions": refused["suggestions"]}
        return ended(self.ask.id, self.request, "answered", outcome)

    # -- what the model calls ----------------------------------------------------------------------------------------

    async def _execute(self, call: ToolCall) -> ToolResult:
        """Run one call; what the model did wrong becomes a result."""
        self._written.pop(call.id, None)
        is_writer = call.name in EDIT_TOOLS
        if call.name not in {tool.name for tool in self.tools}:
            known = [tool.name for tool in self.tools]
            return ToolResult(call.id, feedback.unknown_tool(call.name, known), is_error=True, failed_batch=is_writer)
        if call.input is None or not _is_sound(call.input):
            return ToolResult(call.id, feedback.broken_json(call.raw), is_error=True, failed_batch=is_writer)
        if is_writer:
            return await self._write(call, call.input)
        return await self._read(call, call.input)

    async def _read(self, call: ToolCall, given: Json) -> ToolResult:
        await self.journal.tell({"type": "read", "call": call.id, "tool": call.name, "input": given})
        reader = READERS[call.name]
        try:
            answer = await self.stage.look(lambda workspace: reader(workspace, given))
        except ToolFault as fault:
            return ToolResult(call.id, feedback.read_failed(str(fault)), is_error=True, data={"error": str(fault)})
        return ToolResult(call.id, await self._with_clash(answer.text), data=answer.data)

    async def _write(self, call: ToolCall, given: Json) -> ToolResult:
        try:
            added = await self.stage.add(operations_of(call.name, given))
        except DraftsmithError as error:
            if error.code not in ("invalid_request", "batch_rejected"):
                raise
            problems = problems_of(error)
            text = await self._with_clash(feedback.rejected(error))
            await self.journal.tell({"type": "refused", "call": call.id, "tool": call.name, "problems": problems})
            return ToolResult(call.id, text, is_error=True, data={"problems": problems}, failed_batch=True)
        first = len(self.stage.operations) - len(added.operations)
        shown = [ghost_json(index, one) for index, one in enumerate(added.operations, first)]
        note = await self._clash_note(first)
        await self.journal.tell({"type": "staged", "call": call.id, "operations": shown, **self._all_staged()})
        explanation = given.get("explanation")
        if isinstance(explanation, str) and explanation.strip():
            self._explanations[explanation.strip()] = None
        text = feedback.staged([one.what for one in added.operations], added.warnings)
        lines = [{"index": one["index"], "op": one["op"], "what": one["what"]} for one in shown]
        text = text if note is None else f"{note}\n\n{text}"
        return ToolResult(call.id, text, data={"staged": lines, "warnings": list(added.warnings)})

    def _all_staged(self) -> dict[str, Any]:
        """What everything staged does to the document, and at which revision; nothing where nobody would see it."""
        if self.stage.is_brief or self.stage.base is None:
            return {}
        return {"revision": self.stage.base.revision, "document": self.stage.document}

    async def _with_clash(self, text: str) -> str:
        """A result, with word of what others have overtaken before it.

        Raises:
            DraftsmithError: `run_conflict`, if the model has been told of a clash before.
        """
        note = await self._clash_note()
        return text if note is None else f"{note}\n\n{text}"

    async def _clash_note(self, count: int | None = None) -> str | None:
        """Tell of what others have overtaken, if anything, and what is left of the first `count` (all if None)."""
        fallen, self.stage.fallen = self.stage.fallen, []
        if not fallen:
            return None
        left = [ghost_json(index, one) for index, one in enumerate(self.stage.operations[:count])]
        await self.journal.tell({"type": "clash", "operations": fallen, "left": left, **self._all_staged()})
        if self._told_of_clash:
            message = "Others kept changing the same things while the assistant worked; nothing was changed. Try again."
            raise DraftsmithError("run_conflict", message, extra={"conflicts": fallen})
        self._told_of_clash = True
        return feedback.clash([f"{one['what'] or one['op']}: {one['why']}" for one in fallen])

    async def _settle(self) -> str | None:
        """The model has finished: look once more whether what it staged still fits, and what it comes to.

        Both at the same moment: what others do from here on refuses the commit, and nothing is left out silently.
        """
        self._outlook = await self.stage.outlook()
        return await self._clash_note()

    # -- what is heard on the way ------------------------------------------------------------------------------------

    async def _listen(self, event: Event | Waiting) -> None:
        if isinstance(event, TextDelta | ThinkingDelta):
            kind = "text" if isinstance(event, TextDelta) else "thinking"
            await self.journal.tell({"type": kind, "text": event.text})
        elif isinstance(event, ToolStart):
            self._written[event.id] = CallBeingWritten(event.name)
            await self.journal.tell({"type": "tool", "call": event.id, "tool": event.name})
        elif isinstance(event, ToolDelta):
            await self._ghost(event)
        elif isinstance(event, Waiting):
            await self.journal.tell({"type": "waiting", "seconds": event.seconds, "code": event.code})

    async def _ghost(self, delta: ToolDelta) -> None:
        """Show operations as soon as they are complete, long before the call is."""
        written = self._written.setdefault(delta.id, CallBeingWritten(""))
        if not written.take(delta.json) or written.tool not in EDIT_TOOLS or self.stage.is_brief:
            return
        complete = complete_operations(written.tool, "".join(written.parts))
        if len(complete) <= written.shown:
            return
        first = len(self.stage.operations)
        ghosts = await self.stage.preview(complete)
        for index, one in enumerate(ghosts[written.shown :], first + written.shown):
            await self.journal.tell({"type": "ghost", "call": delta.id, **ghost_json(index, one)})
        written.shown = max(written.shown, len(ghosts))

    async def _report(self, report: TurnReport) -> None:
        if report.turn == 1 or self.provider.reads_context:  # commands without a model are one call each
            errors = sum(one.is_error for one in self.course.executed)
            self.metering.count(report, {**self.facts, "tool_errors": errors})
        used = {"input_tokens": self.course.input_tokens, "output_tokens": self.course.output_tokens}
        if report.status == "ok" and self.provider.reads_context:
            await self.journal.tell({"type": "usage", "iterations": self.course.iterations, **used})

    # -- the decision ------------------------------------------------------------------------------------------------

    def _decide(self) -> Decision | None:
        """What becomes of what is staged; None if it comes to nothing."""
        seen = self._outlook
        if seen is None or not seen.operations or is_nothing(seen.diff):
            return None
        reason = reason_to_propose(
            self.ask.mode, seen.operations, seen.diff,
            nodes=seen.nodes, chars=seen.chars, sections_lost=seen.sections_lost, is_first=self.before.is_empty,
        )  # fmt: skip
        explanation = "; ".join(self._explanations) or self.ask.prompt
        return Decision(
            "commit" if reason is None else "propose", reason or "", seen.base, seen.operations,
            explanation[:EXPLANATION_CHARS], course_json(self.course),
        )  # fmt: skip


def _is_sound(given: Json) -> bool:
    """Whether it can be written as JSON again: half a surrogate pair can be read, but not kept."""
    try:
        orjson.dumps(given)
    except TypeError:
        return False
    return True


def ghost_json(index: int, one: Staged) -> dict[str, Any]:
    """A staged operation as it is shown before it is applied."""
    return {"index": index, "op": one.op, "what": one.what, "steps": [step.to_json() for step in one.steps]}
