"""Drawings that we write: read again they are the same diagram, and stay ours when somebody edits them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.model.diagram import Diagram
from draftsmith.model.drawio.cells import cells_of
from draftsmith.model.drawio.files import pages_of
from draftsmith.model.drawio.markup import UnreadableDrawing
from draftsmith.model.drawio.own_cells import attribute_name, is_own
from draftsmith.model.drawio.reader import DrawioPage, read_page
from draftsmith.model.drawio.writer import to_drawio
from draftsmith.model.readers.reading import ReadWorkspace
from draftsmith.model.vocabulary import COLOR_STROKES, DIRECTIONS, EDGE_KINDS, NODE_TYPES, STYLES
from draftsmith.model.workspace import Workspace, diagram_json
from tests.builders import edge, group, node, run, workspace_of
from tests.kit.readers import check_diagram
from tests.laws.test_batches import workspaces
from tests.seeds import examples

IMAGE = f"images/{'ab' * 32}.png"


def read(text: str) -> DrawioPage:
    (page,) = pages_of(text)
    found = read_page(page)
    check_diagram(found.diagram)
    return found


def again(workspace: Workspace) -> DrawioPage:
    found = read(to_drawio(workspace.name, workspace.diagram))
    assert found.unread == []
    return found


def as_drawn(diagram: Diagram) -> dict[str, dict[str, dict[str, Any]]]:
    """Nodes and edges by id with all their fields; sizes are those that are drawn, also where none is given."""
    content = diagram_json(diagram)
    nodes = {one["id"]: {**one, "size": diagram.size_of(one["id"])} for one in content["nodes"]}
    return {"nodes": nodes, "edges": {one["id"]: dict(one) for one in content["edges"]}}


def workspace_from(found: DrawioPage | ReadWorkspace) -> Workspace:
    """The workspace that what was read becomes."""
    workspace = Workspace("Again")
    if found.diagram["nodes"]:
        run(workspace, {"op": "replace_diagram", **found.diagram})
    return workspace


def check_same(workspace: Workspace) -> None:
    assert as_drawn(workspace_from(again(workspace)).diagram) == as_drawn(workspace.diagram)


@settings(max_examples=examples(150))
@given(workspaces())
def test_whatever_is_drawn_comes_back_the_same(workspace: Workspace) -> None:
    check_same(workspace)


def test_every_field_comes_back() -> None:
    """Ids that others have, too, texts with everything that XML and HTML escape, properties of any name."""
    hostile = 'a & b <b>"c"</b>\n\tÄ 🚀 %type% &amp; \u200d'
    keys = ["team", "label", "type", "two words", "", "größe", "_x0041_", "xmlns", "c4Type", "link", "x" * 64]
    properties = {key: hostile for key in keys if key}
    everything = {
        "description": hostile, "technology": "Go <1.22> & co", "notes": hostile, "image": IMAGE, "color": "grey",
        "style": "dotted", "properties": properties, "size": {"width": 20, "height": 33.25}, "locked": True,
    }  # fmt: skip
    line = {
        "description": hostile, "color": "red", "style": "muted", "properties": properties, "label": "reads <b>\nthen",
        "kind": "dependency", "direction": "both", "route": [{"x": -12.75, "y": 400}], "route_by": "hand",
        "shape": "straight", "label_at": 0.29,
    }  # fmt: skip
    workspace = workspace_of(
        group("g", 12.5, -40, label="Group"),
        node("0", 24, 40, label="Orders <i>v2</i>\n🚀  twice", parent="g", **everything),
        node("1", 300.25, 40, label="Go <1.22> & co", technology="Go <1.22> & co"),
        edge("0", "1", id="0", **line),
        edge("1", "g", id="g", shape="curved"),
        edge("1", "0", id="1", label_at=0.5),
    )
    check_same(workspace)


@pytest.mark.parametrize("color", ["", *COLOR_STROKES])
@pytest.mark.parametrize("style", ["", *STYLES])
def test_every_look_comes_back(color: str, style: str) -> None:
    check_same(
        workspace_of(
            node("a", color=color, style=style), node("b", 400), edge("a", "b", id="e", color=color, style=style)
        )
    )


def workspace_of_every_kind() -> Workspace:
    """A node of every type, and an edge of every kind in every direction."""
    nodes = [node(kind, 300 * at, type=kind) for at, kind in enumerate(NODE_TYPES)]
    edges = [
        edge("client", "web", id=f"{kind}-{direction}", kind=kind, direction=direction, label=direction)
        for kind in EDGE_KINDS
        for direction in DIRECTIONS
    ]
    return workspace_of(*nodes, *edges)


def test_every_type_kind_and_direction_comes_back() -> None:
    check_same(workspace_of_every_kind())


def test_nodes_that_lie_over_one_another_stay_apart() -> None:
    """As drawn a node lies in a larger one, and in a group that it is not in; ours lie where they say."""
    big = {"size": {"width": 800, "height": 600}}
    check_same(
        workspace_of(node("a", **big), node("b", 100, 100), group("g", 0, 0, **big), node("c", 200, 200), node("d"))
    )


def test_what_xml_cannot_hold_is_left_out() -> None:
    workspace = workspace_of(node("a", label="A\x01\ufffeB", description="\x1bC"))
    (made,) = again(workspace).diagram["nodes"]
    assert (made["label"], made["description"]) == ("AB", "C")


@pytest.mark.parametrize("key", ["link", "link ", "LINK"])
def test_no_address_that_runs_something_becomes_a_link(key: str) -> None:
    assert attribute_name(key, "javascript:alert(1)") != "link"
    assert attribute_name("link", "https://example.org/") == "link"


def test_the_file_says_what_it_is_to_whoever_reads_xml() -> None:
    """A page with its name; vertices with place, size and parent, edges with their ends, each once."""
    workspace = workspace_of(
        group("g", 10, 20, label="Shop"),
        node("a", 24, 40, parent="g", label="Web & shop", technology="React"),
        node("b", 400, 0),
        edge("a", "b", id="e", label="places", route=[{"x": 350, "y": 90}]),
        name="Shop <1>",
    )
    root = ElementTree.fromstring(to_drawio(workspace.name, workspace.diagram))
    page = root.find("diagram")
    assert page is not None
    assert page.get("name") == "Shop <1>"
    objects = {one.get("id"): one for one in root.iter("object")}
    assert sorted(objects) == ["a", "b", "e", "g"]
    cell = objects["a"].find("mxCell")
    assert cell is not None
    assert cell.get("parent") == "g"
    geometry = cell.find("mxGeometry")
    assert geometry is not None
    assert [geometry.get(name) for name in ("x", "y", "width", "height")] == ["24", "40", "180", "72"]
    assert objects["a"].get("label") == 'Web &amp; shop<br><font style="font-size: 11px">React</font>'
    line = objects["e"].find("mxCell")
    assert line is not None
    assert (line.get("source"), line.get("target")) == ("a", "b")
    assert [(point.get("x"), point.get("y")) for point in line.iter("mxPoint")] == [("350", "90")]


SHOP = workspace_of(
    group("g", 0, 0, label="Shop", size={"width": 600, "height": 300}),
    node("a", 24, 40, parent="g", label="Orders", technology="Go", type="database"),
    node("b", 900, 0, label="Bank"),
    edge("a", "b", id="e", label="pays"),
)
TEXT = to_drawio("Shop", SHOP.diagram)


def test_what_somebody_changes_in_draw_io_is_what_is_read() -> None:
    """A label, a place, a colour, an end; what is not drawn stays as it was."""
    edited = (
        TEXT.replace('label="Orders&lt;br&gt;', 'label="Orders v2&lt;br&gt;')
        .replace('x="900" y="0"', 'x="950.5" y="10"')
        .replace("fillColor=#ffffff;strokeColor=#94a3b8", "fillColor=#d5e8d4;strokeColor=#82b366")
        .replace("startArrow=none;endArrow=block", "startArrow=block;endArrow=none")
    )
    found = read(edited)
    by_id = {one["id"]: one for one in found.diagram["nodes"]}
    assert (by_id["a"]["label"], by_id["a"]["technology"], by_id["a"]["type"]) == ("Orders v2", "Go", "database")
    assert by_id["b"]["position"] == {"x": 950.5, "y": 10}
    assert by_id["a"]["color"] == "green"
    (line,) = found.diagram["edges"]
    assert (line["id"], line["source"], line["target"], line["direction"]) == ("e", "b", "a", "forward")


def test_what_somebody_adds_in_draw_io_is_read_as_any_drawing() -> None:
    """A shape drawn over our group lies in it; a copy of our node gets an id of its own; a line joins them."""
    more = (
        '<mxCell id="new-1" value="Cache" style="html=1;" vertex="1" parent="1">'
        '<mxGeometry x="300" y="120" width="120" height="60" as="geometry"/></mxCell>'
        '<object id="Xy_9-1" label="Bank" draftsmith="1" type="external"><mxCell style="" vertex="1" parent="1">'
        '<mxGeometry x="1300" width="180" height="72" as="geometry"/></mxCell></object>'
        '<mxCell id="new-2" edge="1" parent="1" source="new-1" target="Xy_9-1"/></root>'
    )
    found = read(TEXT.replace("</root>", more))
    by_id = {one["id"]: one for one in found.diagram["nodes"]}
    assert sorted(by_id) == ["a", "b", "bank", "cache", "g"]
    assert (by_id["cache"]["parent"], by_id["cache"]["type"]) == ("g", "cache")
    assert (by_id["bank"]["type"], by_id["b"]["label"]) == ("external", "Bank")
    assert [(one["source"], one["target"]) for one in found.diagram["edges"]] == [("a", "b"), ("cache", "bank")]


@settings(max_examples=examples(150))
@given(st.lists(st.tuples(st.integers(0, len(TEXT) - 1), st.sampled_from(['"', "0", "g", "<a>", "group", "1e9", ""]))))
def test_no_damage_to_a_file_of_ours_gives_something_that_is_not_valid(damage: list[tuple[int, str]]) -> None:
    text = TEXT
    for place, put in damage:
        text = text[:place] + put + text[place + 1 :]
    with suppress(UnreadableDrawing):
        for page in pages_of(text):
            check_diagram(read_page(page).diagram)


NAMES = st.sampled_from(["a", "b", "node:a", "edge:a", "g", "0", "A b", ""])
TYPES = st.sampled_from(["group", "database", "", "nonsense"])


@st.composite
def own_objects(draw: st.DrawFn) -> str:
    role = draw(st.sampled_from(["vertex", "edge"]))
    data = {
        "id": draw(NAMES), "label": draw(st.sampled_from(["", "A", "<b>"])), "draftsmith": "1", "type": draw(TYPES),
        "kind": draw(TYPES), "style": draw(TYPES), "image": draw(st.sampled_from(["", "images/x", IMAGE])),
        "name": draw(st.sampled_from(["", " ", "A"])), "_x0000_": "x", "_xD800_": "x", "_x110000_": "", "k": "v",
        "technology": draw(st.sampled_from(["", "A", "t" * 300])),
    }  # fmt: skip
    said = "".join(f' {name}="{value.replace("<", "&lt;")}"' for name, value in data.items())
    size = draw(st.sampled_from(["0", "20", "1e9", "x"]))
    ends = f'parent="{draw(NAMES)}" source="{draw(NAMES)}" target="{draw(NAMES)}"'
    geometry = f'<mxGeometry x="{size}" y="{size}" width="{size}" height="{size}" as="geometry"/>'
    own = f'<object{said}><mxCell {role}="1" {ends}>{geometry}</mxCell></object>'
    return own if draw(st.integers(0, 3)) else own.replace(' draftsmith="1"', "")


@settings(max_examples=examples(200))
@given(st.lists(own_objects(), max_size=10))
def test_whatever_calls_itself_ours_is_read_to_something_valid(objects: list[str]) -> None:
    found = read(f"<mxGraphModel><root>{''.join(objects)}</root></mxGraphModel>")
    check_diagram(found.diagram)


def test_ours_are_told_from_others() -> None:
    cells = cells_of(pages_of(TEXT)[0].model()).cells
    assert [is_own(cell) for cell in cells] == [True] * 4
