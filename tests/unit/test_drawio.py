"""Drawings of draw.io: each form of file, what becomes of shapes and lines, and that no file fails or is unbounded."""

from __future__ import annotations

import base64
import hashlib
import random
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.errors import DraftsmithError
from draftsmith.model.drawio import format_reader
from draftsmith.model.drawio.cells import cells_of
from draftsmith.model.drawio.files import MAX_BYTES, PageSource, pages_of
from draftsmith.model.drawio.markup import MAX_DEPTH, MAX_ELEMENTS, UnreadableDrawing
from draftsmith.model.drawio.reader import DrawioPage, read_page
from draftsmith.model.images import ImageLimits, ImageUnread
from draftsmith.model.readers.images import KeptImages
from draftsmith.model.vocabulary import GROUP
from draftsmith.usecases.upkeep.drawio_import import drawing_warnings, read_drawing
from tests.image_samples import png as png_image
from tests.kit.readers import check_diagram, edges_by_label, nodes_by_label, read_sets
from tests.seeds import examples


def vertex(
    id_: str, value: str = "", style: str = "html=1;", at: tuple[float, ...] = (0, 0, 120, 60), **more: str
) -> str:
    x, y, width, height = at
    given = {"parent": "1", **more}
    names = "".join(f" {name}={quoteattr(text)}" for name, text in given.items())
    return (
        f'<mxCell id="{id_}" value={quoteattr(value)} style={quoteattr(style)} vertex="1"{names}>'
        f'<mxGeometry x="{x}" y="{y}" width="{width}" height="{height}" as="geometry"/></mxCell>'
    )


def edge(id_: str, source: str = "", target: str = "", style: str = "", value: str = "", geometry: str = "") -> str:
    ends = "".join(f' {name}="{end}"' for name, end in (("source", source), ("target", target)) if end)
    return (
        f'<mxCell id="{id_}" value={quoteattr(value)} style={quoteattr(style)} edge="1" parent="1"{ends}>'
        f'<mxGeometry relative="1" as="geometry">{geometry}</mxGeometry></mxCell>'
    )


def model(*cells: str) -> str:
    root = '<mxCell id="0"/><mxCell id="1" parent="0"/>' + "".join(cells)
    return f"<mxGraphModel><root>{root}</root></mxGraphModel>"


def packed(text: str) -> str:
    deflating = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflating.compress(quote(text, safe="").encode()) + deflating.flush()).decode()


def png(kind: bytes, content: bytes) -> bytes:
    parts = [b"\x89PNG\r\n\x1a\n"]
    for name, chunk in ((b"IHDR", b"\0" * 13), (kind, content), (b"IEND", b"")):
        parts.append(len(chunk).to_bytes(4, "big") + name + chunk + zlib.crc32(name + chunk).to_bytes(4, "big"))
    return b"".join(parts)


def read(content: str | bytes, page: int = 1) -> DrawioPage:
    return read_page(pages_of(content)[page - 1])


SHOP = model(
    vertex("a", "<b>Web</b> shop"), vertex("b", "Orders", at=(300, 0, 120, 60)), edge("e", "a", "b", value="places")
)
TILL = packed(model(vertex("c", "Till")))
BOTH = f'<mxfile><diagram name="One">{SHOP}</diagram><diagram name="Two">{TILL}</diagram></mxfile>'
SVG = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'


@pytest.mark.parametrize(
    "content",
    [
        SHOP,
        BOTH,
        f"\ufeff<?xml version='1.0' encoding='UTF-8'?>\n{BOTH}",
        BOTH.encode("utf-16"),
        f'<mxfile><diagram id="x">{packed(SHOP)}</diagram></mxfile>',
        packed(SHOP),
        f'{SVG}<svg xmlns="http://www.w3.org/2000/svg" content={quoteattr(BOTH)}><g/></svg>',
        png(b"tEXt", b"mxfile\0" + quote(BOTH).encode()),
        png(b"zTXt", b"mxGraphModel\0\0" + zlib.compress(quote(SHOP).encode())),
        png(b"tEXt", b"mxfile\0" + quote_plus(BOTH).encode()),
        base64.b64encode(png(b"tEXt", b"mxfile\0" + quote(BOTH).encode())).decode(),
    ],
    ids=[
        "model",
        "file",
        "declared",
        "UTF-16",
        "packed",
        "packed alone",
        "SVG",
        "PNG",
        "older PNG",
        "PNG with plus signs",
        "PNG in base 64",
    ],
)
def test_every_form_of_file_is_read(content: str | bytes) -> None:
    found = read(content)
    assert edges_by_label(found.diagram) == [("Web shop", "Orders", "places")]
    assert found.unread == []


def test_every_page_is_read() -> None:
    assert [page.name for page in pages_of(BOTH)] == ["One", "Two"]
    assert list(nodes_by_label(read(BOTH, 2).diagram)) == ["Till"]


def test_labels_are_reduced_to_their_words() -> None:
    """HTML only where the style says so; scripts and styles are no words."""
    unseen = "<script>alert(1)</script><style>b{}</style><svg><title>x</title></svg>"
    hostile = f"Pay<br>ments &amp; {unseen}<img src=x onerror=alert(1)>tax&nbsp;"
    found = nodes_by_label(
        read(model(vertex("a", hostile), vertex("b", "List<String> &amp;", style="rounded=1;"))).diagram
    )
    assert list(found) == ["Pay ments & tax", "List<String> &amp;"]


def test_long_labels_go_on_in_the_description() -> None:
    words = " ".join(["word"] * 60)
    (node,) = read(model(vertex("a", words))).diagram["nodes"]
    assert (len(node["label"]), node["description"]) == (120, words)
    (node,) = read(model(vertex("a", "Order<hr>id<br>total<br>paid"))).diagram["nodes"]
    assert (node["label"], node["description"]) == ("Order", "id\ntotal\npaid")


