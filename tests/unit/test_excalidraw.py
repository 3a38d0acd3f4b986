"""Scenes of Excalidraw: each form of file, what becomes of what is drawn, and bounds."""

from __future__ import annotations

import base64
import hashlib
import math
import random
import zlib
from contextlib import suppress
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.model.drawio.cells import MAX_CELLS
from draftsmith.model.excalidraw.files import MAX_BYTES
from draftsmith.model.excalidraw.reader import read, recognizes, sets_of
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from tests import image_samples
from tests.kit.readers import check_valid, edges_by_label, nodes_by_label
from tests.seeds import examples
from tests.unit.test_drawio import png

Element = dict[str, Any]


def shape(key: str, kind: str = "rectangle", at: tuple[float, ...] = (0, 0, 180, 72), **more: Any) -> Element:
    x, y, width, height = at
    usual = {"strokeColor": "#1e1e1e", "backgroundColor": "transparent", "isDeleted": False, "groupIds": []}
    return {"id": key, "type": kind, "x": x, "y": y, "width": width, "height": height, **usual, **more}


def text(key: str, words: str, holder: str | None = None, at: tuple[float, ...] = (10, 10, 60, 20)) -> Element:
    return shape(key, "text", at, text=words.replace(" ", "\n"), originalText=words, containerId=holder)


def arrow(key: str, source: str | None, target: str | None, *points: tuple[float, float], **more: Any) -> Element:
    (x, y), *_ = points = points or ((180, 36), (300, 36))
    bindings = {
        name: {"elementId": end, "focus": 0, "gap": 1} if end else None
        for name, end in (("startBinding", source), ("endBinding", target))
    }
    heads = {"startArrowhead": None, "endArrowhead": "arrow"}
    relative = [[one - x, other - y] for one, other in points]
    return {**shape(key, "arrow", (x, y, 0, 0)), **bindings, **heads, "points": relative, **more}


def scene(*elements: Element, files: dict[str, Any] | None = None) -> bytes:
    return orjson.dumps(
        {"type": "excalidraw", "version": 2, "elements": elements, "appState": {}, "files": files or {}}
    )


def read_scene(*elements: Element) -> ReadWorkspace:
    return read_file(scene(*elements))


def read_file(content: bytes, path: str = "plan.excalidraw") -> ReadWorkspace:
    file = SourceFile(path, content)
    (found,) = read(SourceSet(file, {path: file}))
    check_valid(found)
    return found


SHOP = scene(
    shape("a", at=(0, 0, 180, 72)),
    text("ta", "Web shop", "a"),
    shape("b", "ellipse", (300, 0, 180, 72), backgroundColor="#b2f2bb"),
    text("tb", "Orders", "b"),
    arrow("e", "a", "b"),
    text("te", "places é", "e"),
    shape("gone", isDeleted=True),
)


def carried(content: bytes, *, is_packed: bool = True) -> bytes:
    """A scene as pictures of Excalidraw carry it."""
    encoded = (zlib.compress(content) if is_packed else content).decode("latin-1")
    said = {"version": "1", "encoding": "bstring", "compressed": is_packed, "encoded": encoded}
    return orjson.dumps(said).decode().encode("latin-1")


def svg(payload: bytes) -> bytes:
    mark = b"<!-- payload-type:application/vnd.excalidraw+json --><!-- payload-version:2 -->"
    return b"<svg>%b<!-- payload-start -->%b<!-- payload-end --></svg>" % (mark, base64.b64encode(payload))


