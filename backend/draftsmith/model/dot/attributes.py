"""What the writer and the reader of DOT agree on: names of attributes, units, escapes and shapes.

Graphviz keeps attributes that it does not know, so fields that it has no word for are attributes of their own. A node
or an edge that has one for its type or kind is ours, and comes in as it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

CLUSTER: Final = "cluster_"
"""Before the id of a group in the name of its subgraph, by which Graphviz draws it as a box."""
ANCHOR: Final = "/anchor"
"""Behind the id of a group in the name of the invisible node at which its edges end, where no node is in it."""
PROPERTY: Final = "property."
"""Before the key of a property."""
POINTS_PER_PIXEL: Final = 0.75
PIXELS_PER_INCH: Final = 96.0
POINTS_PER_INCH: Final = 72.0
TYPE: Final = "type"
KIND: Final = "kind"
LOOK: Final = "look"
LINE: Final = "line"
"""How an edge of ours leads, in place of right angles."""
SHAPES: Final[Mapping[str, str]] = {
    "user": "ellipse",
    "external": "hexagon",
    "gateway": "trapezium",
    "load_balancer": "trapezium",
    "cdn": "octagon",
    "worker": "component",
    "database": "cylinder",
    "cache": "cylinder",
    "storage": "cylinder",
    "search": "cylinder",
    "queue": "cds",
    "stream": "cds",
    "ml_model": "box3d",
    "monitoring": "note",
}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BREAKS: Final = {"n": "\n", "l": "\n", "r": "\n"}
_ENTITY = re.compile(r"&(?=#?\w{1,40};)")


def quoted_text(text: str) -> str:
    """A text as a quoted string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def quoted_label(text: str) -> str:
    """A label as a quoted string: in labels Graphviz reads entities of HTML, too."""
    return quoted_text(_ENTITY.sub("&amp;", text))


def without_escapes(text: str, names: Mapping[str, str]) -> str:
    r"""What a string says in which Graphviz reads escapes.

    Args:
        text: as the language gives it.
        names: what `\N` and its kin stand for, by their letters.
    """
    said = {**_BREAKS, **names}
    return _ESCAPED.sub(lambda match: said.get(match[1], match[1]), text)
