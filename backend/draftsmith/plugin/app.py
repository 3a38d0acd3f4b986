"""A plugin over HTTP: `POST /execute` for both hooks, `GET /healthz`. An ASGI application without a framework."""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final, Protocol

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
MOST_BODY_BYTES: Final = 2_000_000


class Hooks(Protocol):
    """What is served: a `Plugin`."""

    def describe(self) -> dict[str, Any]:
        """Answer the hook `describe`."""
        ...

    async def invoke(self, session_id: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Answer the hook `invoke`."""
        ...


class _RequestError(Exception):
    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class PluginApp:
    """Answers the hooks of one plugin; what it cannot read is answered with 400, 401, 404, 405 or 413."""

    def __init__(self, plugin: Hooks, token: str | None = None) -> None:
        self.plugin = plugin
        self._token = os.environ.get("PLUGIN_TOKEN", "") if token is None else token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; the protocol `lifespan` is answered as well."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "http":
            try:
                await _send(send, 200, await self._answer(scope, receive))
            except _RequestError as refused:
                error = {"code": refused.code, "message": refused.message, "details": {}}
                await _send(send, refused.status, {"success": False, "error": error})

    async def _answer(self, scope: Scope, receive: Receive) -> dict[str, Any]:
        if scope["path"] == "/healthz":
            return {"status": "ok"}
        if scope["path"] != "/execute":
            raise _RequestError(404, "not_found", "There is POST /execute, and GET /healthz.")
        if scope["method"] != "POST":
            raise _RequestError(405, "method_not_allowed", "The hooks are called with POST.")
        if self._token and not hmac.compare_digest(_header(scope, b"authorization"), f"Bearer {self._token}".encode()):
            raise _RequestError(401, "unauthorized", "Send the token of this plugin as 'Authorization: Bearer …'.")
        body = await _read_json(receive)
        hook = body.get("hook")
        if hook == "describe":
            return self.plugin.describe()
        if hook != "invoke":
            raise _RequestError(400, "unknown_hook", "'hook' must be 'describe' or 'invoke'.")
        session_id, payload = body.get("sessionId"), body.get("payload")
        if not isinstance(session_id, str) or not isinstance(payload, dict):
            raise _RequestError(400, "invalid_request", "'invoke' takes 'sessionId', a text, and 'payload', an object.")
        return await self.plugin.invoke(session_id, payload)


def _header(scope: Scope, name: bytes) -> bytes:
    return b", ".join(value for key, value in scope["headers"] if key == name)


async def _read_json(receive: Receive) -> dict[str, Any]:
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _RequestError(400, "invalid_request", "The request broke off.")
        body += message.get("body", b"")
        if len(body) > MOST_BODY_BYTES:
            raise _RequestError(413, "too_large", f"A request may have {MOST_BODY_BYTES:,} bytes.")
        if not message.get("more_body", False):
            break
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise _RequestError(400, "invalid_request", "The body is no JSON.") from None
    if not isinstance(value, dict):
        raise _RequestError(400, "invalid_request", "The body must be a JSON object.")
    return value


async def _send(send: Send, status: int, answer: dict[str, Any]) -> None:
    body = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def serve(app: PluginApp, host: str, port: int) -> None:
    """Serve an application with uvicorn until Ctrl-C or SIGTERM."""
    import uvicorn

    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)
