"""Which words are the same in two texts: their longest common subsequence, with fewest changes.

An alignment compares words alone; signs beside words that are the same follow them, and dots that stand for words are
matched by their number. Not here: how texts become words (`marked_words`), and what is made of those that are the same
(`overlay`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from rapidfuzz.distance import Indel, LCSseq

from draftsmith.transform.matching.ellipses import dots_of
from draftsmith.transform.matching.marked_words import TokenizedText
from draftsmith.transform.matching.search_range import Dots

_MATCH, _HUNK = 1 << 44, 1 << 24  # weights: most words, then fewest changes, then what is below
_NONE: Final = -1 << 62
CELL: Final = 60
"""Units for one cell of the table of an alignment."""
MOST_CELLS: Final = 200_000
_MOST_COMPARED: Final = 25_000_000  # words of one text times words of the other

Pay = Callable[[int], None]
"""Is told how many units of work come next."""


class Alignment:
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
        self.is_full = self._length >= 0 and cells <= MOST_CELLS
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
        return self._trace_back(rows)

    def is_certain(self, tokens: Sequence[int], *, survives: bool) -> bool:
        """Whether at least one of some words survives in every alignment that is as good, or in none."""
        one, other = self._one, self._other
        if not self.is_full:
            counts, there = Counter(one), Counter(other)
            return not survives or any(counts[one[at]] == 1 == there[one[at]] for at in tokens)
        if not self._over:
            return True
        chosen = set(tokens)
        self._pay(len(one) + len(one) * len(other) // 32)
        if survives:
            rest = [word for at, word in enumerate(one) if at not in chosen]
            if LCSseq.similarity(rest, other) < self._length:
                return True
        elif not {one[at] for at in tokens} & set(other):
            return True
        weights = [int((at in chosen) != survives) for at in range(len(one))]
        rows = self._table(weights, is_weighed=True)
        plain = self._table([0] * len(one), is_weighed=True)
        left = self._best_score(rows) - self._best_score(plain)
        return left < self._length if survives else left == 0

    def _best_score(self, rows: list[tuple[list[int], list[int]]]) -> int:
        """The best score of a whole alignment, from the last row of its table."""
        matched, changed = rows[-1]
        at = len(self._other) - len(self._one) + self._over
        return max(matched[at], changed[at])

    def _table(self, weights: Sequence[int], *, is_weighed: bool = False) -> list[tuple[list[int], list[int]]]:
        """For each place of the band, the best score if the last words were matched, and if they were not."""
        self._pay(CELL * self._cells)
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
                    before = above_changed[cell] + firsts[row - 1] + seconds[column - 1]
                    if above_matched[cell] > before:
                        before = above_matched[cell]
                    if before > _NONE // 2:
                        matched[cell] = before + _MATCH + weights[row - 1]
                best = _NONE
                if row:
                    best = above_matched[cell + 1] - _HUNK + firsts[row - 1] + seconds[column]
                    if above_changed[cell + 1] > best:
                        best = above_changed[cell + 1]
                if column and cell:
                    opening = matched[cell - 1] - _HUNK + firsts[row] + seconds[column - 1]
                    if changed[cell - 1] > opening:
                        opening = changed[cell - 1]
                    if opening > best:
                        best = opening
                changed[cell] = best if best > _NONE // 2 else _NONE
            rows.append((matched, changed))
            above_matched, above_changed = matched, changed
        return rows

    def _trace_back(self, rows: list[tuple[list[int], list[int]]]) -> list[tuple[int, int]]:
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


class TokenAlignment:
    """Which tokens of two texts are the same: words as aligned, signs beside them, and anchors.

    Words before an anchor are aligned with words before it alone.

    Args:
        one: a text.
        other: another one.
        anchors: tokens of the first text that are known to be some of the second, in order.
        pay: is told how many units of work come next.

    Attributes:
        matches: the tokens of the second text by those of the first.
    """

    def __init__(
        self, one: TokenizedText, other: TokenizedText, anchors: Sequence[tuple[range, range]], pay: Pay
    ) -> None:
        self.matches: dict[int, int] = {}
        self._parts: list[tuple[dict[int, int], Alignment]] = []  # each with the numbers of its words by token
        at = there = 0
        ends = range(len(one.tokens), len(one.tokens)), range(len(other.tokens), len(other.tokens))
        for first, second in [*anchors, ends]:
            part, rest = one.part(at, first.start), other.part(there, second.start)
            borders = part.borders, rest.borders
            alignment = Alignment(
                [part.texts[n] for n in part.words], [rest.texts[n] for n in rest.words], borders, pay
            )
            words = [(part.words[a], rest.words[b]) for a, b in alignment.pairs]
            self.matches.update((at + a, there + b) for a, b in align_signs(words, part, rest).items())
            self.matches.update(zip(first, second, strict=False))
            self._parts.append(({at + token: number for number, token in enumerate(part.words)}, alignment))
            at, there = first.stop, second.stop

    def is_certain(self, tokens: Iterable[int], *, survives: bool) -> bool:
        """Whether one of some tokens survives in every alignment of words that is as good, or none does in any."""
        some = {*tokens}
        chosen = ((sorted(numbers[at] for at in some & numbers.keys()), part) for numbers, part in self._parts)
        verdicts = [part.is_certain(words, survives=survives) for words, part in chosen if words]
        return not verdicts or (any(verdicts) if survives else all(verdicts))


def align_signs(words: Sequence[tuple[int, int]], one: TokenizedText, other: TokenizedText) -> dict[int, int]:
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
class AlignedTokens:
    """Tokens of the find and what they mean in the stretch; either may be none."""

    asked: range
    there: range

    def move_by(self, asked: int, there: int) -> AlignedTokens:
        """The same in texts that have more tokens before these."""
        first, second = self.asked, self.there
        return AlignedTokens(
            range(first.start + asked, first.stop + asked), range(second.start + there, second.stop + there)
        )


def units_of(asked: TokenizedText, there: TokenizedText) -> list[AlignedTokens]:
    """The find and the stretch side by side. They are the same in words but for what a rung allows."""
    if asked.texts == there.texts:
        return [AlignedTokens(range(at, at + 1), range(at, at + 1)) for at in range(len(asked.tokens))]
    one, other = ([side.texts[at].casefold() for at in side.words] for side in (asked, there))
    words = [
        (asked.words[code.src_start + at], there.words[code.dest_start + at])
        for code in Indel.opcodes(one, other)
        if code.tag == "equal"
        for at in range(code.src_end - code.src_start)
    ]
    same = sorted(align_signs(words, asked, there).items())
    units: list[AlignedTokens] = []
    at = at_there = 0
    for first, second in [*same, (len(asked.tokens), len(there.tokens))]:
        if at < first or at_there < second:
            units.append(AlignedTokens(range(at, first), range(at_there, second)))
        if first < len(asked.tokens):
            units.append(AlignedTokens(range(first, first + 1), range(second, second + 1)))
        at, at_there = first + 1, second + 1
    return units


def units_around(asked: TokenizedText, there: TokenizedText, anchors: Sequence[AlignedTokens]) -> list[AlignedTokens]:
    """As `units_of`, with units that are known, in order."""
    units: list[AlignedTokens] = []
    at = at_there = 0
    for one in anchors:
        part = units_of(asked.part(at, one.asked.start), there.part(at_there, one.there.start))
        units += [*(unit.move_by(at, at_there) for unit in part), one]
        at, at_there = one.asked.stop, one.there.stop
    rest = units_of(asked.part(at, len(asked.tokens)), there.part(at_there, len(there.tokens)))
    return [*units, *(unit.move_by(at, at_there) for unit in rest)]


class DotsOfBoth:
    """The dots of find and replacement: what those of the find stand for, and which of the replacement they are.

    They are the same one to one, in order, if there are as many of both. Dots that the stretch has as well are signs
    like others, and so are those of the replacement that are aligned with them; if one is aligned with none, those that
    stand for words have to be aligned.

    Args:
        there: the stretch.
        asked: the find.
        replacement: what is laid over the stretch.
        dots: of the find, and what of the stretch they stand for.
        pay: is told how many units of work come next.

    Attributes:
        units: dots of the find that stand for something else than dots, with that, where both are whole tokens.
        targets: what such dots of the find stand for, by their tokens.
        pairs: the tokens of dots in the find and of the same ones in the replacement.
        unmatched: such dots of the find, if the replacement has dots and it is not clear which of them are the same.
    """

    def __init__(
        self, there: TokenizedText, asked: TokenizedText, replacement: TokenizedText, dots: Sequence[Dots], pay: Pay
    ) -> None:
        places = [(one, asked.tokens_in(one.first, one.last), there.tokens_in(one.start, one.end)) for one in dots]
        places = [one for one in places if _texts(asked, one[1]) != _texts(there, one[2])]
        self.units = [
            AlignedTokens(quoted, meant)
            for one, quoted, meant in places
            if quoted
            and quoted == asked.token_range(one.first, one.last)
            and meant == there.token_range(one.start, one.end)
        ]
        written = [tokens for span in dots_of(replacement.source) if (tokens := replacement.tokens_in(*span))]
        self.targets = {tokens: one for one, tokens, _ in places}
        self.pairs: list[tuple[range, range]] = []
        self.unmatched: Dots | None = None
        if not (places and written):
            return
        quoted = [tokens for _, tokens, _ in places]
        signs = {at for span in dots_of(asked.source) for at in asked.tokens_in(*span)}.difference(*quoted)
        same = TokenAlignment(asked, replacement, (), pay).matches if signs else {}
        known = {same[at] for at in signs & same.keys()}
        written = [tokens for tokens in written if not known.issuperset(tokens)]
        is_even = len(written) == len(quoted) and known.isdisjoint(at for tokens in written for at in tokens)
        both = list(zip(quoted, written, strict=True)) if is_even else []
        if signs <= same.keys() or all(same.get(one.start) in other for one, other in both):
            own = {unit.asked for unit in self.units}
            both = [(one, other) for one, other in both if one in own]
            self.pairs = [(one, other) for one, other in both if _are_alike(one, asked, other, replacement)]
        matched = {one for one, _ in self.pairs}
        self.unmatched = next((one for tokens, one in self.targets.items() if tokens not in matched), None)


def _texts(text: TokenizedText, tokens: range) -> list[str]:
    return text.texts[tokens.start : tokens.stop]


def _are_alike(dots: range, text: TokenizedText, others: range, other: TokenizedText) -> bool:
    """Whether dots stand in the same brackets, and others in code or right before a word only if these do, too."""
    if any(is_text(other, others) and not is_text(text, dots) for is_text in (_is_in_code, _is_before_word)):
        return False
    signs, other_signs = (set(_texts(*one)).intersection("[(") for one in ((text, dots), (other, others)))
    return signs == other_signs and not any(other.tokens[at].is_word for at in others)


def _is_in_code(text: TokenizedText, dots: range) -> bool:
    return any(mark.kind == "code" and mark.first <= dots.start < mark.last for mark in text.marks)


def _is_before_word(text: TokenizedText, dots: range) -> bool:
    end = text.tokens[dots.stop - 1].end
    return text.source[end : end + 1].isalnum()
