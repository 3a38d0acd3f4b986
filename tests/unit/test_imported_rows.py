"""Rows of an import into a workspace that is there: recognized or new, changed, gone; what people did is kept."""

from __future__ import annotations

import pytest

from draftsmith.model.diagram import Diagram
from draftsmith.model.document import Document
from draftsmith.model.fields import EdgeAttributes, NodeAttributes, SparseDiagram, SparseEdge, SparseNode
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.readers.sources import SOURCE
from draftsmith.transform.requests.imported_diagram import ReadDiagram, add_diagram_rows
from draftsmith.transform.requests.imported_document import add_document_rows
from draftsmith.transform.requests.imported_rows import ImportRowOut, ImportRows


def mark(source_id: str, file: str = "plan.drawio") -> dict[str, str]:
    return {SOURCE: f"drawio:{file}#{source_id}"}


def sparse_node(name: str, *, source: str = "", **fields: object) -> SparseNode:
    marks = {"properties": mark(source)} if source else {}
    return {"id": NodeId(name), "type": "service", "label": name.title(), **marks, **fields}  # type: ignore[typeddict-item]


def sparse_edge(source: str, target: str, *, mark_id: str = "", **fields: object) -> SparseEdge:
    marks = {"properties": mark(mark_id)} if mark_id else {}
    ends = {"source": NodeId(source), "target": NodeId(target)}
    return {"id": EdgeId(f"{source}--{target}"), **ends, **marks, **fields}  # type: ignore[typeddict-item]


def diagram_of(*elements: SparseNode | SparseEdge) -> Diagram:
    diagram = Diagram()
    for number, one in enumerate(elements, 1):
        fields = {key: value for key, value in one.items() if key not in ("id", "source", "target")}
        if "source" in one:
            diagram.add_edge(EdgeId(one["id"]), one["source"], one["target"], EdgeAttributes(**fields, birth=number))  # type: ignore[typeddict-item]
        else:
            diagram.add_node(NodeId(one["id"]), NodeAttributes(**fields, birth=number))  # type: ignore[typeddict-item]
    return diagram


def rows_of(diagram: Diagram, *elements: SparseNode | SparseEdge, is_placed: bool = False) -> ImportRows:
    read: SparseDiagram = {
        "nodes": [one for one in elements if "source" not in one],  # type: ignore[misc]
        "edges": [one for one in elements if "source" in one],  # type: ignore[misc]
    }
    rows = ImportRows()
    add_diagram_rows(rows, ReadDiagram(read, is_placed), diagram)
    return rows


def row_ids(rows: list[ImportRowOut]) -> list[str]:
    return [row["id"] for row in rows]


def test_into_an_empty_diagram_everything_is_new_and_in_order() -> None:
    """Groups before what stands in them, nodes before their edges; each row says what it needs."""
    rows = rows_of(
        Diagram(),
        sparse_node("web", parent="zone"),
        sparse_node("zone", type="group"),
        sparse_node("db"),
        sparse_edge("web", "db", label="reads"),
    )
    assert row_ids(rows.new) == ["new:node:zone", "new:node:db", "new:node:web", "new:edge:web--db"]
    assert [row["needs"] for row in rows.new] == [[], [], ["new:node:zone"], ["new:node:web", "new:node:db"]]
    assert (rows.changed, rows.missing, rows.unchanged) == ([], [], 0)


def test_the_same_source_again_is_recognized_and_nothing_differs() -> None:
    """Wherever people have put it, and whatever they have added to it."""
    here = diagram_of(
        sparse_node("zone", type="group"),
        sparse_node(
            "web", source="1", parent="zone", position={"x": 900, "y": 5}, size={"width": 300, "height": 90}, notes="!"
        ),
        sparse_node("db", source="2"),
        sparse_edge("web", "db", mark_id="3", route=[{"x": 1, "y": 2}], description="by us"),
    )
    rows = rows_of(
        here,
        sparse_node("web", source="1", position={"x": 0, "y": 0}),
        sparse_node("db", source="2"),
        sparse_edge("web", "db", mark_id="3"),
    )
    assert (rows.new, rows.changed, rows.missing, rows.unchanged) == ([], [], [], 3)