@pytest.mark.parametrize(
    "content, path",
    [
        (SHOP, "plan.excalidraw"),
        (b"\xef\xbb\xbf" + SHOP, "plan.json"),
        (svg(carried(SHOP)), "plan.svg"),
        (svg(carried(SHOP, is_packed=False)), "plan.svg"),
        (svg(SHOP), "plan.svg"),
        (png(b"tEXt", b"application/vnd.excalidraw+json\0" + carried(SHOP)), "plan.png"),
        (png(b"tEXt", b"application/vnd.excalidraw+json\0" + SHOP), "plan.excalidraw.png"),
    ],
    ids=["scene", "JSON", "SVG", "SVG not packed", "older SVG", "PNG", "older PNG"],
)
def test_every_form_of_file_is_recognized_and_read(content: bytes, path: str) -> None:
    file = SourceFile(path, content)
    assert recognizes(file)
    assert [one.root for one in sets_of([file])] == [file]
    found = read_file(content, path)
    assert edges_by_label(found.diagram) == [("Web shop", "Orders", "places é")]
    assert list(found.unread) == []
    assert found.is_placed


@pytest.mark.parametrize(
    "content, path",
    [
        (b"{}", "a.json"), (b'{"type": "other", "elements": []}', "a.json"), (b"<svg/>", "a.svg"),
        (png(b"tEXt", b"mxfile\0x"), "a.png"), (b'"excalidraw"', "a.md"),
    ],
)  # fmt: skip
def test_files_of_others_are_not_taken_for_scenes(content: bytes, path: str) -> None:
    assert not recognizes(SourceFile(path, content))


def test_shapes_with_their_texts_become_nodes_with_place_size_colour_and_id() -> None:
    found = read_file(SHOP)
    assert found.sources[next(node["id"] for node in found.diagram["nodes"] if node["label"] == "Orders")] == "b"
    orders = nodes_by_label(found.diagram)["Orders"]
    assert (orders["position"], orders["color"]) == ({"x": 300, "y": 0}, "green")
    assert "size" not in orders
    turned = nodes_by_label(read_scene(shape("a", at=(400, 300, -200, -100)), text("t", "A", "a")).diagram)["A"]
    assert (turned["position"], turned["size"]) == ({"x": 200, "y": 200}, {"width": 200, "height": 100})


def test_text_that_lies_in_a_shape_is_its_label_and_other_text_stands_by_itself() -> None:
    found = read_scene(
        shape("a", at=(0, 0, 300, 200)),
        text("t", "Web shop", at=(20, 20, 80, 20)),
        text("u", "Our plan", at=(0, 400, 80, 20)),
    )
    by_label = nodes_by_label(found.diagram)
    assert list(by_label) == ["Web shop", "Our plan"]
    assert (by_label["Our plan"]["type"], by_label["Our plan"]["position"]) == ("text", {"x": 0, "y": 400})
    assert found.document == ""


def test_images_come_along_and_turned_shapes_are_as_wide_as_they_look() -> None:
    content = image_samples.png()
    name = f"{hashlib.sha256(content).hexdigest()}.png"
    address = f"data:image/png;base64,{base64.b64encode(content).decode()}"
    found = read_file(
        scene(
            shape("p", "image", (0, 0, 300, 200), fileId="f1"),
            shape("q", "image", (0, 300, 300, 200), fileId="gone"),
            shape("a", at=(0, 600, 100, 300), angle=math.pi / 2),
            text("ta", "A", "a"),
            files={"f1": {"dataURL": address}, "f2": 3},
        )
    )
    image, turned = nodes_by_label(found.diagram)["Image"], nodes_by_label(found.diagram)["A"]
    assert (image["image"], found.images) == (f"images/{name}", {name: content})
    assert (turned["position"], turned["size"]) == ({"x": -100, "y": 700}, {"width": 300, "height": 100})
    assert [one.place for one in found.unread] == ["q"]


