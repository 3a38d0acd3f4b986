"""Behind a proxy: our external address and path, and the address of the client."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

_ROOT, _PUBLIC = "root", "public"


def behind_proxy(app: ASGIApp, *, trusted: str, root: str, public: str) -> ASGIApp:
    """The application as a proxy serves it.

    Args:
        app: the application.
        trusted: addresses and networks of proxies, separated by commas, whose `X-Forwarded-For` and
            `X-Forwarded-Proto` are believed; nobody's where it is empty.
        root: the path below which we are served, such as `/drafts`; empty for none.
        public: the address that people open, with that path; empty for that of each request.
    """
    below: ASGIApp = ProxyPathMiddleware(app, root, public) if root or public else app
    if not trusted:
        return below
    return ProxyHeadersMiddleware(below, trusted)  # type: ignore[arg-type,return-value]  # its own names for ASGI types


class ProxyPathMiddleware:
    """Sets the external address of requests, and strips the proxy's path prefix where the proxy left it."""

    def __init__(self, app: ASGIApp, root: str, public: str) -> None:
        self._app, self._root, self._public = app, root, public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        path, root = scope["path"], self._root
        if root and (path == root or path.startswith(f"{root}/")):
            scope = {**scope, "path": path[len(root) :] or "/"}
        place = {_ROOT: root, _PUBLIC: self._public}
        await self._app({**scope, "state": {**scope.get("state", {}), **place}}, receive, send)


def root_of(connection: HTTPConnection) -> str:
    """The path below which a browser finds us; empty for none."""
    return str(connection.scope.get("state", {}).get(_ROOT, ""))


def base_of(connection: HTTPConnection) -> str:
    """Where people find us, without a slash at the end."""
    public = str(connection.scope.get("state", {}).get(_PUBLIC, ""))
    return public or f"{connection.url.scheme}://{connection.url.netloc}{root_of(connection)}"


def is_at_base(connection: HTTPConnection) -> bool:
    """Whether a request came by the name by which people find us, whatever the scheme."""
    return urlsplit(base_of(connection)).netloc.lower() == connection.url.netloc.lower()


def address_of(connection: HTTPConnection) -> str:
    """Return the address a request comes from, as a trusted proxy says it; empty where it is not known."""
    return connection.client.host if connection.client else ""