def test_what_the_source_says_otherwise_is_changed_and_only_that() -> None:
    here = diagram_of(
        sparse_node("web", source="1", technology="Go", properties={**mark("1"), "owner": "Ana", "port": "80"})
    )
    read = sparse_node("x", label="Web shop", technology="Rust", properties={**mark("1"), "port": "443"})
    rows = rows_of(here, read)
    (row,) = rows.changed
    assert (row["element"], row["by"]) == ("web", "source")
    assert row["operations"] == [
        {"op": "update_node", "id": "web", "label": "Web shop", "technology": "Rust", "properties": {"port": "443"}}
    ]
    assert [(one["field"], one["here"], one["source"]) for one in row["differences"]] == [
        ("label", "Web", "Web shop"),
        ("technology", "Go", "Rust"),
        ("port", "80", "443"),
    ]


def test_without_an_id_label_type_and_group_decide_and_the_id_is_kept_from_then_on() -> None:
    here = diagram_of(
        sparse_node("zone", type="group"), sparse_node("web", parent="zone"), sparse_node("other", label="Web")
    )
    rows = rows_of(
        here, sparse_node("g", label="Zone", type="group"), sparse_node("n1", label="Web", parent="g", source="7")
    )
    assert (rows.new, rows.unchanged) == ([], 1)
    (row,) = rows.changed
    assert (row["element"], row["by"]) == ("web", "name")
    assert row["operations"] == [{"op": "update_node", "id": "web", "properties": mark("7")}]


@pytest.mark.parametrize(
    "here, read",
    [
        ([sparse_node("web"), sparse_node("web-2", label="Web")], [sparse_node("n", label="Web")]),
        ([sparse_node("web")], [sparse_node("n", label="Web"), sparse_node("m", label="Web")]),
        ([sparse_node("web", type="api")], [sparse_node("n", label="Web")]),
        ([sparse_node("web", source="other")], [sparse_node("n", label="Web", source="own")]),
        ([sparse_node("zone", type="group"), sparse_node("web", parent="zone")], [sparse_node("n", label="Web")]),
    ],
    ids=["two here", "two read", "another type", "of something else", "another group"],
)
def test_what_is_not_unique_or_not_alike_is_new(here: list[SparseNode], read: list[SparseNode]) -> None:
    rows = rows_of(diagram_of(*here), *read)
    assert len(rows.new) == len(read)
    assert rows.changed == []


def test_an_id_that_is_taken_gets_a_number() -> None:
    rows = rows_of(
        diagram_of(sparse_node("web", type="api")), sparse_node("web"), sparse_node("db"), sparse_edge("web", "db")
    )
    assert [row["element"] for row in rows.new] == ["web-2", "db", "web--db"]
    assert rows.new[2]["operations"] == [{"op": "add_edge", "source": "web-2", "target": "db"}]


def test_what_came_from_the_same_source_and_is_not_in_it_is_gone() -> None:
    """Edges before nodes; nothing of another file, and nothing that people drew."""
    here = diagram_of(
        sparse_node("web", source="1"), sparse_node("old", source="2"), sparse_node("ours"),
        sparse_node("far", properties=mark("9", "other.drawio")),
        sparse_edge("web", "old", mark_id="3"), sparse_edge("web", "ours"),
    )  # fmt: skip
    rows = rows_of(here, sparse_node("web", source="1"))
    assert row_ids(rows.missing) == ["missing:edge:web--old", "missing:node:old"]
    assert [row["operations"] for row in rows.missing] == [
        [{"op": "delete_edge", "id": "web--old"}],
        [{"op": "delete_node", "id": "old"}],
    ]


def test_nothing_is_gone_where_nothing_is_recognized() -> None:
    rows = rows_of(diagram_of(sparse_node("web", source="1")), sparse_node("db", source="8"))
    assert (rows.missing, row_ids(rows.new)) == ([], ["new:node:db"])


def test_of_two_files_with_the_same_id_the_one_of_that_name_is_meant() -> None:
    here = diagram_of(sparse_node("a", properties=mark("1", "one.drawio")), sparse_node("b", properties=mark("1")))
    rows = rows_of(here, sparse_node("x", label="New", source="1"))
    assert [row["element"] for row in rows.changed] == ["b"]
    assert rows.missing == []


def test_a_file_that_was_renamed_is_recognized_and_changes_nothing() -> None:
    rows = rows_of(
        diagram_of(sparse_node("web", properties=mark("1", "before.drawio"))), sparse_node("x", label="Web", source="1")
    )
    assert (rows.new, rows.changed, rows.missing, rows.unchanged) == ([], [], [], 1)


