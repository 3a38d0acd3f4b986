"""Clients that finish no head of a request, and unsent bytes that are too many: who is given up, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from draftsmith.adapters.server.slow_clients import (
    HEAD_SECONDS,
    MAX_HEAD_BYTES,
    InPieces,
    UnsentBytes,
    UnsentWatch,
    WatchedHttp,
)

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


class Timer:
    """What a loop is to do later."""

    def __init__(self, at: float, work: Callable[[], None]) -> None:
        self.at, self.work = at, work
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Loop:
    """A loop whose time the test sets; tasks are those of the real one."""

    def __init__(self) -> None:
        self.now, self.timers = 0.0, list[Timer]()

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, work: Callable[[], None]) -> Timer:
        self.timers.append(Timer(self.now + seconds, work))
        return self.timers[-1]

    def create_task(self, coroutine: Any) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(coroutine)

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        for timer in [one for one in self.timers if one.at <= self.now and not one.is_cancelled]:
            timer.is_cancelled = True
            timer.work()


class Wire(asyncio.Transport):
    """A connection that notes what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False
        self.unsent = 0

    def write(self, data: Any) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return self.unsent


async def greet(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


async def never(_scope: Any, _receive: Any, _send: Any) -> None:
    await asyncio.Event().wait()


def connected(app: Any = greet) -> tuple[Loop, Wire, WatchedHttp]:
    loop, wire = Loop(), Wire()
    config = Config(app, log_config=None, http="httptools", ws="none", lifespan="off", timeout_keep_alive=75)
    made = WatchedHttp(config, ServerState(), {}, _loop=loop)  # type: ignore[arg-type]  # as much of one as it uses
    made.connection_made(wire)
    return loop, wire, made


class TestHeads:
    async def test_one_that_comes_in_pieces_has_so_long_in_all(self) -> None:
        loop, wire, http = connected()
        for letter in HEAD:
            http.data_received(bytes([letter]))
            loop.pass_time(HEAD_SECONDS / 100)
            assert not wire.is_closed
        loop.pass_time(HEAD_SECONDS)
        assert wire.is_closed
        assert wire.written.startswith(b"HTTP/1.1 408 ")

    async def test_a_connection_on_which_nothing_comes_ends_without_a_word(self) -> None:
        loop, wire, _ = connected()
        loop.pass_time(HEAD_SECONDS)
        assert (wire.is_closed, wire.written) == (True, b"")

    async def test_one_that_is_whole_is_answered_and_the_next_has_its_own_time(self) -> None:
        loop, wire, http = connected()
        for _ in range(3):
            loop.pass_time(HEAD_SECONDS * 0.9)
            http.data_received(HEAD)
            loop.pass_time(HEAD_SECONDS * 0.05)
            http.data_received(b"\r\n")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert (wire.written.count(b"hi"), wire.is_closed) == (3, False)
        loop.pass_time(70)  # an idle connection has longer, as before
        assert not wire.is_closed

    async def test_blank_lines_after_a_request_do_not_hold_the_connection(self) -> None:
        loop, wire, http = connected()
        http.data_received(HEAD + b"\r\n")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for _ in range(100):
            http.data_received(b"\r\n")
            loop.pass_time(1)
            if wire.is_closed:
                break
        assert loop.now <= HEAD_SECONDS + 1

    async def test_an_answer_under_way_is_not_cut_off_by_what_comes_behind_its_request(self) -> None:
        """Neither by a blank line, nor by half a head: that has no answer, but the one before has."""
        for behind in (b"\r\n", HEAD):
            loop, wire, http = connected(never)
            http.data_received(HEAD + b"\r\n" + behind)
            await asyncio.sleep(0)
            loop.pass_time(HEAD_SECONDS * 10)
            assert (wire.is_closed, wire.written) == (False, b"")
            http.connection_lost(None)

    async def test_one_that_is_too_long_is_refused(self) -> None:
        _, wire, http = connected()
        http.data_received(HEAD + b"X: ")
        for _ in range(MAX_HEAD_BYTES // 1000 + 1):
            http.data_received(b"x" * 1000)
        assert wire.is_closed
        assert wire.written.startswith(b"HTTP/1.1 431 ")


class TestUnsentBytes:
    @pytest.fixture
    def unsent(self) -> UnsentBytes:
        return UnsentBytes(most=1_000)

    async def waiting(self, unsent: UnsentBytes, *sizes: int) -> list[tuple[Wire, UnsentWatch]]:
        found = []
        for size in sizes:
            wire = Wire()
            wire.unsent, watch = size, UnsentWatch(wire, unsent)
            wire.get_extra_info = lambda *_: None  # type: ignore[method-assign]
            watch._reset = wire.abort  # type: ignore[method-assign]  # there is no socket below
            watch.start()
            found.append((wire, watch))
        await asyncio.sleep(0)
        return found

    async def test_small_ones_count_as_large_ones_do(self, unsent: UnsentBytes) -> None:
        """Four hundred that do not read wait for no more than all may; the first to come are the first to go."""
        found = await self.waiting(unsent, *[10] * 400)
        assert unsent.total <= 1_000
        assert [wire.is_closed for wire, _ in found] == [True] * 300 + [False] * 100
        for _, watch in found:
            watch.stop()
        assert unsent.total == 0

    async def test_who_takes_something_stays_before_who_takes_nothing(self, unsent: UnsentBytes) -> None:
        reads, does_not = await self.waiting(unsent, 500, 450)
        reads[0].unsent = 480
        [late] = await self.waiting(unsent, 300)
        assert [one[0].is_closed for one in (reads, does_not, late)] == [False, True, False]

    async def test_what_was_taken_meanwhile_makes_room(self, unsent: UnsentBytes) -> None:
        """Sizes are looked at again before anybody is given up."""
        reads, also = await self.waiting(unsent, 500, 450)
        reads[0].unsent = also[0].unsent = 100
        [late] = await self.waiting(unsent, 700)
        assert [one[0].is_closed for one in (reads, also, late)] == [False, False, False]
        for _, watch in (reads, also, late):
            watch.stop()


def test_what_is_written_is_held_in_pieces() -> None:
    """A transport holds what was sent in part as a whole, and tells the size of the rest."""
    held = list[bytes]()
    wire = Wire()
    wire.write = held.append  # type: ignore[method-assign,assignment]
    content = bytes(range(256)) * 1_000
    InPieces(wire).write(memoryview(content))
    assert b"".join(held) == content
    assert max(map(len, held)) == 65_536
    assert {type(one) for one in held} == {bytes}
    InPieces(wire).write(b"short")
    assert held[-1] == b"short"
    assert not InPieces(wire).is_closing()
