"""What the WebSockets of a worker do with pages that are gone, slow, or do not take their goodbye."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from websockets.frames import Frame, Opcode

from draftsmith.adapters.server.websocket import PageSocket
from tests.integration.processes import wait_for
from tests.timeouts import NEVER_SECONDS, TIMEOUT_SECONDS

PING_SECONDS = 0.2
SILENCE_SECONDS = 4.0
"""How long a page may say nothing: longer than any gap in what one says that is there."""
COUNT = int(1.5 * SILENCE_SECONDS / PING_SECONDS)
HANDSHAKE = b"\r\n".join([
    b"GET %s HTTP/1.1", b"Host: localhost", b"Upgrade: websocket", b"Connection: Upgrade",
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", b"Sec-WebSocket-Version: 13", b"", b"",
])  # fmt: skip


class Impatient(PageSocket):
    """Waits less for closing handshakes, so that a test need not."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.close_timeout = 0.5


class Application:
    """Notes how its connections go: `/listen` hears, `/talk` never stops talking, `/leave` closes at once."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.ended: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        try:
            match scope["path"]:
                case "/talk":
                    while True:
                        await send({"type": "websocket.send", "text": "x" * 100_000})
                case "/leave":
                    await send({"type": "websocket.close"})
                case _:
                    while (message := await receive())["type"] == "websocket.receive":
                        self.heard.append(message["text"])
        finally:
            self.ended.append(scope["path"])


class Worker:
    """A server in a thread of its own."""

    def __init__(self) -> None:
        self.app = Application()
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            self.app, ws=Impatient, ws_ping_interval=PING_SECONDS, ws_ping_timeout=SILENCE_SECONDS,
            ws_per_message_deflate=False, loop="uvloop", lifespan="off", log_config=None,
            timeout_graceful_shutdown=NEVER_SECONDS,
        )  # fmt: skip
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]})
        self.thread.start()
        wait_for(lambda: self.server.started)

    @property
    def open(self) -> int:
        """How many connections there are."""
        return len(self.server.server_state.connections)

    def connect(self, path: str) -> socket.socket:
        """A client that has opened a WebSocket and does nothing by itself."""
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.settimeout(TIMEOUT_SECONDS)
        made.connect(self.listener.getsockname())
        made.sendall(HANDSHAKE % path.encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += made.recv(1)
        assert answer.startswith(b"HTTP/1.1 101 ")
        return made

    def stop(self) -> None:
        """End it, and wait for its end."""
        self.server.should_exit = True
        self.thread.join(TIMEOUT_SECONDS)
        assert not self.thread.is_alive()


@pytest.fixture
def worker_in_thread(caplog: pytest.LogCaptureFixture) -> Iterator[Worker]:
    """A server; nothing that clients do here is an error of its own."""
    caplog.set_level(logging.ERROR)
    one = Worker()
    try:
        yield one
    finally:
        one.stop()
    assert [record.message for record in caplog.get_records("call")] == []


def send_frame(made: socket.socket, text: bytes, opcode: Opcode = Opcode.TEXT) -> None:
    made.sendall(Frame(opcode, text).serialize(mask=True))


def test_a_page_that_says_nothing_is_hung_up_on(worker_in_thread: Worker) -> None:
    """Whether or not the application waits for it to take what it was sent."""
    for path in ("/listen", "/talk"):
        with worker_in_thread.connect(path):
            wait_for(lambda path=path: path in worker_in_thread.app.ended)
            wait_for(lambda: worker_in_thread.open == 0)


def test_a_page_that_says_anything_is_there(worker_in_thread: Worker) -> None:
    """Although its answers to pings do not come, as where much is on its way to it."""
    with worker_in_thread.connect("/listen") as made:
        for number in range(COUNT):
            send_frame(made, b"%d" % number)
            threading.Event().wait(PING_SECONDS)
        wait_for(lambda: worker_in_thread.app.heard == [str(number) for number in range(COUNT)])
        assert worker_in_thread.open == 1
    wait_for(lambda: worker_in_thread.app.ended)


def test_a_page_that_answers_pings_is_there(worker_in_thread: Worker) -> None:
    with worker_in_thread.connect("/listen") as made:
        for _ in range(COUNT):
            head = made.recv(2)
            assert head[0] & 15 == Opcode.PING
            send_frame(made, made.recv(head[1]), Opcode.PONG)
        assert worker_in_thread.open == 1


def test_a_page_that_does_not_take_its_goodbye_is_hung_up_on(worker_in_thread: Worker) -> None:
    with worker_in_thread.connect("/leave"):
        wait_for(lambda: worker_in_thread.app.ended)
        wait_for(lambda: worker_in_thread.open == 0)


def test_a_page_that_reads_nothing_does_not_hold_up_the_end(worker_in_thread: Worker) -> None:
    with worker_in_thread.connect("/talk"), worker_in_thread.connect("/listen"):
        wait_for(lambda: worker_in_thread.open == 2)
        worker_in_thread.server.should_exit = True
        worker_in_thread.thread.join(TIMEOUT_SECONDS)
        assert not worker_in_thread.thread.is_alive()


def test_text_that_is_none_is_the_pages_fault(worker_in_thread: Worker) -> None:
    """Told by a close code; also in pieces."""
    for last in (True, False):
        with worker_in_thread.connect("/listen") as made:
            made.sendall(Frame(Opcode.TEXT, b"\xff\xfe", fin=last).serialize(mask=True))
            if not last:
                made.sendall(Frame(Opcode.CONT, b"", fin=True).serialize(mask=True))
            while (head := made.recv(2))[0] & 15 != Opcode.CLOSE:
                made.recv(head[1])
            assert int.from_bytes(made.recv(2), "big") == 1007
    assert worker_in_thread.app.heard == []


def test_pieces_of_a_letter_are_no_fault(worker_in_thread: Worker) -> None:
    with worker_in_thread.connect("/listen") as made:
        whole = "Zürich 🗄".encode()
        for number, byte in enumerate(whole):
            kind = Opcode.CONT if number else Opcode.TEXT
            made.sendall(Frame(kind, bytes([byte]), fin=number == len(whole) - 1).serialize(mask=True))
        wait_for(lambda: worker_in_thread.app.heard == ["Zürich 🗄"])
