"""Readers of formats: what files are, which sets they make, what of them is read; what hostile uploads come to."""

from __future__ import annotations

import json

import pytest

from draftsmith.assistant.tools.readers import whole_node
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.readers.limits import MAX_PROPERTIES, MAX_PROPERTY, MAX_UNREAD, properties_within, unread_within
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, UnreadableSource, UnreadPart
from draftsmith.model.readers.registry import READERS, clean_path, may_belong, recognize
from draftsmith.model.readers.sources import SOURCE, mark_of, with_marks
from draftsmith.usecases.upkeep.files_import import read_sets

PAGE = (
    '<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>'
    '<mxCell id="a" value="Web" vertex="1" parent="1"><mxGeometry width="120" height="60"/></mxCell>'
    '<mxCell id="b" value="Orders" vertex="1" parent="1"><mxGeometry x="300" width="120" height="60"/></mxCell>'
    '<mxCell id="e" edge="1" parent="1" source="a" target="b"/></root></mxGraphModel>'
)
DRAWING = (
    f'<mxfile><diagram id="p1" name="Shop">{PAGE}</diagram><diagram id="p2" name="Tills">{PAGE}</diagram></mxfile>'
)
EXPORT = json.dumps(
    {
        "format": "draftsmith/1",
        "name": "Shop",
        "diagram": {"nodes": [{"id": "web", "type": "web", "label": "Web"}], "edges": []},
        "document": {"text": "# Shop\n"},
    }
)


NODE = {"id": "a", "type": "api", "label": "A"}


def file(path: str, content: str | bytes) -> SourceFile:
    return SourceFile(path, content if isinstance(content, bytes) else content.encode())


def export(**diagram: object) -> SourceFile:
    """An export with that in its diagram."""
    return file("a.json", json.dumps({"format": "draftsmith/1", "diagram": diagram}).replace("\\\\", "\\"))


def read_recognized(one: SourceFile) -> list[ReadWorkspace]:
    """The workspaces of a file, which is recognized."""
    (found,) = recognize([one]).sets
    return list(READERS[found.reader].reader().read(found.sources))


@pytest.mark.parametrize(
    "path, content, reader",
    [
        ("plan.drawio", DRAWING, "drawio"),
        ("plan.xml", PAGE, "drawio"),
        ("plan.drawio.svg", f'<svg content="{PAGE[:20].replace("<", "&lt;")}"/>', "drawio"),
        ("shop.json", EXPORT, "json"),
        ("flow.mmd", "sequenceDiagram\n", "mermaid"),
        ("flow.txt", "%% drawn by hand\nflowchart LR\n  a --> b\n", "mermaid"),
        ("notes.txt", "Some words.", "markdown"),
        ("README.md", "# Shop\n", "markdown"),
        ("page.xml", "<html/>", None),
        ("photo.png", b"\x89PNG\r\n\x1a\n", None),
        ("logo.svg", "<svg/>", None),
        ("package.json", "{}", None),
        ("notes.md", b"\x00\x01", None),
        ("main.py", "import os\n", None),
    ],
)
def test_a_file_is_recognized_by_its_name_and_a_look_into_it(
    path: str, content: str | bytes, reader: str | None
) -> None:
    found = recognize([file(path, content)])
    assert [one.reader for one in found.sets] == ([] if reader is None else [reader])
    assert [one.path for one in found.unrecognized] == ([path] if reader is None else [])


def test_sets_come_in_the_order_of_the_files_and_what_nobody_has_is_left() -> None:
    files = [file("b.md", "# B"), file("x.bin", b"\x00"), file("a.drawio", DRAWING), file("c.mmd", "graph LR\n a-->b")]
    found = recognize(files)
    assert [(one.reader, one.sources.root.path) for one in found.sets] == [
        ("markdown", "b.md"),
        ("drawio", "a.drawio"),
        ("mermaid", "c.mmd"),
    ]
    assert [one.path for one in found.unrecognized] == ["x.bin"]


def test_a_format_that_is_named_is_believed() -> None:
    found = recognize([file("plan", PAGE)], "drawio")
    assert [one.reader for one in found.sets] == ["drawio"]


def test_ten_thousand_files_are_looked_at_in_passing() -> None:
    """Each is looked into once for a format, and none is read."""
    files = [file(f"docs/{number}.md", "# A\n" * 100) for number in range(10_000)]
    found = recognize(files)
    assert (len(found.sets), found.unrecognized) == (10_000, [])


