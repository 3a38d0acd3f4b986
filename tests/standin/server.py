"""The stand-in as a web application, and a real server for it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from tests.standin.catalogue import MODELS
from tests.standin.checks import Refused, check_request
from tests.standin.prefix import PromptCache, count_tokens, fingerprint
from tests.standin.script import STATUS, Brain, HttpError, Step, Turn
from tests.standin.wire import encode, events_of, message_of
from tests.timeouts import timeout

_LARGEST_BODY = 32 * 1024 * 1024


@dataclass(frozen=True)
class Asked:
    """One request that was taken: its body and its headers, the names in lower case."""

    body: dict[str, Any]
    headers: dict[str, str]


class Standin:
    """The application and what it has seen.

    Attributes:
        key: the API key that it takes.
        asked: requests for messages that were in order, oldest first.
        refused: why requests were answered with 400; empty unless somebody has a defect.
        checked: models that were asked about.
        disconnects: streams that the client left before their end.
        streaming: streams that are open now.
        stalled: streams that say nothing more.
        holding: streams that wait to be let go on.
    """

    def __init__(
        self,
        script: Sequence[Step | Brain] | Brain,
        *,
        key: str = "sk-standin",
        cache_floor: int = 64,
        routes: Sequence[BaseRoute] = (),
    ) -> None:
        """Answer by `script`: steps in their order, or one function of the request's body for all of them.

        Args:
            script: what is answered.
            key: the API key that it takes.
            cache_floor: tokens below which a prefix is not cached; the API's own is 512 or more.
            routes: what it answers besides the API, or in its place.
        """
        self.key = key
        self.asked: list[Asked] = []
        self.refused: list[str] = []
        self.checked: list[str] = []
        self.disconnects = self.streaming = self.stalled = self.holding = 0
        self._script = script if callable(script) else list(script)
        self._cache = PromptCache(cache_floor)
        self._paused: set[str] = set()
        self._number = 0
        self._changed = asyncio.Event()
        self._may_go_on = asyncio.Event()
        self.app = Starlette(
            routes=[
                *routes,
                Route("/v1/messages", self._messages, methods=["POST"]),
                Route("/v1/messages/count_tokens", self._count, methods=["POST"]),
                Route("/v1/models", self._models),
                Route("/v1/models/{model}", self._model),
            ]
        )

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds of what the stand-in has seen; TimeoutError if it does not come to that."""
        async with timeout():
            while not holds():
                self._changed.clear()
                await self._changed.wait()

    def let_go(self) -> None:
        """Let every stream that waits go on; those that come to wait later wait anew."""
        self._may_go_on.set()
        self._may_go_on = asyncio.Event()

    async def hold(self) -> None:
        """Wait until somebody lets go."""
        self.note(holding=1)
        try:
            await self._may_go_on.wait()
        finally:
            self.note(holding=-1)

    def note(self, **more: int) -> None:
        """Count something and wake up who waits for it."""
        for name, number in more.items():
            setattr(self, name, getattr(self, name) + number)
        self._changed.set()

    async def _messages(self, request: Request) -> Response:
        body = await self._admit(request)
        if isinstance(body, Response):
            return body
        self.asked.append(Asked(body, dict(request.headers)))
        self.note()
        try:
            step = self.next_step(body)
        except IndexError:
            return self.error(HttpError("api_error", "the script of the stand-in is at its end"))
        if isinstance(step, HttpError):
            return self.error(step)
        self._number += 1
        message = message_of(step, body, self._cache.use(body), self._number)
        if step.stop_reason == "pause_turn":
            self._paused.add(fingerprint(message["content"]))
        headers = {"request-id": self._request_id(), "anthropic-organization-id": "org_standin"}
        if not body.get("stream"):
            return JSONResponse(message, headers=headers)
        frames = [(name, encode((name, data))) for name, data in events_of(step, message)]
        return Stream(self, step, frames, broken_by(step), headers)

    def usage(self, body: dict[str, Any]) -> dict[str, int]:
        """What a request reads from the cache and writes to it, by the stand-in's own measure."""
        return self._cache.use(body)

    def next_number(self) -> int:
        """Count the answers."""
        self._number += 1
        return self._number

    def next_step(self, body: dict[str, Any]) -> Step:
        """The next answer of the script; IndexError at its end."""
        step = self._script if callable(self._script) else self._script.pop(0)
        return step(body) if callable(step) else step

    async def _count(self, request: Request) -> Response:
        body = await self._admit(request)
        if isinstance(body, Response):
            return body
        return JSONResponse({"input_tokens": count_tokens(body.get("tools"), body.get("system"), body["messages"])})

    async def _models(self, request: Request) -> Response:
        refusal = self._refusal_or_none(request)
        if refusal is not None:
            return refusal
        data = [model.to_json() for model in MODELS.values()]
        page = {"data": data, "has_more": False, "first_id": data[0]["id"], "last_id": data[-1]["id"]}
        return JSONResponse(page, headers={"request-id": self._request_id()})

    async def _model(self, request: Request) -> Response:
        name = request.path_params["model"]
        self.checked.append(name)
        refusal = self._refusal_or_none(request)
        if refusal is not None:
            return refusal
        if name not in MODELS:
            return self.error(HttpError("not_found_error", f"model: {name}"))
        return JSONResponse(MODELS[name].to_json(), headers={"request-id": self._request_id()})

    def _refusal_or_none(self, request: Request) -> Response | None:
        if "anthropic-version" not in request.headers:
            return self.error(HttpError("invalid_request_error", "anthropic-version: header is required"))
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if (request.headers.get("x-api-key") or bearer) != self.key:
            return self.error(HttpError("authentication_error", "invalid x-api-key"))
        return None

    async def _admit(self, request: Request) -> dict[str, Any] | Response:
        refusal = self._refusal_or_none(request)
        if refusal is not None:
            return refusal
        content = await request.body()
        if len(content) > _LARGEST_BODY:
            return self.error(HttpError("request_too_large", "Request exceeds the maximum size"))
        body: dict[str, Any] = json.loads(content)
        model = MODELS.get(str(body.get("model")))
        if model is None or model.lifecycle == "retired":
            return self.error(HttpError("not_found_error", f"model: {body.get('model')}"))
        counts_only = request.url.path.endswith("count_tokens")
        try:
            check_request(body, model, counts_only=counts_only, paused=self._paused)
        except Refused as why:
            self.refused.append(str(why))
            return self.error(HttpError("invalid_request_error", str(why)))
        return body

    def error(self, step: HttpError) -> Response:
        """An answer with an error status, in the form of the Messages API."""
        request_id = self._request_id()
        status = step.status or STATUS[step.type]
        headers = {"request-id": request_id, **step.headers}
        if step.body is not None:
            return Response(step.body, status, headers, media_type="text/html")
        details = {"details": {"error_code": step.code}} if step.code else {}
        error = {"type": step.type, "message": step.message, **details}
        return JSONResponse({"type": "error", "error": error, "request_id": request_id}, status, headers)

    def _request_id(self) -> str:
        self._number += 1
        return f"req_{self._number:08d}"


