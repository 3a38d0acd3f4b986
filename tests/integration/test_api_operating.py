"""What an operator sees: health, metrics, logs, limits on bodies, a store that is away, a workspace that is frozen."""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest

from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Draft
from draftsmith.ports import AppendSuccess
from draftsmith.usecases.replicas.log_reader import load_replica
from tests.integration.client import Api, check_problem, metric, node
from tests.integration.people import Town
from tests.integration.servers import Server, running
from tests.integration.stores import OwnStore
from tests.integration.test_live_doors import refused_handshake
from tests.kit.fixtures import town_fixture
from tests.timeouts import TIMEOUT_SECONDS

BATCHES = "/api/v1/workspaces/{w}/batches"


def metrics_of_both(two: list[Api]) -> None:
    """Have each worker bring its own metrics up to date, which otherwise takes it a tenth of a second."""
    for api in two:
        api.get("/metrics")


class TestHealth:
    def test_a_live_process_says_so_and_a_useful_one_too(self, api: Api) -> None:
        assert api.get("/healthz").json() == {"status": "ok"}
        assert api.get("/readyz").json() == {"status": "ok"}

    def test_counts_requests_by_route_and_never_by_what_a_caller_made_up(self, api: Api) -> None:
        w = api.create(name="Counted")
        before = metric(api, "draftsmith_requests_total", method="POST", route=BATCHES, status="200")
        api.batch(w, node("a"))
        api.request("BREW", f"/api/v1/workspaces/{w}")
        assert metric(api, "draftsmith_requests_total", method="POST", route=BATCHES, status="200") == before + 1
        assert metric(api, "draftsmith_request_seconds_count", route=BATCHES) >= 1
        text = api.get("/metrics").text
        assert "BREW" not in text
        assert w not in text

    def test_counters_are_right_with_two_workers(self, two: list[Api]) -> None:
        left, right = two
        names = ("draftsmith_commits_total", "draftsmith_commit_groups_total", "draftsmith_commit_repeats_total")
        metrics_of_both(two)
        before = {name: metric(left, name) for name in names}
        w = left.create(name="Both")
        for number in range(7):
            left.batch(w, node(f"l{number}"), id=f"left-id-{number}")
        for number in range(5):
            right.batch(w, node(f"r{number}"))
        right.batch(w, node("l0"), id="left-id-0")
        metrics_of_both(two)
        for api in two:
            grown = {name: metric(api, name) - before[name] for name in names}
            assert grown == {names[0]: 12, names[1]: 12, names[2]: 1}
            posts = metric(api, "draftsmith_requests_total", method="POST", route=BATCHES, status="200")
            assert posts >= 13
            assert metric(api, "draftsmith_open_workspaces") >= 2


place = town_fixture("scraped", TRIES_PER_MINUTE="0")


class TestMetricsByAddress:
    """Prometheus asks a pod by its address; in local mode nobody does, and it is refused as ever."""

    @pytest.mark.parametrize("host", ["10.1.2.3:8000", "10.1.2.3", "[fd00::7]:8000", "[fd00::7]", "203.0.113.9:80"])
    def test_they_are_answered_to_whom_may_see_them(self, place: Town, host: str) -> None:
        prometheus = place.caller(key=place.key(admin=True, personal=False))
        asked = prometheus.get("/metrics", headers={"Host": host})
        assert (asked.status_code, "draftsmith_requests_total" in asked.text) == (200, True)
        assert prometheus.head("/metrics", headers={"Host": host}).status_code == 200
        check_problem(place.stranger().get("/metrics", headers={"Host": host}), 401, "unauthorized")
        check_problem(place.person("Ben").get("/metrics", headers={"Host": host}), 403, "forbidden")

    @pytest.mark.parametrize(
        "host", ["evil.example", "10.1.2.3.evil.example", "10.1.2", "0x0a010203", "167838211", "[fd00::7", "10.1.2.3:x"]
    )
    def test_names_and_other_ways_to_write_an_address_are_not(self, place: Town, host: str) -> None:
        check_problem(place.admin.get("/metrics", headers={"Host": host}), 400, "bad_host")

    def test_nothing_else_is_answered_there(self, place: Town) -> None:
        by_address = {"Host": "10.1.2.3:8000"}
        for path in ("/", "/healthz", "/readyz", "/metrics/", "/docs", "/api/v1/me", "/api/v1/workspaces", "/sign-in"):
            check_problem(place.admin.get(path, headers=by_address), 400, "bad_host")
        for method, path in (("POST", "/metrics"), ("OPTIONS", "/metrics"), ("POST", "/api/v1/workspaces")):
            check_problem(place.admin.request(method, path, headers=by_address, json={}), 400, "bad_host")

    async def test_no_socket_is_opened_there(self, place: Town) -> None:
        for path in ("/metrics", "/api/v1/workspaces/some-workspace/live"):
            status, document = await refused_handshake(
                f"{place.url.replace('http:', 'ws:')}{path}", Host="10.1.2.3:8000"
            )
            assert (status, document["code"]) == (400, "bad_host")