@pytest.mark.parametrize(
    "more, direction, kind, ends",
    [
        ({}, "forward", "sync", "AB"),
        ({"startArrowhead": "arrow", "endArrowhead": None}, "forward", "sync", "BA"),
        ({"startArrowhead": "triangle"}, "both", "sync", "AB"),
        ({"endArrowhead": None}, "none", "sync", "AB"),
        ({"endArrowhead": "dot"}, "none", "sync", "AB"),
        ({"strokeStyle": "dashed"}, "forward", "async", "AB"),
    ],
)
def test_arrow_heads_and_dashes_are_kept(more: Element, direction: str, kind: str, ends: str) -> None:
    found = read_scene(
        shape("a"),
        text("ta", "A", "a"),
        shape("b", at=(300, 0, 180, 72)),
        text("tb", "B", "b"),
        arrow("e", "a", "b", **more),
    )
    (made,) = found.diagram["edges"]
    assert (made["direction"], made["kind"]) == (direction, kind)
    assert "".join(edges_by_label(found.diagram)[0][:2]) == ends


def test_arrows_lead_where_they_are_bound_or_drawn_with_their_bends() -> None:
    """To a text in a shape, to a text by itself, to where a deleted shape was not; bends stay where they are."""
    found = read_scene(
        shape("a", at=(0, 0, 180, 72)), text("ta", "A", "a"), shape("b", at=(300, 300, 180, 72)), text("tb", "B", "b"),
        text("c", "Alone", at=(600, 0, 80, 20)),
        arrow("e", "ta", "b", (180, 36), (390, 36), (390, 300), strokeColor="#e03131"),
        arrow("f", "b", "c", (480, 336), (640, 336), (640, 20)),
        arrow("g", "nobody", "b", (90, 74), (302, 336)),
        arrow("h", "a", None, (180, 10), (250, -100)),
    )  # fmt: skip
    assert edges_by_label(found.diagram) == [("A", "B", ""), ("B", "Alone", "")]
    assert found.diagram["edges"][0]["route"] == [{"x": 390, "y": 36}]
    assert found.diagram["edges"][0]["color"] == "red"
    assert [(one.place, one.reason) for one in found.unread] == [
        ("g", "the same line is there already"),
        ("h", "a line needs a shape at both ends, and one end only of this one is at a shape"),
    ]


def test_frames_and_groups_become_groups() -> None:
    found = read_scene(
        shape("f", "frame", (0, 0, 700, 300), name="Backend"),
        shape("a", at=(40, 60, 180, 72), frameId="f"), text("ta", "A", "a"),
        shape("b", at=(400, 60, 180, 72), frameId="f"), text("tb", "B", "b"),
        shape("c", at=(900, 60, 180, 72), groupIds=["inner", "outer"]), text("tc", "C", "c"),
        shape("d", at=(1200, 60, 180, 72), groupIds=["inner", "outer"]), text("td", "D", "d"),
        shape("t", "text", (900, 20, 80, 20), text="Data", originalText="Data", groupIds=["inner", "outer"]),
    )  # fmt: skip
    by_label = nodes_by_label(found.diagram)
    ids = {node["id"]: label for label, node in by_label.items()}
    assert {label: ids.get(by_label[label].get("parent", "")) for label in "ABCD"} == {
        "A": "Backend", "B": "Backend", "C": "Data", "D": "Data",
    }  # fmt: skip
    assert by_label["Backend"]["type"] == by_label["Data"]["type"] == "group"


def test_what_is_not_kept_is_listed() -> None:
    found = read_scene(
        shape("a"), text("ta", "A", "a"), shape("p", "freedraw", (300, 300, 50, 50)), shape("q", at=(500, 500, 20, 20))
    )
    assert [(one.place, one.reason) for one in found.unread] == [
        ("p", "a rule, which connects nothing, is not kept"),
        ("q", "a box without a label in which no line ends is not kept"),
    ]


def test_only_addresses_of_the_web_become_links() -> None:
    found = read_scene(
        shape("a", link="https://example.org"), text("ta", "A", "a"),
        shape("b", at=(300, 0, 180, 72), link="javascript:alert(1)"), text("tb", "B", "b"),
    )  # fmt: skip
    assert nodes_by_label(found.diagram)["A"]["properties"] == {"link": "https://example.org"}
    assert "properties" not in nodes_by_label(found.diagram)["B"]


