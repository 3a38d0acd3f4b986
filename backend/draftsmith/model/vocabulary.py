"""The closed lists of the model: node types, edge kinds and directions, line ends."""

from __future__ import annotations

from typing import Final

NODE_TYPES: Final = (
    "client", "web", "mobile", "user", "external", "gateway", "api", "load_balancer", "cdn", "service", "server",
    "worker", "function", "scheduler", "auth", "database", "cache", "queue", "stream", "storage", "search", "ml_model",
    "monitoring", "group", "other", "note", "text",
)  # fmt: skip
ANNOTATIONS: Final = ("note", "text")
"""Types of nodes that say something about the diagram and are no part of what it shows (ADR 0081)."""
EDGE_KINDS: Final = ("sync", "async", "data", "dependency")
DIRECTIONS: Final = ("forward", "both", "none")
LINE_ENDS: Final = ("lf", "crlf", "mixed")
COLOR_STROKES: Final = {
    "red": "#dc2626", "orange": "#c2410c", "yellow": "#a16207", "green": "#15803d", "teal": "#0f766e",
    "blue": "#2563eb", "violet": "#7c3aed", "pink": "#be185d", "grey": "#64748b",
}  # fmt: skip
"""The colours that nodes and edges may have in place of the usual one, with the stroke that Mermaid draws."""
STYLES: Final = ("solid", "dashed", "dotted", "bold", "muted")
"""How the line of an edge and the border of a node may be drawn in place of the usual way (ADR 0077)."""
SHAPES: Final = ("straight", "curved")
"""How a line may lead in place of right angles (ADR 0082)."""
GROUP: Final = "group"
NODE_WIDTH: Final = 180
NODE_HEIGHT: Final = 72
GROUP_PADDING: Final = 24
GROUP_TITLE: Final = 40
