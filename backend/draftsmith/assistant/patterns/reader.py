"""The tool `search_patterns`: worked examples of edits, the best patterns whole, the others by a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.assistant.edit_examples import EditExample, examples_about
from draftsmith.assistant.patterns.pattern import Pattern
from draftsmith.assistant.patterns.search import find_patterns, pattern_line, pattern_text
from draftsmith.assistant.tools.readers import ReadAnswer
from draftsmith.assistant.tools.tool_arguments import read_tool_input
from draftsmith.assistant.tools.tool_inputs import SearchPatternsInput

_BETWEEN: Final = "\n\n---\n\n"


def search_patterns(
    patterns: Sequence[Pattern], arguments: Mapping[str, object], edits: Sequence[EditExample] = ()
) -> ReadAnswer:
    """Find patterns and examples of edits by words; an answer has at most three of each whole.

    A pattern has six thousand characters at most, an example a line.

    Raises:
        ToolFault: the input does not fit.
    """
    asked = read_tool_input(SearchPatternsInput, arguments)
    named = [one for one in patterns if asked.text.strip().casefold() in (one.id, one.name.casefold())]
    found = named or find_patterns(patterns, asked.text)
    data = {"patterns": [one.id for one in found]}
    edited = [one.text for one in examples_about(edits, asked.text)]
    shown = ["\n".join(["Examples of edits:", *edited])] if edited else []
    if not asked.text.strip() or not found:
        head = "These patterns there are:" if not asked.text.strip() else "No pattern has these words. There are:"
        shown.append("\n".join([head, *map(pattern_line, patterns)]))
        return ReadAnswer(_BETWEEN.join(shown), data)
    whole, rest = found[: asked.limit], found[asked.limit :]
    more = ["\n".join(["Also:", *map(pattern_line, rest)])] if rest else []
    return ReadAnswer(_BETWEEN.join([*shown, *map(pattern_text, whole), *more]), data)
