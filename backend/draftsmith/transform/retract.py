"""Undoes one person's typing in a text that others have edited meanwhile and since.

Typing is undone span by span: a span is what one push changed at one position, about a second of typing. A span in
which others have changed something is left as it is and reported; one that they deleted completely needs no undo. Text
that others wrote is always kept.

First the pushes are inverted, newest first, on the text after their run of commits, where only the others' changes
within the run matter. Then the resulting spans are mapped, all at once, over everything that was changed later; so even
typing from hours ago can be undone. Not here: which commits these are, and reading them
(`usecases.commits.undo_requests`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from draftsmith.model.document import units
from draftsmith.transform.changeset import ChangeSet, Part, composed, of_parts
from draftsmith.transform.shapes import LeftOut
from draftsmith.transform.spans import Span, SpanMap
from draftsmith.transform.steps_text import ChangeText, in_one

_LISTED, _SHOWN = 50, 80
_WHY = "that text has been changed since"


@dataclass(frozen=True, slots=True)
class Typed:
    """A text step of a run of commits; `is_theirs`: by the person whose typing is undone."""

    step: ChangeText
    is_theirs: bool


@dataclass(frozen=True, slots=True)
class Retraction:
    """The changes that undo typing, for the text at the head, and parts that were left out, as `{what, why}`."""

    changes: ChangeSet
    left_out: list[LeftOut]


def retraction(run: Sequence[Typed], later: Sequence[ChangeText], head: str) -> Retraction:
    """Compute the changes that undo typing, as far as others have not changed it.

    Args:
        run: the text steps of a run of commits, oldest first.
        later: those after it.
        head: the text after all of them.
    """
    since = in_one(later).trimmed() if later else _nothing(units(head))
    text = since.inverse().changes.apply(head)
    inverse, missed = _at_the_end(run, units(text))
    moved = _moved(inverse, inverse.deleted(text), since.changes)
    return Retraction(of_parts(moved.parts()), _in_words([*missed, *moved.missed]))


def _at_the_end(run: Sequence[Typed], length: int) -> tuple[ChangeSet, list[_Missed]]:
    """Changes that undo the typing at the end of its run, by span (not in normal form), and spans left out.

    `since` leads from the text after each step to the text at the end without what was typed later.
    """
    since = _nothing(length)
    made: list[tuple[Part, ...]] = []
    missed: list[_Missed] = []
    for typed in reversed(run):
        if typed.is_theirs:
            inverse = typed.step.inverse()
            moved = _moved(inverse.changes, inverse.deleted, since.changes)
            missed += moved.missed[::-1]
            if moved.spans:
                made.append(moved.parts())
                since = in_one([since, moved.edit()])
        since = in_one([typed.step, since]).trimmed()
    return ChangeSet(_joined(made) if made else ((length, None),)), missed[::-1]


@dataclass(frozen=True, slots=True)
class _Missed:
    """A span that is left out: the typed text, the text it replaced, and its position, once known."""

    typed: str
    instead: str
    span: Span


@dataclass(slots=True)
class _Moved:
    """Spans of a text mapped to a later one, and those that no longer exist there."""

    length: int
    spans: list[Span] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    instead: list[str] = field(default_factory=list)
    missed: list[_Missed] = field(default_factory=list)

    def parts(self) -> tuple[Part, ...]:
        """The parts that undo them; adjacent parts are not merged."""
        parts: list[Part] = []
        at = 0
        for (start, end), text in zip(self.spans, self.instead, strict=True):
            parts += [(start - at, None), (end - start, text)]
            at = end
        return tuple(_tidied([*parts, (self.length - at, None)]))

    def edit(self) -> ChangeText:
        """The same as a step."""
        back: list[Part] = []
        at = 0
        for (start, end), instead, typed in zip(self.spans, self.instead, self.typed, strict=True):
            back += [(start - at, None), (units(instead), typed)]
            at = end
        back.append((self.length - at, None))
        return ChangeText(of_parts(self.parts()), tuple(change.inserted for change in of_parts(back).changes()))


def _moved(changes: ChangeSet, typed: Sequence[str], since: ChangeSet) -> _Moved:
    """Map the spans of `changes`, each of which deletes `typed`, over the changes since."""
    moved = _Moved(since.new_length)
    now = SpanMap(since.changes())
    for change, text in zip(changes.changes(), typed, strict=True):
        span = now.exact(change.start, change.end)
        if span is not None:
            moved.spans.append(span)
            moved.typed.append(text)
            moved.instead.append(change.inserted)
        elif change.inserted or not now.is_deleted(change.start, change.end):
            moved.missed.append(_Missed(text, change.inserted, (change.start, change.end)))
    return moved


def _nothing(length: int) -> ChangeText:
    return ChangeText(of_parts([(length, None)]), ())


def _joined(changes: Sequence[tuple[Part, ...]]) -> tuple[Part, ...]:
    """Compose consecutive changes, in pairs; their spans stay separate."""
    level = list(changes)
    while len(level) > 1:
        pairs = [tuple(_tidied(composed(level[at], level[at + 1]))) for at in range(0, len(level) - 1, 2)]
        level = pairs + level[2 * len(pairs) :]
    return level[0]


def _tidied(parts: Sequence[Part] | Iterator[Part]) -> Iterator[Part]:
    """Drop empty parts and merge adjacent kept ones."""
    kept = 0
    for length, text in parts:
        if text is None:
            kept += length
        elif length or text:
            if kept:
                yield kept, None
            yield length, text
            kept = 0
    if kept:
        yield kept, None


def _in_words(missed: Sequence[_Missed]) -> list[LeftOut]:
    """Describe the parts left out; adjacent ones are joined, and only the number of very many is given."""
    joined: list[_Missed] = []
    for one in missed:
        last = joined[-1] if joined else None
        if last is not None and last.span[1] == one.span[0] and bool(last.typed) == bool(one.typed):
            span = last.span[0], one.span[1]
            joined[-1] = _Missed(last.typed + one.typed, last.instead + one.instead, span)
        else:
            joined.append(one)
    said: list[LeftOut] = [{"what": _what(one), "why": _WHY} for one in joined[:_LISTED]]
    if len(joined) > _LISTED:
        said.append({"what": f"{len(joined) - _LISTED} more places in the document", "why": _WHY})
    return said


def _what(one: _Missed) -> str:
    if one.typed and one.instead:
        return f"the typed text “{_shown(one.typed)}”, which stood in for “{_shown(one.instead)}”"
    return f"the typed text “{_shown(one.typed)}”" if one.typed else f"bringing back “{_shown(one.instead)}”"


def _shown(text: str) -> str:
    """A text for use in a sentence: on one line and shortened."""
    line = " ".join(text.split()) or "␣"
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