def test_what_another_file_calls_by_the_same_id_is_something_else() -> None:
    """As `A` in two flowcharts: with another label, or for an edge with other ends; nothing of that file is missing."""
    here = diagram_of(
        sparse_node("orders", properties=mark("A", "one.drawio")),
        sparse_node("mail", properties=mark("B", "one.drawio")),
        sparse_node("rest", properties=mark("C", "one.drawio")),
        sparse_edge("orders", "mail", properties=mark("e", "one.drawio")),
    )  # fmt: skip
    rows = rows_of(
        here,
        sparse_node("login", source="A"),
        sparse_node("mail", source="B"),
        sparse_edge("login", "mail", mark_id="e", label="asks"),
    )
    assert (row_ids(rows.new), rows.changed, rows.missing) == (["new:node:login", "new:edge:login--mail"], [], [])


def test_what_cannot_be_put_into_its_group_says_so_and_the_rest_is_offered() -> None:
    here = diagram_of(
        sparse_node("zone", type="group", source="0", locked=True), sparse_node("card", source="1"),
        sparse_node("web", source="2"),
        sparse_node("db", source="3"),
    )  # fmt: skip
    rows = rows_of(
        here,
        sparse_node("zone", type="group", source="0"),
        sparse_node("card", type="group", source="1"),
        sparse_node("web", label="Shop", parent="zone", source="2"),
        sparse_node("db", parent="card", source="3"),
    )
    operations = {row["element"]: (row["operations"], row["reason"]) for row in rows.changed}
    assert operations["web"] == (
        [{"op": "update_node", "id": "web", "label": "Shop"}], "“Zone” is locked, so it stays where it is",
    )  # fmt: skip
    assert operations["db"] == ([], "“Card” is no group here, so it stays where it is")


def test_an_edge_that_was_recognized_is_no_second_one() -> None:
    """Its place is taken by another one, which is new."""
    here = diagram_of(
        sparse_node("a", source="1"),
        sparse_node("b", source="2"),
        sparse_node("c", source="3"),
        sparse_edge("a", "b", mark_id="4"),
    )
    moved, new = sparse_edge("a", "c", mark_id="4"), {**sparse_edge("a", "b"), "id": EdgeId("e")}
    rows = rows_of(
        here, sparse_node("a", source="1"), sparse_node("b", source="2"), sparse_node("c", source="3"), moved, new
    )  # type: ignore[arg-type]
    assert [(row["element"], row["differences"][0]["field"]) for row in rows.changed] == [("a--b", "ends")]
    assert row_ids(rows.new) == ["new:edge:e"]


def test_what_is_locked_stays_and_says_so() -> None:
    here = diagram_of(
        sparse_node("zone", type="group", source="0", locked=True), sparse_node("web", source="1", parent="zone"),
        sparse_node("db", source="2"), sparse_edge("web", "db", mark_id="3"),
    )  # fmt: skip
    rows = rows_of(
        here,
        sparse_node("zone", type="group", source="0"),
        sparse_node("web", source="1", label="Shop", parent="zone"),
        sparse_node("new", parent="zone"),
    )
    (changed,) = rows.changed
    assert (changed["operations"], changed["reason"]) == ([], "“Zone” is locked; unlock it to change this")
    (new,) = rows.new
    assert "parent" not in new["operations"][0]
    assert new["reason"] == "“Zone” is locked, so it is drawn beside it"
    assert [(row["id"], row["operations"]) for row in rows.missing] == [
        ("missing:edge:web--db", []),
        ("missing:node:db", []),
    ]


def test_a_group_of_the_source_is_followed_and_one_that_people_chose_is_kept_where_it_has_none() -> None:
    here = diagram_of(
        sparse_node("mine", type="group"), sparse_node("a", source="1", parent="mine"),
        sparse_node("b", source="2", parent="mine"),
        sparse_node("theirs", type="group", source="3"),
    )  # fmt: skip
    rows = rows_of(
        here,
        sparse_node("a", source="1"),
        sparse_node("b", source="2", parent="g"),
        sparse_node("g", label="Theirs", type="group", source="3"),
    )
    (row,) = rows.changed
    assert row["operations"] == [{"op": "move_to_group", "ids": ["b"], "group": "theirs"}]
    assert row["differences"] == [{"field": "group", "here": "Mine", "source": "Theirs"}]


