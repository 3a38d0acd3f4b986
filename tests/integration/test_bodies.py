"""Bodies and answers on real sockets: who sends too much, too slowly, or reads nothing wastes only their own time."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import orjson
import pytest
from pydantic import TypeAdapter
from starlette.types import Message

from draftsmith.api.forms.answers import ProblemDocument
from draftsmith.api.forms.problems import STATUS, TITLES
from draftsmith.api.http.bodies import LINGER_BYTES, Answering
from tests.integration.client import Api, check_problem, node
from tests.integration.servers import WITH_TESTS, Server, running
from tests.integration.sockets import page
from tests.kit.fixtures import api_fixture
from tests.timeouts import TIMEOUT_SECONDS

MIB = 1024 * 1024
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def strict(redis_server: str) -> Iterator[Server]:
    """A worker that holds 2 MiB of bodies, 1 MiB of them of one client, and waits two seconds for a body."""
    limits = {"MAX_BODY_BYTES": "1000000", "MAX_SMALL_BODY_BYTES": "100000", "MAX_BATCH_BYTES": "40000"}
    # Totals that an image would not fit in are raised.
    totals = {"MAX_CLIENT_BODIES_BYTES": str(MIB), "MAX_BODIES_BYTES": str(2 * MIB), "MAX_IMAGE_BYTES": "100000"}
    with running(redis_server, "w-strict", BODY_SECONDS="2", **limits, **totals) as servers:
        yield servers[0]


api = api_fixture("strict")


class Sender:
    """A raw connection that sends a request in parts."""

    def __init__(self, url: str, path: str, size: int, headers: str = "") -> None:
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), TIMEOUT_SECONDS)
        head = f"POST /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        self.send(f"{head}Content-Length: {size}\r\n{headers}\r\n".encode())

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def answer(self) -> tuple[int, dict[str, str], dict[str, Any]]:
        """Status, headers and problem document."""
        with self.socket.makefile("rb") as lines:
            status = int(lines.readline().split()[1])
            headers: dict[str, str] = {}
            while (line := lines.readline().strip()) != b"":
                name, _, value = line.decode().partition(": ")
                headers[name.lower()] = value
            return status, headers, json.loads(lines.read(int(headers["content-length"])))

    def close(self) -> None:
        self.socket.close()


def test_routes_have_limits_of_their_own(api: Api) -> None:
    """Only what may hold a whole diagram or document may be large; the refusal says how much is allowed."""
    w = api.create(name="Limits")
    large = orjson.dumps({"operations": [{"op": "replace_document", "text": "x" * 500_000}]})
    assert api.send_to("POST", f"/workspaces/{w}/batches", content=large, headers=JSON).status_code == 200
    text = orjson.dumps({"text": "y" * 500_000})
    assert api.send_to("PUT", f"/workspaces/{w}/document", content=text, headers=JSON).status_code == 200
    started = orjson.dumps({"document": {"text": "z" * 500_000}})
    assert api.send_to("POST", "/workspaces", content=started, headers=JSON).status_code == 201
    for method, path in (
        ("POST", f"/workspaces/{w}/undo"),
        ("POST", f"/workspaces/{w}/nodes"),
        ("POST", f"/workspaces/{w}/document/edits"),
        ("POST", f"/workspaces/{w}/runs"),
        ("PATCH", f"/workspaces/{w}"),
        ("POST", "/session"),
    ):
        answer = api.send_to(method, path, content=text, headers=JSON)
        assert "100,000 bytes" in check_problem(answer, 413, "body_too_large")["detail"], path
    beyond = api.send_to("PUT", f"/workspaces/{w}/document", content=text * 3, headers=JSON)
    assert "1,000,000 bytes" in check_problem(beyond, 413, "body_too_large")["detail"]


def test_a_body_is_counted_while_it_comes(api: Api) -> None:
    """What is nested too deeply is refused before its end."""
    w = api.create(name="Levels")
    before = api.state(w)
    sender = Sender(str(api.base_url), f"/workspaces/{w}/batches", 10**6)
    sender.send(b'{"operations":[' + b"[" * 100)
    status, _, problem = sender.answer()
    assert (status, problem["code"]) == (400, "malformed_json")
    sender.close()
    assert api.state(w) == before


def test_unfinished_bodies_are_held_up_to_a_total_and_others_are_served(api: Api, strict: Server) -> None:
    """Large bodies of one client that never end: all but two at most are refused, with when to come again."""
    w = api.create(name="Crowd")
    with ExitStack() as stack:
        senders = [Sender(strict.url, f"/workspaces/{w}/batches", 900_000) for _ in range(6)]
        for sender in senders:
            stack.callback(sender.close)
            sender.send(b'{"explanation":"' + b"x" * 500_000)
        answers = [sender.answer() for sender in senders]
        api.batch(w, node("served"))
    refused = [(status, problem["code"], headers.get("retry-after")) for status, headers, problem in answers]
    assert set(refused) == {(408, "body_too_slow", None), (429, "too_much_at_once", "5")}
    assert refused.count((408, "body_too_slow", None)) <= 2


def test_large_bodies_of_many_clients_leave_room_for_small_ones(api: Api, strict: Server) -> None:
    """Each browser profile for itself, up to three quarters of what this worker holds."""
    w = api.create(name="Profiles")
    with ExitStack() as stack:
        codes = []
        senders = []
        for _ in range(4):
            profile = stack.enter_context(Api(strict.url))
            assert profile.post("/api/v1/session", json={}).status_code == 201
            cookie = "; ".join(f"{name}={value}" for name, value in profile.cookies.items())
            sender = Sender(strict.url, f"/workspaces/{w}/batches", 900_000, f"Cookie: {cookie}\r\n")
            stack.callback(sender.close)
            sender.send(b'{"explanation":"' + b"x" * 700_000)
            senders.append(sender)
        api.batch(w, node("small"))
        for sender in senders:
            status, headers, problem = sender.answer()
            codes.append((status, problem["code"], headers.get("retry-after")))
    assert set(codes) == {(408, "body_too_slow", None), (503, "bodies_full", "1")}
    assert codes.count((408, "body_too_slow", None)) <= 2
    api.batch(w, node("after"))
    large = orjson.dumps({"operations": [{"op": "replace_document", "text": "x" * 900_000}]})
    assert api.send_to("POST", f"/workspaces/{w}/batches", content=large, headers=JSON).status_code == 200


@pytest.mark.parametrize("said", [b"", b'{"operations"'])
def test_a_slow_body_is_given_up(api: Api, said: bytes) -> None:
    """Whether it has begun or not; the connection goes with it."""
    w = api.create(name="Slow")
    sender = Sender(str(api.base_url), f"/workspaces/{w}/batches", 100)
    sender.send(said)
    status, headers, problem = sender.answer()
    assert (status, problem["code"], headers["connection"]) == (408, "body_too_slow", "close")
    assert sender.socket.recv(1) == b""
    sender.close()


def test_who_hangs_up_in_the_middle_of_a_body_is_no_defect(api: Api, strict: Server) -> None:
    w = api.create(name="Gone")
    for _ in range(3):
        sender = Sender(strict.url, f"/workspaces/{w}/batches", 90_000)
        sender.send(b'{"operations":' + b" " * 70_000)
        sender.close()
    api.batch(w, node("after"))


def test_many_unknown_fields_are_answered_with_few_problems(server: Server, redis_url: str) -> None:
    """Twelve megabytes of them, as many as a body may hold values."""
    with Api(server.url) as api:
        w = api.create(name="Fields")
        fields = ",".join(f'"x{number}":1' for number in range(900_000))
        body = f'{{"operations":[{{"op":"add_node","type":"api","label":"A",{fields}}}]}}'.encode()
        problem = check_problem(
            api.send_to("POST", f"/workspaces/{w}/batches", content=body, headers=JSON), 422, "invalid_request"
        )
        assert len(problem["problems"]) == 50
        assert "more than 50" in problem["detail"]
        empty = b"[" + b"[]," * 10_000_000 + b"1]"
        refused = api.send_to("POST", f"/workspaces/{w}/batches", content=empty, headers=JSON)
        assert "1,000,000 values" in check_problem(refused, 413, "body_too_large")["detail"]


@pytest.mark.parametrize("close", [True, False])
@pytest.mark.parametrize("path", ["batches", "nodes"])
def test_what_is_refused_in_the_middle_is_answered_and_not_reset(server: Server, path: str, close: bool) -> None:
    """Twelve megabytes of empty lists: by their number at a route for much, by their length at one for little.

    A connection that is closed with unread bytes is reset, and the answer is lost.
    """
    with Api(server.url) as api:
        w = api.create(name="Lists")
        connection = http.client.HTTPConnection("127.0.0.1", urlsplit(server.url).port, timeout=TIMEOUT_SECONDS)
        headers = {**JSON, **({"Connection": "close"} if close else {})}
        connection.request("POST", f"/api/v1/workspaces/{w}/{path}", b"[" + b"[]," * 4_000_000 + b"1]", headers)
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["code"]) == (413, "body_too_large")
        connection.close()
        api.batch(w, node("after"))


async def test_a_body_that_never_ends_is_read_on_up_to_a_limit() -> None:
    """The answer is sent before, once."""
    sent: list[Message] = []
    pieces = 0

    async def receive() -> Message:
        nonlocal pieces
        pieces += 1
        return {"type": "http.request", "body": b"x" * MIB, "more_body": True}

    async def send(message: Message) -> None:
        sent.append({**message, "pieces": pieces})

    headers = {b"connection": b"Close", b"transfer-encoding": b"chunked"}
    answering = Answering({"type": "http", "headers": list(headers.items())}, headers, receive, send)
    await answering.send({"type": "http.response.start", "status": 413, "headers": []})
    await answering.send({"type": "http.response.body", "body": b"Too much."})
    assert [(one.get("body"), one.get("more_body", False)) for one in sent[1:]] == [(b"Too much.", True), (b"", False)]
    assert (sent[1]["pieces"], sent[2]["pieces"]) == (0, LINGER_BYTES // MIB + 1)


def test_who_sends_several_requests_at_once_and_leaves_has_left_all_of_them(server: Server, redis_url: str) -> None:
    """Those that wait are not begun, the one that is being answered ends, and none is called a defect."""
    with Api(server.url) as api:
        w = api.create(name="Pipeline")
        path = f"/api/v1/workspaces/{w}/commits/events"
        ask = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", urlsplit(server.url).port), TIMEOUT_SECONDS) as raw:
            raw.sendall(ask)
            assert raw.recv(15) == b"HTTP/1.1 200 OK"
            raw.sendall(ask * 3)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        api.batch(w, node("told-to-nobody"))
        [ended] = server.log_lines(path=path)
        assert ended["status"] == 200
        assert not [line for line in server.logged(level="error") if "defect" in str(line) or "ASGI" in str(line)]
        assert "Traceback" not in server.log


def test_a_head_that_is_not_finished_ends(impatient: Server) -> None:
    """In time and in size; who has begun one is told why."""
    port = urlsplit(impatient.url).port
    for begun, status, code in (
        (b"GET /healthz HTTP/1.1\r\nHost: local", b"408", b"body_too_slow"),
        (b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 80_000, b"431", b"head_too_large"),
        (b"GET /healthz?" + b"x" * 80_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"431", b"head_too_large"),
        (b"\r\n\r\n", b"408", b"body_too_slow"),
        (b"", b"", b""),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /heal", b"200", b""),
        (b"HELLO\r\n\r\n", b"400", b"malformed_http"),
    ):
        with socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS) as raw:
            raw.sendall(begun)
            found = b""
            while piece := raw.recv(65_536):
                found += piece
            head, _, body = found.partition(b"\r\n\r\n")
            assert head.partition(b" ")[2][:3] == status, begun[:60]
            if code:
                assert b"content-type: application/problem+json" in head
                problem = json.loads(body)
                TypeAdapter(ProblemDocument).validate_python(problem)
                assert (problem["status"], problem["code"]) == (int(status), code.decode())
                # Written by the protocol, which knows nothing of the API; it says what the API would.
                assert problem["status"] == STATUS[problem["code"]]
                assert problem["title"] == TITLES[problem["status"]]


@pytest.fixture(scope="module")
def impatient(redis_server: str) -> Iterator[Server]:
    """A worker that cuts off who does not read after half a second."""
    app = "tests.integration.impatient_server:create_impatient"
    with running(redis_server, "w-impatient", app=app, PYTHONPATH=WITH_TESTS) as (one,):
        yield one


def _is_cut_off(unread: socket.socket) -> bool:
    """Whether the other end has given up, without having read what it sent."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        if unread.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] not in (1, 8):
            return True
        if unread.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            return True
        time.sleep(0.05)
    return False


