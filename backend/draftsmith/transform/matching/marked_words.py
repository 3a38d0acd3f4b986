"""Texts in tokens, with the marks around their words, as an overlay compares them.

A text is read into words, signs, marks of items and borders between blocks. Marks of emphasis, code, links and images
are taken out of it and stand beside: each goes from a token to a token. What is between tokens is kept as it stands.
Not here: which tokens are the same in two texts (`word_alignment`), and what becomes of them (`overlay`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

from draftsmith.transform.matching.equivalence import ADDRESS, Form, NormalForm, form_of_find
from draftsmith.transform.matching.marks import Pair, known_marks_of

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
# A run of dots is one sign: an ellipsis reads as three, and is not to be cut.
_TOKEN = re.compile(r"\n|[^\W_](?:[^\s|]*[^\W_])?|\.{3,}|[^\w\s]|_")
_TOKEN_AT_DOTS = re.compile(r"\n|[^\W_](?:(?:(?!\.{3})[^\s|])*[^\W_])?|\.{3,}|[^\w\s]|_")
_PART = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|\.{{3,}}|[^\w\s]")
_HAS_HAN = re.compile(f"[{_HAN}]")
_SENTENCE_ENDS = frozenset([".", "!", "?", ":", ";", "...", "\n", "|", "。", "！", "？"])
_ADDRESS = re.compile(f"<{ADDRESS}>")


def marks_of_words(text: str) -> list[Pair]:
    """The pairs of marks in a text, addresses in `<>` among them."""
    return [*known_marks_of(text).pairs, *addresses(text)]


def addresses(text: str) -> list[Pair]:
    """The addresses in `<>` in a text."""
    return [Pair(one.start(), one.start() + 1, one.end() - 1, one.end()) for one in _ADDRESS.finditer(text)]


@dataclass(slots=True)
class Token:
    """A word, a sign, the mark of an item, or a border between blocks: as it is compared, and where it stands."""

    text: str
    start: int
    end: int
    is_word: bool

    @property
    def is_item(self) -> bool:
        """Whether it is the mark of an item."""
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
class MarkPair:
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
        """Whether one of its ends is outside of the text."""
        return not (self.opens and self.closes)


@dataclass
class TokenizedText:
    """A text in tokens. `gaps`: what stands before each token, and behind the last one, without marks of words."""

    source: str
    tokens: list[Token]
    marks: list[MarkPair] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)

    @cached_property
    def texts(self) -> list[str]:
        """The tokens as they are compared."""
        return [token.text for token in self.tokens]

    @cached_property
    def words(self) -> list[int]:
        """Which tokens are words."""
        return [number for number, token in enumerate(self.tokens) if token.is_word]

    @cached_property
    def borders(self) -> list[int]:
        """Before each word, and behind the last one: 1 where a sentence or a block begins."""
        inner = (self.tokens[one + 1 : other] for one, other in pairwise(self.words))
        ends = [int(any(token.text[:3] in _SENTENCE_ENDS or token.is_item for token in some)) for some in inner]
        return [1, *ends, 1] if self.words else [1]

    def part(self, start: int, stop: int) -> TokenizedText:
        """The tokens from one to before another, without marks and gaps."""
        is_whole = not start and stop == len(self.tokens)
        return self if is_whole else TokenizedText(self.source, self.tokens[start:stop])

    def token_range(self, start: int, end: int) -> range:
        """The tokens in a span of the source."""
        first = bisect_left(self.tokens, start, key=lambda token: token.start)
        return range(first, max(first, bisect_right(self.tokens, end, key=lambda token: token.end)))

    def tokens_in(self, start: int, end: int) -> range:
        """The tokens that have a part in a span of the source."""
        first = bisect_right(self.tokens, start, key=lambda token: token.end)
        return range(first, max(first, bisect_left(self.tokens, end, key=lambda token: token.start)))

    def is_cut_by(self, half: _Delimiter) -> bool:
        """Whether a delimiter is a part of a word."""
        inside = self.token_range(half.start, half.end)
        before, after = self.tokens[max(0, inside.start - 1) : inside.start], self.tokens[inside.stop :][:1]
        return any(one.end > half.start for one in before) or any(one.start < half.end for one in after)


class Cutter:
    """Cuts texts into tokens; a word that a mark of the stretch cuts is cut into its parts in all of them.

    So is one that has a part in common with it. A word that is cut between its letters is no example for others.

    Args:
        form: in which texts are compared.
        at_dots: whether dots between two words without blanks cut them apart.
    """

    def __init__(self, form: Form, *, at_dots: bool = False) -> None:
        self._form = form
        self._pattern = _TOKEN_AT_DOTS if at_dots else _TOKEN
        self._cut: set[str] = set()
        self._parts: set[str] = set()
        self._places: list[int] = []

    def read_stretch(self, source: str, pairs: Sequence[Pair]) -> TokenizedText:
        """Read the stretch, and learn which words its marks cut."""
        self._places = sorted({place for one in pairs for place in (one.outer, one.inner_end)})
        reading = self.read(source, pairs)
        self._places = []
        return reading

    def read(self, source: str, pairs: Sequence[Pair]) -> TokenizedText:
        """Read a text with the pairs of marks in it."""
        reading = TokenizedText(source, list(self._tokens(source, form_of_find(source, self._form))))
        if self._form in ("D", "E"):
            _take_escapes(source, reading.tokens)
        elif ":-" in source or "-:" in source:
            _take_alignment(source, reading.tokens)
        some = [(pair, _delimiters(pair, len(source))) for pair in _nested_pairs(source, pairs)] if pairs else []
        some = [(pair, halves) for pair, halves in some if not any(reading.is_cut_by(half) for half in halves)]
        in_marks = {at for _, halves in some for half in halves for at in reading.token_range(half.start, half.end)}
        if in_marks:
            reading.tokens = [token for at, token in enumerate(reading.tokens) if at not in in_marks]
        delimiters: list[tuple[_Delimiter, MarkPair]] = []
        for pair, halves in some:
            content = reading.token_range(pair.inner, pair.inner_end)
            if not content and len(halves) == 2:
                continue
            kind = _KINDS[_sign(source, pair)]
            kind = f"{kind} {pair.inner - pair.outer}" if kind == "emphasis" else kind
            mark = MarkPair(kind, pair.outer, pair.outer_end, content.start, content.stop)
            reading.marks.append(mark)
            delimiters += [(half, mark) for half in halves]
        _fill_gaps(reading, sorted(delimiters, key=lambda one: one[0].start))
        return reading

    def _tokens(self, source: str, form: NormalForm) -> Iterator[Token]:
        # The mark of an item has the blanks behind it, also where the form reads as the source does ("3. One").
        stands_for_itself = form.text == source and form.ends[:1] == form.starts[1:2]
        if stands_for_itself and not (self._cut or self._places or _HAS_HAN.search(source)):
            for found in self._pattern.finditer(source):
                start, end = found.span()
                yield Token(found[0], start, end, is_word=source[start].isalnum())
            return
        behind, size = 0, len(form.text)  # what is before that place of the form has been read
        starts, ends = form.starts, form.ends
        for found in self._pattern.finditer(form.text):
            first, last = found.span()
            if first < behind:
                continue
            text, start, end = found[0], starts[first], ends[last - 1]
            while last < size and starts[last] == start and ends[last] == end and text != "\n":
                last += 1  # the mark of an item and the blanks behind it stand for one span
            if last > found.end():
                behind = last
                yield Token(form.text[first:last].strip(), start, end, is_word=False)
            elif last - first == 1 or text.startswith("..."):
                yield Token(text, start, end, is_word=text.isalnum())
            elif text.isascii() and end - start == last - first and text.isalnum() and not self._cut:
                yield Token(text, start, end, is_word=True)
            else:
                for from_, to in self._split(text, self._cuts(form, first, last)):
                    one = text[from_:to]
                    yield Token(one, starts[first + from_], ends[first + to - 1], any(map(str.isalnum, one)))

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
        """Whether a word has a part in common with one that was cut at its parts, in any text read so far."""
        return bool(self._parts) and any(found[0] in self._parts for found in _PART.finditer(word))


def _take_escapes(source: str, tokens: Sequence[Token]) -> None:
    """Let signs begin with the backslashes before them, which the forms without escapes leave out."""
    for token in tokens:
        while not token.is_word and token.start and source[token.start - 1] == "\\":
            token.start -= 1


def _take_alignment(source: str, tokens: Sequence[Token]) -> None:
    """Let what sets a column of a table say how, which the form with marks leaves out."""
    for token in tokens:
        if token.text == "-" and ":" in source[token.start : token.end]:
            token.text = re.sub("-+", "-", source[token.start : token.end])


def _nested_pairs(source: str, pairs: Sequence[Pair]) -> list[Pair]:
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


def _fill_gaps(reading: TokenizedText, delimiters: Sequence[tuple[_Delimiter, MarkPair]]) -> None:
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
