"""Who gets in as an agent, as whom, with which rights, and how others are told; in token mode and in local mode."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from draftsmith.access.actions import is_of_workspace
from draftsmith.access.roles import ROLES, is_at_least
from draftsmith.agents.tools import TOOLS as FACTS
from draftsmith.api.mcp.actions import TOOLS
from tests import patient
from tests.integration.agents import agent, problem_of
from tests.integration.client import Api, check_problem, edge, label, node
from tests.integration.people import Town, town
from tests.integration.servers import Server
from tests.kit.fixtures import town_fixture
from tests.kit.tokens import TokenIssuer

TOKENS = TokenIssuer("https://issuer.test", "https://draftsmith.test/mcp")
LIST: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
HEADERS = {"Accept": "application/json, text/event-stream"}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "query": {"intent": "what is unconnected"},
    "edit": {"base_revision": 1, "operations": [node("x")], "dry_run": True},
    "undo": {"revision": 1, "dry_run": True},
    "compare": {"from_revision": 1, "to_revision": 1},
    "read_sections": {"sections": ["## None"]},
    "read_nodes": {"ids": ["none"]},
    "find": {"text": "none"},
    "create_workspace": {"name": "New"},
}


place = town_fixture("a-one", issuer=TOKENS, TRIES_PER_MINUTE="0")


def token(subject: str = "ann", **claims: Any) -> str:
    return TOKENS.token(subject, **{"name": "Ann", **claims})


def shared(place: Town) -> str:
    """A workspace of the administrator's."""
    w = place.admin.create(name="Shop", document={"text": "# Shop\n"})
    place.admin.batch(w, node("orders"), node("db"), edge("orders", "db"))
    return w


def key_of(person: Api, **body: Any) -> str:
    """A key that a person makes."""
    found: str = person.ask("POST", "/keys", 201, json={"name": "Claude Code", **body})["key"]
    return found


def asked_with(place: Town, secret: str) -> httpx.Response:
    """What a message is answered that shows a secret."""
    shown = {**HEADERS, "Authorization": f"Bearer {secret}"}
    return patient.post(f"{place.url}/mcp", json=LIST, headers=shown)


