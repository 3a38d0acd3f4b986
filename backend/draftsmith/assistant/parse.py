"""Parse the input of an edit tool to operations: lenient about form, strict about meaning.

Models write `action` for `op`, send a list as a JSON text, or use capitals. Such forms are normalized where they are
unambiguous; everything else is passed unchanged to the strict parser (`transform.batch.parse_batch`), which reports it.
Operations of either edit tool are accepted from both; `offered` refuses whole states.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic_core import from_json

from draftsmith.assistant.tool_inputs import CLEARABLE
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.vocabulary import DIRECTIONS, EDGE_KINDS, NODE_TYPES
from draftsmith.transform.batch import OPERATION_MODELS

Op = dict[str, Any]

_LISTS: Final = ("operations", "edits", "actions", "ops")
_OP_NAMES: Final = ("op", "action", "operation", "type", "kind")
_ALIASES: Final[Mapping[str, str]] = {
    "node_id": "id",
    "edge_id": "id",
    "node_ids": "ids",
    "nodes": "ids",
    "section_path": "section",
    "heading": "section",
    "from": "source",
    "to": "target",
    "source_id": "source",
    "target_id": "target",
    "new_from": "new_source",
    "new_to": "new_target",
    "parent_id": "parent",
    "group_id": "group",
    "old_text": "find",
    "new_text": "replace",
    "find_text": "find",
    "replace_text": "replace",
    "content": "text",
}
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "type": NODE_TYPES,
    "kind": EDGE_KINDS,
    "direction": DIRECTIONS,
    "children": ("up", "delete"),
}
_SCOPES: Final = ("new", "all", "ids", "body", "subtree")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BLANKS = re.compile(r"[\s-]+")


def operations_of(tool_name: str, input: Mapping[str, Any]) -> list[Any]:  # noqa: A002  # the word of tool calls
    """The operations of an edit tool's call, in the form that `parse_batch` reads.

    Args:
        tool_name: `edit_diagram`, `edit_document`, `rewrite_diagram` or `rewrite_document`.
        input: what the model sent.

    Raises:
        DraftsmithError: `invalid_request`, where `operations` is a text that is no JSON.
    """
    if tool_name == "rewrite_diagram":
        return [_whole_diagram(input)]
    if tool_name == "rewrite_document":
        text = input.get("text", input.get("document"))
        return [{"op": "replace_document"} if text is None else {"op": "replace_document", "text": text}]
    return [_operation(one) for one in _listed(input)]


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
    if tool_name.startswith("rewrite_"):
        return operations_of(tool_name, begun) if _is_json(raw) else []
    name = next((name for name in _LISTS if isinstance(begun.get(name), list)), None)
    if name is None:
        return []
    is_closed = list(begun)[-1] != name or (
        raw.rstrip().endswith(("]", "}")) and (_is_json(raw) or _is_json(raw + "}"))
    )
    return [_operation(one) for one in (begun[name] if is_closed else begun[name][:-1])]


def _is_json(raw: str) -> bool:
    try:
        from_json(raw)
    except ValueError:
        return False
    return True


def _listed(given: Mapping[str, Any]) -> list[Any]:
    """The list of operations, wherever and however it stands."""
    name = next((name for name in _LISTS if name in given), None)
    if name is None:
        return [given] if _name_of(given) else []
    found = given[name]
    if isinstance(found, str):
        try:
            found = from_json(found)
        except ValueError:
            message = "'operations' is a text that is no JSON; send it as a list of objects."
            problem = Problem(-1, "", "field_invalid", "/operations", message)
            raise DraftsmithError("invalid_request", f"{message} Nothing was applied.", [problem]) from None
    if isinstance(found, Mapping):
        inner = next((found[name] for name in _LISTS if isinstance(found.get(name), list)), None)
        return [found] if inner is None else inner
    return found if isinstance(found, list) else []


def _operation(given: Any) -> Any:
    """One operation with the names and words of the page; anything but an object stays what it is."""
    given = _from_text(given)
    if not isinstance(given, Mapping):
        return given
    name = _name_of(given)
    if not name:
        return dict(given)
    fields = {key: value for key, value in given.items() if key != _op_key(given)}
    said = _fields(name, fields)
    return {"op": name, **{key: value for key, value in said.items() if value is not None or _is_said(name, key)}}


def _is_said(op: str, field: str) -> bool:
    """Whether null says something there; elsewhere it is how some models leave a field out."""
    return op not in OPERATION_MODELS or op.startswith("update_") or (op, field) in CLEARABLE


def _op_key(given: Mapping[str, Any]) -> str:
    """Under which key an operation's name stands; empty if none holds one."""
    for key in _OP_NAMES:
        value = given.get(key)
        if isinstance(value, str) and (key == "op" or _snake(value) in OPERATION_MODELS):
            return key
    return ""


def _name_of(given: Mapping[str, Any]) -> str:
    key = _op_key(given)
    if key:
        return _snake(given[key])
    if "find" in given and "replace" in given:
        return "edit_section"
    return ""


def _snake(value: str) -> str:
    """`Add Node`, `addNode` and `ADD-NODE` as `add_node`."""
    return _BLANKS.sub("_", _HUMP.sub("_", value.strip())).casefold()


def _fields(name: str, given: Mapping[str, Any]) -> Op:
    """Fields under the names of the page; an alias gives way where the field itself is there."""
    model = OPERATION_MODELS.get(name)
    known = set(model.model_fields) if model is not None else set()
    fields: Op = {}
    for key, value in given.items():
        proper = key if key in known else _ALIASES.get(_snake(key), _snake(key))
        if proper not in known or (proper != key and proper in given):
            proper = key
        fields[proper] = _value(name, proper, value)
    return fields


def _value(op: str, field: str, value: Any) -> Any:
    if isinstance(value, str) and field in _WORDS:
        return _word(value, _WORDS[field])
    if isinstance(value, str) and field == "scope":
        return _word(value, _SCOPES)
    if field == "ids" and isinstance(value, str):
        return [value]
    if op == "insert_between" and field == "node" and isinstance(value, Mapping):
        return _fields("add_node", {key: inner for key, inner in value.items() if key != "op"})
    return value


def _word(value: str, known: tuple[str, ...]) -> str:
    """A word of a closed list in the letters it has there; any other word as it is."""
    plain = _snake(value)
    return plain if plain in known else value


def _whole_diagram(given: Mapping[str, Any]) -> Op:
    """A whole diagram; what is absent stays absent, since an empty list would delete everything."""
    inner = given.get("diagram")
    source = inner if isinstance(inner, Mapping) else given
    whole: Op = {"op": "replace_diagram"}
    for name, like in (("nodes", "add_node"), ("edges", "add_edge")):
        if name in source:
            items = _from_text(source[name])
            whole[name] = [_part(one, like) for one in items] if isinstance(items, list) else items
    return whole


def _part(given: Any, like: str) -> Any:
    return _fields(like, given) if isinstance(given, Mapping) else given


def _from_text(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return from_json(value)
        except ValueError:
            return value
    return value
