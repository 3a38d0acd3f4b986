"""The lines of a document that operations wrote, as they read after a whole batch of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from draftsmith.model.document import from_units_in_order, with_lf
from draftsmith.model.markdown.sections import line_starts
from draftsmith.transform.staged_operations import StagedOperation
from draftsmith.transform.steps.spans import Span, SpanMap
from draftsmith.transform.steps.steps import text_steps

_LINES = 3  # for each operation
_MOST = 50  # changes of one operation whose lines are looked at
_LONGEST = 200  # characters of a line; of a longer one, those around the change


@dataclass(frozen=True, slots=True)
class LineNow:
    """A line: its number, 1-based, and its text, shortened if it is long."""

    number: int
    text: str


def lines_now(text: str, staged: Sequence[StagedOperation]) -> list[list[LineNow]]:
    """For each operation, up to three of the lines that it wrote; none if it did not change the text.

    Where it only deleted, the line that stands there now; where the edit had been made before, the lines that it made
    then. Blank lines are left out.

    Args:
        text: of the document after all the operations.
        staged: in order.
    """
    made_before = [_made_before(text, one) for one in staged]
    if not any(made_before) and not any(text_steps(one.steps) for one in staged):
        return [[] for _ in staged]
    lines, spans = _Lines(text), _in_code_points(text, _spans_now(staged))
    return [
        list(dict.fromkeys(line for start, end in known or some for line in lines.at(start, end)))[:_LINES]
        for known, some in zip(made_before, spans, strict=True)
    ]


def _made_before(text: str, one: StagedOperation) -> list[Span]:
    """Where the replacement of an edit stands that a commit had made before, in code points."""
    match = one.result.get("match")
    if match is None or match["rung"] != "repeated":
        return []
    new = with_lf(str(one.asked["replace"]))
    at = text.find(new)
    return [(at, at + len(new))] if at >= 0 else []


def _spans_now(staged: Sequence[StagedOperation]) -> list[list[Span]]:
    """For each operation, the spans it wrote, in UTF-16 units of the text after all of them."""
    spans: list[list[Span]] = []
    for one in staged:
        own: list[Span] = []
        for step in text_steps(one.steps):
            later = SpanMap(step.changes.changes())
            spans = [[later.map_widening(*span) for span in some] for some in spans]
            own = [later.map_widening(*span) for span in own]
            own += [(change.new_start, change.new_end) for change in islice(step.changes.changes(), _MOST)]
        spans.append(own)
    return spans


def _in_code_points(text: str, spans: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """The spans with positions in code points; the text is scanned once."""
    point = from_units_in_order(text)
    points = {at: point(at) for at in sorted({at for some in spans for span in some for at in span})}
    return [[(points[start], points[end]) for start, end in some] for some in spans]


class _Lines:
    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = line_starts(text)

    def at(self, start: int, end: int) -> Iterator[LineNow]:
        """The lines of a span that are not blank; for a span without any, the next one, else the one before."""
        piece = self._text[start:end]
        start += len(piece) - len(piece.lstrip("\n"))
        end = max(start, end - len(piece) + len(piece.rstrip("\n")))
        first, last = self._index(start), self._index(end)
        found = [index for index in range(first, last + 1) if self._line(index).strip()]
        if not found:
            after = (index for index in range(last + 1, len(self._starts)) if self._line(index).strip())
            before = (index for index in range(first - 1, -1, -1) if self._line(index).strip())
            found = [index for index in (next(after, next(before, None)),) if index is not None]
        return (LineNow(index + 1, self._shortened_line(index, start)) for index in found[:_LINES])

    def _index(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def _line(self, index: int) -> str:
        end = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._text)
        return self._text[self._starts[index] : end].rstrip("\n")

    def _shortened_line(self, index: int, changed: int) -> str:
        line = self._line(index)
        if len(line) <= _LONGEST:
            return line
        first = max(0, min(changed - self._starts[index] - _LONGEST // 3, len(line) - _LONGEST))
        return f"{'…' if first else ''}{line[first : first + _LONGEST]}{'…' if first + _LONGEST < len(line) else ''}"
