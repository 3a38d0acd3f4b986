"""A word is found in folded segments exactly where a pattern finds it in the text."""

from __future__ import annotations

import re
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.model.markdown.sections import outline_of, update_outline
from draftsmith.transform.matching.near_words import fold_case, stands_in
from tests.seeds import examples

_WORDS = [
    "disk",
    "disks",
    "Disk",
    "DISKS",
    "d\u0131sk",
    "D\u0130SK",
    "di\u017fk",
    "dis\u212a",
    "maße",
    "masse",
    "MASSE",
    "ﬁle",
]
_PARTS = [*_WORDS, " ", " ", ".", "_", "é", "s", "\n", "\n\n", "\n\n# A\n", "- ", "`", "\r\n", "x"]
_TEXTS = st.lists(st.sampled_from(_PARTS), max_size=20).map("".join)


@settings(max_examples=examples(300))
@given(_TEXTS, st.integers(0, 10**6), _TEXTS, st.sampled_from([*map(str.lower, _WORDS), "absent"]))
def test_a_word_stands_where_a_pattern_finds_it(text: str, at: int, new: str, word: str) -> None:
    """In whatever case and number, before an edit and after it, when most segments are folded already."""
    outline = outline_of(text, 1)
    start = at % (len(text) + 1)
    after = update_outline(outline, start, start, text[:start] + new + text[start:])
    for one in (outline, after):
        pattern = rf"\b{re.escape(word.removesuffix('s'))}s?\b"
        assert stands_in(one.segments, one.text, word) == (re.search(pattern, one.text, re.IGNORECASE) is not None)


def test_all_letters_that_a_pattern_takes_for_equal_are_folded_to_the_same() -> None:
    """Each letter against its own cases, which is what `re.IGNORECASE` compares, and the few pairs beyond them."""
    letters = [one for one in map(chr, range(sys.maxunicode + 1)) if one.lower() != one or one.upper() != one]
    for letter in letters:
        for other in {letter.lower(), letter.upper()} - {letter}:
            if len(other) == 1 and re.fullmatch(re.escape(other), letter, re.IGNORECASE):
                assert fold_case(letter) == fold_case(other)
    for known in ("i", "s", "k", "\xb5", "\u03b8", "\u03c3"):
        equal = re.compile(known, re.IGNORECASE)
        assert {fold_case(letter) for letter in letters if equal.fullmatch(letter)} == {fold_case(known)}
