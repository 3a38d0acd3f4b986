"""Behind a proxy: the path below which it serves us, and what it says about who asks."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

_ROOT = "root"


def behind_proxy(app: ASGIApp, *, trusted: str, root: str) -> ASGIApp:
    """The application as a proxy serves it.

    Args:
        app: the application.
        trusted: addresses and networks of proxies, separated by commas, whose `X-Forwarded-For` and
            `X-Forwarded-Proto` are believed; nobody's where it is empty.
        root: the path below which we are served, such as `/drafts`; empty for none.
    """
    below: ASGIApp = BelowRoot(app, root) if root else app
    if not trusted:
        return below
    return ProxyHeadersMiddleware(below, trusted)  # type: ignore[arg-type,return-value]  # its own names for ASGI types


class BelowRoot:
    """Takes the path of the proxy off addresses, for proxies that leave it there; others have done so themselves."""

    def __init__(self, app: ASGIApp, root: str) -> None:
        self._app, self._root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        path, root = scope["path"], self._root
        if path == root or path.startswith(f"{root}/"):
            scope = {**scope, "path": path[len(root) :] or "/"}
        await self._app({**scope, "state": {**scope.get("state", {}), _ROOT: root}}, receive, send)


def root_of(connection: HTTPConnection) -> str:
    """The path below which a browser finds us; empty for none."""
    return str(connection.scope.get("state", {}).get(_ROOT, ""))


def base_of(connection: HTTPConnection) -> str:
    """Where a browser finds us, without a slash at the end."""
    return f"{connection.url.scheme}://{connection.url.netloc}{root_of(connection)}"
