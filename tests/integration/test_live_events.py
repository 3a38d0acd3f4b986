"""The event stream of commits, for programs that only follow: every commit once, and on from wherever one stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tests.integration.client import Api, check_problem, label, node
from tests.integration.servers import running
from tests.kit.fixtures import workspace_fixture

NOBODY = "0" * 26


class Stream:
    """The events of a response, one at a time."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.iter_lines()

    def next(self) -> tuple[str, Any]:
        """The next commit: its id and its data."""
        fields: dict[str, str] = {}
        for line in self._lines:
            name, _, value = line.partition(": ")
            if not line and fields.keys() >= {"id", "data"}:
                assert fields["event"] == "commit"
                return fields["id"], json.loads(fields["data"])
            if name:
                fields[name] = value
        raise AssertionError("the stream has ended")

    def rest(self) -> list[str]:
        """What still comes until the end."""
        return list(self._lines)


@contextmanager
def stream(api: Api, w: str, after: Any = None, last: str | None = None) -> Iterator[Stream]:
    params = {} if after is None else {"after": after}
    headers = {} if last is None else {"Last-Event-ID": last}
    path = f"/api/v1/workspaces/{w}/commits/events"
    with api.stream("GET", path, params=params, headers=headers) as response:
        if response.status_code != 200:
            response.read()
        assert response.status_code == 200, response.text
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        yield Stream(response)


w = workspace_fixture(name="Shop", document={"text": "# Shop\n"})


def token(api: Api, w: str) -> str:
    """The revision token of now, as ETags have it."""
    return api.get(f"/api/v1/workspaces/{w}").headers["etag"].strip('"')


def test_commits_come_as_they_are_made(api: Api, w: str) -> None:
    """Each as one reads it by its number, under the token of its revision."""
    with stream(api, w) as events, Api(str(api.base_url)) as other:
        for name in "abc":
            other.batch(w, node(name), explanation=f"Needs {name}.")
            event_id, commit = events.next()
            assert commit == other.ask("GET", f"/workspaces/{w}/commits/{commit['revision']}")
            assert event_id == token(other, w)
        assert commit["revision"] == 4


def test_one_goes_on_where_one_stopped(api: Api, w: str) -> None:
    """By the id of the last event, by a number, or from the beginning; nothing twice, nothing left out."""
    tokens = [token(api, w)]
    for name in "abcdef":
        api.batch(w, node(name))
        tokens.append(token(api, w))
    for start in range(7):
        number = {"after": start + 1}
        for way in (number, {"after": tokens[start]}, {"last": tokens[start]}, {"last": str(start + 1)}):
            with stream(api, w, **way) as events, Api(str(api.base_url)) as other:
                assert [events.next()[0] for _ in tokens[start + 1 :]] == tokens[start + 1 :]
                if way is number and start == 6:
                    other.batch(w, label("a", "More"))
                    assert events.next()[1]["revision"] == 8
                    tokens.append(token(other, w))
    with stream(api, w, after=0) as events:
        assert [events.next()[1]["kind"] for _ in range(3)] == ["create", "edit", "edit"]
    with stream(api, w, after=1, last=tokens[3]) as events:
        assert events.next()[0] == tokens[4], "the header counts before the parameter"


def test_many_commits_are_caught_up_on(api: Api, w: str) -> None:
    for number in range(300):
        api.batch(w, node("a") if number == 0 else label("a", f"Label {number}"))
    with stream(api, w, after=0) as events:
        assert [events.next()[1]["revision"] for _ in range(301)] == list(range(1, 302))


def test_it_is_the_same_over_another_worker(two: list[Api]) -> None:
    """What one worker commits, the other tells; a stream that broke off goes on there."""
    w = two[0].create(name="Shop")
    with stream(two[1], w) as events:
        two[0].batch(w, node("a"))
        last, commit = events.next()
        assert commit["revision"] == 2
    two[0].batch(w, node("b"))
    with stream(two[0], w, last=last) as events:
        assert events.next()[1]["revision"] == 3


def test_it_goes_on_over_a_restart(redis_server: str, redis_url: str) -> None:
    """The stream ends with the server, in time and in order; the next server knows the id."""
    with running(redis_server, "w-first") as servers, Api(servers[0].url) as api:
        w = api.create(name="Shop")
        with stream(api, w) as events:
            with Api(servers[0].url) as other:
                other.batch(w, node("a"))
                last, _ = events.next()
            servers[0].stop()
            assert servers[0].process.returncode is not None
            assert [line for line in events.rest() if line and not line.startswith(":")] == []
        assert "Traceback" not in servers[0].log
    with running(redis_server, "w-second") as servers, Api(servers[0].url) as api:
        api.batch(w, node("b"))
        with stream(api, w, last=last) as events:
            assert events.next()[1]["revision"] == 3


def ask(api: Api, w: str, after: Any = None, last: str | None = None) -> httpx.Response:
    """An answer that is no stream."""
    params = {} if after is None else {"after": after}
    headers = {} if last is None else {"Last-Event-ID": last}
    return api.send_to("GET", f"/workspaces/{w}/commits/events", params=params, headers=headers)


def test_what_cannot_be_followed_is_refused_before_it_begins(api: Api, w: str) -> None:
    epoch, _, rest = token(api, w).partition(".")
    api.batch(w, node("a"))
    for other in (f"{'0' * 26}.{rest}", f"{epoch}.1.00000000", f"{epoch}.9.00000000"):
        check_problem(ask(api, w, after=other), 409, "stale_base")
        check_problem(ask(api, w, last=other), 409, "stale_base")
    check_problem(ask(api, w, after=3), 409, "stale_base")
    for wrong in ("-1", "x", "1.5", "1 ", f"{epoch}.1", "9" * 17):
        check_problem(ask(api, w, after=wrong), 422, "invalid_request")
        if wrong != "1 ":
            check_problem(ask(api, w, last=wrong), 422, "invalid_request")
    check_problem(ask(api, NOBODY, after=1), 404, "workspace_not_found")
    check_problem(ask(api, "short", after=1), 404, "workspace_not_found")
    api.ask("DELETE", f"/workspaces/{w}", 204)
    check_problem(ask(api, w, after=1), 404, "workspace_deleted")


def test_it_ends_with_its_workspace(api: Api, w: str) -> None:
    with stream(api, w) as events:
        with Api(str(api.base_url)) as other:
            other.ask("DELETE", f"/workspaces/{w}", 204)
        assert ": workspace_deleted" in events.rest()
