"""A diagram as a drawing of draw.io: one page, not packed, so that it can be read and compared as text.

Nodes stand where they are drawn, groups are containers, bends are waypoints, and each cell is an object with the fields
of its node or edge as data (`own_cells`). Read again by `reader` it is the same diagram. Not here: the document, which
draw.io has no place for; bytes of images.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Final, TypeVar

from draftsmith.model.diagram import Diagram
from draftsmith.model.drawio.labels import label_lines
from draftsmith.model.drawio.own_cells import (
    DEFAULT_FILL,
    DEFAULT_LINE,
    DEFAULT_STROKE,
    EDGE_PREFIX,
    FILLS,
    FORM,
    NODE_PREFIX,
    OWN,
    attribute_name,
    label_shown,
    shown_label,
)
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.shapes import EdgeOut, NodeOut, PointOut
from draftsmith.model.vocabulary import COLOR_STROKES, GROUP
from draftsmith.model.workspace import diagram_json

Named = TypeVar("Named", NodeId, EdgeId)

_ROOT, _LAYER = "0", "1"
_BOX: Final = "rounded=1;absoluteArcSize=1;arcSize=14"
_PILL: Final = "rounded=1;arcSize=50"
_CYLINDER: Final = "shape=cylinder3;boundedLbl=1;backgroundOutline=1;size=10"
_SHAPES: Final[Mapping[str, str]] = {
    "client": _PILL,
    "web": _PILL,
    "mobile": _PILL,
    "user": "ellipse",
    "external": "shape=hexagon;perimeter=hexagonPerimeter2;fixedSize=1;size=16",
    "gateway": "shape=trapezoid;perimeter=trapezoidPerimeter;fixedSize=1;size=14",
    "load_balancer": "shape=trapezoid;perimeter=trapezoidPerimeter;fixedSize=1;size=14",
    "cdn": "ellipse;shape=cloud",
    "worker": "shape=process;size=0.06",
    "database": _CYLINDER,
    "cache": _CYLINDER,
    "storage": _CYLINDER,
    "search": _CYLINDER,
    "queue": "shape=parallelogram;perimeter=parallelogramPerimeter;fixedSize=1;size=14",
    "stream": "shape=parallelogram;perimeter=parallelogramPerimeter;fixedSize=1;size=14",
    "monitoring": "shape=document;boundedLbl=1;size=0.15",
    GROUP: (
        "rounded=1;absoluteArcSize=1;arcSize=14;container=1;collapsible=0;recursiveResize=0;"
        "verticalAlign=top;align=left;spacingLeft=10;spacingTop=4;fontStyle=1"
    ),
}
_NODE_STYLES: Final[Mapping[str, str]] = {
    "solid": "dashed=0",
    "dashed": "dashed=1;dashPattern=6 4",
    "dotted": "dashed=1;dashPattern=2 4",
    "bold": "strokeWidth=3",
    "muted": "opacity=60;textOpacity=60",
}
_KINDS: Final[Mapping[str, str]] = {
    "sync": "dashed=0",
    "async": "dashed=1;dashPattern=8 4",
    "dependency": "dashed=1;dashPattern=2 3",
    "data": "dashed=0;strokeWidth=3",
}
_HEADS: Final[Mapping[str, tuple[bool, bool]]] = {
    "forward": (False, True),
    "both": (True, True),
    "none": (False, False),
}
# What XML 1.0 has no way to write.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)
_MAX_TITLE: Final = 200


def to_drawio(name: str, diagram: Diagram) -> str:
    """Write a diagram as a file of one page of that name.

    Nodes and edges stand in the order of the export form, groups before what is in them, so equal diagrams give equal
    text. Characters that XML cannot hold are left out.
    """
    content = diagram_json(diagram)
    taken = {_ROOT, _LAYER}
    nodes = _cell_ids([node["id"] for node in content["nodes"]], NODE_PREFIX, taken)
    edges = _cell_ids([edge["id"] for edge in content["edges"]], EDGE_PREFIX, taken | set(nodes.values()))
    lines = [
        '<mxfile host="Draftsmith">',
        f'  <diagram id="page-1" name="{_attribute_text(name[:_MAX_TITLE]) or "Diagram"}">',
        '    <mxGraphModel grid="1" gridSize="10" guides="1" connect="1" arrows="1" page="0" math="0" shadow="0">',
        "      <root>",
        f'        <mxCell id="{_ROOT}"/>',
        f'        <mxCell id="{_LAYER}" parent="{_ROOT}"/>',
    ]
    lines += [_node_object(node, diagram.size_of(node["id"]), nodes) for node in _groups_first(content["nodes"])]
    lines += [_edge_object(edge, edges[edge["id"]], nodes) for edge in content["edges"]]
    lines += ["      </root>", "    </mxGraphModel>", "  </diagram>", "</mxfile>", ""]
    return "\n".join(lines)


def _cell_ids(ids: Sequence[Named], prefix: str, used: Container[str]) -> Mapping[Named, str]:
    """The id of the cell for each node or edge: its own where no other cell has that."""
    return {one: prefix + one if one in used else one for one in ids}


def _groups_first(nodes: Sequence[NodeOut]) -> Sequence[NodeOut]:
    """All nodes, each behind its group, in the given order beside that."""
    members: dict[NodeId | None, list[NodeOut]] = {}
    for node in nodes:
        members.setdefault(node["parent"], []).append(node)
    order = list(members.get(None, ()))
    for node in order:  # grows during the iteration
        order.extend(members.get(node["id"], ()))
    return order


def _node_object(node: NodeOut, size: tuple[float, float], cells: Mapping[NodeId, str]) -> str:
    parent = node["parent"]
    label = shown_label(node["label"], node["technology"])
    data = {
        "type": node["type"],
        "technology": node["technology"],
        "description": node["description"],
        "notes": node["notes"],
        "image": node["image"],
        "style": node["style"],
    }
    said = _data(node["label"], label, node["technology"], data, node["properties"])
    place = (("x", node["position"]["x"]), ("y", node["position"]["y"]), ("width", size[0]), ("height", size[1]))
    geometry = " ".join(f'{name}="{_number(value)}"' for name, value in place)
    return (
        f'        <object id="{cells[node["id"]]}"{said}>\n'
        f'          <mxCell style="{_node_style(node)}" vertex="1" parent="{cells[parent] if parent else _LAYER}">\n'
        f'            <mxGeometry {geometry} as="geometry"/>\n'
        "          </mxCell>\n"
        "        </object>"
    )


def _edge_object(edge: EdgeOut, cell: str, nodes: Mapping[NodeId, str]) -> str:
    data = {
        "kind": edge["kind"],
        "description": edge["description"],
        "style": edge["style"],
        "shape": edge["shape"],
        "route_by": edge["route_by"] or "",
    }
    said = _data(edge["label"], shown_label(edge["label"], ""), "", data, edge["properties"])
    at = "" if edge["label_at"] is None else f' x="{_number(2 * edge["label_at"] - 1)}"'
    return (
        f'        <object id="{cell}"{said}>\n'
        f'          <mxCell style="{_edge_style(edge)}" edge="1" parent="{_LAYER}"'
        f' source="{nodes[edge["source"]]}" target="{nodes[edge["target"]]}">\n'
        f'            <mxGeometry{at} relative="1" as="geometry">{_waypoints(edge["route"])}</mxGeometry>\n'
        "          </mxCell>\n"
        "        </object>"
    )


def _data(label: str, label_html: str, technology: str, data: Mapping[str, str], properties: Mapping[str, str]) -> str:
    """The attributes of an object behind its id; `name` where its label alone does not say what it is called."""
    attributes = {"label": label_html, OWN: FORM}
    if label_shown(label_lines(_writable(label_html), is_html=True), _writable(technology), "") != label:
        attributes["name"] = label
    attributes |= {name: value for name, value in data.items() if value}
    attributes |= {attribute_name(key, value): value for key, value in properties.items()}
    return "".join(f' {name}="{_attribute_text(value)}"' for name, value in attributes.items())


def _node_style(node: NodeOut) -> str:
    color = node["color"]
    parts = [
        _SHAPES.get(node["type"], _BOX),
        "whiteSpace=wrap;html=1",
        f"fillColor={FILLS.get(color, DEFAULT_FILL)};strokeColor={COLOR_STROKES.get(color, DEFAULT_STROKE)}",
        *_looks(node["style"]),
        *(["locked=1"] if node["locked"] else []),
    ]
    return ";".join(parts) + ";"


def _edge_style(edge: EdgeOut) -> str:
    at_source, at_target = _HEADS[edge["direction"]]
    head = "open" if edge["kind"] == "dependency" else "block"
    parts = [
        # Bends that are there are what the line leads along; without any, draw.io finds some.
        f"edgeStyle={'none' if edge['route'] or edge['shape'] == 'straight' else 'orthogonalEdgeStyle'};rounded=1",
        *(["curved=1"] if edge["shape"] == "curved" else []),
        "html=1",
        _KINDS[edge["kind"]],
        f"startArrow={head if at_source else 'none'};endArrow={head if at_target else 'none'}",
        f"strokeColor={COLOR_STROKES.get(edge['color'], DEFAULT_LINE)}",
        *_looks(edge["style"]),
    ]
    return ";".join(parts) + ";"


def _looks(style: str) -> Sequence[str]:
    """Behind what is usual, since the last word on a key counts."""
    return [_NODE_STYLES[style]] if style in _NODE_STYLES else []


def _waypoints(route: Sequence[PointOut] | None) -> str:
    if not route:
        return ""
    points = "".join(f'<mxPoint x="{_number(point["x"])}" y="{_number(point["y"])}"/>' for point in route)
    return f'<Array as="points">{points}</Array>'


def _number(value: float) -> str:
    whole = round(value, 2)
    return str(int(whole) if whole == int(whole) else whole)


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("", text)


def _attribute_text(text: str) -> str:
    return _writable(text).translate(_ESCAPES)
