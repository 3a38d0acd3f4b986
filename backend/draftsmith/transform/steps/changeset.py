"""Changes to a text as a value, in CodeMirror 6's form: what is kept, deleted and inserted from front to back.

Lengths are UTF-16 code units, so positions agree with the browser's editor. JSON form as CodeMirror's `ChangeSet`:
`[kept, [deleted], [deleted, "line", "line"], …]`, here with LF as the only line end. Port of the ideas of
@codemirror/state's `ChangeSet` (apply, invert, compose); mapping of spans over later changes is ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from draftsmith.model.document import units
from draftsmith.model.utf16 import from_units, to_units

Part = tuple[int, str | None]  # (length, None) keeps, (length, inserted) deletes and inserts
_PIECE = 4_096  # characters
_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair


@dataclass(frozen=True, slots=True)
class Change:
    """One replaced span: `[start, end)` before, `[new_start, new_end)` after, in UTF-16 units."""

    start: int
    end: int
    new_start: int
    new_end: int
    inserted: str


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Parts in order; adjacent ones are merged, so equal changes are equal values."""

    parts: tuple[Part, ...]

    @property
    def length(self) -> int:
        """Length of the text before, in UTF-16 units."""
        return sum(length for length, _ in self.parts)

    @property
    def new_length(self) -> int:
        """Length of the text after, in UTF-16 units."""
        return sum(length if text is None else units(text) for length, text in self.parts)

    @property
    def is_empty(self) -> bool:
        """Whether it changes nothing."""
        return all(text is None for _, text in self.parts)

    def changes(self) -> Iterator[Change]:
        """The replaced spans, from front to back."""
        at = new = 0
        for length, text in self.parts:
            size = length if text is None else units(text)
            if text is not None:
                yield Change(at, at + length, new, new + size, text)
            at, new = at + length, new + size

    def apply(self, text: str) -> str:
        """The changed text.

        Raises:
            ValueError: the text has another length, or a change would split a surrogate pair.
        """
        cut = cutter(text)
        if self.length != units(text):
            raise ValueError("the changes are for a text of another length")
        out: list[str] = []
        for at, length, inserted in self._walk():
            out.append(cut(at, at + length) if inserted is None else inserted)
        return "".join(out)

    def deleted_texts(self, text: str) -> list[str]:
        """The text that each change deletes from `text`, in order.

        Raises:
            ValueError: a change would split a surrogate pair.
        """
        cut = cutter(text)
        return [cut(change.start, change.end) for change in self.changes()]

    def invert(self, deleted: Sequence[str]) -> ChangeSet:
        """The inverse changes; `deleted` is the text that each change deleted."""
        taken = iter(deleted)
        return of_parts((length, None) if text is None else (units(text), next(taken)) for length, text in self.parts)

    def compose(self, after: ChangeSet) -> ChangeSet:
        """This change followed by `after`, as one ChangeSet.

        Raises:
            ValueError: `after` is for a text of another length, or splits a surrogate pair that this inserts.
        """
        if self.new_length != after.length:
            raise ValueError("the changes do not follow one another")
        return of_parts(compose_parts(self.parts, after.parts))

    def trim(self, deleted: Sequence[str]) -> ChangeSet:
        """The same with the equal start and end of each replacement left out; `deleted` as for `invert`."""
        taken = iter(deleted)
        return of_parts(
            part
            for length, text in self.parts
            for part in (((length, None),) if text is None else trimmed_parts(next(taken), text))
        )

    def to_json(self) -> list[Any]:
        """CodeMirror's JSON form."""
        shape: list[Any] = []
        for length, text in self.parts:
            if text is None:
                shape.append(length)
            else:
                shape.append([length, *text.split("\n")] if text else [length])
        return shape

    def _walk(self) -> Iterator[tuple[int, int, str | None]]:
        at = 0
        for length, text in self.parts:
            yield at, length, text
            at += length


def of_parts(parts: Iterable[Part]) -> ChangeSet:
    """Make a ChangeSet: merge adjacent parts, drop empty ones."""
    merged: list[Part] = []
    total, pieces, is_kept = 0, list[str](), True
    for length, text in parts:
        if length == 0 and not text:
            continue
        if is_kept != (text is None):
            if total or pieces:
                merged.append((total, None if is_kept else "".join(pieces)))
            total, pieces, is_kept = 0, [], text is None
        total += length
        if text:
            pieces.append(text)
    if total or pieces:
        merged.append((total, None if is_kept else "".join(pieces)))
    return ChangeSet(tuple(merged))


