"""Forms of a text that are put together from its pieces are those of the whole text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from hypothesis import example, given, settings
from hypothesis import strategies as st

from draftsmith.transform.matching.equivalence import NormalForm
from draftsmith.transform.matching.paragraphs import Paragraph, Paragraphs
from tests.seeds import examples

_PARTS = [
    "word ", "one two", "**b**", "`c`", "`", "``", "[a](b)", "[a](", "[a][", '(x "t', '"', ")", "]", "|", "\\", "…",
    "“", " don't ", "can't ", "\n", "\n\n", "\n\n", "\n\n\n", " \n\n", "\n \n", "\n\n> ", "> ", "- ", "* ", "*", "_",
    "_x_", "1. ", "# H", "```", "~~~", "--", "-- ", "\u200b", "\xa0", "\t", "\r\n", "\r", "\r\n\r\n", "é",
    "\\n", "\\t", "&nbsp;", "&lt;", "e\u0301", "\u0301", "\u1112\u1161\u11ab", "\u2126",
    "\n>\n", "\n\n>\n", "*a", "a*", "[", "![", "![a](b)", "[[a](b)", "](<c d>)", "<a@b.c>",
    "\n|:--|-", "\n- | -", " a", ". B", "\n\n- ", "\n\n# ", "\x85", "\U0001f600",
]  # fmt: skip
_TEXTS = st.lists(st.sampled_from(_PARTS), max_size=40).map("".join)
_FORMS: list[Callable[[Paragraph], NormalForm]] = [
    lambda piece: piece.form_a,
    lambda piece: piece.form_b,
    lambda piece: piece.form_c,
    lambda piece: piece.form_d,
    lambda piece: piece.form_e,
]


@settings(max_examples=examples(500))
@given(_TEXTS)
@example('a [b](c "d\n\ne" )\n\nf')
@example("a [b][c\n\nd]\n\ne")
@example("a [b]( \n\nc)\n\nd")
@example("`a\n\nb`\n\nc")
def test_the_forms_of_pieces_are_those_of_the_whole(text: str) -> None:
    """Each character, its place in the text, links, code and words; also where a link reaches over a blank line."""
    pieces, whole = Paragraphs(text), Paragraph(text)
    for of in _FORMS:
        made, wanted = pieces.form(of), of(whole)
        assert made.text == wanted.text
        assert [*made.starts] == [*wanted.starts]
        assert [*made.ends] == [*wanted.ends]
        assert ([*made.links], [*made.codes], made.within) == ([*wanted.links], [*wanted.codes], wanted.within)
    assert [*pieces.words] == whole.words
    assert pieces.lows == whole.lows
    assert [*pieces.words[1:3]] == whole.words[1:3]


@settings(max_examples=examples(200))
@given(_TEXTS, st.integers(0, 10**6))
def test_the_block_at_a_place_is_that_of_the_whole(text: str, offset: int) -> None:
    """Though only the piece that the place is in is looked at."""
    at = offset % (len(text) + 1)
    begins = [*Paragraph(text).blocks, len(text)]
    number = bisect_right(begins, at, hi=len(begins) - 1)
    assert Paragraphs(text).block_at(at) == (begins[number - 1], begins[number])


def test_a_piece_is_kept_by_its_text() -> None:
    """After an edit only what it has changed is read again."""
    before, after = Paragraphs("# A\n\nwords\n\nmore\n"), Paragraphs("# A\n\nother words\n\nmore\n")
    assert [one is other for one, other in zip(before.all, after.all, strict=True)] == [True, False, True]