def test_data_of_objects_become_properties() -> None:
    cell = vertex("", "").replace('id="" value=""', "")
    wrapped = (
        f'<object id="a" label="%team% API" placeholders="1" team="Pay" link="https://example.org">{cell}</object>'
    )
    (node,) = read(model(wrapped)).diagram["nodes"]
    assert (node["label"], node["properties"]) == ("Pay API", {"team": "Pay", "link": "https://example.org"})


def test_c4_shapes_say_name_type_and_technology() -> None:
    cell = vertex("", "", style="shape=mxgraph.c4.person2;html=1;").replace('id="" value=""', "")
    box = vertex("", "", at=(300, 0, 240, 120)).replace('id="" value=""', "")
    said = 'label="%c4Name%" placeholders="1" c4Name="Customer" c4Type="Person" c4Description="Buys."'
    person = f'<object id="a" {said}>{cell}</object>'
    container = f'<object id="b" label="x" c4Name="Ledger" c4Type="Container" c4Technology="PostgreSQL">{box}</object>'
    found = nodes_by_label(read(model(person, container)).diagram)
    assert (found["Customer"]["type"], found["Customer"]["description"]) == ("user", "Buys.")
    assert (found["Ledger"]["type"], found["Ledger"]["technology"]) == ("database", "PostgreSQL")


@pytest.mark.parametrize(
    "style, node_type, technology",
    [
        ("shape=mxgraph.aws4.resourceIcon;resIcon=mxgraph.aws4.lambda;", "function", "AWS Lambda"),
        ("outlineConnect=0;shape=mxgraph.aws3.s3;", "storage", "AWS S3"),
        ("image;image=img/lib/azure2/databases/SQL_Database.svg;", "database", "Azure SQL Database"),
        ("image;image=img/lib/azure2/compute/Virtual_Machine.svg;", "server", "Azure Virtual Machine"),
        ("shape=mxgraph.gcp2.cloud_pubsub;", "stream", "Google Cloud Pub/Sub"),
        ("shape=mxgraph.kubernetes.icon;prIcon=pod;", "service", "Kubernetes Pod"),
        ("shape=cylinder3;whiteSpace=wrap;", "database", ""),
        ("shape=umlActor;", "user", ""),
        ("ellipse;shape=cloud;", "external", ""),
        ("rhombus;", "other", ""),
        ("shape=note;", "note", ""),
        ("rounded=1;", "service", ""),
    ],
)
def test_shapes_say_what_a_node_is(style: str, node_type: str, technology: str) -> None:
    (node,) = read(model(vertex("a", "Northwind", style=style))).diagram["nodes"]
    assert (node["type"], node.get("technology", "")) == (node_type, technology)


@pytest.mark.parametrize("said, label", [("Uploads<br>S3", "Uploads"), ("Amazon<br>S3", "Amazon S3")])
def test_the_name_of_a_product_is_not_said_twice(said: str, label: str) -> None:
    (node,) = read(model(vertex("a", said, "shape=mxgraph.aws3.s3;html=1;"))).diagram["nodes"]
    assert (node["label"], node["technology"]) == (label, "AWS S3")


def test_words_say_what_a_plain_box_is() -> None:
    (node,) = read(model(vertex("a", "Redis cache"))).diagram["nodes"]
    assert node["type"] == "cache"


@pytest.mark.parametrize(
    "style, color",
    [
        ("fillColor=#dae8fc;strokeColor=#6c8ebf;", "blue"),
        ("fillColor=#ffe6cc;strokeColor=#d79b00;", "orange"),
        ("fillColor=#fff2cc;strokeColor=#d6b656;", "yellow"),
        ("fillColor=#d5e8d4;", "green"),
        ("fillColor=#f8cecc;", "red"),
        ("fillColor=#e1d5e7;", "violet"),
        ("strokeColor=#F0A;", "pink"),
        ("fillColor=#f5f5f5;strokeColor=#666666;", ""),
        ("fillColor=none;strokeColor=default;", ""),
        ("", ""),
    ],
)
def test_clear_colours_are_kept(style: str, color: str) -> None:
    (node,) = read(model(vertex("a", "A", style="rounded=1;" + style))).diagram["nodes"]
    assert node.get("color", "") == color


def test_containers_become_groups_that_what_is_in_them_fits_into() -> None:
    """By parent, and by what is drawn over a box; positions are relative to the group."""
    found = read(
        model(
            vertex("lane", "Lane", "swimlane;", (100, 100, 300, 200)),
            vertex("a", "A", at=(20, 40, 80, 40), parent="lane"),
            vertex("b", "B", at=(120, 40, 80, 40), parent="lane"),
            vertex("zone", "Zone", at=(500, 100, 300, 200)),
            vertex("c", "C", at=(520, 140, 80, 40)),
            vertex("d", "D", at=(620, 140, 80, 40)),
        )
    )
    by_label = nodes_by_label(found.diagram)
    assert [(label, by_label[label].get("parent")) for label in "ABCD"] == [
        ("A", "lane"), ("B", "lane"), ("C", "zone"), ("D", "zone")
    ]  # fmt: skip
    boxes = {}
    for label, node in by_label.items():
        size = node.get("size", {"width": 180, "height": 72})
        boxes[label] = (*node["position"].values(), *size.values())
    for group, members in (("Lane", "AB"), ("Zone", "CD")):
        assert by_label[group]["type"] == GROUP
        for label in members:
            x, y, width, height = boxes[label]
            assert x >= 24
            assert y >= 40
            assert x + width <= boxes[group][2]
            assert y + height <= boxes[group][3]
        (one, other) = members
        assert boxes[one][0] + boxes[one][2] <= boxes[other][0], "they lie side by side, as drawn"


