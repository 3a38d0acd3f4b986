"""Looks in a flowchart: the declarations of `style` and `linkStyle` lines, written and read alike."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final, cast

from draftsmith.model.fields import LINE_LOOKS, SparseEdge, SparseEdgeFields, SparseNode, SparseNodeFields, set_fields
from draftsmith.model.shapes import EdgeOut, NodeOut
from draftsmith.model.vocabulary import COLOR_STROKES, SHAPES, STYLES

Looks = tuple[str, str, str]
"""Colour, style and shape, each empty where it is as usual; nodes have no shape."""

_STYLES: Final[Mapping[str, str]] = {
    "solid": "stroke-dasharray:0",
    "dashed": "stroke-dasharray:6 4",
    "dotted": "stroke-dasharray:2 4",
    "bold": "stroke-width:4px",
    "muted": "opacity:0.6",
}
_CURVES: Final[Mapping[str, str]] = {"": "", "straight": "interpolate linear ", "curved": "interpolate basis "}
"""What comes before the declarations: the names of d3, by which Mermaid knows how a link is drawn."""


def _declarations(*with_color: str, shapes: tuple[str, ...] = ()) -> dict[Looks, str]:
    """The declarations of all looks; a colour may bring more than its stroke."""
    found: dict[Looks, str] = {}
    for color, style, shape in product(("", *COLOR_STROKES), ("", *STYLES), ("", *shapes)):
        stroke = [f"stroke:{COLOR_STROKES[color]}", *with_color] if color else []
        said = ",".join([*stroke, *([_STYLES[style]] if style else [])])
        found[color, style, shape] = (_CURVES[shape] + said).rstrip()
    return found


NODE_DECLARATIONS: Final = _declarations("stroke-width:2px")
EDGE_DECLARATIONS: Final = _declarations(shapes=SHAPES)
NODE_LOOKS: Final = {text: looks for looks, text in NODE_DECLARATIONS.items() if text}
EDGE_LOOKS: Final = {text: looks for looks, text in EDGE_DECLARATIONS.items() if text}
NO_LOOKS: Final[Looks] = ("", "", "")


def looks_of(fields: NodeOut | SparseNode | EdgeOut | SparseEdge) -> Looks:
    """The looks of a node or an edge."""
    stored = cast(Mapping[str, str], fields)
    return stored.get("color", ""), stored.get("style", ""), stored.get("shape", "")


def set_looks(fields: SparseNodeFields | SparseEdgeFields, looks: Looks) -> None:
    """Set the looks that are not as usual."""
    set_fields(fields, {name: look for name, look in zip(LINE_LOOKS, looks, strict=True) if look})
