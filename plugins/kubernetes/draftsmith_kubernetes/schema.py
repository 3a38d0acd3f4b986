"""The fields of a kind, from the OpenAPI document of version 3 that the API server has, custom kinds too.

It is read with `kubectl get --raw`, so that an old kubectl can show it as well: `kubectl explain` before 1.27 reads
version 2, which lacks defaults and allowed values of custom kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from draftsmith.plugin import PluginError
from draftsmith_kubernetes.bounds import cut_list
from draftsmith_kubernetes.kinds import Kind, Kinds
from draftsmith_kubernetes.kubectl import Kubectl

Told = dict[str, Any]
_KIND: Final = "x-kubernetes-group-version-kind"
_MOST_TEXT: Final = 300
_MOST_FIELDS: Final = 150
_DEEPEST: Final = 12
_RULES: Final = ("enum", "default", "minimum", "maximum", "pattern", "format")
_REFERENCE: Final = "#/components/schemas/"


async def explain(kubectl: Kubectl, kinds: Kinds, name: str, path: str, depth: int) -> Told:
    """Say which fields a kind has, or what stands at a path in it.

    Args:
        path: such as `spec.template.spec`; items of lists are meant by the name of the list.
        depth: how many levels of fields below it.

    Raises:
        PluginError: `unknown_kind`, `unknown_field` with the ones that are there, or `no_schema`.
    """
    kind = await kinds.find(name)
    place = f"apis/{kind.api_version}" if kind.group else f"api/{kind.api_version}"
    try:
        document = await kubectl.raw(f"/openapi/v3/{place}")
    except PluginError as error:
        if error.code != "not_found":
            raise
        message = f"The API server has no OpenAPI document of version 3 for {kind.api_version}; it has since 1.24."
        raise PluginError("no_schema", message) from None
    schemas = document.get("components", {}).get("schemas", {}) if isinstance(document, Mapping) else {}
    schema = _of_kind(schemas, kind)
    if schema is None:
        raise PluginError("no_schema", f"The API server describes no fields of {kind.kind}.")
    reader = _Reader(schemas)
    for step in filter(None, path.split(".")):
        schema = reader.field(schema, step)
    schema = reader.whole(schema)
    fields = list(reader.fields(schema, "", depth))
    told: Told = {"kind": kind.kind, "api_version": kind.api_version, "path": path, **reader.rules(schema)}
    return told | cut_list(fields, _MOST_FIELDS, "fields")


def _of_kind(schemas: Mapping[str, Any], kind: Kind) -> Mapping[str, Any] | None:
    wanted = {"group": kind.group, "version": kind.version, "kind": kind.kind}
    return next((one for one in schemas.values() if isinstance(one, Mapping) and wanted in one.get(_KIND, [])), None)


class _Reader:
    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self._schemas = schemas

    def whole(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """A schema with what it refers to; what stands beside a reference goes first."""
        for _ in range(_DEEPEST):
            every = schema.get("allOf")
            if isinstance(every, list) and len(every) == 1:
                schema = {**every[0], **{word: part for word, part in schema.items() if word != "allOf"}}
            reference = str(schema.get("$ref", ""))
            if not reference.startswith(_REFERENCE):
                break
            rest = {word: part for word, part in schema.items() if word != "$ref"}
            schema = {**self._schemas.get(reference.removeprefix(_REFERENCE), {}), **rest}
        return schema

    def inner(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """What has the fields: the schema itself, or that of the items of a list or the values of a map."""
        schema = self.whole(schema)
        for _ in range(_DEEPEST):
            below = schema.get("items") or schema.get("additionalProperties")
            if schema.get("properties") or not isinstance(below, Mapping):
                break
            schema = self.whole(below)
        return schema

    def field(self, schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        properties = self.inner(schema).get("properties", {})
        if name not in properties:
            known = ", ".join(sorted(properties)[:40]) or "none"
            raise PluginError("unknown_field", f"There is no field '{name[:100]}' here. There are: {known}.")
        found: Mapping[str, Any] = properties[name]
        return found

    def fields(self, schema: Mapping[str, Any], before: str, depth: int) -> Iterator[Told]:
        """The fields below a schema, each with its path."""
        schema = self.inner(schema)
        required = schema.get("required") or []
        for name, part in (schema.get("properties") or {}).items():
            whole = self.whole(part)
            path = f"{before}{name}"
            told = {"field": path, "type": self.type_of(whole), **self.rules(whole)}
            yield told | ({"required": True} if name in required else {})
            if depth > 1:
                yield from self.fields(whole, f"{path}.", depth - 1)

    def type_of(self, schema: Mapping[str, Any]) -> str:
        """The type in a word, such as `[]object` or `map of string`."""
        schema = self.whole(schema)
        kind = schema.get("type")
        if kind == "array":
            return f"[]{self.type_of(schema.get('items') or {})}"
        values = schema.get("additionalProperties")
        if kind == "object" and isinstance(values, Mapping) and not schema.get("properties"):
            return f"map of {self.type_of(values)}"
        return str(kind) if kind else "integer or string" if schema.get("x-kubernetes-int-or-string") else "any"

    def rules(self, schema: Mapping[str, Any]) -> Told:
        """What it says of itself and of its values, cut."""
        told = {word: schema[word] for word in _RULES if word in schema and schema[word] not in ({}, None)}
        text = str(schema.get("description", ""))
        if text:
            told["description"] = text[:_MOST_TEXT] + ("…" if len(text) > _MOST_TEXT else "")
        return told
