"""Pages that do not read, or not quickly: what they miss is not kept for them, and nobody waits for them."""

from __future__ import annotations

import asyncio
import itertools
import random
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import psutil  # type: ignore[import-untyped]  # ships no types
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.integration.client import Api, node
from tests.integration.servers import WITH_TESTS, Server, running
from tests.integration.sockets import Page, live_address, new_id, seated

SLOW = 10
COMMITS = 120
NODES = [f"n{number}" for number in range(20)]
MIB = 1024 * 1024
TURNS = 30
EACH_MIB = 12
"""What one page that does not read may cost: a frame on its way, one that waits, and what the allocator adds."""


@pytest.fixture
def patient_server(redis_server: str, redis_url: str) -> Iterator[Server]:
    """A worker that cuts nobody off for how long it has read nothing: here it is bytes that count."""
    app = "tests.integration.patient_server:create_patient"
    with running(redis_server, "w-patient", app=app, PYTHONPATH=WITH_TESTS) as (one,):
        yield one


@asynccontextmanager
async def deaf(api: Api, w: str) -> AsyncIterator[ClientConnection]:
    """A page that says hello and then reads nothing: its buffers are small, so the server's fill up."""
    place = urlsplit(live_address(api, w))
    ear = socket.socket()
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    ear.setblocking(False)
    await asyncio.get_running_loop().sock_connect(ear, (place.hostname, place.port))
    options: dict[str, Any] = {"compression": None, "max_size": None, "max_queue": 1, "ping_interval": None}
    async with connect(live_address(api, w), sock=ear, proxy=None, close_timeout=1, **options) as made:
        await made.send('{"t":"hello","v":1}')
        yield made


async def rewrite(api: Api, w: str, rng: random.Random) -> int:
    """Many commits of some size, a few hundred kilobytes each as pages are told them; the head."""
    head = 0
    for _ in range(COMMITS):
        changes = [{"op": "update_node", "id": name, "notes": rng.randbytes(5_000).hex()} for name in NODES]
        head = (await asyncio.to_thread(api.batch, w, *changes))["revision"]
    return head


async def test_pages_that_do_not_read_cost_a_frame_or_two(patient_server: Server, seed: str) -> None:
    """Not what they have missed; who reads is told everything meanwhile.

    One that reads again gets the whole state and is up to date; the others do not keep the worker from stopping.
    """
    rng = random.Random(seed)
    with Api(patient_server.url) as api:
        process = psutil.Process(patient_server.process.pid)
        w = api.create(name="Shop")
        api.batch(w, *(node(name) for name in NODES))
        async with seated(api, w) as quick, AsyncExitStack() as stack:
            await rewrite(api, w, rng)
            without = process.memory_info().rss
            slow = [await stack.enter_async_context(deaf(api, w)) for _ in range(SLOW)]
            await quick.until(lambda: len([m for m in quick.heard if m["t"] == "roster"][-1]["members"]) == SLOW + 1)
            head = await rewrite(api, w, rng)
            await quick.at(head)
            cost = (process.memory_info().rss - without) / MIB / SLOW
            told = sum(len(str(commit["steps"])) for commit in quick.commits[-COMMITS:]) / MIB
            print(f"\n{cost:.1f} MiB for each page that did not read, of {told:.1f} MiB that it missed")
            assert told > 2 * EACH_MIB, "or this would show nothing"
            assert cost < EACH_MIB

            back = Page(slow[0])
            await back.at(head)
            states = [message["why"] for message in back.heard if message["t"] == "state"]
            assert states[0] == "fresh"
            assert "behind" in states[1:]
            assert len(back.commits) < COMMITS
            done = await quick.submit(node("after"))
            await back.at(done["rev"])
            assert back.place == quick.place

            await asyncio.to_thread(patient_server.stop)
            for one in (quick, back):
                assert (await one.closed())[0] == 1012
            assert "Traceback" not in patient_server.log, patient_server.log[-3000:]


async def test_who_sends_and_never_reads_is_read_no_more(patient_server: Server) -> None:
    """Its answers do not pile up here, and others are answered at once."""
    with Api(patient_server.url) as api:
        process = psutil.Process(patient_server.process.pid)
        w = api.create(name="Shop", document={"text": "x" * 1_900_000})
        async with deaf(api, w) as one, seated(api, w) as other:
            began = process.memory_info().rss
            sent, rounds = 0, itertools.count()
            batch = "[" + ",".join(['{"op":"dance"}'] * 100) + "]"

            async def send() -> None:
                nonlocal sent
                while True:
                    await one.send(f'{{"t":"submit","id":"{new_id()}","operations":{batch}}}')
                    sent += 1

            sending = asyncio.create_task(send())
            taken = -1
            while taken < sent:  # of each round the worker has some turns, in which it would read what is there
                taken = sent
                for number in itertools.islice(rounds, TURNS):
                    await other.say("ping", n=number)
                    await other.next("pong", n=number)
            assert not sending.done()
            grown = (process.memory_info().rss - began) / MIB
            print(f"{sent} messages taken, {grown:.1f} MiB more")
            assert grown < 64
            sending.cancel()
            await asyncio.wait([sending])
            one.transport.abort()
            await other.until(lambda: len([m for m in other.heard if m["t"] == "roster"][-1]["members"]) == 1)
