"""Lays a replacement over the text that an inexact quotation means: what both have in common stays as it stands.

Three texts are compared by words: the *stretch* of the document, the *find* that means it, and the *replacement*. Words
that find and replacement share keep the bytes of the stretch, with what stands between them. Marks are compared apart
from words: what the replacement changes in the marks of the find is done, and a mark that the find did not quote is
kept around what survives of its content. All else in the replacement is taken verbatim.

First come texts in tokens (`_Reading`), then the alignment of words (`_Alignment`), then the result (`_Composer`). Not
here: where the stretch begins and ends (`replacement`), and how it was found (`find_ladder`).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

from rapidfuzz.distance import Indel, LCSseq

from draftsmith.transform import wording
from draftsmith.transform.equivalence import Form, NormalForm, form_of_find
from draftsmith.transform.marks import Pair, block_starts, known_marks_of

_KINDS: Final = {
    "[": "link",
    "!": "image",
    "`": "code",
    "~": "strikethrough",
    "<": "address",
    "*": "emphasis",
    "_": "emphasis",
}
_HAN: Final = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # no blanks between words
_TOKEN = re.compile(r"\n|[^\W_](?:[^\s|]*[^\W_])?|\.\.\.|[^\w\s]|_")
_PART = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|[^\w\s]")
_HAS_HAN = re.compile(f"[{_HAN}]")
_SENTENCE_ENDS = frozenset([".", "!", "?", ":", ";", "...", "\n", "|", "。", "！", "？"])
_HARD = re.compile(r"(?:(?<! ) {2,}+|\\)(?:\r\n|\n|\r)")
_BREAK = re.compile(r"(?:(?<![^\S\r\n])[^\S\r\n]++)?+(?:\r\n|\n|\r)")
_LINE_END = re.compile(r"\r\n?")
_BLANKS = re.compile(r"(?:[^\S\r\n\v]|&nbsp;)+")
_ADDRESS = re.compile(r"<(?:https?://|mailto:)[^<>\s]++>")
_OBJECT = re.compile(
    r"(?P<note>\[\^[^\[\]\s]+\])|(?P<image>!\[\]\([^()\s]*(?:\s+\"[^\"]*\")?\))|<!--(?:(?!<!--|-->).)*+-->", re.DOTALL
)
_MAY_STAY = re.compile(r"[*_`~<\[&\\]")  # a mark, or what is like one
_LETTERS = re.compile(r"\w+")
_BULLET = re.compile(r"[-*+](?=[ \t])")
_ROW = re.compile(r"[ \t>]*\|")

_READ: Final = 100
"""Units for one character of the texts: read as words and marks."""

Pay = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Lost:
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
        lost: what is gone though nobody asked for it.
    """

    text: str
    pairs: tuple[Pair, ...] = ()
    lost: tuple[Lost, ...] = ()


class Unclear(Exception):
    """Two alignments are equally good and keep different marks; `reads` is a mark that only one of them keeps."""

    def __init__(self, reads: str) -> None:
        super().__init__(reads)
        self.reads = reads


