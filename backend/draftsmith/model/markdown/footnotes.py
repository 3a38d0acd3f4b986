"""Recognises definitions of footnotes, `[^1]: words`, among the blocks of a text, as code hosts and the page do.

A definition holds blocks, as an item of a list does: what follows on its line, and lines that are indented by four. The
page has the same rule (`frontend/src/model/text/syntax/footnotes.ts`).
"""

from __future__ import annotations

import re
from typing import Final

from markdown_it.rules_block import StateBlock

_BEGIN: Final = re.compile(r"\[\^[^\s\[\]]++\]:[ \t]*+")
_INDENT: Final = 4


def footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The rule: a label in brackets behind a caret, a colon, and the blocks that belong to it."""
    begins = state.bMarks[start] + state.tShift[start]
    found = None if state.is_code_block(start) else _BEGIN.match(state.src, begins, state.eMarks[start])
    if found is None or silent:
        return found is not None
    before = state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType
    opening = state.push("footnote_open", "", 1)
    state.blkIndent += _INDENT
    # The words of the first line stand as if the line began with them.
    state.bMarks[start], state.tShift[start], state.sCount[start] = found.end(), 0, state.blkIndent
    state.parentType = "footnote"
    state.md.block.tokenize(state, start, end)
    state.blkIndent -= _INDENT
    state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType = before
    opening.map = [start, state.line]
    state.push("footnote_close", "", -1)
    return True