def test_a_group_does_not_move_into_what_stands_in_it() -> None:
    here = diagram_of(
        sparse_node("outer", type="group", source="1"), sparse_node("inner", type="group", source="2", parent="outer")
    )
    rows = rows_of(
        here,
        sparse_node("outer", type="group", source="1", parent="inner"),
        sparse_node("inner", type="group", source="2"),
    )
    assert rows.changed == []


def test_an_edge_that_leads_elsewhere_is_rewired() -> None:
    here = diagram_of(
        sparse_node("a", source="1"), sparse_node("b", source="2"), sparse_edge("a", "b", mark_id="3", label="asks")
    )
    rows = rows_of(
        here,
        sparse_node("a", source="1"),
        sparse_node("b", source="2"),
        sparse_node("c"),
        sparse_edge("a", "c", mark_id="3", label="asks"),
    )
    (row,) = rows.changed
    assert row["operations"] == [{"op": "rewire_edge", "id": "a--b", "new_source": "a", "new_target": "c"}]
    assert row["needs"] == ["new:node:c"]


def test_what_is_placed_comes_beside_what_is_there_where_nothing_is_recognized() -> None:
    here = diagram_of(sparse_node("a", position={"x": 100, "y": 40}, size={"width": 200, "height": 80}))
    read = [
        sparse_node("b", position={"x": -50, "y": -10}), sparse_node("zone", type="group", position={"x": 300, "y": 0}),
        sparse_node("c", parent="zone", position={"x": 20, "y": 30}), sparse_edge("b", "c", route=[{"x": 0, "y": 0}]),
    ]  # fmt: skip
    rows = rows_of(here, *read, is_placed=True)
    places = {row["element"]: row["operations"][0].get("position") for row in rows.new}
    assert places["b"] == {"x": 420, "y": 40}
    assert places["zone"] == {"x": 770, "y": 50}
    assert places["c"] == {"x": 20, "y": 30}
    assert rows.new[-1]["operations"][0]["route"] == [{"x": 470, "y": 50}]


def test_what_is_placed_gets_places_beside_what_is_recognized() -> None:
    here = diagram_of(sparse_node("a", source="1"))
    rows = rows_of(here, sparse_node("a", source="1"), sparse_node("b", position={"x": 5, "y": 5}), is_placed=True)
    assert "position" not in rows.new[0]["operations"][0]


def document_rows(here: str, read: str) -> ImportRows:
    rows = ImportRows()
    add_document_rows(rows, read, "Shop", Document(here))
    return rows


def test_into_an_empty_document_the_text_comes_as_it_is() -> None:
    (row,) = document_rows("\n", "# A\r\n\r\nText.\r\n").new
    assert row["operations"] == [{"op": "replace_document", "text": "# A\n\nText.\n"}]


def test_sections_are_known_by_level_and_title() -> None:
    here = "# Shop\n\nOld.\n\n## Kept\n\nSame.\n"
    rows = document_rows(here, "## Kept\n\nSame.\n\n## New\n\nWords.\n")
    assert (rows.unchanged, row_ids(rows.new)) == (1, ["new:section:1"])
    assert rows.new[0]["operations"] == [{"op": "insert_section", "title": "New", "text": "Words.", "level": 2}]
    (row,) = document_rows(here, "# Shop\n\nNew.\n").changed
    assert row["operations"] == [{"op": "replace_section", "section": "# Shop", "text": "New.", "scope": "subtree"}]


def test_text_under_no_heading_becomes_a_section_called_as_the_import() -> None:
    rows = document_rows("# Here\n", "Just words.\n")
    assert rows.new[0]["operations"] == [{"op": "insert_section", "title": "Shop", "text": "Just words.", "level": 1}]


def test_sections_that_are_called_alike_are_left_to_people() -> None:
    (row,) = document_rows("# A\n\n# A\n", "# A\n\nText.\n").changed
    assert (row["operations"], bool(row["reason"])) == ([], True)


def test_an_empty_text_says_nothing() -> None:
    assert document_rows("# A\n", " \n") == ImportRows()


def test_text_before_the_first_section_that_is_there_is_no_new_section() -> None:
    rows = document_rows("Words.\n\n# A\n", "Words.\n\n# A\n")
    assert (rows.new, rows.changed) == ([], [])
    assert row_ids(document_rows("Others.\n\n# A\n", "Words.\n\n# A\n").new) == ["new:section:0"]
