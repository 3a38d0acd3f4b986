"""What one run may call of plugins, and what it has called: tools, calls, and the state that a plugin has kept here.

The tools are those of the moment the run began; a run's tools never change. Not here: which calls wait for a yes, and
what is told of them (`plugin_calls`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from draftsmith.assistant.provider import ToolSpec
from draftsmith.assistant.tools.plugin_tools import GUIDANCE, failure_text, result_text, tool_name, tool_spec
from draftsmith.plugin.protocol import DescribedTool
from draftsmith.ports.plugins import PluginConnection, PluginFailure

_log = structlog.get_logger("draftsmith.plugins")


@dataclass(frozen=True)
class OfferedTool:
    """A tool that a run may call.

    Attributes:
        plugin: the name that it is registered under.
        writes: whether each call needs a yes.
        note_away: called with the reason where a call finds that it is away.
    """

    plugin: str
    connection: PluginConnection
    tool: DescribedTool
    writes: bool
    note_away: Callable[[str], None]

    @property
    def name(self) -> str:
        """The name by which models call it."""
        return tool_name(self.plugin, self.tool.name)


@dataclass(frozen=True, slots=True)
class PluginAnswer:
    """What a call came to, for a model; `data` as JSON values."""

    text: str
    is_error: bool
    data: Any = None


@dataclass
class PluginSession:
    """The plugins of one run.

    Attributes:
        id: of the run; plugins are told it.
        offered: the tools.
    """

    id: str
    offered: Sequence[OfferedTool]
    _states: dict[str, Mapping[str, object]] = field(default_factory=dict)

    @property
    def specs(self) -> list[ToolSpec]:
        """The tools as models are told of them."""
        return [tool_spec(one.plugin, one.tool, writes=one.writes) for one in self.offered]

    @property
    def guidance(self) -> str:
        """What models are told of plugins in general."""
        return GUIDANCE

    def prompt_hash(self, of_prompts: str) -> str:
        """The hash of prompts with these tools: 12 hexadecimal digits."""
        told = [[one.name, one.description, one.input_schema] for one in self.specs]
        whole = json.dumps([of_prompts, self.guidance, told], sort_keys=True)
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def tool_named(self, name: str) -> OfferedTool | None:
        """The tool that models call by this name."""
        return next((one for one in self.offered if one.name == name), None)

    async def call(self, offered: OfferedTool, args: Mapping[str, object]) -> PluginAnswer:
        """Call a tool; whatever a plugin does becomes an answer."""
        try:
            state = self._states.get(offered.plugin, {})
            done = await offered.connection.invoke(self.id, offered.tool.name, args, state)
        except PluginFailure as failure:
            if failure.is_away:
                offered.note_away(failure.message)
            text = failure_text(offered.plugin, failure.message)
            return PluginAnswer(text, is_error=True, data={"error": failure.code})
        except Exception as error:  # noqa: BLE001  # what a plugin answers must not end a run
            _log.error("plugin_defect", plugin=offered.plugin, exc_info=error)
            text = failure_text(offered.plugin, "What it answers cannot be handled.")
            return PluginAnswer(text, is_error=True, data={"error": "plugin_unreadable"})
        self._states[offered.plugin] = done.state
        return PluginAnswer(result_text(done.result), is_error=False, data=done.result)
