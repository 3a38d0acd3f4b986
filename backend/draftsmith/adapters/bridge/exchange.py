"""One request to the server's `/mcp` over HTTP, and the messages that it is answered with.

Not here: where the server is (`server_locator`), and what is asked (`bridge`).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final, cast

import httpx2
import orjson

from draftsmith.adapters.bridge.messages import RpcMessage, headers_of, refusal

_CONNECT_S: Final = 10.0
_ANSWER_S: Final = 600.0
_NOT_SENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout)
_MOST_PROBLEM: Final = 100_000


class ServerAwayError(Exception):
    """Nobody answers at the address; the request was not sent."""


class Exchange:
    """Requests to one server, with one key."""

    def __init__(self, key: str | None) -> None:
        """Prepare.

        Args:
            key: shown with every request; None to show none.
        """
        shown = {} if key is None else {"Authorization": f"Bearer {key}"}
        # No connection is kept: one that the server has closed meanwhile would leave open whether a call was done.
        self._http = httpx2.AsyncClient(
            headers={**shown, "User-Agent": "draftsmith-mcp"},
            timeout=httpx2.Timeout(_ANSWER_S, connect=_CONNECT_S),
            limits=httpx2.Limits(max_keepalive_connections=0),
            follow_redirects=False,
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def ask(self, url: str, request: RpcMessage, negotiated: str | None) -> AsyncGenerator[RpcMessage, None]:
        """Yield what the server answers to a request: any notifications, and at last the response.

        A failure is yielded as a response, too.

        Raises:
            ServerAwayError: it was not sent.
        """
        is_answered = False
        try:
            headers = headers_of(request, negotiated)
            async with self._http.stream("POST", f"{url}/mcp", content=orjson.dumps(request), headers=headers) as reply:
                async for message in _messages(request, reply):
                    is_answered = "method" not in message
                    yield message
        except _NOT_SENT as problem:
            raise ServerAwayError(str(problem)) from problem
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as problem:
            if not is_answered:
                yield refusal(request, _lost_message(request, f"{type(problem).__name__}: {problem}"))
            return
        if not is_answered:
            yield refusal(request, _lost_message(request, "the answer ended early"))


async def _messages(request: RpcMessage, reply: httpx2.Response) -> AsyncIterator[RpcMessage]:
    kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "text/event-stream" and reply.status_code == 200:
        async for message in _events(reply):
            yield message
        return
    content = await reply.aread()
    try:
        shape = orjson.loads(content)
    except orjson.JSONDecodeError:
        shape = None
    if isinstance(shape, dict) and shape.get("jsonrpc") == "2.0":
        yield cast(RpcMessage, {**shape, "id": request.get("id")} if shape.get("id") is None else shape)
        return
    yield refusal(request, _problem(reply, shape))


async def _events(reply: httpx2.Response) -> AsyncIterator[RpcMessage]:
    """The messages of a stream of server-sent events."""
    data: list[str] = []
    async for line in reply.aiter_lines():
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            shape = orjson.loads("\n".join(data))
            data.clear()
            if isinstance(shape, dict):
                yield cast(RpcMessage, shape)


def _problem(reply: httpx2.Response, shape: Any) -> str:
    """A refusal of the server that is no message of the protocol, in words."""
    if isinstance(shape, dict) and isinstance(shape.get("detail"), str):
        words = f"Refused ({shape.get('code', reply.status_code)}): {shape['detail'][:_MOST_PROBLEM]}"
    elif reply.is_redirect:
        words = (
            f"The server sends elsewhere, to {reply.headers.get('location', '?')[:400]}; give that address as --url."
        )
    else:
        words = (
            f"What answers there ({reply.url.host}) is no Draftsmith that serves agents: status {reply.status_code}."
        )
    if reply.status_code == 401:
        words += " Give a key of the server in DRAFTSMITH_KEY or by --key-file."
    if "retry-after" in reply.headers:
        words += f" Try again after {reply.headers['retry-after'][:20]} seconds."
    return words


def _lost_message(request: RpcMessage, why: str) -> str:
    words = f"The connection to the server was lost before it had answered ({why[:200]})."
    if request.get("method") != "tools/call":
        return words
    return f"{words} Whether it was done is not known: read again, or repeat an edit with the same id."
