"""How often a request goes to the store, counted in what the store was sent; and as whom a write is counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import redis

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.access import names
from draftsmith.adapters.redis.listing import RECENT
from draftsmith.adapters.redis.scripts import Script
from tests.integration.client import Api, check_problem
from tests.integration.people import Caller, Town, town
from tests.integration.servers import Server
from tests.integration.stores import OwnStore
from tests.kit.fixtures import town_fixture
from tests.kit.tokens import TokenIssuer

_SCRIPTS = {script.sha: name for name, script in vars(scripts).items() if isinstance(script, Script)}
_NOW_AND_THEN = (RECENT, names.KEYS_USED)
"""What a write sees to every few seconds, and at the first use of a key in a minute."""
_FAR = 32_503_680_000_000
_BOTH = ["READ_FACTS", "APPEND"]
_TOKENS = TokenIssuer("https://issuer", "https://draftsmith.test/api")
Make = Callable[[Town], Caller]


place = town_fixture("trips", issuer=_TOKENS, WRITES_PER_MINUTE="1000000", TRIES_PER_MINUTE="0")


@dataclass(frozen=True, slots=True)
class Sent:
    """What the store was sent while something was done.

    Attributes:
        commands: of clients, each in a round trip of its own where one request is made at a time: scripts by their
            names.
        counted: the names under which something was counted.
    """

    commands: list[str]
    counted: list[str]


def sent(url: str, about: Sequence[str], work: Callable[[], Any]) -> Sent:
    """Do something, and tell what the store was sent about it: in what is named, or about who asks."""
    about = [*about, "draftsmith:{access}", "draftsmith:session:", "draftsmith:rate:"]
    with redis.Redis.from_url(url) as client, redis.Redis.from_url(url) as monitored, monitored.monitor() as monitor:
        work()
        client.echo("over")
        found = Sent([], [])
        while not (line := monitor.next_command())["command"].startswith("ECHO"):
            name, *rest = line["command"].split(" ")
            if line["client_type"] == "lua":
                if name.upper() == "INCR":
                    found.counted.append(rest[0].split(":", 3)[3])
            elif any(part in line["command"] for part in about) and not any(key in rest for key in _NOW_AND_THEN):
                found.commands.append(_SCRIPTS.get(rest[0], name))
    return found


def unmarked_by_upkeep(url: str, w: str) -> None:
    """Leave the row of a workspace in the list for later, so that nobody reads it while commands are counted."""
    with redis.Redis.from_url(url) as client:
        client.zadd(RECENT, {w: _FAR}, gt=True)


def _application(place: Town) -> Caller:
    key = place.key(delegate=True, personal=False)
    return place.caller(key=key, acts_for=json.dumps({"id": "42", "name": "Pia"}))


def _key_of(person: Caller, place: Town, **body: Any) -> Caller:
    return place.caller(key=person.ask("POST", "/keys", 201, json={"name": "test", **body})["key"])


CALLERS: dict[str, Make] = {
    "session": lambda place: place.person("Ben"),
    "key of a person": lambda place: _key_of(place.person("Ben"), place),
    "key of nobody": lambda place: place.caller(key=place.key(personal=False)),
    "person of an application": _application,
}


@dataclass(frozen=True, slots=True)
class Writer:
    """Somebody with a workspace, who has written there before."""

    caller: Caller | Api
    w: str
    url: str

    def write(self) -> None:
        """Change something."""
        self.caller.batch(self.w, {"op": "add_node", "type": "service", "label": "Orders"})

    def sent_by(self, work: Callable[[], Any]) -> Sent:
        """What the store is sent about them and their workspace."""
        return sent(self.url, [self.w], work)


def writer(caller: Caller | Api, url: str, w: str | None = None) -> Writer:
    """Somebody who has written there before, so that nothing is done for the first time."""
    one = Writer(caller, w or caller.create(), url)
    unmarked_by_upkeep(url, one.w)
    one.write()
    one.write()
    return one


class TestRoundTrips:
    @pytest.mark.parametrize("who", CALLERS)
    def test_a_write_takes_one_to_know_who_may_and_one_to_append(self, place: Town, who: str) -> None:
        """Credential, person, limit and role together, whatever is shown."""
        one = writer(CALLERS[who](place), place.store_url)
        assert one.sent_by(one.write).commands == _BOTH

    @pytest.mark.parametrize("who", ["session", "key of a person"])
    def test_so_it_does_in_folders_that_give_the_role(self, place: Town, who: str) -> None:
        ada = place.admin
        outer = ada.ask("POST", "/folders", 201, json={"name": "Outer"})["id"]
        inner = ada.ask("POST", "/folders", 201, json={"name": "Inner", "parent": outer})["id"]
        ada.ask("PATCH", f"/folders/{outer}/access", json={"everyone": "editor"})
        w = ada.create(folder=inner)
        one = writer(CALLERS[who](place), place.store_url, w)
        assert one.sent_by(one.write).commands == _BOTH

    def test_a_write_with_a_token_takes_one_more_to_know_whose_it_is(self, place: Town) -> None:
        one = writer(place.caller(key=_TOKENS.token("cy", name="Cy")), place.store_url)
        assert one.sent_by(one.write).commands == ["READ_SUBJECT", *_BOTH]

    @pytest.mark.parametrize("who", CALLERS)
    def test_a_read_takes_one_to_know_who_may(self, place: Town, who: str) -> None:
        one = writer(CALLERS[who](place), place.store_url)
        found = one.sent_by(lambda: one.caller.ask("GET", f"/workspaces/{one.w}/undo"))
        assert [command for command in found.commands if command != "HMGET"] == ["READ_FACTS"]

    def test_a_write_in_local_mode_takes_one_to_append(self, server: Server, redis_server: str) -> None:
        with Api(server.url) as caller:
            one = writer(caller, redis_server)
            assert one.sent_by(one.write).commands == ["APPEND"]


class TestAsWhomAWriteIsCounted:
    def test_all_that_somebody_shows_counts_as_theirs_once(self, place: Town) -> None:
        ben = place.person("Ben")
        one, other = writer(ben, place.store_url), _key_of(ben, place)
        by_key = Writer(other, one.w, one.url)
        for write in (one.write, one.write, by_key.write, by_key.write):
            assert one.sent_by(write).counted == [f"write:{ben.id}"]

    def test_a_key_that_is_revoked_counts_no_longer_as_its_person(self, place: Town) -> None:
        """Whoever has it could use up what its person may write; one that was on its way is all that counts."""
        ben = place.person("Ben")
        one = writer(_key_of(ben, place), place.store_url)
        for key in ben.ask("GET", "/keys")["items"]:
            ben.ask("DELETE", f"/keys/{key['id']}", 204)

        def refused() -> None:
            check_problem(one.caller.send_to("POST", f"/workspaces/{one.w}/batches"), 401, "credential_invalid")

        refused()
        assert one.sent_by(refused).counted == []

    def test_a_session_that_has_ended_counts_no_longer_as_its_person(self, place: Town) -> None:
        ben = place.person("Ben")
        one = writer(ben, place.store_url)
        cookies = httpx.Cookies(ben.cookies)
        ben.ask("DELETE", "/sessions", 204)
        left = place.stranger()
        left.cookies = cookies

        def refused() -> None:
            check_problem(left.send_to("POST", f"/workspaces/{one.w}/batches"), 401, "unauthorized")

        refused()
        assert one.sent_by(refused).counted == ["write:127.0.0.1"]

    def test_who_has_written_too_often_is_told_so_before_their_role_is(self, own_store: OwnStore) -> None:
        with town(own_store.url, "often", WRITES_PER_MINUTE="2") as few:
            w = few.admin.create()
            eve = few.person("Eve")
            while (answer := eve.send_to("POST", f"/workspaces/{w}/batches")).status_code == 404:
                pass
            check_problem(answer, 429, "too_many_requests")
            assert int(answer.headers["Retry-After"]) > 0
