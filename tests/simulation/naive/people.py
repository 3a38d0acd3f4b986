"""Three people who speak to two workers over HTTP, on connections that stay open."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

from tests.simulation.naive.pages import Page, opened
from tests.timeouts import TIMEOUT_SECONDS

NAMES = ("ann", "bob", "cleo")


class People:
    """Everybody's way to every worker; counts the calls.

    Attributes:
        calls: how many requests were sent.
    """

    def __init__(self, urls: Sequence[str]) -> None:
        self.calls = 0
        self._urls = urls
        self._workers = [_connection(url) for url in urls]
        self._cookies: dict[str, str] = {}
        for name in NAMES:
            self._meet(name)

    def _meet(self, name: str) -> None:
        """Make somebody a browser profile, so that each has stacks of their own."""
        self._workers[0].request("POST", "/api/v1/session", "{}", {"Content-Type": "application/json"})
        answer = self._workers[0].getresponse()
        answer.read()
        assert answer.status == 201
        self._cookies[name] = answer.headers["set-cookie"].partition(";")[0]

    def ask(
        self, name: str, worker: int, method: str, path: str, body: Mapping[str, Any] | None = None, key: str = ""
    ) -> tuple[int, Any]:
        """Send a request as somebody to a worker; status and decoded answer."""
        self.calls += 1
        headers = {"Cookie": self._cookies[name]}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key:
            headers["Idempotency-Key"] = key
        connection = self._workers[worker]
        connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def page(self, name: str, worker: int, path: str) -> AbstractContextManager[Page]:
        """Open a workspace as somebody, to type in it."""
        self.calls += 1
        return opened(self._urls[worker], path, self._cookies[name])

    def close(self) -> None:
        """Close the connections."""
        for connection in self._workers:
            connection.close()


def _connection(url: str) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_SECONDS)
