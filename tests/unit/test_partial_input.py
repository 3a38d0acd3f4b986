"""The input of a call while it comes: each complete operation is found once, whatever the pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.usecases.runs.partial_input import PartialInput

TEXT = st.text(st.sampled_from('ab{}[],:"\\\n🚀\u00e9'), max_size=12)
VALUE = (
    TEXT | st.integers() | st.lists(TEXT, max_size=3) | st.dictionaries(TEXT, st.lists(TEXT, max_size=1), max_size=2)
)
OPERATION = st.dictionaries(TEXT, VALUE, min_size=1, max_size=3)


def taken(raw: str, size: int, tool: str = "edit_diagram") -> tuple[list[dict[str, Any]], int]:
    """What comes out of an input in pieces of a size, and how many characters that are."""
    partial = PartialInput(tool)
    found = [text for at in range(0, len(raw), size) for text in partial.append(raw[at : at + size])]
    return [json.loads(text) for text in found], sum(map(len, found))


@given(st.lists(OPERATION, max_size=20), TEXT, st.integers(1, 40), st.booleans())
def test_each_operation_comes_once_and_in_order(
    operations: list[dict[str, Any]], other: str, size: int, is_escaped: bool
) -> None:
    """However the input is cut, and whatever stands in its texts; the rest of the input is not parsed."""
    given_input = {"why": other, "operations": operations, "more": other}
    raw = json.dumps(given_input, ensure_ascii=is_escaped)
    found, chars = taken(raw, size)
    if not operations:
        assert found == [given_input], "what has none comes whole"
        return
    assert [one for some in found for one in some["operations"]] == operations
    assert all(list(some) == ["operations"] for some in found)
    assert chars <= len(raw) + 20 * len(found)


def test_it_comes_as_soon_as_it_is_complete_and_later_some_at_a_time() -> None:
    """The first at once; of four hundred, looked at some forty times; the last with the end."""
    partial = PartialInput("edit_diagram")
    sizes = []
    assert partial.append('{"operations": [{"op": "delete_nodes", "ids": ["n0"]') == []
    for number in range(400):
        end = ', {"op": "delete_nodes", "ids": ["x"]' if number < 399 else "]"
        sizes += [len(json.loads(text)["operations"]) for text in partial.append("}" + end)]
    sizes += [len(json.loads(text)["operations"]) for text in partial.append("}")]
    assert sizes[:8] == [1] * 8
    assert sum(sizes) == 400
    assert len(sizes) < 50


@pytest.mark.parametrize(
    "tool, raw",
    [
        ("rewrite_diagram", '{"nodes": [{"id": "a"}], "edges": [{"source": "a"}]}'),
        ("edit_diagram", '{"input": {"operations": [{"op": "x"}]}}'),
        ("edit_diagram", '{"operations": "[{\\"op\\": \\"x\\"}]"}'),
        ("edit_diagram", '[{"op": "x"}]'),
    ],
)
def test_other_forms_come_whole_when_they_are_complete(tool: str, raw: str) -> None:
    """A part of a whole is none."""
    partial = PartialInput(tool)
    assert partial.append(raw[:-1]) == []
    assert partial.append(raw[-1]) == [raw]


def test_operations_in_two_lists_keep_their_lists() -> None:
    """The name of a list says what is in it."""
    found, _ = taken('{"operations": [{"op": "a"}, {"op": "b"}], "doc_edits": [{"op": "c"}]}', 1000)
    assert found == [{"operations": [{"op": "a"}, {"op": "b"}]}, {"doc_edits": [{"op": "c"}]}]


@pytest.mark.parametrize("raw", ["]]}}", '{"operations": [}]', '\\"{', "", "no JSON at all", '{"a": [[{"op": 1}]]'])
def test_what_is_no_json_breaks_nothing(raw: str) -> None:
    """A model may write anything; what cannot be read is said when the call is made."""
    partial = PartialInput("edit_diagram")
    assert all(isinstance(text, str) for piece in raw for text in partial.append(piece))
