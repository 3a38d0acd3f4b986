"""Laws of texts in tokens: each character of the text belongs to one token, or stands between two."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

from hypothesis import example, given, settings
from hypothesis import strategies as st

from draftsmith.transform.matching.equivalence import Form
from draftsmith.transform.matching.marked_words import Cutter, marks_of_words
from tests.seeds import examples

# What reads as several characters (an ellipsis), what stands for one (marks of items, breaks), and what marks cut.
_WORDS = ["anvil", "b", "7", "\u4e2d", "\u6587", "e\u0301", "\u00bd", "\U0001f680"]
_SIGNS = ["…", "&hellip;", ".", "...", "—", "“", "(", ")", "&amp;", "\\", " ", "\u00a0", "\n", "\n\n"]
_MARKS = ["*", "**", "`", "_", "[", "](x)", "~~", "- ", "3. ", "| "]
_TEXTS = st.lists(st.sampled_from([*_WORDS, *_SIGNS, *_MARKS]), max_size=14).map("".join)


@given(form=st.sampled_from(get_args(Form)), stretch=_TEXTS, text=_TEXTS)
@example(form="B", stretch="", text="requires(Action.…), ..… and …....")
@example(form="B", stretch="", text="\u4e2d…\u4e2d\u6587")
@example(form="B", stretch="**an**vil", text="anvil-anvil…an")
@settings(max_examples=examples(600), deadline=None)
def test_no_two_tokens_have_a_character_in_common(form: Form, stretch: str, text: str) -> None:
    """Whichever words the marks of a stretch have cut before: what is copied token by token is copied once."""
    cutter = Cutter(form)
    for read in (cutter.read_stretch(stretch, marks_of_words(stretch)), cutter.read(text, marks_of_words(text))):
        assert all(token.start < token.end for token in read.tokens)
        assert all(one.end <= other.start for one, other in pairwise(read.tokens))