@pytest.mark.parametrize(
    "content, reason",
    [
        (b"", "it is no JSON"),
        (b"[]", "an object of JSON"),
        (b'{"type": "excalidraw"}', "whose `type` is `excalidraw`"),
        (b"{" + b" " * MAX_BYTES, "longer than 10 MB"),
        (b'{"type":"excalidraw","elements":' + b"[" * 2_000, "it is no JSON"),
        (scene(*({"id": f"{at}"} for at in range(MAX_CELLS + 1))), "more than 30,000 elements"),
        (b"<svg/>", "carries no scene"),
        (png(b"tEXt", b"Comment\0x"), "carries no scene"),
        (svg(b"{}").replace(b"e30=", b"e30"), "no base 64"),
        (svg(carried(b" " * 25_000_000)), "longer than 20 MB"),
        (svg(b'{"encoded": "xyz", "compressed": true}'), "what is packed in it"),
        (svg('{"encoded": "€"}'.encode()), "no JSON"),
    ],
    ids=["nothing", "list", "no elements", "long", "deep", "wide", "SVG", "PNG", "base 64", "bomb", "damaged", "wrong"],
)
def test_hostile_and_broken_files_are_refused_in_words(content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableSource) as refused:
        read_file(content)
    assert reason in refused.value.reason


def test_characters_that_nobody_sees_are_left_out() -> None:
    found = read_scene(
        shape("f", "frame", name="Pay\x00ments\u202e"),
        shape("a", link="https://a\x00.example"),
        text("t", "Ord\x00ers", "a"),
    )
    assert set(nodes_by_label(found.diagram)) == {"Payments", "Orders"}
    assert b"\\u0000" not in orjson.dumps(found.diagram)
    empty = read_scene(shape("g", "frame", name="\x00\u202e"))
    assert set(nodes_by_label(empty.diagram)) == {"Frame"}


VALUES = st.one_of(
    st.none(), st.booleans(), st.floats(), st.integers(-(2**60), 2**60),
    st.sampled_from(["", "a", "b", "g", "\x00\u202e!"]),
    st.just([]), st.just({}), st.just([[0, 0], [1, "x"], [1e300, -1e300]]), st.just({"elementId": "a"}),
    st.just(["g", "h", 3]),
)  # fmt: skip
KINDS = st.sampled_from(
    ["rectangle", "ellipse", "diamond", "text", "arrow", "line", "frame", "image", "freedraw", "other", 3]
)
NAMES = (
    "id", "x", "y", "width", "height", "strokeColor", "backgroundColor", "groupIds", "frameId", "containerId", "text",
    "originalText", "points", "angle", "fileId", "textAlign", "startBinding", "endBinding", "startArrowhead",
    "endArrowhead", "name", "link",
)  # fmt: skip
elements = st.builds(lambda kind, rest: {"type": kind, **rest}, KINDS, st.dictionaries(st.sampled_from(NAMES), VALUES))


@settings(max_examples=examples(300))
@given(st.lists(elements, max_size=12))
def test_every_scene_is_read_to_something_valid(found: list[Element]) -> None:
    read_scene(*found)


@settings(max_examples=examples(150))
@given(st.integers(0, 2**32))
def test_no_damage_makes_it_fail(seed: int) -> None:
    dice = random.Random(seed)
    damaged = bytearray(
        dice.choice([SHOP, svg(carried(SHOP)), png(b"tEXt", b"application/vnd.excalidraw+json\0" + SHOP)])
    )
    for _ in range(dice.randrange(1, 8)):
        place = dice.randrange(len(damaged))
        if dice.randrange(2):
            damaged[place] ^= 1 << dice.randrange(8)
        else:
            del damaged[place : place + dice.randrange(9)]
    with suppress(UnreadableSource):
        read_file(bytes(damaged))