class TestGettingIn:
    def test_who_shows_nothing_is_told_where_to_get_a_token(self, place: Town) -> None:
        """RFC 9728: the challenge names the metadata, and these the issuer and this resource."""
        for kind in ({}, {"Authorization": "Bearer dsk_none"}, {"Authorization": f"Bearer {token(aud='another')}"}):
            answer = patient.post(f"{place.url}/mcp", json=LIST, headers={**HEADERS, **kind})
            assert answer.status_code == 401
            challenge = answer.headers["www-authenticate"]
            where = challenge.removeprefix('Bearer resource_metadata="').removesuffix('"')
            assert where == f"{place.url}/.well-known/oauth-protected-resource/mcp"
            metadata = patient.get(where).json()
            assert metadata["resource"] == f"{place.url}/mcp"
            assert metadata["authorization_servers"] == [TOKENS.url]
        assert patient.get(f"{place.url}/.well-known/oauth-protected-resource").json() == metadata
        refused = patient.get(f"{place.url}/api/v1/workspaces")
        assert refused.headers["www-authenticate"] == "Bearer", "other routes speak of no agents"

    async def test_a_token_of_the_issuer_for_here_is_its_person(self, place: Town) -> None:
        w = shared(place)
        async with agent(place.url, token(), program="Editor") as ann:
            assert (await ann.call("list_workspaces"))["workspaces"] == []
            await ann.refused("workspace_not_found", "read_workspace", workspace=w)
            made = await ann.call("create_workspace", name="Ann's")
        caller = place.caller(key=token())
        [commit] = caller.ask("GET", f"/workspaces/{made['workspace']}/commits")["items"]
        assert commit["actor"] == {"id": f"agent:{caller.id}", "name": "Editor · for Ann", "kind": "agent"}

    @pytest.mark.parametrize(
        "claims", [{"aud": "https://other.test/mcp"}, {"iss": "https://other.test"}, {"exp": 1_000_000_000}]
    )
    def test_a_token_for_somebody_else_is_refused(self, place: Town, claims: dict[str, Any]) -> None:
        shown = {"Authorization": f"Bearer {token(**claims)}"}
        assert patient.post(f"{place.url}/mcp", json=LIST, headers={**HEADERS, **shown}).status_code == 401

    async def test_a_share_link_lets_an_agent_into_its_workspace_with_its_role(self, place: Town) -> None:
        w, other = shared(place), shared(place)
        made = place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "commenter"})
        async with agent(place.url, made["token"], program="Codex") as guest:
            assert [one["workspace"] for one in (await guest.call("list_workspaces"))["workspaces"]] == [w]
            await guest.call("read_workspace", workspace=w)
            proposed = await guest.edit(w, 2, label("orders", "Desk"))
            assert (proposed["status"], proposed["reason"]) == ("proposed", "As commenter it may only propose.")
            await guest.refused("workspace_not_found", "read_workspace", workspace=other)
            await guest.refused("forbidden", "create_workspace", name="Mine")
            place.admin.ask("DELETE", f"/workspaces/{w}/shares/{made['id']}", 204)
        check_problem(asked_with(place, made["token"]), 401, "credential_invalid")
        [item] = place.admin.ask("GET", f"/workspaces/{w}/proposals")["items"]
        assert item["actor"]["name"] == "Codex", "a link is nobody in particular"

    def test_who_was_removed_is_refused_until_somebody_lets_them_in(self, place: Town) -> None:
        """By a token that is still good, on every route; they come back as somebody new, with nothing they had."""
        w = shared(place)
        zoe = place.caller(key=token("zoe", name="Zoe"))
        before = zoe.id
        place.admin.ask("PUT", f"/workspaces/{w}/members/{before}", json={"role": "editor"})
        place.admin.ask("DELETE", f"/users/{before}", 204)
        for method, path in (("GET", "/me"), ("GET", "/workspaces"), ("POST", "/workspaces"), ("POST", "/keys")):
            check_problem(zoe.send_to(method, path), 403, "user_removed")
        check_problem(asked_with(place, token("zoe")), 403, "user_removed")
        [removed] = [one for one in place.admin.ask("GET", "/removed-users")["items"] if one["id"] == before]
        assert removed["name"] == "Zoe"
        check_problem(place.person("Yan").send_to("DELETE", f"/removed-users/{before}"), 403, "forbidden")
        place.admin.ask("DELETE", f"/removed-users/{before}", 204)
        check_problem(place.admin.send_to("DELETE", f"/removed-users/{before}"), 404, "user_not_found")
        assert zoe.id != before
        check_problem(zoe.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
        [entry, *_] = place.admin.ask("GET", "/audit")["items"]
        assert (entry["what"], entry["detail"]) == ("user.let_in", f"Zoe ({before})")

    def test_cookies_count_for_nothing_here(self, place: Town) -> None:
        """A page of another site can have a browser send them."""
        answer = place.person("Ben").post("/mcp", json=LIST, headers=HEADERS)
        check_problem(answer, 401, "unauthorized")

    async def test_a_key_that_is_revoked_is_worth_nothing_at_once(self, place: Town) -> None:
        ben = place.person("Ben")
        key = key_of(ben)
        async with agent(place.url, key) as one:
            await one.call("list_workspaces")
            [made] = ben.ask("GET", "/keys")["items"]
            assert made["used_at"] is not None
            ben.ask("DELETE", f"/keys/{made['id']}", 204)
            with pytest.raises(Exception, match="error response"):
                await one.raw("list_workspaces")
        check_problem(asked_with(place, key), 401, "credential_invalid")


@pytest.mark.parametrize("who", ["nobody", *ROLES])
async def test_every_tool_answers_as_the_table_says(place: Town, who: str) -> None:
    """Every role, and who has none; in a workspace 404 tells nothing of it."""
    w = shared(place)
    person = place.admin if who == "owner" else place.person(who.title())
    if who not in ("nobody", "owner"):
        place.admin.ask("PUT", f"/workspaces/{w}/members/{person.id}", json={"role": who})
    refused: dict[str, str] = {}
    async with agent(place.url, key_of(person)) as one:
        for tool, action in TOOLS.items():
            where = {"workspace": w} if is_of_workspace(action) else {}
            result = await one.raw(tool, **where, **ARGUMENTS.get(tool, {}))
            problem = problem_of(result)
            code = problem.get("code", "")
            if code == "workspace_not_found" or (code == "forbidden" and "takes the role" in str(problem)):
                refused[tool] = code
    assert refused == {
        tool: "workspace_not_found" if who == "nobody" else "forbidden"
        for tool, action in TOOLS.items()
        if is_of_workspace(action) and not is_at_least(None if who == "nobody" else who, action.value.role)  # type: ignore[arg-type]
    }


def test_every_tool_has_a_row() -> None:
    assert TOOLS.keys() == FACTS.keys()


class TestWhoseWorkItIs:
    async def test_commits_name_the_agent_and_stand_on_its_persons_stack(self, place: Town) -> None:
        """The person takes back what their agent did; the agent takes back nothing of anybody else."""
        ana = place.person("Ana")
        w = ana.create(name="Shop", document={"text": "# Shop\n"})
        ana.batch(w, node("orders"))
        async with agent(place.url, key_of(ana), program="says whatever") as one, agent(
            place.url, key_of(ana, name="Other agent")
        ) as other:  # fmt: skip
            await one.call("read_workspace", workspace=w)
            await one.edit(w, 2, label("orders", "Order desk"), explanation="Clearer")
            [commit] = ana.ask("GET", f"/workspaces/{w}/commits", params={"by": "agent"})["items"]
            assert (commit["actor"]["name"], commit["source"]) == ("Claude Code · for Ana", "mcp")
            assert commit["actor"]["id"].startswith("agent:key:")
            await other.refused("forbidden", "undo", workspace=w, revision=3)
            await one.refused("forbidden", "undo", workspace=w, revision=2)
            [shown] = (await other.call("history", workspace=w, since=2))["commits"]
            assert (shown["by"], shown["yours"]) == ("Claude Code · for Ana", False)
        undone = ana.ask("POST", f"/workspaces/{w}/undo", json={})
        assert (undone["ref"], undone["changed"]) == (3, True)
        assert ana.read(w)["diagram"]["nodes"][0]["label"] == "Orders"

    async def test_a_key_may_no_more_than_its_limit(self, place: Town) -> None:
        ana = place.person("Ana")
        w = ana.create(name="Shop", document={"text": "# Shop\n"})
        async with agent(place.url, key_of(ana, role="viewer")) as one:
            assert (await one.call("read_workspace", workspace=w))["role"] == "viewer"
            await one.refused("forbidden", "edit", workspace=w, base_revision=1, operations=[node("x")])
            await one.refused("forbidden", "create_workspace", name="Mine")
        async with agent(place.url, key_of(ana, role="commenter")) as one:
            await one.refused("forbidden", "edit", workspace=w, base_revision=1, operations=[node("x")], mode="apply")

    async def test_an_application_works_for_its_people(self, place: Town) -> None:
        """Each person of it has agents of their own."""
        key = place.key(delegate=True)
        person = place.caller(key=key, acts_for='{"id": "7", "name": "Grace"}')
        w = person.create(name="Shop", document={"text": "# Shop\n"})
        headers = {"Draftsmith-Actor": '{"id": "7", "name": "Grace"}'}
        async with agent(place.url, key, headers=headers) as one:
            await one.call("read_workspace", workspace=w)
            await one.edit(w, 1, node("api"))
        [commit] = person.ask("GET", f"/workspaces/{w}/commits", params={"by": "agent"})["items"]
        assert commit["actor"]["name"] == "test · for Grace"
        assert person.ask("POST", f"/workspaces/{w}/undo", json={})["changed"] is True


class TestLocalMode:
    async def test_who_shows_no_key_is_an_agent_of_its_own(self, server: Server, api: Api) -> None:
        w = api.create(name="Shop", document={"text": "# Shop\n"})
        async with agent(server.url, program="Claude\u202e Code\n") as one:
            await one.edit(w, 1, node("api"))
        commit = api.ask("GET", f"/workspaces/{w}/commits")["items"][0]
        assert commit["actor"] == {"id": "agent:local:agent", "name": "Claude Code", "kind": "agent"}

    async def test_with_a_key_made_in_a_browser_it_works_for_that_profile(self, server: Server, api: Api) -> None:
        w = api.create(name="Shop", document={"text": "# Shop\n"})
        check_problem(api.send_to("POST", "/keys", json={"name": "Of a script"}), 403, "forbidden")
        api.become("Ana")
        async with agent(server.url, key_of(api)) as one, agent(server.url, key_of(api, role="viewer")) as reader:
            await one.edit(w, 1, node("api"))
            assert (await reader.call("read_workspace", workspace=w))["role"] == "viewer"
            await reader.refused("forbidden", "edit", workspace=w, base_revision=2, operations=[node("x")])
        assert api.ask("GET", f"/workspaces/{w}/commits")["items"][0]["actor"]["name"] == "Claude Code · for Ana"
        assert api.ask("POST", f"/workspaces/{w}/undo", json={})["changed"] is True
        for made in api.ask("GET", "/keys")["items"]:
            api.ask("DELETE", f"/keys/{made['id']}", 204)

    def test_a_key_that_is_none_is_refused_here_too(self, server: Server, api: Api) -> None:
        shown = {**HEADERS, "Authorization": "Bearer dsk_none"}
        check_problem(patient.post(f"{server.url}/mcp", json=LIST, headers=shown), 401, "credential_invalid")
        assert patient.get(f"{server.url}/.well-known/oauth-protected-resource").status_code == 404


def test_everybody_may_fetch_the_skill(redis_url: str) -> None:
    """Before they have a key, as a file that agents put beside their own."""
    with town(redis_url, "skill") as place:
        found = patient.get(f"{place.url}/mcp/SKILL.md")
    assert (found.status_code, found.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert found.text.startswith("---\nname: draftsmith\ndescription: ")
