"""Record what a provider streams as events; operations are previewed before their call is complete."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final, cast

from draftsmith.assistant.answers.parse import complete_operations
from draftsmith.assistant.loop import RetryWait, Withdrawn
from draftsmith.assistant.provider import Event, TextDelta, ThinkingDelta, ToolDelta, ToolStart
from draftsmith.assistant.tools.tools import EDIT_TOOLS
from draftsmith.ports.run_events import RunEventFields, StagedLine
from draftsmith.usecases.runs.partial_input import PartialInput
from draftsmith.usecases.runs.recorder import RunRecorder
from draftsmith.usecases.runs.tool_calls import operation_json
from draftsmith.usecases.staging.staging import StagingArea

AT_ONCE: Final = 4
"""Operations that are previewed without letting others go on in between."""
EVENTS_AT_ONCE: Final = 16
"""Events of the provider without letting others go on: hundreds may have arrived at once, and none of them waits."""
MOST_PREVIEWED: Final = 500
"""Operations of one call that are previewed: all that come before must be applied for it, which takes time."""


@dataclass
class Progress:
    """Records the streamed events of one run."""

    staging: StagingArea
    recorder: RunRecorder
    _inputs: dict[str, PartialInput] = field(default_factory=dict)
    _events: int = 0

    async def on_event(self, event: Event | RetryWait | Withdrawn) -> None:
        """Record an event of the provider, or what the loop does when a turn fails."""
        self._events += 1
        if self._events % EVENTS_AT_ONCE == 0:
            await asyncio.sleep(0)
        if isinstance(event, TextDelta | ThinkingDelta):
            kind = "text" if isinstance(event, TextDelta) else "thinking"
            await self.recorder.add_event({"type": kind, "text": event.text})
        elif isinstance(event, ToolStart):
            self._inputs[event.id] = PartialInput(event.name)
            await self.recorder.add_event({"type": "tool", "call": event.id, "tool": event.name})
        elif isinstance(event, ToolDelta):
            await self._preview(event)
        elif isinstance(event, Withdrawn):
            self._inputs.clear()
            parts = {"text": event.text, "thinking": event.thinking, "calls": list(event.calls)}
            await self.recorder.add_event(cast(RunEventFields, {"type": "withdrawn", **parts}))
        elif isinstance(event, RetryWait):
            await self.recorder.add_event({"type": "waiting", "seconds": event.seconds, "code": event.code})

    def forget(self, call_id: str) -> None:
        """Drop the partial input of a call that is complete."""
        self._inputs.pop(call_id, None)

    async def _preview(self, delta: ToolDelta) -> None:
        """Show operations as soon as they are complete, before the call is; a few at a time, others in between."""
        partial = self._inputs.setdefault(delta.id, PartialInput(""))
        if partial.tool not in EDIT_TOOLS or self.staging.is_inline:
            return
        for raw in partial.append(delta.json):
            complete = complete_operations(partial.tool, raw)[: MOST_PREVIEWED - partial.shown_count]
            for at in range(0, len(complete), AT_ONCE):
                some = complete[at : at + AT_ONCE]
                previewed = await self.staging.preview(some, partial.preview)
                first = len(self.staging.operations) + partial.shown_count
                partial.shown_count += len(some)
                for index, one in enumerate(previewed, first):
                    if one is not None:
                        await self.recorder.add_event(_ghost(delta.id, operation_json(index, one)))
                await asyncio.sleep(0)


def _ghost(call: str, line: StagedLine) -> RunEventFields:
    return {
        "type": "ghost", "call": call, "index": line["index"], "op": line["op"], "what": line["what"],
        "steps": line["steps"],
    }  # fmt: skip
