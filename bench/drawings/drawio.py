"""Reads a page of a draw.io file: what lines connect are nodes, what holds two of them is a group, and all have places.

The places are the author's, stretched where its nodes are smaller than ours; the lines are drawn as the product draws
them between these places.
"""

from __future__ import annotations

import base64
import html
import re
import urllib.parse
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.drawings.graph import Graph, id_of
from draftsmith.model.vocabulary import NODE_HEIGHT, NODE_WIDTH

Box = tuple[float, float, float, float]
_TYPES = (("database", r"database|cylinder|sql|datastore"), ("user", r"user|actor|client"), ("cdn", r"cloud_cdn"),
          ("load_balancer", r"load_balanc|elb"), ("queue", r"pubsub|queue|sqs"), ("storage", r"storage|bucket|s3"),
          ("external", r"cloud"), ("server", r"server|ec2|compute"))  # fmt: skip


@dataclass
class _Cell:
    """A vertex with its box in the diagram."""

    id: str
    text: str
    style: str
    parent: str
    box: Box


def read_drawio(name: str, file: Path) -> Graph:
    """The first page of a file that has lines between vertices."""
    for page in _pages(file):
        graph = _graph(name, page)
        if graph.edges:
            return graph
    return Graph(name)


def _pages(file: Path) -> Iterator[ET.Element]:
    root = ET.fromstring(file.read_text("utf-8"))
    for page in root.iter("diagram"):
        model = page.find("mxGraphModel")
        if model is not None:
            yield model
        elif page.text and page.text.strip():
            packed = base64.b64decode(page.text.strip())
            yield ET.fromstring(urllib.parse.unquote(zlib.decompress(packed, -15).decode("utf-8")))


def _graph(name: str, page: ET.Element) -> Graph:
    graph = Graph(name)
    cells, edges = _vertices(page), _edges(page)
    lifted = [(_shape(cells, edge[0]), _shape(cells, edge[1]), edge[2]) for edge in edges]
    ends = {end for edge in lifted for end in edge[:2] if end}
    groups = _groups(cells, ends)
    shown = {one: cells[one] for one in [*groups, *sorted(ends)]}
    for id_, cell in shown.items():
        type_ = "group" if id_ in groups else _type(cell.style)
        label = cell.text or _said_inside(cells, id_, ends) or ("Group" if id_ in groups else "Node")
        graph.node(f"c {id_}", type_, label)
    boxes = {id_of(f"c {id_}"): cell.box for id_, cell in shown.items()}
    for id_, cell in shown.items():
        around = [group for group in groups if group != id_ and _is_inside(cell.box, cells[group].box)]
        if around:
            inner = min(around, key=lambda group: _area(cells[group].box))
            graph.nodes[id_of(f"c {id_}")]["parent"] = id_of(f"c {inner}")
    for source, target, label in lifted:
        if source and target:
            graph.edge(id_of(f"c {source}"), id_of(f"c {target}"), label)
    graph.without_empty_groups()
    if graph.edges:
        graph.author = graph.placed(_stretched(boxes, [id_of(f"c {id_}") for id_ in shown if id_ not in groups]))
    return graph


def _cells(page: ET.Element) -> Iterator[tuple[str, ET.Element, str]]:
    """Id, cell and text of each cell; one with fields of its own is wrapped in an object, which has id and text."""
    wrapped = set()
    for one in page.iter():
        cell = one.find("mxCell") if one.tag in ("object", "UserObject") else one if one.tag == "mxCell" else None
        if cell is not None and cell not in wrapped:
            wrapped.add(cell)
            yield one.get("id") or cell.get("id") or "", cell, _plain(one.get("label") or cell.get("value") or "")


def _vertices(page: ET.Element) -> dict[str, _Cell]:
    """All vertices by id, with boxes in the diagram."""
    found: dict[str, tuple[ET.Element, str]] = {}
    for id_, cell, text in _cells(page):
        if cell.get("vertex") == "1" and id_ and id_ not in found:
            found[id_] = (cell, text)
    boxes: dict[str, Box] = {}

    def box(id_: str) -> Box:
        if id_ not in boxes:
            cell = found[id_][0]
            geometry = cell.find("mxGeometry")
            given = geometry.attrib if geometry is not None else {}
            x, y, width, height = (float(given.get(name, 0)) for name in ("x", "y", "width", "height"))
            boxes[id_] = (x, y, width, height)  # a cell that stands in itself ends here
            parent = cell.get("parent") or ""
            if parent in found:
                left, top, w, h = box(parent)
                is_share = given.get("relative") == "1"
                boxes[id_] = (left + x * (w if is_share else 1), top + y * (h if is_share else 1), width, height)
        return boxes[id_]

    return {id_: _Cell(id_, text, cell.get("style") or "", cell.get("parent") or "", box(id_))
            for id_, (cell, text) in found.items()}  # fmt: skip


