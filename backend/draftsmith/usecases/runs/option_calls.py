"""Calls of `propose_option`: each is a batch that is staged by itself, as if the other alternatives were not there.

What no longer fits after commits of others stays in its alternative; the proposal says so, as every proposal does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict, cast

from draftsmith.assistant.answers import feedback
from draftsmith.assistant.answers.batches import Batches
from draftsmith.assistant.answers.offers import check_offered, offer_of
from draftsmith.assistant.answers.parse import operations_of
from draftsmith.assistant.provider import ToolCall, ToolResult
from draftsmith.assistant.tools.tool_inputs import OPTION_LISTS, OPTION_TEXTS
from draftsmith.assistant.tools.tools import PROPOSE_OPTION
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.diff import is_nothing
from draftsmith.ports.run_events import RunEventFields
from draftsmith.usecases.commits.at_head import Base
from draftsmith.usecases.runs.options import MOST_OPTIONS, Option
from draftsmith.usecases.runs.recorder import RunRecorder
from draftsmith.usecases.staging.staging import StagingArea, problems_of

_TITLE, _SUMMARY, _SENTENCE, _SENTENCES = 120, 1_000, 300, 8


class _OptionTexts(TypedDict):
    title: str
    summary: str
    gains: tuple[str, ...]
    costs: tuple[str, ...]


@dataclass
class OptionCalls:
    """The alternatives of one run.

    Attributes:
        options: in the order in which they were proposed first.
        batches: what was staged and what was refused in the run.
    """

    staging: StagingArea
    recorder: RunRecorder
    batches: Batches
    options: list[Option] = field(default_factory=list)
    _has_asked_for_another: bool = False

    async def execute(self, call: ToolCall, arguments: Mapping[str, object], turn: int) -> ToolResult:
        """Stage an alternative; one with the title of another takes its place."""
        operations: list[Any] = []
        try:
            asked = {name: value for name, value in arguments.items() if name not in (*OPTION_TEXTS, *OPTION_LISTS)}
            operations = operations_of(PROPOSE_OPTION, asked)
            index, texts = self._place_of(arguments), _texts_of(arguments)
            check_offered(PROPOSE_OPTION, operations)
            area = self.staging.another()
            batch = await area.add(operations, offer_of(PROPOSE_OPTION))
            if is_nothing((await area.summary()).diff):
                raise _misfit("operations", "Everything is as this alternative wants it already; it changes nothing.")
        except DraftsmithError as error:
            if error.code not in ("invalid_request", "batch_rejected"):
                raise
            problems = problems_of(error)
            self.batches.refuse(turn, PROPOSE_OPTION, operations, problems)
            event: RunEventFields = {"type": "refused", "call": call.id, "tool": PROPOSE_OPTION, "problems": problems}
            await self.recorder.add_event(event)
            text = feedback.rejection_text(error)
            return ToolResult(call.id, text, is_error=True, data={"problems": problems}, failed_batch=True)
        self.batches.stage(turn, PROPOSE_OPTION, operations)
        base = cast(Base, area.base)  # something is staged
        option = Option(**texts, base=base, staged=tuple(batch.operations))
        self.options[index : index + 1] = [option]
        lines = [{"op": one.op, "what": one.what} for one in option.staged]
        await self.recorder.add_event(
            {
                "type": "option", "call": call.id, "index": index, "title": option.title, "summary": option.summary,
                "gains": list(option.gains), "costs": list(option.costs), "operations": lines,
            }
        )  # fmt: skip
        said = feedback.option_text(option.title, [one["what"] for one in lines], batch.warnings, len(self.options))
        return ToolResult(call.id, said, data={"staged": lines, "warnings": list(batch.warnings)})

    def _place_of(self, arguments: Mapping[str, object]) -> int:
        """Where an alternative belongs: in the place of one with its title, else behind the others."""
        title = str(arguments.get("title") or "").strip().casefold()
        known = [one.title.casefold() for one in self.options]
        if title not in known and len(known) >= MOST_OPTIONS:
            names = ", ".join(f"“{one.title}”" for one in self.options)
            message = f"There are {MOST_OPTIONS} alternatives already: {names}. Use one of these titles to replace it."
            raise _misfit("title", message)
        return known.index(title) if title in known else len(known)

    def note_for_another(self) -> str | None:
        """Ask once for a second alternative where there is only one; None if there is nothing to ask."""
        if len(self.options) != 1 or self._has_asked_for_another:
            return None
        self._has_asked_for_another = True
        return feedback.one_option(self.options[0].title)


def _texts_of(arguments: Mapping[str, object]) -> _OptionTexts:
    """The texts of an alternative; what it costs and what it gains may be a text where there is one only.

    Raises:
        DraftsmithError: `invalid_request`: one is missing, or is no text.
    """
    texts: dict[str, object] = {}
    for name, most in zip(OPTION_TEXTS, (_TITLE, _SUMMARY), strict=True):
        value = arguments.get(name)
        if not isinstance(value, str) or not value.strip():
            raise _misfit(name, f"An alternative needs a {name}.")
        texts[name] = value.strip()[:most]
    for name in OPTION_LISTS:
        value = arguments.get(name)
        some = [value] if isinstance(value, str) else value
        if not isinstance(some, list) or not some or not all(isinstance(one, str) and one.strip() for one in some):
            raise _misfit(name, f"{name} is a list of one sentence or more: an alternative has both sides.")
        texts[name] = tuple(one.strip()[:_SENTENCE] for one in some[:_SENTENCES])
    return cast(_OptionTexts, texts)


def _misfit(name: str, message: str) -> DraftsmithError:
    problem = Problem(-1, "", "field_invalid", f"/{name}", message)
    return DraftsmithError("invalid_request", f"{message} Nothing was applied.", [problem])
