"""Operations that stand in a model's answer as text: found where they are JSON, never in ordinary prose."""

from __future__ import annotations

import json

import pytest

from draftsmith.assistant.answers.written_operations import operations_in_text

ADD = {"op": "add_node", "type": "cache", "label": "Redis"}
EDIT = {"op": "edit_section", "section": "A", "find": "b", "replace": "c"}


@pytest.mark.parametrize(
    "text",
    [
        f"I add it:\n\n```json\n{json.dumps({'operations': [ADD]}, indent=2)}\n```\nDone.",
        f"[{json.dumps(ADD)}]",
        json.dumps(ADD),
        f"edit_diagram({json.dumps({'operations': [ADD]})})",
        f'<tool_call>{{"name": "edit_diagram", "arguments": {json.dumps({"operations": [ADD]})}}}</tool_call>',
        json.dumps({"tools": [{"tool": "add_node", "type": "cache", "name": "Redis"}], "explanation": "faster"}),
        f"See [the docs](x) and {{this}}, then {json.dumps({'edits': [ADD]})}",
    ],
)
def test_operations_are_found(text: str) -> None:
    """In a block, alone, as a call in whatever notation, behind brackets that are no JSON."""
    assert operations_in_text(text) == [ADD]


def test_all_of_them_are_found() -> None:
    """Of several values in their order; a quote with its replacement is one, too."""
    text = f"First\n{json.dumps(ADD)}\nthen\n" + json.dumps({"section": "A", "old_str": "b", "new_str": "c"})
    assert operations_in_text(text) == [ADD, EDIT]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The cache stands between [Orders](#node/orders) and its database now.",
        'It answers {"status": "ok", "items": [1, 2]}.',
        '{"type": "service", "name": "web"}',
        '{"operations": 3}',
        '{"operations": [{"op": "add_node", "ty',
        "- [ ] op: add_node\n- [x] {op}",
        '{"op": "explode", "id": "a"}',
    ],
)
def test_other_text_holds_none(text: str) -> None:
    """Links, examples of data, broken JSON, and operations that there are not."""
    assert operations_in_text(text) == []


def test_a_text_full_of_brackets_is_left_alone_soon() -> None:
    """So many beginnings are looked at and no more, however long the text is."""
    assert operations_in_text("[{" * 100_000 + json.dumps(ADD)) == []
