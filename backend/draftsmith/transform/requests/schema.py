"""The compact JSON Schema of operations, for language models and for type generators.

It is equivalent to the Pydantic models' own schema (`tests/unit/test_schema.py` compares the two on examples) in two
thirds of the bytes: no titles, no null defaults, `null` as a second type instead of a second schema, and what occurs
often under one name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, cast

import orjson

from draftsmith.transform.requests.batch import operations_schema
from draftsmith.transform.requests.json_schema import JsonSchema

_NAMED_FROM = 48  # bytes of a schema, and
_OFTEN = 3  # occurrences, from which on it gets a name


def compact_schema() -> JsonSchema:
    """The schema of one list of operations, `$defs` included."""
    plain: JsonSchema = _plain(operations_schema())
    definitions = plain.pop("$defs")
    names = _names(definitions)
    shared = {name: orjson.loads(raw) for raw, name in names.items()}
    named = {name: _with_names(schema, names) for name, schema in definitions.items()}
    return {**plain, "$defs": {**named, **shared}}


def _plain(schema: Any, *, of_fields: bool = False) -> Any:
    """Remove keywords without meaning. `of_fields`: the keys are field names, not keywords of JSON Schema."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if of_fields:
        return {name: _plain(part) for name, part in schema.items()}
    kept = {
        word: _plain(part, of_fields=word in ("properties", "$defs"))
        for word, part in schema.items()
        if word not in ("title", "discriminator") and not (word == "default" and part is None)
    }
    if "const" in kept:
        kept.pop("type", None)
    return _with_null(cast(JsonSchema, kept))


def _with_null(schema: JsonSchema) -> JsonSchema:
    """`anyOf [X, null]` as X that may be null, where X has one type."""
    options = schema.get("anyOf")
    if options is None or len(options) != 2 or options[1] != {"type": "null"} or not isinstance(options[0], dict):
        return schema
    kind = options[0].get("type")
    if not isinstance(kind, str):
        return schema
    merged: JsonSchema = {**options[0], "type": [kind, "null"]}
    if "enum" in merged:
        merged["enum"] = [*merged["enum"], None]
    rest = schema.copy()
    del rest["anyOf"]
    return {**rest, **merged}


def _names(definitions: Mapping[str, JsonSchema]) -> dict[bytes, str]:
    """Names for the schemas of fields that occur often; the name is that of the field where it occurs first."""
    counted: Counter[bytes] = Counter()
    first: dict[bytes, str] = {}
    for definition in definitions.values():
        for field, schema in _fields(definition):
            raw = orjson.dumps(schema, option=orjson.OPT_SORT_KEYS)
            counted[raw] += 1
            first.setdefault(raw, field)
    names: dict[bytes, str] = {}
    for raw, count in counted.items():
        if count >= _OFTEN and len(raw) >= _NAMED_FROM:
            name = first[raw]
            while name in names.values() or name in definitions:
                name += "_"
            names[raw] = name
    return names


def _fields(definition: JsonSchema) -> Iterator[tuple[str, JsonSchema]]:
    yield from definition.get("properties", {}).items()


def _with_names(definition: JsonSchema, names: Mapping[bytes, str]) -> JsonSchema:
    fields: dict[str, JsonSchema] = {}
    for field, schema in _fields(definition):
        name = names.get(orjson.dumps(schema, option=orjson.OPT_SORT_KEYS))
        fields[field] = schema if name is None else {"$ref": f"#/$defs/{name}"}
    return {**definition, "properties": fields}
