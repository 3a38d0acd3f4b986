"""Record what a provider streams as events; operations are previewed before their call is complete."""

from __future__ import annotations

from dataclasses import dataclass, field

from draftsmith.assistant.loop import RetryWait, Withdrawn
from draftsmith.assistant.parse import complete_operations
from draftsmith.assistant.provider import Event, TextDelta, ThinkingDelta, ToolDelta, ToolStart
from draftsmith.assistant.tools import EDIT_TOOLS
from draftsmith.usecases.runs.partial_input import PartialInput
from draftsmith.usecases.runs.recorder import RunRecorder
from draftsmith.usecases.runs.staging import StagingArea
from draftsmith.usecases.runs.tool_calls import operation_json


@dataclass
class Progress:
    """Records the streamed events of one run."""

    staging: StagingArea
    recorder: RunRecorder
    _inputs: dict[str, PartialInput] = field(default_factory=dict)

    async def on_event(self, event: Event | RetryWait | Withdrawn) -> None:
        """Record an event of the provider, or what the loop does when a turn fails."""
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
            await self.recorder.add_event({"type": "withdrawn", **parts})
        elif isinstance(event, RetryWait):
            await self.recorder.add_event({"type": "waiting", "seconds": event.seconds, "code": event.code})

    def forget(self, call_id: str) -> None:
        """Drop the partial input of a call that is complete."""
        self._inputs.pop(call_id, None)

    async def _preview(self, delta: ToolDelta) -> None:
        """Show operations as soon as they are complete, before the call is."""
        partial = self._inputs.setdefault(delta.id, PartialInput(""))
        if not partial.append(delta.json) or partial.tool not in EDIT_TOOLS or self.staging.is_inline:
            return
        complete = complete_operations(partial.tool, "".join(partial.parts))
        if len(complete) <= partial.previewed:
            return
        first = len(self.staging.operations)
        previews = await self.staging.preview(complete)
        for index, one in enumerate(previews[partial.previewed :], first + partial.previewed):
            await self.recorder.add_event({"type": "ghost", "call": delta.id, **operation_json(index, one)})
        partial.previewed = max(partial.previewed, len(previews))
