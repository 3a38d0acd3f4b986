"""Calls of plugins in a run: those that write wait for a person's yes; every call and what came of it is an event.

The waiting is in the store, so any worker shows it and takes the answer, and so does a page that was loaded anew. It
ends with the answer, at its deadline, or with the run; what is no yes is a no. Not here: what a call is
(`plugin_session`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from draftsmith.assistant.provider import ToolCall, ToolResult
from draftsmith.assistant.tools.plugin_tools import declined_text
from draftsmith.errors import StorageError
from draftsmith.ports.approvals import Approval
from draftsmith.ports.run_events import RunEventFields
from draftsmith.usecases.plugins.plugin_session import OfferedTool, PluginSession
from draftsmith.usecases.runs.recorder import StoredRecorder

_POLL_SECONDS: Final = 0.25
_MOST_SHOWN: Final = 300  # characters of a result in an event


@dataclass
class PluginCalls:
    """Executes the calls of one run's plugins.

    Attributes:
        seconds: how long a call waits for a yes.
        extend: called with the seconds by which the run may last longer, since a person is waited for; may be negative.
    """

    session: PluginSession
    recorder: StoredRecorder
    seconds: float
    extend: Callable[[float], None]
    _asked: int = field(default=0)

    def knows(self, name: str) -> bool:
        """Whether it is the name of one of their tools."""
        return self.session.tool_named(name) is not None

    async def execute(self, call: ToolCall, arguments: Mapping[str, object]) -> ToolResult:
        """Execute a call; whatever a plugin does, and every answer of a person, becomes a result."""
        offered = self.session.tool_named(call.name)
        assert offered is not None
        if offered.writes and (verdict := await self._wait_for_yes(call, offered, arguments)) != "yes":
            return ToolResult(
                call.id,
                declined_text(call.name, verdict),
                is_error=True,
                data={"error": "declined"},
                why_declined="It was declined." if verdict == "no" else "Nobody allowed it in time.",
            )
        clock = self.recorder.clock
        await self.recorder.add_event(
            {"type": "read", "call": call.id, "tool": call.name, "plugin": offered.plugin, "input": arguments}
        )
        began = clock.monotonic()
        answer = await self.session.call(offered, arguments)
        await self.recorder.add_event(
            {
                "type": "called",
                "call": call.id,
                "tool": call.name,
                "plugin": offered.plugin,
                "ok": not answer.is_error,
                "result": answer.text[:_MOST_SHOWN],
                "seconds": round(clock.monotonic() - began, 3),
            }
        )
        return ToolResult(call.id, answer.text, is_error=answer.is_error, data=answer.data)

    async def _wait_for_yes(
        self, call: ToolCall, offered: OfferedTool, arguments: Mapping[str, object]
    ) -> Literal["yes", "no", "late"]:
        self._asked += 1
        recorder, clock = self.recorder, self.recorder.clock
        approval = Approval(
            id=str(self._asked),
            plugin=offered.plugin,
            tool=offered.tool.name,
            input=arguments,
            until_ms=clock.now_ms() + round(self.seconds * 1000),
        )
        about: RunEventFields = {"type": "approval", "call": call.id, "approval": approval.to_json()}
        self.extend(self.seconds)
        began = clock.monotonic()
        try:
            wait_ms = round(self.seconds * 1000)
            await recorder.retry(
                lambda: recorder.store.ask_approval(
                    recorder.workspace_id, recorder.run_id, approval, worker=recorder.worker, wait_ms=wait_ms
                )
            )
            await recorder.add_event({**about, "state": "asked"})
            while clock.monotonic() - began < self.seconds and not await self._is_answered():
                await clock.sleep(_POLL_SECONDS)
            # In one step, so that a yes that comes now is either taken or refused. If its reply is lost, it is a no.
            verdict = await recorder.retry(
                lambda: recorder.store.close_approval(recorder.workspace_id, recorder.run_id, approval.id)
            )
        finally:
            self.extend(clock.monotonic() - began - self.seconds)
        state: Literal["yes", "no", "late"] = "late" if verdict is None else "yes" if verdict.allow else "no"
        by = "" if verdict is None else verdict.by
        await recorder.add_event({**about, "state": state, "by": by})
        return state

    async def _is_answered(self) -> bool:
        try:
            row = await self.recorder.store.run(self.recorder.workspace_id, self.recorder.run_id)
        except StorageError:
            return False  # for a moment; the run's life is looked after elsewhere
        # Of a run that is over nothing is answered: its task is cancelled where that is noticed, and asks no more.
        return row is not None and row.verdict is not None
