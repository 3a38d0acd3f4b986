"""Filter of a list of commits: by actor, node, edge, section or words. Not here: reading the log.

It works on encoded entries and decodes only what it asks for, since a list may pass over thousands of commits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry, decode_body
from draftsmith.model.ids import EdgeId, NodeId


@dataclass(frozen=True, slots=True)
class CommitFilter:
    """A commit passes if it meets every condition that is given.

    Attributes:
        actor: id of who did it.
        by: kind of who did it: person, script, assistant, system.
        node: id of a node that it changed, or at which an edge came, went or was changed, as far as its id says so.
        section: path of a section, as an outline gives it, in which it changed text; its subsections count.
        edge: id of an edge that came, went or was changed.
        words: in lower case; every one stands in what the commit did, why, or who made it.
    """

    actor: str | None = None
    by: str | None = None
    node: NodeId | None = None
    section: str | None = None
    edge: EdgeId | None = None
    words: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether every commit passes."""
        return self == CommitFilter()

    def matches(self, entry: Entry) -> bool:
        """Whether a commit passes."""
        who = actor_json(entry.actor)
        if self.actor not in (None, who["id"]) or self.by not in (None, who["kind"]):
            return False
        if self.node is None and self.section is None and self.edge is None and not self.words:
            return True
        content = decode_body(entry.body)
        return (
            (self.node is None or _is_at_node(content, self.node))
            and (self.section is None or _is_in_section(content, self.section))
            and (self.edge is None or any(_is_of_edge(step, self.edge) for step in content["f"]))
            and _says(content, who["name"], self.words)
        )


def _is_at_node(content: Mapping[str, Any], node: NodeId) -> bool:
    return any(_touches(step, node) for step in content["f"])


def _is_of_edge(step: Mapping[str, Any], edge: EdgeId) -> bool:
    return bool(step.get("k", "").startswith("edge") and step["id"] == edge)


def _says(content: Mapping[str, object], name: str, words: tuple[str, ...]) -> bool:
    said = f"{content['w']}\n{content.get('x', '')}\n{name}".casefold() if words else ""
    return all(word in said for word in words)


def _touches(step: Mapping[str, Any], node: NodeId) -> bool:
    kind = step.get("k", "")
    if kind.startswith("node"):
        return bool(step["id"] == node)
    if not kind.startswith("edge"):
        return False
    ends = [end for field in ("source", "target") for end in step.get("v", {}).get(field, ())]
    if node in (step.get("s"), step.get("t"), *ends):
        return True
    source, between, target = step["id"].partition("--")
    return between != "" and (source == node or target == node or _without_number(target) == node)


def _without_number(target: NodeId) -> str:
    """An edge beside another one has a number at its end: `api--db-2`."""
    name, _, number = target.rpartition("-")
    return name if number.isdecimal() else target


def _is_in_section(content: Mapping[str, Any], section: str) -> bool:
    return any(path == section or path.startswith(f"{section} #") for path, _, _ in content.get("d", ()))
