"""History in words: one sentence for what steps did, and how much that was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from draftsmith.history.shapes import ChangedOut, CountsOut, DiffOut, TextDiff
from draftsmith.model.custom_types import CustomType
from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import DRAWN_FIELDS
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.steps.workspace import Rename

_FEW = 3
_PROPERTY = "properties."


def sentence_of(diff: DiffOut, diagram: Diagram, steps: Sequence[Step]) -> str:
    """Say what a diff changed, at most about 200 characters.

    What came and went is said first, what only stands elsewhere last: a row shows how the sentence begins. Labels are
    those of the diagram as it is after, and of the steps for what they took out.
    """
    said: list[str] = []
    elsewhere: list[str] = []
    changed: list[str] = []
    names = _ElementNames(diagram, steps)
    parts = ((diff["nodes"], names.node, "node", "nodes"), (diff["edges"], names.edge, "edge", "edges"))
    for change, name, one, many in parts:
        said += _count_phrases("added", [name(item["id"]) for item in change["added"]], one, many)
        said += _count_phrases("deleted", [name(item) for item in change["removed"]], one, many)
        if change["changed"]:
            changed += _field_phrases(change["changed"], name, one, many)
            elsewhere += _place_phrases(change["changed"], name, one, many)
    said += _types(diff.get("types", {}))
    said += changed
    if diff["document"]:
        said += _document(diff["document"])
    for field, (old, new) in diff["workspace"].items():
        said.append(f"renamed the workspace from “{old}” to “{new}”" if field == "name" else f"set line ends to {new}")
    said += elsewhere
    if not said:
        return "Nothing changed"
    text = "; ".join(said)
    text = text[0].upper() + text[1:]
    return text if len(text) <= 200 else f"{text[:199]}…"


class _ElementNames:
    """How nodes and edges are called in a sentence."""

    def __init__(self, diagram: Diagram, steps: Sequence[Step]) -> None:
        self._diagram = diagram
        self._removed_names: dict[NodeId, str] = {}
        self._gone_ends: dict[EdgeId, tuple[NodeId, NodeId]] = {}
        for step in steps:
            match step:
                case RemoveNode():
                    self._removed_names[step.id] = str(step.fields.get("label", step.id))
                case RemoveEdge():
                    self._gone_ends[step.id] = step.source, step.target
                case InsertNode() | SetNode() | InsertEdge() | SetEdge() | ChangeText() | Rename() | SetType():
                    pass
                case _:
                    assert_never(step)

    def node(self, key: str) -> str:
        node_id = NodeId(key)
        node = self._diagram.node(node_id)
        return self._removed_names.get(node_id, node_id) if node is None else str(node.get("label") or node_id)

    def edge(self, key: str) -> str:
        edge_id = EdgeId(key)
        ends = self._diagram.ends(edge_id) or self._gone_ends.get(edge_id)
        if ends is None:
            source, _, target = edge_id.partition("--")
            return f"{self.node(source)} → {self.node(target)}" if target else edge_id
        return f"{self.node(ends[0])} → {self.node(ends[1])}"


def _types(changes: Mapping[str, Sequence[CustomType | None]]) -> list[str]:
    """What was done to types of one's own, by their names."""
    done: dict[str, list[str]] = {"added": [], "changed": [], "deleted": []}
    for type_id, (old, new) in changes.items():
        verb = "added" if old is None else "deleted" if new is None else "changed"
        definition = new or old
        done[verb].append(type_id if definition is None else definition["name"])
    return [phrase for verb, names in done.items() for phrase in _count_phrases(verb, names, "the type", "types")]


def _count_phrases(verb: str, names: Sequence[str], one: str, many: str) -> list[str]:
    if not names:
        return []
    if len(names) > _FEW:
        return [f"{verb} {len(names)} {many}"]
    return [f"{verb} {one if len(names) == 1 else many} {', '.join(names)}"]