@pytest.mark.parametrize(
    "path, clean",
    [
        ("a.md", "a.md"),
        ("./docs//a.md", "docs/a.md"),
        ("docs\\a.md", "docs/a.md"),
        ("/etc/hosts", "etc/hosts"),
        ("Zu\u00a0Ende/\U0001f468\u200d\U0001f4bb.md", "Zu\u00a0Ende/\U0001f468\u200d\U0001f4bb.md"),
    ],
)
def test_paths_have_one_form(path: str, clean: str) -> None:
    assert clean_path(path) == clean


@pytest.mark.parametrize("path", ["../a", "a/../b", "a\\..\\b", "..", "", "/", ".", "a\nb", "a\u202eb", "x" * 1_001])
def test_paths_that_lead_out_are_refused(path: str) -> None:
    with pytest.raises(UnreadableSource):
        clean_path(path)


@pytest.mark.parametrize(
    "path, belongs",
    [
        ("docs/a.md", True),
        ("docs/logo.png", True),
        ("shop/.env", True),
        (".git/a.md", False),
        ("web/node_modules/x/README.md", False),
        ("web/bower_components/x/README.md", False),
        ("main.py", False),
    ],
)
def test_of_a_folder_only_what_may_be_of_a_format_is_read(path: str, belongs: bool) -> None:
    assert may_belong(path) == belongs


def test_every_page_of_a_drawing_is_read_with_the_ids_of_its_cells() -> None:
    shop, tills = read_recognized(file("plan.drawio", DRAWING))
    assert (shop.name, tills.name, shop.is_placed) == ("Shop", "Tills", True)
    assert set(shop.sources.values()) == {"p1/a", "p1/b", "p1/e"}
    assert set(tills.sources.values()) == {"p2/a", "p2/b", "p2/e"}


def test_a_page_that_cannot_be_read_is_listed_and_the_others_are_read() -> None:
    broken = f'<mxfile><diagram name="Bad">nonsense</diagram><diagram name="Good">{PAGE}</diagram></mxfile>'
    (good,) = read_recognized(file("plan.drawio", broken))
    assert good.name == "Good"
    assert [(one.file, one.place) for one in good.unread] == [("plan.drawio", "page Bad")]


@pytest.mark.parametrize(
    "one, line",
    [
        (file("a.drawio", "<mxfile>\n<diagram"), 2),
        (file("a.mmd", "%% x\nsequenceDiagram\n"), 2),
        (file("a.md", b"# A\n\xff\n"), 2),
        (file("a.json", '{"format": "draftsmith/1",\n nope}'), 2),
        (file("a.json", '{"x": "draftsmith/1", "format": "other"}'), None),
        (file("a.json", '{"format": "draftsmith/1", "diagram": {"nodes": [{"id": 1}]}}'), None),
        (
            file(
                "a.json",
                '{"format": "draftsmith/1", "diagram": {"nodes": '
                '[{"id": "a", "type": "api", "label": "A", "parent": "b"}]}}',
            ),
            None,
        ),
        (file("a.json", '{"format": "draftsmith/1", "a": ' + "[" * 100_000), None),
        (export(nodes=[{"id": "a", "type": "group", "label": "A", "parent": "a"}]), None),
        (export(nodes=[{"id": "a", "type": "api", "label": "A", "position": "left"}]), None),
        (export(nodes=[{"id": "a", "type": "api", "label": "A", "position": {"width": 1, "height": 1}}]), None),
        (export(edges=[{"id": "e", "source": "a", "target": "b"}]), None),
        (export(nodes=[NODE], edges=[{"id": "e", "source": "a", "target": "a", "route": [None]}]), None),
        (export(nodes=[{"id": "a", "type": "api", "label": "\\ud800"}]), None),
    ],
    ids=[
        "drawing",
        "chart",
        "bytes",
        "syntax",
        "format",
        "nodes",
        "parent",
        "nested",
        "circle",
        "place",
        "size for a place",
        "ends",
        "route",
        "surrogate",
    ],
)
def test_what_cannot_be_read_says_where_and_why(one: SourceFile, line: int | None) -> None:
    with pytest.raises(UnreadableSource) as refused:
        read_recognized(one)
    assert (refused.value.file, refused.value.line) == (one.path, line)
    assert refused.value.reason


