"""A diagram as a graph in DOT, the language of Graphviz.

Groups are clusters, nodes stand where they are drawn (`pos` with `!`, which `neato -n` and `fdp` keep; `dot` lays out
anew), types have shapes, and fields that Graphviz has no word for are attributes of their own, so that `reader` reads
the same diagram. Not here: the document; bytes of images.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from draftsmith.model.diagram import Diagram
from draftsmith.model.dot.attributes import (
    ANCHOR,
    CLUSTER,
    KIND,
    LINE,
    LOOK,
    PIXELS_PER_INCH,
    POINTS_PER_PIXEL,
    PROPERTY,
    SHAPES,
    TYPE,
    quoted_label,
    quoted_text,
)
from draftsmith.model.ids import NodeId
from draftsmith.model.shapes import EdgeOut, NodeOut
from draftsmith.model.vocabulary import COLOR_STROKES, GROUP
from draftsmith.model.workspace import diagram_json

_NODE_LOOKS: Final[Mapping[str, str]] = {
    "solid": "solid", "dashed": "dashed", "dotted": "dotted", "bold": "bold", "muted": "solid",
}  # fmt: skip
_KINDS: Final[Mapping[str, str]] = {"sync": "solid", "async": "dashed", "dependency": "dotted", "data": "bold"}
_DEEPEST_INDENT: Final = 16
_FONT: Final = 'fontname="Helvetica"'
_BORDER: Final = "#94a3b8"
Attributes = dict[str, str]


def to_dot(name: str, diagram: Diagram) -> str:
    """Write a diagram as a directed graph of that name.

    Nodes and edges stand in the order of the export form, so equal diagrams give equal text.
    """
    content = diagram_json(diagram)
    writing = _GraphWriting(diagram, content["nodes"], content["edges"])
    lines = [
        f"digraph {quoted_text(name or 'Diagram')} {{",
        f"  graph [compound=true, rankdir=LR, inputscale=72, {_FONT}, fontsize=12];",
        f'  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="{_BORDER}", {_FONT}, fontsize=12];',
        f'  edge [color="#475569", {_FONT}, fontsize=10];',
        *writing.node_lines(),
        *(writing.edge_line(edge) for edge in content["edges"]),
        "}",
        "",
    ]
    return "\n".join(lines)


class _GraphWriting:
    """Writes the parts of one graph."""

    def __init__(self, diagram: Diagram, nodes: Sequence[NodeOut], edges: Sequence[EdgeOut]) -> None:
        self._diagram = diagram
        self._members: dict[NodeId | None, list[NodeOut]] = {}
        for node in nodes:
            self._members.setdefault(node["parent"], []).append(node)
        self._ends = self._nodes_for_groups(nodes)

    def node_lines(self) -> Iterator[str]:
        """Nodes, and groups around theirs. Walks without recursion."""
        open_groups: list[tuple[NodeId | None, Iterator[NodeOut]]] = [(None, iter(self._members.get(None, ())))]
        while open_groups:
            group, members = open_groups[-1]
            node = next(members, None)
            indent = "  " * min(len(open_groups), _DEEPEST_INDENT)
            if node is None:
                open_groups.pop()
                if group is not None:
                    yield indent[2:] + "}"
            elif node["type"] == GROUP:
                yield f"{indent}subgraph {quoted_text(CLUSTER + node['id'])} {{"
                yield f"{indent}  graph [{_attribute_list(self._group_attributes(node))}];"
                if node["id"] not in self._members:
                    yield f"{indent}  {quoted_text(node['id'] + ANCHOR)} [shape=point, style=invis];"
                open_groups.append((node["id"], iter(self._members.get(node["id"], ()))))
            else:
                yield f"{indent}{quoted_text(node['id'])} [{_attribute_list(self._node_attributes(node))}];"

    def edge_line(self, edge: EdgeOut) -> str:
        """An edge; one at a group ends at a node in it and is cut off at the group's border."""
        source, target = edge["source"], edge["target"]
        attributes: Attributes = {}
        if edge["label"]:
            attributes["label"] = quoted_label(edge["label"])
        attributes |= {"id": quoted_text(edge["id"]), "dir": edge["direction"], KIND: edge["kind"]}
        attributes["style"] = quoted_text(_NODE_LOOKS.get(edge["style"]) or _KINDS[edge["kind"]])
        for field, end in (("ltail", source), ("lhead", target)):
            if end in self._ends:
                attributes[field] = quoted_text(CLUSTER + end)
        attributes |= _texts({"description": edge["description"], LOOK: edge["style"], LINE: edge["shape"]})
        if edge["color"]:
            attributes["color"] = quoted_text(COLOR_STROKES[edge["color"]])
        if edge["route"]:
            points = [f"{_number(point['x'])},{_number(point['y'])}" for point in edge["route"]]
            attributes["route"] = quoted_text(" ".join(points))
        if edge["route_by"]:
            attributes["route_by"] = edge["route_by"]
        if edge["label_at"] is not None:
            attributes["label_at"] = _number(edge["label_at"])
        attributes |= _properties(edge["properties"])
        ends = (quoted_text(self._ends.get(end, end)) for end in (source, target))
        return f"  {' -> '.join(ends)} [{_attribute_list(attributes)}];"

    def _nodes_for_groups(self, nodes: Sequence[NodeOut]) -> Mapping[NodeId, str]:
        """The node at which edges of a group end: the first that is in it, or one that is there for this alone."""
        found: dict[NodeId, str] = {}
        inner = {node["id"]: self._members.get(node["id"], ()) for node in nodes if node["type"] == GROUP}
        for group in inner:
            waiting = [group]
            while waiting and group not in found:
                members = inner[waiting.pop()]
                leaf = next((one["id"] for one in members if one["type"] != GROUP), None)
                if leaf is not None:
                    found[group] = leaf
                waiting += [one["id"] for one in reversed(members) if one["type"] == GROUP]
            if group not in found:
                found[group] = self._empty_group_in(group, inner) + ANCHOR
        return found

    def _empty_group_in(self, group: NodeId, inner: Mapping[NodeId, Sequence[NodeOut]]) -> NodeId:
        """The innermost of the first groups in a group that holds no node."""
        while inner[group]:
            group = inner[group][0]["id"]
        return group

    def _group_attributes(self, group: NodeOut) -> Attributes:
        left, top = self._diagram.origin_of(group["id"])
        width, height = self._diagram.size_of(group["id"])
        corners = (left, -(top + height), left + width, -top)
        attributes = {
            "label": quoted_label(_label(group)),
            "id": quoted_text(group["id"]),
            TYPE: quoted_text(GROUP),
            "bb": quoted_text(",".join(_number(corner * POINTS_PER_PIXEL) for corner in corners)),
            "labeljust": "l",
            "color": quoted_text(_BORDER),  # a group in a group would have that of the outer one
            "style": quoted_text(f"rounded,{_NODE_LOOKS.get(group['style'], 'solid')}"),
        }
        return attributes | _own_attributes(group)

    def _node_attributes(self, node: NodeOut) -> Attributes:
        left, top = self._diagram.origin_of(node["id"])
        width, height = self._diagram.size_of(node["id"])
        center = (left + width / 2, -(top + height / 2))
        attributes = {
            "label": quoted_label(_label(node)),
            "id": quoted_text(node["id"]),
            TYPE: quoted_text(node["type"]),
            "pos": quoted_text(",".join(_number(part * POINTS_PER_PIXEL) for part in center) + "!"),
            "width": _number(width / PIXELS_PER_INCH),
            "height": _number(height / PIXELS_PER_INCH),
        }
        shape = SHAPES.get(node["type"])
        if shape or node["style"]:
            rounded = "" if shape else "rounded,"
            attributes["style"] = quoted_text(f"{rounded}filled,{_NODE_LOOKS.get(node['style'], 'solid')}")
        if shape:
            attributes["shape"] = shape
        return attributes | _own_attributes(node)


def _label(node: NodeOut) -> str:
    return node["label"] + (f"\n{node['technology']}" if node["technology"] else "")


def _own_attributes(node: NodeOut) -> Attributes:
    """The fields of a node or group for which Graphviz has no word, and its colour."""
    fields = {
        "technology": node["technology"],
        "description": node["description"],
        "notes": node["notes"],
        "picture": node["image"],  # Graphviz would read the file that `image` names
        LOOK: node["style"],
        "locked": "true" if node["locked"] else "",
    }
    color = {"color": quoted_text(COLOR_STROKES[node["color"]])} if node["color"] else {}
    return {**color, **_texts(fields), **_properties(node["properties"])}


def _texts(fields: Mapping[str, str]) -> Attributes:
    return {name: quoted_text(text) for name, text in fields.items() if text}


def _properties(properties: Mapping[str, str]) -> Attributes:
    return {quoted_text(PROPERTY + key): quoted_text(value) for key, value in properties.items()}


def _attribute_list(attributes: Attributes) -> str:
    return ", ".join(f"{name}={value}" for name, value in attributes.items())


def _number(value: float) -> str:
    exact = round(value, 5)
    return str(int(exact)) if exact == int(exact) else f"{exact:.5f}".rstrip("0")
