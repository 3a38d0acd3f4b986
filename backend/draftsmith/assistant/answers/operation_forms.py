"""One operation as models write it: its name, its fields and their values in the forms of docs/operations.md.

Lenient about form, strict about meaning. A field under another name, inside a wrapper (`updates`, `node`) or with a
usual spelling of its value is put right where only one thing can be meant; two values for one field, and every name
that nobody uses, stay as they are, so that the strict parser refuses them in words. Not here: where in a call the
operations stand (`call_forms`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from pydantic_core import from_json

from draftsmith.assistant.tools.tool_inputs import CLEARABLE
from draftsmith.model.type_words import product_named, type_named
from draftsmith.model.vocabulary import NODE_TYPES
from draftsmith.transform.requests.batch import OPERATION_MODELS
from draftsmith.transform.requests.field_words import fields_meant, snake
from draftsmith.transform.requests.op_words import operations_meant

Op = dict[str, Any]
Notes = dict[str, None]
"""Sentences on what was put right, each once, in their order."""

EXPLANATIONS: Final = ("explanation", "reason", "reasoning", "rationale", "comment", "why", "justification")
"""Where models say why they change something."""
_OP_NAMES: Final = (
    "op", "tool", "tool_name", "action", "operation", "command", "function", "method", "name", "type", "kind",
)  # fmt: skip
_VERB_KEYS: Final = ("tool", "tool_name", "action", "operation", "command")
_TOOLS: Final = ("edit_diagram", "edit_document")
_CALL_TYPES: Final = ("tool_use", "tool_call", "function", "function_call")
INPUTS: Final = ("input", "arguments", "parameters", "params", "args")
_CHANGES: Final = ("updates", "fields", "changes", "data", "attributes", "values", "patch")
_WRAPPERS: Final = (*INPUTS, *_CHANGES)
_THINGS: Final[Mapping[str, tuple[str, ...] | str]] = {
    "node": ("add_node", "update_node", "delete_node"),
    "edge": ("add_edge", "update_edge", "delete_edge", "rewire_edge"),
    "group": ("group_nodes", "ungroup_nodes"),
}
"""Objects by the name of their sort, and the operations whose fields they hold."""
_ENDS: Final = frozenset({"source", "target", "from", "to"})
"""What an edge is addressed by; among its changes they would be its new ends, which is another operation."""
_ENVELOPES: Final = ("operation", "op", "edit", "tool_call", "function", "call")
_OWN_NAMES: Final[Mapping[tuple[str, str], str]] = {
    ("ungroup_nodes", "group"): "id",
    ("group_nodes", "group"): "label",
}
"""Names that mean another field in one operation than elsewhere."""
_SPELLINGS_TEXT: Final[Mapping[str, Mapping[str, str]]] = {
    "kind": {
        "sync": "synchronous sync_call request request_response call rpc",
        "async": "asynchronous event events event_driven message messages messaging pubsub",
        "data": "dataflow data_flow data_transfer replication etl",
        "dependency": "depends depends_on dependent",
    },
    "direction": {
        "both": "bidirectional two_way both_ways bi_directional",
        "forward": "unidirectional one_way forwards",
        "none": "undirected no_direction",
    },
    "children": {"up": "keep", "delete": ""},
    "scope": dict.fromkeys(("new", "all", "ids", "body", "subtree"), ""),
}
_SPELLINGS: Final[Mapping[str, Mapping[str, str]]] = {
    field: {word: value for value, words in values.items() for word in (value, *words.split())}
    for field, values in _SPELLINGS_TEXT.items()
}
"""Fields that hold a word of a closed list, and how that word is spelled."""
_FLAGS: Final[Mapping[str, bool]] = {"true": True, "false": False}


def operation_from(operation: Any, notes: Notes | None = None) -> Any:
    """One operation with the names and words of docs/operations.md; anything but an object stays what it is.

    `notes` takes a sentence for each word that was taken for another.
    """
    operation = from_text(operation)
    if not isinstance(operation, Mapping):
        return operation
    operation = _without_envelope(operation)
    key, name = name_field(operation)
    if not name:
        return dict(operation)
    fields = {other: value for other, value in operation.items() if other != key}
    said = fields_from(name, fields, notes)
    return {"op": name, **{one: value for one, value in said.items() if value is not None or _is_said(name, one)}}


def name_field(operation: Mapping[str, object]) -> tuple[str, str]:
    """Under which key an operation's name stands, and the name; both empty if there is none.

    A quote with its replacement needs no name. What only says what it wants, `{"action": "create"}`, is named so, too,
    which is refused with the operations that may be meant.
    """
    for key in _OP_NAMES:
        value = operation.get(key)
        if isinstance(value, str) and (key == "op" or snake(value) in OPERATION_MODELS):
            return key, snake(value)
    meant = {field for key in operation for field in fields_meant(key, ("find", "replace"))}
    is_quote = {"find", "replace"} <= meant | operation.keys()
    for key in _VERB_KEYS:
        value = operation.get(key)
        if isinstance(value, str) and value not in _TOOLS and (wanted := operations_meant(value)):
            return key, "edit_section" if is_quote and "edit_section" in wanted else snake(value)
    return "", "edit_section" if is_quote else ""


def is_operation(operation: Mapping[str, object]) -> bool:
    """Whether an object is one operation, in whatever envelope."""
    return bool(name_field(_without_envelope(operation))[1])


def explanations_in(operation: Mapping[str, object]) -> Iterator[str]:
    """What an operation or a call says of why it is made."""
    for key, value in operation.items():
        if snake(key) in EXPLANATIONS and isinstance(value, str) and value.strip():
            yield value.strip()


def call_inputs(operation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The objects that stand under a name for the input of a call."""
    found = (from_text(operation[key]) for key in INPUTS if key in operation)
    return [one for one in found if isinstance(one, Mapping)]