def test_a_box_with_an_icon_and_words_in_it_is_one_node() -> None:
    card = vertex("card", "", "rounded=1;fillColor=#ffffff;", (0, 0, 180, 70))
    icon = vertex("icon", "", "shape=mxgraph.gcp2.cloud_storage;part=1;", (5, 5, 40, 40), parent="card")
    words = vertex("words", "Uploads", "text;html=1;", (60, 5, 100, 20), parent="card")
    more = vertex("more", "kept for a year", "text;html=1;", (60, 30, 100, 20), parent="card")
    (node,) = read(model(card, icon, words, more)).diagram["nodes"]
    assert (node["label"], node["description"], node["type"]) == ("Uploads", "kept for a year", "storage")
    assert node["technology"] == "Google Cloud Storage"


def test_a_picture_is_called_by_the_text_below_it_or_by_its_shape() -> None:
    found = read(
        model(
            vertex("a", "", "shape=mxgraph.aws4.resourceIcon;resIcon=mxgraph.aws4.sqs;", (0, 0, 60, 60)),
            vertex("t", "Jobs", "text;html=1;", (0, 65, 60, 20)),
            vertex("b", "", "shape=mxgraph.aws4.resourceIcon;resIcon=mxgraph.aws4.dynamodb;", (300, 0, 60, 60)),
            edge("e", "a", "b"),
        )
    )
    assert [(label, node["type"]) for label, node in nodes_by_label(found.diagram).items()] == [
        ("Jobs", "queue"),
        ("DynamoDB", "database"),
    ]
    assert edges_by_label(found.diagram) == [("Jobs", "DynamoDB", "")]


def test_a_port_is_a_part_of_the_box_that_it_is_drawn_on() -> None:
    found = read(
        model(
            vertex("a", "A"), vertex("p", "", at=(110, 20, 20, 20)), vertex("b", "B", at=(300, 0, 120, 60)),
            vertex("q", "", at=(280, 20, 20, 20)), edge("e", "p", "q"),
        )
    )  # fmt: skip
    assert list(nodes_by_label(found.diagram)) == ["A", "B"]
    assert edges_by_label(found.diagram) == [("A", "B", "")]


def test_a_class_is_one_node_with_its_rows() -> None:
    style = "swimlane;childLayout=stackLayout;"
    found = read(
        model(
            vertex("k", "Order", style, (0, 0, 160, 90)),
            vertex("r1", "id: int", "text;", (0, 30, 160, 20), parent="k"),
            vertex("r2", "", "line;", (0, 50, 160, 8), parent="k"),
            vertex("r3", "pay()", "text;", (0, 58, 160, 20), parent="k"),
            vertex("o", "Customer", at=(400, 0, 160, 90)),
            edge("e", "o", "r1"),
        )
    )
    assert nodes_by_label(found.diagram)["Order"]["description"] == "id: int\npay()"
    assert edges_by_label(found.diagram) == [("Customer", "Order", "")]


def test_a_shape_without_a_label_in_which_a_line_ends_is_called_by_its_form() -> None:
    ends = (vertex("a", "", "ellipse;"), vertex("b", "", at=(300, 0, 120, 60)))
    assert edges_by_label(read(model(*ends, edge("e", "a", "b"))).diagram) == [("Ellipse", "Unnamed", "")]


def test_lines_without_named_ends_end_where_they_are_drawn() -> None:
    points = '<mxPoint x="122" y="30" as="sourcePoint"/><mxPoint x="298" y="30" as="targetPoint"/>'
    found = read(model(vertex("a", "A"), vertex("b", "B", at=(300, 0, 120, 60)), edge("e", geometry=points)))
    assert edges_by_label(found.diagram) == [("A", "B", "")]
    loose = read(model(vertex("a", "A"), edge("e", "a", value="nowhere")))
    assert [(one.cell, one.text) for one in loose.unread] == [("e", "nowhere")]
    assert "one end only" in loose.unread[0].reason


def line_at(id_: str, begin: tuple[float, float], end: tuple[float, float], source: str = "") -> str:
    places = zip(("sourcePoint", "targetPoint"), (begin, end), strict=True)
    return edge(id_, source, geometry="".join(f'<mxPoint x="{x}" y="{y}" as="{name}"/>' for name, (x, y) in places))


ICON = "shape=mxgraph.networks.server;"


@pytest.mark.parametrize(
    "style, begin, end, connected",
    [
        ("", (120, 30), (270, 30), True),  # 30 pixels before B
        ("", (120, 30), (250, 30), False),
        ("", (120, 30), (270, 120), False),  # beside B
        ("", (150, 30), (270, 30), False),  # which is near no shape at either end
        (ICON, (150, 30), (270, 30), True),
        ("", (300, 30), (150, 30), True),  # from B to before A
    ],
)
def test_a_line_that_points_at_a_shape_ends_there(
    style: str, begin: tuple[float, float], end: tuple[float, float], connected: bool
) -> None:
    """From a shape, or between pictures, whose borders nobody sees."""
    found = read(model(vertex("a", "A", style), vertex("b", "B", style, (300, 0, 120, 60)), line_at("e", begin, end)))
    assert [{*link[:2]} for link in edges_by_label(found.diagram)] == ([{"A", "B"}] if connected else [])


def test_a_line_that_is_short_points_at_nothing() -> None:
    """One of which less is drawn than would be missing."""
    shapes = vertex("a", "A"), vertex("b", "B", at=(180, 0, 120, 60))
    assert not edges_by_label(read(model(*shapes, line_at("e", (120, 30), (150, 30)))).diagram)


def hosts(*columns: int) -> list[str]:
    return [vertex(f"h{x}", f"H{x}", ICON, (x, 0, 60, 60)) for x in columns]


