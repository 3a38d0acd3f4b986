"""One page's WebSocket, from its first message to its close frame.

One task sends frames, one at a time, as fast as the page takes them; another receives messages, no faster than the rate
limit allows. Whichever ends first ends both. The only rule of the protocol here is that of the first message, and
nothing that a client does wrong is an error of this server. Not here: what is sent (`collab`, `usecases.live`), who may
connect (`routes.live`, `guard`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from draftsmith.access.actions import Action
from draftsmith.api.access.admissions import AGAIN_SECONDS, ROLE_CHANGED, Admission
from draftsmith.api.http.guard import note
from draftsmith.api.http.metrics import ENDINGS, FRAME_CHARACTERS, FRAMES, MESSAGES, SOCKETS
from draftsmith.collab.client_messages import ClientMessage, Hello, Watch
from draftsmith.collab.protocol import CloseReason, ProtocolError, close_reason, encode, frame, read_hello, read_message
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports import Clock
from draftsmith.ports.live import WRITER_EXTENSION, PageWriter
from draftsmith.usecases.live.connection import Connection
from draftsmith.usecases.live.hub import Live

HELLO_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 2.0
"""How long a page may take to receive the last frame and the close frame."""
_MAX_UNANSWERED: Final = 1_000
"""Messages that are received while the page does not take the frame that is being sent."""
_AGAIN_MS: Final = 2_000
_DEFECT_AGAIN_MS: Final = 5_000
_log = structlog.get_logger("draftsmith.live")


@dataclass
class OpenSockets:
    """Counts the sockets that are open on this worker."""

    _open: int = 0
    _none: asyncio.Event = field(default_factory=asyncio.Event)

    @contextmanager
    def count_open(self) -> Iterator[None]:
        """Count one socket for as long as it is open."""
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
        """Wait until no socket is open, at most so many seconds."""
        if self._open:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._none.wait()


ACTIONS: Final[Mapping[str, Action]] = {
    "hello": Action.READ,
    "resync": Action.READ,
    "ping": Action.READ,
    "presence": Action.PRESENCE,
    "watch": Action.RUN_READ,
    "unwatch": Action.RUN_READ,
    "submit": Action.WRITE,
    "type": Action.WRITE,
    "undo": Action.WRITE,
    "redo": Action.WRITE,
    "revert": Action.WRITE,
}
"""By `t` of the message: what a page may send over an open socket."""


class RateLimit:
    """A token bucket: `rate` messages a second, and bursts of at most `burst`."""

    def __init__(self, now: float, rate: float = 60.0, burst: float = 200.0) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._at = burst, now

    def take(self, now: float) -> float:
        """Count one message; return how many seconds to wait before the next is received."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate) - 1
        self._at = now
        return max(0.0, -self._tokens / self._rate)


class _CountingWriter:
    """Writes frames past the layers of the application, and counts them.

    `is_writable` is not set while the page does not take the frame that is due.
    """

    def __init__(self, socket: PageWriter, is_writable: asyncio.Event) -> None:
        self._socket, self._is_writable = socket, is_writable
        self.can_write = socket.can_write

    async def until_writable(self) -> None:
        if not self.can_write():
            self._is_writable.clear()
            await self._socket.until_writable()
            self._is_writable.set()

    def write(self, text: str) -> None:
        self._socket.write(text)
        _count(text)


def _count(text: str) -> None:
    FRAMES.inc()
    FRAME_CHARACTERS.inc(len(text))