class TestLogs:
    def test_a_line_of_a_write_says_who_and_what(self, api: Api, server: Server) -> None:
        api.become("Ada")
        me, w = api.ask("GET", "/me")["id"], api.create(name="Secret plans")
        headers = {"X-Request-Id": "my-own-request-id"}
        answer = api.batch(w, node("a", notes="nobody's business"), headers=headers)
        (line,) = server.log_lines(request_id="my-own-request-id")
        assert line["ms"] > 0
        assert {name: line[name] for name in ("event", "method", "path", "status", "actor", "batch_id", "level")} == {
            "event": "request", "method": "POST", "path": f"/api/v1/workspaces/{w}/batches", "status": 200,
            "actor": me, "batch_id": answer["batch_id"], "level": "info",
        }  # fmt: skip
        said = server.log
        for secret in (api.profile_cookie[1], "nobody's business", "Secret plans", "Ada"):
            assert secret not in said

    def test_a_refusal_can_be_found_by_its_id(self, api: Api, server: Server) -> None:
        w = api.create(name="Logged")
        response = api.send_to("POST", f"/workspaces/{w}/batches", json={"operations": []})
        document = check_problem(response, 422, "invalid_request")
        assert [line["status"] for line in server.log_lines(request_id=document["request_id"])] == [422]

    @pytest.mark.parametrize("given", ["short", "x" * 65, "has space in it", "in\tjected", "ünïcödéd"])
    def test_an_id_that_could_spoil_a_log_is_replaced(self, api: Api, given: str) -> None:
        response = api.request("GET", "/api/v1/me", headers={b"X-Request-Id": given.encode()})
        assert response.headers["x-request-id"] != given
        assert len(response.headers["x-request-id"]) == 16


@pytest.fixture(scope="module")
def small(redis_server: str) -> Iterator[Server]:
    """A worker that takes bodies of 64 KB and batches of 4 KB."""
    with running(redis_server, "w-small", MAX_BODY_BYTES="65536", MAX_BATCH_BYTES="4096", MAX_NODES="5") as servers:
        yield servers[0]


class TestLimits:
    @pytest.fixture
    def api(self, small: Server, redis_url: str) -> Iterator[Api]:
        with Api(small.url) as client:
            yield client

    def batch_of(self, size: int) -> bytes:
        return b'{"operations":[{"op":"add_node","id":"a","type":"api","label":"A"}],"explanation":"%b"}' % (
            b"x" * size
        )

    @pytest.mark.parametrize("is_chunked", [False, True])
    def test_a_body_that_is_too_large_is_refused_and_the_server_lives_on(self, api: Api, is_chunked: bool) -> None:
        w = api.create(name="Limits")
        before = api.state(w)
        body = self.batch_of(70_000)
        pieces = [body[at : at + 8192] for at in range(0, len(body), 8192)]
        for path in (f"/workspaces/{w}/batches", f"/workspaces/{w}/undo", "/workspaces", "/session"):
            with Api(str(api.base_url)) as one:
                content: Any = iter(pieces) if is_chunked else body
                headers = {"Content-Type": "application/json"}
                check_problem(one.send_to("POST", path, content=content, headers=headers), 413, "body_too_large")
        assert api.state(w) == before

    def test_a_body_is_refused_by_its_head_before_it_is_sent(self, api: Api) -> None:
        parts = urlsplit(str(api.base_url))
        with closing(
            http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_SECONDS)
        ) as connection:
            connection.putrequest("POST", "/api/v1/workspaces")
            connection.putheader("Content-Type", "application/json")
            connection.putheader("Content-Length", str(10**15))
            connection.endheaders()
            assert connection.getresponse().status == 413

    @pytest.mark.parametrize("is_chunked", [False, True])
    def test_a_batch_may_be_smaller_than_a_body_unless_it_speaks_of_a_whole(self, api: Api, is_chunked: bool) -> None:
        w = api.create(name="Limits")
        before = api.state(w)
        headers = {"Content-Type": "application/json"}
        content: Any = iter([self.batch_of(1_900), b" " * 3_000]) if is_chunked else self.batch_of(1_900) + b" " * 3_000
        response = api.send_to("POST", f"/workspaces/{w}/batches", content=content, headers=headers)
        found = check_problem(response, 422, "invalid_request")
        assert found["problems"][0]["code"] == "limit_bytes"
        assert api.state(w) == before
        assert api.ask("PUT", f"/workspaces/{w}/document", json={"text": "long " * 2_000})["changed"]

    def test_more_nodes_than_allowed_are_a_problem(self, api: Api) -> None:
        w = api.create(name="Limits")
        body = {"operations": [node(f"n{number}") for number in range(6)]}
        found = check_problem(api.send_to("POST", f"/workspaces/{w}/batches", json=body), 422, "batch_rejected")
        assert found["problems"][0]["code"] == "limit_nodes"
        nodes = [{"id": f"n{number}", "type": "api", "label": "N"} for number in range(6)]
        whole = api.post("/api/v1/workspaces", json={"diagram": {"nodes": nodes}})
        check_problem(whole, 422, "batch_rejected")


