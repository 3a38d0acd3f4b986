"""Laws of marks: pairs of marks and fenced code are those that CommonMark has."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import accumulate

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from draftsmith.transform.matching.marks import is_in_fence, marks_of
from tests.seeds import examples

_COMMONMARK = MarkdownIt("commonmark").enable("strikethrough")
_SIGNS = ["*", "*", "**", "***", "_", "_", "__", "~~", "`", "``", "\\", "[b](x)", "[*b*](x)"]
_PARAGRAPHS = st.lists(st.sampled_from(["a", "5", " ", " ", ".", "(", ")", "é", "“", *_SIGNS]), max_size=14)
_NAMES = {"`": "code", "[": "a", "*": "em", "_": "em", "**": "strong", "__": "strong", "~~": "s"}
_LINES = ["", "a", "```", "```", "````", "~~~", "~~~", "~~~~~", "``` py", "~~~ a", "   ```", "    ```", "  ~~~  ", "``"]
_DOCUMENTS = st.lists(st.sampled_from(_LINES), min_size=1, max_size=8)


def _with_tags(text: str) -> str:
    """A paragraph with a tag for each mark that has a partner."""
    tags: dict[int, str] = defaultdict(str)
    marks: set[int] = set()
    for one in marks_of(text).pairs:
        name = _NAMES["`" if text[one.outer] == "`" else text[one.outer : one.inner]]
        tags[one.outer] += f"<{name}>"
        tags[one.inner_end] += f"</{name}>"
        marks.update(range(one.outer, one.inner), range(one.inner_end, one.outer_end))
    return "".join(tags[at] + ("" if at in marks else sign) for at, sign in enumerate(text))


def _as_read(text: str) -> str:
    """The same by CommonMark."""
    [inline] = [token for token in _COMMONMARK.parse(text) if token.type == "inline"]
    tags = {1: "<{}>", -1: "</{}>"}
    return "".join(
        f"<code>{token.content}</code>"
        if token.type == "code_inline"
        else tags.get(token.nesting, "").format(token.tag) or token.content
        for token in inline.children or ()
    )


@given(pieces=_PARAGRAPHS)
@example(pieces=["*", "a", "_", "b", "*"])
@settings(max_examples=examples(1_000), deadline=None)
def test_marks_have_the_partners_that_commonmark_gives_them(pieces: list[str]) -> None:
    """Emphasis, code, links and what is struck, one within the other, escaped, and without a partner."""
    text = f"w{''.join(pieces)}w"
    assume("~~~" not in text)  # which is no part of CommonMark
    bare = re.compile(r"[\\ ]")  # escapes, and blanks at the ends of code
    assert bare.sub("", _with_tags(text)) == bare.sub("", _as_read(text))


@given(lines=_DOCUMENTS, end=st.sampled_from(["\n", "\r\n"]), before=st.sampled_from(["", "b\n\n", "b\n" * 40 + "\n"]))
@settings(max_examples=examples(600), deadline=None)
def test_fenced_code_is_where_commonmark_has_it(lines: list[str], end: str, before: str) -> None:
    """From behind the fence that begins it up to the one that ends it, or to the end."""
    text = before + end.join([*lines, "z"])
    blocks = [token.map for token in _COMMONMARK.parse(end.join([*lines, "z"])) if token.type == "fence" and token.map]
    within = {line for first, last in blocks for line in range(first + 1, last)}
    opening = {first for first, _ in blocks}
    starts = [len(before), *accumulate((len(line + end) for line in lines), initial=len(before))][1:]
    for number, start in enumerate(starts):
        assert is_in_fence(text, len(before), start) == (number in within)
    for number in opening - {len(lines)}:
        assert is_in_fence(text, len(before), starts[number] + len(lines[number]))