def _edges(page: ET.Element) -> list[tuple[str, str, str]]:
    """Source, target and label of every line that has both ends; a label may be a cell of its own."""
    labels: dict[str, str] = {}
    lines = []
    for id_, cell, text in _cells(page):
        if cell.get("edge") == "1":
            lines.append((id_, cell.get("source"), cell.get("target"), text))
        elif cell.get("vertex") == "1" and text:
            labels.setdefault(cell.get("parent") or "", text)
    return [(source, target, text or labels.get(id_, "")) for id_, source, target, text in lines if source and target]


def _shape(cells: Mapping[str, _Cell], end: str) -> str:
    """The vertex in which an end stands, which for a row of a table or a list is all of it."""
    seen: set[str] = set()
    found, link = end if end in cells else "", end
    while link in cells and link not in seen:
        seen.add(link)
        parent = cells[link].parent
        if parent in cells and re.search(r"childLayout=(stack|table)Layout|shape=table", cells[parent].style):
            found = parent
        link = parent
    return found


def _groups(cells: Mapping[str, _Cell], ends: set[str]) -> list[str]:
    """What holds at least two ends without being one, and is not all of the page; of equal ones the first."""
    found: list[str] = []
    for id_, cell in cells.items():
        if id_ in ends or cell.style.startswith(("text", "line", "image", "edgeLabel")):
            continue
        held = {end for end in ends if _is_inside(cells[end].box, cell.box)}
        same = any(cells[one].box == cell.box for one in found)
        if 2 <= len(held) < len(ends) and not same:
            found.append(id_)
    boxes = [cells[one].box for one in found]
    return [one for one in found if not any(_crosses(cells[one].box, box) for box in boxes if box != cells[one].box)]


def _stretched(boxes: dict[str, Box], nodes: list[str]) -> dict[str, Box]:
    """The same places, farther apart where the author's nodes are too small for a name beside an icon."""
    width, height = (sorted(boxes[node][side] for node in nodes)[len(nodes) // 4] for side in (2, 3))
    across, down = max(1.0, NODE_WIDTH / max(width, 1)), max(1.0, NODE_HEIGHT / max(height, 1))
    return {id_: (x * across, y * down, w * across, h * down) for id_, (x, y, w, h) in boxes.items()}


def _is_inside(inner: Box, outer: Box) -> bool:
    x, y, width, height = inner
    left, top, w, h = outer
    is_within = left <= x and top <= y and x + width <= left + w and y + height <= top + h
    return is_within and _area(inner) < _area(outer)


def _crosses(one: Box, other: Box) -> bool:
    apart = (one[0] + one[2] <= other[0] or other[0] + other[2] <= one[0]
             or one[1] + one[3] <= other[1] or other[1] + other[3] <= one[1])  # fmt: skip
    return not apart and not _is_inside(one, other) and not _is_inside(other, one)


def _area(box: Box) -> float:
    return box[2] * box[3]


def _type(style: str) -> str:
    return next((type_ for type_, pattern in _TYPES if re.search(pattern, style.lower())), "service")


def _said_inside(cells: Mapping[str, _Cell], id_: str, ends: set[str]) -> str:
    """What the cells in a vertex without words of its own say; else what it shows, by the name of the shape."""
    inside = [cell for cell in cells.values() if cell.parent == id_ and cell.id not in ends]
    text = " ".join(cell.text for cell in inside if cell.text)[:60]
    styles = ";".join([cells[id_].style, *(cell.style for cell in inside)])
    shape = re.search(r"(?:shape=mxgraph\.[\w.]*?|image=[^;]*/)(\w+?)(?:_\d+x\d+)?(?:\.(?:png|svg))?(?:;|$)", styles)
    return text or (shape[1].replace("_", " ").capitalize() if shape else "")


def _plain(value: str) -> str:
    text = re.sub(r"<[^>]*>", " ", re.sub(r"<(br|div|p)\b[^>]*>", "\n", value))
    return " ".join(html.unescape(text).split())
