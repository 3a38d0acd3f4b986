"""OpenAPI made complete by rule: statuses, headers, links and examples that all operations of a kind share.

FastAPI sees paths, parameters and the models of answers. What it cannot see from routes that read bodies and headers by
themselves is added here once, so that no route repeats it and none forgets it. The codes in the descriptions come from
the table that the answers are made with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from draftsmith.access.actions import Action
from draftsmith.api.answers import ProblemDocument
from draftsmith.api.examples import ANSWERS, REQUESTS, SHOWN
from draftsmith.api.problems import STATUS, TITLES
from draftsmith.api.reading import BODIES, LONGEST_WAIT
from draftsmith.api.route_actions import ROUTES
from draftsmith.usecases.upkeep.history import TOKEN

Shape = dict[str, Any]
_TEXTS_IN_PATHS = frozenset({"w", "f", "node_id", "edge_id", "checkpoint", "run_id", "proposal_id", "approval_id"})
_OPEN_ANSWERS = frozenset({"ProblemDocument", "RunErrorOut"})
"""Answers with members that depend on their code; all others have the fields that they declare and no more."""
_WRITES = frozenset({"post", "put", "patch", "delete"})
# Problems that the rules below do not give.
_MORE_STATUSES: Mapping[str, set[int]] = {
    "start_run": {409, 429},
    "cancel_run": {409},
    "answer_approval": {409},
    "rate_run": {409},
    "summarize_history": {409, 410},
    "change_user": {409},
    "remove_user": {409},
    "enter_key": {409},
    "forget_key": {409},
    "reject_proposal": {409},
    "list_workspaces": {404},
    "create_folder": {404},
    "delete_folder": {409},
    "watch_commits": {409},
}
_WAITS = frozenset({"start_run", "get_run"})
_KEYED = frozenset({"create_workspace", "create_folder", "start_run"})
_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}
_REQUEST_ID = {"$ref": "#/components/headers/RequestId"}
_HEADERS: Shape = {
    "RequestId": {"description": "Names this request in the server's log.", "schema": {"type": "string"}},
    "ETag": {"description": "The revision shown, as a token.", "schema": {"type": "string"}},
    "RetryAfter": {"description": "Seconds.", "schema": {"type": "string"}},
    "PreferenceApplied": {"description": "What of Prefer was followed.", "schema": {"type": "string"}},
    "Location": {"description": "Where the new thing is.", "schema": {"type": "string"}},
    "IdempotentReplayed": {"description": "`true` where a repeat was answered.", "schema": {"type": "string"}},
}
_PARAMETERS: Shape = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "description": "Makes repeating safe: the same key and body are answered alike, and nothing happens twice.",
        "schema": {"type": "string", "minLength": 8, "maxLength": 128, "pattern": r"^[\x21-\x7e]+$"},
    },
    "Prefer": {
        "name": "Prefer",
        "description": "`return=minimal` leaves the diff out of the answer.",
        "schema": {"type": "string"},
    },
    "PreferWait": {
        "name": "Prefer",
        "description": f"`wait=30` holds the answer back until it is over; seconds, at most {LONGEST_WAIT}.",
        "schema": {"type": "string"},
    },
    "IfMatch": {
        "name": "If-Match",
        "description": "The ETag of a read as the base: 409 only if something this write touches has changed since.",
        "schema": {"type": "string", "pattern": rf"^(?:\*|{TOKEN.pattern})$"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "description": "The ETag of an earlier read: 304 if nothing has changed.",
        "schema": {"type": "string"},
    },
}
_SERVERS = [
    {"url": "/", "description": "The server that this was read from."},
    {"url": "http://127.0.0.1:8000", "description": "Draftsmith on this machine, where nothing else is set."},
]
_FIRST_CLAUSE = re.compile(r".+?(?=[:;.](?:\s|$)|$)", re.DOTALL)
# What links offer: operation → {operation that may follow: parameters, as runtime expressions}.
_W = {"w": "$request.path.w"}
_REVISION = {**_W, "revision": "$response.body#/revision"}
_RUN = {**_W, "run_id": "$response.body#/id"}
_PROPOSAL = {**_W, "proposal_id": "$response.body#/items/0/id"}
_AFTER_WRITE: Shape = {
    "get_commit": _REVISION,
    "get_revision": _REVISION,
    "revert_commit": _REVISION,
    "restore_revision": _REVISION,
    "get_workspace": _W,
    "undo": _W,
    "redo": _W,
}
_LINKS: Shape = {
    "post_batch": _AFTER_WRITE,
    "list_nodes": {"get_node": {**_W, "node_id": "$response.body#/items/0/id"}},
    "list_edges": {"get_edge": {**_W, "edge_id": "$response.body#/items/0/id"}},
    "post_node": {
        **_AFTER_WRITE,
        "get_node": {**_W, "node_id": "$response.body#/results/0/ids/0"},
        "patch_node": {**_W, "node_id": "$response.body#/results/0/ids/0"},
        "delete_node": {**_W, "node_id": "$response.body#/results/0/ids/0"},
    },
    "post_edge": {
        "get_edge": {**_W, "edge_id": "$response.body#/results/0/ids/0"},
        "patch_edge": {**_W, "edge_id": "$response.body#/results/0/ids/0"},
        "delete_edge": {**_W, "edge_id": "$response.body#/results/0/ids/0"},
    },
    "put_document": _AFTER_WRITE,
    "undo": {"redo": _W, "get_commit": _REVISION},
    "add_checkpoint": {"drop_checkpoint": {**_W, "checkpoint": "$response.body#/results/0/ids/0"}},
    "delete_workspace": {"undelete_workspace": _W},
    "start_run": {"get_run": _RUN, "cancel_run": _RUN, "watch_run": _RUN, "rate_run": _RUN, "undo": _W},
    "list_proposals": dict.fromkeys(("get_proposal", "accept_proposal", "reject_proposal"), _PROPOSAL),
}


_SECURITY_SCHEMES: Final[Mapping[str, Shape]] = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "Token mode: a key (`dsk_…`), or a token of the installation's issuer. With the key of an "
        'application, `Draftsmith-Actor: {"id": "42", "name": "Ann"}` names the person it acts for.',
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "draftsmith_session",
        "description": "Token mode: of who has signed in with a browser. The name ends with an id of the installation.",
    },
}


def openapi_of(app: FastAPI, root: str = "") -> Shape:
    """FastAPI's schema, completed; made once. `root` is the path below which a proxy serves it."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            tags=app.openapi_tags,
            servers=[{"url": root, "description": "This server"}] if root else _SERVERS,
        )
        _add_components(schema)
        operations = list(_operations(schema))
        for path, method, operation in operations:
            _complete(path, method, operation)
        _link(operations)
        app.openapi_schema = schema
    return app.openapi_schema


