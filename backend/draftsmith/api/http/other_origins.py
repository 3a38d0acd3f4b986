"""CORS: our own origin, the other origins that the operator has named, and what browsers may do from those.

Cross-Origin Resource Sharing, as the Fetch standard has it. A page of a named origin may call the API with a credential
in `Authorization`; cookies count for nothing from there, so no such page acts as whoever happens to be signed in. Every
other origin gets no such header, and Guard refuses its writes. Sockets of any other origin need a ticket all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final
from urllib.parse import SplitResult, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from draftsmith.api.http.headers import with_security_headers

_NAMED: Final = "named_origin"
_PORTS: Final = {"http": 80, "https": 443}
_ASKED_WITH: Final = (
    "Authorization, Content-Type, Draftsmith-Actor, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, "
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, "
    "X-Request-Id"
)
_READABLE: Final = (
    "Content-Disposition, ETag, Idempotent-Replayed, Location, Preference-Applied, Retry-After, X-Request-Id"
)
_KNOWN_FOR: Final = "600"
_ALLOWED: Final = b"access-control-allow-origin"
_CORP: Final = b"cross-origin-resource-policy"


def is_of_named_origin(scope: Scope) -> bool:
    """Whether a page of another origin asks that the operator has named."""
    return bool(scope.get("state", {}).get(_NAMED))


class OtherOrigins:
    """Answers the preflights of named origins, and marks their requests and the answers to them."""

    def __init__(self, app: ASGIApp, origins: Collection[str], methods_at: Callable[[str], Collection[str]]) -> None:
        """`methods_at` gives the methods that an address takes; none for an address that is not there."""
        self._app, self._origins, self._methods_at = app, frozenset(origins), methods_at

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or not self._origins:
            await self._app(scope, receive, send)
            return
        origin = header_of(scope, b"origin")
        is_named = origin in self._origins and not is_own_origin(scope, origin)
        may_embed = is_named or _origin_of(header_of(scope, b"referer")) in self._origins

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [(name.lower(), value) for name, value in message.get("headers", [])]
                message["headers"] = _answer_headers(given, origin if is_named else None, may_embed=may_embed)
            await send(message)

        if is_named and scope["method"] == "OPTIONS" and header_of(scope, b"access-control-request-method"):
            await self._preflight(scope, sending)
            return
        if is_named:
            without = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
            scope = {**scope, "headers": without, "state": {**scope.get("state", {}), _NAMED: True}}
        await self._app(scope, receive, sending)

    async def _preflight(self, scope: Scope, send: Send) -> None:
        """Say what the address takes, which is nothing where there is none."""
        allowed = ", ".join(sorted(self._methods_at(scope["path"])))
        said = {
            b"access-control-allow-methods": allowed,
            b"access-control-allow-headers": _ASKED_WITH,
            b"access-control-max-age": _KNOWN_FOR,
        }
        headers = with_security_headers((name, value.encode()) for name, value in said.items())
        await send({"type": "http.response.start", "status": 204 if allowed else 404, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _answer_headers(
    route_headers: list[tuple[bytes, bytes]], origin: str | None, *, may_embed: bool
) -> list[tuple[bytes, bytes]]:
    """The headers of an answer, with what a browser needs to know about the origin that asked."""
    vary = b", ".join([value for name, value in route_headers if name == b"vary"] + [b"Origin"])
    replaced = {b"vary", *([_CORP] if may_embed else []), *([_ALLOWED] if origin is not None else [])}
    headers = [(name, value) for name, value in route_headers if name not in replaced]
    headers.append((b"vary", vary))
    if may_embed:
        headers.append((_CORP, b"cross-origin"))
    if origin is not None:
        headers.append((_ALLOWED, origin.encode("latin-1")))
        headers.append((b"access-control-expose-headers", _READABLE.encode()))
    return headers


def header_of(scope: Scope, name: bytes) -> str:
    """The last header of a name; empty where there is none."""
    return next((value.decode("latin-1") for known, value in reversed(scope["headers"]) if known == name), "")


def is_own_origin(scope: Scope, origin: str) -> bool:
    """Whether an origin is that of the address that was asked.

    A page that came by plain HTTP is another origin than this server where it is asked over TLS: whoever is on the way
    can write such a page. The other way round it is ours: TLS may end at a proxy that is not named in TRUSTED_PROXIES.
    """
    try:
        page, asked = urlsplit(origin), urlsplit(f"//{header_of(scope, b'host')}")
        is_same_place = page.hostname == asked.hostname and _port_of(page) == (asked.port or _PORTS[page.scheme])
    except (ValueError, KeyError):
        return False
    is_bare = page.netloc != "" and "@" not in page.netloc and not (page.path or page.query or page.fragment)
    is_downgraded = page.scheme == "http" and scope["scheme"] in ("https", "wss")
    return is_same_place and is_bare and not is_downgraded


def _port_of(origin: SplitResult) -> int:
    return origin.port or _PORTS[origin.scheme]


def _origin_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"
