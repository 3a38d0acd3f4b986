"""Laws of alignments: of all ways in which two lists of words can be aligned, the best one is taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.transform.matching.word_alignment import Alignment
from tests.seeds import examples

_Pairs = list[tuple[int, int]]
_WORDS = st.lists(st.sampled_from("abc"), max_size=6)
_BORDERS = st.lists(st.integers(0, 1), min_size=7, max_size=7)


def _all_alignments(one: Sequence[str], other: Sequence[str], at: int = 0, there: int = 0) -> Iterator[_Pairs]:
    """Every list of pairs of equal words that rises in both."""
    yield []
    for first in range(at, len(one)):
        for second in range(there, len(other)):
            if one[first] == other[second]:
                for rest in _all_alignments(one, other, first + 1, second + 1):
                    yield [(first, second), *rest]


def _changes(pairs: _Pairs, one: Sequence[str], other: Sequence[str]) -> _Pairs:
    """Where the changes between pairs begin and end, as places in both."""
    ends = zip([(-1, -1), *pairs], [*pairs, (len(one), len(other))], strict=True)
    gaps = [((a + 1, b + 1), end) for (a, b), end in ends]
    return [place for begin, end in gaps if begin != end for place in (begin, end)]


def _is_any_in(tokens: set[int], pairs: _Pairs) -> bool:
    return any(at in tokens for at, _ in pairs)


@given(one=_WORDS, other=_WORDS, firsts=_BORDERS, seconds=_BORDERS)
@settings(max_examples=examples(500), deadline=None)
def test_the_most_words_stay_with_the_fewest_changes_between_sentences(
    one: list[str], other: list[str], firsts: list[int], seconds: list[int]
) -> None:
    """Most words first, then fewest changes, then as many of their ends as can be where a sentence begins."""
    firsts, seconds = firsts[: len(one) + 1], seconds[: len(other) + 1]

    def rank(pairs: _Pairs) -> tuple[int, int, int]:
        places = _changes(pairs, one, other)
        return len(pairs), -len(places), sum(firsts[a] + seconds[b] for a, b in places)

    chosen = Alignment(one, other, (firsts, seconds), lambda _: None).pairs
    every = list(_all_alignments(one, other))
    assert chosen in every
    assert rank(chosen) == max(map(rank, every))


@given(one=_WORDS, other=_WORDS, tokens=st.sets(st.integers(0, 5), min_size=1))
@settings(max_examples=examples(500), deadline=None)
def test_it_is_certain_what_stays_where_all_equally_good_ones_agree(
    one: list[str], other: list[str], tokens: set[int]
) -> None:
    """Whether any of some words stays: in every alignment with as many words and as few changes, or in none."""
    tokens &= set(range(len(one)))
    alignment = Alignment(one, other, ([0] * (len(one) + 1), [0] * (len(other) + 1)), lambda _: None)
    every = list(_all_alignments(one, other))
    best = max((len(pairs), -len(_changes(pairs, one, other))) for pairs in every)
    good = [pairs for pairs in every if (len(pairs), -len(_changes(pairs, one, other))) == best]
    survives = _is_any_in(tokens, alignment.pairs)
    agree = all(_is_any_in(tokens, pairs) == survives for pairs in good)
    assert alignment.is_certain(sorted(tokens), survives=survives) == agree
