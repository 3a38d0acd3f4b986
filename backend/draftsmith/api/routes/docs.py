"""The API's own page of reference, made from the contract on this server: no script, nothing from another origin."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from draftsmith.access.actions import Action
from draftsmith.api.contract.route import Route, requires

router = APIRouter(route_class=Route, include_in_schema=False)
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
_STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; }
details { border-bottom: 1px solid var(--line); } summary { padding: .5rem 0; cursor: pointer; }
summary code { font-weight: 600; } .m { display: inline-block; min-width: 4.5em; }
table { border-collapse: collapse; margin: .5rem 0; } h2 { margin-top: 2.5rem; }
td, th { text-align: left; padding: .2rem 1rem .2rem 0; vertical-align: top; border-top: 1px solid var(--line); }
"""
_METHODS = ("get", "post", "put", "patch", "delete")


@router.get("/docs", dependencies=[requires(Action.PUBLIC)])
async def docs(request: Request) -> Response:
    """Show every operation: parameters, body, answers, examples."""
    return HTMLResponse(page_of(request.app.openapi()), headers=_HEADERS)


def page_of(schema: Mapping[str, Any]) -> str:
    """The whole page."""
    info = schema["info"]
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>{escape(info['title'])} API</title><style>{_STYLE}</style>",
        f"<h1>{escape(info['title'])} API</h1><p>{escape(info['description'])} Version {escape(info['version'])}.</p>",
        "<p>The contract itself: <a href='api/v1/openapi.json'>openapi.json</a>.</p>",
    ]
    for tag in schema.get("tags", ()):
        parts.append(f"<h2>{escape(tag['name'].title())}</h2><p>{escape(tag['description'])}</p>")
        parts += [_operation(schema, *found) for found in _of_tag(schema, tag["name"])]
    parts.append("<h2>Forms</h2>")
    forms = sorted(schema["components"]["schemas"].items())
    parts += [
        f"<details id='{escape(name)}'><summary><code>{escape(name)}</code></summary>{_json(form)}</details>"
        for name, form in forms
    ]
    return "".join(parts)


def _of_tag(schema: Mapping[str, Any], tag: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, methods in schema["paths"].items():
        for method in _METHODS:
            if method in methods and tag in methods[method].get("tags", ()):
                yield path, method, methods[method]


def _operation(schema: Mapping[str, Any], path: str, method: str, operation: Mapping[str, Any]) -> str:
    said = escape(operation.get("description", ""))
    head = f"<summary><code><span class=m>{method.upper()}</span>{escape(path)}</code> {said}</summary>"
    parameters = [_resolve_reference(schema, one) for one in operation.get("parameters", ())]
    rows = [(f"{one['name']} ({one['in']})", one.get("description", "") or _form(one["schema"])) for one in parameters]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if body:
        rows.append(("body", _form(body["schema"])))
    for status, response in operation["responses"].items():
        found = _resolve_reference(schema, response)
        content: Mapping[str, Any] = next(iter(found.get("content", {}).values()), {})
        rows.append((status, f"{escape(found.get('description', ''))} {_form(content.get('schema', {}))}"))
    table = "".join(f"<tr><th>{escape(name)}<td>{text}" for name, text in rows)
    examples = "".join(
        f"<p>Example: {escape(name)}</p>{_json(example['value'])}" for name, example in body.get("examples", {}).items()
    )
    return f"<details id='{escape(operation['operationId'])}'>{head}<table>{table}</table>{examples}</details>"


def _resolve_reference(schema: Mapping[str, Any], shape: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in shape:
        return shape
    _, kind, name = shape["$ref"].removeprefix("#/").split("/")
    found: Mapping[str, Any] = schema["components"][kind][name]
    return found


def _form(shape: Mapping[str, Any]) -> str:
    """A form as a link to its description, or as its JSON."""
    if "$ref" in shape:
        name = escape(shape["$ref"].rsplit("/", 1)[-1])
        return f"<a href='#{name}'>{name}</a>"
    return f"<code>{escape(json.dumps(shape))}</code>" if shape else ""


def _json(value: object) -> str:
    return f"<pre>{escape(json.dumps(value, indent=2, ensure_ascii=False))}</pre>"
