"""Reading requests: bodies as strict JSON, ids for repeats, the pieces of OpenAPI that FastAPI cannot see from that."""

from __future__ import annotations

from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from draftsmith.errors import DraftsmithError, Problem

Body = TypeVar("Body", bound=BaseModel)
BODIES: dict[str, type[BaseModel]] = {}
_REF = "#/components/schemas/"


def takes(model: type[BaseModel], *, required: bool = True) -> dict[str, Any]:
    """The OpenAPI of a request body that a route reads by itself."""
    BODIES[model.__name__] = model
    schema = {"$ref": f"{_REF}{model.__name__}"}
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": schema}}}}


async def read_json(request: Request) -> Any:
    """The body as JSON: no NaN, no lone surrogates, no more than 200 levels.

    Raises:
        DraftsmithError: `malformed_json`.
    """
    raw = await request.body()
    if not raw:
        return {}
    try:
        content = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise DraftsmithError("malformed_json", f"The body is not JSON: {error}.") from None
    return content


async def read_body(request: Request, model: type[Body]) -> Body:
    """The body as a model.

    Raises:
        DraftsmithError: `malformed_json` or `invalid_request`.
    """
    return checked(await read_json(request), model)


def checked(content: Any, model: type[Body]) -> Body:
    """JSON as a model.

    Raises:
        DraftsmithError: `invalid_request`, with a problem for every fault.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise invalid(error) from None


def invalid(error: ValidationError) -> DraftsmithError:
    """The refusal of a body, with a problem for every fault (at most 100)."""
    problems = [_problem(detail["loc"], detail["type"], detail["msg"]) for detail in error.errors(include_url=False)]
    first = problems[0].message if problems else "The request is not of the right form."
    return DraftsmithError("invalid_request", f"{first} Nothing was applied.", problems[:100])


def invalid_parameters(errors: Any) -> DraftsmithError:
    """The refusal of query or path parameters, from FastAPI's own errors."""
    problems = [_problem(error["loc"][1:], error["type"], error["msg"]) for error in errors]
    first = problems[0].message if problems else "The request is not of the right form."
    return DraftsmithError("invalid_request", first, problems[:100])


def _problem(place: Any, kind: str, message: str) -> Problem:
    path = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in place)
    field = str(place[-1])[:64] if place else ""
    code = {"extra_forbidden": "field_unknown", "missing": "field_missing"}.get(kind, "field_invalid")
    text = message.removeprefix("Value error, ")
    shown = {"field_unknown": "is not known here", "field_missing": "is missing"}.get(code)
    said = f"'{field}' {shown}." if shown else f"'{field}': {text[:1].lower()}{text[1:]}." if field else f"{text}."
    return Problem(-1, "", code, path, said)


def given_id(request: Request, body_id: str | None = None) -> str | None:
    """The id under which a request may be repeated: the `Idempotency-Key`, else the batch's own id.

    Raises:
        DraftsmithError: `invalid_request`, if the header is not 8 to 128 visible characters.
    """
    key = request.headers.get("idempotency-key")
    if key is None:
        return body_id
    if not 8 <= len(key) <= 128 or not (key.isascii() and key.isprintable()):
        raise DraftsmithError("invalid_request", "Idempotency-Key is 8 to 128 visible ASCII characters.")
    return key


def wants_minimal(request: Request) -> bool:
    """Whether the caller does not want the diff."""
    return "return=minimal" in request.headers.get("prefer", "").replace(" ", "").lower()
