"""What a server is measured against that does as little as can be, and never changes.

Two floors, as applications for the product's worker process. `frozen` is the floor of release 0.1.0, written out here
so that it needs nothing of today's package: what that release did before and after a commit (guard, metrics, FastAPI's
route, checks of the same body, one append by the script of then), and no commit, no memory and no one to ask who
somebody is. `bare` is an ASGI function that parses the body, appends by the same script and answers; it checks nothing.

Whatever is made faster in the product leaves both as they are. Only what both floors and the product use alike,
Python, uvicorn, FastAPI, pydantic and the client library, moves them together.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Annotated, Any, Literal, cast
from urllib.parse import urlsplit

import orjson
from fastapi import FastAPI
from prometheus_client import Counter, Histogram
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ROUTE = "/api/v1/workspaces/{w}/batches"
_REQUESTS = Counter("floor_requests_total", "HTTP requests.", ["method", "route", "status"])
_SECONDS = Histogram(
    "floor_request_seconds", "Seconds of a request.", ["method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)  # fmt: skip

# -- the store, as it was appended to ----------------------------------------------------------------------------------

_APPEND = """
local DRAFT, FIRST = 7, 10
local function chain_hash(before, at)
  local parts = {#before, ':', before}
  for i = at, at + DRAFT - 1 do
    parts[#parts + 1] = #ARGV[i]
    parts[#parts + 1] = ':'
    parts[#parts + 1] = ARGV[i]
  end
  return string.sub(redis.sha1hex(table.concat(parts)), 1, 16)
end
local function whole(number) return string.format('%.0f', number) end
local m = redis.call('HMGET', KEYS[1], 'ep', 'v', 'h', 'deleted', 'bytes')
if not m[1] then return {'absent'} end
if m[4] then return {'deleted'} end
if m[1] ~= ARGV[1] then return {'conflict', m[1], m[2], m[3], {}} end
local count = tonumber(ARGV[9])
local ids = {}
for k = 1, count do ids[k] = ARGV[FIRST + (k - 1) * DRAFT] end
local known = {}
for k, version in ipairs(redis.call('HMGET', KEYS[3], unpack(ids))) do
  if version then
    known[#known + 1] = ids[k]
    known[#known + 1] = version
  end
end
if #known > 0 then return {'known', m[1], m[2], m[3], known} end
if m[2] ~= ARGV[2] or m[3] ~= ARGV[3] then return {'conflict', m[1], m[2], m[3], {}} end
local t = redis.call('TIME')
local ms = whole(tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000))
local holder = redis.call('GET', KEYS[4])
if holder and holder ~= ARGV[4] then return {'leased', redis.call('PTTL', KEYS[4])} end
local version, hash, bytes, index = tonumber(m[2]), m[3], tonumber(m[5]), {}
for k = 1, count do
  local at = FIRST + (k - 1) * DRAFT
  version, hash = version + 1, chain_hash(hash, at)
  redis.call('XADD', KEYS[2], whole(version) .. '-0', 't', ARGV[at], 'f', ARGV[at + 1], 'a', ARGV[at + 2],
    's', ARGV[at + 3], 'k', ARGV[at + 4], 'r', ARGV[at + 5], 'h', hash, 'ms', ms, 'b', ARGV[at + 6])
  bytes = bytes + #ARGV[at + DRAFT - 1]
  index[2 * k - 1], index[2 * k] = ids[k], whole(version)
end
redis.call('HSET', KEYS[1], 'v', whole(version), 'h', hash, 'sum', ARGV[5], 'updated', ms, 'bytes', whole(bytes))
redis.call('HSET', KEYS[3], unpack(index))
if holder then redis.call('DEL', KEYS[4]) end
redis.pcall(ARGV[6], ARGV[7], whole(version) .. ' ' .. hash)
return {'appended', m[1], whole(version), hash, ms}
"""
_SHA = hashlib.sha1(_APPEND.encode(), usedforsecurity=False).hexdigest()


class _Log:
    """Appends one request at a time, each in a trip of its own, to keys that the product does not know."""

    def __init__(self) -> None:
        url = os.environ["DRAFTSMITH_STORE_URL"]
        options: dict[str, Any] = {"protocol": 2, "socket_timeout": 2.0, "retry": Retry(NoBackoff(), 0)}
        self._client = Redis.from_pool(BlockingConnectionPool.from_url(url, timeout=5.0, max_connections=32, **options))
        self._heads: dict[str, tuple[str, int, str]] = {}

    async def append(self, workspace_id: str, body: bytes) -> int:
        """The revision that a body became."""
        stem = f"floor-{os.getpid()}:{{{workspace_id}}}:"  # one floor knows nothing of another
        epoch, revision, chain = self._heads.get(workspace_id) or await self._created(stem)
        texts = (f"{workspace_id}{revision}", "", "{}", "s", "edit", "")
        answer = await self._script(
            [f"{stem}meta", f"{stem}log", f"{stem}txn", f"{stem}lease"],
            [epoch, revision, chain, "floor", orjson.dumps({}), "SPUBLISH", f"{stem}ch", 256, 1,
             *(text.encode() for text in texts), body],
        )  # fmt: skip
        assert answer[0] == b"appended", answer
        head = self._heads[workspace_id] = (answer[1].decode(), int(answer[2]), answer[3].decode())
        return head[1]

    async def _created(self, stem: str) -> tuple[str, int, str]:
        meta = {"ep": "e", "v": 0, "h": "0", "bytes": 0}
        await cast(Awaitable[Any], self._client.execute_command("DEL", f"{stem}meta", f"{stem}log", f"{stem}txn"))
        await cast(Awaitable[Any], self._client.hset(f"{stem}meta", mapping=meta))
        return "e", 0, "0"

    async def _script(self, keys: list[str], arguments: list[Any]) -> Any:
        try:
            return await self._client.execute_command("EVALSHA", _SHA, len(keys), *keys, *arguments)
        except NoScriptError:
            return await self._client.execute_command("EVAL", _APPEND, len(keys), *keys, *arguments)

    async def close(self) -> None:
        """Close its connections."""
        await self._client.aclose()


# -- the forms of the body ---------------------------------------------------------------------------------------------


def _no_nul(value: str) -> str:
    if "\x00" in value:
        raise ValueError("must not hold the NUL character")
    return value


_Id = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_Label = Annotated[str, StringConstraints(max_length=200, strip_whitespace=True), AfterValidator(_no_nul)]
_Text = Annotated[str, StringConstraints(max_length=10_000), AfterValidator(_no_nul)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _AddNode(_Form):
    op: Literal["add_node"]
    id: _Id | None = None
    type: Annotated[str, StringConstraints(max_length=64)]
    label: _Label
    description: _Text | None = None


class _UpdateNode(_Form):
    op: Literal["update_node"]
    id: _Id
    description: _Text | None = None


class _DeleteNode(_Form):
    op: Literal["delete_node"]
    id: _Id
    bridge: bool = False


class _AddEdge(_Form):
    op: Literal["add_edge"]
    source: _Id
    target: _Id
    label: _Label | None = None


class _Envelope(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    operations: Any = None
    id: Annotated[str, StringConstraints(min_length=8, max_length=128, pattern=r"^[\x21-\x7e]+$")] | None = None
    base_revision: int | str | None = None
    explanation: Annotated[str, StringConstraints(max_length=2_000)] = ""
    dry_run: bool = False


_OPERATIONS: TypeAdapter[list[Any]] = TypeAdapter(
    list[Annotated[_AddNode | _UpdateNode | _DeleteNode | _AddEdge, Field(discriminator="op")]]
)


# -- the guard ---------------------------------------------------------------------------------------------------------


class _Limited:
    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._left = receive, limit

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            assert self._left >= 0
        return message


class _Guard:
    """The checks of 0.1.0: host, origin, kind and size of the body; a request id, a count and a time of each."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._is_known_host = lru_cache(maxsize=256)(_is_loopback)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        headers = dict(scope["headers"])
        request_id = headers.get(b"x-request-id", b"").decode("latin-1") or secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            self._check(scope, headers)
            await self._app(scope, _Limited(receive, 32 << 20), sending)
        finally:
            route = getattr(scope.get("route"), "path", "")
            _REQUESTS.labels(scope["method"], route, str(status)).inc()
            _SECONDS.labels(scope["method"], route).observe(time.perf_counter() - started)

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        assert self._is_known_host(headers.get(b"host", b"").decode("latin-1"))
        length = headers.get(b"content-length", b"0")
        assert length.isdigit()
        assert int(length) <= 32 << 20
        assert not headers.get(b"origin")
        assert headers.get(b"sec-fetch-site", b"").decode("latin-1") not in ("cross-site", "same-site")
        if scope["method"] == "POST":
            assert headers.get(b"content-type", b"").split(b";")[0].strip().lower() == b"application/json"


def _is_loopback(host: str) -> bool:
    name = urlsplit(f"//{host}").hostname
    return name is not None and ipaddress.ip_address(name).is_loopback


# -- the two -----------------------------------------------------------------------------------------------------------


def frozen() -> ASGIApp:
    """The floor of 0.1.0."""
    state: dict[str, _Log] = {}

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        state["log"] = _Log()
        yield
        await state["log"].close()

    app = FastAPI(lifespan=lifespan)

    @app.post(_ROUTE)
    async def post(w: str, request: Request) -> Response:
        raw = await request.body()
        content = orjson.loads(raw)
        assert raw.count(b"[") + raw.count(b"{") <= 100
        assert b"\\u0000" not in raw
        body = _Envelope.model_validate(content)
        _OPERATIONS.validate_python(body.operations)
        revision = await state["log"].append(w, b"j" + orjson.dumps(body.operations))
        return Response(orjson.dumps({"revision": revision}), 200, {}, "application/json")

    return _Guard(app)


def bare() -> ASGIApp:
    """No framework and no checks."""
    state: dict[str, _Log] = {}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(state, receive, send)
            return
        raw, more = b"", True
        while more:
            message = await receive()
            raw, more = raw + message.get("body", b""), message.get("more_body", False)
        revision = 0
        if scope["method"] == "POST":
            workspace_id = scope["path"].split("/")[-2]
            revision = await state["log"].append(workspace_id, b"j" + orjson.dumps(orjson.loads(raw)["operations"]))
        answer = orjson.dumps({"revision": revision})
        headers = [(b"content-length", str(len(answer)).encode()), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    return app


async def _live(state: dict[str, _Log], receive: Receive, send: Send) -> None:
    await receive()
    state["log"] = _Log()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await state["log"].close()
    await send({"type": "lifespan.shutdown.complete"})
