"""Answers as bytes: orjson, ETags, times, cursors."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api.forms.reading import wants_minimal
from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Head
from draftsmith.usecases.requests.shapes import WriteAnswer

JSON = "application/json"


def json_response(
    content: Mapping[str, object], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """An answer as JSON."""
    return Response(orjson.dumps(content), status, dict(headers or {}), JSON)


def bytes_response(content: bytes, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that is JSON already."""
    return Response(content, 200, dict(headers or {}), JSON)


def whole_list(items: bytes) -> bytes:
    """A list that has no further page."""
    return b'{"items":' + items + b',"next_cursor":null}'


def with_fields(fields: Mapping[str, object], content: bytes) -> bytes:
    """An object in JSON with further fields in front."""
    return orjson.dumps(fields)[:-1] + b"," + content[1:]


def write_response(request: Request, answer: WriteAnswer, status: int = 200) -> Response:
    """Answer a write with JSON; `Prefer: return=minimal` leaves out the diff."""
    if wants_minimal(request):
        brief = {name: value for name, value in answer.items() if name != "diff"}
        return json_response(brief, status, {"Preference-Applied": "return=minimal"})
    return json_response(answer, status)


def etag(head: Head) -> str:
    """The ETag of a revision."""
    return f'"{head.token}"'


def is_unchanged(request: Request, tag: str) -> bool:
    """Whether the caller already has this."""
    given = request.headers.get("if-none-match", "")
    return any(part.strip().removeprefix("W/") in (tag, "*") for part in given.split(",")) if given else False


def cursor(*parts: object) -> str:
    """An opaque cursor."""
    return base64.urlsafe_b64encode(orjson.dumps(parts)).decode().rstrip("=")


def read_cursor(text: str | None, *kinds: type) -> list[Any] | None:
    """What `cursor` was made of; None for no cursor.

    Raises:
        DraftsmithError: `invalid_request` for anything else.
    """
    if text is None:
        return None
    try:
        parts = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if len(parts) == len(kinds) and all(type(part) is kind for part, kind in zip(parts, kinds, strict=True)):
            return list(parts)
    except (binascii.Error, ValueError, TypeError):
        pass
    raise bad_cursor()


def bad_cursor() -> DraftsmithError:
    """The refusal of a cursor that no list has given."""
    return DraftsmithError("invalid_request", "This cursor was not made here; begin without one.")
