"""The templates and the sample: valid, tidy, and worth looking at."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest

from draftsmith.adapters.files.template_files import list_templates, read_template
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import is_edge_id, is_id
from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.mermaid.writer import from_mermaid, to_mermaid
from draftsmith.model.vocabulary import (
    DIRECTIONS,
    EDGE_KINDS,
    GROUP,
    GROUP_PADDING,
    GROUP_TITLE,
    NODE_HEIGHT,
    NODE_TYPES,
    NODE_WIDTH,
)
from tests.kit.readers import nodes_by_id

IDS = ("blank", "web-service", "event-driven", "data-pipeline", "sample")
Template = dict[str, Any]
Rect = tuple[float, float, float, float]  # left, top, right, bottom


@pytest.fixture(params=IDS)
def template(request: pytest.FixtureRequest) -> Template:
    return read_template(request.param)


@pytest.fixture
def sample() -> Template:
    return read_template("sample")


def rect(node: dict[str, Any]) -> Rect:
    """In the frame of the parent."""
    x, y = node["position"]["x"], node["position"]["y"]
    size = node.get("size", {"width": NODE_WIDTH, "height": NODE_HEIGHT})
    return x, y, x + size["width"], y + size["height"]


def ancestors(template: Template, node: dict[str, Any]) -> list[str]:
    nodes, found = nodes_by_id(template["diagram"]), []
    while node.get("parent") is not None:
        assert node["parent"] not in found, "containment has no cycle"
        found.append(node["parent"])
        node = nodes[node["parent"]]
    return found


def on_screen(template: Template, node: dict[str, Any]) -> Rect:
    left, top, right, bottom = rect(node)
    for name in ancestors(template, node):
        x, y = nodes_by_id(template["diagram"])[name]["position"].values()
        left, top, right, bottom = left + x, top + y, right + x, bottom + y
    return left, top, right, bottom


def test_the_list_is_complete() -> None:
    """Every template is listed in order, with its true counts; the sample is not hidden."""
    listed = list_templates()
    assert tuple(info.id for info in listed) == IDS
    assert listed[-1].name == "Checkout platform (sample)"
    assert not any(info.hidden for info in listed)
    for info in listed:
        diagram = read_template(info.id)["diagram"]
        assert (info.nodes, info.edges) == (len(diagram["nodes"]), len(diagram["edges"]))
        assert info.name
        assert info.description.endswith(".")


@pytest.mark.parametrize("unknown", ["nothing", "", "../sample", "sample.json"])
def test_an_unknown_template_names_those_there_are(unknown: str) -> None:
    """A wrong id is refused with the right ones; no path gets out of the folder."""
    with pytest.raises(DraftsmithError) as caught:
        read_template(unknown)
    assert caught.value.code == "template_unknown"
    assert all(template_id in caught.value.detail for template_id in IDS)


def test_reading_gives_a_copy() -> None:
    """What a caller does to a template does not reach the next."""
    read_template("sample")["diagram"]["nodes"].clear()
    assert read_template("sample")["diagram"]["nodes"]


def test_the_form_is_that_of_an_export(template: Template) -> None:
    """Format, name, diagram and document, nothing else; line ends are LF."""
    assert set(template) == {"format", "name", "diagram", "document"}
    assert template["format"] == "draftsmith/1"
    assert template["document"]["eol"] == "lf"
    assert "\r" not in template["document"]["text"]
    assert template["document"]["text"].endswith("\n")
    assert template["document"]["text"].startswith(f"# {template['name']}\n")


def test_nodes_are_valid(template: Template) -> None:
    """Ids are ids and unique, types known, lengths within limits, no field left empty."""
    listed = template["diagram"]["nodes"]
    assert len(nodes_by_id(template["diagram"])) == len(listed)
    known = {"id", "type", "label", "technology", "description", "notes", "properties", "position", "size", "parent"}
    for node in listed:
        assert set(node) <= known
        assert is_id(node["id"])
        assert node["type"] in NODE_TYPES
        assert 1 <= len(node["label"]) <= 120
        assert all(isinstance(value, str) for value in node.get("properties", {}).values())
        assert all(value not in ("", {}, None) for value in node.values())
        assert node.get("description"), "a template explains every node"


def test_edges_are_valid(template: Template) -> None:
    """Both ends exist, no self loop, no two equal edges; every edge says what flows."""
    nodes, edges = nodes_by_id(template["diagram"]), template["diagram"]["edges"]
    assert len({edge["id"] for edge in edges}) == len(edges)
    assert len({(e["source"], e["target"], e["label"], e["kind"]) for e in edges}) == len(edges)
    for edge in edges:
        assert is_edge_id(edge["id"])
        assert re.fullmatch(rf"{edge['source']}--{edge['target']}(-[2-9])?", edge["id"])
        assert edge["source"] in nodes
        assert edge["target"] in nodes
        assert edge["source"] != edge["target"]
        assert edge["kind"] in EDGE_KINDS
        assert edge.get("direction", "forward") in DIRECTIONS
        assert edge["label"].strip()


def test_containment_is_a_forest(template: Template) -> None:
    """Parents exist, are groups and never stand in themselves; no group is empty."""
    nodes = nodes_by_id(template["diagram"])
    for node in nodes.values():
        assert all(nodes[name]["type"] == GROUP for name in ancestors(template, node))
    parents = {node.get("parent") for node in nodes.values()}
    assert {name for name, node in nodes.items() if node["type"] == GROUP} <= parents


def test_siblings_do_not_overlap(template: Template) -> None:
    """Between two siblings there is always some room."""
    for one, other in combinations(template["diagram"]["nodes"], 2):
        if one.get("parent") == other.get("parent"):
            a, b = rect(one), rect(other)
            assert a[2] + 20 <= b[0] or b[2] + 20 <= a[0] or a[3] + 20 <= b[1] or b[3] + 20 <= a[1], (one, other)


def test_children_lie_inside_their_group(template: Template) -> None:
    """With padding around them, so that no group has to grow when it is shown."""
    nodes = nodes_by_id(template["diagram"])
    for node in nodes.values():
        if node.get("parent") is not None:
            left, top, right, bottom = rect(node)
            size = nodes[node["parent"]]["size"]
            assert left >= GROUP_PADDING
            assert top >= GROUP_TITLE
            assert right + GROUP_PADDING <= size["width"]
            assert bottom + GROUP_PADDING <= size["height"]


def test_straight_edges_do_not_run_through_nodes(template: Template) -> None:
    """Drawn straight from side to side, no edge hides behind a node that it has nothing to do with."""
    nodes = nodes_by_id(template["diagram"])
    for edge in template["diagram"]["edges"]:
        source, target = nodes[edge["source"]], nodes[edge["target"]]
        start, end = sides(on_screen(template, source), on_screen(template, target))
        for node in nodes.values():
            if node["type"] != GROUP and node["id"] not in (edge["source"], edge["target"]):
                assert not crosses(start, end, on_screen(template, node)), (edge["id"], node["id"])


def sides(one: Rect, other: Rect) -> tuple[tuple[float, float], tuple[float, float]]:
    """The middles of the sides that face each other."""
    middle = (one[0] + one[2]) / 2, (one[1] + one[3]) / 2
    across = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    if other[0] > one[2]:
        return (one[2], middle[1]), (other[0], across[1])
    if other[2] < one[0]:
        return (one[0], middle[1]), (other[2], across[1])
    if across[1] > middle[1]:
        return (middle[0], one[3]), (across[0], other[1])
    return (middle[0], one[1]), (across[0], other[3])


def crosses(start: tuple[float, float], end: tuple[float, float], box: Rect) -> bool:
    """Whether the line from start to end meets a box; looked at in a thousand points, each a few pixels apart."""
    for step in range(1_001):
        x = start[0] + (end[0] - start[0]) * step / 1_000
        y = start[1] + (end[1] - start[1]) * step / 1_000
        if box[0] < x < box[2] and box[1] < y < box[3]:
            return True
    return False


@pytest.mark.parametrize(
    "template_id,low,high",
    [("sample", 0.8, 1.4), ("web-service", 0.7, 1.4), ("event-driven", 0.7, 1.4), ("data-pipeline", 0.7, 1.4)],
)
def test_a_diagram_fits_beside_its_document(template_id: str, low: float, high: float) -> None:
    """About as wide as high, like the half of a screen it opens in, so that it can be read without zooming."""
    template = read_template(template_id)
    boxes = [on_screen(template, node) for node in template["diagram"]["nodes"]]
    width = max(right for _, _, right, _ in boxes) - min(left for left, _, _, _ in boxes)
    height = max(bottom for _, _, _, bottom in boxes) - min(top for _, top, _, _ in boxes)
    assert low <= width / height <= high


def test_links_in_the_document_lead_to_nodes(template: Template) -> None:
    """Every `#node/<id>` exists, and its words are the node's label."""
    nodes = nodes_by_id(template["diagram"])
    links = re.findall(r"\[([^\]]*)\]\(#node/([^)]*)\)", template["document"]["text"])
    for words, node_id in links:
        assert nodes[node_id]["label"].lower() == words.lower()
    assert len(outline_of(template["document"]["text"]).links) == len(links)


