"""Flowcharts as operations: everything is new, one batch draws it whole, and what is there is left as it is."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given

from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import NodeId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.mermaid.writer import from_mermaid, to_mermaid
from draftsmith.model.workspace import Workspace, diagram_json
from draftsmith.transform.requests.drawn_flowchart import DrawnFlowchart, draw_flowchart
from draftsmith.usecases.upkeep.import_export import flowchart_operations
from tests.builders import assert_sound, canonical, edge, group, node, refusal_of, run, workspace_of
from tests.unit.test_mermaid import GOLDEN_DIAGRAM, HOSTILE, diagrams

LIMITS = WorkspaceLimits()


def drawn_flowchart(text: str, workspace: Workspace) -> DrawnFlowchart:
    found = from_mermaid(text, is_placed=False)
    assert found.fault is None
    return draw_flowchart(found.diagram, workspace.diagram)


def answered_operations(text: str, workspace: Workspace, most: int = LIMITS.operations) -> Any:
    """What a program is answered."""
    return orjson.loads(flowchart_operations(text, most, workspace))


def flowchart_error(text: str, most: int = LIMITS.operations) -> DraftsmithError:
    with pytest.raises(DraftsmithError) as refused:
        flowchart_operations(text, most, workspace_of())
    return refused.value


def test_one_batch_draws_groups_nodes_and_connections() -> None:
    workspace = workspace_of()
    text = (
        'flowchart TD\n  A[Web shop] -->|orders| B\n  subgraph core[Core]\n    B[("Orders<br/>[PostgreSQL]")]\n  end\n'
        "  style B stroke:#dc2626,stroke-width:2px\n"
    )
    flowchart = drawn_flowchart(text, workspace)
    assert flowchart.operations == [
        {"op": "add_node", "id": "web-shop", "type": "web", "label": "Web shop"},
        {"op": "add_node", "id": "core", "type": "group", "label": "Core"},
        {
            "op": "add_node", "id": "orders", "type": "database", "label": "Orders", "technology": "PostgreSQL",
            "color": "red", "parent": "core",
        },
        {
            "op": "add_edge", "source": "web-shop", "target": "orders", "kind": "sync", "direction": "forward",
            "label": "orders",
        },
    ]  # fmt: skip
    assert (flowchart.new_ids, flowchart.namesakes) == (["web-shop", "core", "orders"], [])
    run(workspace, *flowchart.operations)
    assert_sound(workspace)


def test_a_group_comes_before_what_stands_in_it_wherever_it_is_written() -> None:
    text = "flowchart LR\n  x --> y\n  subgraph g\n    subgraph x\n      y\n    end\n  end\n"
    deep = "flowchart LR\n" + "".join(f"subgraph g{n}\n" for n in range(32)) + "a\n" + "end\n" * 32
    for one in (text, deep):
        seen: set[str] = set()
        for operation in drawn_flowchart(one, workspace_of()).operations:
            assert operation["op"] == "add_edge" or operation.get("parent", operation["id"]) in {*seen, operation["id"]}
            seen.add(operation.get("id", ""))


def test_nothing_is_taken_for_what_is_there() -> None:
    """Not by its id, nor by its label; both are told, and so are groups."""
    workspace = workspace_of(
        node("orders", label="Sales"), node("x", label="Payments"), node("orders-2"), group("core"), edge("orders", "x")
    )
    before = {one["id"]: one for one in diagram_json(workspace.diagram)["nodes"]}
    text = (
        "flowchart LR\n  orders[Orders]\n  orders-3[Third]\n  subgraph core[Core]\n    pay[payments ]\n  end\n"
        "  orders --> pay\n"
    )
    flowchart = drawn_flowchart(text, workspace)
    assert flowchart.new_ids == ["orders-4", "orders-3", "core-2", "pay"]
    assert flowchart.namesakes == ["orders-4", "core-2", "pay"]
    run(workspace, *flowchart.operations)
    after = {one["id"]: one for one in diagram_json(workspace.diagram)["nodes"]}
    assert after["pay"]["parent"] == "core-2"
    assert [(one["source"], one["target"]) for one in diagram_json(workspace.diagram)["edges"]] == [
        ("orders", "x"),
        ("orders-4", "pay"),
    ]
    whatever_its_place = [{**one, "position": None} for one in before.values()]
    assert [{**after[one], "position": None} for one in before] == whatever_its_place


@given(diagrams())
def test_our_own_export_comes_again_beside_itself(diagram: dict[str, Any]) -> None:
    """All of it, with its types, technologies, looks, groups and connections; whatever is drawn fits as it is."""
    workspace = workspace_of()
    text = to_mermaid(diagram)
    for _ in range(2):
        before = canonical(workspace)
        flowchart = drawn_flowchart(text, workspace)
        assert canonical(workspace) == before
        run(workspace, *flowchart.operations)
        assert_sound(workspace)
    both = diagram_json(workspace.diagram)
    labels = {one["id"]: one["label"] for one in both["nodes"]}
    facts = {
        one["id"]: (
            one["type"],
            one["label"],
            one["technology"],
            one["color"],
            one["style"],
            labels.get(one["parent"] or NodeId(""), ""),
        )
        for one in both["nodes"]
    }
    given_ids = {one["id"] for one in diagram["nodes"]}
    assert sorted(facts[one] for one in given_ids) == sorted(facts[one] for one in facts.keys() - given_ids)
    looks = ("color", "style", "shape")
    of_edges = [(one["kind"], one["direction"], *(one[look] for look in looks)) for one in both["edges"]]
    given = [(one["kind"], one["direction"], *(one.get(look, "") for look in looks)) for one in diagram["edges"]]
    assert sorted(of_edges) == sorted(given * 2)


def test_every_field_that_mermaid_can_say_is_drawn() -> None:
    """The golden export comes back in operations, field by field."""
    operations = drawn_flowchart(to_mermaid(GOLDEN_DIAGRAM), workspace_of()).operations
    nodes = {one["id"]: one for one in operations if one["op"] == "add_node"}
    for one in GOLDEN_DIAGRAM["nodes"]:
        assert {"op": "add_node", **one} == nodes[one["id"]]


def test_what_a_label_has_no_room_for_stands_in_the_description() -> None:
    (operation,) = drawn_flowchart("flowchart LR\n  a[" + "word " * 40 + "]\n", workspace_of()).operations
    assert operation["op"] == "add_node"
    assert operation["label"].endswith("…")
    assert operation["description"] == ("word " * 40).strip()


def test_no_places_are_looked_for_where_the_batch_finds_them() -> None:
    text = to_mermaid(GOLDEN_DIAGRAM)
    unplaced = from_mermaid(text, is_placed=False)
    assert not any({"position", "size"} & node.keys() for node in unplaced.diagram["nodes"])
    without = ("position", "size")
    assert unplaced.diagram["nodes"] == [
        {name: value for name, value in node.items() if name not in without}
        for node in from_mermaid(text).diagram["nodes"]
    ]


def test_lines_that_are_not_taken_over_are_told_with_their_place() -> None:
    answer = answered_operations("flowchart LR\n  a --> b\n  style a fill:#f00\n  ??? what\n", workspace_of())
    assert [(one["code"], one["path"]) for one in answer["warnings"]] == [("line_unread", "/text")] * 2
    assert answer["warnings"][0]["message"].startswith("Line 3 was not taken over: `style` is not kept.")
    many = answered_operations("flowchart LR\n  a\n" + "style a fill:#f00\n" * 5_000, workspace_of())
    assert len(many["warnings"]) == 100
    assert answered_operations("flowchart LR\n", workspace_of())["operations"] == []


def test_what_is_no_flowchart_is_refused_with_its_line() -> None:
    error = flowchart_error("%% mine\nsequenceDiagram\n  A->>B: hi\n")
    assert (error.code, error.extra) == ("mermaid_unread", {"line": 2})
    assert [(one.path, one.candidates) for one in error.problems] == [("/text", ("flowchart", "graph"))]


def test_more_than_a_batch_is_refused_whole() -> None:
    """With what it comes to; exactly a batch is drawn."""
    text = "flowchart LR\n" + "\n".join(f"n{n} --> n{n + 1}" for n in range(250))
    error = flowchart_error(text)
    assert (error.code, error.problems[0].path) == ("limit_operations", "/text")
    assert "501 nodes and connections" in error.detail
    assert len(answered_operations(f"{text}\nn0 --> n2", workspace_of(), 502)["operations"]) == 502


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[13:25].strip())
def test_hostile_texts_are_drawn_or_refused(text: str) -> None:
    """A megabyte each: what is answered has as many operations as a batch, and few warnings."""
    answers: list[Any] = []
    code = refusal_of(lambda: answers.append(answered_operations(text[:1_000_000], workspace_of())))
    assert code in ("", "mermaid_unread", "limit_operations")
    for answer in answers:
        assert len(answer["operations"]) <= LIMITS.operations
        assert len(answer["warnings"]) <= 100
