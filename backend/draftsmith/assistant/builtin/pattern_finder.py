"""What the built-in commands do where somebody asks for a recommendation: find patterns by words, and say so.

They weigh nothing. Where something is selected, the best patterns that share words with the request become
alternatives, as they stand in their files; where nothing is, they are named. The same words on the same diagram always
find the same. Implements `AIProvider`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from draftsmith.assistant.builtin.provider import BuiltinProvider, WorkspaceReader, calling, ending
from draftsmith.assistant.context.focus import Focus
from draftsmith.assistant.patterns.pattern import Pattern
from draftsmith.assistant.patterns.search import find_patterns
from draftsmith.assistant.patterns.shape import fill_pattern
from draftsmith.assistant.provider import Event, ToolCall, TurnRequest
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.workspace import Workspace

MOST_FOUND: Final = 3
_CANNOT: Final = "Built-in commands cannot recommend: they weigh nothing. They can find patterns by words."
_CONNECT: Final = "For alternatives that are made for this design, connect a model."
_FOR, _AGAINST = "For: ", "Against: "


class PatternFinder(BuiltinProvider):
    """The built-in commands of a run that recommends; one object serves one run."""

    def __init__(self, read_workspace: WorkspaceReader, patterns: Sequence[Pattern], focus: Focus) -> None:
        super().__init__(read_workspace)
        self._read, self._patterns, self._focus = read_workspace, patterns, focus

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        """Make one turn: call with what was found, or say what came of the calls."""
        last = request.messages[-1]
        events = self._report(last["results"]) if last["role"] == "results" else await self._search(str(last["text"]))
        for event in events:
            yield event

    async def _search(self, command: str) -> list[Event]:
        found = find_patterns(self._patterns, command)[:MOST_FOUND]
        if not found:
            names = ", ".join(one.name for one in self._patterns)
            return ending(f"{_CANNOT} None has a word of this request. There are: {names}. {_CONNECT}")
        nodes, edges = self._focus.nodes, self._focus.edges
        if not nodes and not edges:
            named = "\n".join(f"- {one.name}: {one.about}" for one in found)
            ask = "Select the blocks that it is about and ask again, or insert one from the menu of patterns."
            return ending(f"{_CANNOT} These have words of this request:\n{named}\n\n{ask} {_CONNECT}")
        inputs = await self._read(partial(_inputs, tuple(found), tuple(nodes), tuple(edges)))
        if not inputs:
            names = ", ".join(one.name for one in found)
            return ending(f"{_CANNOT} {names}: what is selected is like that already, or does not fit. {_CONNECT}")
        return calling([ToolCall(f"call_{number}", "propose_option", one) for number, one in enumerate(inputs, 1)])

    def _report(self, results: Sequence[Mapping[str, object]]) -> list[Event]:
        fits = [one for one in results if not one["is_error"]]
        if not fits:
            return ending(f"{_CANNOT} What was found does not fit here. {_CONNECT}")
        count = "one" if len(fits) == 1 else f"{len(fits)}, best match first"
        return ending(
            f"{_CANNOT} Found by the words of the request and filled in for the selection: {count}. {_CONNECT}"
        )


def _inputs(
    found: Sequence[Pattern], nodes: Sequence[NodeId], edges: Sequence[EdgeId], workspace: Workspace
) -> list[dict[str, Any]]:
    """The alternatives that patterns are for a selection; those that do not fit it, or change nothing, are left out."""
    inputs: list[dict[str, Any]] = []
    for one in found:
        try:
            filled = fill_pattern(one, workspace.diagram, nodes, edges)
        except DraftsmithError:
            continue
        if filled.operations and filled.has_selected(workspace.diagram):
            inputs.append(_input(one, filled.operations))
    return inputs


def _input(pattern: Pattern, operations: Sequence[Any]) -> dict[str, Any]:
    gains = [one for one in pattern.forces if not one.startswith(_AGAINST) and "costs" not in one]
    costs = [one for one in pattern.forces if one not in gains]
    is_anti = pattern.kind == "anti-pattern"
    return {
        "title": f"Instead of: {pattern.name}" if is_anti else pattern.name,
        "summary": pattern.about,
        "gains": [one.removeprefix(_FOR) for one in gains],
        "costs": [one.removeprefix(_AGAINST) for one in costs],
        "operations": list(operations),
    }