def test_a_line_at_which_lines_end_is_a_bus() -> None:
    """In the group that it runs through; three lines from shapes are needed, and it must run across or down."""
    frame, columns = vertex("f", "Plant", at=(0, 80, 400, 200)), (10, 110, 210)
    ends = [line_at(f"e{x}", (x + 30, 60), (x + 30, 180), f"h{x}") for x in columns]
    bus = line_at("bus", (0, 180), (400, 180))
    found = read(model(*hosts(*columns), frame, bus, *ends))
    assert edges_by_label(found.diagram) == [(f"H{x}", "Bus", "") for x in columns]
    by_label = nodes_by_label(found.diagram)
    assert (by_label["Bus"]["parent"], by_label["Plant"]["type"]) == ("plant", GROUP)
    assert not found.unread
    for fewer in (
        [bus, *ends[:2]],
        [line_at("bus", (0, 160), (400, 200)), *ends],
        [bus, *[line_at(f"e{x}", (x + 30, 100), (x + 30, 180)) for x in columns]],
    ):
        assert "Bus" not in nodes_by_label(read(model(*hosts(*columns), frame, *fewer)).diagram)


@pytest.mark.parametrize("style, is_group", [("fillColor=none;", True), ("group;", True), ("", False)])
def test_a_frame_that_hides_nothing_is_around_what_was_drawn_before_it(style: str, is_group: bool) -> None:
    """As draw.io shows both."""
    frame = vertex("f", "Frame", style, (0, 0, 400, 200))
    found = nodes_by_label(read(model(vertex("a", "A", at=(20, 60, 120, 60)), frame)).diagram)
    assert (found["Frame"]["type"] == GROUP, found["A"].get("parent") == "frame") == (is_group, is_group)


@pytest.mark.parametrize(
    "style, ends, direction, kind",
    [
        ("", "AB", "forward", "sync"),
        ("endArrow=none;", "AB", "none", "sync"),
        ("startArrow=classic;", "AB", "both", "sync"),
        ("startArrow=classic;endArrow=none;", "BA", "forward", "sync"),
        ("dashed=1;", "AB", "forward", "async"),
        ("dashed=1;endArrow=open;", "AB", "forward", "dependency"),
    ],
)
def test_arrow_heads_and_dashes_are_kept(style: str, ends: str, direction: str, kind: str) -> None:
    found = read(model(vertex("a", "A"), vertex("b", "B", at=(300, 0, 120, 60)), edge("e", "a", "b", style)))
    (made,) = found.diagram["edges"]
    assert (edges_by_label(found.diagram)[0][:2], made["direction"], made["kind"]) == (tuple(ends), direction, kind)


@pytest.mark.parametrize("stroke, color", [("#4284F3", "blue"), ("#9E9E9E", ""), ("none", "")])
def test_clear_colours_of_lines_are_kept(stroke: str, color: str) -> None:
    line = edge("e", "a", "b", f"strokeColor={stroke};fillColor=#ff0000;")
    (made,) = read(model(vertex("a", "A"), vertex("b", "B", at=(300, 0, 120, 60)), line)).diagram["edges"]
    assert made.get("color", "") == color


def test_bends_and_labels_of_lines_are_kept() -> None:
    """Labels that are cells of their own, too; bends are stretched as the nodes are."""
    bends = '<Array as="points"><mxPoint x="200" y="30"/><mxPoint x="200" y="330"/></Array>'
    label = (
        '<mxCell id="l" value="reads" style="edgeLabel;" vertex="1" connectable="0" parent="e">'
        '<mxGeometry x="0.2" relative="1" as="geometry"/></mxCell>'
    )
    found = read(
        model(
            vertex("a", "A", at=(0, 0, 180, 72)), vertex("b", "B", at=(300, 300, 180, 72)),
            edge("e", "a", "b", geometry=bends), label,
        )
    )  # fmt: skip
    turned = read(
        model(
            vertex("a", "A", at=(0, 0, 180, 72)), vertex("b", "B", at=(300, 300, 180, 72)),
            edge("e", "a", "b", "startArrow=classic;endArrow=none;", geometry=bends),
        )
    )  # fmt: skip
    assert turned.diagram["edges"][0]["route"] == [{"x": 200, "y": 330}, {"x": 200, "y": 30}]
    (made,) = found.diagram["edges"]
    assert (made["label"], made["route"]) == ("reads", [{"x": 200, "y": 30}, {"x": 200, "y": 330}])


def test_places_and_sizes_are_kept() -> None:
    found = nodes_by_label(
        read(model(vertex("a", "A", at=(40, 60, 180, 72)), vertex("b", "B", at=(400, 60, 300, 144)))).diagram
    )
    assert found["A"]["position"] == {"x": 40, "y": 60}
    assert "size" not in found["A"]
    assert (found["B"]["position"], found["B"]["size"]) == ({"x": 400, "y": 60}, {"width": 300, "height": 144})


