"""Parse the input of an edit tool to operations: lenient about form, strict about meaning.

Models write `action` for `op`, send a list as a JSON text, or use capitals. Such forms are normalized where they are
unambiguous (`call_forms`, `operation_forms`); everything else is passed unchanged to the strict parser
(`requests.batch.parse_batch`), which reports it. Operations of either edit tool are accepted from both; `offers`
refuses whole states.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

from draftsmith.assistant.answers.call_forms import operations_in
from draftsmith.assistant.answers.operation_forms import (
    Notes,
    Op,
    call_inputs,
    explanations_in,
    fields_from,
    from_text,
    operation_from,
)
from draftsmith.errors import DraftsmithError


def operations_of(
    tool_name: str,
    input: Mapping[str, object],  # noqa: A002  # the word of tool calls
    notes: Notes | None = None,
) -> list[Any]:
    """The operations of an edit tool's call, in the form that `parse_batch` reads.

    Args:
        tool_name: `edit_diagram`, `edit_document`, `rewrite_diagram` or `rewrite_document`.
        input: what the model sent.
        notes: takes a sentence for each word that is no type of nodes and was taken for one.

    Raises:
        DraftsmithError: `invalid_request`, where operations stand in a text that is no JSON, or under an unknown name.
    """
    if tool_name == "rewrite_diagram":
        return [_whole_diagram(input, notes)]
    if tool_name == "rewrite_document":
        return [_whole_document(input)]
    return [operation_from(one, notes) for one in operations_in(input)]


def explanations_of(tool_name: str, input: Mapping[str, object]) -> list[str]:  # noqa: A002  # as above
    """Why a call that was read changes what it changes: in its own words, else in those of its operations."""
    own = [said for one in (input, *call_inputs(input)) for said in explanations_in(one)]
    if own or tool_name.startswith("rewrite_"):
        return own
    read = (from_text(one) for one in operations_in(input))
    return list(dict.fromkeys(said for one in read if isinstance(one, Mapping) for said in explanations_in(one)))


def complete_operations(tool_name: str, raw: str) -> list[Any]:
    """The operations that are complete in a prefix of a call's JSON.

    An operation is complete when the next one has begun or its list is closed. Broken JSON has none.
    """
    try:
        begun = from_json(raw, allow_partial=True)
    except ValueError:
        return []
    if not isinstance(begun, dict) or not begun:
        return []
    try:
        if tool_name.startswith("rewrite_"):
            return operations_of(tool_name, begun) if _is_json(raw) else []
        return [operation_from(one) for one in operations_in(begun, is_open=not _is_closed(raw, begun))]
    except DraftsmithError:
        return []


def _is_closed(raw: str, call_input: Mapping[str, object]) -> bool:
    """Whether every list in what has begun is closed: only ends of objects and further texts may follow."""
    end = raw.rfind("]") + 1
    if not end or "{" in raw[end:]:
        return _is_json(raw)
    for missing in ("}", "}}", ""):
        try:
            return bool(from_json(raw[:end] + missing) == call_input)
        except ValueError:
            continue
    return _is_json(raw)


def _is_json(raw: str) -> bool:
    try:
        from_json(raw)
    except ValueError:
        return False
    return True


def _whole_document(call_input: Mapping[str, object]) -> Op:
    """A whole document; what is absent stays absent, since an empty text would delete everything."""
    text = next((call_input[name] for name in ("text", "document", "content", "markdown") if name in call_input), None)
    return {"op": "replace_document"} if text is None else {"op": "replace_document", "text": text}


def _whole_diagram(call_input: Mapping[str, object], notes: Notes | None) -> Op:
    """A whole diagram; what is absent stays absent, since an empty list would delete everything."""
    inner = from_text(call_input.get("diagram"))
    source = inner if isinstance(inner, Mapping) else call_input
    whole: Op = {"op": "replace_diagram"}
    for name, like in (("nodes", "add_node"), ("edges", "add_edge")):
        if name in source:
            items = from_text(source[name])
            whole[name] = [_part(one, like, notes) for one in items] if isinstance(items, list) else items
    return whole


def _part(call_input: Any, like: str, notes: Notes | None) -> Any:
    return fields_from(like, call_input, notes) if isinstance(call_input, Mapping) else call_input
