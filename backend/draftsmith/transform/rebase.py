"""Rebasing changes: what somebody made on an older text, made to fit the text that others have gone on with.

Port of the idea of @codemirror/state's `ChangeSet.map`, on our normal form, in which neighbouring changed parts are
one. Both sides bring every ChangeSet into that form before and after mapping; then they agree exactly
(`tests/contracts/test_changesets_under_node.py`). Texts are not looked at, only lengths, and nobody's inserted text is
ever cut, so the price is that of the changes and not that of the document. Not here: mapping spans, which an undo
needs (`changeset`, `retract`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from draftsmith.model.document import units
from draftsmith.transform.changeset import ChangeSet, Part, of_parts


def rebased(changes: ChangeSet, over: Iterable[ChangeSet]) -> ChangeSet:
    """The changes mapped over others, which follow one another, one after the other; what was there first comes first.

    Raises:
        ValueError: they do not begin with the same text, or the others do not follow one another.
    """
    for other in over:
        changes = mapped(changes, other)
    return changes


def mapped(mine: ChangeSet, other: ChangeSet, *, before: bool = False) -> ChangeSet:
    """My changes for the text that `other` leads to; both are for the same text.

    What both delete is deleted once. `before`: whether my insertions stand before others at the same place; both sides
    of a pair must say opposite things: `a` then `mapped(b, a)` gives what `b` then `mapped(a, b, before=True)` gives.

    Raises:
        ValueError: they are for texts of different lengths.
    """
    if mine.length != other.length:
        raise ValueError("the changes are for texts of different lengths")
    return mine if other.is_empty else of_parts(_walk(_Cursor(mine.parts), _Cursor(other.parts), before=before))


@dataclass(slots=True)
class _Cursor:
    """Walks along the text before the changes; a part may be taken piece by piece.

    Attributes:
        parts: of one ChangeSet.
        index: of the current part; past the last one at the end.
        left: units of the text before that are left of it.
        inserted: what it puts there; None for a kept part, and at the end.
        is_written: whether its insertion has been put out already.
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
        """Whether nothing of the current part has been taken."""
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
        """What the current part inserts, once."""
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
    """Whether the other's change comes before mine: by where it begins, then by length, then as asked."""
    if mine.inserted is None or mine.is_written:
        return True
    return mine.is_whole and (other.left < mine.left or (other.left == mine.left and not before))


def _past_theirs(mine: _Cursor, other: _Cursor) -> Iterator[Part]:
    """What they put there is kept; of mine on the span that they took away, only insertions are left."""
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
    """My change up to where they begin to insert inside it, without what they deleted of it."""
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
