"""A page's WebSocket for tests: says what is asked, and checks everything that it is told against the schema."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jsonschema_rs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect as connect_store
from draftsmith.history.replica import Replica
from draftsmith.ports import Blob
from tests.integration.client import Api
from tests.timeouts import timeout

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "live.schema.json").read_text("utf-8"))
FRAMES = jsonschema_rs.validator_for(SCHEMA)
_numbers = itertools.count(1)

Message = dict[str, Any]


def new_id(what: str = "write") -> str:
    """An id for a write."""
    return f"{what}-{next(_numbers):08}"


class Page:
    """One connection to `/live`.

    Attributes:
        heard: every message so far, in order.
        commits: those of them that are commits; they follow one another without a gap.
        place: where its state stands, as `hello.resume` says it; None before it was told.
        end: the close code and reason, once it is closed.
    """

    def __init__(self, socket: ClientConnection, place: Message | None = None) -> None:
        self.socket, self.place = socket, place
        self.heard: list[Message] = []
        self.commits: list[Message] = []
        self.frames = 0
        self.end: tuple[int, str] | None = None
        self._read = 0
        self._news = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(), name="listen")

    async def _listen(self) -> None:
        try:
            async for text in self.socket:
                frame = json.loads(text)
                FRAMES.validate(frame)
                self.frames += 1
                for number, message in enumerate(frame):
                    self._take(message, frame[number + 1 :])
                self._news.set()
        except ConnectionClosed:
            pass
        finally:
            self.end = (self.socket.close_code or 1006, self.socket.close_reason or "")
            self._news.set()

    def _take(self, message: Message, rest: list[Message]) -> None:
        self.heard.append(message)
        if message["t"] == "state":
            self.place = {name: message[name] for name in ("epoch", "rev", "h")}
        elif message["t"] == "commit":
            assert self.place is not None
            assert message["rev"] == self.place["rev"] + 1, "a gap"
            self.place = {**self.place, "rev": message["rev"], "h": message["h"]}
            self.commits.append(message)
        elif message["t"] == "committed" and self.place is not None and message["rev"] > self.place["rev"]:
            is_next = bool(rest) and rest[0]["t"] == "commit" and rest[0]["rev"] == message["rev"]
            assert is_next, "its commit does not follow at once"

    async def say(self, kind: str, **more: Any) -> str:
        """Say something; its id, if it has one."""
        await self.socket.send(json.dumps({"t": kind, **more}))
        return str(more.get("id", ""))

    async def until(self, is_so: Callable[[], Any]) -> Any:
        """Wait until what was heard makes something so, and give it."""
        async with timeout():
            while not (found := is_so()):
                assert self.end is None, f"closed: {self.end}; heard {self.heard[-3:]}"
                self._news.clear()
                await self._news.wait()
        return found

    async def next(self, kind: str, **facts: Any) -> Message:
        """The next message of a kind that says this; those before it are passed over."""

        def found() -> Message | None:
            for number in range(self._read, len(self.heard)):
                message = self.heard[number]
                if message["t"] == kind and all(message.get(name) == value for name, value in facts.items()):
                    self._read = number + 1
                    return message
            return None

        message: Message = await self.until(found)
        return message

    async def at(self, revision: int) -> None:
        """Wait until its state stands at a revision."""
        await self.until(lambda: self.place is not None and self.place["rev"] >= revision)

    async def closed(self) -> tuple[int, str]:
        """Wait for the end; the close code and reason."""
        async with timeout():
            await asyncio.wait([self._listening])
        self._listening.result()
        assert self.end is not None
        return self.end

    async def submit(self, *operations: Any, **more: Any) -> Message:
        """Run a batch; its `committed`."""
        write = await self.say("submit", id=new_id(), operations=list(operations), **more)
        return await self.next("committed", id=write)

    async def leave(self) -> None:
        """Close, as a page does that is left."""
        await self.socket.close()
        await asyncio.wait([self._listening])
        if not self._listening.cancelled():
            self._listening.result()


async def forget_the_past(store_url: str, w: str) -> None:
    """Trim a workspace's log to its two newest commits, as retention does after a long time."""
    connection = await connect_store(store_url)
    try:
        log = RedisCommitLog(connection)
        meta = await log.meta(w)
        assert meta is not None
        replica, head = Replica(meta.head.epoch), meta.head.revision
        for entry in await log.entries(w, 0, head - 1, head):
            replica.advance(entry)
            if entry.revision >= head - 2:  # the log is trimmed to the snapshot before the newest
                blob = Blob(replica.head.epoch, entry.revision, entry.chain, entry.ms, replica.dump())
                assert await log.put_snapshot(w, blob) == "ok"
        assert await log.trim(w, meta.head.epoch, head - 2) == head - 2
    finally:
        await connection.close()


def live_address(api: Api, w: str, **query: str) -> str:
    """The URL of a workspace's `/live`."""
    url = str(api.base_url).replace("http://", "ws://").rstrip("/")
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    return f"{url}/api/v1/workspaces/{w}/live" + (f"?{asked}" if asked else "")


def cookies(api: Api) -> dict[str, str]:
    """The headers that make a socket the same person as an HTTP client."""
    pairs = [f"{name}={value}" for name, value in api.cookies.items()]
    shown = {name: value for name, value in api.headers.items() if name == "authorization"}
    return {"Cookie": "; ".join(pairs), **shown} if pairs else shown


@asynccontextmanager
async def socket(
    api: Api, w: str, headers: dict[str, str] | None = None, **query: str
) -> AsyncIterator[ClientConnection]:
    """A connection on which nothing has been said."""
    extra = {**cookies(api), **(headers or {})}
    async with connect(
        live_address(api, w, **query), additional_headers=extra, compression=None, max_size=None, proxy=None
    ) as made:
        yield made


@asynccontextmanager
async def page(
    api: Api,
    w: str,
    *,
    resume: Message | None = None,
    pending: list[str] | None = None,
    headers: dict[str, str] | None = None,
    **query: str,
) -> AsyncIterator[Page]:
    """A page that has said hello."""
    async with socket(api, w, headers, **query) as made:
        one = Page(made, resume)
        try:
            await one.say("hello", v=1, resume=resume, pending=pending or [])
            yield one
        finally:
            await one.leave()


@asynccontextmanager
async def seated(api: Api, w: str, **options: Any) -> AsyncIterator[Page]:
    """A page that has been given all there is."""
    async with page(api, w, **options) as one:
        await one.next("roster")
        yield one
