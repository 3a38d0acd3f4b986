"""OpenAPI made complete by rule: statuses, headers and links that all operations of a kind share.

FastAPI sees what routes declare. What all of a kind have is added here once, so that no route repeats it and none
forgets it; what one route has stands at the route (`describing`). The codes in the descriptions come from the table
that the answers are made with. No rule names a route.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NotRequired, TypedDict, cast

from fastapi import FastAPI, params
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from draftsmith.access.actions import Action
from draftsmith.api.contract.route import Route
from draftsmith.api.forms.answers import ProblemDocument
from draftsmith.api.forms.problems import STATUS, TITLES
from draftsmith.api.forms.reading import LONGEST_WAIT
from draftsmith.api.forms.responses import JSON
from draftsmith.api.live.streams import EVENT_STREAM
from draftsmith.usecases.upkeep.history import TOKEN

_Form = Mapping[str, object]
"""A JSON Schema."""
_Reference = TypedDict("_Reference", {"$ref": str})
_Parameter = TypedDict(
    "_Parameter",
    {
        "name": str,
        "in": NotRequired[str],
        "required": NotRequired[bool],
        "description": NotRequired[str],
        "schema": _Form,
    },
)


class _Header(TypedDict):
    description: str
    schema: _Form


class _Content(TypedDict, total=False):
    schema: _Form
    example: object
    examples: object


_Response = TypedDict(
    "_Response",
    {
        "description": str,
        "content": dict[str, _Content],
        "headers": dict[str, _Reference],
        "links": Mapping[str, object],
        "$ref": str,
    },
    total=False,
)


class _RequestBody(TypedDict):
    content: dict[str, _Content]


class _Operation(TypedDict):
    operationId: str
    summary: str
    description: str
    tags: list[str]
    parameters: NotRequired[list[_Parameter | _Reference]]
    requestBody: NotRequired[_RequestBody]
    responses: dict[str, _Response]
    security: list[Mapping[str, Sequence[str]]]


_OPEN_ANSWERS = frozenset({"ProblemDocument", "RunErrorOut"})
"""Answers with members that depend on their code; all others have the fields that they declare and no more."""
_WRITES = frozenset({"post", "put", "patch", "delete"})
_PROBLEM: Final[dict[str, _Content]] = {
    "application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}
}
_REQUEST_ID: Final[_Reference] = {"$ref": "#/components/headers/RequestId"}
_HEADERS: Final[Mapping[str, _Header]] = {
    "RequestId": {"description": "Names this request in the server's log.", "schema": {"type": "string"}},
    "ETag": {"description": "The revision shown, as a token.", "schema": {"type": "string"}},
    "RetryAfter": {"description": "Seconds.", "schema": {"type": "string"}},
    "PreferenceApplied": {"description": "What of Prefer was followed.", "schema": {"type": "string"}},
    "Location": {"description": "Where the new thing is.", "schema": {"type": "string"}},
    "IdempotentReplayed": {"description": "`true` where a repeat was answered.", "schema": {"type": "string"}},
}
_PARAMETERS: Final[Mapping[str, _Parameter]] = {
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
_NAME_IN_PATH = re.compile(r"\{(\w+)\}")
_FIRST_CLAUSE = re.compile(r".+?(?=[:;.](?:\s|$)|$)", re.DOTALL)

_SECURITY_SCHEMES: Final[Mapping[str, Mapping[str, str]]] = {
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


def openapi_of(app: FastAPI, root: str = "") -> dict[str, Any]:
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
        routes = {route.name: route for route in app.routes if isinstance(route, Route) and route.include_in_schema}
        _add_components(schema, routes.values())
        operations = list(_operations(schema))
        for path, method, operation in operations:
            route = routes[operation["operationId"]]
            _add_path_parameters(path, operation)
            _complete(path, method, operation, route.permission.action)
            _add_examples(operation, route)
        _link(operations)
        app.openapi_schema = schema
    return app.openapi_schema


def _operations(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, _Operation]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _add_components(schema: dict[str, Any], routes: Iterable[Route]) -> None:
    # Bodies are described anew, since FastAPI drops what is null and makes whole numbers of limits others.
    bodies = {model.__name__: model for route in routes for _, model in route.bodies}
    shapes: list[Any] = [(name, "validation", TypeAdapter(model)) for name, model in bodies.items()]
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
    components["responses"] = {str(status): _problem_response(status) for status in sorted({*STATUS.values()})}


def _problem_response(status: int) -> _Response:
    """A problem document as the answer with a status; its description lists the codes that have the status."""
    codes = ", ".join(f"`{code}`" for code, of in STATUS.items() if of == status)
    headers: dict[str, _Reference] = {"X-Request-Id": _REQUEST_ID}
    if status in (429, 503):
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    return {"description": f"{TITLES[status]}: {codes}.", "content": _PROBLEM, "headers": headers}


def _complete(path: str, method: str, operation: _Operation, action: Action) -> None:
    responses = operation["responses"]
    operation["summary"] = _summary(operation["description"])
    responses.pop("422", None)  # FastAPI's own form, which we never answer with
    for problem in sorted(_statuses(path, method, operation)):
        responses.setdefault(str(problem), {"$ref": f"#/components/responses/{problem}"})
    for status, response in responses.items():
        if "$ref" in response:
            response.pop("description", None)  # that of the component counts
            continue
        headers = response.setdefault("headers", {})
        headers["X-Request-Id"] = _REQUEST_ID
        for header, component in _headers_of(status, operation):
            headers[header] = {"$ref": f"#/components/headers/{component}"}
    if action in (Action.PUBLIC, Action.SIGN_IN):  # without any credential, also in token mode
        operation["security"] = []
    for parameter in _parameters_of(operation):
        operation.setdefault("parameters", []).append({"$ref": f"#/components/parameters/{parameter}"})


def _add_path_parameters(path: str, operation: _Operation) -> None:
    """Name those parts of a path that an endpoint does not take as parameters, since it serves several paths."""
    declared = operation.get("parameters", [])
    there = {parameter.get("name") for parameter in declared}
    missing: list[_Parameter | _Reference] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "title": name.title()}}
        for name in _NAME_IN_PATH.findall(path)
        if name not in there
    ]
    if missing:
        operation["parameters"] = [*missing, *declared]


def _add_examples(operation: _Operation, route: Route) -> None:
    """Give examples as they stand at the route: FastAPI drops what is null in them."""
    given = None if route.body_field is None else cast(params.Body, route.body_field.field_info).openapi_examples
    if given:
        operation["requestBody"]["content"][JSON]["examples"] = given
    for status, response in route.responses.items():
        example = response.get("content", {}).get(JSON, {}).get("example")
        if example is not None:
            operation["responses"][str(status)]["content"][JSON]["example"] = example


def _summary(description: str) -> str:
    """What a route does: the first clause of its description."""
    clause = _FIRST_CLAUSE.match(description)
    return " ".join(clause[0].split()) if clause else ""


def _success(operation: _Operation) -> _Response:
    return next(response for status, response in operation["responses"].items() if status.startswith("2"))


def _answers(operation: _Operation, *forms: str) -> bool:
    """Whether an operation answers in one of these forms."""
    schema = _success(operation).get("content", {}).get(JSON, {}).get("schema", {})
    return str(schema.get("$ref", "")).rpartition("/")[2] in forms


def _is_write_answer(operation: _Operation) -> bool:
    return _answers(operation, "WriteAnswer", "AcceptAnswer")


def _statuses(path: str, method: str, operation: _Operation) -> set[int]:
    """The problems that an operation of this kind can answer with."""
    found = {400, 401, 403, 429, 431, 500, 503}
    if "{" in path:
        found.add(404)
    if any(_may_misfit(parameter) for parameter in operation.get("parameters", ())):
        found.add(422)
    if method in _WRITES:
        found |= {413, 415}
    if "requestBody" in operation:
        found |= {408, 422}
    if _is_write_answer(operation):
        found |= {409, 410, 422}
    if method == "get" and operation["tags"] == ["history"]:
        found.add(410)
    return found


def _may_misfit(parameter: _Parameter | _Reference) -> bool:
    """Whether not every text will do; of headers that endpoints read by themselves every one does."""
    if "$ref" in parameter:
        return False
    form = parameter["schema"]
    return bool(parameter["in"] != "path" or form.keys() != {"type", "title"} or form["type"] != "string")


def _headers_of(status: str, operation: _Operation) -> Iterator[tuple[str, str]]:
    is_success = status.startswith("2")
    if "304" in operation["responses"] and (is_success or status == "304"):
        yield "ETag", "ETag"
    if is_success and _is_write_answer(operation):
        yield "Preference-Applied", "PreferenceApplied"


def _parameters_of(operation: _Operation) -> Iterator[str]:
    if "304" in operation["responses"]:
        yield "IfNoneMatch"
    if _answers(operation, "WriteAnswer"):
        yield "IdempotencyKey"
    if _is_write_answer(operation):
        yield "Prefer"
        if operation["tags"] == ["writing"]:
            yield "IfMatch"


def _link(operations: list[tuple[str, str, _Operation]]) -> None:
    """Say what may follow what: everything in a workspace follows its creation, but for streams, which have no end."""
    inside = {
        operation["operationId"]: {"operationId": operation["operationId"], "parameters": {"w": "$response.body#/id"}}
        for path, _, operation in operations
        if path.count("{") == 1 and "{w}" in path and EVENT_STREAM not in _success(operation).get("content", {})
    }
    for _, _, operation in operations:
        name, success = operation["operationId"], _success(operation)
        links = inside if _answers(operation, "CreatedOut") else success.get("links", {})
        if links:
            success["links"] = {f"{name}_then_{following}": link for following, link in links.items()}