def laid_over(
    stretch: str,
    pairs: Sequence[Pair],
    find: str,
    replace: str,
    *,
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
        form: in which find and stretch are the same, or nearly so.
        reads_marks: whether marks are marks; not in code, nor where find and stretch have the same ones.
        pay: is told how many units of work come next.

    Raises:
        Unclear: two alignments are equally good and keep different marks.
    """
    pay(_READ * (len(stretch) + len(find) + len(replace)))
    if not _MAY_STAY.search(stretch + find) and not _share_words(find, replace):
        return Overlay(replace)
    cutter = _Cutter(form)
    there = cutter.read_stretch(stretch, [*pairs, *_addresses(stretch)] if reads_marks else ())
    asked = cutter.read(find, _pairs_of(find) if reads_marks else ())
    given = cutter.read(replace, _pairs_of(replace) if reads_marks else ())
    return _Composer(there, asked, given, pay).overlay()


def _share_words(one: str, other: str) -> bool:
    words, others = (_LETTERS.findall(unicodedata.normalize("NFC", text)) for text in (one, other))
    return any(not wording.is_small(word) for word in {*words}.intersection(others))


def _pairs_of(text: str) -> list[Pair]:
    return [*known_marks_of(text).pairs, *_addresses(text)]


def _addresses(text: str) -> list[Pair]:
    return [Pair(one.start(), one.start() + 1, one.end() - 1, one.end()) for one in _ADDRESS.finditer(text)]


# -- texts in tokens -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Token:
    """A word, a sign, the mark of an item, or a border between blocks: as it is compared, and where it stands."""

    text: str
    start: int
    end: int
    is_word: bool

    @property
    def is_item(self) -> bool:
        return not self.is_word and (self.text == "•" or self.text[0].isdigit())


@dataclass(frozen=True, slots=True)
class _Delimiter:
    """One of the two ends of a pair of marks, where it stands."""

    start: int
    end: int
    opens: bool


def _delimiters(pair: Pair, size: int) -> list[_Delimiter]:
    """The delimiters of a pair that are in a text of some size."""
    both = _Delimiter(pair.outer, pair.inner, True), _Delimiter(pair.inner_end, pair.outer_end, False)
    return [one for one in both if one.start >= 0 and one.end <= size]


@dataclass(slots=True)
class _Mark:
    """A pair of marks around the tokens from `first` to before `last`; what is outside of the text is empty."""

    kind: str
    outer: int
    outer_end: int
    first: int
    last: int
    opens: str = ""
    closes: str = ""

    @property
    def is_half(self) -> bool:
        return not (self.opens and self.closes)


@dataclass
class _Reading:
    """A text in tokens. `gaps`: what stands before each token, and behind the last one, without marks of words."""

    source: str
    tokens: list[_Token]
    marks: list[_Mark] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)

    @cached_property
    def texts(self) -> list[str]:
        return [token.text for token in self.tokens]

    @cached_property
    def words(self) -> list[int]:
        """Which tokens are words."""
        return [number for number, token in enumerate(self.tokens) if token.is_word]

    @cached_property
    def borders(self) -> list[int]:
        """Before each word, and behind the last one: 1 where a sentence or a block begins."""
        inner = (self.tokens[one + 1 : other] for one, other in pairwise(self.words))
        ends = [int(any(token.text in _SENTENCE_ENDS or token.is_item for token in some)) for some in inner]
        return [1, *ends, 1] if self.words else [1]

    def inside(self, start: int, end: int) -> range:
        """The tokens in a span of the source."""
        first = bisect_left(self.tokens, start, key=lambda token: token.start)
        return range(first, max(first, bisect_right(self.tokens, end, key=lambda token: token.end)))

    def is_cut_by(self, half: _Delimiter) -> bool:
        """Whether a delimiter is a part of a word."""
        inside = self.inside(half.start, half.end)
        before, after = self.tokens[max(0, inside.start - 1) : inside.start], self.tokens[inside.stop :][:1]
        return any(one.end > half.start for one in before) or any(one.start < half.end for one in after)


class _Cutter:
    """Cuts texts into tokens; a word that a mark of the stretch cuts is cut into its parts in all of them."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._cut: set[str] = set()
        self._parts: set[str] = set()
        self._places: list[int] = []

    def read_stretch(self, source: str, pairs: Sequence[Pair]) -> _Reading:
        """Read the stretch, and learn which words its marks cut."""
        self._places = sorted({place for one in pairs for place in (one.outer, one.inner_end)})
        reading = self.read(source, pairs)
        self._places = []
        return reading

    def read(self, source: str, pairs: Sequence[Pair]) -> _Reading:
        """Read a text with the pairs of marks in it."""
        reading = _Reading(source, list(self._tokens(form_of_find(source, self._form))))
        if self._form in ("D", "E"):
            _take_escapes(source, reading.tokens)
        some = [(pair, _delimiters(pair, len(source))) for pair in _nested(source, pairs)]
        some = [(pair, halves) for pair, halves in some if not any(reading.is_cut_by(half) for half in halves)]
        in_marks = {at for _, halves in some for half in halves for at in reading.inside(half.start, half.end)}
        reading.tokens = [token for at, token in enumerate(reading.tokens) if at not in in_marks]
        delimiters: list[tuple[_Delimiter, _Mark]] = []
        for pair, halves in some:
            content = reading.inside(pair.inner, pair.inner_end)
            if not content and len(halves) == 2:
                continue
            kind = _KINDS[_sign(source, pair)]
            kind = f"{kind} {pair.inner - pair.outer}" if kind == "emphasis" else kind
            mark = _Mark(kind, pair.outer, pair.outer_end, content.start, content.stop)
            reading.marks.append(mark)
            delimiters += [(half, mark) for half in halves]
        _fill_gaps(reading, sorted(delimiters, key=lambda one: one[0].start))
        return reading

    def _tokens(self, form: NormalForm) -> Iterator[_Token]:
        behind, size = 0, len(form.text)  # what is before that place of the form has been read
        starts, ends = form.starts, form.ends
        for found in _TOKEN.finditer(form.text):
            first, last = found.span()
            if first < behind:
                continue
            text, start, end = found[0], starts[first], ends[last - 1]
            while last < size and starts[last] == start and ends[last] == end and text != "\n":
                last += 1  # the mark of an item and the blanks behind it stand for one span
            if last > found.end():
                behind = last
                yield _Token(form.text[first:last].strip(), start, end, is_word=False)
            elif last - first == 1 or text == "...":
                yield _Token(text, start, end, is_word=text.isalnum())
            elif text.isascii() and end - start == last - first and text.isalnum() and not self._cut:
                yield _Token(text, start, end, is_word=True)
            else:
                for from_, to in self._split(text, self._cuts(form, first, last)):
                    one = text[from_:to]
                    yield _Token(one, starts[first + from_], ends[first + to - 1], any(map(str.isalnum, one)))

    def _cuts(self, form: NormalForm, first: int, last: int) -> list[int]:
        """Where marks cut a word."""
        if not self._places or form.ends[last - 1] - form.starts[first] == last - first:
            return []
        found = []
        for at in range(first, last - 1):
            number = bisect_left(self._places, form.ends[at])
            if number < len(self._places) and self._places[number] < form.starts[at + 1]:
                found.append(at + 1 - first)
        return found

    def _split(self, word: str, cuts: Sequence[int]) -> list[tuple[int, int]]:
        if not (cuts or word in self._cut or _HAS_HAN.search(word) or self._shares_a_part(word)):
            return [(0, len(word))]
        parts = [found.span() for found in _PART.finditer(word)]
        if not set(cuts) <= {end for _, end in parts}:  # in the middle of letters
            return list(pairwise([0, *cuts, len(word)]))
        if cuts:
            self._cut.add(word)
            self._parts.update(word[start:end] for start, end in parts if word[start:end].isalnum())
        return parts

    def _shares_a_part(self, word: str) -> bool:
        return bool(self._parts) and any(found[0] in self._parts for found in _PART.finditer(word))


def _take_escapes(source: str, tokens: Sequence[_Token]) -> None:
    """Let signs begin with the backslashes before them, which the forms without escapes leave out."""
    for token in tokens:
        while not token.is_word and token.start and source[token.start - 1] == "\\":
            token.start -= 1


def _nested(source: str, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs in order, without those that cross code or a link: such marks are text."""
    found = sorted((one for one in pairs if _delimiters(one, len(source))), key=lambda one: one.outer)
    firm = [(one.outer, one.outer_end) for one in found if _sign(source, one) in "`[!"]

    def is_crossed(one: Pair) -> bool:
        around = firm[: bisect_left(firm, (one.outer, one.outer))]
        within = firm[len(around) : bisect_left(firm, (one.outer_end, 0))]
        return any(one.outer < end < one.outer_end for _, end in around[-8:]) or any(
            end > one.outer_end for _, end in within[-8:]
        )

    return [one for one in found if _sign(source, one) in "`[!" or not is_crossed(one)]


def _sign(source: str, pair: Pair) -> str:
    """The first character of a mark; of one that begins outside, what closes it says so."""
    if pair.outer >= 0:
        return source[pair.outer]
    return "[" if source[pair.inner_end] == "]" else source[pair.inner_end]


def _fill_gaps(reading: _Reading, delimiters: Sequence[tuple[_Delimiter, _Mark]]) -> None:
    """Find what stands between the tokens; white space inside a mark belongs to its delimiter."""
    at = number = 0
    for begins, ends in [*((token.start, token.end) for token in reading.tokens), (len(reading.source),) * 2]:
        first = number
        while number < len(delimiters) and delimiters[number][0].start < begins:
            number += 1
        stop = begins
        for half, mark in delimiters[first:number]:
            if not half.opens:
                mark.closes = reading.source[at : half.end]
                at = half.end
        for half, mark in reversed(delimiters[first:number]):
            if half.opens:
                mark.opens = reading.source[half.start : stop]
                stop = half.start
        reading.gaps.append(reading.source[at:stop])
        at = ends


# -- the alignment of words ------------------------------------------------------------------------------------------

_MATCH, _HUNK = 1 << 44, 1 << 24  # weights: most words, then fewest changes, then what is below
_NONE: Final = -1 << 62
_CELL: Final = 60
"""Units for one cell of the table of an alignment."""
_MOST_CELLS: Final = 200_000
_MOST_COMPARED: Final = 25_000_000  # words of one text times words of the other


class _Alignment:
    """The longest common subsequence of two lists of words; among equally long ones, the one with fewest changes.

    Every such alignment keeps to a band along the diagonal, as wide as there are words that only one text has
    (Ukkonen, "Algorithms for approximate string matching", 1985), so nothing outside the band is looked at. Of equal
    ones the one is taken whose changes begin and end where sentences do.
    """

    def __init__(
        self, one: Sequence[str], other: Sequence[str], borders: tuple[Sequence[int], Sequence[int]], pay: Pay
    ) -> None:
        self._one, self._other, self._borders, self._pay = one, other, borders, pay
        size = len(one) * len(other)
        pay(size // 32 + 2 * (len(one) + len(other)))
        self._length = LCSseq.similarity(one, other) if size <= _MOST_COMPARED else -1
        self._over, self._under = len(one) - self._length, len(other) - self._length
        cells = (len(one) + 1) * (self._over + self._under + 1)
        self.is_full = self._length >= 0 and cells <= _MOST_CELLS
        self._cells = cells
        self.pairs: list[tuple[int, int]] = self._best() if self.is_full else self._quick()

    def _quick(self) -> list[tuple[int, int]]:
        """An alignment of long texts that differ much."""
        one, other = self._one, self._other
        if self._length >= 0:
            blocks = (code for code in Indel.opcodes(one, other) if code.tag == "equal")
            return [
                pair
                for code in blocks
                for pair in zip(range(code.src_start, code.src_end), range(code.dest_start, code.dest_end), strict=True)
            ]
        most = min(len(one), len(other))
        head = next((at for at in range(most) if one[at] != other[at]), most)
        tail = next((at for at in range(most - head) if one[-1 - at] != other[-1 - at]), most - head)
        ends = ((len(one) - at, len(other) - at) for at in range(tail, 0, -1))
        return [*((at, at) for at in range(head)), *ends]

    def _best(self) -> list[tuple[int, int]]:
        if not self._over and not self._under:
            return [(at, at) for at in range(len(self._one))]
        rows = self._table([0] * len(self._one))
        return self._back(rows)

    def is_certain(self, some: Sequence[int], *, survives: bool) -> bool:
        """Whether at least one of some words survives in every alignment that is as good, or in none."""
        one, other = self._one, self._other
        if not self.is_full:
            counts, there = Counter(one), Counter(other)
            return not survives or any(counts[one[at]] == 1 == there[one[at]] for at in some)
        if not self._over:
            return True
        chosen = set(some)
        self._pay(len(one) + len(one) * len(other) // 32)
        if survives:
            rest = [word for at, word in enumerate(one) if at not in chosen]
            if LCSseq.similarity(rest, other) < self._length:
                return True
        elif not {one[at] for at in some} & set(other):
            return True
        weights = [int((at in chosen) != survives) for at in range(len(one))]
        rows = self._table(weights, is_weighed=True)
        plain = self._table([0] * len(one), is_weighed=True)
        best, usual = self._end(rows), self._end(plain)
        if best >> 24 != usual >> 24:  # cannot be: weights are the least
            return False
        left = best - usual
        return left < self._length if survives else left == 0

    def _end(self, rows: list[tuple[list[int], list[int]]]) -> int:
        matched, changed = rows[-1]
        at = len(self._other) - len(self._one) + self._over
        return max(matched[at], changed[at])

    def _table(self, weights: Sequence[int], *, is_weighed: bool = False) -> list[tuple[list[int], list[int]]]:
        """For each place of the band, the best score if the last words were matched, and if they were not."""
        self._pay(_CELL * self._cells)
        one, other, over = self._one, self._other, self._over
        width = over + self._under + 1
        firsts, seconds = self._borders if not is_weighed else ([0] * (len(one) + 1), [0] * (len(other) + 1))
        rows: list[tuple[list[int], list[int]]] = []
        above_matched, above_changed = [_NONE] * (width + 1), [_NONE] * (width + 1)
        for row in range(len(one) + 1):
            matched, changed = [_NONE] * (width + 1), [_NONE] * (width + 1)
            word = one[row - 1] if row else None
            for cell in range(max(0, over - row), min(width, len(other) - row + over + 1)):
                column = row + cell - over
                if not row and not column:
                    matched[cell] = 0
                    continue
                if row and column and word == other[column - 1]:
                    closing = above_changed[cell] + firsts[row - 1] + seconds[column - 1]
                    before = max(above_matched[cell], closing)
                    if before > _NONE // 2:
                        matched[cell] = before + _MATCH + weights[row - 1]
                best = _NONE
                if row:
                    opening = above_matched[cell + 1] - _HUNK + firsts[row - 1] + seconds[column]
                    best = max(above_changed[cell + 1], opening)
                if column and cell:
                    opening = matched[cell - 1] - _HUNK + firsts[row] + seconds[column - 1]
                    best = max(best, changed[cell - 1], opening)
                changed[cell] = best if best > _NONE // 2 else _NONE
            rows.append((matched, changed))
            above_matched, above_changed = matched, changed
        return rows

    def _back(self, rows: list[tuple[list[int], list[int]]]) -> list[tuple[int, int]]:
        """The way through a table, from its end."""
        firsts, seconds = self._borders
        row, column = len(self._one), len(self._other)
        cell = column - row + self._over
        found: list[tuple[int, int]] = []
        is_match = rows[row][0][cell] >= rows[row][1][cell] + firsts[row] + seconds[column]
        while row or column:
            cell = column - row + self._over
            if is_match:
                row, column = row - 1, column - 1
                found.append((row, column))
                matched, changed = rows[row][0][cell], rows[row][1][cell]
                is_match = matched >= changed + firsts[row] + seconds[column]
                continue
            score = rows[row][1][cell]
            if row:
                if rows[row - 1][1][cell + 1] == score:
                    row -= 1
                    continue
                if rows[row - 1][0][cell + 1] - _HUNK + firsts[row - 1] + seconds[column] == score:
                    row, is_match = row - 1, True
                    continue
            if column and rows[row][1][cell - 1] == score:
                column -= 1
                continue
            column, is_match = column - 1, True
        return found[::-1]


def _filled(words: Sequence[tuple[int, int]], one: _Reading, other: _Reading) -> dict[int, int]:
    """Which tokens are the same in two texts whose words are aligned: signs beside words that are."""
    found: dict[int, int] = dict(words)
    ends = [(-1, -1), *words, (len(one.tokens), len(other.tokens))]
    for (first, second), (last, second_last) in pairwise(ends):
        at, there = first + 1, second + 1
        while at < last and there < second_last and one.texts[at] == other.texts[there]:
            found[at] = there
            at, there = at + 1, there + 1
        stop, second_stop = last - 1, second_last - 1
        while stop >= at and second_stop >= there and one.texts[stop] == other.texts[second_stop]:
            found[stop] = second_stop
            stop, second_stop = stop - 1, second_stop - 1
    return found


@dataclass(slots=True)
class _Unit:
    """Tokens of the find and what they mean in the stretch; either may be none."""

    asked: range
    there: range


def _units(asked: _Reading, there: _Reading) -> list[_Unit]:
    """The find and the stretch side by side. They are the same in words but for what a rung allows."""
    if asked.texts == there.texts:
        return [_Unit(range(at, at + 1), range(at, at + 1)) for at in range(len(asked.tokens))]
    one, other = ([side.texts[at].casefold() for at in side.words] for side in (asked, there))
    words = [
        (asked.words[code.src_start + at], there.words[code.dest_start + at])
        for code in Indel.opcodes(one, other)
        if code.tag == "equal"
        for at in range(code.src_end - code.src_start)
    ]
    same = sorted(_filled(words, asked, there).items())
    units: list[_Unit] = []
    at = at_there = 0
    for first, second in [*same, (len(asked.tokens), len(there.tokens))]:
        if at < first or at_there < second:
            units.append(_Unit(range(at, first), range(at_there, second)))
        if first < len(asked.tokens):
            units.append(_Unit(range(first, first + 1), range(second, second + 1)))
        at, at_there = first + 1, second + 1
    return units


# -- the result ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Element:
    """A token of the result: of the stretch, or of the replacement. `given`: the token of the replacement it is for."""

    there: int | None
    given: int


@dataclass(slots=True)
class _Placed:
    """A mark of the result, around the elements from `first` to `last`; of a half, one of them is beyond the ends."""

    mark: _Mark
    first: int
    last: int
    order: tuple[bool, bool, int]


class _Composer:
    def __init__(self, there: _Reading, asked: _Reading, given: _Reading, pay: Pay) -> None:
        self._there, self._asked, self._given = there, asked, given
        self._units = _units(asked, there)
        self._unit_of = {token: unit for unit in self._units for token in unit.there}
        borders = asked.borders, given.borders
        self._alignment = _Alignment(
            [asked.texts[at] for at in asked.words], [given.texts[at] for at in given.words], borders, pay
        )
        words = [(asked.words[one], given.words[other]) for one, other in self._alignment.pairs]
        self._shared = _filled(words, asked, given)
        self._elements = list(self._arranged())
        self._at = {one.there: number for number, one in enumerate(self._elements) if one.there is not None}
        self._lost: list[Lost] = []
        self._used: set[int] = set()  # gaps of the stretch

    def overlay(self) -> Overlay:
        text, pairs = self._written(self._placed())
        self._lose_objects()
        return Overlay(text, tuple(pairs), tuple(sorted(self._lost, key=lambda one: one.at)))

    def _arranged(self) -> Iterator[_Element]:
        """The tokens of the result in order: those of the replacement, where shared those of the stretch."""
        standing: dict[int, _Unit] = {}  # by the first token of the replacement that they stand for
        between: dict[int, range] = {}  # what only the stretch has, by the token of the replacement behind it
        for number, unit in enumerate(self._units):
            if unit.asked:
                first = self._shared.get(unit.asked[0], -1)
                if first >= 0 and all(self._shared.get(at) == first + at - unit.asked[0] for at in unit.asked):
                    standing[first] = unit
                continue
            before = self._shared.get(self._units[number - 1].asked[-1]) if number else -1
            is_last = number + 1 == len(self._units)
            after = len(self._given.tokens) if is_last else self._shared.get(self._units[number + 1].asked[0])
            if before is not None and after == before + 1:
                between[after] = unit.there
        at = 0
        while at <= len(self._given.tokens):
            yield from (_Element(token, at) for token in between.get(at, ()))
            if at in standing:
                yield from (_Element(token, at) for token in standing[at].there)
                at += len(standing[at].asked)
                continue
            if at < len(self._given.tokens):
                yield _Element(None, at)
            at += 1

    # -- marks -------------------------------------------------------------------------------------------------------

    def _placed(self) -> list[_Placed]:
        """The marks of the result."""
        quoted, written = self._as_asked()
        kept: list[_Placed] = []
        for mark in self._there.marks:
            if mark.is_half:
                kept.append(self._half(mark))
            elif id(mark) not in quoted:
                kept += self._kept(mark, written)
        return written + kept

    def _as_asked(self) -> tuple[set[int], list[_Placed]]:
        """The marks of the stretch that the find quotes, and the marks that the replacement writes.

        A mark that find and replacement have alike is the one of the stretch, if there is one, and else none.
        """
        quoted = self._quoted()
        shared = {given: asked for asked, given in self._shared.items()}
        around: dict[int, list[_Mark]] = {}
        for mark in self._asked.marks:
            for token in range(mark.first, mark.last):
                around.setdefault(token, []).append(mark)
        done: set[int] = set()
        placed: list[_Placed] = []
        for mark in self._given.marks:
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

    def _quoted(self) -> dict[int, tuple[_Mark, _Mark | None]]:
        """The marks of the find by their identity, each with the mark of the stretch that it quotes."""
        meant = {token: unit.there for unit in self._units for token in unit.asked}
        known = {(mark.first, mark.last, mark.kind): mark for mark in self._there.marks if not mark.is_half}
        places = ((mark, meant[mark.first].start, meant[mark.last - 1].stop) for mark in self._asked.marks)
        return {id(mark): (mark, known.get((first, last, mark.kind))) for mark, first, last in places}

    def _around(self, place: _Mark, mark: _Mark, *, is_new: bool) -> list[_Placed]:
        """A mark around what a mark of the replacement is around."""
        first = bisect_left(self._elements, place.first, key=lambda one: one.given)
        last = bisect_left(self._elements, place.last, key=lambda one: one.given) - 1
        return [_Placed(mark, first, last, _order(mark, is_new=is_new))] if first <= last else []

    def _half(self, mark: _Mark) -> _Placed:
        some = [self._at[token] for token in range(mark.first, mark.last) if token in self._at]
        if mark.closes:
            return _Placed(mark, -1, max(some, default=-1), _order(mark, is_new=False))
        return _Placed(mark, min(some, default=len(self._elements)), len(self._elements), _order(mark, is_new=False))

    def _kept(self, mark: _Mark, written: list[_Placed]) -> list[_Placed]:
        """A mark that the find did not quote, around what survives of its content; none if nothing does.

        Beside marks that the replacement writes: those win, and of two equal ones the outer.
        """
        content = self._content(mark)
        survives = any(token in self._at for token in content)
        if not any(self._there.tokens[token].is_word for token in content):
            survives = all(token in self._at for token in content)
        else:
            self._check_certain(mark, content, survives=survives)
        if mark.kind.startswith("emphasis") and all(wording.is_small(self._there.texts[token]) for token in content):
            survives = any(self._has_neighbour(token) for token in content)
        if not survives:
            self._lose(mark)
            return []
        places = [_Placed(mark, first, last, _order(mark, is_new=False)) for first, last in self._parts(mark)]
        verdicts = [_against(one, written) for one in places]
        if "lost" in verdicts:
            self._lose(mark)
        return [one for one, verdict in zip(places, verdicts, strict=True) if verdict == "kept"]

    def _content(self, mark: _Mark) -> list[int]:
        """The tokens that carry a mark: its words, small ones only if it has no other."""
        tokens = range(mark.first, mark.last)
        words = [token for token in tokens if self._there.tokens[token].is_word]
        return [at for at in words if not wording.is_small(self._there.texts[at])] or words or list(tokens)

    def _has_neighbour(self, token: int) -> bool:
        """Whether a token survives with the one beside it: a small word by itself comes up again by chance."""
        at = self._at.get(token)
        return at is not None and any(self._at.get(token + step) == at + step for step in (-1, 1))

    def _check_certain(self, mark: _Mark, content: Sequence[int], *, survives: bool) -> None:
        numbers = {token: number for number, token in enumerate(self._asked.words)}
        asked = {at for token in content for at in self._unit_of[token].asked if at in numbers}
        if asked and not self._alignment.is_certain([numbers[at] for at in sorted(asked)], survives=survives):
            raise Unclear(self._there.source[mark.outer : mark.outer_end])

    def _parts(self, mark: _Mark) -> list[tuple[int, int]]:
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
        source, found, cells = self._given.source, [], 0
        starts = block_starts(source)
        rows = [_ROW.match(source, start) is not None for start in starts]
        for token in self._given.tokens:
            block = bisect_right(starts, token.start) - 1
            cells += token.text == "|" and rows[block]
            found.append(block + cells)
        return [*found, found[-1] if found else 0]

    def _lose(self, mark: _Mark) -> None:
        reads = self._there.source[mark.outer : mark.outer_end]
        self._lost.append(Lost(mark.kind.split()[0], reads, mark.outer))

    # -- writing -----------------------------------------------------------------------------------------------------

    def _written(self, placed: list[_Placed]) -> tuple[str, list[Pair]]:
        opening: dict[int, list[_Placed]] = {}
        closing: dict[int, list[_Placed]] = {}
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
            write(self._gap(at))
            for one in sorted(opening.get(at, ()), key=lambda one: (-one.last, one.order)):
                start = size
                write(one.mark.opens)
                opened[id(one)] = start, start + len(one.mark.opens.rstrip())
            if element is not None:
                write(self._token(element))
                close(at)
        return "".join(pieces), pairs

    def _token(self, element: _Element) -> str:
        if element.there is not None:
            token = self._there.tokens[element.there]
            return self._there.source[token.start : token.end]
        token = self._given.tokens[element.given]
        text = self._given.source[token.start : token.end]
        if token.text != "•":
            return text
        asked, there = (self._bullet(side) for side in (self._asked, self._there))
        return there + text[1:] if there and text[:1] == asked else text

    def _bullet(self, side: _Reading) -> str:
        """The sign of the first item."""
        first = next((token for token in side.tokens if token.text == "•"), None)
        sign = None if first is None else _BULLET.search(side.source, first.start, first.end)
        return "" if sign is None else sign[0]

    def _gap(self, at: int) -> str:
        """What stands before an element: as in the stretch where find and replacement agree, else as in the latter."""
        there, given = self._there, self._given
        before = self._elements[at - 1] if at else None
        after = self._elements[at] if at < len(self._elements) else None
        left = 0 if before is None else None if before.there is None else before.there + 1
        right = len(there.tokens) if after is None else after.there
        new = given.gaps[len(given.tokens) if after is None else after.given]
        if left is not None and left == right and self._agree(left, new, behind=True):
            self._used.add(left)
            return there.gaps[left]
        sides = [side for side in dict.fromkeys((left, right)) if side is not None and side not in self._used]
        same = [side for side in sides if self._agree(side, new, behind=side == left)]
        same = [side for side in same if "\n" in new or "\n" not in there.gaps[side] or self._is_at_home(side)]
        same = [side for side in same if side == left or not _has_note(there.gaps[side])]
        if same and left != right:
            chosen = max(same, key=lambda side: (_OBJECT.search(there.gaps[side]) is not None, there.gaps[side] != " "))
            self._used.add(chosen)
            return there.gaps[chosen]
        written = self._objects_behind(left) + new + self._objects_before(right)
        self._used.update(side for side in sides if there.gaps[side] == new)
        return written

    def _agree(self, gap: int, new: str, *, behind: bool) -> bool:
        """Whether find and replacement have the same at a gap of the stretch, and so nothing is changed there."""
        there, asked = self._there, self._asked
        if behind and gap and gap < len(there.tokens) and self._unit_of[gap - 1] is self._unit_of[gap]:
            return True
        if behind:
            number = self._unit_of[gap - 1].asked.stop if gap else 0
        else:
            number = self._unit_of[gap].asked.start if gap < len(there.tokens) else len(asked.tokens)
        old = asked.gaps[number]
        if not old and there.gaps[gap].isspace() and self._is_beside_others(gap):
            return False
        if old == new:
            return True
        old, new, now = (_LINE_END.sub("\n", text) for text in (old, new, there.gaps[gap]))
        return old == new or (now != old and _setting(old) == _setting(new))

    def _is_beside_others(self, gap: int) -> bool:
        """Whether the find has other tokens beside a gap of the stretch, such as dots for words."""
        units = (self._unit_of[token] for token in (gap - 1, gap) if token in self._unit_of)
        return any(
            [self._asked.texts[at] for at in unit.asked] != [self._there.texts[at] for at in unit.there]
            for unit in units
        )

    def _is_at_home(self, gap: int) -> bool:
        """Whether a word beside a gap of the stretch is more than a small one that comes up again by chance.

        Else a line of the document would be broken in the middle of a text that has little to do with it.
        """
        for token, further in ((gap - 1, gap - 2), (gap, gap + 1)):
            if token not in self._at:
                continue
            word = self._there.tokens[token]
            step = further - token
            beside = self._at.get(further) == self._at[token] + step
            if beside or not 0 <= further < len(self._there.tokens) or not wording.is_small(word.text):
                return True
        return gap in (0, len(self._there.tokens))

    def _objects_behind(self, left: int | None) -> str:
        """What stands behind a word and is neither word nor blank, up to its end."""
        if not left or left in self._used:
            return ""
        objects = [one for one in _OBJECT.finditer(self._there.gaps[left]) if one[0] not in self._asked.source]
        if not objects:
            return ""
        self._used.add(left)
        return self._there.gaps[left][: objects[-1].end()]

    def _objects_before(self, right: int | None) -> str:
        """The same before a word, where the word before it is gone; a footnote goes with its word."""
        if right is None or right in self._used:
            return ""
        gap = self._there.gaps[right]
        objects = [one for one in _OBJECT.finditer(gap) if one[0] not in self._asked.source]
        if not objects or _has_note(gap):
            return ""
        self._used.add(right)
        return gap[objects[0].start() :]

    def _lose_objects(self) -> None:
        ends = [0, *(token.end for token in self._there.tokens)]
        for number, gap in enumerate(self._there.gaps):
            for one in _OBJECT.finditer(gap) if number not in self._used else ():
                if one[0] not in self._asked.source:
                    kind = "footnote" if one["note"] else "image" if one["image"] else "comment"
                    self._lost.append(Lost(kind, one[0], ends[number] + one.start()))


def _has_note(gap: str) -> bool:
    """Whether there is a footnote, which belongs to what stands before it."""
    return any(one["note"] is not None for one in _OBJECT.finditer(gap))


def _order(mark: _Mark, *, is_new: bool) -> tuple[bool, bool, int]:
    """Which of two marks around the same words is outside: code is inside, then what stood there before."""
    return mark.kind.startswith("code"), not is_new, mark.outer


def _against(one: _Placed, written: list[_Placed]) -> str:
    """What becomes of a kept mark beside those that the replacement writes: kept, lost, or written by it."""
    kind = one.mark.kind.split()[0]
    for other in [some for some in written if some.first <= one.last and one.first <= some.last]:
        covers = one.first <= other.first and other.last <= one.last
        is_covered = other.first <= one.first and one.last <= other.last
        its = other.mark.kind.split()[0]
        if kind == its == "link":
            return "written" if one.mark.closes.strip() == other.mark.closes.strip() else "lost"
        if one.mark.kind == other.mark.kind and is_covered:
            return "written"
        if one.mark.kind == other.mark.kind and covers:
            written.remove(other)
        elif not (covers or is_covered) or (its == "code" and is_covered) or (kind == "code" and not is_covered):
            return "lost"
    return "kept"


def _setting(gap: str) -> str:
    """A gap for comparing: hard line breaks, line breaks and blanks."""
    return _BLANKS.sub(" ", _BREAK.sub("\n", _HARD.sub("\v", gap)))