def _place_phrases(changes: Sequence[ChangedOut], name: Any, one: str, many: str) -> list[str]:
    moved = [name(item["id"]) for item in changes if item["fields"].keys() <= DRAWN_FIELDS]
    regrouped = [
        name(i["id"]) for i in changes if "parent" in i["fields"] and i["fields"].keys() <= DRAWN_FIELDS | {"parent"}
    ]
    return _count_phrases("moved", moved, one, many) + _count_phrases("regrouped", regrouped, one, many)


def _field_phrases(changes: Sequence[ChangedOut], name: Any, one: str, many: str) -> list[str]:
    rest = [i for i in changes if not i["fields"].keys() <= DRAWN_FIELDS | {"parent"}]
    if len(rest) == 1:
        return [f"changed {_fields(rest[0])} of {name(rest[0]['id'])}"]
    return _count_phrases("changed", [name(item["id"]) for item in rest], one, many)


def _fields(change: ChangedOut) -> str:
    """The changed fields by name, a property as one: a property may be called like a field."""
    named = [field for field in change["fields"] if field not in DRAWN_FIELDS]
    named = list(dict.fromkeys("type" if field == "custom_type" else field for field in named))
    said = [field.replace(_PROPERTY, "property ", 1) if field.startswith(_PROPERTY) else field for field in named]
    more = len(said) - _FEW
    return ", ".join(said) if more <= 0 else f"{', '.join(said[:_FEW])} and {more} more field{'s' if more > 1 else ''}"


def _document(changes: Sequence[TextDiff]) -> list[str]:
    said: list[str] = []
    texts = [(one["old"], one["new"]) for one in changes]
    added = [title for old, new in texts if not old.strip() and (title := _heading(new))]
    deleted = [title for old, new in texts if not new.strip() and (title := _heading(old))]
    for verb, titles in (("added", added), ("deleted", deleted)):
        said += _count_phrases(verb, [f"“{title}”" for title in titles], "section", "sections")
    rest = [
        one for one in changes if (one["old"].strip() and one["new"].strip()) or not _heading(one["old"] + one["new"])
    ]
    titles = list(dict.fromkeys(change["section"].rpartition("#")[2].strip() for change in rest))
    named = [f"“{title}”" for title in titles if title]
    if named and len(named) <= _FEW:
        said.append(f"edited {', '.join(named)} in the document")
    elif rest:
        said.append(f"edited {len(rest)} place{'s' if len(rest) > 1 else ''} in the document")
    return said


def typed_in(sections: Sequence[str]) -> str:
    """Say where in the document somebody typed, given the paths of the sections."""
    titles = list(dict.fromkeys(title for path in sections if (title := path.rpartition("#")[2].strip())))
    if len(titles) > _FEW:
        return f"Typed in {len(titles)} sections"
    return f"Typed in {', '.join(f'“{title}”' for title in titles)}" if titles else "Typed in the document"


def _heading(text: str) -> str:
    """The title of the heading that a text begins with, blank lines aside; empty if it begins with none."""
    first = text.lstrip("\n").partition("\n")[0]
    marks = first.partition(" ")[0]
    return first[len(marks) :].strip() if marks and set(marks) == {"#"} and len(marks) <= 6 else ""


def sum_of_counts(one: CountsOut, other: CountsOut) -> CountsOut:
    """How much two diffs changed together."""
    return {
        "added": one["added"] + other["added"],
        "changed": one["changed"] + other["changed"],
        "removed": one["removed"] + other["removed"],
        "text": one["text"] + other["text"],
    }


def counts_of(diff: DiffOut) -> CountsOut:
    """How much a diff changed: `{added, changed, removed, text}`."""
    nodes, edges, types = diff["nodes"], diff["edges"], list(diff.get("types", {}).values())
    added, removed = sum(old is None for old, _ in types), sum(new is None for _, new in types)
    return {
        "added": len(nodes["added"]) + len(edges["added"]) + added,
        "changed": len(nodes["changed"]) + len(edges["changed"]) + len(types) - added - removed,
        "removed": len(nodes["removed"]) + len(edges["removed"]) + removed,
        "text": len(diff["document"]),
    }
