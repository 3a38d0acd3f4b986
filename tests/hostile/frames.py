"""WebSocket frames that no page sends: of every kind in the protocol with odd values, too large, too many, no text."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException

from tests.hostile.batches import Batches
from tests.hostile.bodies import encoded
from tests.hostile.drawing import Draw
from tests.hostile.wire import Answer, Place

HELLO = '{"t":"hello","v":1}'


@dataclass(frozen=True)
class Talk:
    """One connection to `/live` and what is said on it. `{epoch}`, `{rev}` and `{h}` stand for what it was told.

    Attributes:
        frames: texts, or bytes; bytes that are no UTF-8 go out as a text nevertheless where `as_text`.
        reads: whether the page takes what it is sent.
        ends: `close` in good order, `abort` without a word, or `wait` until the server ends it or some time is over.
    """

    path: str
    frames: tuple[str | bytes, ...]
    kind: str = "frames"
    reads: bool = True
    as_text: bool = False
    ends: Literal["close", "abort", "wait"] = "close"
    seconds: float = 3.0

    def placed(self, w: str) -> Talk:
        """The same in a workspace."""
        return replace(self, path=self.path.replace("{w}", w))

    def to_json(self) -> dict[str, Any]:
        """Its fields; bytes in base 64."""
        frames = [one if isinstance(one, str) else {"base64": base64.b64encode(one).decode()} for one in self.frames]
        return {**vars(self), "frames": frames}

    @classmethod
    def from_json(cls, shape: dict[str, Any]) -> Talk:
        """Read what `to_json` wrote."""
        frames = tuple(one if isinstance(one, str) else base64.b64decode(one["base64"]) for one in shape["frames"])
        return cls(**{**shape, "frames": frames})


class Frames:
    """Draws talks about what is known of a workspace."""

    def __init__(self, draw: Draw, batches: Batches) -> None:
        self.draw, self.batches = draw, batches

    def talk(self) -> Talk:
        """A connection with a handful of messages, or with very many."""
        draw = self.draw
        path = "/api/v1/workspaces/{w}/live" + draw.weighed([(9, ""), (1, "?ticket=" + "A" * draw.size(2_000))])
        frames: list[str | bytes] = [] if draw.odds(0.05) else [HELLO if draw.odds(0.9) else self._text(self.hello())]
        frames += self._messages()
        ends: Literal["close", "abort", "wait"] = draw.weighed([(4, "close"), (3, "abort"), (3, "wait")])
        return Talk(
            path, tuple(frames), reads=draw.odds(0.8), as_text=draw.odds(0.5), ends=ends, seconds=self.draw.scale.slow
        )

    def _messages(self) -> list[str | bytes]:
        draw = self.draw
        kinds: list[tuple[float, Callable[[], dict[str, Any]]]] = [
            (4, self.submit), (4, self.type), (3, self.presence), (1, self.undo), (1, self.revert), (1, self.resync),
            (1, self.ping), (1, self.watch), (1, self.hello),
        ]  # fmt: skip
        if draw.odds(0.25):  # the same, as fast as it goes
            return [self._text(draw.weighed(kinds)())] * draw.size(400)
        if draw.odds(0.2):
            return [self._odd()]
        return [self._text(draw.weighed(kinds)()) for _ in range(draw.size(30))]

    def _text(self, message: dict[str, Any]) -> str:
        if self.draw.odds(0.08):
            message[self.draw.pick([*message, "more"])] = self.draw.anything()
        text = encoded(message).decode()
        return text.replace('"{rev}"', "{rev}")

    def _odd(self) -> str | bytes:
        draw = self.draw
        return draw.pick(
            [
                b"\x00" * draw.size(1_000_000), b"\xff\xfe", "", "[]", "null", "{", '{"t":1}', '{"t":"type"}',
                "[" * draw.size(200_000), '{"t":"ping","n":' + "9" * draw.size(100_000) + "}",
                '{"t":"submit","id":"aaaaaaaa","operations":[' + "[]," * draw.size(100_000) + "[]]}",
                '{"t":"resync","why":"' + "x" * draw.size(draw.scale.body) + '"}',
                '{"t":"ping","n":1,' + '"n":1,' * draw.size(50_000) + '"n":1}', '{"t":"resync","why":"\\ud800"}',
            ]
        )  # fmt: skip

    def _id(self) -> str:
        return f"write-{self.draw.rng.randrange(10**9):09}"

    def hello(self) -> dict[str, Any]:
        draw = self.draw
        resume = draw.pick(
            [None, {"epoch": draw.pump(60), "rev": draw.number(), "h": "x"}, {"epoch": "{epoch}", "rev": 0, "h": "0"}]
        )
        pending = [self._id() for _ in range(draw.size(2_100))] if draw.odds(0.3) else []
        return {"t": "hello", "v": draw.pick([1, 1, 2, -1]), "resume": resume, "pending": pending}

    def submit(self) -> dict[str, Any]:
        return {"t": "submit", "id": self._id(), "operations": self.batches.operations(), "explanation": ""}

    def type(self) -> dict[str, Any]:
        base = self.draw.pick(["{rev}", "{rev}", "{rev}", 0, 1, 10**9])
        return {"t": "type", "id": self._id(), "epoch": "{epoch}", "base": base, "changes": self.batches.changes()}

    def presence(self) -> dict[str, Any]:
        draw = self.draw
        place = {"x": draw.rng.uniform(-2e7, 2e7), "y": 0.5}
        names = [draw.pump(205) for _ in range(draw.size(210))] if draw.odds(0.4) else ["n0"]
        caret = {"rev": draw.pick([0, "{rev}"]), "anchor": draw.rng.randrange(2**31), "head": 0}
        state = {"view": draw.pick(["diagram", "none"]), "cursor": place, "selection": names, "caret": caret}
        if draw.odds(0.4):
            state["drag"] = dict.fromkeys(names, place)
        return {"t": "presence", "state": state}

    def undo(self) -> dict[str, Any]:
        touching = self.draw.pick([None, "document", "typing"])
        return {"t": "undo", "id": self._id(), "scope": self.draw.pick(["mine", "all"]), "touching": touching}

    def revert(self) -> dict[str, Any]:
        return {"t": "revert", "id": self._id(), "rev": self.draw.pick([1, 2, 2**53]), "force": True}

    def resync(self) -> dict[str, Any]:
        return {"t": "resync", "why": self.draw.pump(510)}

    def ping(self) -> dict[str, Any]:
        return {"t": "ping", "n": self.draw.rng.randrange(2**53)}

    def watch(self) -> dict[str, Any]:
        return {"t": "watch", "run": self.draw.pick(["0" * 26, "x"]), "after": self.draw.pick(["0", "9" * 20, "-"])}


async def talk_to(place: Place, talk: Talk, request_id: str = "") -> Answer:
    """Open a connection, say everything, and end it; the close code as the answer's code, 101 as its status."""
    started = time.monotonic()
    answer = Answer()
    buffers: dict[str, Any] = {} if talk.reads else {"max_queue": 1}
    headers = {"X-Request-Id": request_id} if request_id else {}
    try:
        async with connect(
            f"ws://{place[0]}:{place[1]}{talk.path}", additional_headers=headers, compression=None, proxy=None,
            max_size=None, open_timeout=60, close_timeout=0.5, ping_interval=None, **buffers,
        ) as socket:  # fmt: skip
            answer.status = 101
            await _say(socket, talk)
            answer.code = str(socket.close_code or "left")
    except InvalidHandshake as error:
        response = getattr(error, "response", None)
        answer.status, answer.code = getattr(response, "status_code", 0), type(error).__name__
        answer.headers = {} if response is None else {name.lower(): value for name, value in response.headers.items()}
    except (OSError, WebSocketException, TimeoutError) as error:
        answer.code = answer.code or type(error).__name__
    answer.seconds = time.monotonic() - started
    return answer