def test_headings_are_unambiguous(template: Template) -> None:
    """No two sections share a path, so an edit can name each; levels are not skipped."""
    outline = outline_of(template["document"]["text"])
    paths = [outline.path(section) for section in outline.sections]
    assert len(set(paths)) == len(paths)
    for section in outline.sections:
        if section.parent is not None:
            assert section.level == outline.sections[section.parent].level + 1


def test_a_template_survives_mermaid(template: Template) -> None:
    """Ids, types, labels, nesting and links of a template come back from its Mermaid export."""
    found = from_mermaid(to_mermaid(template["diagram"]))
    assert found.unread == []
    fields = ("id", "type", "label", "technology", "parent")
    assert sorted([str(node.get(field)) for field in fields] for node in found.diagram["nodes"]) == sorted(
        [str(node.get(field)) for field in fields] for node in template["diagram"]["nodes"]
    )
    ends = ("source", "target", "label", "kind")
    assert [[edge[field] for field in ends] for edge in found.diagram["edges"]] == [
        [edge[field] for field in ends] for edge in template["diagram"]["edges"]
    ]


@pytest.mark.parametrize(
    "template_id,low,high", [("blank", 0, 0), ("web-service", 5, 8), ("event-driven", 8, 10), ("data-pipeline", 8, 10)]
)
def test_small_templates_are_small(template_id: str, low: int, high: int) -> None:
    """Enough to begin with, and a document of one or two pages that names every node."""
    template = read_template(template_id)
    assert low <= len(template["diagram"]["nodes"]) <= high
    text = template["document"]["text"]
    if high:
        assert 1_000 <= len(text.encode()) <= 2_048
        assert {node_id for _, node_id in outline_of(text).links} >= {
            node["id"] for node in template["diagram"]["nodes"] if node["type"] != GROUP
        }


