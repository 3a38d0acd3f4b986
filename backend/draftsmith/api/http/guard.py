"""What every request goes through, as plain ASGI: ids, size, origin and host checks, metrics, one log line.

A page of another site must not be able to write here, with or without cookies, nor to reach this server by a name it
rebinds: so Host, Origin and `Sec-Fetch-Site` are looked at on every write (and Host on every request), and writes need
`application/json`, or the type of an image where they put one: no foreign form can send either. A WebSocket counts as a
write, since what comes over it may be one and browsers open it to any origin; who brings a ticket is let through here,
and the endpoint looks at the ticket.
In token mode metrics are also read by the address of a pod or machine, as Prometheus asks for them: an address is no
name, so nobody can rebind it.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
import time
from collections.abc import Callable, Collection, MutableMapping
from functools import lru_cache, partial
from typing import Any, Final
from urllib.parse import parse_qs

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from draftsmith.api.forms.problems import problem_response
from draftsmith.api.http.bodies import Answering, Bodies, is_image
from draftsmith.api.http.headers import Headers, with_security_headers
from draftsmith.api.http.metrics import HANDSHAKES, count_request
from draftsmith.api.http.other_origins import header_of, is_of_named_origin, is_own_origin
from draftsmith.errors import DraftsmithError
from draftsmith.model.images import IMAGE_TYPES
from draftsmith.usecases.commits.from_memory import begin_reading

NOTICE_PATH: Final = "/api/v1/sign-in/notice"
"""Issuers send their notices of sign-outs as forms; what is in them is signed, so no page can have one sent."""
FROM_MEMORY: Final = (b"draftsmith-store", b"away")
"""The header of an answer that was read from memory, since the store is away; see docs/api.md."""
METRICS_PATH: Final = "/metrics"
"""In token mode it is also read by any address; who may read it is decided as everywhere else."""
_FORM: Final = b"application/x-www-form-urlencoded"
_IMAGE_TYPES: Final = frozenset(kind.encode() for kind in IMAGE_TYPES)
_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_METHODS = _WRITES | {"GET", "HEAD", "OPTIONS"}
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# A name or an address and nothing else: no user, no path, and no form that browsers and parsers read differently.
_HOST = re.compile(r"(?:(?P<name>[A-Za-z0-9_.-]{1,255})|\[(?P<address>[0-9A-Fa-f:.]{2,45})\])(?::[0-9]{1,5})?")
_log = structlog.get_logger("draftsmith.http")


class Guard:
    """Checks a request before the application sees it, and notes what came of it."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        bodies: Bodies,
        hosts: Collection[str],
        metrics_by_address: bool,
        log_requests: bool,
        after_request: Callable[[], None],
    ) -> None:
        self._app, self._bodies, self._hosts, self._log_requests = app, bodies, frozenset(hosts), log_requests
        self._metrics_by_address, self._after_request = metrics_by_address, after_request
        self._is_known_host = lru_cache(maxsize=256)(partial(_is_known_host, hosts=self._hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        headers = dict(scope["headers"])
        if scope["method"] == "HEAD":  # the answer of GET; the server leaves out the body
            scope = {**scope, "method": "GET"}
        request_id = _request_id(headers)
        scope.setdefault("state", {})["request_id"] = request_id
        reading = begin_reading()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _headers_of(message, request_id)
                if reading.is_from_memory:
                    message["headers"].append(FROM_MEMORY)
            await answering.send(message)

        answering = Answering(scope, headers, receive, send)
        try:
            refusal = self._refusal(scope, headers)
            if refusal is not None:
                await problem_response(refusal, request_id)(scope, receive, sending)
            else:
                with self._bodies.receiving(scope, answering.receive) as body:
                    await self._app(scope, body, sending)
        finally:
            self._note(scope, request_id, status, time.perf_counter() - started)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one WebSocket from its handshake to its end."""
        started = time.perf_counter()
        headers = dict(scope["headers"])
        request_id = _request_id(headers)
        scope.setdefault("state", {})["request_id"] = request_id
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if status == 0:  # the first message answers the handshake
                status = {"websocket.accept": 101, "websocket.close": 403}.get(message["type"]) or message["status"]
                HANDSHAKES.labels(str(status)).inc()
                if message["type"] != "websocket.close":
                    message["headers"] = _headers_of(message, request_id)
            await send(message)

        try:
            refusal = self._socket_refusal(scope)
            if refusal is not None:
                await problem_response(refusal, request_id)(scope, receive, sending)
            else:
                await self._app(scope, receive, sending)
        finally:
            self._after_request()
            self._log_line("socket", scope, request_id, status, time.perf_counter() - started)

    def _socket_refusal(self, scope: Scope) -> DraftsmithError | None:
        if not self._is_known_host(header_of(scope, b"host")):
            return _bad_host()
        if _is_foreign(scope) and not parse_qs(scope["query_string"]).get(b"ticket"):
            return DraftsmithError(
                "cross_site", "Pages of another origin need a ticket: POST /api/v1/workspaces/{w}/live-tickets."
            )
        return None

    def _refusal(self, scope: Scope, headers: MutableMapping[bytes, bytes]) -> DraftsmithError | None:
        host, is_read = header_of(scope, b"host"), scope["method"] == "GET" and scope["path"] == METRICS_PATH
        if not self._is_known_host(host) and not (self._metrics_by_address and is_read and _is_address(host)):
            return _bad_host()
        try:
            self._bodies.check_head(scope, headers)
        except DraftsmithError as error:
            return error
        if scope["method"] not in _WRITES:
            return None
        if _is_foreign(scope) and not is_of_named_origin(scope):
            return DraftsmithError(
                "cross_site", "Writes from pages of another origin are refused, unless ALLOWED_ORIGINS names it."
            )
        kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
        if kind in _IMAGE_TYPES and is_image(scope["method"], scope["path"]):
            return None
        if kind == _FORM and scope["path"] == NOTICE_PATH:
            return None
        if kind != b"application/json" and not (scope["method"] == "DELETE" and not _has_body(headers)):
            return DraftsmithError("media_type", "Writes need Content-Type: application/json.")
        return None

    def _note(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "")
        method = scope["method"] if scope["method"] in _METHODS else "other"  # a label must not be anybody's choice
        count_request(method, route, status, seconds)
        self._after_request()
        self._log_line("request", scope, request_id, status, seconds, method=scope["method"])

    def _log_line(self, event: str, scope: Scope, request_id: str, status: int, seconds: float, **facts: Any) -> None:
        if self._log_requests or status >= 500:
            _log.info(
                event,
                request_id=request_id,
                path=scope["path"],
                status=status,
                ms=round(seconds * 1000, 2),
                **facts,
                **scope["state"].get("notes", {}),
            )


def _headers_of(message: Message, request_id: str) -> Headers:
    return with_security_headers([*message.get("headers", []), (b"x-request-id", request_id.encode())])


def _is_foreign(scope: Scope) -> bool:
    """Whether a page of another origin asks; programs say nothing about where they come from."""
    origin = header_of(scope, b"origin")
    is_other = bool(origin) and not is_own_origin(scope, origin)
    return is_other or header_of(scope, b"sec-fetch-site") in ("cross-site", "same-site")


def _bad_host() -> DraftsmithError:
    return DraftsmithError("bad_host", "This server does not answer to that host name; add it to ALLOWED_HOSTS.")


def _has_body(headers: MutableMapping[bytes, bytes]) -> bool:
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


def _request_id(headers: MutableMapping[bytes, bytes]) -> str:
    given = headers.get(b"x-request-id", b"").decode("latin-1")
    return given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def _is_known_host(host: str, hosts: Collection[str]) -> bool:
    """Loopback names and addresses, and what was configured; `*` stands for every name."""
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = (found["name"] or found["address"]).lower()
    if "*" in hosts or name == "localhost" or name.endswith(".localhost") or name in hosts:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_address(host: str) -> bool:
    """Whether it is an address, with a port or without; a name may lead anywhere tomorrow."""
    found = _HOST.fullmatch(host)
    try:
        return found is not None and bool(ipaddress.ip_address(found["name"] or found["address"]))
    except ValueError:
        return False


def note(scope: Scope, **facts: Any) -> None:
    """Add facts to the log line of the current request."""
    scope["state"].setdefault("notes", {}).update(facts)
