"""Reading nodes and edges over HTTP: one by its id, and those of a type or with a text, in pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.client import Api, check_problem, edge, label, node
from tests.kit.fixtures import workspace_fixture

NOBODY = "0" * 26


w = workspace_fixture(
    [
        node("zone", type="group", label="Zone"),
        node("orders", parent="zone", description="Takes orders", technology="Go"),
        node("ledger", type="database", label="Hauptbücher", technology="PostgreSQL", properties={"tier": "Gold"}),
        edge("orders", "ledger", label="bookings", kind="data", properties={"port": "5432"}),
    ],
    [node("archive", type="database", notes="since 1999"), node("prices", type="cache")],
    [edge("orders", "prices", label="asks"), edge("ledger", "archive", id="old-rows", kind="async")],
    name="Shop",
)
"""Three revisions: a group with a service and databases in it, a cache, and edges of several kinds."""


def ids(answer: Any) -> list[str]:
    return [one["id"] for one in answer["items"]]


def nodes(api: Api, w: str, **params: Any) -> Any:
    return api.ask("GET", f"/workspaces/{w}/nodes", params=params)


def edges(api: Api, w: str, **params: Any) -> Any:
    return api.ask("GET", f"/workspaces/{w}/edges", params=params)


def paged(api: Api, w: str, what: str, **params: Any) -> Iterator[dict[str, Any]]:
    """Every item of a list, page by page."""
    following = None
    while True:
        page = api.ask("GET", f"/workspaces/{w}/{what}", params=params | ({"cursor": following} if following else {}))
        assert len(page["items"]) <= params["limit"]
        yield from page["items"]
        following = page["next_cursor"]
        if following is None:
            return


def test_lists_and_single_reads_are_parts_of_the_diagram(api: Api, w: str) -> None:
    """One source: what a list and a single read show of a node or an edge is what the whole diagram shows."""
    diagram = api.ask("GET", f"/workspaces/{w}/diagram")
    for what in ("nodes", "edges"):
        assert api.ask("GET", f"/workspaces/{w}/{what}") == {"items": diagram[what], "next_cursor": None}
        for one in diagram[what]:
            assert api.ask("GET", f"/workspaces/{w}/{what}/{one['id']}") == one


@pytest.mark.parametrize("limit", [1, 2, 3, 5])
def test_pages_give_each_once_in_the_order_of_the_diagram(api: Api, w: str, limit: int) -> None:
    diagram = api.ask("GET", f"/workspaces/{w}/diagram")
    assert list(paged(api, w, "nodes", limit=limit)) == diagram["nodes"]
    assert list(paged(api, w, "edges", limit=limit)) == diagram["edges"]


def test_pages_go_on_where_they_were_while_the_diagram_changes(api: Api, w: str) -> None:
    """What is added comes at the end, what is deleted is left out, and nothing comes twice or is passed over."""
    first = nodes(api, w, limit=2)
    assert ids(first) == ["ledger", "orders"]
    api.batch(w, {"op": "delete_node", "id": "orders"}, node("a-first-by-name"), label("archive", "Attic"))
    rest = nodes(api, w, limit=10, cursor=first["next_cursor"])
    assert ids(rest) == ["zone", "archive", "prices", "a-first-by-name"]
    assert rest["next_cursor"] is None


@pytest.mark.parametrize(
    "params, found",
    [
        ({"type": "database"}, ["ledger", "archive"]),
        ({"type": ["cache", "group"]}, ["zone", "prices"]),
        ({"type": "queue"}, []),
        ({"q": "ORDERS"}, ["orders"]),
        ({"q": "hauptbucher"}, ["ledger"]),
        ({"q": "takes orders"}, ["orders"]),
        ({"q": "orders since"}, []),
        ({"q": "1999"}, ["archive"]),
        ({"q": "gold tier"}, ["ledger"]),
        ({"q": "  "}, ["ledger", "orders", "zone", "archive", "prices"]),
        ({"q": "e", "type": "database"}, ["ledger", "archive"]),
        ({"q": "postgres", "type": "cache"}, []),
    ],
)
def test_nodes_by_type_and_text(api: Api, w: str, params: dict[str, Any], found: list[str]) -> None:
    assert ids(nodes(api, w, **params)) == found


@pytest.mark.parametrize(
    "params, found",
    [
        ({"kind": "data"}, ["orders--ledger"]),
        ({"kind": ["data", "async"]}, ["orders--ledger", "old-rows"]),
        ({"kind": "sync"}, ["orders--prices"]),
        ({"node": "ledger"}, ["orders--ledger", "old-rows"]),
        ({"source": "orders"}, ["orders--ledger", "orders--prices"]),
        ({"target": "ledger"}, ["orders--ledger"]),
        ({"source": "orders", "target": "prices"}, ["orders--prices"]),
        ({"q": "5432"}, ["orders--ledger"]),
        ({"q": "Asks"}, ["orders--prices"]),
        ({"q": "asks", "kind": "data"}, []),
    ],
)
def test_edges_by_kind_end_and_text(api: Api, w: str, params: dict[str, Any], found: list[str]) -> None:
    assert ids(edges(api, w, **params)) == found


def test_a_filter_holds_over_all_pages(api: Api, w: str) -> None:
    assert [one["id"] for one in paged(api, w, "nodes", limit=1, type="database")] == ["ledger", "archive"]
    assert [one["id"] for one in paged(api, w, "edges", limit=1, source="orders")] == [
        "orders--ledger", "orders--prices",
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["/nodes", "/nodes/orders", "/edges", "/edges/old-rows", "/nodes?type=cache"])
def test_the_etag_is_that_of_the_revision_and_serves_as_a_base(api: Api, w: str, path: str) -> None:
    url = f"/api/v1/workspaces/{w}{path}"
    tag = api.get(url).headers["etag"]
    assert tag == api.get(f"/api/v1/workspaces/{w}").headers["etag"]
    same = api.get(url, headers={"If-None-Match": tag})
    assert (same.status_code, same.content) == (304, b"")
    api.batch(w, label("prices", "Price list"), headers={"If-Match": tag})
    assert api.get(url, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    "path, code, near",
    [
        ("/nodes/order", "node_not_found", "orders"),
        ("/nodes/hauptbuecher", "node_not_found", "ledger"),
        ("/edges?node=leger", "node_not_found", "ledger"),
        ("/edges?source=orders&target=price", "node_not_found", "prices"),
        ("/edges/orders--leger", "edge_not_found", "orders--ledger"),
        ("/edges/old-row", "edge_not_found", "old-rows"),
    ],
)
def test_an_unknown_id_is_answered_with_near_ones(api: Api, w: str, path: str, code: str, near: str) -> None:
    """Also for who says that it has this already: what is not there is not unchanged."""
    for headers in ({}, {"If-None-Match": "*"}):
        found = check_problem(api.get(f"/api/v1/workspaces/{w}{path}", headers=headers), 404, code)
        assert found["candidates"][0] == near


def test_an_unknown_type_is_named_with_near_ones(api: Api, w: str) -> None:
    found = check_problem(api.get(f"/api/v1/workspaces/{w}/nodes?type=cache&type=databse"), 422, "invalid_request")
    (problem,) = found["problems"]
    assert (problem["code"], problem["path"], problem["candidates"][0]) == ("type_unknown", "/type/1", "database")


@pytest.mark.parametrize(
    "query, path",
    [
        ("nodes?limit=0", "/limit"),
        ("nodes?limit=201", "/limit"),
        ("nodes?limit=many", "/limit"),
        ("nodes?type=", "/type/0"),
        ("edges?kind=http", "/kind/0"),
        ("edges?limit=-1", "/limit"),
        (f"nodes?q={'x' * 201}", "/q"),
        (f"edges?node={'x' * 201}", "/node"),
    ],
)
def test_filters_that_are_none_are_named(api: Api, w: str, query: str, path: str) -> None:
    found = check_problem(api.get(f"/api/v1/workspaces/{w}/{query}"), 422, "invalid_request")
    assert [problem["path"] for problem in found["problems"]] == [path]


@pytest.mark.parametrize("cursor", ["x", "e30", "WzEsMl0", "WyJhIiwxXQ", "W3RydWUsImEiXQ", "é"])
@pytest.mark.parametrize("what", ["nodes", "edges"])
def test_a_cursor_of_no_list_is_refused(api: Api, w: str, what: str, cursor: str) -> None:
    refused = api.get(f"/api/v1/workspaces/{w}/{what}", params={"cursor": cursor})
    assert "cursor" in check_problem(refused, 422, "invalid_request")["detail"]


@pytest.mark.parametrize("path", ["/nodes", "/nodes/a", "/edges", "/edges/a"])
def test_of_no_workspace_it_is_the_same_404(api: Api, path: str) -> None:
    check_problem(api.get(f"/api/v1/workspaces/{NOBODY}{path}"), 404, "workspace_not_found")


def test_a_thousand_nodes_come_in_pages_of_two_hundred(api: Api) -> None:
    made = [{"id": f"n{number}", "type": "service", "label": f"N {number}"} for number in range(1_000)]
    w = api.create(diagram={"nodes": made, "edges": []})
    found = [one["id"] for one in paged(api, w, "nodes", limit=200)]
    assert sorted(found) == sorted(one["id"] for one in made)
