"""The kinds of Mermaid diagrams: which are read, and what the others are called.

A text is of the kind that its first word names. Not here: reading a flowchart (`reader`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

FIRST_WORDS: Final = ("flowchart", "graph")
"""What the kind begins with that is read without Mermaid's own parsers."""
BEGINNINGS: Final = " or ".join(f"`{word}`" for word in FIRST_WORDS)
PARSED_WORDS: Final = (
    "C4Component", "C4Container", "C4Context", "C4Deployment", "C4Dynamic", "architecture", "classDiagram", "erDiagram",
    "sequenceDiagram", "stateDiagram",
)  # fmt: skip
"""What the other kinds begin with that are read by Mermaid's own parsers."""
PARSED_KINDS: Final = "flowcharts, C4, architecture, class, state, entity relationship and sequence diagrams"
"""All that are read by these, in words."""

_FIRST_WORD = re.compile(r"\s*(?P<word>[A-Za-z][\w-]*)(?=[\s:;{]|$)")
# By the words of Mermaid's own detectors, without a version or "-beta" at their end.
_NAMES: Final[Mapping[str, str]] = {
    "architecture": "an architecture diagram",
    "block": "a block diagram",
    "c4component": "a C4 diagram",
    "c4container": "a C4 diagram",
    "c4context": "a C4 diagram",
    "c4deployment": "a C4 diagram",
    "c4dynamic": "a C4 diagram",
    "classdiagram": "a class diagram",
    "erdiagram": "an entity relationship diagram",
    "gantt": "a Gantt chart",
    "gitgraph": "a Git graph",
    "info": "an info diagram",
    "journey": "a user journey",
    "kanban": "a Kanban board",
    "mindmap": "a mind map",
    "packet": "a packet diagram",
    "pie": "a pie chart",
    "quadrantchart": "a quadrant chart",
    "radar": "a radar chart",
    "requirement": "a requirement diagram",
    "requirementdiagram": "a requirement diagram",
    "sankey": "a Sankey diagram",
    "sequencediagram": "a sequence diagram",
    "statediagram": "a state diagram",
    "timeline": "a timeline",
    "treemap": "a treemap",
    "xychart": "an XY chart",
    "zenuml": "a ZenUML diagram",
}
_VERSION = re.compile(r"-(?:beta|v\d+)$")


def kind_of(line: str) -> str:
    """The kind of diagram that a first line begins, with its article; empty where Mermaid knows none of that name."""
    found = _FIRST_WORD.match(line)
    return _NAMES.get(_VERSION.sub("", found["word"].lower()), "") if found else ""