class LiveSocket:
    """One accepted WebSocket."""

    def __init__(
        self, socket: WebSocket, live: Live, clock: Clock, stopping: asyncio.Event, admission: Admission
    ) -> None:
        self._socket, self._live, self._clock, self._stopping = socket, live, clock, stopping
        self._admission = admission
        self._is_writable = asyncio.Event()
        self._is_writable.set()

    async def run(self, workspace_id: WorkspaceId) -> None:
        """Serve the page until one side ends the connection, and close it."""
        reason, is_bye_sent = await self._serve(workspace_id)
        code = "gone" if reason is None else reason.code
        ENDINGS.labels(code).inc()
        note(self._socket.scope, end=code)
        if reason is not None:
            await self._close(reason, is_bye_sent=is_bye_sent)

    async def _serve(self, workspace_id: WorkspaceId) -> tuple[CloseReason | None, bool]:
        """Why the connection is over, None where the page has gone; and whether the page was sent the reason."""
        try:
            hello = await self._receive_hello()
            entered = self._admission.entered
            connection = await self._live.join(workspace_id, entered.principal.actor, hello, entered.role or "viewer")
            try:
                return await self._transfer(workspace_id, connection)
            finally:
                await connection.leave()
        except WebSocketDisconnect:
            return None, True
        except ProtocolError as error:
            return error.reason, False
        except DraftsmithError as error:
            return _reason_of(error), False
        except Exception:  # noqa: BLE001  # a defect here must not leave a page without an answer
            request_id = self._socket.state.request_id
            _log.exception("defect", request_id=request_id, workspace=workspace_id)
            detail = f"Something went wrong here; the server's log names it {request_id}."
            return close_reason("internal", detail, _DEFECT_AGAIN_MS), False

    async def _receive_hello(self) -> Hello:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                text = await self._receive()
        except TimeoutError:
            raise ProtocolError(close_reason("hello_missing", f"No hello in {HELLO_SECONDS:.0f} seconds.")) from None
        MESSAGES.labels("hello").inc()
        return read_hello(text)

    async def _receive(self) -> str:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        text: str | None = message.get("text")
        if text is None:
            raise ProtocolError(close_reason("invalid_message", "A message is text, not bytes."))
        return text

    async def _transfer(self, workspace_id: WorkspaceId, connection: Connection) -> tuple[CloseReason | None, bool]:
        sending = asyncio.create_task(self._send_frames(connection), name="send to a page")
        receiving = asyncio.create_task(self._receive_messages(workspace_id, connection), name="receive from a page")
        stopping = asyncio.create_task(self._until_stopped(), name="disconnect a page")
        ending = asyncio.create_task(self._until_ended(), name="turn a page out")
        tasks = (sending, receiving, stopping, ending)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if ending.done():
                return ending.result(), False
            if receiving.done():
                receiving.result()  # always raises
            return sending.result() if sending.done() else stopping.result(), True
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            for task in tasks:
                if not task.cancelled():
                    task.exception()  # retrieved, whether or not it was used above

    async def _until_stopped(self) -> CloseReason:
        """Wait until the process stops and the page has had time for its last frame."""
        await self._stopping.wait()
        await self._clock.sleep(CLOSE_SECONDS)
        return close_reason("restarting", "The server is stopping.", _AGAIN_MS)

    async def _until_ended(self) -> CloseReason:
        """Wait until the page may not be here any more, or not as what it came."""
        return _reason_of(await asyncio.shield(self._admission.ended))

    async def _send_frames(self, connection: Connection) -> CloseReason:
        extension = self._socket.scope.get("extensions", {}).get(WRITER_EXTENSION)
        connection.writer = None if extension is None else _CountingWriter(extension["socket"], self._is_writable)
        while True:
            text = await connection.next_frame()
            if isinstance(text, CloseReason):
                return text
            self._is_writable.clear()
            await self._socket.send({"type": "websocket.send", "text": text})
            self._is_writable.set()
            _count(text)
            del text  # or every page would hold its last frame until its next one

    async def _watch_refusal(self, workspace_id: WorkspaceId, run: RunId) -> DraftsmithError | None:
        """Why a page may not watch a run: to who may not see it, it is not there."""
        entered = self._admission.entered
        if entered.sees_all_runs:
            return None
        try:
            is_seen = entered.sees_runs_of(await self._live.asker_of(workspace_id, run))
        except DraftsmithError as error:
            return error
        return None if is_seen else DraftsmithError("run_not_found", "There is no such run.")

    async def _receive_messages(self, workspace_id: WorkspaceId, connection: Connection) -> None:
        limit, unanswered = RateLimit(self._clock.monotonic()), 0
        while True:
            message: ClientMessage = read_message(await self._receive())
            MESSAGES.labels(message.t).inc()
            refusal = self._admission.refusal(ACTIONS[message.t])
            if isinstance(message, Watch) and refusal is None:
                refusal = await self._watch_refusal(workspace_id, RunId(message.run))
            if refusal is None:
                connection.handle(message, await connection.read_batch(message))
            else:
                connection.refuse(message, refusal)
            unanswered = 0 if self._is_writable.is_set() else unanswered + 1
            if unanswered > _MAX_UNANSWERED:  # the answers would pile up here
                await self._is_writable.wait()
            pause = limit.take(self._clock.monotonic())
            if pause:
                await self._clock.sleep(pause)

    async def _close(self, reason: CloseReason, *, is_bye_sent: bool) -> None:
        await _close(self._socket, reason, is_bye_sent=is_bye_sent)


async def refuse(socket: WebSocket, error: DraftsmithError) -> None:
    """Close a socket that was only accepted to say why not."""
    await _close(socket, _reason_of(error), is_bye_sent=False)


async def _close(socket: WebSocket, reason: CloseReason, *, is_bye_sent: bool) -> None:
    """Send `bye`, unless it was sent, and the close frame, if the page takes them."""
    with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        async with asyncio.timeout(CLOSE_SECONDS):
            if not is_bye_sent:
                await socket.send({"type": "websocket.send", "text": frame([encode(reason.bye())])})
            await socket.close(reason.close, reason.text)


def _reason_of(error: DraftsmithError) -> CloseReason:
    """The close reason where joining was refused."""
    if error.code.startswith("storage_"):
        return close_reason("storage_down", error.detail, _AGAIN_MS)
    if error.code == "restarting":
        return close_reason(error.code, error.detail, _AGAIN_MS)
    if error.code == "too_many_open":
        return close_reason(error.code, error.detail, AGAIN_SECONDS * 1000)
    if error.code == ROLE_CHANGED:
        return close_reason(error.code, error.detail, 0)
    if error.code in ("credential_invalid", "credential_expired"):
        return close_reason("unauthorized", error.detail)
    if error.code in ("unauthorized", "forbidden"):
        return close_reason(error.code, error.detail)
    return close_reason(error.code, error.detail, None if error.code.startswith("workspace_") else _DEFECT_AGAIN_MS)
