"""Limits on the bodies of requests: their size, the time they take to arrive, and the bytes held at once.

Nothing is parsed here. A body is counted piece by piece, its bytes and its values, so that what is too large is refused
as soon as that is known and the pieces are let go. What is held at once is limited for each client and for this
process; of the latter a quarter is kept for small bodies, so that large ones do not keep anybody from working. A body
that comes too slowly is refused as well. What is refused before its end is read to its end and let go where the
connection closes after the answer, since closing it with unread bytes would reset it and take the answer along. Not
here: who may write (`guard`), reading (`forms.reading`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from starlette.types import Message, Receive, Scope, Send

from draftsmith.errors import DraftsmithError
from draftsmith.transform.requests.json_counts import JsonCounts

SMALL: Final = 65_536
"""Bytes up to which a body counts for no client."""
LINGER_SECONDS: Final = 30.0
LINGER_BYTES: Final = 64 * 1024 * 1024
"""How long and how far a body is read on after it was answered."""
_WINDOW_SECONDS: Final = 10.0
_WINDOW_BYTES: Final = 10_000
"""How many bytes of an unfinished body must come in each window."""
_AGAIN_SECONDS: Final = 5
_SLOW: Final = 408
_WORKSPACES: Final = "/api/v1/workspaces"
_IMPORTS: Final = "/api/v1/imports"
_IMAGE: Final = re.compile(rf"{_WORKSPACES}/[^/]+/images/[^/]+")

Headers = MutableMapping[bytes, bytes]


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """Limits in bytes, but for `seconds`.

    Attributes:
        whole: of a body that may hold a whole diagram or document.
        image: of an image.
        other: of any other body.
        client: of all bodies of one client that are held at once.
        worker: of all bodies that this process holds at once.
        seconds: from the head of a request to the end of its body.
    """

    whole: int = 32 * 1024 * 1024
    image: int = 10_000_000
    other: int = 2_000_000
    client: int = 40 * 1024 * 1024
    worker: int = 96 * 1024 * 1024
    seconds: float = 120.0

    def of_route(self, method: str, path: str) -> int:
        """The limit of a body: only imports, batches, whole documents and images may be large."""
        if is_image(method, path):
            return self.image
        if method == "POST" and path in (_WORKSPACES, _IMPORTS):
            return self.whole
        _, is_workspace, rest = path.partition(f"{_WORKSPACES}/")
        _, _, part = rest.partition("/")
        is_whole = is_workspace and (method, part) in (("POST", "batches"), ("POST", "imports"), ("PUT", "document"))
        return self.whole if is_whole else self.other


def is_image(method: str, path: str) -> bool:
    """Whether a request puts an image, whose body is no JSON."""
    return method == "PUT" and _IMAGE.fullmatch(path) is not None


class Bodies:
    """The bodies that this process holds.

    Attributes:
        held: bytes of all of them; they count until their requests are answered.
    """

    def __init__(self, limits: BodyLimits, client_of: Callable[[Scope], str]) -> None:
        self.held = 0
        self._limits, self._client_of = limits, client_of
        self._held_by: dict[str, int] = {}

    def check_head(self, scope: Scope, headers: Headers) -> None:
        """Refuse a body by the length that is declared, before any of it is read.

        Raises:
            DraftsmithError: `body_too_large`; `bodies_full` or `too_much_at_once`.
        """
        declared = headers.get(b"content-length", b"")
        size = int(declared) if declared.isdigit() and len(declared) < 20 else 0
        if size > (limit := self._limits.of_route(scope["method"], scope["path"])):
            raise _too_large(limit, scope)
        if size > SMALL:
            self._check_room(size, self._held_by.get(self._client_of(scope), 0) + size, is_small=False)

    @contextmanager
    def receiving(self, scope: Scope, receive: Receive) -> Iterator[Receive]:
        """Receive the body of a request, within the limits; it is held until the end."""
        body = _Body(self, scope, receive, self._limits)
        try:
            yield body.receive
        finally:
            self._release(body)

    def hold(self, body: _Body, size: int) -> None:
        """Count a piece of a body.

        Raises:
            DraftsmithError: `bodies_full` or `too_much_at_once`.
        """
        is_small = body.size + size <= SMALL
        if not is_small and not body.client:
            body.client = self._client_of(body.scope)
        by_client = self._held_by.get(body.client, 0) + body.size - body.counted + size
        self._check_room(size, by_client, is_small=is_small)
        self.held += size
        body.size += size
        if body.client:
            self._held_by[body.client] = by_client
            body.counted = body.size

    def _check_room(self, size: int, by_client: int, *, is_small: bool) -> None:
        limits = self._limits
        if not is_small and by_client > limits.client:
            message = (
                f"Bodies that one client sends at a time may have {limits.client:,} bytes. Send one after the other."
            )
            raise DraftsmithError("too_much_at_once", message, extra={"retry_after": _AGAIN_SECONDS})
        if self.held + size > (limits.worker if is_small else limits.worker - limits.worker // 4):
            raise DraftsmithError("bodies_full", "Too many large bodies are being received; send it again in a moment.")

    def _release(self, body: _Body) -> None:
        self.held -= body.size
        if body.counted:
            rest = self._held_by.pop(body.client) - body.counted
            if rest:
                self._held_by[body.client] = rest


class _Body:
    """One body as it arrives.

    Attributes:
        size: bytes so far.
        client: whose it is; empty while it is small.
        counted: bytes that count for the client.
    """

    def __init__(self, bodies: Bodies, scope: Scope, receive: Receive, limits: BodyLimits) -> None:
        self.scope, self.size, self.client, self.counted = scope, 0, "", 0
        self._bodies, self._receive = bodies, receive
        self._limit = limits.of_route(scope["method"], scope["path"])
        self._counts = None if is_image(scope["method"], scope["path"]) else JsonCounts()
        self._is_complete = False
        now = asyncio.get_running_loop().time()
        self._due, self._window_end, self._window_size = now + limits.seconds, now + _WINDOW_SECONDS, 0

    async def receive(self) -> Message:
        """The next piece; after the last, whatever comes, however long it takes.

        Raises:
            DraftsmithError: `body_too_large`, `malformed_json`, `body_too_slow`, `bodies_full`, `too_much_at_once`.
        """
        if self._is_complete:
            return await self._receive()
        message = await self._in_time()
        piece = message.get("body", b"")
        self._is_complete = message["type"] != "http.request" or not message.get("more_body", False)
        if piece:
            if self.size + len(piece) > self._limit:
                raise _too_large(self._limit, self.scope)
            self._bodies.hold(self, len(piece))
            if self._counts is not None:
                self._counts.add(piece)
        return message

    async def _in_time(self) -> Message:
        clock = asyncio.get_running_loop().time
        while True:
            try:
                async with asyncio.timeout_at(min(self._due, self._window_end)):
                    return await self._receive()
            except TimeoutError:
                if clock() >= self._due or self.size - self._window_size < _WINDOW_BYTES:
                    raise _too_slow() from None
                self._window_end, self._window_size = clock() + _WINDOW_SECONDS, self.size


class Answering:
    """Answers a request; where the connection closes then, its body is read to its end first, and let go.

    Within limits: a client that sends for longer, or much more, may miss the answer. One that was too slow is not
    waited for.
    """

    def __init__(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._is_read = headers.get(b"content-length", b"0") == b"0" and b"transfer-encoding" not in headers
        self._is_waited_for = _closes(headers) or scope.get("http_version") == "1.0"

    async def receive(self) -> Message:
        """The next piece of the body."""
        message = await self._receive()
        self._is_read = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer; its last one may wait for the rest of the body."""
        if message["type"] == "http.response.start" and message["status"] == _SLOW:
            self._is_waited_for = False
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        if not is_last or self._is_read or not self._is_waited_for:
            await self._send(message)
            return
        await self._send({**message, "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                await self._read_on()
        await self._send({"type": "http.response.body", "body": b""})

    async def _read_on(self) -> None:
        size = 0
        while not self._is_read and size <= LINGER_BYTES:
            size += len((await self.receive()).get("body", b""))


def _closes(headers: Headers) -> bool:
    return b"close" in [token.strip().lower() for token in headers.get(b"connection", b"").split(b",")]


def _too_large(limit: int, scope: Scope) -> DraftsmithError:
    if is_image(scope["method"], scope["path"]):
        return DraftsmithError("body_too_large", f"An image may have {limit:,} bytes; make it smaller.")
    return DraftsmithError("body_too_large", f"A body may have {limit:,} bytes here; split the request.")


def _too_slow() -> DraftsmithError:
    return DraftsmithError("body_too_slow", "The body came too slowly and was given up; send it again, or in parts.")
