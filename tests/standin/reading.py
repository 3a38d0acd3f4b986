"""Read a workspace back out of the first message of a run: what the demonstration knows, it knows from there.

As a model does. So what the message leaves out (positions, descriptions, sections of a long document) is not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from draftsmith.assistant.tools.lines import LEGEND
from draftsmith.model.workspace import Workspace, load
from tests.standin.prefix import blocks_of

_BLOCK = re.compile(r"<(diagram|document|request)-([0-9a-f]{8})[^>\n]*>\n(.*?)\n</\1-\2>", re.DOTALL)
_NODE = re.compile(
    r'(?P<id>\S+) (?P<type>\S+) (?P<label>"(?:[^"\\]|\\.)*")'
    r"(?: \[(?P<technology>[^\]]*)\])?(?: @(?P<parent>\S+))?(?: !locked)?(?: -> (?P<targets>.*))?"
)
_TARGET = re.compile(
    r'(?P<id>[a-z0-9][a-z0-9_-]*)[~=^]?(?:<>|--)?(?:#[^\s,(]+)?(?:\((?P<label>"(?:[^"\\]|\\.)*"|[^"()]*)\))?(?:, |$)'
)
_OUTLINE = re.compile(r"[\d.]+ (#+ .*) \(\d+ chars, \d+ lines\)")


@dataclass(frozen=True)
class Asked:
    """What a person asks, and of which workspace."""

    request: str
    workspace: Workspace


def read_first(messages: Sequence[Mapping[str, Any]]) -> Asked:
    """Read the first message; where it has no blocks, all of it is the request, on an empty workspace."""
    text = "\n".join(block.get("text", "") for block in blocks_of(messages[0]["content"]))
    found = {name: content for name, _mark, content in _BLOCK.findall(text)}
    workspace = _workspace(found.get("diagram", ""), found.get("document", ""))
    return Asked(found.get("request", text).strip(), workspace)


def _workspace(diagram: str, document: str) -> Workspace:
    # The legend looks like a node.
    lines = [line for line in diagram.splitlines() if line != LEGEND]
    matches = [match for line in lines if (match := _NODE.fullmatch(line))]
    ids = {match["id"] for match in matches}
    nodes = []
    edges: list[list[Any]] = []
    for match in matches:
        node = {"type": match["type"], "label": json.loads(match["label"]), "position": {"x": 0, "y": 0}, "birth": 1}
        if match["technology"]:
            node["technology"] = match["technology"]
        if match["parent"] in ids:
            node["parent"] = match["parent"]
        nodes.append([match["id"], node])
        for target in _TARGET.finditer(match["targets"] or ""):
            if target["id"] in ids:
                label = target["label"] or ""
                label = json.loads(label) if label.startswith('"') else label
                number = len(edges)
                edges.append([f"e{number}", match["id"], target["id"], {"label": label, "birth": 1}])
    headings = [match[1] for line in document.splitlines() if (match := _OUTLINE.fullmatch(line))]
    text = "\n\n".join(headings) + "\n" if headings else "" if document == "(empty)" else document + "\n"
    # Parents before their children.
    nodes.sort(key=lambda pair: "parent" in pair[1])
    return load({"name": "", "text": text, "eol": "lf", "nodes": nodes, "edges": edges})
