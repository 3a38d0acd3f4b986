"""A node is named by its id, or by a label that only one has: in every operation, and wherever somebody reads."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest

from draftsmith.agents.marks import node_mark
from draftsmith.agents.reading_parts import read_nodes
from draftsmith.assistant.answers.feedback import rejection_text
from draftsmith.assistant.tools.readers import READERS
from draftsmith.collab.client_messages import Submit
from draftsmith.errors import BatchRejected, Problem
from draftsmith.history.actor import Actor
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import Workspace
from draftsmith.transform.resolvers.names import NAMES
from draftsmith.usecases.live.requests import request_of
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.identity import RequestIdentity
from tests.builders import Op, canonical, edge, group, node, run, update, workspace_of

ROOT = Path(__file__).parents[2]
_ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| ([^|]*\bnode ids?\b[^|]*) \|", re.MULTILINE)
PLACE = {"x": 900, "y": 40}


def shop_with_twins() -> Workspace:
    return workspace_of(
        group("core", label="Core Services"),
        node("orders", label="Order Service", parent="core"),
        node("db", 300, label="Orders DB"),
        node("web", 600, label="Café  Web"),
        node("twin-1", 900, label="Twin"),
        node("twin-2", 1_200, label="twin"),
        node("mail", 1_500, label="db"),
        edge("web", "orders", id="w"),
        edge("orders", "db", id="o"),
    )


# Each operation with every field that names a node, by label and by id.
NAMED: list[tuple[Op, Op]] = [
    (node("n", near="Order Service"), node("n", near="orders")),
    (node("n", parent="Core Services"), node("n", parent="core")),
    (update("Order Service", notes="x"), update("orders", notes="x")),
    ({"op": "delete_node", "id": "Orders DB"}, {"op": "delete_node", "id": "db"}),
    ({"op": "delete_nodes", "ids": ["Orders DB", "web"]}, {"op": "delete_nodes", "ids": ["db", "web"]}),
    (
        {"op": "move_nodes", "positions": {"Orders DB": PLACE}, "sizes": {"Orders DB": {"width": 99, "height": 50}}},
        {"op": "move_nodes", "positions": {"db": PLACE}, "sizes": {"db": {"width": 99, "height": 50}}},
    ),
    (edge("Orders DB", "Café  Web"), edge("db", "web")),
    (
        {"op": "update_edge", "source": "Order Service", "target": "Orders DB", "label": "x"},
        {"op": "update_edge", "source": "orders", "target": "db", "label": "x"},
    ),
    (
        {"op": "delete_edge", "source": "Order Service", "target": "Orders DB"},
        {"op": "delete_edge", "source": "orders", "target": "db"},
    ),
    (
        {"op": "rewire_edge", "source": "Order Service", "target": "Orders DB", "new_target": "Café Web"},
        {"op": "rewire_edge", "source": "orders", "target": "db", "new_target": "web"},
    ),
    (
        {"op": "rewire_edge", "id": "o", "new_source": "Café Web"},
        {"op": "rewire_edge", "id": "o", "new_source": "web"},
    ),
    (
        {"op": "insert_between", "source": "Order Service", "target": "Orders DB", "node": "Café Web"},
        {"op": "insert_between", "source": "orders", "target": "db", "node": "web"},
    ),
    (
        {
            "op": "insert_between",
            "source": "Order Service",
            "target": "Orders DB",
            "node": {"type": "cache", "label": "Cache", "parent": "Core Services", "near": "Order Service"},
        },
        {
            "op": "insert_between",
            "source": "orders",
            "target": "db",
            "node": {"type": "cache", "label": "Cache", "parent": "core", "near": "orders"},
        },
    ),
    (
        {"op": "group_nodes", "label": "Both", "ids": ["Orders DB", "Café Web"]},
        {"op": "group_nodes", "label": "Both", "ids": ["db", "web"]},
    ),
    ({"op": "ungroup_nodes", "id": "Core Services"}, {"op": "ungroup_nodes", "id": "core"}),
    (
        {"op": "move_to_group", "ids": ["Orders DB"], "group": "Core Services", "positions": {"Orders DB": PLACE}},
        {"op": "move_to_group", "ids": ["db"], "group": "core", "positions": {"db": PLACE}},
    ),
    (
        {"op": "layout_diagram", "scope": "ids", "ids": ["Orders DB", "Café Web"]},
        {"op": "layout_diagram", "scope": "ids", "ids": ["db", "web"]},
    ),
]


def problems_of(workspace: Workspace, *operations: Op) -> list[Problem]:
    before = canonical(workspace)
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, *operations)
    assert canonical(workspace) == before
    return list(rejected.value.problems)


def test_every_field_that_names_a_node_is_known() -> None:
    """What docs/operations.md calls a node id is looked up by label, too, and each of these fields has a case here."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    documented = {(operation, field) for operation, field, _ in _ROW.findall(page)}
    assert documented == {(operation, field) for operation, fields in NAMES.items() for field in fields}
    assert documented == {(by_label["op"], f) for by_label, _ in NAMED for f in by_label if f in NAMES[by_label["op"]]}


