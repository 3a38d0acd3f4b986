"""markdown-it-py as it is used here: it says where blocks begin and end, and reads no inline content.

Of the address in a link reference definition only where it ends and whether markdown-it allows its scheme matter, since
a definition with a forbidden one is a paragraph. markdown-it-py goes through it letter by letter, twice, which takes
seconds for an image of some 100 KB that is written as `[image1]: <data:image/png;base64,…>`. Here a pattern finds its
end, and only its beginning is normalised.

What is nested deeper than the page draws (`proseBounds.ts`) is read line by line. Past its own bound markdown-it would
pass over the rest of the text, headings included.

markdown-it-py tries every rule on every line of a paragraph; here the first character of a line tells which may match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Final, NamedTuple

from markdown_it import MarkdownIt, helpers, rules_block
from markdown_it.common.normalize_url import normalizeLink
from markdown_it.common.utils import unescapeAll
from markdown_it.rules_block import StateBlock

from draftsmith.model.markdown.tables import table

_IN_BRACKETS: Final = re.compile(r"<((?>(?:[^\n<>\\]++|\\(?s:.))*))>")
_MAY_END: Final = re.compile(r"[\x00-\x20\x7f()\\]")
_MOST_OPEN: Final = 32  # brackets in brackets, as in markdown-it
_SCHEME: Final = 64  # characters in which a scheme that is looked for has ended, `data:image/jpeg;` included
_FOOTNOTE: Final = re.compile(r"\[\^[^\s\[\]]++\]:[ \t]*+")
_FOOTNOTE_INDENT: Final = 4


class _Destination(NamedTuple):
    """What markdown-it's rules read: whether there is an address, where it ends, and the address without escapes."""

    ok: bool
    pos: int
    str: str


_NONE: Final = _Destination(ok=False, pos=0, str="")


def _destination(text: str, start: int, stop: int) -> _Destination:
    """Parse the destination of a link, as `markdown_it.helpers.parseLinkDestination` does."""
    if text.startswith("<", start, stop):
        found = _IN_BRACKETS.match(text, start, stop)
        return _NONE if found is None else _Destination(ok=True, pos=found.end(), str=unescapeAll(found[1]))
    end = _end_of_bare(text, start, stop)
    return _NONE if end == start else _Destination(ok=True, pos=end, str=unescapeAll(text[start:end]))


def _end_of_bare(text: str, start: int, stop: int) -> int:
    """Return where an address without angle brackets ends; its start if there is none."""
    level, at, end = 0, start, stop
    for found in _MAY_END.finditer(text, start, stop):
        place, sign = found.start(), found[0]
        if place < at:  # escaped
            continue
        if sign == "\\" and place + 1 < stop and text[place + 1] != " ":
            at = place + 2
        elif sign == "(":
            level += 1
            if level > _MOST_OPEN:
                return start
        elif sign == ")" and level:
            level -= 1
        elif sign != "\\" or place + 1 < stop:
            end = place
            break
    return end if level == 0 else start


def _normalized_beginning(url: str) -> str:
    """Normalise the beginning of an address: `validateLink` reads its scheme, and nothing here reads more."""
    return normalizeLink(url.strip()[:_SCHEME])


def _footnote_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the definition of a footnote, `[^1]: words`, as code hosts and the page do.

    It holds blocks, as an item of a list does: what follows on its line, and lines that are indented by four. The page
    has the same rule (`frontend/src/model/text/syntax/footnotes.ts`).
    """
    begins = state.bMarks[start] + state.tShift[start]
    found = None if state.is_code_block(start) else _FOOTNOTE.match(state.src, begins, state.eMarks[start])
    if found is None or silent:
        return found is not None
    before = state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType
    opening = state.push("footnote_open", "", 1)
    state.blkIndent += _FOOTNOTE_INDENT
    # The words of the first line stand as if the line began with them.
    state.bMarks[start], state.tShift[start], state.sCount[start] = found.end(), 0, state.blkIndent
    state.parentType = "footnote"
    state.md.block.tokenize(state, start, end)
    state.blkIndent -= _FOOTNOTE_INDENT
    state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType = before
    opening.map = [start, state.line]
    state.push("footnote_close", "", -1)
    return True


_Rule = Callable[[StateBlock, int, int, bool], bool]
_ENDING_ITEMS: Final[dict[str, Sequence[_Rule]]] = {
    **dict.fromkeys("`~", (rules_block.fence,)),
    ">": (rules_block.blockquote,),
    **dict.fromkeys("-*_", (rules_block.hr,)),
}
_MARKED: Final[dict[str, Sequence[_Rule]]] = {
    **_ENDING_ITEMS,
    **dict.fromkeys("-*", (rules_block.hr, rules_block.list_block)),
    **dict.fromkeys("+0123456789", (rules_block.list_block,)),
    "<": (rules_block.html_block,),
    "#": (rules_block.heading,),
    "[": (_footnote_rule,),
}
"""The rules of blocks that begin with a mark, by its first character; in their order."""


def _mark_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Try the rules for blocks that begin with a mark and may match here, which for most lines are none."""
    begins = state.bMarks[start] + state.tShift[start]
    rules = _MARKED.get(state.src[begins : begins + 1])
    return rules is not None and any(rule(state, start, end, silent) for rule in rules)


def _item_end_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Try the rules for blocks that begin with a mark and end an item of a list."""
    begins = state.bMarks[start] + state.tShift[start]
    rules = _ENDING_ITEMS.get(state.src[begins : begins + 1]) if silent else None
    return rules is not None and any(rule(state, start, end, silent) for rule in rules)


_MOST_DEEP: Final = 50


def _deep_line_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a line that is nested too deep as a paragraph of its own."""
    if silent or state.level < _MOST_DEEP:
        return False
    state.line = start + 1
    state.push("paragraph_open", "p", 1).map = [start, state.line]
    token = state.push("inline", "", 0)
    token.map, token.children = [start, state.line], []
    token.content = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    state.push("paragraph_close", "p", -1)
    return True


def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 2 * _MOST_DEEP}).enable("table")
    ruler = parser.block.ruler
    ruler.at("table", table, {"alt": ["paragraph", "reference"]})
    ruler.before("table", "too_deep", _deep_line_rule)
    ruler.disable(["fence", "blockquote", "hr", "list", "html_block", "heading"])
    ruler.before("reference", "marked", _mark_rule, {"alt": ["paragraph", "reference", "blockquote"]})
    ruler.before("reference", "ending_items", _item_end_rule, {"alt": ["list"]})
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.normalizeLink = _normalized_beginning  # type: ignore[method-assign]  # markdown-it's own way to replace it
    parser.helpers = SimpleNamespace(**{**vars(helpers), "parseLinkDestination": _destination})  # type: ignore[assignment]  # likewise
    return parser


PARSER: Final = _block_parser()
