"""The closed lists of the model: node types, edge kinds and directions, line ends."""

from __future__ import annotations

from typing import Final

NODE_TYPES: Final = (
    "client", "web", "mobile", "user", "external", "gateway", "api", "load_balancer", "cdn", "service", "server",
    "worker", "function", "scheduler", "auth", "database", "cache", "queue", "stream", "storage", "search", "ml_model",
    "monitoring", "group", "other",
)  # fmt: skip
EDGE_KINDS: Final = ("sync", "async", "data", "dependency")
DIRECTIONS: Final = ("forward", "both", "none")
LINE_ENDS: Final = ("lf", "crlf", "mixed")
GROUP: Final = "group"
NODE_WIDTH: Final = 180
NODE_HEIGHT: Final = 72
GROUP_PADDING: Final = 24
GROUP_TITLE: Final = 40