@pytest.mark.parametrize("by_label,by_id", NAMED)
def test_a_label_that_only_one_has_names_its_node(by_label: Op, by_id: Op) -> None:
    """In every field; what comes of it is what comes of the ids."""
    one, other = shop_with_twins(), shop_with_twins()
    done, expected = run(one, by_label), run(other, by_id)
    assert canonical(one) == canonical(other)
    assert [result.to_json() for result in done.results] == [result.to_json() for result in expected.results]


@pytest.mark.parametrize("by_label", [by_label for by_label, _ in NAMED])
def test_a_label_that_two_have_names_none(by_label: Op) -> None:
    """It is refused in every field, with the ids of both."""
    text = orjson.dumps(by_label).decode()
    for label in ("Order Service", "Orders DB", "Café  Web", "Café Web", "Core Services"):
        if f'"{label}"' not in text or "web" in by_label.get("ids", ()):
            continue
        operation = orjson.loads(text.replace(f'"{label}"', '"Twin"'))
        found = problems_of(shop_with_twins(), operation)
        assert {problem.code for problem in found} == {"node_ambiguous"}
        assert found[0].candidates == ("twin-1", "twin-2")
        assert "'twin-1', 'twin-2'" in found[0].message


@pytest.mark.parametrize("name", ["order service", " Order \t Service", "ORDER SERVICE", "Orders", "ORDERS"])
def test_letter_case_and_white_space_do_not_count(name: str) -> None:
    """In labels, and in ids."""
    workspace = shop_with_twins()
    run(workspace, update(name, notes="x"))
    assert workspace.diagram["orders"]["notes"] == "x"  # type: ignore[index]


def test_forms_of_unicode_do_not_count() -> None:
    """A label is the same composed and decomposed."""
    workspace = shop_with_twins()
    run(workspace, update("cafe\u0301 web", notes="x"))
    assert workspace.diagram["web"]["notes"] == "x"  # type: ignore[index]


def test_an_id_wins_over_a_label() -> None:
    """Even if another node alone is called so."""
    workspace = shop_with_twins()
    run(workspace, update("db", notes="x"))
    assert workspace.diagram["db"]["notes"] == "x"  # type: ignore[index]
    assert "notes" not in workspace.diagram["mail"]  # type: ignore[index]


def test_a_node_that_the_batch_has_made_is_named_by_its_label() -> None:
    """Also after it was renamed in the batch, and not by the label it had, or one that the batch has given twice."""
    workspace = shop_with_twins()
    run(
        workspace,
        {"op": "add_node", "type": "queue", "label": "Order Queue"},
        edge("Order Service", "Order Queue"),
        {"op": "group_nodes", "label": "Messaging", "ids": ["Order Queue"]},
        {"op": "move_to_group", "ids": ["Orders DB"], "group": "Messaging"},
        update("Order Queue", label="Mail Queue"),
        edge("Mail Queue", "Orders DB"),
    )
    assert workspace.diagram.edges_between("orders", "order-queue")  # type: ignore[arg-type]
    assert workspace.diagram.edges_between("order-queue", "db")  # type: ignore[arg-type]
    assert workspace.diagram.parent("db") == "messaging"  # type: ignore[arg-type]
    [renamed] = problems_of(workspace, update("mail queue", label="Old"), edge("web", "Mail Queue"))
    assert (renamed.code, renamed.caused_by) == ("node_not_found", 0)
    assert "operations[0] of this batch renamed it" in renamed.message
    [twice] = problems_of(workspace, node("n", label="Orders DB"), edge("web", "Orders DB"))
    assert (twice.code, twice.candidates) == ("node_ambiguous", ("db", "n"))


def test_a_node_that_was_refused_is_the_cause() -> None:
    """An edge to it by its label names the operation that would have made it."""
    problems = problems_of(
        shop_with_twins(), {"op": "add_node", "type": "bnaana", "label": "New Cache"}, edge("web", "new cache")
    )
    assert [(one.code, one.caused_by) for one in problems] == [("type_unknown", None), ("node_not_found", 0)]


