"""Notes and texts: nodes that say something about a diagram and are no part of what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from draftsmith.assistant.tools.node_search import find_nodes
from draftsmith.assistant.tools.queries import impact, unconnected_nodes
from draftsmith.model.fields import size_for, split_text, written_on
from draftsmith.model.ids import NodeId
from draftsmith.model.mermaid.writer import from_mermaid, to_mermaid
from draftsmith.model.rules import lint_all, lint_touched
from draftsmith.model.vocabulary import ANNOTATIONS
from draftsmith.workloads.comparison import compare
from draftsmith.workloads.reading import read_workloads
from tests.builders import edge, fields, node, run, workspace_of
from tests.clusters import reading, workload

CASES = orjson.loads((Path(__file__).parents[1] / "fixtures" / "annotations.json").read_bytes())


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["text"][:20]))
def test_a_text_is_a_label_and_the_rest_as_the_page_splits_it(case: dict[str, str]) -> None:
    """The first line is the name, at most 120 characters; what is written is the same when it is split again."""
    label, description = split_text(case["text"])
    assert (label, description) == (case["label"], case["description"])
    assert split_text(written_on({"label": label, "description": description})) == (label, description)


@pytest.mark.parametrize("kind", ANNOTATIONS)
def test_what_is_no_part_of_the_system_needs_no_connection_and_no_words_on_its_line(kind: str) -> None:
    """Neither a lonely note nor the line from one to what it is about is a warning; other nodes and lines still are."""
    services = [node("a"), node("b", 300), node("alone", 600), edge("a", "b", label="calls")]
    notes = [node("lonely", type=kind), node("about", type=kind), edge("about", "a", direction="none")]
    workspace = workspace_of(*services)
    run(workspace, *notes)
    assert lint_touched(workspace, ["lonely", "about"], ["about--a"], [], span=None, removed=[]) == []
    told = {(problem.code, problem.path) for problem in lint_all(workspace)}
    assert told == {("orphan", "/diagram/nodes/alone")}
    assert unconnected_nodes(workspace) == ["alone"]


def test_a_note_without_a_size_is_as_large_as_its_text_needs() -> None:
    """A given size stays, and so does that of a node that was there."""
    text = "word " * 60
    workspace = workspace_of(
        node("short", type="note", label="Ask"),
        node("long", type="note", label="Ask", description=text),
        node("given", type="note", size={"width": 300, "height": 40}),
        node("words", type="text", label="Everything below is planned"),
        node("plain"),
    )
    sizes = {name: fields(workspace, name).get("size") for name in ("short", "long", "given", "words", "plain")}
    assert sizes["short"] == size_for("note", "Ask")
    assert sizes["long"]["height"] > sizes["short"]["height"] + 200
    assert sizes["long"]["width"] == sizes["short"]["width"]
    assert sizes["given"] == {"width": 300, "height": 40}
    assert 100 < sizes["words"]["width"] < 300
    assert sizes["words"]["height"] == 40
    assert sizes["plain"] is None
    assert size_for("note", "\n" * 100_000)["height"] < 20_000


def test_a_whole_diagram_says_the_sizes_of_its_notes() -> None:
    """Nothing is added to what a whole diagram says: what was exported comes back as it was."""
    wanted: dict[str, Any] = {"id": "n", "type": "note", "label": "Ask", "position": {"x": 0, "y": 0}}
    workspace = workspace_of({"op": "replace_diagram", "nodes": [wanted], "edges": []})
    assert "size" not in fields(workspace, "n")


def test_mermaid_has_the_whole_text_and_gives_it_back() -> None:
    """With its colour, in a group, beside nodes whose descriptions Mermaid cannot hold."""
    written = [
        {
            "id": "q",
            "type": "note",
            "label": "Open question",
            "description": "Who [pays]?\n\nAnd when?",
            "color": "pink",
        },
        {"id": "t", "type": "text", "label": "Planned"},
        {"id": "s", "type": "service", "label": "Orders", "description": "Takes orders"},
    ]
    text = to_mermaid({"nodes": written, "edges": []})  # type: ignore[typeddict-item]
    read = {one["id"]: one for one in from_mermaid(text, is_placed=False).diagram["nodes"]}
    assert read["q"] == written[0]
    assert read["t"] == written[1]
    assert "description" not in read["s"]


def test_no_note_is_looked_for_among_what_runs() -> None:
    """Neither as something that does not run, nor as the workload of its name."""
    workspace = workspace_of(node("n", type="note", label="Orders"), node("t", type="text", label="Billing"))
    rows = compare(workspace.diagram, read_workloads(reading(workload("orders")))).rows
    assert [(one["kind"], one["nodes"]) for one in rows] == [("not_drawn", [])]


def test_no_note_breaks_and_a_text_editor_is_found_by_its_name() -> None:
    """What is said about a thing does not depend on it; words of types still find what is called so."""
    workspace = workspace_of(
        node("store", label="Store"), node("api", label="Text editor"), node("ask", type="note", label="Ask the bank"),
        edge("api", "store", label="reads"), edge("ask", "store"), edge("ask", "store", kind="data", label="about"),
    )  # fmt: skip
    found = impact(workspace, NodeId("store"))
    assert [row.id for row in (*found.breaks, *found.backs_up)] == ["api"]
    assert find_nodes(workspace, "text").ids == ["api"]
    assert find_nodes(workspace, "note").ids == ["ask"]