def test_the_sample_is_worth_looking_at(sample: Template) -> None:
    """Size, nesting, kinds and words of the sample."""
    nodes, edges = sample["diagram"]["nodes"], sample["diagram"]["edges"]
    assert 18 <= len(nodes) <= 24
    assert sum(node["type"] != GROUP for node in nodes) >= 18
    assert 24 <= len(edges) <= 34
    assert max(len(ancestors(sample, node)) for node in nodes) == 2
    assert {edge["kind"] for edge in edges} == set(EDGE_KINDS)
    assert any(edge.get("direction") == "both" for edge in edges)
    assert all(node.get("technology") for node in nodes if node["type"] != GROUP)


def test_the_sample_s_document_is_a_design_document(sample: Template) -> None:
    """8 to 12 KB, nested sections, tables, code in four languages, and every node linked."""
    text = sample["document"]["text"]
    assert 8 * 1024 <= len(text.encode()) <= 12 * 1024
    levels = {section.level for section in outline_of(text).sections}
    assert levels == {1, 2, 3, 4}
    assert text.count("\n|---") >= 4
    assert set(re.findall(r"^```(\w+)$", text, re.MULTILINE)) == {"http", "json", "mermaid", "sql"}
    linked = {node_id for _, node_id in outline_of(text).links}
    assert {node["id"] for node in sample["diagram"]["nodes"] if node["type"] != GROUP} <= linked
