"""The registered plugins of one worker: asked what they are until they answer, and looked after from then on.

Each is asked again every few seconds: one that went away is told within that time, and one that came back needs nobody.
What it described last is offered also while it is away, so that a call says what is the matter. Not here: one run with
plugins (`plugin_session`), how they are reached (`adapters.plugins`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

import structlog

from draftsmith.assistant.tools.plugin_tools import MOST_TOOLS, is_offered
from draftsmith.plugin.protocol import DescribedTool, Description
from draftsmith.ports import Clock
from draftsmith.ports.plugins import PluginConnection, PluginFailure, RegisteredPlugin
from draftsmith.usecases.plugins.plugin_session import OfferedTool, PluginSession

LOOK_SECONDS: Final = 3.0
_FIRST_PAUSE: Final = 0.25
Status = Literal["starting", "ready", "away"]
_log = structlog.get_logger("draftsmith.plugins")


@dataclass
class PluginHealth:
    """A registered plugin and how it is.

    Attributes:
        status: `starting` until it was tried once; then `ready` or `away`.
        since_ms: when it became so.
        detail: why it is away; empty while it is ready.
        description: what it said of itself last; None if it never did.
        checked_ms: when it was last asked.
    """

    registered: RegisteredPlugin
    connection: PluginConnection
    status: Status = "starting"
    since_ms: int = 0
    detail: str = ""
    description: Description | None = None
    checked_ms: int = 0

    @property
    def tools(self) -> Sequence[DescribedTool]:
        """The tools that may be offered: those that it describes and the administrator has not left out."""
        described = () if self.description is None else self.description.tools
        allowed = self.registered.tools
        return [tool for tool in described if allowed is None or tool.name in allowed]

    def writes(self, tool: DescribedTool) -> bool:
        """Whether a call needs a yes: if the plugin or the administrator says that it writes."""
        return not tool.read_only or (self.registered.tools or {}).get(tool.name) == "writes"

    @property
    def refusal_reasons(self) -> Sequence[str]:
        """Why tools that it describes are not offered."""
        if self.description is None:
            return ()
        allowed = self.registered.tools
        new = [tool.name for tool in self.description.tools if allowed is not None and tool.name not in allowed]
        more = [f"{name}: it is not among the tools that were registered" for name in new]
        return [*self.description.refused, *more]

    def note(self, status: Status, now_ms: int, detail: str = "") -> None:
        """Keep how it is now."""
        if status != self.status:
            self.since_ms = now_ms
            log = _log.info if status == "ready" else _log.warning
            log("plugin_" + status, plugin=self.registered.name, reason=detail)
        self.status, self.detail = status, detail


@dataclass
class Plugins:
    """The registered plugins of one worker."""

    health: Sequence[PluginHealth]
    clock: Clock
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def start(self) -> None:
        """Begin to ask them; returns at once."""
        for one in self.health:
            task = asyncio.create_task(self._look_after(one), name=f"plugin {one.registered.name}")
            self._tasks.append(task)

    async def close(self) -> None:
        """Stop asking, and close connections."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        for one in self.health:
            await one.connection.close()

    def session(self, session_id: str, workflow: str, *, may_write: bool = True) -> PluginSession | None:
        """What one run may call; None if there is nothing. `may_write`: whether who asks can say yes to a call."""
        offered = [
            OfferedTool(one.registered.name, one.connection, tool, one.writes(tool), partial(self._is_away, one))
            for one in self.health
            for tool in one.tools
            if is_offered(workflow, writes=one.writes(tool))
            and (may_write or not one.writes(tool))
            and (one.registered.workflows is None or workflow in one.registered.workflows)
        ]
        return PluginSession(session_id, offered[:MOST_TOOLS]) if offered else None

    def _is_away(self, one: PluginHealth, why: str) -> None:
        one.note("away", self.clock.now_ms(), why)

    def left_out(self) -> Mapping[str, int]:
        """How many tools of each plugin are beyond what a run may have, by the plugin's name."""
        counts, room = {}, MOST_TOOLS
        for one in self.health:
            counts[one.registered.name] = max(0, len(one.tools) - room)
            room = max(0, room - len(one.tools))
        return counts

    async def _look_after(self, one: PluginHealth) -> None:
        pause = _FIRST_PAUSE
        while True:
            await self.look(one)
            pause = LOOK_SECONDS if one.status == "ready" else min(2 * pause, LOOK_SECONDS)
            await self.clock.sleep(pause)

    async def look(self, one: PluginHealth) -> None:
        """Ask a plugin once what it is."""
        try:
            one.description = await one.connection.describe()
            one.note("ready", self.clock.now_ms())
        except PluginFailure as failure:
            one.note("away", self.clock.now_ms(), failure.message)
        except Exception as error:  # noqa: BLE001  # a plugin must not end what looks after it
            _log.error("plugin_defect", plugin=one.registered.name, exc_info=error)
            one.note("away", self.clock.now_ms(), "What it answers cannot be handled; the log says more.")
        one.checked_ms = self.clock.now_ms()
