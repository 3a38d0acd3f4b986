"""Patterns over HTTP: listed, searched, filled in for a selection, and sent as a batch like any other."""

from __future__ import annotations

from tests.integration.client import Api, check_problem, edge, node


def test_patterns_are_listed_and_searched(api: Api) -> None:
    """By name, whole; with words those that share some, best first."""
    everything = api.ask("GET", "/patterns")["items"]
    assert len(everything) >= 10
    assert [one["name"] for one in everything] == sorted((one["name"] for one in everything), key=str.casefold)
    assert {one["kind"] for one in everything} == {"pattern", "anti-pattern"}
    found = api.ask("GET", "/patterns", params={"q": "we need rate limiting"})["items"]
    assert [one["id"] for one in found] == ["rate-limiter"]
    assert found[0]["questions"]
    assert found[0]["roles"][0]["types"][0] == "api"


def test_a_pattern_is_filled_in_and_becomes_one_batch(api: Api) -> None:
    """Asking changes nothing; what is answered fits as it is, is one commit, and one undo takes it back."""
    w = api.create(name="Patterns")
    shop = [
        node("web", type="web"),
        node("api", type="api"),
        node("db", type="database"),
        node("eye", type="monitoring"),
    ]
    api.batch(w, *shop, edge("web", "api"), edge("api", "db"))
    before, drawn = api.state(w), api.read(w)["diagram"]
    asked = {"node": ["db", "api", "eye"]}
    filled = api.ask("GET", f"/workspaces/{w}/patterns/cache-aside", params=asked)
    assert api.state(w) == before
    assert (filled["revision"], filled["roles"]) == (2, {"service": ["api"], "database": ["db"]})
    assert (filled["made"], filled["unused"]) == (["cache"], ["eye"])
    answer = api.batch(w, *filled["operations"])
    assert answer["revision"] == 3
    assert api.ask("GET", f"/workspaces/{w}/patterns/cache-aside", params=asked)["made"] == ["cache-2"]
    api.ask("POST", f"/workspaces/{w}/undo")
    assert api.read(w)["diagram"] == drawn
    between = api.ask("GET", f"/workspaces/{w}/patterns/rate-limiter", params={"edge": "web--api"})
    assert {one["op"] for one in between["operations"]} == {"add_node", "add_edge", "delete_edge"}


def test_what_is_not_there_is_refused_with_its_place(api: Api) -> None:
    w = api.create(name="Patterns")
    response = api.send_to("GET", f"/workspaces/{w}/patterns/no-such-pattern")
    assert "GET /api/v1/patterns" in check_problem(response, 404, "not_found")["detail"]
    response = api.send_to("GET", f"/workspaces/{w}/patterns/saga", params={"node": "nobody"})
    problem = check_problem(response, 422, "invalid_request")
    assert [one["path"] for one in problem["problems"]] == ["/nodes/0"]
    response = api.send_to("GET", f"/workspaces/{w}/patterns/saga", params={"node": ["n"] * 51})
    check_problem(response, 422, "invalid_request")
