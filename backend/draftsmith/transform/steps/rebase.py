"""Rebases changes that were made to an older text onto the current text.

Port of the idea of @codemirror/state's `ChangeSet.map`, on our normal form, in which adjacent changed parts are merged.
Server and page normalise every ChangeSet before and after mapping, so their results are equal
(`tests/contracts/test_changesets_under_node.py`). Only lengths are read, and inserted text is never cut, so the cost
depends on the changes and not on the document. Not here: mapping spans, which undo needs (`spans`, `retract`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from draftsmith.model.document import units
from draftsmith.transform.steps.changeset import ChangeSet, Part, of_parts


def rebase_changes(changes: ChangeSet, over: Iterable[ChangeSet]) -> ChangeSet:
    """Map changes over consecutive other changes; at the same position the others' insertions come first.

    Raises:
        ValueError: the lengths of the texts do not match.
    """
    for other in over:
        changes = map_changes(changes, other)
    return changes


def map_changes(mine: ChangeSet, other: ChangeSet, *, before: bool = False) -> ChangeSet:
    """Map my changes to the text that `other` leads to; both are for the same text.

    Text that both delete is deleted once. `before`: whether my insertions come before others at the same position; the
    two sides of a pair must pass opposite values: `a` then `map_changes(b, a)` gives the same text as `b` then
    `map_changes(a, b, before=True)`.

    Raises:
        ValueError: they are for texts of different lengths.
    """
    if mine.length != other.length:
        raise ValueError("the changes are for texts of different lengths")
    return mine if other.is_empty else of_parts(_walk(_Cursor(mine.parts), _Cursor(other.parts), before=before))


@dataclass(slots=True)
class _Cursor:
    """A cursor in the text before the changes; a part may be consumed in pieces.

    Attributes:
        parts: of one ChangeSet.
        index: of the current part; past the last one at the end.
        left: units of the current part that have not been consumed.
        inserted: its inserted text; None for a kept part, and at the end.
        is_written: whether its insertion has been emitted.
    """

    parts: tuple[Part, ...]
    index: int = -1
    left: int = 0
    inserted: str | None = None
    is_written: bool = False

    def __post_init__(self) -> None:
        self.next()

    @property
    def is_done(self) -> bool:
        return self.index >= len(self.parts)

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the current part has been consumed."""
        return not self.is_done and self.left == self.parts[self.index][0]

    def next(self) -> None:
        self.index += 1
        self.left, self.inserted = (0, None) if self.is_done else self.parts[self.index]
        self.is_written = False

    def forward(self, length: int) -> None:
        if length == self.left:
            self.next()
        else:
            self.left -= length

    def insertion(self) -> str:
        """The insertion of the current part on the first call, then the empty string."""
        text = "" if self.is_written or self.inserted is None else self.inserted
        self.is_written = True
        return text


def _walk(mine: _Cursor, other: _Cursor, *, before: bool) -> Iterator[Part]:
    while not (mine.is_done and other.is_done):
        if mine.inserted is None and other.inserted is None:
            length = min(mine.left, other.left)
            yield length, None
            mine.forward(length)
            other.forward(length)
        elif other.inserted is not None and _comes_first(other, mine, before=before):
            yield from _past_theirs(mine, other)
        else:
            yield _mine_up_to_theirs(mine, other)


def _comes_first(other: _Cursor, mine: _Cursor, *, before: bool) -> bool:
    """Whether the other's change comes before mine: by start, then by length, then by `before`."""
    if mine.inserted is None or mine.is_written:
        return True
    return mine.is_whole and (other.left < mine.left or (other.left == mine.left and not before))


def _past_theirs(mine: _Cursor, other: _Cursor) -> Iterator[Part]:
    """Keep their insertion; of my changes in the span that they deleted, only insertions remain."""
    yield units(other.inserted or ""), None
    length = other.left
    while length:
        piece = min(mine.left, length)
        if mine.inserted is not None and mine.left <= piece:
            yield 0, mine.insertion()
        mine.forward(piece)
        length -= piece
    other.next()


def _mine_up_to_theirs(mine: _Cursor, other: _Cursor) -> Part:
    """My change up to their next insertion inside it, without the text that they deleted."""
    taken, left = 0, mine.left
    while left:
        if other.inserted is None:
            piece = min(left, other.left)
            taken += piece
            left -= piece
            other.forward(piece)
        elif not other.inserted and other.left < left:
            left -= other.left
            other.next()
        else:
            break
    part = taken, mine.insertion()
    mine.forward(mine.left - left)
    return part
