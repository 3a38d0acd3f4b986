"""Reading requests: bodies as strict JSON, ids for repeats, the pieces of OpenAPI that FastAPI cannot see from that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from starlette.requests import Request

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.transform.faults import fields_at, place_of, pointer, words_of
from draftsmith.transform.field_words import fields_near

MAX_DEPTH = 100
"""Levels of a body; our deepest form has 8, and what reads JSON after us gives up at 254."""

MAX_PROBLEMS = 100
LONGEST_WAIT = 60
"""Seconds that an answer is held back at most where the caller prefers to wait."""

_CODES = {"extra_forbidden": "field_unknown", "missing": "field_missing"}
_KEY = re.compile(r"[\x21-\x7e]{8,128}")
Body = TypeVar("Body", bound=BaseModel)
BODIES: dict[str, type[BaseModel]] = {}
_REF = "#/components/schemas/"


def takes(model: type[BaseModel]) -> dict[str, Any]:
    """The OpenAPI of a body that a route reads by itself, so that a fault in it becomes our problem document."""
    BODIES[model.__name__] = model
    schema = {"$ref": f"{_REF}{model.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


async def read_json(request: Request) -> Any:
    """The body as JSON: no NaN, no lone surrogates, no NUL characters, at most `MAX_DEPTH` levels.

    Raises:
        DraftsmithError: `malformed_json`; `invalid_request` for NUL characters.
    """
    raw = await request.body()
    if not raw:
        return {}
    try:
        content = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise DraftsmithError("malformed_json", f"The body is not JSON: {error}.") from None
    # Looking at bytes is a hundred times cheaper than at values, and nearly always enough.
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _is_deeper(content, MAX_DEPTH):
        raise DraftsmithError("malformed_json", f"The body is nested deeper than {MAX_DEPTH} levels.")
    if b"\\u0000" in raw:
        _refuse_nul(content, ())
    return content


def _is_deeper(content: Any, levels: int) -> bool:
    level = [content]
    for _ in range(levels):
        level = [
            below
            for value in level
            if isinstance(value, (dict, list))
            for below in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return False
    return any(isinstance(value, (dict, list)) for value in level)


def _refuse_nul(content: Any, place: tuple[Any, ...]) -> None:
    """Refuse NUL characters, which neither logs nor parsers of Markdown carry."""
    names: list[Any] = []
    if isinstance(content, dict):
        names = list(content)
    elif isinstance(content, list):
        names = list(range(len(content)))
    if any("\x00" in text for text in (content, *names) if isinstance(text, str)):
        problem = _problem(place, "nul", "must not hold the NUL character")
        raise DraftsmithError("invalid_request", f"{problem.message} Nothing was applied.", [problem])
    for name in names:
        _refuse_nul(content[name], (*place, name))


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
        faults = error.errors(include_url=False, include_input=False)[:MAX_PROBLEMS]
        problems = [_fault(content, model, one) for one in faults]
        raise DraftsmithError("invalid_request", f"{problems[0].message} Nothing was applied.", problems) from None


def _fault(content: Any, model: type[BaseModel], fault: ErrorDetails) -> Problem:
    """A fault of a body; an unknown field comes with those that may be meant."""
    place = place_of(content, fault["loc"], fault["type"])
    problem = _problem(place, fault["type"], fault["msg"])
    if problem.code != "field_unknown":
        return problem
    known = fields_at(model, place[:-1])
    return replace(problem, candidates=fields_near(str(place[-1]), known))


def invalid_parameters(errors: Any) -> DraftsmithError:
    """The refusal of query or path parameters, from FastAPI's own errors."""
    problems = [_problem(error["loc"][1:], error["type"], error["msg"]) for error in errors[:MAX_PROBLEMS]]
    return DraftsmithError("invalid_request", problems[0].message, problems)


def _problem(place: Sequence[int | str], kind: str, message: str) -> Problem:
    field = str(place[-1])[:64] if place else ""
    code = _CODES.get(kind, "field_invalid")
    shown = {"field_unknown": "is not known here", "field_missing": "is missing"}.get(code)
    text = words_of(kind, message)
    said = f"'{field}' {shown}." if shown else f"'{field}': {text}." if field else f"The body: {text}."
    return Problem(-1, "", code, pointer(place), said)


def given_id(request: Request, body_id: str | None = None) -> str | None:
    """The id under which a request may be repeated: the `Idempotency-Key`, else the batch's own id.

    Raises:
        DraftsmithError: `invalid_request`, if the header is not 8 to 128 visible characters.
    """
    key = request.headers.get("idempotency-key")
    if key is None:
        return body_id
    if not _KEY.fullmatch(key):
        raise DraftsmithError("invalid_request", "Idempotency-Key is 8 to 128 visible ASCII characters.")
    return key


def wants_minimal(request: Request) -> bool:
    """Whether the caller does not want the diff."""
    return _preferences(request).get("return") == "minimal"


def seconds_to_wait(request: Request) -> int | None:
    """How many seconds the caller prefers to wait for the result (`Prefer: wait`); None if it does not say."""
    preference = _preferences(request).get("wait", "")
    return (
        min(int(preference), LONGEST_WAIT)
        if preference.isascii() and preference.isdigit() and len(preference) < 10
        else None
    )


def _preferences(request: Request) -> dict[str, str]:
    """The preferences of the caller (RFC 7240) by name; of several with one name the first counts."""
    preferences: dict[str, str] = {}
    for header in request.headers.getlist("prefer"):
        for preference in header.split(","):
            name, _, value = preference.split(";")[0].partition("=")
            preferences.setdefault(name.strip().lower(), value.strip().strip('"').strip().lower())
    return preferences
