"""Ask the running server for what a command imports, so that every page sees it at once."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import orjson

from draftsmith.errors import DraftsmithError

_TIMEOUT_S = 60.0
_API = "/api/v1"


def post_to(url: str, path: str, body: Mapping[str, object], key: str) -> dict[str, object] | None:
    """Post JSON to the server at `url`; what it answers.

    Args:
        url: where it listens.
        path: of the route, behind the prefix of the API.
        body: the body.
        key: the Idempotency-Key.

    Returns:
        The answer; None if nothing was done because nobody answered or a login is required.

    Raises:
        DraftsmithError: it refused it, with its code.
    """
    parts = urlsplit(url)
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Idempotency-Key": key}
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_TIMEOUT_S)
    try:
        connection.connect()
    except OSError:
        return None
    try:
        connection.request("POST", f"{_API}{path}", orjson.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, http.client.HTTPException) as problem:
        # It may have been done; continuing without the server could do it a second time.
        message = f"The server at {url} did not answer; look whether it was done. ({problem})"
        raise DraftsmithError("outcome_unknown", message) from problem
    finally:
        connection.close()
    if answer.status in (http.HTTPStatus.UNAUTHORIZED, http.HTTPStatus.FORBIDDEN):
        return None
    return _answer_of(url, answer.status, content)


def create_on(url: str, body: Mapping[str, object], key: str) -> str | None:
    """Create a workspace on the server at `url`; its id.

    Args:
        url: where it listens.
        body: of `POST /workspaces`.
        key: the Idempotency-Key.

    Returns:
        The id; None if nothing was created because nobody answered or a login is required.

    Raises:
        DraftsmithError: it refused the content, with its code.
    """
    said = post_to(url, "/workspaces", body, key)
    return None if said is None else str(said["id"])


def _answer_of(url: str, status: int, content: bytes) -> dict[str, object]:
    try:
        said: Any = orjson.loads(content)
    except orjson.JSONDecodeError:
        said = {}
    if status in (http.HTTPStatus.OK, http.HTTPStatus.CREATED) and isinstance(said, dict):
        return said
    detail = said.get("detail") or f"The server at {url} answered with status {status}."
    raise DraftsmithError(str(said.get("code") or "server_failed"), str(detail))
