"""Workspaces of 24, 100 and 300 nodes with the edits that are asked for on them, as operations.

The smallest is the sample. The others are the workspace of `tests/fixtures/tokens` (50 nodes, 80 edges, 15 KB of text)
two and six times, each time as a system of its own whose name stands before its labels and headings: no two nodes and
no two sections have the same name, and text grows with the diagram as it does in the sample.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from draftsmith.model.workspace import Workspace
from tests.builders import run

_ROOT = Path(__file__).parents[1]
_FIXTURES = _ROOT / "tests" / "fixtures" / "tokens"
_TEMPLATES = _ROOT / "backend" / "draftsmith" / "templates"
_SYSTEMS = ("Booking", "Clinic", "Fleet", "Grid", "Lending", "Museum")
_IDS = ("id", "source", "target", "new_source", "new_target", "near", "parent", "group", "ids")
_PATHS = ("section", "before", "after", "into")

Json = dict[str, Any]


@dataclass(frozen=True)
class Edit:
    """What somebody asks for, and the call that does it."""

    request: str
    tool: str
    operations: Sequence[Json]
    explanation: str

    @property
    def is_of_diagram(self) -> bool:
        """Whether it changes the diagram, and not the document."""
        return self.tool == "edit_diagram"


@dataclass(frozen=True)
class Case:
    """A workspace as it is created, and the edits that are asked for on it."""

    diagram: Json
    text: str
    edits: Sequence[Edit]

    def workspace(self) -> Workspace:
        """The workspace in memory."""
        workspace = Workspace("Checkout platform")
        run(workspace, {"op": "replace_diagram", **self.diagram}, {"op": "replace_document", "text": self.text})
        return workspace


@cache
def case(nodes: int) -> Case:
    """The workspace of so many nodes: 24, 100 or 300."""
    if nodes == 24:
        sample = json.loads((_TEMPLATES / "sample.json").read_text("utf-8"))
        text = (_TEMPLATES / "sample.md").read_text("utf-8")
        return Case(sample["diagram"], text, _edits("sample_edits.json"))
    systems = _SYSTEMS[: nodes // 50]
    diagram = json.loads((_FIXTURES / "diagram.json").read_text("utf-8"))
    text = (_FIXTURES / "document.md").read_text("utf-8")
    parts = [_diagram_of(diagram, system) for system in systems]
    whole = {name: [one for part in parts for one in part[name]] for name in ("nodes", "edges")}
    # One in the middle, as one works on any part of a large workspace.
    labels = [node["label"] for node in diagram["nodes"]]
    edits = [_edit_of(edit, systems[len(systems) // 2], labels) for edit in _edits("edits.json")]
    return Case(whole, "\n".join(_text_of(text, system) for system in systems), edits)


def _edits(name: str) -> list[Edit]:
    found = json.loads((_FIXTURES / name).read_text("utf-8"))
    return [
        Edit(one["request"], one["tool"], one["operations"], one.get("explanation", "As it was asked for."))
        for one in found
    ]


def _diagram_of(diagram: Json, system: str) -> Json:
    nodes = [
        {**_ids_of(node, system), "label": f"{system} {node['label']}"} for node in diagram["nodes"]
    ]  # placed as they come: no place is sent
    return {
        "nodes": [{k: v for k, v in node.items() if k not in ("position", "size")} for node in nodes],
        "edges": [_ids_of({k: v for k, v in edge.items() if k != "id"}, system) for edge in diagram["edges"]],
    }


def _ids_of(fields: Json, system: str) -> Json:
    """Fields in which every id is that of a system."""
    found = dict(fields)
    for name in _IDS:
        value = found.get(name)
        if isinstance(value, str):
            found[name] = f"{system.lower()}-{value}"
        elif isinstance(value, list):
            found[name] = [f"{system.lower()}-{one}" for one in value]
    return found


def _text_of(text: str, system: str) -> str:
    """The document of a system: its name in every heading outside code, and in every link to a node."""
    lines, is_code = [], False
    for line in text.split("\n"):
        is_code ^= line.startswith("```")
        lines.append(line if is_code else re.sub(r"^(#+) ", rf"\1 {system} ", line))
    return _linked("\n".join(lines), system)


def _linked(text: str, system: str) -> str:
    return text.replace("(#node/", f"(#node/{system.lower()}-")


def _edit_of(edit: Edit, system: str, labels: Sequence[str]) -> Edit:
    """An edit of a system: the request names it, and so do ids, headings and links."""
    operations = []
    for one in edit.operations:
        moved = _ids_of(one, system)
        if isinstance(one.get("node"), dict):
            moved["node"] = _ids_of(one["node"], system)
        for name in _PATHS:
            if one.get(name):
                moved[name] = re.sub(r"(#+) ", rf"\1 {system} ", one[name])
        for name in ("find", "replace", "text"):
            if name in one:
                moved[name] = _linked(one[name], system)
        operations.append(moved)
    request = edit.request
    for label in sorted(labels, key=len, reverse=True):
        request = re.sub(rf"(?<!{system} )\b{re.escape(label)}\b", f"{system} {label}", request, count=1)
    if system not in request:
        request = f"{system}: {request}"
    return Edit(request, edit.tool, operations, edit.explanation)