def _operations(schema: Shape) -> Iterator[tuple[str, str, Shape]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _add_components(schema: Shape) -> None:
    shapes: list[Any] = [(name, "validation", TypeAdapter(model)) for name, model in BODIES.items()]
    shapes.append(("ProblemDocument", "serialization", TypeAdapter(ProblemDocument)))
    _, extra = TypeAdapter.json_schemas(shapes, ref_template="#/components/schemas/{model}")
    components = schema.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas.update(extra.get("$defs", {}))
    for name, shape in schemas.items():
        if shape.get("type") == "object":  # bodies say so themselves
            shape.setdefault("additionalProperties", name in _OPEN_ANSWERS)
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    components["headers"] = _HEADERS
    components["securitySchemes"] = _SECURITY_SCHEMES
    # Local mode asks for none of them.
    schema["security"] = [*({name: []} for name in _SECURITY_SCHEMES), {}]
    components["parameters"] = {
        name: {**parameter, "in": "header", "required": False} for name, parameter in _PARAMETERS.items()
    }
    components["responses"] = {str(status): _problem(status) for status in sorted({*STATUS.values()})}


def _is_open(path: str, method: str) -> bool:
    """Whether it is answered without any credential, also in token mode."""
    action = ROUTES.get(f"{method.upper()} {path}")
    return action is None or action in (Action.PUBLIC, Action.SIGN_IN)


def _problem(status: int) -> Shape:
    codes = ", ".join(f"`{code}`" for code, of in STATUS.items() if of == status)
    headers = {"X-Request-Id": _REQUEST_ID}
    if status in (429, 503):
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    return {"description": f"{TITLES[status]}: {codes}.", "content": _PROBLEM, "headers": headers}


def _complete(path: str, method: str, operation: Shape) -> None:
    name, responses = operation["operationId"], operation["responses"]
    operation["summary"] = _summary(operation["description"])
    responses.pop("422", None)  # FastAPI's own form, which we never answer with
    for status in sorted(_statuses(path, method, operation)):
        responses.setdefault(str(status), {"$ref": f"#/components/responses/{status}"})
    for status, response in responses.items():
        if "$ref" not in response:
            response.setdefault("headers", {})["X-Request-Id"] = _REQUEST_ID
            for header, component in _headers_of(name, status, operation):
                response["headers"][header] = {"$ref": f"#/components/headers/{component}"}
    if _is_open(path, method):
        operation["security"] = []
    for parameter in _parameters_of(name, method, operation):
        operation.setdefault("parameters", []).append({"$ref": f"#/components/parameters/{parameter}"})
    examples = REQUESTS.get(name) or SHOWN.get(name)
    if examples:
        content = operation["requestBody"]["content"]["application/json"]
        content["examples"] = {title: {"value": value} for title, value in examples.items()}
    if name in ANSWERS:
        _success(operation)["content"]["application/json"]["example"] = ANSWERS[name]


def _summary(description: str) -> str:
    """What a route does: the first clause of its description."""
    clause = _FIRST_CLAUSE.match(description)
    return " ".join(clause[0].split()) if clause else ""


def _success(operation: Shape) -> Shape:
    found: Shape = next(response for status, response in operation["responses"].items() if status.startswith("2"))
    return found


def _is_write_answer(operation: Shape) -> bool:
    schema = _success(operation).get("content", {}).get("application/json", {}).get("schema", {})
    return str(schema.get("$ref", "")).endswith(("/WriteAnswer", "/AcceptAnswer"))


def _statuses(path: str, method: str, operation: Shape) -> set[int]:
    """The problems that an operation of this kind can answer with."""
    found = {400, 401, 403, 429, 500, 503} | _MORE_STATUSES.get(operation["operationId"], set())
    if "{" in path:
        found.add(404)
    if any(parameter["name"] not in _TEXTS_IN_PATHS for parameter in operation.get("parameters", ())):
        found.add(422)
    if method in _WRITES:
        found |= {413, 415}
    if "requestBody" in operation:
        found |= {408, 422}
    if operation["operationId"] == "create_workspace":
        found |= {404, 409}
    if _is_write_answer(operation):
        found |= {409, 410, 422}
    if method == "get" and operation["tags"] == ["history"]:
        found.add(410)
    return found


def _headers_of(name: str, status: str, operation: Shape) -> Iterator[tuple[str, str]]:
    is_success = status.startswith("2")
    if "304" in operation["responses"] and (is_success or status == "304"):
        yield "ETag", "ETag"
    if is_success and _is_write_answer(operation):
        yield "Preference-Applied", "PreferenceApplied"
    if is_success and name in ("create_workspace", "create_folder", "start_run"):
        yield "Location", "Location"
    if is_success and name in ("create_workspace", "create_folder"):
        yield "Idempotent-Replayed", "IdempotentReplayed"
    if is_success and name in _WAITS:
        yield "Preference-Applied", "PreferenceApplied"


def _parameters_of(name: str, method: str, operation: Shape) -> Iterator[str]:
    if "304" in operation["responses"]:
        yield "IfNoneMatch"
    if (_is_write_answer(operation) and name != "accept_proposal") or name in _KEYED:
        yield "IdempotencyKey"
    if name in _WAITS:
        yield "PreferWait"
    if _is_write_answer(operation):
        yield "Prefer"
        if operation["tags"] == ["writing"]:
            yield "IfMatch"


def _link(operations: list[tuple[str, str, Shape]]) -> None:
    """Say what may follow what: everything in a workspace follows its creation."""
    inside = {
        operation["operationId"]: {"w": "$response.body#/id"}
        for path, _, operation in operations
        if path.count("{") == 1 and "{w}" in path and operation["operationId"] != "watch_commits"  # which has no end
    }
    links: Shape = {**_LINKS, "create_workspace": inside}
    for _, _, operation in operations:
        found = links.get(operation["operationId"], {})
        if found:
            _success(operation)["links"] = {
                f"{operation['operationId']}_then_{name}": {"operationId": name, "parameters": parameters}
                for name, parameters in found.items()
            }