async def poison(url: str, w: str) -> None:
    """Append an entry that joins the chain and cannot be applied."""
    connection = await connect(url)
    try:
        log = RedisCommitLog(connection)
        head = (await load_replica(log, w)).head
        draft = Draft(
            "poison", "", Actor("x", "X", "system").to_text(), "", "edit", "", b'{"steps":[["no such step"]]}'
        )
        assert isinstance(await log.append(w, head, [draft], {"name": "x"}, "poisoner"), AppendSuccess)
    finally:
        await connection.close()


async def test_a_frozen_workspace_is_read_where_it_froze_and_takes_no_writes(
    api: Api, two: list[Api], redis_url: str
) -> None:
    w = api.create(name="Frozen")
    api.batch(w, node("kept"))
    await poison(redis_url, w)
    for one in (api, two[0]):  # one has followed the log to here, the other loads it
        whole = one.read(w)
        assert [node["id"] for node in whole["diagram"]["nodes"]] == ["kept"]
        assert whole["revision"] == 2
        assert "revision 3" in whole["frozen"]
        for method, path in (("POST", "/batches"), ("POST", "/undo"), ("PATCH", "")):
            body = {"operations": [node("new")]} if path == "/batches" else {"name": "x"} if not path else {}
            refused = one.send_to(method, f"/workspaces/{w}{path}", json=body)
            assert "frozen" in check_problem(refused, 503, "frozen")["code"]
            assert "retry-after" not in refused.headers
    assert api.send_to("POST", "/workspaces").status_code == 201


def test_a_store_that_is_away_is_said_so_and_all_is_well_when_it_is_back() -> None:
    store = OwnStore()
    store.start()
    try:
        with running(store.url, "w-away") as (server,), Api(server.url) as api:
            w = api.create(name="Safe")
            api.batch(w, node("before"))
            before = api.state(w)
            store.kill()
            check_away(api, w)
            store.start()
            deadline = time.monotonic() + TIMEOUT_SECONDS
            while api.get("/readyz").status_code != 200 and time.monotonic() < deadline:
                time.sleep(0.05)
            assert api.get("/readyz").json() == {"status": "ok"}
            assert api.state(w) == before
            assert api.batch(w, node("after"), id="sent-again")["revision"] == 3
            assert api.nodes(w) == ["before", "after"]
    finally:
        store.remove()


def check_away(api: Api, w: str) -> None:
    """What is open is read from memory and says so; every other answer is a 503 that says why; none is a defect."""
    with ThreadPoolExecutor(2) as pool:  # writes are tried for ten seconds, so all of them at once
        path, body = f"/workspaces/{w}/batches", {"operations": [node("after")], "id": "sent-again"}
        batch = pool.submit(api.send_to, "POST", path, json=body)
        made = pool.submit(api.send_to, "POST", "/workspaces", json={"name": "x"})
        assert api.get("/healthz").status_code == 200
        ready = api.get("/readyz")
        assert (ready.status_code, ready.json()["status"], ready.json()["code"]) == (503, "not saving", "storage_down")
        for read in ("", "/undo", "/document", "/export?format=json"):
            answer = api.get(f"/api/v1/workspaces/{w}{read}")
            assert (answer.status_code, answer.headers.get("draftsmith-store")) == (200, "away"), (
                f"{read} {answer.text}"
            )
        for other in ("", f"/{'0' * 26}"):
            answer = api.get(f"/api/v1/workspaces{other}")
            check_problem(answer, 503, "storage_down")
            assert answer.headers["retry-after"] == "1"
        unknown = check_problem(batch.result(), 503, "outcome_unknown")
        assert unknown["batch_id"] == "sent-again"
        check_problem(made.result(), 503, "storage_down")
