"""The tools of a run: each call of an edit tool is staged, each call of a reading tool answered.

The model is told once of commits of others that conflict with what is staged; the second time the run
ends. Not here: what a batch does to the workspace (`staging`), how they are read from a call (`answers.parse`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import orjson

from draftsmith.assistant.answers import feedback
from draftsmith.assistant.answers.batches import Batches, is_about_document
from draftsmith.assistant.answers.offers import check_offered, offer_of
from draftsmith.assistant.answers.parse import explanations_of, operations_of
from draftsmith.assistant.edit_examples import EditExample
from draftsmith.assistant.patterns.pattern import Pattern
from draftsmith.assistant.patterns.search import search_patterns
from draftsmith.assistant.provider import ToolCall, ToolResult, ToolSpec
from draftsmith.assistant.tools.investigation_inputs import HISTORY_TOOL_INPUTS, REPORT
from draftsmith.assistant.tools.tools import (
    BATCH_TOOLS,
    PROPOSE_OPTION,
    READERS,
    SEARCH_PATTERNS,
    ReadAnswer,
    ToolFault,
)
from draftsmith.errors import DraftsmithError
from draftsmith.ports.run_events import RunEventFields, StagedLine
from draftsmith.transform.requests.batch import OPERATION_MODELS
from draftsmith.transform.staged_operations import StagedOperation
from draftsmith.usecases.runs.investigation import Investigation
from draftsmith.usecases.runs.option_calls import OptionCalls
from draftsmith.usecases.runs.recorder import RunRecorder
from draftsmith.usecases.staging.staging import StagingArea, problems_of

if TYPE_CHECKING:
    from draftsmith.usecases.runs.plugin_calls import PluginCalls


@dataclass
class ToolCalls:
    """Executes the calls of one run.

    Attributes:
        tools: what the model may call.
        investigation: the history, and where findings go.
        explanations: why it changes what it changes, in its words; a set in order.
        batches: what was staged and what was refused.
        turn: the number of the turn whose calls are executed.
        patterns: those that may be searched.
        edits: worked examples of edits, where the run may edit.
        options: the alternatives of a run that recommends.
        plugins: executes calls of plugins; None where there are none.
    """

    tools: Sequence[ToolSpec]
    staging: StagingArea
    recorder: RunRecorder
    investigation: Investigation
    explanations: dict[str, None] = field(default_factory=dict)
    batches: Batches = field(default_factory=Batches)
    turn: int = 0
    patterns: Sequence[Pattern] = ()
    edits: Sequence[EditExample] = ()
    plugins: PluginCalls | None = None
    _has_reported_conflict: bool = False
    _has_reminded: bool = False

    def __post_init__(self) -> None:
        self.options = OptionCalls(self.staging, self.recorder, self.batches)

    async def execute(self, call: ToolCall) -> ToolResult:
        """Execute one call; what the model did wrong becomes a result."""
        result = await self._execute(call)
        if not result.is_error:
            self.batches.note_success(self.turn, call.name)
        elif result.why_declined:
            self.batches.note_failure(self.turn, call.name, result.why_declined, until="same_tool")
        return result

    async def _execute(self, call: ToolCall) -> ToolResult:
        is_edit = call.name in BATCH_TOOLS
        known = [tool.name for tool in self.tools]
        if call.name not in known:
            return await self._unknown(call, feedback.unknown_tool(call.name, known))
        if call.input is None or not _is_encodable(call.input):
            if is_edit:
                await self._refuse_unread(call, [], "The call could not be read.")
            return ToolResult(call.id, feedback.broken_json(call.raw), is_error=True, failed_batch=is_edit)
        if call.name == PROPOSE_OPTION:
            return await self.options.execute(call, call.input, self.turn)
        if is_edit:
            return await self._edit(call, call.input)
        if self.plugins is not None and self.plugins.knows(call.name):
            result = await self.plugins.execute(call, call.input)
            return replace(result, text=await self._with_conflict_note(result.text))
        return await self._read(call, call.input)

    async def _unknown(self, call: ToolCall, why: str) -> ToolResult:
        """A call of a tool that is not there; what it would have changed is not done."""
        is_edit = call.name in BATCH_TOOLS
        if is_edit or call.name in OPERATION_MODELS:
            await self._refuse_unread(call, _operations_or_none(call), why)
        elif not BATCH_TOOLS.isdisjoint(tool.name for tool in self.tools):  # who only asks has nothing done
            self.batches.note_failure(self.turn, call.name, f"There is no tool '{call.name[:80]}'.", until="any_tool")
        return ToolResult(call.id, why, is_error=True, failed_batch=is_edit, is_unknown=True)

    async def _refuse_unread(self, call: ToolCall, operations: Sequence[Any], why: str) -> None:
        """Note a batch that was not tried; what was shown of it before it was complete is dropped by the event."""
        self.batches.refuse(self.turn, call.name, operations, [], why)
        problems = problems_of(DraftsmithError("invalid_request", why))
        await self.recorder.add_event({"type": "refused", "call": call.id, "tool": call.name, "problems": problems})

    async def _read(self, call: ToolCall, arguments: Mapping[str, object]) -> ToolResult:
        await self.recorder.add_event({"type": "read", "call": call.id, "tool": call.name, "input": arguments})
        if call.name == REPORT:
            return await self.investigation.report(call, arguments)
        try:
            answer = await self._answer(call.name, arguments)
        except ToolFault as fault:
            return ToolResult(
                call.id, feedback.read_failure_text(str(fault)), is_error=True, data={"error": str(fault)}
            )
        return ToolResult(call.id, await self._with_conflict_note(answer.text), data=answer.data)

    async def _answer(self, tool: str, arguments: Mapping[str, object]) -> ReadAnswer:
        if tool in HISTORY_TOOL_INPUTS:
            return await self.investigation.read_past(tool, arguments)
        if tool == SEARCH_PATTERNS:
            return search_patterns(self.patterns, arguments, self.edits)
        reader = READERS[tool]
        return await self.staging.read(lambda workspace: reader(workspace, arguments))

    async def _edit(self, call: ToolCall, arguments: Mapping[str, object]) -> ToolResult:
        operations: list[Any] = []
        notes: dict[str, None] = {}
        try:
            operations = operations_of(call.name, arguments, notes)
            check_offered(call.name, operations)
            if self.batches.is_repeated(call.name, operations, [one.asked for one in self.staging.operations]):
                await self.recorder.add_event(
                    self._with_document({"type": "staged", "call": call.id, "operations": []})
                )
                return ToolResult(call.id, feedback.repeated_text(), data={"staged": [], "warnings": []})
            batch = await self.staging.add(operations, offer_of(call.name))
        except DraftsmithError as error:
            if error.code not in ("invalid_request", "batch_rejected"):
                raise
            problems = problems_of(error)
            self.batches.refuse(self.turn, call.name, operations, problems)
            text = await self._with_conflict_note(feedback.rejection_text(error, examples=self.edits))
            await self.recorder.add_event({"type": "refused", "call": call.id, "tool": call.name, "problems": problems})
            return ToolResult(call.id, text, is_error=True, data={"problems": problems}, failed_batch=True)
        self.batches.stage(self.turn, call.name, operations)
        first = len(self.staging.operations) - len(batch.operations)
        shapes = [operation_json(index, one) for index, one in enumerate(batch.operations, first)]
        note = await self.conflict_note(first)
        await self.recorder.add_event(self._with_document({"type": "staged", "call": call.id, "operations": shapes}))
        self.explanations |= dict.fromkeys(explanations_of(call.name, arguments))
        done = [
            feedback.operation_text(one.what, _made_ids(one), [f"{line.number}: {line.text}" for line in some])
            for one, some in zip(batch.operations, batch.lines, strict=True)
        ]
        text = feedback.staging_text(done, [*({"message": note} for note in notes), *batch.warnings])
        lines = [{"index": one["index"], "op": one["op"], "what": one["what"]} for one in shapes]
        text = text if note is None else f"{note}\n\n{text}"
        return ToolResult(call.id, text, data={"staged": lines, "warnings": list(batch.warnings)})

    def _with_document(self, event: RunEventFields) -> RunEventFields:
        """An event with how everything staged changes the document, and at which revision; for inline runs without."""
        if self.staging.is_inline or self.staging.base is None:
            return event
        return {**event, "revision": self.staging.base.revision, "document": self.staging.document}

    async def _with_conflict_note(self, text: str) -> str:
        """A result, preceded by what conflicts with the commits of others.

        Raises:
            DraftsmithError: `run_conflict`, as `conflict_note`.
        """
        note = await self.conflict_note()
        return text if note is None else f"{note}\n\n{text}"

    async def conflict_note(self, count: int | None = None) -> str | None:
        """Tell which staged operations were dropped, and which of the first `count` (None: all) are left; None if none.

        Raises:
            DraftsmithError: `run_conflict`, if the model has been told of a conflict before.
        """
        dropped, self.staging.dropped = self.staging.dropped, []
        lost, self.staging.dropped_operations = self.staging.dropped_operations, []
        if not dropped:
            return None
        for tool in ("edit_diagram", "edit_document"):
            some = [
                (asked, one)
                for asked, one in zip(lost, dropped, strict=True)
                if is_about_document(asked) == (tool == "edit_document")
            ]
            if some:
                self.batches.take_back(self.turn, tool, [asked for asked, _ in some], str(some[0][1]["why"]))
        left = [operation_json(index, one) for index, one in enumerate(self.staging.operations[:count])]
        await self.recorder.add_event(self._with_document({"type": "clash", "operations": dropped, "left": left}))
        if self._has_reported_conflict:
            message = "Others kept changing the same things while the assistant worked; nothing was changed. Try again."
            raise DraftsmithError("run_conflict", message, extra={"conflicts": dropped})
        self._has_reported_conflict = True
        return feedback.clash([f"{one['what'] or one['op']}: {one['why']}" for one in dropped])

    def reminder(self) -> str | None:
        """Ask, once in a run, to correct what was refused or to say what was not done; None if there is nothing."""
        left = [one for one in self.batches.uncorrected_batches if not one.is_known]
        if self._has_reminded or not left:
            return None
        self._has_reminded = True
        return feedback.uncorrected_text([(one.tool, len(one.operations_left), one.why) for one in left])


def _operations_or_none(call: ToolCall) -> list[Any]:
    """What a call of a tool that is not there would have changed, as far as that can be read; also one named so."""
    given = call.input or {}
    try:
        return [{"op": call.name, **given}] if call.name in OPERATION_MODELS else operations_of(call.name, given)
    except DraftsmithError:
        return []


def _made_ids(one: StagedOperation) -> Sequence[str]:
    """The ids of the nodes and edges that an operation has made."""
    return [made for step in one.steps if step.inserts for made in step.ids]


def _is_encodable(arguments: Mapping[str, object]) -> bool:
    """Whether it can be written as JSON again: half a surrogate pair can be parsed, but not encoded."""
    try:
        orjson.dumps(arguments)
    except TypeError:
        return False
    return True


def operation_json(index: int, one: StagedOperation) -> StagedLine:
    """A staged operation as it is shown before it is applied."""
    return {"index": index, "op": one.op, "what": one.what, "steps": [step.to_json() for step in one.steps]}
