"""The diagram as text: read and written as the page does, whatever is in it, within bounds."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from draftsmith.model.custom_types import NO_TYPES, CustomTypes
from draftsmith.model.diagram_text.reader import MAX_BYTES, MAX_LINES, from_text, read, recognizes
from draftsmith.model.diagram_text.syntax import BLANKS, one_line, read_line
from draftsmith.model.diagram_text.writer import to_text
from draftsmith.model.fields import edge_json, node_json
from draftsmith.model.ids import NodeId
from draftsmith.model.readers.reading import SourceFile, SourceSet, UnreadableSource
from draftsmith.model.readers.registry import recognize
from draftsmith.model.shapes import DiagramOut
from draftsmith.model.type_words import type_of_name
from tests.node.diagram_texts import agrees, diagram_of, drawn

CASES: dict[str, Any] = json.loads((Path(__file__).parents[1] / "fixtures/diagram-text.json").read_text("utf-8"))


def by_case_name(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    """Cases under their names."""
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def export_form(diagram: Any, types: CustomTypes = NO_TYPES) -> DiagramOut:
    """A diagram in the full export form, of one with some of its fields."""
    nodes = [node_json(one["id"], _besides(one, "id")) for one in diagram["nodes"]]
    edges = [
        edge_json(one["id"], one["source"], one["target"], _besides(one, "id", "source", "target"))
        for one in diagram["edges"]
    ]
    return {"nodes": nodes, "edges": edges, "types": dict(types)}


def _besides(fields: Any, *names: str) -> Any:
    return {name: value for name, value in fields.items() if name not in names}


def test_types_are_called_as_the_page_calls_them() -> None:
    for name, node_type in CASES["types"]:
        found = read_line(f"x ({name})")
        assert getattr(found, "type", None) == node_type


@pytest.mark.parametrize("name, node_type", CASES["names"])
def test_a_name_says_the_type_that_the_page_takes(name: str, node_type: str | None) -> None:
    assert type_of_name(name, "none") == (node_type or "none")


@by_case_name(CASES["read"])
def test_a_text_is_read_as_the_page_draws_it(case: dict[str, Any]) -> None:
    """Nodes, groups and connections are the same, and so are the lines that are none of these, and why."""
    found = drawn(case["text"])
    assert found["nodes"] == case["nodes"]
    assert found["edges"] == case["edges"]
    assert [line for line, _ in found["unread"]] == [line for line, _ in case["unread"]]
    for (_, reason), (_, sentence) in zip(found["unread"], case["unread"], strict=True):
        assert agrees(reason, sentence)


@by_case_name(CASES["printed"])
def test_a_diagram_is_printed_as_the_page_prints_it(case: dict[str, Any]) -> None:
    assert to_text(export_form(case["diagram"], case.get("types", {}))) == case["text"]


def test_what_is_printed_is_read_again() -> None:
    """All that lines can say is the same afterwards, whatever things are called, and is printed the same again."""
    draw = random.Random(20_261_129)
    for _ in range(200):
        diagram = diagram_of(draw)
        text = to_text(diagram)
        found = from_text(text)
        assert found.unread == []
        before, after = _sayable(diagram), _sayable(export_form(found.diagram))
        assert after == before
        assert sorted(to_text(export_form(found.diagram)).split("\n")) == sorted(text.split("\n"))


def _sayable(diagram: DiagramOut) -> list[tuple[object, ...]]:
    """What lines can say of a diagram, in no order and without ids."""
    labels = {node["id"]: _on_one_line(node["label"]) for node in diagram["nodes"]}
    nodes: list[tuple[object, ...]] = [
        (labels[node["id"]], node["type"], _on_one_line(node["technology"]), labels.get(node["parent"] or NodeId("")))
        for node in diagram["nodes"]
    ]
    edges: list[tuple[object, ...]] = [
        (labels[edge["source"]], labels[edge["target"]], _on_one_line(edge["label"]), edge["kind"], edge["direction"])
        for edge in diagram["edges"]
    ]
    return [*sorted(nodes, key=repr), *sorted(edges, key=repr)]


def _on_one_line(text: str) -> str:
    return one_line(text).strip(BLANKS)


def test_ids_of_the_text_are_kept_and_no_other_node_gets_one_of_them() -> None:
    found = from_text("orders-db\nOrders #orders-db\nOrders DB\n  注文\n")
    assert [node["id"] for node in found.diagram["nodes"]] == ["orders-db-2", "orders-db", "orders-db-3", "service-1"]
    assert found.own_ids == {"orders-db": "orders-db"}


def test_nodes_get_places_as_those_of_a_flowchart_do() -> None:
    found = from_text("Shop\n  Orders\nShop -> Mail\n")
    assert all("position" in node for node in found.diagram["nodes"])
    assert "size" in found.diagram["nodes"][0]
    assert not any("position" in node for node in from_text("Shop\n  Orders\n", is_placed=False).diagram["nodes"])


@pytest.mark.parametrize(
    "text, reason",
    [
        ("x" * (MAX_BYTES + 1), "the text is longer than 5 MB"),
        ("é" * (MAX_BYTES // 2 + 1), "the text is longer than 5 MB"),
        ("\n" * MAX_LINES, "the text has more than 100,000 lines"),
        ("A (nothing)\n", "“nothing” is no type"),
    ],
    ids=["characters", "bytes", "lines", "no line"],
)
def test_what_cannot_be_read_at_all_says_why(text: str, reason: str) -> None:
    found = from_text(text)
    assert found.fault is not None
    assert found.fault.reason.startswith(reason)
    assert found.diagram == {"nodes": [], "edges": []}


def test_more_than_a_workspace_may_hold_is_listed() -> None:
    """Nodes, connections, depth and length of a line are bounded; what is beyond is listed, up to 1,000 lines."""
    lines = [f"n{number}" for number in range(10_001)]
    found = from_text("\n".join(lines), is_placed=False)
    assert (len(found.diagram["nodes"]), [one.reason for one in found.unread]) == (
        10_000, ["there are more than 10,000 nodes"],
    )  # fmt: skip
    pairs = [f"n{one} -> n{other}" for one in range(150) for other in range(150) if one != other]
    found = from_text("\n".join(pairs), is_placed=False)
    assert len(found.diagram["edges"]) == 20_000
    assert found.unread[0].reason == "there are more than 20,000 connections"
    assert (len(found.unread), found.unread[-1].reason) == (1_001, "and 1,350 more lines after this one")
    found = from_text("\n".join("  " * depth + f"g{depth}" for depth in range(40)))
    assert len(found.diagram["nodes"]) == 33
    assert found.unread[0].reason == "groups are nested more than 32 deep"
    assert from_text(f"A\n{'x' * 10_001}\n").unread[0].reason == "the line is longer than 10,000 characters"


def test_an_unknown_type_costs_an_import_the_type_and_not_the_node() -> None:
    """What stands below makes a group of it, as of any other; what cannot be an id is no type anywhere."""
    text = "Stripe (payment-provider) [REST]\nCore (kernel)\n  Orders\nStripe -> Orders\nPlan (two words)\n"
    found = from_text(text, is_placed=False, takes_unknown_types=True)
    assert [(one["label"], one["type"], one.get("custom_type")) for one in found.diagram["nodes"]] == [
        ("Stripe", "external", "payment-provider"), ("Core", "group", None), ("Orders", "service", None),
    ]  # fmt: skip
    assert len(found.diagram["edges"]) == 1
    assert [(one.line, one.reason.split(" is ")[0]) for one in found.unread] == [
        (1, "“payment-provider”"), (2, "“kernel”"), (5, "“two words”"),
    ]  # fmt: skip


def test_a_file_is_recognized_by_its_ending_and_named_after_it() -> None:
    file = SourceFile("plans/Shop.diagram.txt", b"\xef\xbb\xbfWeb shop -> Orders\nOrders #a\r\nMail (nothing)\n")
    assert recognizes(file)
    assert not recognizes(SourceFile("notes.txt", file.content))
    [one] = recognize([file]).sets
    [found] = read(one.sources)
    assert (one.reader, found.name, found.sources, found.is_placed) == ("text", "Shop", {"a": "a"}, False)
    assert [(part.file, part.place) for part in found.unread] == [("plans/Shop.diagram.txt", "line 3")]


def test_a_file_that_is_no_text_is_refused() -> None:
    for content, reason in ((b"\xff", "it is not UTF-8 at byte 0"), (b"-> a", "an arrow stands between")):
        file = SourceFile("a.diagram.txt", content)
        with pytest.raises(UnreadableSource, match=reason):
            read(SourceSet(file, {file.path: file}))