on_linux = pytest.mark.skipif(
    not hasattr(socket, "TCP_INFO"), reason="needs to see a connection's state without reading"
)


@on_linux
def test_who_reads_no_events_is_cut_off(impatient: Server, server: Server, redis_url: str) -> None:
    """As many bytes as commits have wait for them, and no longer than a moment; who reads gets all of them.

    Who reads does so at a worker of the usual patience: a busy machine may hold up a reader for half a second.
    """
    with Api(impatient.url) as api:
        w = api.create(name="Events")
        for number in range(8):
            text = orjson.dumps({"text": str(number) * 1_900_000})
            assert api.send_to("PUT", f"/workspaces/{w}/document", content=text, headers=JSON).status_code == 200
        unread = socket.socket()
        unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with unread:
            unread.connect(("127.0.0.1", urlsplit(impatient.url).port))
            path = f"/api/v1/workspaces/{w}/commits/events?after=0"
            unread.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert _is_cut_off(unread)
    with (
        Api(server.url) as api,
        api.stream("GET", f"/api/v1/workspaces/{w}/commits/events", params={"after": 0}) as response,
    ):
        read = sum(line.startswith("event: commit") for line in _first(response.iter_lines(), 9))
    assert read == 9
    assert "Traceback" not in impatient.log


