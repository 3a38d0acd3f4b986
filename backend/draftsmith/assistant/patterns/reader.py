"""The tool `search_patterns`: the best patterns whole, the others by a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from draftsmith.assistant.patterns.pattern import Pattern
from draftsmith.assistant.patterns.search import find_patterns, pattern_line, pattern_text
from draftsmith.assistant.tools.readers import ReadAnswer
from draftsmith.assistant.tools.tool_arguments import read_tool_input
from draftsmith.assistant.tools.tool_inputs import SearchPatternsInput


def search_patterns(patterns: Sequence[Pattern], arguments: Mapping[str, object]) -> ReadAnswer:
    """Find patterns by words; an answer has at most three whole, of at most six thousand characters each.

    Raises:
        ToolFault: the input does not fit.
    """
    asked = read_tool_input(SearchPatternsInput, arguments)
    named = [one for one in patterns if asked.text.strip().casefold() in (one.id, one.name.casefold())]
    found = named or find_patterns(patterns, asked.text)
    data = {"patterns": [one.id for one in found]}
    if not asked.text.strip() or not found:
        head = "These patterns there are:" if not asked.text.strip() else "No pattern has these words. There are:"
        return ReadAnswer("\n".join([head, *map(pattern_line, patterns)]), data)
    whole, rest = found[: asked.limit], found[asked.limit :]
    more = ["\n".join(["Also:", *map(pattern_line, rest)])] if rest else []
    return ReadAnswer("\n\n---\n\n".join([*map(pattern_text, whole), *more]), data)
