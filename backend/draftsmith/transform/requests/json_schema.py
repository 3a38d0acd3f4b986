"""JSON Schema, as far as the schemas of operations and tools use it."""

from __future__ import annotations

from typing import Any, TypedDict

JsonSchema = TypedDict(
    "JsonSchema",
    {
        "$defs": "dict[str, JsonSchema]",
        "$ref": str,
        "title": str,
        "description": str,
        "type": str | list[str],
        "enum": list[Any],
        "const": Any,
        "default": Any,
        "properties": "dict[str, JsonSchema]",
        "required": list[str],
        "additionalProperties": "bool | JsonSchema",
        "propertyNames": "JsonSchema",
        "items": "JsonSchema",
        "minItems": int,
        "maxItems": int,
        "anyOf": "list[JsonSchema]",
        "oneOf": "list[JsonSchema]",
        "discriminator": Any,
        "minLength": int,
        "maxLength": int,
        "pattern": str,
        "minimum": float,
        "maximum": float,
        "examples": list[Any],
    },
    total=False,
)