def _first(lines: Iterator[str], events: int) -> Iterator[str]:
    for line in lines:
        yield line
        events -= line.startswith("data: ")
        if not events:
            return


@on_linux
async def test_a_page_that_reads_nothing_is_cut_off(impatient: Server, redis_url: str) -> None:
    """Its state waits in memory until then."""
    with Api(impatient.url) as api:
        w = api.create(name="State", document={"text": "# A\n" + "x" * 1_900_000})
        async with page(api, w) as reader:
            await reader.next("state")
            unread = socket.socket()
            unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            with unread:
                await asyncio.to_thread(_open_and_read_nothing, unread, impatient.url, w)
                assert await asyncio.to_thread(_is_cut_off, unread)
            await reader.say("ping", n=1)
            await reader.next("pong", n=1)


def _open_and_read_nothing(unread: socket.socket, url: str, w: str) -> None:
    unread.connect(("127.0.0.1", urlsplit(url).port))
    head = (
        f"GET /api/v1/workspaces/{w}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    )
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    unread.sendall((head + key).encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):  # byte by byte: what comes after it stays unread
        answer += unread.recv(1)
    for number in range(200):  # each resync is the whole state again
        said = b'{"t":"hello","v":1}' if not number else b'{"t":"resync"}'
        unread.sendall(bytes([0x81, 0x80 | len(said), 0, 0, 0, 0]) + said)
