"""What every adapter of wakes promises: it wakes, subscribes again by itself, and never delays anything else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from draftsmith.adapters.redis.wakes import RedisWakes
from draftsmith.ports import Blob, CommitLog
from draftsmith.ports.live import AppendWake, Wakes
from tests.contracts.backends import Backend, RedisBackend, open_redis
from tests.contracts.lines import EPOCH, SUMMARY, create, draft, extend, line_after, new_w
from tests.contracts.wake_listener import WakeListener, listen_at, presence_so_far
from tests.fakes.memory_log import MemoryStore
from tests.fakes.memory_wakes import MemoryWakes
from tests.timeouts import TIMEOUT_SECONDS


@pytest.fixture
async def wakes(backend: Backend) -> AsyncIterator[list[Wakes]]:
    """What two workers hear, on connections of their own; every store, one after the other."""
    if isinstance(backend, RedisBackend):
        async with open_redis(backend.url) as other:
            both: list[Wakes] = [
                RedisWakes(connection, subscribe_seconds=TIMEOUT_SECONDS)
                for connection in (backend.connection, other.connection)
            ]
            yield both
            for one in both:
                await one.close()
        return
    assert isinstance(backend.store, MemoryStore)
    both = [MemoryWakes(backend.store), MemoryWakes(backend.store)]
    yield both
    for one in both:
        await one.close()


async def test_whoever_begins_to_listen_is_woken(wakes: list[Wakes]) -> None:
    """What came before has not been heard, so it is time to look; also where there is no workspace yet."""
    listener = await listen_at(wakes[0], new_w())
    assert (listener.wakes, listener.presence) == (1, [])


async def test_what_is_said_once_listening_has_begun_is_heard(wakes: list[Wakes]) -> None:
    """Whoever comes in can say so at once and be answered."""
    for _ in range(10):
        w, listener = new_w(), WakeListener()
        await wakes[0].listen(w, listener.wake, listener.receive)
        await wakes[1].send_presence(w, b"hello")
        await listener.until(lambda listener=listener: listener.presence == [b"hello"])


async def test_every_change_wakes_every_worker(wakes: list[Wakes], log: CommitLog) -> None:
    """Creation, commits, the trash and back, a replaced log; the worker that did it hears of it, too."""
    w, first = new_w(), draft()
    listeners = [await listen_at(one, w) for one in wakes]

    async def both_woken() -> None:
        for listener, before in zip(listeners, counts, strict=True):
            await listener.woken(before)

    counts = [listener.wakes for listener in listeners]
    created = await log.create(w, EPOCH, first, SUMMARY)
    await both_woken()
    counts = [listener.wakes for listener in listeners]
    await extend(log, w, created.head, 3)
    await both_woken()
    for is_deleted in (True, False):
        counts = [listener.wakes for listener in listeners]
        await log.set_deleted(w, is_deleted)
        await both_woken()
    counts = [listener.wakes for listener in listeners]
    whole = Blob("e2", 4, "ab" * 8, 1, b"w")
    await log.replace(w, whole, line_after(whole, 1), {})
    await both_woken()


async def test_presence_reaches_every_worker_as_it_was_sent(wakes: list[Wakes]) -> None:
    """Any bytes, in order, and nothing of other workspaces."""
    w, other = new_w(), new_w()
    listener, beside = await listen_at(wakes[0], w), await listen_at(wakes[0], other)
    contents = [b"", b"\x00\xff\r\n", "Zürich 🗄".encode(), b"x" * 100_000]
    for content in contents:
        await wakes[1].send_presence(w, content)
    assert await presence_so_far(wakes[1], listener, w) == contents
    assert await presence_so_far(wakes[1], beside, other) == []
    assert (listener.wakes, beside.wakes) == (1, 1)


async def test_one_word_is_told_once(wakes: list[Wakes]) -> None:
    """However often one has begun to listen; the callbacks given last are the ones that are called."""
    w, first, second = new_w(), WakeListener(), WakeListener()
    await wakes[0].listen(w, first.wake, first.receive)
    await wakes[0].listen(w, second.wake, second.receive)
    await second.woken()
    await wakes[1].send_presence(w, b"hello")
    assert await presence_so_far(wakes[1], second, w) == [b"hello"]
    assert first.presence == []


async def test_nothing_is_heard_after_listening_has_ended(wakes: list[Wakes], log: CommitLog) -> None:
    """And ending what has not begun does nothing; other workspaces are heard as before."""
    w, head = await create(log)
    gone, stays = await listen_at(wakes[0], w), await listen_at(wakes[1], w)
    await wakes[0].unlisten(w)
    await wakes[0].unlisten(w)
    await wakes[0].unlisten(new_w())
    before = gone.wakes
    await extend(log, w, head, 1)
    await wakes[1].send_presence(w, b"anybody?")
    await stays.woken(1)
    assert await presence_so_far(wakes[1], stays, w) == [b"anybody?"]
    again = await listen_at(wakes[0], w)
    assert await presence_so_far(wakes[1], again, w) == []
    assert (gone.wakes, gone.presence) == (before, [])


async def test_coming_and_going_quickly_ends_as_asked_last(wakes: list[Wakes]) -> None:
    """No turn is waited for in between."""
    stays, goes = new_w(), new_w()
    listener, gone = WakeListener(), WakeListener()
    for _ in range(5):
        await wakes[0].listen(stays, listener.wake, listener.receive)
        await wakes[0].unlisten(stays)
        await wakes[0].listen(goes, gone.wake, gone.receive)
        await wakes[0].unlisten(goes)
    await wakes[0].listen(stays, listener.wake, listener.receive)
    await listener.woken()
    # Whatever is still being asked of the store is answered before a later question is.
    beside = await listen_at(wakes[0], new_w())
    before = listener.wakes, gone.wakes
    await wakes[1].send_presence(goes, b"nobody")
    assert await presence_so_far(wakes[1], listener, stays) == []
    assert beside.presence == gone.presence == []
    assert gone.wakes == before[1]


async def test_many_workspaces_are_heard_beside_one_another(wakes: list[Wakes]) -> None:
    ws = [new_w() for _ in range(60)]
    listeners = {w: await listen_at(wakes[0], w) for w in ws}
    await asyncio.gather(*(wakes[1].send_presence(w, w.encode()) for w in ws[:8]))
    for w in ws[:8]:
        await listeners[w].until(lambda w=w: listeners[w].presence == [w.encode()])
    assert [listeners[w].presence for w in ws[8:]] == [[]] * 52


async def test_a_defect_in_one_ear_is_nobody_elses(wakes: list[Wakes]) -> None:
    """Whoever raises is told again next time, and others are told all the same."""
    told: list[BaseException] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["exception"]))
    w, calls = new_w(), WakeListener()

    def broken(append: AppendWake | None) -> None:
        calls.wake(append)
        raise ValueError("broken")

    await wakes[0].listen(w, broken, calls.receive)
    await calls.woken()
    listener = await listen_at(wakes[1], w)
    await wakes[1].send_presence(w, b"well?")
    assert await presence_so_far(wakes[1], listener, w) == [b"well?"]
    assert await presence_so_far(wakes[1], calls, w) != []
    assert told
    assert {str(error) for error in told} == {"broken"}


async def test_closing_ends_everything_and_may_come_at_any_time(wakes: list[Wakes]) -> None:
    """Twice, and while something is being asked; afterwards nothing is heard or sent, and no task is left."""
    before = asyncio.all_tasks()
    w, early, listener = new_w(), WakeListener(), await listen_at(wakes[1], new_w())
    listening = asyncio.create_task(wakes[0].listen(w, early.wake, early.receive))
    await asyncio.sleep(0)
    for one in wakes:
        await one.close()
        await one.close()
    await listening
    was = early.wakes, listener.wakes
    await wakes[0].send_presence(w, b"x")
    await wakes[0].listen(w, early.wake, early.receive)
    await wakes[0].unlisten(w)
    await asyncio.sleep(0)
    assert (early.wakes, listener.wakes) == was
    assert asyncio.all_tasks() == before
