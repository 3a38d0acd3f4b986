"""A design compared with what runs: what is recognised and why, what differs, what is offered to be done."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.model.workspace import Workspace
from draftsmith.workloads.comparison import Comparison, compare, operations_of, rows_to_draw
from draftsmith.workloads.reading import read_workloads
from draftsmith.workloads.shapes import WorkloadRowOut
from draftsmith.workloads.technologies import adapted_technology
from tests.builders import edge, group, node, run, update, workspace_of
from tests.clusters import DB, ORDERS, connection, outside, reading, shop_reading, workload


def comparison_with(workspace: Workspace, content: dict[str, Any]) -> Comparison:
    return compare(workspace.diagram, read_workloads(content))


def of_kind(found: Comparison, kind: str) -> list[WorkloadRowOut]:
    return [one for one in found.rows if one["kind"] == kind]


RECOGNISED: list[tuple[dict[str, Any], dict[str, Any], str | None]] = [
    ({"label": "Orders"}, workload("orders"), "name"),
    ({"label": "Shop orders", "id": "orders"}, workload("orders"), "name"),
    ({"label": "OrdersSvc"}, workload("orders-service"), "likely"),
    ({"label": "Orders service"}, workload("orders"), "likely"),
    ({"label": "Orders"}, workload("shop-orders"), "likely"),
    ({"label": "Orders DB", "type": "database"}, workload("orders-database", "database"), "likely"),
    ({"label": "Orders", "type": "database"}, workload("orders"), "likely"),
    ({"label": "Everything", "type": "database", "technology": "Postgres 15"},
     workload("main", "database", technology="PostgreSQL 16"), "likely"),
    ({"label": "Everything", "technology": "Java 21"}, workload("main", technology="Java 21"), None),
    ({"label": "Order"}, workload("orders"), None),
    ({"label": "Orders", "type": "user"}, workload("orders"), None),
]  # fmt: skip


@pytest.mark.parametrize("drawn, runs, by", RECOGNISED)
def test_a_node_is_recognised_by_name_or_likely_or_not(drawn: Any, runs: Any, by: str | None) -> None:
    """A likely one has a reason; what is not recognised is on both sides, people excepted."""
    drawn = {"id": "n", **drawn}
    found = comparison_with(workspace_of(node(drawn.pop("id"), **drawn)), reading(runs))
    told = {one["by"] for one in found.rows if one["nodes"] and one["workloads"]}
    assert told == (set() if by is None else {by})
    assert all(one["reason"] for one in found.rows if one["by"] == "likely")
    if by is None:
        assert len(of_kind(found, "not_drawn")) == 1
        assert len(of_kind(found, "not_running")) == (drawn.get("type") != "user")


def test_what_could_be_several_is_told_and_never_guessed() -> None:
    """A group of the namespace decides; without one all candidates are named, and each can be chosen."""
    both = reading(workload("orders"), workload("orders", namespace="pay"))
    apart = workspace_of(group("g", label="Shop"), node("n", 24, 40, label="Orders", parent="g"))
    found = comparison_with(apart, both)
    [fits] = of_kind(found, "fits")
    assert (fits["workloads"], fits["by"], fits["reason"]) == (
        [ORDERS], "name", "The same name in the same namespace.",
    )  # fmt: skip
    assert [one["workloads"] for one in of_kind(found, "not_drawn")] == [["pay/Deployment/orders"]]

    alone = workspace_of(node("n", label="Orders"))
    [row] = of_kind(comparison_with(alone, both), "ambiguous")
    assert rows_to_draw([row]) == []
    assert [one["id"] for one in row["choices"]] == [f"same:n:{ORDERS}", "same:n:pay/Deployment/orders", "draw"]
    run(alone, *row["choices"][0]["operations"], revision=2)
    assert [one["by"] for one in of_kind(comparison_with(alone, both), "fits")] == ["recorded"]

    copied = workspace_of(*(node(name, properties={"workload": ORDERS, "cluster": "prod"}) for name in ("a", "b")))
    [row] = of_kind(comparison_with(copied, reading(workload("orders"))), "ambiguous")
    assert row["nodes"] == ["a", "b"]


def test_an_ingress_is_not_taken_for_the_service_of_its_name() -> None:
    """Things of one name and of different kinds are told apart by what a node is drawn as."""
    both = reading(workload("front"), workload("front", "gateway", kind="Ingress"))
    found = comparison_with(workspace_of(node("n", label="Front", type="load_balancer")), both)
    assert [one["workloads"] for one in of_kind(found, "fits")] == [["shop/Ingress/front"]]
    assert [one["workloads"] for one in of_kind(found, "not_drawn")] == [["shop/Deployment/front"]]


def test_a_service_of_a_namespace_that_is_drawn_and_not_read_is_no_host() -> None:
    """Else it would be drawn twice; where nothing of its namespace is drawn, it is a host like any other."""
    names = ("db.data", "db.data.svc.cluster.local", "db.other.svc", "db.data.example.org")
    one = reading(workload("orders"), outside=[outside(name, ORDERS) for name in names])
    properties = {"workload": "data/StatefulSet/db", "cluster": "prod", "namespace": "data"}
    found = comparison_with(workspace_of(node("db", properties=properties)), one)
    assert {row["title"] for row in of_kind(found, "not_drawn")} == {"orders", "db.other.svc", "db.data.example.org"}
    assert found.notes == [
        "Nodes of namespaces that were not read are not compared: 1.",
        "Services of these namespaces are not drawn as hosts: 2.",
    ]
    assert len(of_kind(comparison_with(workspace_of(node("db")), one), "line_not_drawn")) == len(names)


def test_what_was_drawn_elsewhere_is_not_taken_for_this_cluster() -> None:
    """The same id in another cluster is likely; a workload that is gone is told as gone, and its node can be marked."""
    there = {"workload": ORDERS, "cluster": "staging", "namespace": "shop"}
    [row] = of_kind(comparison_with(workspace_of(node("x", properties=there)), reading(workload("orders"))), "fits")
    assert (row["by"], row["reason"]) == ("likely", "It was drawn from a workload of the same id in another cluster.")
    workspace = workspace_of(node("x", label="Old", properties={**there, "cluster": "prod"}))
    [row] = of_kind(comparison_with(workspace, reading(workload("new"))), "not_running")
    assert row["reason"] == f"{ORDERS}, which it was drawn from, is not there any more."
    assert [one["id"] for one in row["choices"]] == ["mark", "delete"]
    run(workspace, *row["choices"][0]["operations"], revision=2)
    assert workspace.diagram["x"]["properties"]["running"] == "not found in prod on 2026-11-24"
    [back] = of_kind(comparison_with(workspace, reading(workload("orders"))), "differs")
    run(workspace, *operations_of([back]), revision=3)
    assert "running" not in workspace.diagram["x"]["properties"]
    assert of_kind(comparison_with(workspace, reading(namespaces=[])), "not_running") == [], "nothing was read"


def test_differences_are_those_of_what_the_node_says() -> None:
    """Image, replicas and technology, each only if the node names one; taking over leaves the rest as it is."""
    plain = workspace_of(node("orders"))
    assert of_kind(comparison_with(plain, reading(workload("orders"))), "differs") == []
    workspace = workspace_of(
        node("orders", technology="Java 17, Spring Boot",
             properties={"image": "ghcr.io/acme/orders:0.9.0", "replicas": "2", "owner": "team"}),
    )  # fmt: skip
    running = workload("orders", technology="Java 21", replicas={"desired": 5, "ready": 5})
    [row] = of_kind(comparison_with(workspace, reading(running)), "differs")
    assert {one["field"]: (one["designed"], one["running"]) for one in row["differences"]} == {
        "technology": ("Java 17, Spring Boot", "Java 21"),
        "image": ("ghcr.io/acme/orders:0.9.0", "ghcr.io/acme/orders:1.0.0"),
        "replicas": ("2", "5"),
    }
    run(workspace, *operations_of([row]), revision=2)
    attributes = workspace.diagram["orders"]
    assert attributes["technology"] == "Java 21, Spring Boot"
    assert attributes["properties"] == {
        "image": "ghcr.io/acme/orders:1.0.0", "replicas": "5", "owner": "team", "workload": ORDERS, "cluster": "prod",
        "namespace": "shop",
    }  # fmt: skip


@pytest.mark.parametrize(
    "designed, running, is_whole, says",
    [
        ("PostgreSQL 16", "PostgreSQL 16.4", True, None),
        ("postgres", "PostgreSQL 16.4", True, None),
        ("PostgreSQL v15", "PostgreSQL 16.4", True, "PostgreSQL 16.4"),
        ("Kafka 3.8", "Apache Kafka 3.8.0", True, None),
        ("MySQL", "PostgreSQL 16", True, "PostgreSQL 16"),
        ("FastAPI", "Python 3.12", False, None),
        ("javascript", "JavaScript", False, None),
        ("Python 3.11-slim, FastAPI", "Python 3.12", False, "Python 3.12, FastAPI"),
        ("", "Python 3.12", False, None),
        ("Python", "", False, None),
        ("PostgreSQL 1", "PostgreSQL 16", True, "PostgreSQL 16"),
    ],
)
def test_versions_fit_as_far_as_they_are_named(designed: str, running: str, is_whole: bool, says: str | None) -> None:
    assert adapted_technology(designed, running, is_whole=is_whole) == says


def test_lines_are_compared_by_their_ends() -> None:
    """A line drawn either way is drawn; ports of one label are one line; what is allowed alone is a dependency."""
    pair = [node("orders"), node("db", type="database")]
    again = shop_reading(
        connections=[connection(ORDERS, DB, "SQL"), connection(ORDERS, DB, "SQL", "argument", port=5433)]
    )
    assert comparison_with(workspace_of(*pair, edge("db", "orders")), again).fitting_lines == 1
    [row] = [
        one for one in of_kind(comparison_with(workspace_of(*pair), again), "line_not_drawn") if DB in one["workloads"]
    ]
    [line] = row["choices"][0]["operations"]
    assert line["properties"] == {"evidence": "argument, environment", "port": "8080/TCP, 5433/TCP"}
    assert row["needs"] == []
    allowed = shop_reading(connections=[connection(ORDERS, DB, "", "networkPolicy"), connection(ORDERS, ORDERS)])
    [row] = [
        one
        for one in of_kind(comparison_with(workspace_of(*pair), allowed), "line_not_drawn")
        if DB in one["workloads"]
    ]
    assert row["choices"][0]["operations"][0]["kind"] == "dependency"

    drawn = workspace_of(*pair, node("stripe", type="external", label="Stripe API"),
                         edge("orders", "db"), edge("db", "stripe"))  # fmt: skip
    found = comparison_with(drawn, shop_reading(connections=[]))
    assert [one["edge"] for one in of_kind(found, "line_without_evidence")] == ["db--stripe", "orders--db"]
    assert all("does not say that it is not used" in one["reason"] for one in of_kind(found, "line_without_evidence"))
    [host] = [one for one in found.rows if one["nodes"] == ["stripe"]]
    assert (host["by"], host["reason"]) == ("likely", "The host belongs to this name.")


def test_a_namespace_is_drawn_once_and_not_into_a_locked_group() -> None:
    """A group of its name is taken; if that is locked, nodes are drawn beside it, and nothing of it is changed."""
    cluster = reading(workload("a"), workload("b"), outside=[outside("10.0.0.1", "shop/Deployment/a")])
    workspace = workspace_of(group("x", label="SHOP"), node("b", 24, 40, parent="x"))
    operations = operations_of(rows_to_draw(comparison_with(workspace, cluster).rows))
    assert [(one["op"], one.get("parent")) for one in operations] == [
        ("add_node", None), ("add_node", "x"), ("add_edge", None),
    ]  # fmt: skip
    run(workspace, update("x", locked=True), revision=2)
    found = comparison_with(workspace, cluster)
    [row] = [one for one in of_kind(found, "not_drawn") if one["title"] == "a"]
    assert "the group shop is locked, so it is drawn beside it" in row["facts"]
    assert "parent" not in row["choices"][0]["operations"][0]
    [fits] = of_kind(found, "fits")
    assert fits["choices"] == []
    assert "“SHOP” is locked; unlock it to change this" in fits["facts"]
    fresh = operations_of(rows_to_draw(comparison_with(workspace_of(node("shop")), cluster).rows))
    assert [one["id"] for one in fresh if one.get("type") == "group"] == ["shop-2"], "once for both of its nodes"
