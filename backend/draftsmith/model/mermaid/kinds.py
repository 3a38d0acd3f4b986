"""The kinds of Mermaid diagrams: which are read, and what the others are called.

A text is of the kind that its first word names. Not here: reading a flowchart (`reader`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.model.document import with_lf

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


def first_statement(text: str) -> str:
    """The first line behind front matter, directives and comments, without blanks before it; empty for none."""
    rows = [row.strip() for row in with_lf(text).split("\n")]
    at = next((number for number, row in enumerate(rows) if row), len(rows))
    at += len(front_matter(rows[at:]))
    is_directive = False
    for row in rows[at:]:
        is_directive = is_directive or row.startswith("%%{")
        is_left_out = is_directive or not row or row.startswith("%%")
        is_directive = is_directive and "}%%" not in row
        if not is_left_out:
            return row
    return ""


def front_matter(rows: Sequence[str]) -> Sequence[str]:
    """The front matter with which lines begin, the two lines around it among them; none where it has no end."""
    if not rows or rows[0].strip() != "---":
        return ()
    end = next((number for number, row in enumerate(rows) if number and row.strip() == "---"), None)
    return () if end is None else rows[: end + 1]