Frame = tuple[str, bytes]
"""The name of an event and what goes over the wire."""


def broken_by(turn: Turn) -> bytes:
    """What the Messages API sends last where a stream breaks with an error or with garbage."""
    breaks = turn.breaks
    if breaks is None or breaks.how not in ("error", "garbage"):
        return b""
    if breaks.how == "garbage":
        return b'event: content_block_delta\ndata: {"type": "content_block_de\n\n'
    error = {"type": breaks.type, "message": breaks.message}
    return encode(("error", {"error": error, "request_id": "req_midstream"}))


class Stream(Response):
    """The events of a turn, at the pace and with the breaks of the script; it sees when the client goes."""

    def __init__(
        self,
        standin: Standin,
        turn: Turn,
        frames: Sequence[Frame],
        broken: bytes,
        headers: dict[str, str],
        media_type: str = "text/event-stream",
    ) -> None:
        super().__init__(headers={**headers, "cache-control": "no-cache"}, media_type=media_type)
        del self.headers["content-length"]
        self._standin, self._turn, self._frames, self._broken = standin, turn, frames, broken

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        self._standin.note(streaming=1)
        telling = asyncio.create_task(self._tell(send))
        leaving = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait({telling, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not telling.done():
                self._standin.note(disconnects=1)
        finally:
            for task in (telling, leaving):
                task.cancel()
            await asyncio.gather(telling, leaving, return_exceptions=True)
            self._standin.note(streaming=-1)

    async def _tell(self, send: Send) -> None:
        breaks = self._turn.breaks
        held_at = _held_at(self._turn, self._frames)
        for number, (_, frame) in enumerate(self._frames):
            if number == held_at:
                await self._standin.hold()
            if breaks is not None and number == breaks.after:
                await self._break(send)
                return
            await send({"type": "http.response.body", "body": frame, "more_body": True})
            await asyncio.sleep(self._turn.delay)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _break(self, send: Send) -> None:
        breaks = self._turn.breaks
        assert breaks is not None
        match breaks.how:
            case "cut":
                # An application that returns without the end of its body makes the server cut the connection.
                return
            case "stall":
                self._standin.note(stalled=1)
                await asyncio.Event().wait()
            case _:
                await send({"type": "http.response.body", "body": self._broken, "more_body": False})


def _held_at(turn: Turn, frames: Sequence[Frame]) -> int | None:
    """Before which event a stream waits: the first one that says something, or the end of the last block."""
    ends = [number for number, (name, _) in enumerate(frames) if name == "content_block_stop"]
    return {"start": 1, "end": ends[-1] if ends else None}.get(turn.holds)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class _Server(uvicorn.Server):
    """A server beside others in a process: Ctrl-C belongs to whoever started that."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.is_up.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serve(standin: Standin, port: int = 0) -> AsyncIterator[str]:
    """Serve a stand-in on loopback; its base URL. Streams that are still open at the end are cut."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        config = uvicorn.Config(
            standin.app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1
        )
        server = _Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            await server.is_up.wait()
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            with suppress(asyncio.CancelledError):
                await serving
