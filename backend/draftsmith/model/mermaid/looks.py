"""Colours and styles in a flowchart: the declarations of `style` and `linkStyle` lines, written and read alike."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

from draftsmith.model.fields import SparseEdge, SparseEdgeFields, SparseNode, SparseNodeFields
from draftsmith.model.shapes import EdgeOut, NodeOut
from draftsmith.model.vocabulary import COLOR_STROKES, STYLES

Looks = tuple[str, str]
"""Colour and style, each empty where it is as usual."""

_STYLES: Final[Mapping[str, str]] = {
    "solid": "stroke-dasharray:0",
    "dashed": "stroke-dasharray:6 4",
    "dotted": "stroke-dasharray:2 4",
    "bold": "stroke-width:4px",
    "muted": "opacity:0.6",
}


def _declarations(*with_color: str) -> dict[Looks, str]:
    """The declarations of all looks; a colour may bring more than its stroke."""
    found: dict[Looks, str] = {}
    for color, style in product(("", *COLOR_STROKES), ("", *STYLES)):
        stroke = [f"stroke:{COLOR_STROKES[color]}", *with_color] if color else []
        found[color, style] = ",".join([*stroke, *([_STYLES[style]] if style else [])])
    return found


NODE_DECLARATIONS: Final = _declarations("stroke-width:2px")
EDGE_DECLARATIONS: Final = _declarations()
NODE_LOOKS: Final = {text: looks for looks, text in NODE_DECLARATIONS.items() if text}
EDGE_LOOKS: Final = {text: looks for looks, text in EDGE_DECLARATIONS.items() if text}


def looks_of(fields: NodeOut | SparseNode | EdgeOut | SparseEdge) -> Looks:
    """Colour and style of a node or an edge."""
    return fields.get("color", ""), fields.get("style", "")


def set_looks(fields: SparseNodeFields | SparseEdgeFields, looks: Looks) -> None:
    """Set colour and style where they are not as usual."""
    color, style = looks
    if color:
        fields["color"] = color
    if style:
        fields["style"] = style
