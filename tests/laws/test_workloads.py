"""Laws of the comparison with what runs: it guesses nothing, what it offers fits, and what was drawn is found again."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.model.workspace import Workspace
from draftsmith.workloads.comparison import Comparison, compare, operations_of, rows_to_draw
from draftsmith.workloads.reading import ClusterReading, read_workloads
from tests.builders import Op, edge, group, node, run, workspace_of
from tests.clusters import connection, outside, reading, workload

NAMES = ("orders", "orders-api", "db", "postgres", "cache", "shop-orders", "Orders Service", "Stripe", "ß", "…")
SPACES = ("shop", "pay")
HOSTS = ("api.stripe.com", "10.0.0.1", "orders")
TECHNOLOGIES = (None, "PostgreSQL 16.4", "PostgreSQL 15", "Redis 7", "Java 21, Spring Boot")


@st.composite
def readings(draw: st.DrawFn) -> ClusterReading:
    """Some workloads with equal and similar names, in one or two namespaces, and connections among them."""
    names = st.tuples(st.sampled_from(SPACES), st.sampled_from(NAMES), st.sampled_from(("Deployment", "StatefulSet")))
    made = [
        workload(
            name, draw(st.sampled_from(("service", "database", "cache", "other"))), namespace=space, kind=kind,
            technology=draw(st.sampled_from(TECHNOLOGIES)),
            replicas=draw(st.sampled_from((None, {"desired": 1, "ready": 0}, {"desired": 3, "ready": 3}))),
        )
        for space, name, kind in draw(st.lists(names, max_size=6, unique=True))
    ]  # fmt: skip
    ids = [one["id"] for one in made]
    hosts = (
        [outside(host, draw(st.sampled_from(ids))) for host in sorted(draw(st.sets(st.sampled_from(HOSTS))))]
        if ids
        else []
    )
    targets = [*ids, *(one["id"] for one in hosts)]
    lines = st.builds(connection, st.sampled_from(ids), st.sampled_from(targets), st.sampled_from(("", "HTTP", "SQL")))
    connections = draw(st.lists(lines, max_size=6)) if ids else []
    return read_workloads(reading(*made, connections=connections, outside=hosts))


@st.composite
def designs(draw: st.DrawFn) -> Workspace:
    """Some nodes with names as in the cluster, in groups or not, some locked, some drawn from a workload before."""
    operations: list[Op] = [group("shop", 0, 0), group("g", 900, 0, label="pay")]
    count = draw(st.integers(0, 6))
    for number in range(count):
        fields: dict[str, Any] = {
            "label": draw(st.sampled_from(NAMES)),
            "type": draw(st.sampled_from(("service", "database", "external", "other", "user"))),
            "parent": draw(st.sampled_from((None, "shop", "g"))),
            "technology": draw(st.sampled_from(TECHNOLOGIES)),
        }
        if draw(st.booleans()):
            space, name = draw(st.sampled_from(SPACES)), draw(st.sampled_from(NAMES))
            cluster = draw(st.sampled_from(("prod", "staging")))
            fields["properties"] = {
                "workload": f"{space}/Deployment/{name}", "cluster": cluster, "namespace": space, "replicas": "2",
            }  # fmt: skip
        operations.append(node(f"n{number}", 24 + 200 * number, 40, **{k: v for k, v in fields.items() if v}))
    ends = st.tuples(st.integers(0, max(0, count - 1)), st.integers(0, max(0, count - 1)))
    pairs = draw(st.sets(ends.filter(lambda one: one[0] != one[1]), max_size=5)) if count > 1 else set()
    operations += [edge(f"n{a}", f"n{b}") for a, b in sorted(pairs)]
    locks = [f"n{number}" for number in range(count) if draw(st.integers(0, 4)) == 0]
    locks += ["shop"] if draw(st.integers(0, 5)) == 0 else []
    workspace = workspace_of(*operations)
    if locks:
        run(workspace, *({"op": "update_node", "id": one, "locked": True} for one in locks), revision=2)
    return workspace


def told(found: Comparison) -> list[str]:
    """The workloads of the rows about nodes, each as often as it is told."""
    return [name for row in found.rows if "line" not in row["kind"] for name in row["workloads"]]


@given(designs(), readings())
@settings(max_examples=60)
def test_everything_is_told_once_and_what_is_drawn_is_found_again(
    workspace: Workspace, running: ClusterReading
) -> None:
    """Each running thing is in one row; after drawing all that was not drawn, only what is ambiguous is not there."""
    found = compare(workspace.diagram, running)
    every = sorted([*(one.id for one in running.workloads), *(one.id for one in running.outside)])
    assert sorted(told(found)) == every
    nodes = [name for row in found.rows if "line" not in row["kind"] for name in row["nodes"]]
    assert len(nodes) == len(set(nodes))
    operations = operations_of(rows_to_draw(found.rows))
    if operations:
        run(workspace, *operations, revision=3)
    again = compare(workspace.diagram, running)
    assert rows_to_draw(again.rows) == []
    before = {one["id"] for one in found.rows if one["kind"] in ("ambiguous", "not_running", "line_without_evidence")}
    assert {one["id"] for one in again.rows if one["kind"] not in ("fits", "differs")} == before
    drawn = {one["workloads"][0] for one in found.rows if one["kind"] == "not_drawn"}
    assert {one["by"] for one in again.rows if drawn & set(one["workloads"])} <= {"recorded"}


@given(designs(), readings(), st.data())
@settings(max_examples=60)
def test_any_choice_of_rows_is_a_batch_that_fits(
    workspace: Workspace, running: ClusterReading, data: st.DataObject
) -> None:
    """Rows with what they need, each with any of its choices, are one batch without a problem."""
    rows = [one for one in compare(workspace.diagram, running).rows if one["choices"]]
    by_id = {one["id"]: one for one in rows}
    chosen = set(data.draw(st.lists(st.sampled_from(sorted(by_id)), unique=True))) if rows else set()
    chosen |= {need for name in chosen for need in by_id[name]["needs"]}
    picked = [
        one if one["needs"] else {**one, "choices": [data.draw(st.sampled_from(one["choices"]))]}
        for one in rows
        if one["id"] in chosen
    ]
    operations = operations_of(picked)
    if operations:
        run(workspace, *operations, revision=3)