def one_after_another(changes: Sequence[ChangeSet]) -> ChangeSet:
    """Compose consecutive changes into one; composed in pairs, so the cost is not quadratic.

    Raises:
        ValueError: there are none, or their lengths do not match.
    """
    if not changes:
        raise ValueError("no changes")
    level = list(changes)
    while len(level) > 1:
        pairs = [level[at].compose(level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = pairs + level[2 * len(pairs) :]
    return level[0]


def replacing(text: str, spans: Sequence[tuple[int, int, str]]) -> ChangeSet:
    """Make the changes that replace spans of `text`, given in code points, in order and not overlapping."""
    unit = to_units(text)
    return replacing_units(units(text), ((unit(start), unit(end), inserted) for start, end, inserted in spans))


def replacing_units(length: int, spans: Iterable[tuple[int, int, str]]) -> ChangeSet:
    """Make the changes that replace spans of a text of `length` UTF-16 units, in order and not overlapping."""
    parts: list[Part] = []
    at = 0
    for start, end, inserted in spans:
        parts += [(start - at, None), (end - start, inserted)]
        at = end
    parts.append((length - at, None))
    return of_parts(parts)


def from_json(shape: object) -> ChangeSet:
    """Read CodeMirror's JSON form.

    Raises:
        ValueError: it is not of that form, or holds CR or half a surrogate pair.
    """
    if not isinstance(shape, list):
        raise ValueError("a ChangeSet is a list")
    return of_parts([_part(part) for part in shape])


def _part(part: object) -> Part:
    if isinstance(part, int) and _is_length(part):
        return part, None
    if not isinstance(part, list) or not part or not _is_length(part[0]):
        raise ValueError("a part is a length, or a list of a length and lines")
    lines = part[1:]
    if not all(isinstance(line, str) for line in lines):
        raise ValueError("inserted lines are texts")
    text = "\n".join(lines)
    if "\r" in text or (not text.isascii() and _HALF.search(text)):
        raise ValueError("inserted text holds CR or half a surrogate pair")
    return part[0], text


def _is_length(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def cutter(text: str) -> Callable[[int, int], str]:
    """A function that cuts spans out of a text by UTF-16 units."""
    point = from_units(text)

    def cut(start: int, end: int) -> str:
        try:
            return text[point(start) : point(end)]
        except UnicodeDecodeError as error:
            raise ValueError("a change would split a surrogate pair") from error

    return cut


def _split(text: str, at: int) -> tuple[str, str]:
    cut = cutter(text)
    return cut(0, at), cut(at, units(text))


def trimmed_parts(old: str, new: str) -> tuple[Part, ...]:
    """One replacement without the equal code points at its start and end."""
    if old == new:
        return ((units(old), None),)
    head = _alike(lambda start, end: old[start:end] == new[start:end], min(len(old), len(new)))
    ends = len(old), len(new)
    tail = _alike(
        lambda start, end: old[ends[0] - end : ends[0] - start] == new[ends[1] - end : ends[1] - start],
        min(ends) - head,
    )
    middle = units(old[head : len(old) - tail]), new[head : len(new) - tail]
    return (units(old[:head]), None), middle, (units(old[len(old) - tail :]), None)


def _alike(is_same: Callable[[int, int], bool], most: int) -> int:
    """Length of the common prefix of two texts, by binary search, so that long ones are compared in C."""
    known, beyond = 0, most
    while known < beyond:
        middle = (known + beyond + 1) // 2
        if is_same(known, middle):
            known = middle
        else:
            beyond = middle - 1
    return known


def compose_parts(before: Sequence[Part], after: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts of two consecutive changes composed; adjacent parts are not merged.

    Iterates over the output of the first and the input of the second in parallel.
    """
    first, second = list(reversed([*_in_pieces(before)])), list(reversed(after))
    while first or second:
        if first and first[-1][1] == "":  # deleted by the first: the second never saw it
            yield first.pop()
        elif second and second[-1][0] == 0:  # inserted by the second
            yield second.pop()
        else:
            yield from _overlap(first, second)


def _in_pieces(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, long insertions as several short ones: each change inside one copies what is left of its piece."""
    for length, text in parts:
        if text is None or len(text) <= 2 * _PIECE:
            yield length, text
            continue
        for at in range(0, len(text), _PIECE):
            yield (0 if at else length), text[at : at + _PIECE]


def _overlap(first: list[Part], second: list[Part]) -> Iterator[Part]:
    length, text = first.pop()
    taken, new = second.pop()
    given = length if text is None else units(text)
    size = min(given, taken)
    rest = ""
    if text is not None:
        text, rest = _split(text, size)
    if given > size:
        first.append((length - size, None) if text is None else (0, rest))
    if taken > size:
        second.append((taken - size, None if new is None else ""))
    if text is None:
        yield size, new
    else:
        yield length, text if new is None else new