def test_small_shapes_are_spread_so_that_nodes_do_not_overlap() -> None:
    cells = [vertex(f"n{i}", f"N{i}", at=(i % 5 * 80, i // 5 * 60, 50, 30)) for i in range(20)]
    places = [(node["position"]["x"], node["position"]["y"]) for node in read(model(*cells)).diagram["nodes"]]
    for index, (x, y) in enumerate(places):
        for left, top in places[index + 1 :]:
            assert abs(x - left) >= 180 or abs(y - top) >= 72


def test_what_is_not_kept_is_listed_with_its_reason() -> None:
    """One by one where it has words or is a line, else once for all alike."""
    found = read(
        model(
            vertex("a", "A"), vertex("b", "B", at=(300, 0, 120, 60)), edge("e", "a", "b"), edge("e2", "a", "b"),
            edge("e3", "a", "a", value="again"), vertex("p1", "", at=(0, 400, 20, 20)),
            vertex("p2", "", at=(40, 400, 20, 20)), vertex("r", "", "line;", (0, 500, 90, 10)),
        )
    )  # fmt: skip
    assert [(one.cell, one.text, one.reason) for one in found.unread] == [
        ("e2", "", "the same line is there already"),
        ("e3", "again", "both ends of the line are at the same shape"),
        ("p1", "", "a box without a label in which no line ends is not kept (and 1 more like it)"),
        ("r", "", "a rule, which connects nothing, is not kept"),
    ]


def test_text_beside_the_boxes_is_a_text_where_it_was_drawn() -> None:
    """At its side of its box, in the colour of its letters, whole; a box that it lies in holds it."""
    long = "Drawn in May<br>by the team<br>for nobody<br>in particular"
    found = nodes_by_label(
        read(
            model(
                vertex("a", "A", at=(0, 0, 180, 72)),
                vertex(
                    "t", long, "text;html=1;align=right;verticalAlign=bottom;fontColor=#CC0000;", (400, 500, 600, 90)
                ),
                vertex("zone", "Zone", "html=1;container=1;", (0, 200, 600, 300)),
                vertex("b", "B", at=(24, 240, 180, 72), parent="zone"),
                vertex("u", "1. *Pay*", "text;", (300, 40, 90, 20), parent="zone"),
            )
        ).diagram
    )
    may, pay = found["Drawn in May"], found["1. *Pay*"]
    assert (may["type"], may["color"], may["description"]) == ("text", "red", "by the team\nfor nobody\nin particular")
    assert may["position"]["x"] + may["size"]["width"] == 1000
    assert may["position"]["y"] + may["size"]["height"] == 590
    assert (pay["type"], pay["parent"], pay["position"]) == ("text", "zone", {"x": 300, "y": 40})
    assert "color" not in pay
    assert "description" not in found["Zone"]


def test_text_at_which_a_line_ends_is_a_text_unless_it_says_what_it_is() -> None:
    ends = [vertex("t", "See the plan", "text;"), vertex("d", "Orders database", "text;", at=(0, 300, 90, 20))]
    box = vertex("a", "A", at=(400, 0, 180, 72))
    found = read(model(*ends, box, edge("e", "t", "a"), edge("f", "a", "d")))
    assert {label: node["type"] for label, node in nodes_by_label(found.diagram).items()} == {
        "See the plan": "text", "Orders database": "database", "A": "service"
    }  # fmt: skip
    assert edges_by_label(found.diagram) == [("See the plan", "A", ""), ("A", "Orders database", "")]


def test_a_small_text_moves_no_boxes_apart() -> None:
    plain = [vertex("a", "A", at=(0, 0, 180, 72)), vertex("b", "B", at=(260, 0, 180, 72))]
    text = vertex("t", "calls", "text;", (200, 20, 40, 20))
    with_text, without = (read(model(*cells)) for cells in ([*plain, text], plain))
    places = [{one["id"]: one["position"] for one in found.diagram["nodes"]} for found in (with_text, without)]
    assert places[0].items() > places[1].items()


def test_numbers_and_patches_of_colour_that_a_legend_has_are_texts() -> None:
    """In their colour, and in the way of no node; one at which a line ends is a node."""
    swatch = "fillColor=#EBC01A;fontColor=#4277BB;labelPosition=right;align=left;"
    found = read(
        model(
            vertex("a", "A", at=(0, 0, 180, 72)), vertex("b", "B", at=(220, 0, 180, 72)),
            vertex("c", "C", at=(8, 200, 40, 40)),
            vertex("n", "1", "fillColor=#007CBD;fontColor=#FFFFFF;", (190, 20, 24, 24)),
            vertex("s", "Application component", swatch, (500, 0, 20, 10)), edge("e", "a", "c"),
        )
    )  # fmt: skip
    by_label = nodes_by_label(found.diagram)
    assert {label: node["type"] for label, node in by_label.items()} == {
        "A": "service", "B": "service", "C": "service", "1": "text", "Application component": "text"
    }  # fmt: skip
    assert (by_label["1"]["color"], by_label["Application component"]["color"]) == ("blue", "yellow")
    assert by_label["Application component"]["position"]["x"] == 520
    assert by_label["B"]["position"] == {"x": 220, "y": 0}


@pytest.mark.parametrize(
    "texts, title, others",
    [
        ([("Zone", 20)], "Zone", []),
        ([("Zone", 20), ("More", 300)], "Zone", ["More"]),
        ([("Left", 20), ("Right", 22)], "Group", ["Left", "Right"]),
        ([("word " * 20, 20)], "Group", [("word " * 20).strip()]),
    ],
    ids=["one", "first", "in a row", "long"],
)
def test_a_frame_is_called_by_a_short_text_that_stands_alone_at_its_top(
    texts: list[tuple[str, float]], title: str, others: list[str]
) -> None:
    inner = [vertex("a", "A", at=(24, 80, 180, 72)), vertex("b", "B", at=(300, 80, 180, 72))]
    written = [vertex(f"t{at}", text, "text;", (300.0 * at + 10, y, 80, 20)) for at, (text, y) in enumerate(texts)]
    found = nodes_by_label(read(model(vertex("z", "", "rounded=0;", (0, 0, 700, 400)), *inner, *written)).diagram)
    assert [label for label, node in found.items() if node["type"] == GROUP] == [title]
    assert [label for label, node in found.items() if node["type"] == "text"] == others


def test_groups_that_have_grown_do_not_overlap() -> None:
    """Each is as wide as a node needs, so the page is stretched until they are apart, as they were drawn."""
    zones = [
        cell
        for at in range(4)
        for cell in (
            vertex(f"z{at}", f"Zone {at}", "html=1;container=1;", (130.0 * at, 0, 120, 300)),
            vertex(f"n{at}", f"N{at}", at=(20, 100 * at, 80, 40), parent=f"z{at}"),
        )
    ]
    found = nodes_by_label(read(model(*zones)).diagram)
    ends = [(found[f"Zone {at}"]["position"]["x"], found[f"Zone {at}"]["size"]["width"]) for at in range(4)]
    assert all(left + width <= other for (left, width), (other, _) in pairwise(ends))


def test_a_stereotype_is_not_the_name() -> None:
    lines = "&lt;&lt;Interface&gt;&gt;<br>Payment<br>+ pay(): void<br>+ cancel(): void"
    (node,) = read(model(vertex("a", lines))).diagram["nodes"]
    assert (node["label"], node["description"]) == ("Payment", "<<Interface>>\n+ pay(): void\n+ cancel(): void")


def test_a_title_that_passes_below_a_picture_is_not_its_caption() -> None:
    icon = "shape=mxgraph.aws4.resourceIcon;resIcon=mxgraph.aws4.sqs;"
    title = vertex("t", "All queues of the shop", "text;", (0, 65, 600, 20))
    assert list(nodes_by_label(read(model(vertex("a", "", icon, (0, 0, 60, 60)), title)).diagram)) == [
        "SQS",
        "All queues of the shop",
    ]


def test_an_image_has_the_colour_that_is_drawn_with_it() -> None:
    """Not the one of its style, which draw.io does not draw."""
    image = "shape=image;image=img/lib/ibm/analytics.svg;fillColor=#C2952D;"
    found = nodes_by_label(
        read(
            model(vertex("a", "A", image), vertex("b", "B", image + "imageBackground=#FFCCCC;", (300, 0, 60, 60)))
        ).diagram
    )
    assert [node.get("color", "") for node in found.values()] == ["", "red"]


@pytest.mark.parametrize(
    "rotation, box",
    [("90", (70, -30, 80, 200)), ("-90", (70, -30, 80, 200)), ("180", (10, 30, 200, 80)), ("0", (10, 30, 200, 80)),
     ("x", (10, 30, 200, 80)), ("45", (11, -29, 198, 198))],
)  # fmt: skip
def test_a_turned_shape_is_as_wide_as_it_looks(rotation: str, box: tuple[float, ...]) -> None:
    (found,) = cells_of(pages_of(model(vertex("a", "A", f"rotation={rotation};", (10, 30, 200, 80))))[0].model()).cells
    assert tuple(round(one) for one in (found.box.x, found.box.y, found.box.width, found.box.height)) == box


def test_a_turned_node_stays_around_its_middle() -> None:
    (node,) = read(model(vertex("a", "A", "rotation=270;", (0, 0, 100, 300)))).diagram["nodes"]
    assert (node["position"], node["size"]) == ({"x": -100, "y": 100}, {"width": 300, "height": 100})


def layer(id_: str, name: str, *, is_hidden: bool = False) -> str:
    return f'<mxCell id="{id_}" value={quoteattr(name)} parent="0"{" visible=" + quoteattr("0") if is_hidden else ""}/>'


def test_hidden_layers_and_shapes_are_left_out_and_listed() -> None:
    """With all that lies in them, and lines that end there, as draw.io leaves them out of pictures."""
    label = (
        '<mxCell id="l" value="old way" style="edgeLabel;" vertex="1" parent="e"><mxGeometry relative="1"/></mxCell>'
    )
    found = read(
        model(
            layer("2", "Old <network>", is_hidden=True), layer("3", "", is_hidden=True), layer("4", "Shown"),
            vertex("a", "A"), vertex("b", "B", at=(300, 0, 120, 60), parent="4"), edge("f", "a", "b"),
            vertex("zone", "Zone", at=(0, 300, 400, 200), parent="2"), vertex("in", "Inside", parent="zone"),
            edge("e", "a", "in"), label,
            vertex("h", "<b>Later</b>", at=(600, 0, 120, 60), visible="0"),
        )
    )  # fmt: skip
    assert list(nodes_by_label(found.diagram)) == ["A", "B"]
    assert edges_by_label(found.diagram) == [("A", "B", "")]
    assert [(one.cell, one.text, one.reason) for one in found.unread] == [
        ("2", "Old <network>", "this layer is hidden, with 4 shapes and lines"),
        ("h", "Later", "this shape is hidden"),
    ]


SVG_IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'


def address(content: bytes) -> str:
    """As draw.io writes it into a style, in which `;` ends a value."""
    return f"data:image/png,{base64.b64encode(content).decode()}"


def test_images_in_shapes_come_along() -> None:
    """The shape's own, or the icon of a card; the same bytes once. One that is no image is listed and left out."""
    content = png_image()
    name = f"{hashlib.sha256(content).hexdigest()}.png"
    picture = f"shape=image;image={address(content)};"
    found = read(
        model(
            vertex("a", "A", picture),
            vertex("card", "Card", "rounded=1;", (300, 0, 180, 72)),
            vertex("icon", "", picture, (304, 4, 30, 30), parent="1"),
            vertex("s", "S", f"shape=label;image=data:image/svg+xml,{quote(SVG_IMAGE)};", (600, 0, 180, 72)),
            vertex("alone", "", picture, (0, 300, 90, 90)),
            vertex("broken", "Broken", "shape=image;image=data:image/png,aGVsbG8=;", (300, 300, 90, 90)),
            vertex("cut", "Cut", "shape=image;image=data:image/png,aGVsbG8;", (600, 300, 90, 90)),
            vertex("lib", "Machine", "image;image=img/lib/azure2/compute/Virtual_Machine.svg;", (900, 0, 60, 60)),
        )
    )
    svg_name = f"{hashlib.sha256(SVG_IMAGE.encode()).hexdigest()}.svg"
    assert {label: node.get("image", "") for label, node in nodes_by_label(found.diagram).items()} == {
        "A": f"images/{name}", "Card": f"images/{name}", "S": f"images/{svg_name}", "Image": f"images/{name}",
        "Broken": "", "Cut": "", "Machine": "",
    }  # fmt: skip
    assert nodes_by_label(found.diagram)["Image"]["type"] == "other"
    assert found.images == {name: content, svg_name: SVG_IMAGE.encode()}
    assert [(one.cell, one.reason) for one in found.unread] == [
        ("broken", "its image is not kept: it does not begin as a PNG, JPEG, GIF, WebP or SVG does"),
        ("cut", "its image is not kept: it is no base 64"),
    ]


def test_images_of_other_servers_are_listed_and_not_fetched() -> None:
    far = "shape=image;image=https://example.org/a.png;"
    found = read(model(vertex("a", "A", far), vertex("b", "B", far, (300, 0, 120, 60))))
    assert list(nodes_by_label(found.diagram)) == ["A", "B"]
    assert [(one.cell, one.text, one.reason) for one in found.unread] == [
        (
            "a",
            "https://example.org/a.png",
            "its image is at another server, and nothing is fetched (and 1 more like it)",
        )
    ]


def test_images_have_no_more_room_than_a_workspace_has() -> None:
    kept = KeptImages(ImageLimits(bytes=1_000, count=1))
    first = kept.address_of(png_image(salt=b"1"))
    assert kept.address_of(png_image(salt=b"1")) == first
    for content, reason in ((png_image(salt=b"2"), "no room for more"), (png_image(salt=bytes(2_000)), "1,000 bytes")):
        with pytest.raises(ImageUnread, match=reason):
            kept.address_of(content)
    assert list(kept.images) == [first.removeprefix("images/")]


def test_pages_that_were_left_are_named_unless_one_was_asked_for() -> None:
    drawing = read_drawing(BOTH)
    assert drawing.content["name"] == "One"
    (warning,) = drawing_warnings(drawing, "/import/content", is_one_asked_for=False)
    assert (warning.code, warning.candidates) == ("pages_left", ("2",))
    assert "2 “Two”" in warning.message
    assert drawing_warnings(read_drawing(BOTH, 2), "", is_one_asked_for=True) == []
    with pytest.raises(DraftsmithError) as refused:
        read_drawing(BOTH, 3)
    assert (refused.value.code, refused.value.problems[0].candidates) == ("page_unknown", ("1", "2"))


BILLION_LAUGHS = (
    '<!DOCTYPE mxfile [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    f'<mxfile><diagram name="&b;">{SHOP}</diagram></mxfile>'
)


@pytest.mark.parametrize(
    "content, reason",
    [
        (lambda: BILLION_LAUGHS, "declares something"),
        (lambda: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><mxfile>&x;</mxfile>', "declares something"),
        (lambda: "<mxfile>" + "<a>" * 1_000_000, f"nested more than {MAX_DEPTH} deep"),
        (lambda: "<mxfile>" + "<a/>" * 1_000_000, f"more than {MAX_ELEMENTS:,} elements"),
        (lambda: b"<" + b" " * MAX_BYTES, "longer than 10 MB"),
        (lambda: packed("%3Cmxfile" + "a" * 25_000_000), "longer than 20 MB"),
        (lambda: png(b"zTXt", b"mxfile\0\0" + zlib.compress(b" " * 25_000_000)), "longer than 20 MB"),
        (lambda: png(b"tEXt", b"Comment\0hello"), "carries no drawing"),
        (lambda: b"\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXt", "carries no drawing"),
        (lambda: b"\x00\xff\x00", "neither a PNG nor text"),
        (lambda: "<svg/>", "carries no drawing"),
        (lambda: "<html/>", "this XML is a `html`"),
        (lambda: "<mxfile/>", "no page"),
        (lambda: "<mxfile><diagram", "cannot be read"),
        (lambda: "hello there!", "neither XML nor base 64"),
        (lambda: "", "nothing in it"),
        (lambda: SHOP[: len(SHOP) // 2], "cannot be read"),
    ],
    ids=["entities", "a file", "deep", "wide", "long", "bomb", "bomb in PNG", "PNG of others", "PNG cut", "bytes",
         "SVG of others", "HTML", "empty", "tag cut", "prose", "nothing", "cut"],
)  # fmt: skip
def test_hostile_and_broken_files_are_refused_in_words(content: Callable[[], str | bytes], reason: str) -> None:
    with pytest.raises(UnreadableDrawing) as refused:
        read(content())
    assert reason in refused.value.reason


def test_a_page_that_is_cut_spoils_no_other() -> None:
    broken = f'<mxfile><diagram name="Cut">{packed(SHOP)[:40]}</diagram><diagram name="Whole">{SHOP}</diagram></mxfile>'
    with pytest.raises(UnreadableDrawing):
        read(broken)
    assert edges_by_label(read(broken, 2).diagram) == [("Web shop", "Orders", "places")]


def test_the_packed_pages_of_a_file_share_one_bound() -> None:
    """What of them is beyond it is refused page by page, and costs nothing once the room is used up."""
    small, long = f"<diagram>{packed(SHOP)}</diagram>", packed(SHOP + " " * 2_500_000)
    text = f"<mxfile>{small}{f'<diagram>{long}</diagram>' * 498}{small}</mxfile>"
    found = read_sets(format_reader, {"a.drawio": text})
    assert [len(one.diagram["nodes"]) for one in found] == [len(found[0].diagram["nodes"])] * 3
    refused = [one for one in found[0].unread if "longer than 20 MB" in one.reason]
    assert len(refused) == 500 - 3


def test_elements_of_packed_pages_are_counted_together() -> None:
    wide = packed(f"<mxGraphModel><root>{'<a/>' * (MAX_ELEMENTS // 3)}</root></mxGraphModel>")
    pages = pages_of(f"<mxfile>{f'<diagram>{wide}</diagram>' * 4}</mxfile>")
    assert [page.model().tag for page in pages[:2]] == ["mxGraphModel"] * 2
    for page in pages[2:]:
        with pytest.raises(UnreadableDrawing, match="more than 400,000 elements"):
            page.model()


def test_cells_in_circles_and_in_long_chains_are_read() -> None:
    """Parents that go round, and 3,000 boxes that lie in one another, by parent or as drawn."""
    circle = read(model(vertex("a", "A", parent="b"), vertex("b", "B", parent="a"), vertex("c", "C", parent="c")))
    check_diagram(circle.diagram)
    assert sorted(nodes_by_label(circle.diagram)) == ["A", "B", "C"]
    chain = [vertex(f"n{i}", f"N{i}", at=(1, 1, 500, 500), parent=f"n{i - 1}" if i else "1") for i in range(3_000)]
    found = read(model(*chain))
    check_diagram(found.diagram)
    assert len(found.diagram["nodes"]) == 3_000
    bare = [vertex(f"n{i}", "", "group;", (1, 1, 500, 500), parent=f"n{i - 1}" if i else "1") for i in range(3_000)]
    check_diagram(read(model(*bare, vertex("x", "X", parent="n2999"))).diagram)


def test_scripts_in_a_file_are_words_at_most() -> None:
    link = vertex("", "x").replace('id="" value="x"', "")
    label = quoteattr('<a href="javascript:alert(1)">Go</a>')
    wrapped = f'<UserObject id="a" label={label} link="javascript:alert(1)">{link}</UserObject>'
    (node,) = read(model(wrapped)).diagram["nodes"]
    assert node["label"] == "Go"
    assert "link" not in node.get("properties", {})


SEEDED = [SHOP, BOTH, f"<svg content={quoteattr(BOTH)}/>"]


@settings(max_examples=examples(200))
@given(st.sampled_from(SEEDED), st.integers(0, 2**32))
def test_no_damage_makes_it_fail(content: str, seed: int) -> None:
    """Files cut off, with bits turned over and pieces twice, are read to something valid, or refused in words."""
    dice = random.Random(seed)
    damaged = bytearray(content.encode())
    for _ in range(dice.randrange(1, 12)):
        place = dice.randrange(len(damaged))
        kind = dice.randrange(4)
        if kind == 0:
            damaged[place] ^= 1 << dice.randrange(8)
        elif kind == 1:
            damaged[place:place] = damaged[place // 2 : place]
        elif kind == 2:
            del damaged[place : place + dice.randrange(9)]
        else:
            damaged = damaged[: max(1, place)] if dice.randrange(4) == 0 else damaged
        if not damaged:
            break
    check_fails_in_words_at_most(bytes(damaged))
    check_fails_in_words_at_most(png(b"tEXt", b"mxfile\0" + bytes(damaged))[: dice.randrange(40, 400)])


STYLES = st.sampled_from(
    [
        "", "html=1;", "text;", "group;", "swimlane;", "line;", "shape=image;", "shape=mxgraph.aws4.lambda;",
        "shape=table;childLayout=tableLayout;", "shape=tableRow;", "edgeLabel;", "fillColor=none;strokeColor=none;",
        "shape=note;", "startArrow=classic;endArrow=none;", "dashed=1;", "shape=waypoint;", "fillColor=#ff0000;",
    ]
)  # fmt: skip
NUMBERS = st.sampled_from(["", "0", "10", "-5", "120", "1e9", "nan", "inf", "-1e400", "x", "0.5"])
WORDS = st.sampled_from(["", "A", "<b>x</b>", "<![x", "&#0;&#xD800;", "a" * 200, "<script>", "\u202e!", "%x%"])
POINTS = st.sampled_from(["sourcePoint", "targetPoint", "offset"])
NAMES = st.sampled_from(["0", "1", "a", "b", "c", "d", "e", "f", ""])


@st.composite
def drawn_cells(draw: st.DrawFn) -> str:
    given = {"id": draw(NAMES), "value": draw(WORDS), "style": draw(STYLES), "parent": draw(NAMES)}
    given |= {"source": draw(NAMES), "target": draw(NAMES)} if draw(st.booleans()) else {}
    given[draw(st.sampled_from(["vertex", "edge", "none"]))] = "1"
    names = "".join(f" {name}={quoteattr(text)}" for name, text in given.items())
    place = {name: draw(NUMBERS) for name in ("x", "y", "width", "height")}
    attributes = "".join(f' {name}="{text}"' for name, text in place.items())
    relative = draw(st.sampled_from(["", ' relative="1"']))
    point = f'<mxPoint x="{draw(NUMBERS)}" y="{draw(NUMBERS)}" as="{draw(POINTS)}"/>'
    cell = f'<mxCell{names}><mxGeometry{attributes}{relative} as="geometry">{point}</mxGeometry></mxCell>'
    return (
        f'<object id="{draw(NAMES)}" label="%x%" x="1" placeholders="1">{cell}</object>'
        if draw(st.booleans())
        else cell
    )


@settings(max_examples=examples(300))
@given(st.lists(drawn_cells(), max_size=12))
def test_every_page_is_valid(cells: list[str]) -> None:
    check_diagram(read(model(*cells)).diagram)


def check_fails_in_words_at_most(content: bytes) -> None:
    pages: Sequence[PageSource] = []
    with suppress(UnreadableDrawing):
        pages = pages_of(content)
    for page in pages:
        with suppress(UnreadableDrawing):
            check_diagram(read_page(page).diagram)


def test_a_note_keeps_its_whole_text_and_is_of_the_usual_colour_unless_it_has_one() -> None:
    """Its first line is its name."""
    plain = vertex("a", "Ask the bank<br>Who pays?<br>And when?<br>How much?", "shape=note;html=1;")
    pink = vertex("b", "Later", "shape=note;fillColor=#ff66aa;", at=(300, 0, 120, 60))
    found = nodes_by_label(read(model(plain, pink)).diagram)
    assert found["Ask the bank"]["description"] == "Who pays?\nAnd when?\nHow much?"
    assert "color" not in found["Ask the bank"]
    assert found["Later"]["type"] == "note"
    assert found["Later"]["color"] == "pink"
