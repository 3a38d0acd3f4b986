"""Where it is read what runs: a tool of a registered plugin, called for a person and not for a model.

Made only where a plugin is registered. Which plugin: the one that has a tool `workloads` which reads; if several have
one, the caller names it. In which workflows the tools of a plugin are offered to models does not matter here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.ports import Clock
from draftsmith.ports.plugins import PluginFailure
from draftsmith.usecases.plugins.plugins import PluginHealth, Plugins
from draftsmith.workloads.reading import TOOL, ClusterReading, read_workloads

_MOST_MESSAGE = 600


@dataclass(frozen=True)
class WorkloadSources:
    """The plugins that can say what runs."""

    plugins: Plugins
    clock: Clock

    @property
    def names(self) -> list[str]:
        """The names of the plugins, as they are known now."""
        return [one.registered.name for one in self._able()]

    async def read(self, name: str | None, namespaces: Sequence[str] | None) -> tuple[str, ClusterReading]:
        """Ask a plugin what runs; its name and what it said.

        Args:
            name: of the plugin; None for the only one.
            namespaces: those to read; None for all that the plugin may read.

        Raises:
            DraftsmithError: `workloads_unavailable` if no plugin can say it; `invalid_request` if it is not clear
                which one; `workloads_unread` if it did not; `workloads_unreadable` if what it said cannot be taken.
        """
        one = self._source_named(name)
        arguments = {} if namespaces is None else {"namespaces": list(namespaces)}
        plugin = one.registered.name
        try:
            done = await one.connection.invoke(self.clock.new_id(), TOOL, arguments, {})
        except PluginFailure as failure:
            if failure.is_away:
                one.note("away", self.clock.now_ms(), failure.message)
            said = " ".join(failure.message.split())[:_MOST_MESSAGE]
            raise DraftsmithError("workloads_unread", f"The plugin '{plugin}' did not say what runs: {said}") from None
        reading = await asyncio.to_thread(read_workloads, done.result)  # it may be large
        if namespaces is not None and not set(reading.namespaces) <= set(namespaces):
            message = f"The plugin '{plugin}' answered with namespaces that it was not asked for. Nothing was taken."
            raise DraftsmithError("workloads_unreadable", message)
        return plugin, reading

    def _able(self) -> list[PluginHealth]:
        return [
            one for one in self.plugins.health if any(tool.name == TOOL and not one.writes(tool) for tool in one.tools)
        ]

    def _source_named(self, name: str | None) -> PluginHealth:
        able = self._able()
        if not able:
            raise self._unavailable()
        found = able if name is None else [one for one in able if one.registered.name == name]
        if len(found) == 1:
            return found[0]
        names = [one.registered.name for one in able]
        message = (
            f"Several plugins can say what runs; name one of {', '.join(names)}."
            if name is None
            else f"'{name}' is no plugin that can say what runs; there are: {', '.join(names)}."
        )
        raise DraftsmithError(
            "invalid_request", message, [Problem(-1, "", "field_invalid", "/plugin", message, tuple(names))]
        )

    def _unavailable(self) -> DraftsmithError:
        registered = ", ".join(one.registered.name for one in self.plugins.health)
        return DraftsmithError(
            "workloads_unavailable",
            f"What runs cannot be read here: none of the registered plugins ({registered}) has offered a tool '{TOOL}'"
            " that only reads. See 'draftsmith plugin check'; docs/what-runs.md says more.",
        )
