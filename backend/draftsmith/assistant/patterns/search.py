"""Search patterns by words, and write them for models; bounded by the length of a file.

The tool `search_patterns` answers with worked examples of edits, the best patterns whole, and the others by a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.assistant.edit_examples import EditExample, examples_about
from draftsmith.assistant.patterns.pattern import Pattern
from draftsmith.assistant.tools.readers import ReadAnswer
from draftsmith.assistant.tools.tool_arguments import read_tool_input
from draftsmith.assistant.tools.tool_inputs import SearchPatternsInput

_BETWEEN: Final = "\n\n---\n\n"
_WORD = re.compile(r"[^\W_]+")
_SMALL_TEXT: Final = (
    "a all an and any are at be between by can do does each every everything for from get has have how i if in into is "
    "it its like make may "
    "me more my need needs no not of on one or our put should so some that the their them there these this to two use "
    "used us want we what when where which who why with would you add pattern patterns anti architecture"
)
_SMALL: Final = frozenset(_SMALL_TEXT.split())
_IN_NAME, _IN_WORDS, _IN_TEXT = 6, 4, 1
_LEAST_PREFIX: Final = 4


def find_patterns(patterns: Sequence[Pattern], text: str) -> list[Pattern]:
    """The patterns that share words with a text, best first; all of them, by name, for a text without words.

    A word counts once for each pattern, where it weighs most: in the name, among the words of the front matter, or in
    what the pattern says of itself and when it is used. A longer form of a word counts like the word.
    """
    wanted = words_of(text)
    if not wanted:
        return list(patterns) if not _WORD.search(text) else []
    scored = [(sum(_score(one, word) for word in wanted), one) for one in patterns]
    ordered = sorted(scored, key=lambda pair: (-pair[0], pair[1].name.casefold()))
    best = ordered[0][0] if ordered else 0
    return [one for score, one in ordered if score > 0 and score * 3 >= best]


def words_of(text: str) -> list[str]:
    """The words of a text that say something, in lower case, each once."""
    return [one for one in dict.fromkeys(_WORD.findall(text.casefold())) if one not in _SMALL]


def _score(pattern: Pattern, word: str) -> int:
    parts = (
        (_IN_NAME, pattern.name),
        (_IN_WORDS, " ".join(pattern.words)),
        (_IN_TEXT, " ".join([pattern.about, *pattern.when])),
    )
    found = ((weight, _WORD.findall(text.casefold())) for weight, text in parts)
    return next((weight for weight, words in found if any(_alike(word, one) for one in words if one not in _SMALL)), 0)


def _alike(word: str, other: str) -> bool:
    """Whether one of the two is the beginning of the other, and long enough to mean it."""
    shorter, longer = sorted((word, other), key=len)
    return word == other or (len(shorter) >= _LEAST_PREFIX and longer.startswith(shorter))


def pattern_text(pattern: Pattern) -> str:
    """A pattern whole, for a model."""
    roles = [
        f"* {{{one.name}}}: {'every' if one.is_many else 'a'} node of type {', '.join(one.types)}"
        + (f", {one.side} {{{one.of}}}" if one.of else "")
        for one in pattern.roles
    ]
    is_anti = pattern.kind == "anti-pattern"
    parts = [
        f"# {pattern.name} ({pattern.kind}, {pattern.id})",
        pattern.about,
        _list_text("How to recognise it" if is_anti else "When", pattern.when),
        _list_text("Forces", pattern.forces),
        f"{'What to do instead' if is_anti else 'Shape'}, where {{a name}} is the id of a node:\n"
        + "\n".join([*roles, *(json.dumps(one, ensure_ascii=False) for one in pattern.shape)]),
        _list_text("Questions to ask", pattern.questions),
    ]
    return "\n\n".join(parts)


def pattern_line(pattern: Pattern) -> str:
    """A pattern in one line, for a model."""
    return f"{pattern.id} ({pattern.kind}): {pattern.about}"


def _list_text(title: str, items: Sequence[str]) -> str:
    return "\n".join([f"{title}:", *(f"* {one}" for one in items)])


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
