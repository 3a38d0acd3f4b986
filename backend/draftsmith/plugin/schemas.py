"""The JSON Schema of a tool's arguments, reduced to what every model provider reads.

References to `$defs` are written out; `oneOf` becomes `anyOf`; what only a validator needs goes, since a plugin checks
its own arguments. What cannot be said to every model (a recursive schema, a union at the top, a reference to elsewhere)
is refused with the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

MOST_SCHEMA_CHARS: Final = 20_000
MOST_DEPTH: Final = 10
MOST_PROPERTIES: Final = 100
_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_TEXTS: Final = frozenset({"description", "format"})
_NUMBERS: Final = frozenset({"minimum", "maximum"})
_MOST_TEXT: Final = 2_000
_PROPERTY: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def plain_schema(schema: Any) -> dict[str, Any]:
    """A schema as models are told it; the given one is left as it is.

    Raises:
        ValueError: it is none, is too large, or says what some model cannot be told; the message says where and what.
    """
    if not isinstance(schema, Mapping):
        raise ValueError('inputSchema must be an object: a JSON Schema with "type": "object"')
    reader = _SchemaReader(schema)
    top = reader.read(schema, "inputSchema", ())
    if top.get("type") != "object" or "anyOf" in top:
        raise ValueError('inputSchema must have "type": "object" at the top, and no union there')
    top.setdefault("properties", {})
    if reader.properties > MOST_PROPERTIES:
        raise ValueError(f"inputSchema has {reader.properties} properties in all; {MOST_PROPERTIES} are allowed")
    if len(json.dumps(top)) > MOST_SCHEMA_CHARS:
        raise ValueError(
            f"inputSchema is longer than {MOST_SCHEMA_CHARS:,} characters, with its references written out"
        )
    return top


class _SchemaReader:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._chars = 0
        self.properties = 0

    def read(self, schema: Any, where: str, inside: tuple[str, ...]) -> dict[str, Any]:
        """One schema; `inside`: the references that are being written out around it."""
        if isinstance(schema, bool):
            return {}
        if not isinstance(schema, Mapping):
            raise ValueError(f"{where} is no schema")
        if where.count("/") > MOST_DEPTH:
            raise ValueError(f"{where} is nested deeper than {MOST_DEPTH}")
        if "$ref" in schema:
            return self._read_reference(schema, where, inside)
        every = schema.get("allOf")
        if every is not None:
            if not isinstance(every, list) or len(every) != 1 or not isinstance(every[0], Mapping):
                raise ValueError(f"{where}: allOf is not told to models; write one schema")
            rest = {word: part for word, part in schema.items() if word != "allOf"}
            return self.read({**every[0], **rest}, where, inside)
        plain = self._words(schema, where)
        self._inner(plain, schema, where, inside)
        return plain

    def _read_reference(self, schema: Mapping[str, Any], where: str, inside: tuple[str, ...]) -> dict[str, Any]:
        ref = schema["$ref"]
        if not isinstance(ref, str) or not ref.startswith("#/"):
            raise ValueError(f"{where}: a reference must lead into the schema itself (#/$defs/…)")
        if ref in inside:
            raise ValueError(f"{where}: {ref[:100]} contains itself; models are told no recursive schema")
        found: Any = self._root
        for part in ref[2:].split("/"):
            found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
        if not isinstance(found, Mapping):
            raise ValueError(f"{where}: there is no {ref[:100]}")
        rest = {word: part for word, part in schema.items() if word != "$ref"}
        return self.read({**found, **rest}, where, (*inside, ref))

    def _words(self, schema: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The keywords that hold no schema."""
        plain: dict[str, Any] = {}
        kind = schema.get("type")
        kinds = kind if isinstance(kind, list) else [] if kind is None else [kind]
        if not all(isinstance(one, str) and one in _TYPES for one in kinds):
            raise ValueError(f"{where}: type must be one of {', '.join(sorted(_TYPES))}")
        if kinds:
            others = [one for one in kinds if one != "null"]
            if len(others) > 1:
                plain["anyOf"] = [{"type": one} for one in others]
            else:
                plain["type"] = kind if isinstance(kind, str) else kinds if len(kinds) > 1 else kinds[0]
        for word in _TEXTS & schema.keys():
            if isinstance(schema[word], str):
                plain[word] = self._count_chars(schema[word][:_MOST_TEXT], where)
        for word in _NUMBERS & schema.keys():
            if isinstance(schema[word], int | float) and not isinstance(schema[word], bool):
                plain[word] = schema[word]
        values = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(values, list) and values:
            if not all(one is None or isinstance(one, str | int | float | bool) for one in values):
                raise ValueError(f"{where}: the values of an enum must be texts, numbers or booleans")
            self._count_chars("".join(map(str, values)), where)
            plain["enum"] = values
        return plain

    def _count_chars(self, text: str, where: str) -> str:
        self._chars += len(text)
        if self._chars > MOST_SCHEMA_CHARS:
            raise ValueError(f"{where}: inputSchema is longer than {MOST_SCHEMA_CHARS:,} characters")
        return text

    def _inner(self, plain: dict[str, Any], schema: Mapping[str, Any], where: str, inside: tuple[str, ...]) -> None:
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            self.properties += len(properties)
            if self.properties > MOST_PROPERTIES:
                raise ValueError(f"{where}: more than {MOST_PROPERTIES} properties in all")
            odd = next((name for name in properties if not _PROPERTY.fullmatch(str(name))), None)
            if odd is not None:
                raise ValueError(f"{where}: the name of a property must match {_PROPERTY.pattern}, not {odd[:100]!r}")
            plain["properties"] = {
                self._count_chars(name, where): self.read(part, f"{where}/{name}", inside)
                for name, part in properties.items()
            }
            required = schema.get("required")
            if isinstance(required, list):
                plain["required"] = [name for name in required if name in plain["properties"]]
        kind = schema.get("type")
        if kind == "array" or (isinstance(kind, list) and "array" in kind) or "items" in schema:
            plain["items"] = self.read(schema.get("items", {}), f"{where}/items", inside)
        more = schema.get("additionalProperties")
        if isinstance(more, Mapping):
            plain["additionalProperties"] = self.read(more, f"{where}/*", inside)
        elif more is False:
            plain["additionalProperties"] = False
        for word in ("anyOf", "oneOf"):
            options = schema.get(word)
            if isinstance(options, list) and options:
                plain["anyOf"] = [self.read(one, f"{where}/{index}", inside) for index, one in enumerate(options)]
