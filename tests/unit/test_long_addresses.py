"""A long address in a link reference definition costs what the same characters cost inside a link."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination

from draftsmith.document import apply_edits
from draftsmith.model.markdown.block_parser import PARSER
from draftsmith.model.markdown_import import from_markdown
from draftsmith.transform.matching.equivalence import _TOKENS, normal_form

ADDRESS = "data:image/png;base64," + "iVBORw0KGgo" * 9_000
INLINE = f"# Doc\n\n![x]({ADDRESS})\n\nText.\n"
DEFINED = {
    "in brackets": f"# Doc\n\n![][image1]\n\nText.\n\n[image1]: <{ADDRESS}>\n",
    "bare": f"# Doc\n\n![][image1]\n\nText.\n\n[image1]: {ADDRESS}\n",
    "with a title": f"# Doc\n\n![][image1]\n\nText.\n\n[image1]: <{ADDRESS}>\n  'a title'\n",
    "in a list": f"# Doc\n\n![][image1]\n\nText.\n\n- [image1]: <{ADDRESS}>\n",
    "of two images": f"# Doc\n\n![][a]![][b]\n\nText.\n\n[a]: <{ADDRESS}>\n[b]: <{ADDRESS}>\n",
}
_SIGNS = (
    "<",
    ">",
    "(",
    ")",
    "\\",
    " ",
    "\n",
    "\t",
    "a",
    "&amp;",
    "%20",
    "é",
    "\x7f",
    "\x01",
    "[",
    "]",
    "\u00a0",
    "x" * 70,
)
_SCHEMES = (
    "data:image/png;",
    "data:",
    "javascript:",
    "JavaScript:",
    "&#106;avascript:",
    "file:",
    "http://h/",
    "(" * 33,
)
_addresses = st.lists(st.sampled_from(_SIGNS + _SCHEMES), max_size=8).map("".join)
_WHOLE = MarkdownIt("commonmark")
_WHOLE.core.ruler.enableOnly(["normalize", "block"])


def _calls_of_functions(text: str) -> int:
    """How many functions are called for an import and an edit, those of C included."""
    count = 0

    def seen(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        from_markdown(text)
        apply_edits(text, [{"section": "Doc", "find": "Text.", "replace": "More text."}])
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("form", DEFINED)
def test_an_address_is_not_read_letter_by_letter(form: str) -> None:
    """Importing and editing a document with an image of 100 KB in a definition takes as many calls as with it inline.

    Letter by letter it is two calls for each, 400 times as many.
    """
    assert _calls_of_functions(DEFINED[form]) < 3 * _calls_of_functions(INLINE)


@pytest.mark.parametrize("form", ["A", "B"])
def test_a_normal_form_passes_over_an_address_at_once(form: Any) -> None:
    """No rule is tried at each of its letters, and it stands in the normal form as it is."""
    text = DEFINED["in brackets"]
    longest = max(found.end() - found.start() for found in _TOKENS[form].finditer(text))
    assert longest == len("iVBORw0KGgo" * 9_000)
    assert ADDRESS in normal_form(text, form).text


@given(_addresses, st.integers(0, 2), st.integers(0, 2))
def test_an_address_ends_where_markdown_it_ends_it(text: str, start: int, short: int) -> None:
    """With brackets and without, with escapes, nested brackets and control characters."""
    stop = max(start, len(text) - short)
    mine, theirs = (read(text, start, stop) for read in (PARSER.helpers.parseLinkDestination, parseLinkDestination))
    assert (mine.ok, mine.str) == (theirs.ok, theirs.str)
    assert not mine.ok or mine.pos == theirs.pos


@given(_addresses, st.sampled_from(["", "\n===\n", "\n\nx", ' "t"\n---\n', "\n'a\nb'\n===\n"]))
def test_blocks_are_those_of_markdown_it(address: str, end: str) -> None:
    """A definition with a scheme that markdown-it forbids is a paragraph, whatever stands after it."""
    text = f"[a]: {address}{end}"
    mine, theirs = ([(token.type, token.map, token.content) for token in one.parse(text)] for one in (PARSER, _WHOLE))
    assert mine == theirs
