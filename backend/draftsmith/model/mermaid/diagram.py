"""Builds a diagram from a flowchart's statements: first nodes, links and groups by Mermaid name, then ids.

A node's type comes from the class that our export writes (`:::cache`), else from words, else from the shape.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from draftsmith.model.fields import (
    SparseDiagram,
    SparseEdge,
    SparseEdgeFields,
    SparseNode,
    SparseNodeFields,
    shorten_to,
    split_text,
)
from draftsmith.model.ids import EdgeId, NodeId, edge_id, is_id, slug, unique
from draftsmith.model.layered_layout import Direction
from draftsmith.model.mermaid.looks import NO_LOOKS, Looks, set_looks
from draftsmith.model.mermaid.syntax import Link, LinkStatement, NodeMention, Opening, Unreadable
from draftsmith.model.mermaid.text import read_label
from draftsmith.model.nested_layout import place_nested
from draftsmith.model.readers.limits import MAX_DEPTH, MAX_DESCRIPTION, MAX_EDGE_LABEL, MAX_LABEL, MAX_TECHNOLOGY
from draftsmith.model.type_words import guess_type
from draftsmith.model.vocabulary import ANNOTATIONS, GROUP, NODE_TYPES

_MAX_NODES: Final = 10_000
_MAX_EDGES: Final = 20_000
_MAX_PAIRS: Final = 100_000  # links tried in total, so that `a & b & … --> a & b & …` repeated stays cheap

_KINDS: Final = {"-": "sync", ".": "async", "=": "data"}
_SHAPE_TYPES: Final = {
    "cylinder": "database",
    "hexagon": "external",
    "pipe": "queue",
    "diamond": "other",
    "circle": "other",
    "slanted": "other",
}
# For names like A, B2 or n10 the id is made from the label.
_SHORT_NAME = re.compile(r"[A-Za-z]{1,2}[0-9]{0,3}")

Ends = tuple[str, str]
_LinkKey = tuple[str, str, str, str]  # source, target, label and kind


@dataclass(slots=True)
class _NodeRecord:
    """What has been read about a name; `inside` is its group, if any, `fields` what is known without its text."""

    text: str = ""
    shape: str = ""
    style: str = ""
    is_group: bool = False
    inside: str | None = None
    fields: SparseNodeFields = field(default_factory=SparseNodeFields)


@dataclass(slots=True)
class Sketch:
    """The chart read so far, by Mermaid names; `given_ids` come from comments that our export writes."""

    direction: Direction = "right"
    given_ids: dict[str, NodeId] = field(default_factory=dict)
    looks: dict[str, Looks] = field(default_factory=dict)
    _records: dict[str, _NodeRecord] = field(default_factory=dict)
    _links: dict[_LinkKey, str] = field(default_factory=dict)
    _numbered: list[_LinkKey | None] = field(default_factory=list)
    _link_looks: dict[_LinkKey, Looks] = field(default_factory=dict)
    _link_fields: dict[_LinkKey, SparseEdgeFields] = field(default_factory=dict)
    _open: list[tuple[str, dict[str, None]]] = field(default_factory=list)
    _pairs: int = 0
    _ids: Mapping[str, NodeId] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        """The number of open groups."""
        return len(self._open)

    def open_group(self, opening: Opening) -> None:
        """Process `subgraph`.

        Raises:
            Unreadable: it is nested too deeply, or inside itself; the caller has to skip its `end`.
        """
        name = opening.name or unique("subgraph", self._records)
        if len(self._open) >= MAX_DEPTH:
            raise Unreadable(f"groups are nested more than {MAX_DEPTH} deep")
        if any(name == around for around, _ in self._open):
            raise Unreadable("the group would stand in itself")
        known = self._records.get(name)
        if known is None or not known.is_group:
            known = self._see(name)
            known.is_group = True
            # A group's parent is where it is defined, not where it is mentioned, so there are no cycles.
            known.inside = self._open[-1][0] if self._open else None
        if opening.title is not None and opening.title.strip():
            known.text = opening.title
        self._open.append((name, {}))

    def close_group(self) -> None:
        """Process `end`: names mentioned since the opening join the group, unless they are in another one."""
        if not self._open:
            raise Unreadable("there is no group to end")
        name, members = self._open.pop()
        for member in members:
            seen = self._records[member]
            if not seen.is_group and seen.inside is None:
                seen.inside = name

    def add_chain(self, chain: LinkStatement) -> list[str]:
        """Process nodes and links; return the reasons for links that were left out.

        Raises:
            Unreadable: a limit would be exceeded; the chain has had no effect.
        """
        pairs = sum(len(one) * len(other) for one, other in pairwise(chain.groups))
        names = {node.name for group in chain.groups for node in group}
        if len(self._records) + sum(name not in self._records for name in names) > _MAX_NODES:
            raise Unreadable(f"there are more than {_MAX_NODES:,} nodes")
        if self._pairs + pairs > _MAX_PAIRS or len(self._links) + pairs > _MAX_EDGES:
            raise Unreadable(f"there are more than {_MAX_EDGES:,} links")
        self._pairs += pairs
        for group in chain.groups:
            for node in group:
                self._mention(node)
        left_out: list[str] = []
        for link, (sources, targets) in zip(chain.links, pairwise(chain.groups), strict=True):
            left_out += [self._link(link, one.name, other.name) for one in sources for other in targets]
        return [reason for reason in left_out if reason]

    def add_box(self, node: NodeMention, fields: SparseNodeFields, inside: str | None, *, is_group: bool) -> None:
        """Add a node or a group whose group is known, which may come later.

        Raises:
            Unreadable: there are too many.
        """
        self._mention(node)
        record = self._records[node.name]
        record.fields, record.inside, record.is_group = fields, inside, is_group

    def add_line(self, source: str, target: str, label: str, fields: SparseEdgeFields) -> str:
        """Add a link between boxes; return the reason if it is left out, else the empty string.

        Args:
            source: the name of the box that it leads from.
            target: of the one that it leads to.
            label: as it is written, with entities.
            fields: kind and direction, and what else is known of it.
        """
        missing = [name for name in (source, target) if name not in self._records]
        if missing:
            return f"there is no {missing[0][:MAX_LABEL]}"
        if len(self._links) >= _MAX_EDGES:
            return f"there are more than {_MAX_EDGES:,} links"
        key, reason = self._keep_link(source, target, label, fields["kind"], fields["direction"])
        if not reason:
            self._link_fields[key] = fields
        return reason

    def sources(self) -> Mapping[NodeId | EdgeId, str]:
        """What the chart itself calls the nodes, once its diagram was made."""
        return {node_id: self.given_ids.get(name, name) for name, node_id in self._ids.items()}

    def diagram(self, *, is_placed: bool = True) -> SparseDiagram:
        """`{nodes, edges}` in the export form, with ids and types; placed, also with positions and group sizes."""
        while self._open:
            self.close_group()
        facts = {name: _facts(name, seen) for name, seen in self._records.items()}
        self._ids = ids = _ids(facts, self.given_ids)
        nodes: list[SparseNode] = []
        for name, seen in self._records.items():
            node: SparseNode = {"id": ids[name], **facts[name]}
            if seen.inside is not None:
                node["parent"] = ids[seen.inside]
            set_looks(node, self.looks.get(name, NO_LOOKS))
            nodes.append(node)
        edges = self._edges(ids)
        if is_placed:
            place_nested(nodes, edges, self.direction)
        return {"nodes": nodes, "edges": edges}

    def set_link_looks(self, number: int, looks: Looks) -> bool:
        """Set the looks of a link, counted from 0 as Mermaid does; whether it is there and kept."""
        key = self._numbered[number] if number < len(self._numbered) else None
        if key is not None:
            self._link_looks[key] = looks
        return key is not None

    def _see(self, name: str) -> _NodeRecord:
        if len(self._records) >= _MAX_NODES and name not in self._records:
            raise Unreadable(f"there are more than {_MAX_NODES:,} nodes")
        return self._records.setdefault(name, _NodeRecord())

    def _mention(self, node: NodeMention) -> None:
        seen = self._see(node.name)
        if self._open:
            self._open[-1][1][node.name] = None
        if node.label is not None:
            seen.text, seen.shape = node.label, node.shape
        seen.shape = seen.shape or node.shape
        seen.style = node.style or seen.style

    def _link(self, link: Link, source: str, target: str) -> str:
        """Add one link; return the reason if it is left out, else the empty string."""
        self._numbered.append(None)
        if link.stroke == "~":
            return "an invisible link is not kept"
        if link.head_at_source and not link.head_at_target:
            source, target = target, source
        # The export writes a dependency with two dots; more dots only make a link longer.
        kind = "dependency" if link.dots == 2 else _KINDS[link.stroke]
        both = link.head_at_source and link.head_at_target
        direction = "both" if both else "forward" if link.head_at_source or link.head_at_target else "none"
        key, reason = self._keep_link(source, target, link.label, kind, direction)
        if not reason:
            self._numbered[-1] = key
        return reason

    def _keep_link(
        self, source: str, target: str, marked_label: str, kind: str, direction: str
    ) -> tuple[_LinkKey, str]:
        """Add one link; return its key, and the reason if it is left out."""
        label, technology = read_label(marked_label)
        text = shorten_to(f"{label} [{technology}]" if technology else label, MAX_EDGE_LABEL)
        key = (source, target, text, kind)
        if source == target:
            return key, "a node cannot be linked to itself"
        if key in self._links:
            return key, "the same link is there already"
        self._links[key] = direction
        return key, ""

    def _edges(self, ids: Mapping[str, NodeId]) -> list[SparseEdge]:
        edges: dict[EdgeId, SparseEdge] = {}
        for (one, other, label, kind), direction in self._links.items():
            source, target = ids[one], ids[other]
            made = edge_id(source, target, edges)
            fields = self._link_fields.get((one, other, label, kind), SparseEdgeFields())
            edges[made] = {
                "id": made,
                "source": source,
                "target": target,
                **fields,
                "kind": kind,
                "direction": direction,
            }
            if label:
                edges[made]["label"] = label
            set_looks(edges[made], self._link_looks.get((one, other, label, kind), NO_LOOKS))
        return list(edges.values())


def _facts(name: str, record: _NodeRecord) -> SparseNodeFields:
    """Type, label, technology, and a description if the label was cut."""
    full, technology = read_label(record.text)
    technology = record.fields.get("technology", technology)
    label = shorten_to(full, MAX_LABEL) or shorten_to(name, MAX_LABEL)
    if record.is_group:
        node_type = GROUP
    elif record.fields.get("type"):
        node_type = record.fields["type"]
    elif record.style in NODE_TYPES and record.style != GROUP:
        node_type = record.style
    else:
        node_type = guess_type(label, technology, _SHAPE_TYPES.get(record.shape, "service"))
    facts: SparseNodeFields = {**record.fields, "type": node_type, "label": label}
    if technology:
        facts["technology"] = shorten_to(technology, MAX_TECHNOLOGY)
    if node_type in ANNOTATIONS and full:
        facts["label"], more = split_text(full)
        if more:
            facts["description"] = shorten_to(more, MAX_DESCRIPTION)
    elif len(full) > MAX_LABEL and "description" not in facts:
        facts["description"] = shorten_to(full, MAX_DESCRIPTION)
    return facts


def _ids(facts: Mapping[str, SparseNodeFields], given_ids: Mapping[str, NodeId]) -> dict[str, NodeId]:
    """An id for every name: the one from its comment, the name if it is an id, else one made of name or label."""
    ids: dict[str, NodeId] = {}
    taken: set[NodeId] = set()
    for wanted in (given_ids, {name: NodeId(name) for name in facts if is_id(name)}):
        for name, node_id in wanted.items():
            if name in facts and name not in ids and node_id not in taken:
                ids[name] = node_id
                taken.add(node_id)
    for name, fact in facts.items():
        if name not in ids:
            texts = (fact["label"], name) if _SHORT_NAME.fullmatch(name) else (name, fact["label"])
            base = slug(texts[0]) or slug(texts[1])
            ids[name] = NodeId(unique(base, taken)) if base else _numbered_id(fact["type"], taken)
            taken.add(ids[name])
    return ids


def _numbered_id(node_type: str, used: Container[str]) -> NodeId:
    """`<type>-<n>`, for labels without letters or digits."""
    first = f"{node_type}-1"
    return NodeId(first if first not in used else unique(node_type, _Besides(node_type, used)))


@dataclass(frozen=True, slots=True)
class _Besides:
    """A container with one more element."""

    word: str
    taken: Container[str]

    def __contains__(self, item: object) -> bool:
        return item == self.word or item in self.taken
