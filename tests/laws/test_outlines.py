"""An outline is brought along with an edit, and is then what a fresh one would be."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.model.sections import edited, outline_of

_PIECES = [
    "# A\n", "## B\n", "### C `c`\n", "# D #\n", "text\n", "\n", "---\n", "===\n", "```\n", "```x\n", "~~~\n", "> q\n",
    "- x\n", "1. a\n", "   ## in a list\n", "    code\n", "<div>\n", "<!--\n", "-->\n", "* * *\n", "[x]: y\n", "a: b\n",
    "a", "\t", "\ufeff", "\r\n", "# Z\r\n", "\r",
]  # fmt: skip
_TEXTS = st.lists(st.sampled_from(_PIECES), max_size=25).map("".join)


@settings(max_examples=400)
@given(_TEXTS, st.integers(0, 10**6), st.integers(0, 12), _TEXTS)
def test_an_outline_is_brought_along(text: str, at: int, length: int, new: str) -> None:
    """Whatever opens or closes a fence, a comment, a list or a front matter."""
    start = at % (len(text) + 1)
    end = min(len(text), start + length)
    after = text[:start] + new + text[end:]
    carried, fresh = edited(outline_of(text), start, end, after), outline_of(after)
    assert (carried.sections, carried.preamble_end, carried.text) == (fresh.sections, fresh.preamble_end, fresh.text)