def from_text(value: Any) -> Any:
    """The value of a JSON text; any other text, and what is no text, as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return from_json(value)
        except ValueError:
            return value
    return value


def fields_from(op: str, operation: Mapping[str, object], notes: Notes | None = None) -> Op:
    """The fields of an operation under their names; what cannot be put right stays under the name it has.

    `notes`: as in `operation_from`.
    """
    known = _fields_of(op)
    if not known:
        return dict(operation)
    wrapped = {
        key: inner for key, value in operation.items() if (inner := _wrapped_fields(op, known, key, value)) is not None
    }
    said = {key: _value(op, key, value, notes) for key, value in operation.items() if key in known}
    others = [key for key in operation if key not in known and key not in wrapped]
    # A name for one field comes before names for several, which mean what is left.
    for key in sorted(others, key=lambda one: len(_likely_fields(op, one))):
        _take(op, said, key, operation[key], notes)
    for key, inner in wrapped.items():
        fields = fields_from(op, inner, notes)
        if any(field in said and said[field] != value for field, value in fields.items()):
            said[key] = operation[key]
        else:
            said.update(fields)
    if "type" in known and (product := product_named(str(said.get("type")))):
        kind, technology = product
        if notes is not None:
            made = f"{kind} with the technology {technology}" if technology else kind
            notes[f"“{said['type']}” is no type of node; it was taken for {made}."] = None
        said["type"] = kind
        if technology:
            said.setdefault("technology", technology)
    return said


def _take(op: str, said: Op, key: str, value: Any, notes: Notes | None) -> None:
    """Add a field under the name that it means, unless another value stands there."""
    for field in _likely_fields(op, key):
        proper = _value(op, field, value, notes)
        if said.setdefault(field, proper) == proper:
            return
    if snake(key) not in EXPLANATIONS or not isinstance(value, str | None):
        said[key] = value


def _wrapped_fields(op: str, fields: frozenset[str], key: str, value: Any) -> Mapping[str, Any] | None:
    """The fields that stand inside a wrapper; None for any other field."""
    if key in fields or not (key in _WRAPPERS or op.startswith(_THINGS.get(key, "-"))):
        return None
    inner = from_text(value)
    if not isinstance(inner, Mapping):
        return None
    own = snake(inner["op"]) if isinstance(inner.get("op"), str) else op
    moves_ends = op == "update_edge" and key in _CHANGES and not _ENDS.isdisjoint(inner)
    return None if own != op or moves_ends else {name: one for name, one in inner.items() if name != "op"}


@lru_cache(maxsize=4096)
def _likely_fields(op: str, key: str) -> Sequence[str]:
    """The fields of an operation that another name may mean, the likeliest first."""
    own = _OWN_NAMES.get((op, snake(key)))
    if own is not None:
        return (own,)
    return fields_meant(key, _fields_of(op))


@lru_cache
def _fields_of(op: str) -> frozenset[str]:
    model = OPERATION_MODELS.get(op)
    return frozenset() if model is None else frozenset(model.model_fields) - {"op"}


def _without_envelope(operation: Mapping[str, Any]) -> Mapping[str, Any]:
    """The operation inside `{"operation": {…}}`, `{"add_node": {…}}` or a call as a provider's API writes it."""
    if operation.get("type") in _CALL_TYPES:
        operation = {key: value for key, value in operation.items() if key not in ("type", "id", "call_id")}
    operation = {key: value for key, value in operation.items() if not (key in _VERB_KEYS and value in _TOOLS)}
    telling = [key for key in operation if snake(key) not in EXPLANATIONS]
    if len(telling) != 1 or not isinstance(inner := from_text(operation[telling[0]]), Mapping):
        return operation
    key = telling[0]
    if key in _ENVELOPES:
        return _without_envelope(inner)
    return {**inner, "op": key} if snake(key) in OPERATION_MODELS and "op" not in inner else operation


def _is_said(op: str, field: str) -> bool:
    """Whether null says something there; elsewhere it is how some models leave a field out."""
    return op not in OPERATION_MODELS or op.startswith("update_") or (op, field) in CLEARABLE


def _value(op: str, field: str, value: Any, notes: Notes | None) -> Any:
    """A value in its usual form, where a field takes words of a closed list, a list, a flag or a map of texts."""
    value = from_text(value) if field in ("node", "properties") else value
    if isinstance(value, str):
        return _from_words(field, value)
    if field == "properties" and isinstance(value, Mapping):
        return {key: _property(one) for key, one in value.items() if one is not None or op.startswith("update_")}
    if op == "insert_between" and field == "node" and isinstance(value, Mapping):
        return fields_from("add_node", {key: inner for key, inner in value.items() if key != "op"}, notes)
    return value


def _from_words(field: str, value: str) -> Any:
    plain = snake(value)
    if field == "type":
        return plain if plain in NODE_TYPES else type_named(value) or value
    if field in _SPELLINGS:
        return _SPELLINGS[field].get(plain, value)
    if field == "ids":
        read = from_text(value)
        return read if isinstance(read, list) else [value]
    if field in ("all", "bridge"):
        return _FLAGS.get(plain, value)
    if field == "level":
        return int(value) if value in ("1", "2", "3", "4", "5", "6") else value
    return value


def _property(value: Any) -> Any:
    """Numbers and flags as the texts that people write for them."""
    return json.dumps(value) if isinstance(value, bool | int | float) else value