async def _say(socket: ClientConnection, talk: Talk) -> None:
    told: dict[str, Any] = {}
    first = asyncio.Event()
    reading = asyncio.create_task(_listen(socket, told, first)) if talk.reads else None
    try:
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(talk.seconds + 30):
                for frame in talk.frames:
                    if isinstance(frame, bytes):
                        await socket.send(frame, text=talk.as_text)
                        continue
                    await socket.send(_filled(frame, told))
                    if reading is not None and frame is talk.frames[0]:
                        await asyncio.wait([asyncio.ensure_future(first.wait())], timeout=5)
            if talk.ends == "wait":
                await asyncio.wait([asyncio.ensure_future(socket.wait_closed())], timeout=talk.seconds)
        if talk.ends == "abort":
            socket.transport.abort()
    finally:
        if reading is not None:
            reading.cancel()
            await asyncio.wait([reading])


def _filled(frame: str, told: dict[str, Any]) -> str:
    for name, default in (("epoch", "none"), ("rev", 0), ("h", "0")):
        frame = frame.replace(f"{{{name}}}", str(told.get(name, default)))
    return frame


async def _listen(socket: ClientConnection, told: dict[str, Any], first: asyncio.Event) -> None:
    with contextlib.suppress(ConnectionClosed):
        async for text in socket:
            for message in json.loads(text):
                if message["t"] in ("state", "commit"):
                    told.update({name: message[name] for name in ("epoch", "rev", "h") if name in message})
            first.set()
    first.set()
