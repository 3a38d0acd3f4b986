"""The few requests that the launcher makes to the server it has just started.

Plain `http.client` without proxies from the environment: it is always this machine.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

_SAMPLE = {"name": "Checkout platform", "template": "sample"}
# Fixed, so that neither a restart nor a second launcher on the store creates another one.
_SAMPLE_KEY = "draftsmith-first-sample-workspace"


def answers_ready(url: str, timeout_s: float = 1.0) -> bool:
    """Whether `/readyz` of the server at `url` answers 200."""
    status, _ = _request(url, "GET", "/readyz", timeout_s)
    return status == http.HTTPStatus.OK


def ensure_sample(url: str, timeout_s: float = 15.0) -> str | None:
    """Create the sample workspace if there is no workspace at all.

    Returns:
        The URL of the created workspace; None if there are others, it is in the trash, or it failed.
    """
    status, listed = _request(url, "GET", "/api/v1/workspaces?limit=1", timeout_s)
    if status != http.HTTPStatus.OK or not isinstance(listed, dict) or listed.get("items"):
        return None
    status, created = _request(url, "POST", "/api/v1/workspaces", timeout_s, body=_SAMPLE, key=_SAMPLE_KEY)
    if status not in (http.HTTPStatus.OK, http.HTTPStatus.CREATED) or not isinstance(created, dict):
        return None
    workspace = created.get("id")
    # The answer to a repeated request names a workspace that may have been deleted since; it stays deleted.
    status, _ = _request(url, "GET", f"/api/v1/workspaces/{workspace}", timeout_s)
    return f"{url}/w/{workspace}" if status == http.HTTPStatus.OK else None


def _request(
    url: str,
    method: str,
    path: str,
    timeout_s: float,
    *,
    body: Mapping[str, object] | None = None,
    key: str | None = None,
) -> tuple[int, Any]:
    """Make one request; status and decoded body, 0 and None without a valid answer."""
    parts = urlsplit(url)
    headers = {"Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if key is not None:
        headers["Idempotency-Key"] = key
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout_s)
    try:
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, http.client.HTTPException):
        return 0, None
    finally:
        connection.close()
    try:
        return answer.status, json.loads(content)
    except ValueError:
        return answer.status, None
