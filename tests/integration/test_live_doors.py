"""Who may open `/live`, how a page that says something wrong is told, and how fast one may speak."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from draftsmith.adapters.server.websocket import MAX_FRAGMENTS, MAX_MESSAGE_BYTES
from tests.integration.client import PROBLEM_FIELDS, Api, check_problem, node
from tests.integration.processes import wait_for
from tests.integration.servers import Server, running
from tests.integration.sockets import Page, address, page, seated, socket
from tests.kit.fixtures import workspace_fixture

NOBODY = "0" * 26
ELSEWHERE = {"Origin": "https://evil.example"}


w = workspace_fixture(name="Shop", document={"text": "# Shop\n"})


@pytest.fixture(autouse=True)
def nothing_is_logged_as_a_defect(server: Server) -> Iterator[None]:
    """Whatever a client does wrong here."""
    before = len(server.log)
    yield
    said = server.log[before:]
    assert "Traceback" not in said, said
    assert '"level": "error"' not in said, said


async def refused(url: str, **headers: str) -> tuple[int, dict[str, Any]]:
    """The status and the problem document of a handshake that was refused."""
    with pytest.raises(InvalidStatus) as refusal:
        async with connect(url, additional_headers=headers, proxy=None):
            pass
    response = refusal.value.response
    assert response.headers["content-type"] == "application/problem+json"
    document = json.loads(response.body or b"")
    assert document.keys() >= PROBLEM_FIELDS
    assert (document["status"], document["request_id"]) == (response.status_code, response.headers["x-request-id"])
    return response.status_code, document


class TestOrigins:
    async def test_a_page_of_this_host_comes_in(self, api: Api, w: str) -> None:
        origin = str(api.base_url).rstrip("/")
        async with seated(api, w, headers={"Origin": origin, "Sec-Fetch-Site": "same-origin"}) as one:
            assert one.heard[0]["t"] == "welcome"

    async def test_a_program_says_nothing_of_where_it_comes_from(self, api: Api, w: str) -> None:
        async with seated(api, w) as one:
            assert one.heard[0]["me"]["id"] == "local:api"

    @pytest.mark.parametrize(
        "headers",
        [
            ELSEWHERE,
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:1"},
            {"Origin": "http://127.0.0.1"},
            {"Origin": "http://[broken"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        ],
    )
    async def test_a_page_of_another_origin_does_not(self, api: Api, w: str, headers: dict[str, str]) -> None:
        """Nor one that brings the cookie along, nor one with an empty ticket."""
        api.become("Ada")
        cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in api.cookies.items())}
        for more in ({}, cookie):
            status, document = await refused(address(api, w), **headers, **more)
            assert (status, document["code"]) == (403, "cross_site")
        assert (await refused(address(api, w, ticket=""), **headers))[0] == 403

    @pytest.mark.parametrize("ticket", ["", "x"])
    async def test_the_host_must_be_ours_whatever_one_brings(self, api: Api, w: str, ticket: str) -> None:
        """A name that was rebound to this address is not, with its own origin, and a ticket or not."""
        host = {"Host": "evil.example", "Origin": "http://evil.example"}
        status, document = await refused(address(api, w, ticket=ticket), **host)
        assert (status, document["code"]) == (400, "bad_host")

    @pytest.mark.parametrize("path", ["/", "/api/v1/live", "/api/v1/workspaces/short/live", "/metrics", "/plain"])
    async def test_there_is_one_address(self, api: Api, path: str) -> None:
        status, document = await refused(str(api.base_url).replace("http:", "ws:").rstrip("/") + path)
        assert status == 404
        assert document["code"] in ("not_found", "workspace_not_found")

    def test_who_does_not_ask_for_a_socket_is_told_so(self, api: Api, w: str) -> None:
        check_problem(api.get(f"/api/v1/workspaces/{w}/live"), 404, "not_found")


class TestTickets:
    def ticket(self, api: Api, w: str) -> dict[str, str]:
        found: dict[str, str] = api.ask("POST", f"/workspaces/{w}/live-tickets", 201)
        return found

    async def test_a_page_of_another_origin_comes_in_with_one(self, api: Api, w: str) -> None:
        """In the name of whoever asked for it, whatever cookie the browser has."""
        ada = api.become("Ada")
        given = self.ticket(api, w)
        assert given.keys() == {"ticket", "expires_at"}
        with Api(str(api.base_url)) as other:
            other.become("Eve")
            async with seated(other, w, headers=ELSEWHERE, ticket=given["ticket"]) as one:
                assert (one.heard[0]["me"]["id"], one.heard[0]["me"]["name"]) == (ada, "Ada")
                done = await one.submit(node("cache"))
                assert done["changed"]
                assert api.ask("GET", f"/workspaces/{w}/commits/{done['rev']}")["actor"]["id"] == ada
        status, document = await refused(address(api, w, ticket=given["ticket"]))
        assert (status, document["code"]) == (401, "unauthorized"), "it opens once"

    async def test_it_opens_this_workspace_alone(self, api: Api, w: str) -> None:
        given = self.ticket(api, w)
        other = api.create(name="Other")
        for url in (address(api, other, ticket=given["ticket"]), address(api, w, ticket=given["ticket"][:-1])):
            status, document = await refused(url)
            assert (status, document["code"]) == (401, "unauthorized")

    def test_it_is_asked_for_like_any_write(self, api: Api, w: str) -> None:
        """Of a workspace that is there, and not by a page of another origin."""
        path = f"/api/v1/workspaces/{w}/live-tickets"
        check_problem(api.post(path, json={}, headers=ELSEWHERE), 403, "cross_site")
        check_problem(api.post(path, content=b"{}"), 415, "media_type")
        check_problem(api.post(path, json={"for": "ever"}), 422, "invalid_request")
        check_problem(api.post(f"/api/v1/workspaces/{NOBODY}/live-tickets", json={}), 404, "workspace_not_found")
        api.ask("DELETE", f"/workspaces/{w}", 204)
        check_problem(api.post(path, json={}), 404, "workspace_deleted")


async def ended(one: Page, code: str) -> tuple[int, str]:
    """The close code and the detail of a page that was told to go for this."""
    close, reason = await one.closed()
    bye = one.heard[-1]
    assert (bye["t"], bye["code"]) == ("bye", code), one.heard
    assert reason.startswith(f"{code}: ")
    assert bye["detail"].startswith(reason.removeprefix(f"{code}: ")[:90])
    return close, bye["detail"]


class TestWrongWords:
    async def test_what_is_not_there_is_said_over_the_socket(self, api: Api, w: str) -> None:
        """Since a page can read no status of a handshake; it is not to come again by itself."""
        async with page(api, NOBODY) as one:
            assert (await ended(one, "workspace_not_found"))[0] == 4404
            assert one.heard[-1]["again_ms"] is None
        api.ask("DELETE", f"/workspaces/{w}", 204)
        async with page(api, w) as one:
            assert (await ended(one, "workspace_deleted"))[0] == 4410

    @pytest.mark.parametrize(
        "first, close, code",
        [
            ('{"t":"ping","n":1}', 4408, "hello_missing"),
            ("[]", 4408, "hello_missing"),
            ("{", 4400, "invalid_message"),
            ('{"t":"hello","v":3,"new":true}', 4409, "version_unknown"),
            ('{"t":"hello","v":1,"new":true}', 4400, "invalid_message"),
            ('{"t":"hello","v":1,"resume":{"epoch":"e","rev":-1,"h":"x"}}', 4400, "invalid_message"),
        ],
    )
    async def test_the_first_message_is_a_hello(self, api: Api, w: str, first: str, close: int, code: str) -> None:
        async with socket(api, w) as made:
            one = Page(made)
            await made.send(first)
            assert (await ended(one, code))[0] == close
            assert len(one.heard) == 1

    async def test_who_says_nothing_is_not_waited_for(self, api: Api, w: str) -> None:
        async with socket(api, w) as made:
            one, began = Page(made), time.monotonic()
            assert (await ended(one, "hello_missing"))[0] == 4408
            assert time.monotonic() - began > 9

    @pytest.mark.parametrize(
        "said, place",
        [
            ('{"t":"hello","v":1}', ""),
            ('{"t":"dance"}', "/"),
            ('{"t":"ping"}', "/n"),
            ('{"t":"ping","n":1,"m":2}', "/m"),
            ('{"t":"submit","id":"12345678","operations":[]}', "/operations"),
            ('{"t":"presence","state":{"cursor":{"x":"1","y":2}}}', "/state/cursor/x"),
            ('{"t":"type","id":"12345678","epoch":"e","base":1.5,"changes":[]}', "/base"),
            ('{"t":"ping","n":NaN}', "no JSON"),
            ("", "no JSON"),
            (b'{"t":"ping","n":1}', "A message is text"),
        ],
    )
    async def test_a_wrong_message_closes_with_its_place(self, api: Api, w: str, said: Any, place: str) -> None:
        async with seated(api, w) as one, seated(api, w) as other:
            await one.socket.send(said)
            close, detail = await ended(one, "invalid_message")
            assert close == 4400
            assert detail.startswith(place), detail
            await other.say("ping", n=7)
            assert await other.next("pong", n=7), "others notice nothing"

    async def test_text_that_is_none_closes(self, api: Api, w: str) -> None:
        async with seated(api, w) as one:
            await one.socket.send(b'{"t":"ping","n":"\xff"}', text=True)
            assert (await one.closed())[0] == 1007

    async def test_a_message_that_is_too_large_closes_with_a_reason(self, api: Api, w: str) -> None:
        """Also while it is still being sent; what fits comes through and is judged like any other."""
        for message in ("x" * (MAX_MESSAGE_BYTES + 1), ["x" * 2**20] * 40, ["xy"] * (MAX_FRAGMENTS + 2)):
            async with seated(api, w) as one:
                with suppress(ConnectionClosed):
                    await one.socket.send(message)
                assert await one.closed() == (1009, "message_too_large: A message may have 8,388,608 bytes.")
        async with seated(api, w) as one:
            await one.say("resync", why="x" * 8_000_000)
            assert (await ended(one, "invalid_message"))[1].startswith("/why")

    async def test_a_message_of_too_many_values_closes(self, api: Api, w: str) -> None:
        """Counted before it is parsed, and so are levels."""
        async with seated(api, w) as one:
            many = "[]," * 300_000
            await one.socket.send(f'{{"t":"submit","id":"12345678","operations":[{many}1]}}')
            close, detail = await ended(one, "message_too_large")
            assert (close, detail) == (1009, "A message may hold 500,000 values; this one holds more. Split it.")
        async with seated(api, w) as one:
            deep = "[" * 150 + "]" * 150
            await one.socket.send(f'{{"t":"submit","id":"12345678","operations":{deep}}}')
            assert "nested deeper than 100 levels" in (await ended(one, "invalid_message"))[1]

    async def test_who_breaks_off_in_the_middle_is_forgotten(self, api: Api, w: str) -> None:
        """At any moment, without a word; nobody is left in the roster."""
        async with seated(api, w) as other:
            for say in (False, True):
                async with socket(api, w) as made:
                    if say:
                        await made.send('{"t":"hello","v":1}')
                    made.transport.abort()
            async with seated(api, w) as one:
                await other.until(lambda: [m for m in other.heard if m["t"] == "roster" and len(m["members"]) == 2])
                one.socket.transport.abort()
            await other.until(lambda: [m for m in other.heard if m["t"] == "roster"][-1]["members"][1:] == [])


class TestPace:
    async def test_who_speaks_too_fast_is_heard_more_slowly(self, api: Api, w: str) -> None:
        """200 messages at once, then 60 a second; nothing is lost, and others are heard as before."""
        count = 350
        async with seated(api, w) as one, seated(api, w) as other:
            began = time.monotonic()
            for number in range(count):
                await one.say("ping", n=number)
            await other.say("ping", n=1)
            await other.next("pong", n=1)
            assert count - 1 not in [m["n"] for m in one.heard if m["t"] == "pong"]
            await one.next("pong", n=count - 1)
            assert time.monotonic() - began > (count - 200) / 60 - 0.5
            assert [m["n"] for m in one.heard if m["t"] == "pong"] == list(range(count))


class TestMetrics:
    async def test_sockets_are_counted(self, api: Api, w: str) -> None:
        def value(name: str) -> float:
            api.get("/healthz")  # what rooms count is carried over at the end of a request
            lines = api.get("/metrics").text.splitlines()
            return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"draftsmith_{name}"))

        def values() -> list[float]:
            names = ("socket_handshakes_total", "socket_frames_total", 'socket_messages_total{kind="ping"}')
            return [value(name) for name in names]

        before, was_open = values(), value("open_sockets")
        async with seated(api, w) as one:
            assert value("open_sockets") >= 1
            await one.say("ping", n=1)
            await one.next("pong")
            assert value("open_rooms") >= 1
            resyncs = value("resyncs_total")
            await one.say("resync")
            await one.next("state", why="asked")
            assert value("resyncs_total") == resyncs + 1
            assert [now - then >= 1 for now, then in zip(values(), before, strict=True)] == [True] * 3
        await asyncio.to_thread(wait_for, lambda: value("open_sockets") <= was_open)


async def test_a_socket_leaves_one_line_in_the_log(api: Api, server: Server, w: str) -> None:
    """When it is over: who, how long, and what ended it; and no ticket."""
    ticket = api.ask("POST", f"/workspaces/{w}/live-tickets", 201)["ticket"]
    async with seated(api, w, headers={"X-Request-Id": "line-in-the-log"}, ticket=ticket):
        pass
    (line,) = await asyncio.to_thread(server.log_lines, event="socket", request_id="line-in-the-log")
    assert (line["status"], line["actor"], line["end"]) == (101, "local:api", "gone")
    assert ticket not in server.log


async def test_no_log_tells_a_ticket_or_what_is_typed(redis_url: str) -> None:
    """Not even one that tells everything else."""
    with running(redis_url, "w-chatty", LOG_LEVEL="debug") as (chatty,), Api(chatty.url) as api:
        w = api.create(name="Shop")
        ticket = api.ask("POST", f"/workspaces/{w}/live-tickets", 201)["ticket"]
        async with seated(api, w, ticket=ticket) as one:
            await one.submit(node("secretive"))
        await asyncio.to_thread(chatty.log_lines, event="socket")
        assert ticket not in chatty.log
        assert "secretive" not in chatty.log
