"""Tools as the providers take them: texts with their examples, and the forms of JSON Schema that they know.

What a model sends is validated by the operations themselves, so a schema that says less costs accuracy and nothing
else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from draftsmith.assistant.provider import ToolSpec

Dialect = Literal["full", "flat"]
"""`full`: `anyOf` wherever there are choices. `flat`: none, for models and servers that cannot follow them."""
_UNKNOWN: Final = frozenset({"discriminator", "default", "title", "examples", "$schema", "$defs"})


def description_of(tool: ToolSpec) -> str:
    """The text of a tool with its examples, for providers that have no field for these."""
    examples = "".join(f"\n{json.dumps(one, ensure_ascii=False)}" for one in tool.examples)
    return f"{tool.description}\n\nExamples of its input:{examples}" if examples else tool.description


def schema_of(tool: ToolSpec, dialect: Dialect = "full") -> dict[str, Any]:
    """The schema of a tool's input in a dialect; the tool's own is left as it is."""
    schema: dict[str, Any] = _plain(tool.input_schema)
    schema.setdefault("properties", {})
    return _flat(schema) if dialect == "flat" else schema


def _plain(value: Any) -> Any:
    """Write `oneOf` as `anyOf`, and leave out what no provider reads."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    plain = {"anyOf" if name == "oneOf" else name: one for name, one in value.items() if name not in _UNKNOWN}
    if isinstance(properties := value.get("properties"), Mapping):  # whose names are no keywords
        rest = {name: _plain(one) for name, one in plain.items() if name != "properties"}
        return {**rest, "properties": {name: _plain(one) for name, one in properties.items()}}
    return {name: _plain(one) for name, one in plain.items()}


def _flat(value: Any) -> Any:
    """Write every choice as one schema that allows all that its branches do."""
    if isinstance(value, list):
        return [_flat(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "anyOf" in value:
        branches = [_flat(one) for one in value["anyOf"] if one.get("type") != "null"]
        rest = {name: one for name, one in value.items() if name != "anyOf"}
        return {**_merge_schemas(branches), **rest}
    if isinstance(properties := value.get("properties"), dict):
        return {**value, "properties": {name: _flat(one) for name, one in properties.items()}}
    return {name: _flat(one) if name in ("items", "additionalProperties") else one for name, one in value.items()}


def _merge_schemas(branches: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One schema for several: of objects all properties, of which those are required that all require."""
    if not branches or not all(one.get("type") == "object" for one in branches):
        return branches[0] if branches else {}
    properties: dict[str, Any] = {}
    for one in branches:
        for name, schema in one.get("properties", {}).items():
            properties[name] = _join_fields(properties[name], schema) if name in properties else schema
    everywhere = set.intersection(*(set(one.get("required", ())) for one in branches))
    required = [name for name in properties if name in everywhere]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _join_fields(before: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The same field of two branches; its fixed values become a choice of them."""
    values = [*_values(before), *(one for one in _values(schema) if one not in _values(before))]
    if not values:
        return before
    return {**{name: one for name, one in before.items() if name != "const"}, "enum": values}


def _values(schema: Mapping[str, Any]) -> list[Any]:
    return [schema["const"]] if "const" in schema else list(schema.get("enum", ()))
