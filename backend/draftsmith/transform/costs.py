"""Costs of resolving operations, in units of counted work (`model.work`), and the messages beyond the budget.

Units are spent before the work is done. They follow from the request and the state alone: what happens to be cached
costs as much as what is not, so the same request is refused on every worker or on none. Not here: who spends them
(resolvers, `transaction`, `search_range`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from draftsmith.errors import Problem
from draftsmith.model.document import Document, is_bmp
from draftsmith.model.markdown.reading_cost import BLOCK, reading_cost
from draftsmith.model.markdown.sections import Outline
from draftsmith.model.rules import MOST_HEADINGS, MOST_READ
from draftsmith.model.work import TooCostly, Work

SEARCH: Final = "the search for the quoted texts"
HITS: Final = "the number of places where the quoted text stands"
TITLES: Final = "the search for sections in a document with so many"
EDITS: Final = "the number of changes of so long a document"
HEADINGS: Final = "reading so much of the document again after each change"
LINES: Final = "the comparison of the two documents"
STEPS: Final = "the number of changes of the diagram"
NESTING: Final = "so many groups inside one another"
PLACES: Final = "looking for free places"
LAYOUT: Final = "laying out so many nodes and edges"
NAMES: Final = "looking for similar names for all that was not found"
PARALLEL: Final = "so many edges between the same two nodes"
BRIDGES: Final = "the number of bridges over the deleted nodes"

_INSTEAD: Final[Mapping[str, str]] = {
    SEARCH: "Name smaller sections, quote the text exactly, or send fewer edits at once.",
    HITS: "Name a smaller section, extend the quoted text, or send the whole document.",
    TITLES: "Send fewer operations on the document at once, with full paths of sections.",
    EDITS: "Send fewer operations on the document at once, or the whole document.",
    HEADINGS: "Send fewer operations on the document at once, or the whole document.",
    LINES: "Send the sections that differ.",
    STEPS: "Send fewer operations at once.",
    NESTING: "Send fewer operations at once, or nest fewer groups.",
    PLACES: "Give the new nodes positions, or send fewer at once.",
    LAYOUT: "Lay out one group at a time, with scope: ids.",
    NAMES: "Correct the names that were not found so far.",
    PARALLEL: "Send fewer at once, or join edges between the same nodes.",
    BRIDGES: "Delete fewer nodes at once, or without bridges.",
}

OPERATION: Final = 200
STEP: Final = 500
"""Making, checking and applying one step, and telling of it in the answer."""

CHANGE: Final = 500
"""One replaced span of the document: found, made, applied, recorded and told."""

HIT: Final = 60
"""One place where a text stands."""

FIND: Final = 150
"""One character of a quoted text: read in all its forms."""

WRITTEN: Final = 80
"""One span that an earlier operation wrote, moved along."""

SECTION: Final = 250
"""One section whose place is computed anew."""

TITLE, LIKE_TITLE, RANKED_TITLE = 25, 150, 60
"""One title: looked up, compared in other forms, ranked for a suggestion."""

NAME: Final = 80
"""One name ranked for a suggestion."""

NAMED: Final = 20
"""One step that may have taken a name away."""

ANCESTOR: Final = 60
"""One group around a node, looked at by one operation."""

PARALLEL_EDGE: Final = 40
"""One edge between the same two nodes as another."""

SPOT: Final = 250
"""One spot of the drawing that may be free."""

LAID_OUT: Final = 500
"""One node or edge of a layout."""

ANCHOR, MARKED_TITLE, LINK = 25, 150, 25
"""One heading told apart from equal ones; one character of a title with marks, read for its address; one link there."""


def too_costly(error: TooCostly, index: int, op: str, path: str) -> Problem:
    """The problem of the operation at which the budget was used up."""
    instead = _INSTEAD.get(error.what, "Send fewer operations at once.")
    message = f"Too much work for one request: {error.what}. {instead}"
    return Problem(index, op, "too_costly", path, message)


def writing(text: str) -> int:
    """What one change of a text costs that grows with the text: applying, checking and counting lines."""
    if text.isascii():
        return len(text) // 16
    return len(text) // (4 if is_bmp(text) else 2)


def reading(text: str, start: int, end: int) -> int:
    """What it costs to read a span of a text as Markdown."""
    return BLOCK + reading_cost(text, start, end)


def reading_again(outline: Outline, spans: Sequence[tuple[int, int, str]]) -> int:
    """What it costs to bring an outline up to date after spans were replaced: see `sections.update_outline`."""
    start, end = spans[0][0], spans[-1][1]
    first, last = max(0, outline.count_before(start) - 2), outline.count_before(end + 1)
    begin = outline.heading(first).start if outline.count and start >= outline.preamble_end else 0
    stop = outline.heading(last).body if last < outline.count else len(outline.text)
    kept = zip([begin, *(end for _, end, _ in spans)], [*(start for start, _, _ in spans), stop], strict=True)
    read = sum(reading_cost(outline.text, first, beyond) for first, beyond in kept if first < beyond)
    read += sum(reading_cost(text) for _, _, text in spans)
    return BLOCK + read + SECTION * outline.count


def linting(document: Document) -> int:
    """What checking the places that were written costs at most."""
    text, count = document.text, document.outline.count
    length = min(len(text), MOST_READ) if "#node/" in text or "](" in text else 0
    return 20 * length + 10 * count + ANCHOR * min(count, MOST_HEADINGS)


_READING = {"A": 12, "B": 20, "C": 5, "D": 12, "E": 12, "words": 15}  # units for each character


class Readable(Protocol):
    """A range of a text, as far as reading it costs."""

    text: str
    start: int
    end: int


@dataclass
class Searches:
    """What the searches of one request have spent.

    A normal form of a range is paid for once, as long as the text stays: it is made once.

    Attributes:
        work: of the request.
    """

    work: Work
    _text: str = ""
    _paid: set[tuple[int, int, str]] = field(default_factory=set)

    def pay(self, units: int) -> None:
        """Spend units on a search."""
        self.work.spend(units, SEARCH)

    def read(self, place: Readable, form: str) -> None:
        """Spend what a normal form of a range costs, or its words."""
        if place.text is not self._text:
            self._text = place.text
            self._paid.clear()
        key = place.start, place.end, form
        if key not in self._paid:
            self._paid.add(key)
            self.pay(_READING[form] * (place.end - place.start))
