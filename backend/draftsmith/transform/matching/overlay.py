"""Lays a replacement over the text that an inexact quotation means: what both have in common stays as it stands.

Three texts are compared by words: the *stretch* of the document, the *find* that means it, and the *replacement*. Words
that find and replacement share keep the bytes of the stretch, with what stands between them. Marks are compared apart
from words: what the replacement changes in the marks of the find is done, and a mark that the find did not quote is
kept around what survives of its content. All else in the replacement is taken verbatim.

Not here: how texts become words (`marked_words`) and which of them are the same (`word_alignment`); what stands between
them (`gaps`); where the stretch begins and ends (`replacement`), and how it was found (`find_ladder`).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from draftsmith.transform.matching import wording
from draftsmith.transform.matching.ellipses import dots_of
from draftsmith.transform.matching.equivalence import Form
from draftsmith.transform.matching.gaps import Gaps, ResultToken
from draftsmith.transform.matching.marked_words import Cutter, MarkPair, TokenizedText, addresses, marks_of_words
from draftsmith.transform.matching.marks import Pair, block_starts, is_running_text
from draftsmith.transform.matching.search_range import Dots
from draftsmith.transform.matching.word_alignment import AlignedTokens, DotsOfBoth, Pay, TokenAlignment, units_around

_MAY_STAY = re.compile(r"[*_`~<\[&\\]")  # a mark, or what is like one
_LETTERS = re.compile(r"\w+")
_BULLET = re.compile(r"[-*+](?=[ \t])")
_ROW = re.compile(r"[ \t>]*\|")

_READ: Final = 100
"""Units for one character of the texts: read as words and marks."""


@dataclass(frozen=True, slots=True)
class LostMark:
    """A mark that the find did not quote and that is gone.

    Attributes:
        kind: link, image, code, emphasis, strikethrough, address, footnote or comment.
        reads: as it stood in the stretch.
        at: where it began there.
    """

    kind: str
    reads: str
    at: int


@dataclass(frozen=True, slots=True)
class Overlay:
    """What comes in place of a stretch.

    Attributes:
        text: the new text.
        pairs: the marks around its words, with offsets in it.
        lost_marks: what is gone though nobody asked for it.
    """

    text: str
    pairs: tuple[Pair, ...] = ()
    lost_marks: tuple[LostMark, ...] = ()


class AmbiguousAlignment(Exception):
    """Two alignments are equally good and keep different marks; `mark` is one that only one of them keeps."""

    def __init__(self, mark: LostMark) -> None:
        super().__init__(mark.reads)
        self.mark = mark


class UnmatchedDots(Exception):
    """The replacement has dots, and it is not clear which of them stand for what `dots` of the find do, and no more."""

    def __init__(self, dots: Dots) -> None:
        super().__init__(dots)
        self.dots = dots


def laid_over(
    stretch: str,
    pairs: Sequence[Pair],
    find: str,
    replace: str,
    *,
    dots: Sequence[Dots] = (),
    form: Form = "B",
    reads_marks: bool = True,
    pay: Pay = lambda _: None,
) -> Overlay:
    """Lay a replacement over a stretch.

    Args:
        stretch: of the document.
        pairs: its marks; a half that is cut off has offsets outside the stretch.
        find: what means it.
        replace: what shall stand there, its line ends those of the document.
        dots: of the find, and what of the stretch they stand for.
        form: in which find and stretch are the same, or nearly so.
        reads_marks: whether marks are marks; not in code, nor where find and stretch have the same ones.
        pay: is told how many units of work come next.

    Raises:
        AmbiguousAlignment: two alignments are equally good and keep different marks.
        UnmatchedDots: the replacement has dots, and it is not clear which of them are those of the find.
    """
    pay(_READ * (len(stretch) + len(find) + len(replace)))
    if not (dots and dots_of(replace)) and not _MAY_STAY.search(stretch + find) and not _share_words(find, replace):
        return Overlay(replace)
    cutter = Cutter(form, at_dots=bool(dots))
    there = cutter.read_stretch(stretch, [*pairs, *addresses(stretch)] if reads_marks else ())
    asked = cutter.read(find, marks_of_words(find) if reads_marks else ())
    given = cutter.read(replace, marks_of_words(replace) if reads_marks else ())
    known = DotsOfBoth(there, asked, given, dots, pay)
    if known.unmatched is not None:
        raise UnmatchedDots(known.unmatched)
    composer = _Composer(there, asked, given, known, pay)
    unclear = next((dots for dots, others in known.pairs if composer.may_stand_for_more(dots, others)), None)
    if unclear is not None:
        raise UnmatchedDots(known.targets[unclear])
    return composer.overlay()


def _share_words(one: str, other: str) -> bool:
    """Whether two texts have a word in common that is no small one, or dots, which stand for some."""
    if dots_of(one) and dots_of(other):
        return True
    words, others = (_LETTERS.findall(unicodedata.normalize("NFC", text)) for text in (one, other))
    return any(not wording.is_small(word) for word in {*words}.intersection(others))


@dataclass(slots=True)
class _MarkSpan:
    """A mark of the result, around the elements from `first` to `last`; of a half, one of them is beyond the ends."""

    mark: MarkPair
    first: int
    last: int
    order: tuple[bool, bool, int]


class _Composer:
    def __init__(
        self,
        there: TokenizedText,
        asked: TokenizedText,
        replacement: TokenizedText,
        dots: DotsOfBoth,
        pay: Pay,
    ) -> None:
        self._there, self._asked, self._replacement = there, asked, replacement
        self._units = units_around(asked, there, dots.units)
        self._same_dots = dict(dots.pairs)
        self._elided = {token for unit in dots.units for token in unit.there}
        self._unit_of = {token: unit for unit in self._units for token in unit.there}
        self._unit_of_asked = {token: unit for unit in self._units for token in unit.asked}
        self._alignment = TokenAlignment(asked, replacement, dots.pairs, pay)
        self._shared = self._alignment.matches
        self._asked_of = {given: asked for asked, given in self._shared.items()}
        self._unwritten: set[int] = set()  # tokens of the replacement that come to nothing
        self._elements = list(self._result_tokens())
        self._at = {one.there: number for number, one in enumerate(self._elements) if one.there is not None}
        self._lost_marks: list[LostMark] = []

    def may_stand_for_more(self, dots: range, others: range) -> bool:
        """Whether words beside dots of the find are gone in the replacement, and nothing has come in their place."""
        before = self._asked_of.get(others.start - 1, dots.start) if others.start else -1
        is_last = others.stop == len(self._replacement.tokens)
        behind = len(self._asked.tokens) if is_last else self._asked_of.get(others.stop, dots.stop)
        gone = [*range(before + 1, dots.start), *range(dots.stop, behind)]
        return any(self._asked.tokens[at].is_word for at in gone)

    def overlay(self) -> Overlay:
        gaps = Gaps(
            self._there,
            self._asked,
            self._replacement,
            units=self._units,
            elements=self._elements,
            at=self._at,
            unwritten=self._unwritten,
        )
        text, pairs = self._render(self._result_marks(), gaps)
        self._lost_marks += [LostMark(*one) for one in gaps.lost_objects()]
        return Overlay(text, tuple(pairs), tuple(sorted(self._lost_marks, key=lambda one: one.at)))

    def _result_tokens(self) -> Iterator[ResultToken]:
        """The tokens of the result in order: those of the replacement, where shared those of the stretch."""
        standing: dict[int, tuple[AlignedTokens, int]] = {}  # by token of the replacement: what comes for those up to
        between: dict[int, range] = {}  # what only the stretch has, by the token of the replacement behind it
        for number, unit in enumerate(self._units):
            if unit.asked in self._same_dots:
                same = self._same_dots[unit.asked]
                standing[same.start] = unit, same.stop
                continue
            if unit.asked:
                first = self._shared.get(unit.asked[0], -1)
                is_shared = all(self._shared.get(at) == first + at - unit.asked[0] for at in unit.asked)
                if is_shared and not self._is_elsewhere(unit, first):
                    standing[first] = unit, first + len(unit.asked)
                continue
            before = self._shared.get(self._units[number - 1].asked[-1]) if number else -1
            is_last = number + 1 == len(self._units)
            after = len(self._replacement.tokens) if is_last else self._shared.get(self._units[number + 1].asked[0])
            if before is not None and after == before + 1:
                between[after] = unit.there
        at = 0
        while at <= len(self._replacement.tokens):
            yield from (ResultToken(token, at) for token in between.get(at, ()))
            if at in standing:
                unit, stop = standing[at]
                yield from (ResultToken(token, at) for token in unit.there)
                if not unit.there:
                    self._unwritten.update(range(at, stop))
                at = stop
                continue
            if at < len(self._replacement.tokens):
                yield ResultToken(None, at)
            at += 1

    def _is_elsewhere(self, unit: AlignedTokens, first: int) -> bool:
        """Whether a small word that the find writes with another capital comes up again by itself, by chance."""
        if len(unit.asked) != 1 or len(unit.there) != 1:
            return False
        at, word = unit.asked[0], self._asked.texts[unit.asked[0]]
        is_same = word == self._there.texts[unit.there[0]] or not wording.is_small(word)
        return not is_same and self._shared.get(at - 1) != first - 1 and self._shared.get(at + 1) != first + 1

    # -- marks -------------------------------------------------------------------------------------------------------

    def _result_marks(self) -> list[_MarkSpan]:
        """The marks of the result."""
        quoted, written = self._as_asked()
        kept: list[_MarkSpan] = []
        for mark in self._there.marks:
            if mark.is_half:
                kept.append(self._half(mark))
            elif id(mark) not in quoted:
                kept += self._surviving_marks(mark, written)
        return written + kept

    def _as_asked(self) -> tuple[set[int], list[_MarkSpan]]:
        """The marks of the stretch that the find quotes, and the marks that the replacement writes.

        A mark that find and replacement have alike is the one of the stretch, if there is one, and else none.
        """
        quoted = self._quoted_marks()
        shared = self._asked_of
        around: dict[int, list[MarkPair]] = {}
        for mark in self._asked.marks:
            for token in range(mark.first, mark.last):
                around.setdefault(token, []).append(mark)
        done: set[int] = set()
        placed: list[_MarkSpan] = []
        for mark in self._replacement.marks:
            tokens = (shared[at] for at in range(mark.first, mark.last) if at in shared)
            some = Counter(id(one) for at in tokens for one in around.get(at, ()) if one.kind == mark.kind)
            like = next((one for one, _ in some.most_common() if one not in done), None)
            if like is None:
                placed += self._around(mark, mark, is_new=True)
                continue
            done.add(like)
            asked, known = quoted[like]
            if (asked.opens, asked.closes) != (mark.opens, mark.closes):
                placed += self._around(mark, mark, is_new=True)
            elif known is not None:
                placed += self._around(mark, known, is_new=False)
        return {id(known) for _, known in quoted.values() if known is not None}, placed

    def _quoted_marks(self) -> dict[int, tuple[MarkPair, MarkPair | None]]:
        """The marks of the find by their identity, each with the mark of the stretch that it quotes."""
        known = {(mark.first, mark.last, mark.kind): mark for mark in self._there.marks if not mark.is_half}
        places = (
            (mark, self._unit_of_asked[mark.first].there.start, self._unit_of_asked[mark.last - 1].there.stop)
            for mark in self._asked.marks
        )
        return {id(mark): (mark, known.get((first, last, mark.kind))) for mark, first, last in places}

    def _around(self, place: MarkPair, mark: MarkPair, *, is_new: bool) -> list[_MarkSpan]:
        """A mark around what a mark of the replacement is around."""
        first = bisect_left(self._elements, place.first, key=lambda one: one.given)
        while first < len(self._elements) and self._is_left_out(self._elements[first]):
            first += 1
        last = bisect_left(self._elements, place.last, key=lambda one: one.given) - 1
        return [_MarkSpan(mark, first, last, _order(mark, is_new=is_new))] if first <= last else []

    def _is_left_out(self, element: ResultToken) -> bool:
        """Whether only the stretch has a token, which comes before the one of the replacement that it is for."""
        return element.there is not None and not self._unit_of[element.there].asked

    def _half(self, mark: MarkPair) -> _MarkSpan:
        some = [self._at[token] for token in range(mark.first, mark.last) if token in self._at]
        if mark.closes:
            return _MarkSpan(mark, -1, max(some, default=-1), _order(mark, is_new=False))
        return _MarkSpan(mark, min(some, default=len(self._elements)), len(self._elements), _order(mark, is_new=False))

    def _surviving_marks(self, mark: MarkPair, mark_spans: list[_MarkSpan]) -> list[_MarkSpan]:
        """A mark that the find did not quote, around what survives of its content; none if nothing does.

        Beside marks that the replacement writes: those win, and of two equal ones the outer.
        """
        instead = self._instead_of(mark)
        if instead is not None:
            return self._beside_written(mark, [instead], mark_spans)
        content = self._content(mark)
        survives = any(token in self._at for token in content)
        if not any(self._there.tokens[token].is_word for token in content):
            survives = all(token in self._at for token in content)
        else:
            self._check_unambiguous(mark, content, survives=survives)
        if survives and mark.kind.startswith("emphasis") and self._is_chance(content):
            survives = any(self._has_neighbour(token) for token in content)
        if not survives:
            self._lose(mark)
            return []
        return self._beside_written(mark, self._parts(mark), mark_spans)

    def _instead_of(self, mark: MarkPair) -> tuple[int, int] | None:
        """From which to which element stands what comes in place of a mark that the find quotes as another kind.

        None if the find does not quote it so, its words all stay, or what comes there is no running text of its own.
        """
        is_kept = all(token in self._at for token in range(mark.first, mark.last))
        if is_kept or (mark.first, mark.last) not in self._marked_by_find:
            return None
        before = self._at.get(mark.first - 1) if mark.first else -1
        after = self._at.get(mark.last) if mark.last < len(self._there.tokens) else len(self._elements)
        if before is None or after is None or after - before < 2:
            return None
        first, last = before + 1, after - 1
        given = self._replacement.tokens[self._elements[first].given : self._elements[last].given + 1]
        is_one_segment = self._segments[self._elements[first].given] == self._segments[self._elements[last].given]
        is_running = is_running_text(self._replacement.source[given[0].start : given[-1].end])
        return (first, last) if is_one_segment and is_running else None

    @cached_property
    def _marked_by_find(self) -> set[tuple[int, int]]:
        """From which token of the stretch to before which one the find has a mark, of whatever kind."""
        return {
            (self._unit_of_asked[mark.first].there.start, self._unit_of_asked[mark.last - 1].there.stop)
            for mark in self._asked.marks
        }

    def _beside_written(
        self, mark: MarkPair, parts: Sequence[tuple[int, int]], mark_spans: list[_MarkSpan]
    ) -> list[_MarkSpan]:
        """A mark around parts of the result, without those that give way to what the replacement writes."""
        places = [_MarkSpan(mark, first, last, _order(mark, is_new=False)) for first, last in parts]
        verdicts = [_against(one, mark_spans) for one in places]
        if "lost" in verdicts:
            self._lose(mark)
        return [one for one, verdict in zip(places, verdicts, strict=True) if verdict == "kept"]

    def _content(self, mark: MarkPair) -> list[int]:
        """The tokens that carry a mark: its words, small ones only if it has no other."""
        tokens = range(mark.first, mark.last)
        words = [token for token in tokens if self._there.tokens[token].is_word]
        return [at for at in words if not wording.is_small(self._there.texts[at])] or words or list(tokens)

    def _is_chance(self, content: Sequence[int]) -> bool:
        """Whether what survives of a mark comes up in any text: small words, or a number without the rest.

        What dots stand for survives as a whole.
        """
        texts, kept = self._there.texts, [token for token in content if token in self._at]
        if not self._elided.isdisjoint(kept):
            return False
        if len(kept) < len(content) and all(wording.is_count(texts[token]) for token in kept):
            return True
        return all(wording.is_small(texts[token]) for token in content)

    def _has_neighbour(self, token: int) -> bool:
        """Whether a token survives with the one beside it: a small word by itself comes up again by chance."""
        at = self._at.get(token)
        return at is not None and any(self._at.get(token + step) == at + step for step in (-1, 1))

    def _check_unambiguous(self, mark: MarkPair, content: Sequence[int], *, survives: bool) -> None:
        """Raise if alignments that are equally good differ in whether the content of a mark survives."""
        units = [self._unit_of[token] for token in content]
        if any(unit.asked in self._same_dots for unit in units):
            return
        if not self._alignment.is_certain({at for unit in units for at in unit.asked}, survives=survives):
            raise AmbiguousAlignment(self._as_lost(mark))

    def _parts(self, mark: MarkPair) -> list[tuple[int, int]]:
        """From which to which element a mark goes, for each block in which words of it survive."""
        parts: dict[int, list[int]] = {}
        some = [token for token in range(mark.first, mark.last) if token in self._at]
        words = [token for token in some if self._there.tokens[token].is_word] or some
        for token in words:
            parts.setdefault(self._segments[self._elements[self._at[token]].given], []).append(token)
        found = []
        for tokens in list(parts.values())[: 1 if mark.kind.startswith("image") else None]:
            first, last = tokens[0], tokens[-1]
            while first - 1 >= mark.first and self._at.get(first - 1) == self._at[first] - 1:
                first -= 1
            while last + 1 < mark.last and self._at.get(last + 1) == self._at[last] + 1:
                last += 1
            found.append((self._at[first], self._at[last]))
        return found

    @cached_property
    def _segments(self) -> list[int]:
        """The block, or the cell of a table, of each token of the replacement, and of its end."""
        source, found, cells = self._replacement.source, [], 0
        starts = block_starts(source)
        rows = [_ROW.match(source, start) is not None for start in starts]
        for token in self._replacement.tokens:
            block = bisect_right(starts, token.start) - 1
            cells += token.text == "|" and rows[block]
            found.append(block + cells)
        return [*found, found[-1] if found else 0]

    def _lose(self, mark: MarkPair) -> None:
        self._lost_marks.append(self._as_lost(mark))

    def _as_lost(self, mark: MarkPair) -> LostMark:
        return LostMark(mark.kind.split()[0], self._there.source[mark.outer : mark.outer_end], mark.outer)

    # -- writing -----------------------------------------------------------------------------------------------------

    def _render(self, placed: list[_MarkSpan], gaps: Gaps) -> tuple[str, list[Pair]]:
        opening: dict[int, list[_MarkSpan]] = {}
        closing: dict[int, list[_MarkSpan]] = {}
        for one in placed:
            opening.setdefault(one.first, []).append(one)
            closing.setdefault(one.last, []).append(one)
        pieces: list[str] = []
        size = 0
        opened: dict[int, tuple[int, int]] = {}
        pairs: list[Pair] = []

        def write(piece: str) -> None:
            nonlocal size
            pieces.append(piece)
            size += len(piece)

        def close(at: int) -> None:
            for one in sorted(closing.get(at, ()), key=lambda one: (one.first, one.order), reverse=True):
                inner = size + len(one.mark.closes) - len(one.mark.closes.lstrip())
                write(one.mark.closes)
                if id(one) in opened:
                    pairs.append(Pair(*opened[id(one)], inner, size))

        close(-1)
        for at, element in enumerate([*self._elements, None]):
            write(gaps.before(at))
            for one in sorted(opening.get(at, ()), key=lambda one: (-one.last, one.order)):
                start = size
                write(one.mark.opens)
                opened[id(one)] = start, start + len(one.mark.opens.rstrip())
            if element is not None:
                write(self._token(at, element))
                close(at)
        return "".join(pieces), pairs

    def _token(self, at: int, element: ResultToken) -> str:
        if element.there is not None:
            token = self._there.tokens[element.there]
            text = self._there.source[token.start : token.end]
            return text + self._behind_bar(at, element) if text.endswith(" |") else text
        token = self._replacement.tokens[element.given]
        text = self._replacement.source[token.start : token.end]
        if token.text != "•":
            return text
        asked, there = (self._bullet(side) for side in (self._asked, self._there))
        return there + text[1:] if there and text[:1] == asked else text

    def _behind_bar(self, at: int, element: ResultToken) -> str:
        """The blanks behind the bar that ended a row of the stretch, where the replacement adds a cell to the row."""
        after = self._elements[at + 1].there if at + 1 < len(self._elements) else None
        if after is not None or element.given == len(self._replacement.tokens):
            return ""
        token = self._replacement.tokens[element.given]
        text = self._replacement.source[token.start : token.end]
        return text[len(text.rstrip(" \t")) :] if token.text == "|" else ""

    def _bullet(self, side: TokenizedText) -> str:
        """The sign of the first item."""
        first = next((token for token in side.tokens if token.text == "•"), None)
        sign = None if first is None else _BULLET.search(side.source, first.start, first.end)
        return "" if sign is None else sign[0]


def _order(mark: MarkPair, *, is_new: bool) -> tuple[bool, bool, int]:
    """Which of two marks around the same words is outside: code is inside, then what stood there before."""
    return mark.kind.startswith("code"), not is_new, mark.outer


def _against(one: _MarkSpan, mark_spans: list[_MarkSpan]) -> str:
    """What becomes of a kept mark beside those that the replacement writes: kept, lost, or written by it."""
    kind = one.mark.kind.split()[0]
    for other in [some for some in mark_spans if some.first <= one.last and one.first <= some.last]:
        covers = one.first <= other.first and other.last <= one.last
        is_covered = other.first <= one.first and one.last <= other.last
        its = other.mark.kind.split()[0]
        if kind == its == "link":
            return "written" if one.mark.closes.strip() == other.mark.closes.strip() else "lost"
        if one.mark.kind == other.mark.kind and is_covered:
            return "written"
        if one.mark.kind == other.mark.kind and covers:
            mark_spans.remove(other)
        elif not (covers or is_covered) or (its == "code" and is_covered) or (kind == "code" and not is_covered):
            return "lost"
    return "kept"
