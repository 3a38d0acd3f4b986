"""One page's WebSocket, from its first message to its close frame: the shell around a seat.

A task writes what the seat has to say, one frame at a time, as fast as the page takes them; another reads what the page
says, no faster than a page has reason to speak. Whichever ends first ends both. Here is no rule of the protocol but
that of the first message, and nothing that a client does wrong is an error of this server. Not here: what is said
(`collab`, `usecases.live`), who may come in (`routes.live`, `guard`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from draftsmith.api.guard import note
from draftsmith.api.metrics import ENDINGS, FRAME_CHARACTERS, FRAMES, MESSAGES, SOCKETS
from draftsmith.collab.client_messages import ClientMessage, Hello
from draftsmith.collab.protocol import Ending, Outside, encode, ending, frame, read_hello, read_message
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Clock
from draftsmith.usecases.live.hub import Live, Seat

HELLO_SECONDS: Final = 10.0
FAREWELL_SECONDS: Final = 2.0
"""How long a page that is told to go may take over hearing it."""
_UNANSWERED: Final = 1_000
"""Messages that are read while a page takes nothing of what it is told."""
_AGAIN_MS: Final = 2_000
_DEFECT_AGAIN_MS: Final = 5_000
_log = structlog.get_logger("draftsmith.live")


@dataclass
class Sockets:
    """The sockets that are open on this worker."""

    _open: int = 0
    _none: asyncio.Event = field(default_factory=asyncio.Event)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count one for as long as it is open."""
        self._open += 1
        self._none.clear()
        SOCKETS.inc()
        try:
            yield
        finally:
            self._open -= 1
            SOCKETS.dec()
            if not self._open:
                self._none.set()

    async def until_none(self, seconds: float) -> None:
        """Wait until none is open, at most so long."""
        if self._open:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._none.wait()


class Pace:
    """How fast a page may speak: a steady rate, over a burst that it has saved up."""

    def __init__(self, now: float, rate: float = 60.0, burst: float = 200.0) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, now

    def spoke(self, now: float) -> float:
        """Count one message; how many seconds to wait before the next is read."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        return max(0.0, -self._left / self._rate)


class Conversation:
    """One accepted socket."""

    def __init__(self, socket: WebSocket, live: Live, clock: Clock, stopping: asyncio.Event) -> None:
        self._socket, self._live, self._clock, self._stopping = socket, live, clock, stopping
        self._is_taking = asyncio.Event()
        self._is_taking.set()

    async def hold(self, workspace_id: WorkspaceId, actor: Actor) -> None:
        """Talk until one side ends it, and close."""
        end, is_told = await self._talked(workspace_id, actor)
        code = "gone" if end is None else end.code
        ENDINGS.labels(code).inc()
        note(self._socket.scope, end=code)
        if end is not None:
            await self._close(end, is_told=is_told)

    async def _talked(self, workspace_id: WorkspaceId, actor: Actor) -> tuple[Ending | None, bool]:
        """Why the talk is over, None where the page has gone; and whether the page has been told why."""
        try:
            hello = await self._hello()
            seat = await self._live.sit(workspace_id, actor, hello)
            try:
                return await self._until_over(seat)
            finally:
                await seat.leave()
        except WebSocketDisconnect:
            return None, True
        except Outside as outside:
            return outside.ending, False
        except DraftsmithError as error:
            return _ending_of(error), False
        except Exception:  # noqa: BLE001  # a defect here must not leave a page without an answer
            request_id = self._socket.state.request_id
            _log.exception("defect", request_id=request_id, workspace=workspace_id)
            words = f"Something went wrong here; the server's log names it {request_id}."
            return ending("internal", words, _DEFECT_AGAIN_MS), False

    async def _hello(self) -> Hello:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                text = await self._next()
        except TimeoutError:
            raise Outside(ending("hello_missing", f"No hello in {HELLO_SECONDS:.0f} seconds.")) from None
        MESSAGES.labels("hello").inc()
        return read_hello(text)

    async def _next(self) -> str:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        text: str | None = message.get("text")
        if text is None:
            raise Outside(ending("invalid_message", "A message is text, not bytes."))
        return text

    async def _until_over(self, seat: Seat) -> tuple[Ending | None, bool]:
        writing = asyncio.create_task(self._write(seat), name="write to a page")
        reading = asyncio.create_task(self._read(seat), name="read from a page")
        hurrying = asyncio.create_task(self._hurry(), name="hurry a page")
        tasks = (writing, reading, hurrying)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                reading.result()  # never comes to an end but by what it raises
            return writing.result() if writing.done() else hurrying.result(), True
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            for task in tasks:
                if not task.cancelled():
                    task.exception()  # seen, whichever was not asked for above

    async def _hurry(self) -> Ending:
        """Wait no longer for a page that does not take its goodbye while the process wants to stop."""
        await self._stopping.wait()
        await self._clock.sleep(FAREWELL_SECONDS)
        return ending("restarting", "The server is stopping.", _AGAIN_MS)

    async def _write(self, seat: Seat) -> Ending:
        while True:
            said = await seat.frame()
            if isinstance(said, Ending):
                return said
            self._is_taking.clear()
            await self._socket.send({"type": "websocket.send", "text": said})
            self._is_taking.set()
            FRAMES.inc()
            FRAME_CHARACTERS.inc(len(said))

    async def _read(self, seat: Seat) -> None:
        pace, unanswered = Pace(self._clock.monotonic()), 0
        while True:
            message: ClientMessage = read_message(await self._next())
            MESSAGES.labels(message.t).inc()
            seat.take(message)
            unanswered = 0 if self._is_taking.is_set() else unanswered + 1
            if unanswered > _UNANSWERED:  # what it is answered would pile up here
                await self._is_taking.wait()
            pause = pace.spoke(self._clock.monotonic())
            if pause:
                await self._clock.sleep(pause)

    async def _close(self, end: Ending, *, is_told: bool) -> None:
        """Say goodbye, if the page takes it."""
        with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                if not is_told:
                    await self._socket.send({"type": "websocket.send", "text": frame([encode(end.bye())])})
                await self._socket.close(end.close, end.reason)


def _ending_of(error: DraftsmithError) -> Ending:
    """The ending that a refusal to let somebody sit comes to."""
    if error.code.startswith("storage_"):
        return ending("storage_down", error.detail, _AGAIN_MS)
    if error.code == "restarting":
        return ending(error.code, error.detail, _AGAIN_MS)
    return ending(error.code, error.detail, None if error.code.startswith("workspace_") else _DEFECT_AGAIN_MS)
