"""Who asks: browser profiles and scripts, stacks of their own, and pages of other origins kept out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.integration.client import Api, check_problem, label, node
from tests.integration.servers import running
from tests.integration.stores import OwnStore


@pytest.fixture
def people(api: Api) -> Iterator[tuple[Api, Api]]:
    """Two browser profiles."""
    with ExitStack() as stack:
        ada, ben = (stack.enter_context(Api(str(api.base_url))) for _ in range(2))
        ada.become("Ada")
        ben.become("Ben")
        yield ada, ben


class TestProfiles:
    def test_a_script_is_nobody_in_particular(self, api: Api) -> None:
        me = api.ask("GET", "/me")
        assert (me["id"], me["kind"]) == ("local:api", "script")
        check_problem(api.send_to("PATCH", "/me", json={"name": "X"}), 403, "forbidden")

    def test_a_browser_gets_a_profile_that_stays(self, api: Api) -> None:
        response = api.send_to("POST", "/session")
        made = response.json()
        assert response.status_code == 201
        assert made["id"].startswith("guest:")
        assert made["color"].startswith("#")
        cookie = response.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "path=/" in cookie
        assert api.ask("GET", "/me") == made
        assert api.ask("POST", "/session", 201) == made
        renamed = api.ask("PATCH", "/me", json={"name": " Ada Lovelace "})
        assert renamed == {**made, "name": "Ada Lovelace"}
        assert api.ask("GET", "/me") == renamed
        assert api.ask("DELETE", "/session", 204) is None
        assert api.ask("GET", "/me")["id"] == "local:api"

    @pytest.mark.parametrize("name", ["", " ", "x" * 61, 5, None, "a\x00b"])
    def test_a_name_of_the_wrong_form_is_refused(self, api: Api, name: object) -> None:
        api.become("Ada")
        check_problem(api.send_to("PATCH", "/me", json={"name": name}), 422, "invalid_request")
        assert api.ask("GET", "/me")["name"] == "Ada"

    def test_a_cookie_that_was_not_signed_here_counts_as_none(self, api: Api) -> None:
        api.become("Ada")
        cookie, good = api.profile_cookie
        api.cookies.clear()
        head, _, tail = good.rpartition(".")
        forged = [f"{head}.{tail[::-1]}", f"x{good}", "x", ".", '{"id":"guest:x"}', "a" * 4000]
        for value in forged:
            me = api.ask("GET", "/me", headers={"Cookie": f"{cookie}={value}"})
            assert me["id"] == "local:api", value
        assert api.ask("GET", "/me", headers={"Cookie": f"{cookie}={good}"})["name"] == "Ada"

    def test_a_profile_of_an_earlier_release_is_the_same_person(self, api: Api) -> None:
        """Its cookie had one name on every server; a broken one of ours does not hide it."""
        api.become("Ada")
        cookie, good = api.profile_cookie
        me = api.ask("GET", "/me")
        api.cookies.clear()
        for given in (f"draftsmith_profile={good}", f"draftsmith_profile={good}; {cookie}=broken"):
            assert api.ask("GET", "/me", headers={"Cookie": given}) == me
        renewed = api.send_to("POST", "/session", headers={"Cookie": f"draftsmith_profile={good}"})
        assert renewed.json() == me
        assert cookie in renewed.cookies

    def test_two_servers_on_one_machine_keep_their_own_profiles(self, api: Api, own_store: OwnStore) -> None:
        """Browsers share cookies among the ports of a host."""
        with running(own_store.url, "w-beside") as (server,), Api(server.url) as other:
            api.become("Ada")
            other.cookies.update(api.cookies)
            other.become("Bea")
            api.cookies.update(other.cookies)
            assert [one.ask("GET", "/me")["name"] for one in (api, other)] == ["Ada", "Bea"]

    def test_who_leaves_takes_no_profile_of_another_server_along(self, api: Api, own_store: OwnStore) -> None:
        """Under the old name there is one cookie for all servers of a host; it is deleted by the one that signed it."""
        with running(own_store.url, "w-beside") as (server,), Api(server.url) as other:
            other.become("Bea")
            theirs = {"Cookie": f"draftsmith_profile={other.profile_cookie[1]}"}
            said = [
                one.send_to("DELETE", "/session", headers=theirs).headers.get_list("set-cookie") for one in (api, other)
            ]
        assert [any(line.startswith("draftsmith_profile=") for line in lines) for lines in said] == [False, True]

    def test_every_worker_knows_a_profile(self, two: list[Api]) -> None:
        left, right = two
        left.become("Ada")
        right.cookies.update(left.cookies)
        assert right.ask("GET", "/me") == left.ask("GET", "/me")

    def test_two_tabs_are_one_person_and_two_browsers_are_two(self, people: tuple[Api, Api]) -> None:
        ada, ben = people
        with Api(str(ada.base_url)) as tab:
            tab.cookies.update(ada.cookies)
            assert tab.ask("GET", "/me") == ada.ask("GET", "/me")
        assert ada.ask("GET", "/me")["id"] != ben.ask("GET", "/me")["id"]


class TestScopes:
    def test_each_undoes_only_what_is_theirs(self, api: Api, people: tuple[Api, Api]) -> None:
        ada, ben = people
        w = api.create(name="Shared")
        ada.batch(w, node("hers"))
        ben.batch(w, node("his"))
        ada.batch(w, node("hers-too"))
        answer = ben.ask("POST", f"/workspaces/{w}/undo")
        assert (answer["ref"], api.nodes(w)) == (3, ["hers", "hers-too"])
        assert ben.ask("POST", f"/workspaces/{w}/undo")["changed"] is False
        assert [ada.ask("POST", f"/workspaces/{w}/undo")["ref"] for _ in range(2)] == [4, 2]
        assert api.nodes(w) == []
        assert api.ask("POST", f"/workspaces/{w}/undo")["changed"] is False  # the script did nothing that can be undone

    def test_all_takes_the_newest_of_anyone_and_both_may_redo(self, api: Api, people: tuple[Api, Api]) -> None:
        ada, ben = people
        w = api.create(name="Shared")
        ada.batch(w, node("hers"))
        ben.batch(w, node("his"))
        assert ada.ask("GET", f"/workspaces/{w}/undo")["undo_all"]["rev"] == 3
        taken = ada.ask("POST", f"/workspaces/{w}/undo", json={"scope": "all"})
        assert (taken["ref"], api.nodes(w)) == (3, ["hers"])
        assert ben.ask("GET", f"/workspaces/{w}/undo")["undo"] is None
        assert ben.ask("GET", f"/workspaces/{w}/undo")["redo"]["rev"] == 4
        assert ada.ask("GET", f"/workspaces/{w}/undo")["redo"]["rev"] == 4
        assert ben.ask("POST", f"/workspaces/{w}/redo")["changed"]
        assert ada.ask("GET", f"/workspaces/{w}/undo")["redo"] is None
        assert ben.ask("GET", f"/workspaces/{w}/undo")["undo"]["rev"] == 5

    def test_reverting_anothers_commit_stands_on_ones_own_stack(self, api: Api, people: tuple[Api, Api]) -> None:
        ada, ben = people
        w = api.create(name="Shared")
        ben.batch(w, node("his"))
        ada.ask("POST", f"/workspaces/{w}/commits/2/revert")
        assert api.nodes(w) == []
        assert ben.ask("GET", f"/workspaces/{w}/undo")["undo"] is None
        assert ada.ask("POST", f"/workspaces/{w}/undo")["changed"]
        assert api.nodes(w) == ["his"]
        assert ben.ask("GET", f"/workspaces/{w}/undo")["undo"] is not None

    def test_history_keeps_the_name_of_the_time(self, people: tuple[Api, Api]) -> None:
        ada, _ = people
        w = ada.create(name="Shared")
        ada.batch(w, node("a"))
        ada.ask("PATCH", "/me", json={"name": "Countess"})
        ada.batch(w, label("a", "Other"))
        items = ada.ask("GET", f"/workspaces/{w}/commits")["items"]
        assert [item["actor"]["name"] for item in items] == ["Countess", "Ada", "Ada"]
        assert {item["source"] for item in items} == {"page", "api"} or {item["source"] for item in items} == {"page"}


class TestOtherOrigins:
    """Nothing of another origin writes here, with or without cookies, or reaches this server by another name."""

    @pytest.mark.parametrize("host",
        [
            "evil.example", "127.0.0.1.evil.example", "", "[", "[::1", "10.0.0.1", "a b", "evil.example\\@localhost",
            "localhost\\", "u@localhost", "localhost/", "localhost:", "localhost:x", "localhost:123456", "localhost#",
            "localhost?", "[::1]x", "[::1]:", "%6cocalhost", "localhost, localhost",
        ],
    )  # fmt: skip
    def test_unknown_hosts_are_refused_also_for_reads(self, api: Api, host: str) -> None:
        for path in ("/api/v1/workspaces", "/healthz", "/metrics", "/docs", "/api/v1/openapi.json"):
            check_problem(api.get(path, headers={"Host": host}), 400, "bad_host")

    @pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.9.9.9", "[::1]:80", "draftsmith.localhost"])
    def test_loopback_names_are_known(self, api: Api, host: str) -> None:
        assert api.get("/api/v1/me", headers={"Host": host}).status_code == 200

    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": "http://["},
            {"Origin": "http://127.0.0.1:1"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        ],
    )
    def test_writes_of_other_origins_are_refused(self, api: Api, headers: dict[str, str]) -> None:
        w = api.create(name="Mine")
        before = api.state(w)
        for method, path in (
            ("POST", "/workspaces"), ("POST", f"/workspaces/{w}/batches"), ("PATCH", f"/workspaces/{w}"),
            ("PUT", f"/workspaces/{w}/document"), ("DELETE", f"/workspaces/{w}"), ("POST", "/session"),
            ("POST", "/nothing/such"),
        ):  # fmt: skip
            check_problem(api.send_to(method, path, headers=headers), 403, "cross_site")
        assert api.state(w) == before
        assert api.get("/api/v1/me", headers=headers).status_code == 200

    def test_writes_of_our_own_pages_pass(self, api: Api) -> None:
        own = str(api.base_url).rstrip("/")
        for headers in ({"Origin": own, "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {"Origin": own}):
            assert api.send_to("POST", "/workspaces", headers=headers).status_code == 201

    @pytest.mark.parametrize(
        "kind",
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/jsonx"],
    )
    def test_what_a_foreign_form_can_send_is_refused(self, api: Api, kind: str) -> None:
        w = api.create(name="Mine")
        before = api.state(w)
        body = b'{"operations":[{"op":"rename_workspace","name":"Theirs"}]}'
        headers = {"Content-Type": kind} if kind else {}
        check_problem(api.send_to("POST", f"/workspaces/{w}/batches", content=body, headers=headers), 415, "media_type")
        check_problem(api.send_to("DELETE", f"/workspaces/{w}", content=body, headers=headers), 415, "media_type")
        assert api.state(w) == before

    def test_json_with_a_charset_is_json(self, api: Api) -> None:
        headers = {"Content-Type": "Application/JSON; charset=UTF-8"}
        assert api.send_to("POST", "/workspaces", content=b"{}", headers=headers).status_code == 201
