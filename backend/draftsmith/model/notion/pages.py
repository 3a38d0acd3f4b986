"""Pages of an export of Notion: their names, their order, and their headings below those of the page around them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from draftsmith.model.markdown.sections import outline_of

PAGE: Final = ".md"
TABLE: Final = ".csv"
_WHOLE: Final = "_all"
"""At the end of the name of a table with all rows, beside one with those of a view."""
_ID: Final = 32
_HEX: Final = frozenset("0123456789abcdef")
_DEEPEST: Final = 6
_MAX_ROWS: Final = 2_000
_MAX_COLUMNS: Final = 30
_MAX_CELL: Final = 500
_MARKS: Final = re.compile(r"[\\|<>`*_\[\]]")


@dataclass(slots=True)
class NotionPage:
    """A page or a table.

    Attributes:
        path: of its file.
        title: without its id.
        depth: how many pages it stands in.
        text: as Markdown, from its heading on.
    """

    path: str
    title: str
    depth: int
    text: str = ""


def id_of(path: str) -> str:
    """The id in the name of a page or a table; empty for none."""
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    if not dot or f".{ending.lower()}" not in (PAGE, TABLE):
        return ""
    return id_at_end(stem.removesuffix(_WHOLE))


def id_at_end(text: str) -> str:
    """The id that a text ends with; empty for none."""
    found = text[-_ID:]
    return found if len(found) == _ID and _HEX.issuperset(found) else ""


def in_order(paths: Sequence[str]) -> list[NotionPage]:
    """Pages and tables, each before those that stand in it; of two tables with one id the whole one."""
    whole = {path.removesuffix(_WHOLE + TABLE) + TABLE for path in paths if path.endswith(_WHOLE + TABLE)}
    keyed = sorted((_titles(path), path) for path in paths if path not in whole)
    least = min((len(titles) for titles, _ in keyed), default=0)
    return [NotionPage(path, titles[-1] or "Untitled", len(titles) - least) for titles, path in keyed]


def page_text(page: NotionPage, text: str) -> str:
    """The text of a page: its title as a heading of its depth, its own headings below."""
    title = min(page.depth + 1, _DEEPEST)
    if not text.startswith("# "):
        text = f"# {page.title}\n\n{text}"
    pieces: list[str] = []
    at = 0
    for number, section in enumerate(outline_of(text).sections):
        marks = "#" * section.level
        if text.startswith(marks, section.start):
            level = title if number == 0 else min(section.level + title, _DEEPEST)
            pieces += [text[at : section.start], "#" * level]
            at = section.start + section.level
    return "".join([*pieces, text[at:]]).rstrip("\n") + "\n"


def table_text(page: NotionPage, content: str) -> tuple[str, bool]:
    """The text of a table as Markdown, and whether all of it is there."""
    head = f"{'#' * min(page.depth + 1, _DEEPEST)} {page.title}\n"
    reading = csv.reader(io.StringIO(content, newline=""))
    try:
        rows = [row for row in islice(reading, _MAX_ROWS + 1) if row]
        is_all = next(reading, None) is None
    except csv.Error:
        return head, False
    if not rows:
        return head, True
    width = min(max(map(len, rows)), _MAX_COLUMNS)
    is_all = is_all and max(map(len, rows)) <= _MAX_COLUMNS
    lines = [_row(rows[0], width), f"|{'---|' * width}", *(_row(row, width) for row in rows[1:])]
    return "\n".join([head, *lines, ""]), is_all


def _row(row: Sequence[str], width: int) -> str:
    return f"| {' | '.join(_cells(row, width))} |"


def _cells(row: Sequence[str], width: int) -> Iterator[str]:
    for number in range(width):
        cell = " ".join(row[number].split())[:_MAX_CELL] if number < len(row) else ""
        yield _MARKS.sub(r"\\\g<0>", cell)


def _titles(path: str) -> tuple[str, ...]:
    """The names of a path without ids."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0].removesuffix(_WHOLE)
    return tuple(_without_id(part) for part in (*folders, stem))


def _without_id(name: str) -> str:
    return (name[:-_ID] if id_at_end(name) else name).strip(" -_")
