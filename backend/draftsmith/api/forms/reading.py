"""Reading requests: bodies as strict JSON, ids for repeats, what callers prefer."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypeVar, cast

import orjson
from fastapi import Depends
from pydantic import BaseModel
from pydantic_core import ErrorDetails
from starlette.requests import Request

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.transform.requests.faults import fields_at, place_of, pointer, words_of
from draftsmith.transform.requests.field_words import fields_near
from draftsmith.transform.requests.form_check import MAX_PROBLEMS, MORE_PROBLEMS, checking_form
from draftsmith.usecases.replicas.slices import in_slices

LONGEST_WAIT = 60
"""Seconds that an answer is held back at most where the caller prefers to wait."""

_CODES = {"extra_forbidden": "field_unknown", "missing": "field_missing"}
_KEY = re.compile(r"[\x21-\x7e]{8,128}")
Body = TypeVar("Body", bound=BaseModel)
_MAX_NAME = 256
_READ = "content"
_SEARCHED = 262_144
"""Bytes of a body in which the field that holds a NUL character is looked for."""


async def read_json(request: Request) -> Any:
    """The body as JSON: no NaN, no lone surrogates, no NUL characters; size and depth are limited as it arrives.

    It is read once a request: whoever takes it as a model and as it came has the same.

    Raises:
        DraftsmithError: `malformed_json`; `invalid_request` for NUL characters; as `bodies`.
    """
    state = request.scope.setdefault("state", {})
    if _READ not in state:
        state[_READ] = await _read_json(request)
    return state[_READ]


Content = Annotated[Any, Depends(read_json)]
"""The body as it came, for an endpoint that also takes it as a model."""


async def _read_json(request: Request) -> Any:
    raw = await request.body()
    if not raw:
        return {}
    try:
        content = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise DraftsmithError("malformed_json", f"The body is not JSON: {error}.") from None
    if _has_nul(raw):
        if len(raw) > _SEARCHED:
            problem = _problem((), "nul", "must not hold the NUL character")
            raise DraftsmithError("invalid_request", f"{problem.message} Nothing was applied.", [problem])
        _refuse_nul(content)
    return content


def _refuse_nul(content: Any) -> None:
    """Refuse NUL characters, which neither logs nor parsers of Markdown carry; there seems to be one."""
    place: list[int | str] = []
    while isinstance(content, (dict, list)) and content:
        names: list[Any] = list(content) if isinstance(content, dict) else list(range(len(content)))
        while len(names) > 1:  # half of what is left at a time, looked at as bytes again
            half = names[: len(names) // 2]
            piece = (
                {name: content[name] for name in half} if isinstance(content, dict) else content[half[0] : half[-1] + 1]
            )
            names = half if _has_nul(orjson.dumps(piece)) else names[len(half) :]
        (name,) = names
        if isinstance(name, str) and "\x00" in name:
            content = name
            break
        place.append(name)
        content = content[name]
    if not isinstance(content, str) or "\x00" not in content:
        return  # it was in a field that is there twice, and only the last one counts
    problem = _problem(place, "nul", "must not hold the NUL character")
    raise DraftsmithError("invalid_request", f"{problem.message} Nothing was applied.", [problem])


def _has_nul(raw: bytes) -> bool:
    return b"\\u0000" in raw and b"\\u0000" in raw.replace(b"\\\\", b"")


async def read_body(request: Request, model: type[Body]) -> Body:
    """The body as a model.

    Raises:
        DraftsmithError: `malformed_json` or `invalid_request`.
    """
    return await in_slices(checking(await read_json(request), model))


def checking(content: Any, model: type[Body]) -> Generator[None, None, Body]:
    """JSON as a model, in slices.

    Raises:
        DraftsmithError: `invalid_request`, with a problem for every fault, at most 50.
    """
    body, faults = yield from checking_form(model, content)
    if not faults:
        return cast(Body, body)
    problems = [_fault(content, model, one) for one in faults[:MAX_PROBLEMS]]
    detail = f"{problems[0].message} Nothing was applied."
    detail = f"{detail} {MORE_PROBLEMS}" if len(faults) > MAX_PROBLEMS else detail
    raise DraftsmithError("invalid_request", detail, problems)


def _fault(content: Any, model: type[BaseModel], fault: ErrorDetails) -> Problem:
    """A fault of a body; an unknown field comes with those that may be meant."""
    place = place_of(content, fault["loc"], fault["type"])
    problem = _problem(place, fault["type"], fault["msg"])
    if problem.code != "field_unknown":
        return problem
    known = fields_at(model, place[:-1])
    return replace(problem, candidates=fields_near(str(place[-1])[:_MAX_NAME], known))


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
