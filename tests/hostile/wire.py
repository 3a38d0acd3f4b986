"""Requests as bytes on a socket, so that they may be cut off, sent slowly, or be no HTTP; and what is answered.

A request is a value that can be written to a file and played again. `{w}` in its path, and in a small body, stands for
the workspace of its scene.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import time
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tests.timeouts import TIMEOUT_SECONDS

JSON = (("Content-Type", "application/json"),)
_SMALL_BODY = 4096
_LARGEST_ANSWER = 64 << 20

Place = tuple[str, int]


@dataclass(frozen=True)
class Request:
    """One request.

    Attributes:
        method, path, body, headers: as sent; Host and Content-Length are added where they are missing.
        kind: the class of hostility, for counting.
        sends: bytes of the body that are sent before the client is silent; None for all.
        then: what the client does where it has not sent all: `leave` at once, or `wait` for an answer.
        pause: seconds between pieces of the body; 0 sends all at once.
        pieces: number of pieces.
        listens: seconds that an answer without an end is read; None until it ends.
    """

    method: str
    path: str
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = JSON
    kind: str = ""
    sends: int | None = None
    then: Literal["leave", "wait"] = "leave"
    pause: float = 0.0
    pieces: int = 1
    listens: float | None = None

    def placed(self, w: str) -> Request:
        """The same in a workspace."""
        body = self.body.replace(b"{w}", w.encode()) if len(self.body) < _SMALL_BODY else self.body
        return replace(self, path=self.path.replace("{w}", w), body=body)

    def to_json(self) -> dict[str, Any]:
        """Its fields; the body as text where it is UTF-8, else in base 64."""
        shape: dict[str, Any] = {**vars(self), "headers": [list(one) for one in self.headers]}
        try:
            shape["body"] = self.body.decode()
        except UnicodeDecodeError:
            shape["body"] = {"base64": base64.b64encode(self.body).decode()}
        return shape

    @classmethod
    def from_json(cls, shape: dict[str, Any]) -> Request:
        """Read what `to_json` wrote."""
        body = shape["body"]
        raw = body.encode() if isinstance(body, str) else base64.b64decode(body["base64"])
        return cls(**{**shape, "body": raw, "headers": tuple((name, value) for name, value in shape["headers"])})


@dataclass
class Answer:
    """What came back.

    Attributes:
        status: 0 for none.
        code: the stable code of a problem, else empty; for what was not answered, why.
        seconds: from the connection to the end of the answer.
    """

    status: int = 0
    code: str = ""
    seconds: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def is_defect(self) -> bool:
        """Whether the server failed: a 5xx that does not say when to come again."""
        return self.status >= 500 and not (self.status == 503 and "retry-after" in self.headers)

    def json(self) -> Any:
        """The body, read; None where it is no JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


def head_of(request: Request, place: Place, request_id: str) -> bytes:
    """The request line and the headers."""
    given = {name.lower() for name, _ in request.headers}
    lines = [f"{request.method} {request.path} HTTP/1.1"]
    lines += [] if "host" in given else [f"Host: {place[0]}:{place[1]}"]
    lines += [] if "connection" in given else ["Connection: close"]
    lines += [f"X-Request-Id: {request_id}"] if request_id else []
    lines += [f"{name}: {value}" for name, value in request.headers]
    if not given & {"content-length", "transfer-encoding"} and (request.body or request.method not in ("GET", "HEAD")):
        lines.append(f"Content-Length: {len(request.body)}")
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape")


async def send(place: Place, request: Request, request_id: str = "", patience: float = TIMEOUT_SECONDS) -> Answer:
    """Send a request on a connection of its own, and read the answer to its end."""
    started = time.monotonic()
    answer = Answer()
    try:
        async with asyncio.timeout(patience):
            reader, writer = await asyncio.open_connection(*place, limit=1 << 20)
            try:
                answer = await _exchange(reader, writer, request, head_of(request, place, request_id))
            finally:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
    except TimeoutError:
        answer.code = answer.code or "no answer in time"
    except OSError as error:
        answer.code = answer.code or type(error).__name__
    answer.seconds = time.monotonic() - started
    return answer


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Request, head: bytes
) -> Answer:
    # Read meanwhile, since a server may refuse before it has read everything, and then reads no more.
    reading = asyncio.create_task(_read(reader, request))
    try:
        with contextlib.suppress(OSError):
            await _write(writer, request, head, reading)
        if request.sends is not None and request.then == "leave" and not reading.done():
            await asyncio.sleep(0.02)
            if not reading.done():
                writer.transport.abort()
                return Answer(code="left")
        return await reading
    finally:
        reading.cancel()
        await asyncio.wait([reading])


async def _write(writer: asyncio.StreamWriter, request: Request, head: bytes, reading: asyncio.Task[Answer]) -> None:
    body = memoryview(request.body)[: request.sends]
    writer.write(head)
    size = max(1, -(-len(body) // request.pieces))
    for start in range(0, len(body), size):
        writer.write(body[start : start + size])
        await writer.drain()
        if request.pause:
            await asyncio.wait([reading], timeout=request.pause)
            if reading.done():
                return
    await writer.drain()


async def _read(reader: asyncio.StreamReader, request: Request) -> Answer:
    head = await _head(reader)
    if head is None:
        return Answer(code="closed without an answer")
    lines = head.decode("latin-1").split("\r\n")
    answer = Answer(int(lines[0].split(" ")[1]))
    answer.headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    pieces: list[bytes] = []
    # Every request asks for the connection to be closed, so the end of the answer is its end.
    with contextlib.suppress(TimeoutError, OSError):
        async with asyncio.timeout(request.listens):
            size = 0
            while (piece := await reader.read(1 << 18)) and size < _LARGEST_ANSWER:
                pieces.append(piece)
                size += len(piece)
    answer.body = _unchunked(b"".join(pieces), answer.headers)
    if answer.status >= 400 and isinstance(problem := answer.json(), dict):
        answer.code = str(problem.get("code", ""))
    return answer


async def _head(reader: asyncio.StreamReader) -> bytes | None:
    """The status line and the headers; an interim answer (100) is passed over."""
    while True:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            return None
        if not head.startswith((b"HTTP/1.1 1", b"HTTP/1.0 1")):
            return head


def _unchunked(body: bytes, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return body
    pieces = []
    while body:
        line, _, body = body.partition(b"\r\n")
        size = int(line.split(b";")[0] or b"0", 16)
        if not size:
            break
        pieces.append(body[:size])
        body = body[size + 2 :]
    return b"".join(pieces)
