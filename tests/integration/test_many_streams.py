"""Sockets and streams of one principal are counted, and who has too many is told so; others open theirs."""

from __future__ import annotations

import json
from asyncio import to_thread
from contextlib import AsyncExitStack, ExitStack
from typing import Any

import httpx
import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from tests.integration.client import check_problem
from tests.integration.people import Caller, Town, town
from tests.kit.fixtures import town_fixture

MOST = 5
EVENTS = "/workspaces/{}/commits/events"


place = town_fixture("crowded", MAX_OPEN=str(MOST))


def live(caller: Caller, w: str, **headers: str) -> Any:
    """A page, not connected yet."""
    cookie = "; ".join(f"{name}={value}" for name, value in caller.cookies.items())
    url = f"{str(caller.base_url).rstrip('/').replace('http', 'ws')}/api/v1/workspaces/{w}/live"
    # Without a heartbeat of its own: a machine that is busy is no broken connection. What nobody reads waits here.
    return websockets.connect(url, additional_headers={"Cookie": cookie, **headers}, ping_interval=None, max_queue=None)


async def opened(stack: AsyncExitStack, caller: Caller, w: str) -> ClientConnection:
    """A page that has said hello at once: one that does not is closed after ten seconds, and counts no more."""
    page: ClientConnection = await stack.enter_async_context(live(caller, w))
    assert await is_welcome(page)
    return page


def refused(caller: Caller, w: str) -> httpx.Response:
    """The answer to somebody who opens a stream and may not; nothing is read of a stream that opens."""
    with caller.stream("GET", "/api/v1" + EVENTS.format(w)) as answer:
        assert answer.status_code == 429
        answer.read()
    return answer


async def is_welcome(socket: ClientConnection) -> bool:
    await socket.send('{"t":"hello","v":1}')
    return bool(json.loads(await socket.recv())[0]["t"] == "welcome")


async def test_a_principal_has_so_many_open_and_no_more(place: Town) -> None:
    """Pages and streams together: a page is told when to come again, a program gets a problem; then one may open."""
    w = place.admin.create(name="Full")
    guest = place.holder(w, "editor")
    async with AsyncExitStack() as stack:
        pages = [await opened(stack, guest, w) for _ in range(MOST - 1)]
        with ExitStack() as streams:
            stream = streams.enter_context(guest.stream("GET", "/api/v1" + EVENTS.format(w)))
            assert stream.status_code == 200

            answer = await to_thread(refused, guest, w)
            check_problem(answer, 429, "too_many_open")
            assert answer.headers["retry-after"] == "30"
            with pytest.raises(websockets.InvalidStatus) as program:
                await live(guest, w)
            assert program.value.response.status_code == 429
            async with live(guest, w, Origin=place.url) as page:
                [bye] = json.loads(await page.recv())
                assert (bye["t"], bye["code"], bye["again_ms"]) == ("bye", "too_many_open", 30_000)
                await page.wait_closed()
                assert page.close_code == 4429

            other = place.holder(w, "viewer")
            async with live(other, w) as page:
                assert await is_welcome(page)
            async with live(place.admin, w) as page:
                assert await is_welcome(page)

        await pages[0].close()
        async with live(guest, w) as page:
            assert await is_welcome(page)


async def test_what_was_refused_counts_for_nothing(place: Town) -> None:
    """However often it is tried, and where the one who tries may not enter at all."""
    w = place.admin.create(name="Tried")
    guest = place.holder(w, "viewer")
    async with AsyncExitStack() as stack:
        for _ in range(MOST):
            await opened(stack, guest, w)
        for _ in range(2 * MOST):
            check_problem(await to_thread(refused, guest, w), 429, "too_many_open")
            with pytest.raises(websockets.InvalidStatus):
                await live(place.person("Ben"), w)
    for _ in range(2 * MOST):
        async with live(guest, w) as page:
            assert await is_welcome(page)


async def test_the_usual_limit_is_above_any_number_of_tabs(redis_server: str) -> None:
    with town(redis_server, "roomy") as usual:
        w = usual.admin.create(name="Tabs")
        async with AsyncExitStack() as stack:
            assert len([await opened(stack, usual.admin, w) for _ in range(100)]) == 100
