"""Recognises tables of GitHub Flavored Markdown among the blocks of a text, as the page does (markdown-it's rule).

Only where a table begins and ends matters here, and what stands in its rows: a row is one inline token, without its
cells as tokens of their own, so a table costs what its lines are long.
"""

from __future__ import annotations

import re
from typing import Final

from markdown_it.rules_block import StateBlock

_DELIMITERS: Final = re.compile(r"(?!-[ \t])[-:|][-:| \t]++\Z")
_BEGINS_DELIMITERS: Final = frozenset("-:|")
_DELIMITER: Final = re.compile(r":?-+:?")
CELL_END: Final = re.compile(r"(?<!\\)\|")
_SPACES: Final = "".join(map(chr, range(0x2000, 0x200B)))
_WHITE_SPACE: Final = f"\t\n\v\f\r \xa0\u1680{_SPACES}\u2028\u2029\u202f\u205f\u3000\ufeff"
"""What JavaScript's `trim` takes away."""
_MOST_ADDED: Final = 0x10000
"""Cells that short rows lack: a table ends where they are more (markdown-it's MAX_AUTOCOMPLETED_CELLS)."""


def cells_of(row: str) -> list[str]:
    """The cells of a row as they are written; a bar with a backslash before it ends none."""
    cells = CELL_END.split(row)
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return cells


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The rule: a head with as many cells as the line of dashes below it, and the rows up to the next block."""
    columns = _columns(state, start, end)
    if not columns or silent:
        return bool(columns)
    before, state.parentType = state.parentType, "table"
    opening = state.push("table_open", "table", 1)
    _row(state, start)
    after, lacking = start + 2, 0
    while after < end and _goes_on(state, after, end):
        lacking += columns - len(cells_of(_line(state, after)))
        if lacking > _MOST_ADDED:
            break
        _row(state, after)
        after += 1
    state.push("table_close", "table", -1)
    opening.map = [start, after]
    state.parentType, state.line = before, after
    return True


def _columns(state: StateBlock, start: int, end: int) -> int:
    """How many columns the table has that begins at a line; 0 if none does."""
    below = start + 1
    if below >= end:
        return 0
    begins = state.bMarks[below] + state.tShift[below]
    if state.src[begins : begins + 1] not in _BEGINS_DELIMITERS:  # nearly every line
        return 0
    if state.sCount[below] < state.blkIndent or state.is_code_block(below):
        return 0
    line = state.src[begins : state.eMarks[below]]
    head = _line(state, start)
    if "|" not in head or _DELIMITERS.match(line) is None or state.is_code_block(start):
        return 0
    parts = [part.strip() for part in line.split("|")]
    inner = parts[1 if not parts[0] else 0 : len(parts) - 1 if not parts[-1] else len(parts)]
    if not all(_DELIMITER.fullmatch(part) for part in inner):
        return 0
    return len(inner) if len(cells_of(head)) == len(inner) else 0


def _goes_on(state: StateBlock, line: int, end: int) -> bool:
    """Whether a line is a row of the table before it: no other block begins there."""
    if state.sCount[line] < state.blkIndent or not _line(state, line) or state.is_code_block(line):
        return False
    rules = state.md.block.ruler.getRules("blockquote")
    return not any(rule(state, line, end, True) for rule in rules)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip(_WHITE_SPACE)


def _row(state: StateBlock, line: int) -> None:
    token = state.push("inline", "", 0)
    token.map, token.content, token.children = [line, line + 1], _line(state, line), []
    token.meta["is_row"] = True