def test_all_wrong_names_of_an_operation_come_at_once() -> None:
    """Each with its place."""
    problems = problems_of(
        shop_with_twins(),
        edge("Nobody", "Twin"),
        {"op": "delete_nodes", "ids": ["web", "nowhere", "none"]},
        {"op": "move_nodes", "positions": {"a/b": PLACE, "Orders DB": PLACE, "db": PLACE}},
    )
    assert [(one.code, one.path.removeprefix("/operations")) for one in problems] == [
        ("node_not_found", "/0/source"),
        ("node_ambiguous", "/0/target"),
        ("node_not_found", "/1/ids/1"),
        ("node_not_found", "/1/ids/2"),
        ("node_not_found", "/2/positions/a~1b"),
        ("field_invalid", "/2/positions/db"),
    ]


def test_a_whole_diagram_names_the_nodes_of_its_list() -> None:
    """By label as by id: the groups of nodes and the ends of edges; not nodes that are not in it."""
    workspace = shop_with_twins()
    nodes = [
        {"id": "core"},
        {"id": "orders", "parent": "core services"},
        {"id": "n", "type": "cache", "label": "Cache", "parent": "Core Services"},
    ]
    run(workspace, {"op": "replace_diagram", "nodes": nodes, "edges": [{"source": "Order Service", "target": "cache"}]})
    assert workspace.diagram.edges_between("orders", "n")  # type: ignore[arg-type]
    assert workspace.diagram.parent("n") == "core"  # type: ignore[arg-type]
    wrong = {
        "op": "replace_diagram",
        "nodes": [{"id": "core", "parent": "Orders DB"}, {"id": "orders"}, {"id": "n", "label": "Order Service"}],
        "edges": [{"source": "Order Service", "target": "core"}],
    }
    assert [(one.code, one.path) for one in problems_of(workspace, wrong)] == [
        ("node_not_found", "/operations/0/nodes/0/parent"),
        ("node_ambiguous", "/operations/0/edges/0/source"),
    ]


def test_agents_and_models_read_nodes_by_the_same_names() -> None:
    """`read_nodes`: labels that one has, each node once; of the others what is wrong."""
    workspace = shop_with_twins()
    names = ["Order Service", "orders", "café web", "TWIN", "Ordr Service"]
    agent = orjson.loads(read_nodes(names, workspace))
    model = READERS["read_nodes"](workspace, {"ids": names})
    assert [one["id"] for one in agent["data"]["nodes"]] == ["orders", "web"]
    assert [one["id"] for one in model.data["nodes"]] == ["orders", "web"]
    assert agent["marks"] == [node_mark("orders"), node_mark("web")]
    several, none = agent["data"]["not_read"]
    assert several == "Several nodes are called 'TWIN': 'twin-1', 'twin-2'. Give an id."
    assert none.startswith('There is no node "Ordr Service". Closest: orders')
    assert model.data["missing"] == ["TWIN", "Ordr Service"]
    assert several in model.text
    assert none in model.text


def test_suggestions_are_of_one_source() -> None:
    """What the message suggests is the first of the candidates, and of what a model is told to be closest."""
    workspace = shop_with_twins()
    [problem] = problems_of(workspace, update("order", notes="x"))
    suggested = re.search(r"Did you mean '(.+?)'\?", problem.message)
    assert suggested is not None
    assert suggested[1] == problem.candidates[0]
    assert len(problem.candidates) > 1
    with pytest.raises(BatchRejected) as rejected:
        run(workspace, update("order", notes="x"))
    said = rejection_text(rejected.value)
    assert f"Closest: {', '.join(problem.candidates)}." in said
    [row] = orjson.loads(read_nodes(["order"], workspace))["data"]["not_read"]
    assert row.endswith(f"Closest: {', '.join(problem.candidates)}.")


def test_where_ids_alone_count_a_label_is_none() -> None:
    """Addresses and pages name nodes by id: another that is called so is not meant."""
    with pytest.raises(BatchRejected) as rejected:
        run(shop_with_twins(), {"op": "delete_node", "id": "Order Service"}, by_id=True)
    assert [one.code for one in rejected.value.problems] == ["node_not_found"]


def test_what_a_page_sends_names_nodes_by_id() -> None:
    """It may have been queued while the page was offline, and its node be gone."""
    operation = {"op": "delete_node", "id": "order service"}
    message = Submit(t="submit", id="12345678", operations=[operation])
    actor = Actor("ana", "Ana", "person")
    request = request_of(message, RequestIdentity("b", "t", is_given=True), actor, WorkspaceLimits())
    assert isinstance(request, BatchRequest)
    assert request.by_id
