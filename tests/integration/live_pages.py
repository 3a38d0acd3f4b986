"""Pages at the hub of live, without sockets: what each is sent, kept and checked as a page would."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson
from pydantic import TypeAdapter

from draftsmith.adapters.redis.wakes import RedisWakes
from draftsmith.collab.client_messages import ClientMessage, Hello
from draftsmith.collab.protocol import CloseReason
from draftsmith.collab.server_messages import ServerMessage
from draftsmith.history.actor import Actor
from draftsmith.model.workspace import Workspace, dump, load
from draftsmith.transform.steps.steps import apply, step_from_json
from draftsmith.usecases.live.connection import Connection
from draftsmith.usecases.live.dependencies import Dependencies
from draftsmith.usecases.live.hub import Live
from tests.integration.assistant_workers import AssistantWorker, assistant_worker
from tests.timeouts import timeout

Json = dict[str, Any]
_CLIENT: TypeAdapter[Any] = TypeAdapter(ClientMessage)
_SERVER: TypeAdapter[Any] = TypeAdapter(list[ServerMessage])


@dataclass
class Page:
    """One page: takes every frame, applies every commit, and checks that they come in order."""

    connection: Connection
    workspace: Workspace | None = None
    epoch: str = ""
    rev: int = -1
    h: str = ""
    frames: list[list[Json]] = field(default_factory=list)
    close_reason: CloseReason | None = None
    is_paused: bool = False
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None

    def read(self) -> None:
        """Begin to take frames."""
        self._task = asyncio.create_task(self._read())

    async def stop(self) -> None:
        """Take no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            if not self._task.cancelled():
                self._task.result()

    async def leave(self) -> None:
        """Close the page."""
        await self.stop()
        await self.connection.leave()

    async def _read(self) -> None:
        while True:
            frame = await self.connection.next_frame()
            if isinstance(frame, CloseReason):
                self.close_reason = frame
                self._changed.set()
                return
            self.take(frame)

    def take(self, frame: str) -> None:
        """Take a frame."""
        messages = orjson.loads(frame)
        _SERVER.validate_python(messages)
        self.frames.append(messages)
        for message in messages:
            self._apply(message)
        self._changed.set()

    def _apply(self, message: Json) -> None:
        if message["t"] == "state":
            self.workspace = load(orjson.loads(orjson.dumps(message["workspace"])))
            self.epoch, self.rev, self.h = message["epoch"], message["rev"], message["h"]
        elif message["t"] == "commit":
            assert message["rev"] == self.rev + 1, f"{message['rev']} after {self.rev}"
            assert self.workspace is not None
            for step in message["steps"]:
                apply(step_from_json(step), self.workspace)
            self.rev, self.h = message["rev"], message["h"]

    @property
    def messages(self) -> list[Json]:
        """Everything that it was sent."""
        return [message for frame in self.frames for message in frame]

    def received(self, kind: str) -> list[Json]:
        """All messages of a kind."""
        return [message for message in self.messages if message["t"] == kind]

    def kinds(self) -> list[list[str]]:
        """The kinds of messages in each frame."""
        return [[message["t"] for message in frame] for frame in self.frames]

    @property
    def shape(self) -> Json:
        """Its workspace, canonical."""
        assert self.workspace is not None
        return dump(self.workspace)

    async def until(self, done: Callable[[Page], Any], why: str = "") -> Any:
        """Wait until something holds of it; what that gives."""
        try:
            async with timeout():
                while not (found := done(self)):
                    self._changed.clear()
                    if self._task is not None and self._task.done():
                        self._task.result()
                    await self._changed.wait()
                return found
        except TimeoutError:
            raise AssertionError(f"{why or done}: never; it was sent {self.kinds()}, {self.messages[-5:]}") from None

    async def until_rev(self, rev: int) -> None:
        """Wait until it has received a revision."""
        await self.until(lambda page: page.rev >= rev, f"revision {rev}")

    def answers(self, write_id: str) -> list[Json]:
        """The answers to a write."""
        return [one for one in self.messages if one["t"] in ("committed", "rejected") and one["id"] == write_id]

    async def answer(self, write_id: str, before: int = 0) -> Json:
        """Wait for the answer to a write that has had so many before."""
        await self.until(lambda page: len(page.answers(write_id)) > before, f"an answer to {write_id}")
        return self.answers(write_id)[before]

    def send(self, kind: str, **more: Any) -> None:
        """Send a message."""
        self.connection.handle(_CLIENT.validate_python({"t": kind, **more}))

    async def do(self, kind: str, write_id: str, **more: Any) -> Json:
        """Write something and wait for its answer."""
        before = len(self.answers(write_id))
        self.send(kind, id=write_id, **more)
        return await self.answer(write_id, before)

    @property
    def resume(self) -> Json:
        """Where it stands, for its next hello."""
        return {"epoch": self.epoch, "rev": self.rev, "h": self.h}


@dataclass
class Worker:
    """One worker with its hub."""

    base: AssistantWorker
    live: Live
    wakes: RedisWakes
    pages: list[Page] = field(default_factory=list)

    async def join(
        self, actor: Actor, before: Page | None = None, pending: list[str] | None = None, *, reads: bool = True
    ) -> Page:
        """Open a page; `before`: the page that it goes on from."""
        resume = before.resume if before is not None else None
        hello = _CLIENT.validate_python({"t": "hello", "v": 1, "resume": resume, "pending": pending or []})
        assert isinstance(hello, Hello)
        page = Page(await self.live.join(self.base.w, actor, hello))
        if before is not None and before.workspace is not None:
            page.workspace = load(orjson.loads(orjson.dumps(before.shape)))
            page.epoch, page.rev, page.h = before.epoch, before.rev, before.h
        self.pages.append(page)
        if reads:
            page.read()
            await page.until(lambda one: one.rev >= 0 and one.frames, "the first frame")
        return page


@asynccontextmanager
async def worker(
    redis_url: str, name: str = "w0", w: str = "", *, heartbeat: float = 5.0, model_url: str = ""
) -> AsyncIterator[Worker]:
    """A worker on the real store, with everything that its hub needs."""
    async with assistant_worker(redis_url, model_url, worker=name, w=w) as one:
        wakes = RedisWakes(one.connection)
        live = Live(
            Dependencies(
                workspaces=one.workspaces,
                wakes=wakes,
                assistant=one.assistant,
                proposals=one.proposals,
                clock=one.workspaces.clock,
                limits=one.workspaces.limits,
                heartbeat=heartbeat,
            )
        )
        found = Worker(one, live, wakes)
        try:
            yield found
        finally:
            for page in found.pages:
                await page.leave()
            await live.close()
            await wakes.close()