def test_fields_of_an_export_that_are_null_are_not_there() -> None:
    """Whole numbers that 64 bits do not hold are kept as they can be written."""
    nulls = dict.fromkeys(("position", "size", "properties", "parent", "color"))
    (found,) = read_recognized(
        export(nodes=[{**NODE, **nulls}, {**NODE, "id": "b", "position": {"x": 10**30, "y": 0}}])
    )
    assert found.diagram["nodes"] == [NODE, {**NODE, "id": "b", "position": {"x": 1e30, "y": 0}}]


def test_an_export_is_read_whole() -> None:
    (found,) = read_recognized(file("shop.json", EXPORT))
    assert (found.name, found.document, found.is_placed) == ("Shop", "# Shop\n", True)
    assert found.diagram["nodes"] == [{"id": "web", "type": "web", "label": "Web"}]


def test_what_the_source_names_gets_a_mark_and_an_edge_by_its_ends() -> None:
    """Things that are called alike get none; an edge without a name is known by its ends."""
    (found,) = read_recognized(file("flow.mmd", "flowchart LR\n  shop[Shop] -->|asks| orders[Orders]\n"))
    diagram = with_marks(found, "mermaid", "docs/flow.mmd")
    marks = [mark_of(one.get("properties", {})) for one in (*diagram["nodes"], *diagram["edges"])]
    assert [str(mark) for mark in marks] == [
        "mermaid:flow.mmd#shop",
        "mermaid:flow.mmd#orders",
        "mermaid:flow.mmd#shop > orders sync asks",
    ]
    twice = with_marks(ReadWorkspace("", found.diagram, sources=dict.fromkeys(("shop", "orders"), "x")), "y", "z")
    assert all("properties" not in one for one in twice["nodes"])


def test_a_mark_takes_the_place_of_the_last_property_where_there_are_as_many_as_there_may_be() -> None:
    full = {f"k{number}": "v" for number in range(MAX_PROPERTIES)}
    diagram = {"nodes": [{"id": "a", "type": "api", "label": "A", "properties": full}], "edges": []}
    found = with_marks(ReadWorkspace("", diagram, sources={"a": "1"}), "x", "f")  # type: ignore[arg-type,dict-item]
    properties = found["nodes"][0]["properties"]
    assert (len(properties), properties[SOURCE]) == (MAX_PROPERTIES, "x:f#1")


@pytest.mark.parametrize("text", ["", "a", "a:b", "a:b#", "#", ":#"])
def test_what_is_no_mark_is_none(text: str) -> None:
    assert mark_of({SOURCE: text}) is None


def test_limits_cut_and_count() -> None:
    many = {f"k{number}": "v" * 2_000 for number in range(80)}
    assert {len(value) for value in properties_within(many).values()} == {MAX_PROPERTY}
    assert len(properties_within(many)) == MAX_PROPERTIES
    assert properties_within({"": "x", "a": " "}) == {}
    parts = [UnreadPart("f", str(number), "", "why") for number in range(MAX_UNREAD + 5)]
    assert unread_within(parts, "lines")[-1].reason == "and 5 more lines"


def test_models_are_not_told_of_marks() -> None:
    """Neither of those of a node nor of those of its edges; its other properties stay."""
    diagram = Diagram()
    properties = {SOURCE: "drawio:plan.drawio#1", "owner": "Ana"}
    for name in ("web", "db"):
        diagram.add_node(NodeId(name), {"type": "service", "label": name, "properties": properties, "birth": 1})
    diagram.add_edge(EdgeId("e"), NodeId("web"), NodeId("db"), {"properties": properties, "birth": 1})
    told = whole_node(diagram, NodeId("web"))
    assert (told["properties"], told["edges"][0]["properties"]) == ({"owner": "Ana"}, {"owner": "Ana"})


def test_the_files_of_a_set_that_come_again_are_that_set() -> None:
    """Whoever was told of two sets, one of them in the other, makes a workspace of each."""
    base = file("shop/compose.yaml", "services:\n  web: {image: nginx}\n")
    test = file("shop/compose.test.yaml", "services:\n  web: {ports: ['80:80']}\n  db: {image: postgres}\n")
    sets, _ = read_sets([base, test], None)
    assert [len(one.recognized.sources.files) for one in sets] == [1, 2]
    for one in sets:
        (again,), _ = read_sets(list(one.recognized.sources.files.values()), "compose")
        assert again.found == one.found
