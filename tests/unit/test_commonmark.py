"""Top-level headings of all examples of the CommonMark specification, against the reference parser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from draftsmith.document import headings, split
from draftsmith.model.markdown.code_spans import CodeSpans, without_code

FIXTURE = Path(__file__).parent.parent / "fixtures" / "commonmark-headings.json"
EXAMPLES: list[dict[str, Any]] = json.loads(FIXTURE.read_text("utf-8"))

# Where we mean to differ, each with its reason. None so far: example 96 looks like a front matter and is none, since
# its lines are no YAML.
EXCEPTIONS: dict[int, str] = {}
CODE_IN_OTHERS = {344: "a backtick in HTML", 346: "a backtick in an address"}

_INLINE_MARKS = set("*_`[]<>\\&!")


def seen(text: str) -> list[tuple[int, int]]:
    return [(heading.level, heading.line) for heading in headings(text)]


def test_the_specification_is_whole() -> None:
    """No example is missing, so that agreement means all of them."""
    assert [example["example"] for example in EXAMPLES] == list(range(1, 653))
    assert sum(len(example["headings"]) for example in EXAMPLES) == 56
    assert set(EXCEPTIONS) <= set(range(1, 653))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_every_example_agrees_with_the_reference(end: str) -> None:
    """Level and line of every top-level heading, whatever the line ends; the pieces give the text back."""
    differ = {}
    for example in EXAMPLES:
        text = example["markdown"].replace("\n", end)
        expected = [(heading["level"], heading["line"]) for heading in example["headings"]]
        if example["example"] not in EXCEPTIONS and seen(text) != expected:
            differ[example["example"]] = (seen(text), expected)
        assert "".join(split(text)) == text
    assert differ == {}


def test_titles_without_marks_agree_with_the_reference() -> None:
    """Where a title holds no inline marks there is only one way to read it."""
    for example in EXAMPLES:
        if example["example"] in EXCEPTIONS or _INLINE_MARKS & set(example["markdown"]):
            continue
        texts = [" ".join(heading.text.split()) for heading in headings(example["markdown"])]
        assert texts == [" ".join(heading["text"].split()) for heading in example["headings"]], example["example"]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("\ufeff# A\n", [(1, 1)]),
        ("---\ntitle: x\n---\n# A\n", [(1, 4)]),
        ("\ufeff---\ntitle: x\n# comment\n---\n\n# A\n", [(1, 6)]),
        ("---\ntitle: x\nlist:\n  - a\n...\n# A\n", [(1, 6)]),
        ("x\n---\ntitle: x\n---\n", [(2, 1), (2, 3)]),
        ("---\n\ntitle: x\n---\n", [(2, 3)]),
        ("A\rB\r---\r# C\r", [(2, 1), (1, 4)]),
        ("# A\x0b# B\n# C\n", [(1, 1), (1, 2)]),
        ("# A\x85# B\u2028# C\u2029# D\n# E\n", [(1, 1), (1, 2)]),
        ("# A\x00B\n", [(1, 1)]),
        ("#\u00a0A\n\n#\tB\n", [(1, 3)]),
        ("~~~~\n```\n# A\n~~~\n~~~~\n# B\n", [(1, 6)]),
        ("<details>\n# A\n\n# B\n</details>\n", [(1, 4)]),
        ("<!--\n# A\n\n# B\n-->\n# C\n", [(1, 6)]),
        ("> # A\n\n- # B\n\n# C\n", [(1, 5)]),
        ("- a\n---\n> b\n---\n| c |\n|---|\n", []),
        ("a\n=\n\nb\n-\n", [(1, 1), (2, 4)]),
    ],
)
def test_headings_beyond_the_specification(text: str, expected: list[tuple[int, int]]) -> None:
    """Front matter, byte order marks, line ends that are none, fences, HTML, quotes, lists, one-letter underlines."""
    assert seen(text) == expected
    assert "".join(split(text)) == text


def codes(tokens: list[Token] | None) -> list[str]:
    """The code spans that the reference parser has read."""
    inside = [codes(token.children) or [token.content] * (token.type == "code_inline") for token in tokens or ()]
    return [code for found in inside for code in found]


def code_of(span: str) -> str:
    """What a code span reads, as the specification says."""
    code = span.strip("`").replace("\n", " ")
    return code[1:-1] if code.strip(" ") and code[0] == code[-1] == " " else code


def test_code_spans_agree_with_the_reference() -> None:
    """In the text of every block of the examples; backticks behind a backslash and without a partner are text."""
    parser, differ = MarkdownIt("commonmark"), {}
    texts = [(one["example"], token) for one in EXAMPLES for token in parser.parse(one["markdown"])]
    own = ["```a `b` c", "\\` [x](#node/y) `z`", "\\``x` y", "\\\\`a`", "`a\\` b`", "``` `a` ``"]
    texts += [(text, token) for text in own for token in parser.parse(f"- {text}")]
    for example, token in texts:
        if token.type == "inline" and "`" in token.content:
            spans = [token.content[start:end] for start, end in CodeSpans(token.content)]
            if [*map(code_of, spans)] != codes(token.children):
                differ[example] = spans
    assert set(differ) == set(CODE_IN_OTHERS), differ


def test_a_text_without_code_keeps_its_length_and_lines() -> None:
    assert without_code("a `b\nc` \\`d` e") == "a   \n   \\`d` e"
