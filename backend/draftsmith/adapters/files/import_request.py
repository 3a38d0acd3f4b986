"""Create a workspace from a file on the running server, so that every page sees it at once."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import orjson

from draftsmith.errors import DraftsmithError

_TIMEOUT_S = 60.0


def create_on(url: str, name: str, body: Mapping[str, object], key: str) -> str | None:
    """Create a workspace on the server at `url`; its id.

    Args:
        url: where it listens.
        name: what the workspace is to be called.
        body: `{format, content}`.
        key: the Idempotency-Key.

    Returns:
        The id; None if nothing was created because nobody answered or a login is required.

    Raises:
        DraftsmithError: it refused the content, with its code.
    """
    parts = urlsplit(url)
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Idempotency-Key": key}
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_TIMEOUT_S)
    try:
        connection.connect()
    except OSError:
        return None
    try:
        connection.request("POST", "/api/v1/workspaces", orjson.dumps({"name": name, "import": body}), headers)
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, http.client.HTTPException) as problem:
        # It may have been created; continuing without the server could create a second one.
        message = f"The server at {url} did not answer; look whether the workspace is there. ({problem})"
        raise DraftsmithError("outcome_unknown", message) from problem
    finally:
        connection.close()
    if answer.status in (http.HTTPStatus.UNAUTHORIZED, http.HTTPStatus.FORBIDDEN):
        return None
    return _id_of(url, answer.status, content)


def _id_of(url: str, status: int, content: bytes) -> str:
    try:
        said: Any = orjson.loads(content)
    except orjson.JSONDecodeError:
        said = {}
    if status in (http.HTTPStatus.OK, http.HTTPStatus.CREATED) and isinstance(said.get("id"), str):
        return str(said["id"])
    detail = said.get("detail") or f"The server at {url} answered with status {status}."
    raise DraftsmithError(str(said.get("code") or "server_failed"), str(detail))
