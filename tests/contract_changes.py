"""Which changes from one contract to another break a client that was written against the first.

Pure: two documents in, one sentence for each breaking change out. A schema is compared by the direction in which its
values travel. What a client *sends* must be taken as before: no type, value or field refused that was taken, no new
field demanded. What a client *receives* must be readable as before: no field gone or optional that was always there, no
type or value that could not occur. Fields, paths and messages that are added break nobody.

Not compared: descriptions (but for the error codes in them), titles, examples, links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

Json = Mapping[str, Any]
Direction = Literal["sent", "received"]

_KIND_FIELDS = ("t", "op", "k", "format")
"""Fields whose constant tells the members of a union apart."""
_MESSAGE = "t="
"""Of the live protocol: clients pass over messages of a kind that they do not know, so a new kind breaks none."""
_LOWER_BOUNDS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER_BOUNDS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_METHODS = frozenset({"get", "put", "post", "delete", "patch"})
_CODE = re.compile(r"`(\w+)`")


def openapi_changes(old: Json, new: Json) -> list[str]:
    """Every breaking change between two OpenAPI documents."""
    return list(dict.fromkeys(_openapi_changes(old, new)))


def schema_changes(old: Json, new: Json, definition: str, direction: Direction) -> list[str]:
    """Every breaking change of one definition (`""`: the whole schema) between two JSON Schemas."""
    comparison = _Comparison(old, new, direction)
    if not definition:
        return list(dict.fromkeys(comparison.changes(old, new, "schema")))
    ref = {"$ref": f"#/$defs/{definition}"}
    return list(dict.fromkeys(comparison.changes(ref, ref, definition)))


def _openapi_changes(old: Json, new: Json) -> Iterator[str]:
    for path, methods in old["paths"].items():
        for method in _METHODS & methods.keys():
            where = f"{method.upper()} {path}"
            after = new["paths"].get(path, {}).get(method)
            if after is None:
                yield f"{where}: removed"
            else:
                yield from _operation_changes(old, new, methods[method], after, where)
    was, now = _statuses_of_codes(old), _statuses_of_codes(new)
    for code, status in was.items():
        if now.get(code) != status:
            yield f"code {code}: answered with {now.get(code, 'no status')}, was {status}"


def _operation_changes(old: Json, new: Json, before: Json, after: Json, where: str) -> Iterator[str]:
    if before.get("operationId") != after.get("operationId"):
        yield f"{where}: operationId {before.get('operationId')} is now {after.get('operationId')}"
    sent, received = _Comparison(old, new, "sent"), _Comparison(old, new, "received")
    was, now = _parameters(old, before), _parameters(new, after)
    for name, parameter in was.items():
        if name not in now:
            yield f"{where}: parameter {name} removed"
        else:
            yield from sent.changes(parameter.get("schema", {}), now[name].get("schema", {}), f"{where} {name}")
    for name, parameter in now.items():
        if parameter.get("required") and not was.get(name, {}).get("required"):
            yield f"{where}: parameter {name} is now required"
    yield from _body_changes(sent, before.get("requestBody"), after.get("requestBody"), where)
    for status, response in before["responses"].items():
        if status not in after["responses"]:
            yield f"{where}: status {status} removed"
            continue
        then, said = _resolved(old, response), _resolved(new, after["responses"][status])
        for header in then.get("headers", {}).keys() - said.get("headers", {}).keys():
            yield f"{where} {status}: header {header} removed"
        yield from _content_changes(received, then.get("content", {}), said.get("content", {}), f"{where} {status}")


def _body_changes(sent: _Comparison, before: Json | None, after: Json | None, where: str) -> Iterator[str]:
    if after is None:
        if before is not None:
            yield f"{where}: body removed"
        return
    if after.get("required") and not (before or {}).get("required"):
        yield f"{where}: a body is now required"
    if before is not None:
        yield from _content_changes(sent, before["content"], after["content"], f"{where} body")


def _content_changes(comparison: _Comparison, before: Json, after: Json, where: str) -> Iterator[str]:
    for media, content in before.items():
        if media not in after:
            yield f"{where}: {media} removed"
        else:
            yield from comparison.changes(content.get("schema", {}), after[media].get("schema", {}), where)


def _parameters(document: Json, operation: Json) -> dict[str, Json]:
    found = (_resolved(document, parameter) for parameter in operation.get("parameters", ()))
    return {f"{parameter['in']} {parameter['name']}": parameter for parameter in found}


def _statuses_of_codes(document: Json) -> dict[str, str]:
    responses = document.get("components", {}).get("responses", {})
    return {code: status for status, shape in responses.items() for code in _CODE.findall(shape["description"])}


def _resolved(document: Json, schema: Any) -> Json:
    while isinstance(schema, Mapping) and "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema if isinstance(schema, Mapping) else {}


class _Comparison:
    """Compares schemas of two documents for one direction; each pair of definitions once, so that recursion ends."""

    def __init__(self, old: Json, new: Json, direction: Direction) -> None:
        self._old, self._new, self._is_sent = old, new, direction == "sent"
        self._seen: set[tuple[str, str]] = set()

    def changes(self, old: Any, new: Any, where: str) -> Iterator[str]:
        """Every breaking change between two schemas at a place."""
        if isinstance(old, Mapping) and isinstance(new, Mapping) and "$ref" in old and "$ref" in new:
            pair = (old["$ref"], new["$ref"])
            if pair in self._seen:
                return
            self._seen.add(pair)
            where = old["$ref"].rpartition("/")[2]  # one name for a definition that many places use
        was, now = _alternatives(self._old, old), _alternatives(self._new, new)
        for kind in was.keys() - now.keys():
            if self._is_sent and not _covers(now, kind):
                yield f"{where}: {kind} is no longer accepted"
            elif not self._is_sent and "=" in kind:
                yield f"{where}: {kind} removed"
        for kind in now.keys() - was.keys():
            if not self._is_sent and not _covers(was, kind) and not kind.startswith(_MESSAGE):
                yield f"{where}: may now be {kind}"
        for kind in was.keys() & now.keys():
            if _is_union(self._old, old) or _is_union(self._new, new):
                yield from self.changes(was[kind], now[kind], where)
            else:
                yield from self._one(_resolved(self._old, old), _resolved(self._new, new), where)

    def _one(self, old: Json, new: Json, where: str) -> Iterator[str]:
        yield from self._values(old, new, where)
        if self._is_sent:
            yield from _tighter(old, new, where)
        yield from self._fields(old, new, where)
        for word in ("items", "propertyNames"):
            if word in old or word in new:
                yield from self.changes(old.get(word, {}), new.get(word, {}), f"{where}[]")
        for number, (one, other) in enumerate(
            zip(old.get("prefixItems", ()), new.get("prefixItems", ()), strict=False)
        ):
            yield from self.changes(one, other, f"{where}[{number}]")
        if len(old.get("prefixItems", ())) != len(new.get("prefixItems", ())):
            yield f"{where}: a tuple of another length"

    def _values(self, old: Json, new: Json, where: str) -> Iterator[str]:
        was, now = _values_of(old), _values_of(new)
        if was is None and now is None:
            return
        if now is None:
            if not self._is_sent:
                yield f"{where}: may now be any value"
        elif was is None:
            if self._is_sent:
                yield f"{where}: only {', '.join(map(str, now))} accepted"
        else:
            for value in was:
                if value not in now:
                    yield f"{where}: value {value} removed"
            for value in now:
                if value not in was and not self._is_sent:
                    yield f"{where}: value {value} added to what is received"

    def _fields(self, old: Json, new: Json, where: str) -> Iterator[str]:
        was, now = old.get("properties", {}), new.get("properties", {})
        required, now_required = old.get("required", ()), new.get("required", ())
        for name in was:
            if name not in now:
                yield f"{where}.{name}: removed"
            else:
                yield from self.changes(was[name], now[name], f"{where}.{name}")
                if not self._is_sent and name in required and name not in now_required:
                    yield f"{where}.{name}: no longer always there"
        if not self._is_sent:
            return
        for name in now_required:
            if name not in required:
                yield f"{where}.{name}: now required"
        rest, now_rest = old.get("additionalProperties", True), new.get("additionalProperties", True)
        if rest is not False and now_rest is False:
            yield f"{where}: other fields are no longer accepted"
        elif isinstance(now_rest, Mapping) and rest is not False:
            yield from self.changes({} if rest is True else rest, now_rest, f"{where}.*")


def _tighter(old: Json, new: Json, where: str) -> Iterator[str]:
    for words, is_tighter in ((_LOWER_BOUNDS, float.__gt__), (_UPPER_BOUNDS, float.__lt__)):
        for word in words:
            if word in new and (word not in old or is_tighter(float(new[word]), float(old[word]))):
                yield f"{where}: {word} {new[word]}, was {old.get(word, 'not limited')}"
    for word in ("pattern", "format", "uniqueItems", "multipleOf"):
        if word in new and new[word] != old.get(word):
            yield f"{where}: {word} {new[word]}, was {old.get(word, 'not limited')}"


def _is_union(document: Json, schema: Any) -> bool:
    schema = _resolved(document, schema)
    return "anyOf" in schema or "oneOf" in schema or isinstance(schema.get("type"), list)


def _alternatives(document: Json, schema: Any) -> dict[str, Any]:
    """The members of a union, by what tells them apart; a schema that is none as its only member."""
    if not _is_union(document, schema):
        return {_kind(document, _resolved(document, schema)): schema}
    schema = _resolved(document, schema)
    if isinstance(schema.get("type"), list):
        return {kind: {**schema, "type": kind} for kind in schema["type"]}
    found: dict[str, Any] = {}
    for member in schema.get("anyOf") or schema["oneOf"]:
        for kind, one in _alternatives(document, member).items():
            found[kind if kind not in found else f"{kind} {one.get('title', len(found))}"] = one
    return found


def _kind(document: Json, schema: Json) -> str:
    for field in _KIND_FIELDS:
        values = _values_of(_resolved(document, schema.get("properties", {}).get(field, {})))
        if values is not None:
            return f"{field}={'|'.join(map(str, values))}"
    values = _values_of(schema)
    if "type" not in schema and values:
        return {str: "string", bool: "boolean", int: "integer", float: "number"}.get(type(values[0]), "null")
    return str(schema.get("type", "anything"))


def _covers(kinds: Mapping[str, Json], kind: str) -> bool:
    return "anything" in kinds or (kind == "integer" and "number" in kinds)


def _values_of(schema: Json) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    return None if "enum" not in schema else [value for value in schema["enum"] if value is not None]
