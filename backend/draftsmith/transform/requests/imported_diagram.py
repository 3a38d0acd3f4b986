"""A diagram that was read beside the one of a workspace that is there: what is new, what has changed, what is missing.

Something is recognized by the id that the source has for it, which is kept with it (`model.readers.sources`); without
one only by label, type and group, if that is unique on both sides. What the source does not say stays as it is: texts
that people added, the group that they chose for something that stands in none there, and all places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from draftsmith.model.custom_types import MOST_TYPES, NO_TYPES, CustomType, custom_type_named
from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import (
    DRAWN_FIELDS,
    EDGE_DEFAULTS,
    NODE_DEFAULTS,
    Point,
    SparseDiagram,
    SparseEdge,
    SparseEdgeFields,
    SparseNode,
    SparseNodeFields,
)
from draftsmith.model.ids import EdgeId, NodeId, slug, unique
from draftsmith.model.readers.sources import SOURCE, SourceMark, mark_of
from draftsmith.model.vocabulary import GROUP
from draftsmith.transform.requests.drawn_flowchart import free_ids, outer_first
from draftsmith.transform.requests.imported_rows import ImportDifferenceOut, ImportRowOut, ImportRows

_APART: Final = 120  # pixels between what is there and what comes beside it
_SHOWN: Final = 200
_NOT_TAKEN: Final = frozenset(
    ("id", "custom_type", "parent", "locked", "source", "target", "properties", *DRAWN_FIELDS)
)
_By = Literal["source", "name"]
_Operation = dict[str, object]
_Scope = tuple[str, str]
"""A format and a file: what of them is here belongs to one source."""


@dataclass(frozen=True, slots=True)
class ReadDiagram:
    """A diagram that was read, with marks on what the source names (`with_marks`).

    Attributes:
        diagram: in the export form.
        is_placed: the source says where its nodes are.
    """

    diagram: SparseDiagram
    is_placed: bool = False


def add_diagram_rows(rows: ImportRows, read: ReadDiagram, diagram: Diagram) -> None:
    """Add the rows of a diagram that was read."""
    _DiagramComparison(rows, read, diagram).add_rows()


@dataclass
class _DiagramComparison:
    """Finds what of a diagram that was read is there, and writes the rows.

    Attributes:
        here: the node that one that was read is, or will be, by id.
        by: how those were recognized that are there.
    """

    rows: ImportRows
    read: ReadDiagram
    diagram: Diagram
    here: dict[NodeId, NodeId] = field(default_factory=dict)
    by: dict[NodeId, _By] = field(default_factory=dict)
    scopes: set[_Scope] = field(default_factory=set)
    _used: set[str] = field(default_factory=set)
    _used_edges: set[str] = field(default_factory=set)
    _labels: dict[NodeId, str] = field(default_factory=dict)
    _types: dict[str, tuple[str, list[_Operation]]] = field(default_factory=dict)

    def add_rows(self) -> None:
        """Recognize everything, then write the rows."""
        nodes = [self._with_base(node) for node in outer_first(self.read.diagram["nodes"])]
        self._labels = {node["id"]: node["label"] for node in nodes}
        self._recognize_marks(nodes)
        self._recognize_names(nodes)
        new = [node for node in nodes if node["id"] not in self.by]
        self.here |= free_ids([node["id"] for node in new], self.diagram)
        offset = self._offset(new) if self.read.is_placed and not self.by else None
        for node in nodes:
            if node["id"] in self.by:
                self._add_changed_node(node)
            else:
                self.rows.new.append(self._new_node(node, offset))
        self._add_edges(offset)
        self._add_missing()

    # -- recognizing -------------------------------------------------------------------------------------------------

    def _recognize_marks(self, nodes: Sequence[SparseNode]) -> None:
        """Recognize nodes by the ids that the source has for them."""
        marked = _by_mark((node_id, mark_of_fields(fields)) for node_id, fields in self.diagram.nodes().items())
        for node in nodes:

            def is_alike(found: str, label: str = _plain(node.get("label"))) -> bool:
                return _plain(self.diagram[NodeId(found)].get("label")) == label

            found = self._element_with_mark(mark_of_fields(node), marked, self._used, is_alike)
            if found is not None:
                self._take(node["id"], NodeId(found), "source")

    def _element_with_mark(
        self,
        mark: SourceMark | None,
        marked: Mapping[_Scope, Sequence[tuple[str, str]]],
        used: set[str],
        is_alike: Callable[[str], bool],
    ) -> str | None:
        """The id of what is here and has that mark: of the same file, else the only one that is alike.

        A file may have been renamed, and another one may call something else by the same id (`A` in two flowcharts).
        """
        if mark is None:
            return None
        all_of_id = [one for one in marked.get((mark.reader, mark.id), ()) if one[1] not in used]
        of_file = [one for one in all_of_id if one[0] == mark.file] or [one for one in all_of_id if is_alike(one[1])]
        if len(of_file) != 1:
            return None
        file, found = of_file[0]
        if file == mark.file:
            self.scopes.add((mark.reader, file))
        return found

    def _recognize_names(self, nodes: Sequence[SparseNode]) -> None:
        """Recognize nodes without a mark here by label, type and group, group by group from the outside."""
        there: dict[tuple[str, str, NodeId | None], list[NodeId]] = {}
        for node_id, fields in self.diagram.nodes().items():
            if node_id not in self._used:
                key = (_plain(fields.get("label")), fields.get("type", "other"), fields.get("parent"))
                there.setdefault(key, []).append(node_id)
        keys = Counter(self._key(node) for node in nodes if node["id"] not in self.by)
        for node in nodes:  # a group is recognized before what stands in it
            if node["id"] in self.by or not self._is_group_known(node):
                continue
            found = there.get((*self._key(node)[:2], self._parent_here(node)), [])
            if len(found) == 1 and keys[self._key(node)] == 1 and mark_of_fields(self.diagram[found[0]]) is None:
                self._take(node["id"], found[0], "name")

    def _key(self, node: SparseNode) -> tuple[str, str, NodeId | None]:
        """Label, type and group as read."""
        return _plain(node.get("label")), node.get("type", "other"), node.get("parent")

    def _is_group_known(self, node: SparseNode) -> bool:
        parent = node.get("parent")
        return parent is None or parent in self.by

    def _parent_here(self, node: SparseNode) -> NodeId | None:
        parent = node.get("parent")
        return None if parent is None else self.here[parent]

    def _take(self, read_id: NodeId, found: NodeId, by: _By) -> None:
        self.here[read_id], self.by[read_id] = found, by
        self._used.add(found)

    # -- nodes -------------------------------------------------------------------------------------------------------

    def _new_node(self, node: SparseNode, offset: tuple[float, float] | None) -> ImportRowOut:
        made, reason, needs = self.here[node["id"]], "", list[str]()
        operation: dict[str, object] = {"op": "add_node", "id": made, **_fields_to_take(node), **_properties(node)}
        own, defining = self._own_type(node)
        if own:
            operation["type"] = own
        parent = node.get("parent")
        if parent is not None:
            closed = self._closed_reason(parent)
            if closed:
                reason = f"{closed}, so it is drawn beside it"
            else:
                operation["parent"] = self.here[parent]
                needs = [] if parent in self.by else [f"new:node:{self.here[parent]}"]
        if offset is not None:
            is_outermost = parent is None
            operation |= _place(node, offset if is_outermost else (0, 0))
        return _row("new", "node", made, node["label"], [*defining, operation], reason=reason, needs=needs)

    def _add_changed_node(self, node: SparseNode) -> None:
        node_id, by = self.here[node["id"]], self.by[node["id"]]
        fields = self.diagram[node_id]
        differences, update = _differences(node, fields, NODE_DEFAULTS, by)
        own, defining = self._own_type(node)
        is_taken = own != "" and not self.diagram.is_group(node_id)
        if is_taken:
            update.pop("type", None)
            differences = [one for one in differences if one["field"] != "type"]
        if is_taken and own != self.diagram.custom_type(node_id):
            update["type"] = own
            differences.insert(0, _difference("type", self.diagram.type_of(node_id), own))
        else:
            defining = []
        change: dict[str, object] = {"op": "update_node", "id": node_id, **update}
        operations = [*defining, change] if update else []
        needs: list[str] = []
        closed, parent = "", node.get("parent")
        if parent is not None and self._moves(node_id, self.here[parent]):
            closed = self._closed_reason(parent)
            if not closed:
                operations.append({"op": "move_to_group", "ids": [node_id], "group": self.here[parent]})
                needs = [] if parent in self.by else [f"new:node:{self.here[parent]}"]
            old = fields.get("parent")
            differences.append(_difference("group", "" if old is None else self._label(old), self._read_label(parent)))
        if not differences:
            self.rows.unchanged += 1
            return
        locked = self._lock_reason(node_id)
        row = _row(
            "changed", "node", node_id, self._label(node_id), [] if locked else operations,
            by=by, differences=differences, needs=needs,
            reason=locked or (f"{closed}, so it stays where it is" if closed else ""),
        )  # fmt: skip
        self.rows.changed.append(row)

    def _with_base(self, node: SparseNode) -> SparseNode:
        """A node of a type that the source names but does not define, as a text does: of that type here, if any."""
        name = node.get("custom_type")
        if name is None or name in self.read.diagram.get("types", NO_TYPES):
            return node
        type_id = custom_type_named(name, self.diagram.types)
        if type_id is None:
            return node
        return {**node, "type": self.diagram.types[type_id]["base"], "custom_type": type_id}

    def _own_type(self, node: SparseNode) -> tuple[str, list[_Operation]]:
        """The custom type that a node gets here, empty for none, and what defines it where it is not there."""
        type_id = node.get("custom_type", "")
        definition = self.read.diagram.get("types", NO_TYPES).get(type_id)
        if definition is None:
            return (type_id if type_id in self.diagram.types else ""), []
        if definition["base"] != node.get("type"):
            return "", []
        if type_id not in self._types:
            self._types[type_id] = self._type_here(type_id, definition)
        return self._types[type_id]

    def _type_here(self, type_id: str, definition: CustomType) -> tuple[str, list[_Operation]]:
        """The type of that name, else a new one of an id that nothing has; none where there is no room for one."""
        types = self.diagram.types
        here = custom_type_named(definition["name"], types)
        if here is not None:
            return here, []
        new = [made for made, defining in self._types.values() if defining]
        if len(types) + len(new) >= MOST_TYPES:
            return "", []
        new_id = unique(type_id, {*types, *new, *(slug(one["name"]) for one in types.values())})
        named: _Operation = {"op": "define_type", "id": new_id, "label": definition["name"], "type": definition["base"]}
        return new_id, [{**named, "technology": definition.get("icon"), "color": definition.get("color")}]

    def _moves(self, node_id: NodeId, group: NodeId) -> bool:
        """Whether a node stands in another group; not where the group stands in the node."""
        if group not in self.diagram:
            return True
        return self.diagram.parent(node_id) != group and node_id not in (group, *self.diagram.ancestors(group))

    def _offset(self, new: Sequence[SparseNode]) -> tuple[float, float]:
        """How far everything is moved so that it stands beside what is there."""
        outermost = [node for node in new if node.get("parent") is None]
        there = self.diagram.children(None)
        if not (outermost and there):
            return 0, 0
        boxes = [(self.diagram.position(one), self.diagram.size_of(one)[0]) for one in there]
        right, top = max(at["x"] + width for at, width in boxes), min(at["y"] for at, _ in boxes)
        places = [node.get("position", {"x": 0, "y": 0}) for node in outermost]
        return right + _APART - min(at["x"] for at in places), top - min(at["y"] for at in places)

    # -- edges -------------------------------------------------------------------------------------------------------

    def _add_edges(self, offset: tuple[float, float] | None) -> None:
        marked = _by_mark((edge_id, mark_of_fields(fields)) for edge_id, _, _, fields in self.diagram.edges())
        read = self.read.diagram["edges"]
        found: list[str | None] = []
        for edge in read:
            ends = self.here[edge["source"]], self.here[edge["target"]]

            def is_alike(found: str, ends: tuple[NodeId, NodeId] = ends) -> bool:
                return self.diagram.ends(EdgeId(found)) == ends

            found.append(self._element_with_mark(mark_of_fields(edge), marked, self._used_edges, is_alike))
            self._used_edges |= {one for one in found[-1:] if one is not None}
        for edge, by_source in zip(read, found, strict=True):
            edge_id = self._equal_edge(edge) if by_source is None else EdgeId(by_source)
            if edge_id is None:
                self.rows.new.append(self._new_edge(edge, offset))
            else:
                self._used_edges.add(edge_id)
                self._add_changed_edge(edge, edge_id, "name" if by_source is None else "source")

    def _equal_edge(self, edge: SparseEdge) -> EdgeId | None:
        """The edge that says the same of the same nodes, of which there is one at most; none if another is that one."""
        if edge["source"] not in self.by or edge["target"] not in self.by:
            return None
        ends = self.here[edge["source"]], self.here[edge["target"]]
        found = self.diagram.equal_edge(*ends, _plain(edge.get("label")), edge.get("kind", "sync"))
        return None if found in self._used_edges else found

    def _new_edge(self, edge: SparseEdge, offset: tuple[float, float] | None) -> ImportRowOut:
        ends = {"source": self.here[edge["source"]], "target": self.here[edge["target"]]}
        operation: dict[str, object] = {"op": "add_edge", **ends, **_fields_to_take(edge), **_properties(edge)}
        if offset is not None and "route" in edge:
            operation["route"] = [_moved_point(point, offset) for point in edge["route"]]
        needs = [f"new:node:{self.here[edge[end]]}" for end in ("source", "target") if edge[end] not in self.by]
        return _row("new", "edge", edge["id"], self._edge_title(edge), [operation], needs=needs)

    def _add_changed_edge(self, edge: SparseEdge, edge_id: EdgeId, by: _By) -> None:
        fields, ends = self.diagram.edge(edge_id), self.diagram.ends(edge_id)
        if fields is None or ends is None:
            return
        differences, update = _differences(edge, fields, EDGE_DEFAULTS, by)
        operations: list[dict[str, object]] = [{"op": "update_edge", "id": edge_id, **update}] if update else []
        read_ends = self.here[edge["source"]], self.here[edge["target"]]
        if read_ends != ends:
            moved = {"new_source": read_ends[0], "new_target": read_ends[1]}
            operations.insert(0, {"op": "rewire_edge", "id": edge_id, **moved})
            here = f"{self._label(ends[0])} → {self._label(ends[1])}"
            differences.append(_difference("ends", here, self._edge_title(edge)))
        if not operations:
            self.rows.unchanged += 1
            return
        reason = self._lock_reason(*ends)
        needs = [f"new:node:{self.here[edge[end]]}" for end in ("source", "target") if edge[end] not in self.by]
        row = _row(
            "changed", "edge", edge_id, self._edge_title(edge), [] if reason else operations,
            by=by, differences=differences, reason=reason, needs=needs,
        )  # fmt: skip
        self.rows.changed.append(row)

    # -- missing -----------------------------------------------------------------------------------------------------

    def _add_missing(self) -> None:
        """List what came from the same source and is not in it any more."""
        for edge_id, source, target, fields in sorted(self.diagram.edges(), key=lambda one: one[0]):
            if edge_id not in self._used_edges and self._is_of_scope(fields):
                title = f"{self._label(source)} → {self._label(target)}"
                reason = self._lock_reason(source, target)
                operation: dict[str, object] = {"op": "delete_edge", "id": edge_id}
                self._list_missing("edge", edge_id, title, operation, reason)
        for node_id, attributes in self.diagram.nodes().items():
            if node_id not in self._used and self._is_of_scope(attributes):
                neighbours = {*self.diagram.outgoing(node_id), *self.diagram.incoming(node_id)}
                reason = self._lock_reason(node_id, *sorted(neighbours))
                self._list_missing("node", node_id, self._label(node_id), {"op": "delete_node", "id": node_id}, reason)

    def _is_of_scope(self, fields: SparseNodeFields | SparseEdgeFields) -> bool:
        mark = mark_of_fields(fields)
        return mark is not None and (mark.reader, mark.file) in self.scopes

    def _list_missing(
        self, of: Literal["node", "edge"], element: str, title: str, operation: dict[str, object], reason: str
    ) -> None:
        operations = [] if reason else [operation]
        self.rows.missing.append(_row("missing", of, element, title, operations, by="source", reason=reason))

    # -- words -------------------------------------------------------------------------------------------------------

    def _lock_reason(self, *node_ids: NodeId) -> str:
        """Why nodes cannot be changed; empty if they can."""
        locks = (self.diagram.lock_on(node_id) for node_id in node_ids)
        lock = next((one for one in locks if one is not None), None)
        return "" if lock is None else f"“{self._label(lock)}” is locked; unlock it to change this"

    def _closed_reason(self, group: NodeId) -> str:
        """Why nothing can be put into a group that was read; empty if it can."""
        if group not in self.by:
            return ""
        here = self.here[group]
        if not self.diagram.is_group(here):
            return f"“{self._label(here)}” is no group here"
        lock = self.diagram.lock_on(here)
        return "" if lock is None else f"“{self._label(lock)}” is locked"

    def _label(self, node_id: NodeId) -> str:
        return self.diagram.label(node_id) or node_id

    def _edge_title(self, edge: SparseEdge) -> str:
        return f"{self._read_label(edge['source'])} → {self._read_label(edge['target'])}"

    def _read_label(self, read_id: NodeId) -> str:
        return self._labels[read_id]


def mark_of_fields(fields: SparseNodeFields | SparseEdgeFields) -> SourceMark | None:
    """The mark of a node or an edge, or None."""
    return mark_of(fields.get("properties", {}))


def _by_mark(marks: Iterator[tuple[str, SourceMark | None]]) -> dict[_Scope, list[tuple[str, str]]]:
    """File and id of what is here, by format and id in the source."""
    found: dict[_Scope, list[tuple[str, str]]] = {}
    for element, mark in marks:
        if mark is not None:
            found.setdefault((mark.reader, mark.id), []).append((mark.file, element))
    return found


def _differences(
    read: SparseNode | SparseEdge,
    fields: SparseNodeFields | SparseEdgeFields,
    defaults: Mapping[str, object],
    by: _By,
) -> tuple[list[ImportDifferenceOut], dict[str, object]]:
    """Where what was read says something else, and the fields of the operation that takes it over."""
    differences: list[ImportDifferenceOut] = []
    update: dict[str, object] = {}
    there: Mapping[str, object] = {**defaults, **fields}
    for name, value in _fields_to_take(read).items():
        old = there.get(name)
        is_regrouped = name == "type" and GROUP in (value, old)
        if _plain(value) != _plain(old) and not is_regrouped:
            update[name] = value
            differences.append(_difference(name, _plain(old), _plain(value)))
    properties, known = read.get("properties", {}), fields.get("properties", {})
    patch = {
        key: value for key, value in properties.items() if known.get(key) != value and (key != SOURCE or by == "name")
    }
    if patch:
        update["properties"] = patch
        differences += [_difference(key, known.get(key, ""), value) for key, value in patch.items()]
    return differences, update


def _fields_to_take(read: SparseNode | SparseEdge) -> dict[str, object]:
    """The fields that are taken over and say no place."""
    return {name: value for name, value in read.items() if name not in _NOT_TAKEN and value is not None}


def _properties(read: SparseNode | SparseEdge) -> dict[str, object]:
    return {"properties": dict(read["properties"])} if read.get("properties") else {}


def _place(node: SparseNode, offset: tuple[float, float]) -> dict[str, object]:
    place: dict[str, object] = {"position": _moved_point(node.get("position", {"x": 0, "y": 0}), offset)}
    if node.get("size"):
        place["size"] = node["size"]
    return place


def _moved_point(point: Point, offset: tuple[float, float]) -> Point:
    return {"x": point["x"] + offset[0], "y": point["y"] + offset[1]}


def _plain(value: object) -> str:
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)


def _difference(name: str, here: str, source: str) -> ImportDifferenceOut:
    return {"field": name, "here": here[:_SHOWN], "source": source[:_SHOWN]}


def _row(
    kind: Literal["new", "changed", "missing"],
    of: Literal["node", "edge"],
    element: str,
    title: str,
    operations: list[dict[str, object]],
    *,
    by: _By | None = None,
    differences: Sequence[ImportDifferenceOut] = (),
    reason: str = "",
    needs: Sequence[str] = (),
) -> ImportRowOut:
    return {
        "id": f"{kind}:{of}:{element}", "of": of, "element": element, "title": title, "by": by,
        "differences": list(differences), "reason": reason, "needs": list(needs), "operations": operations,
    }  # fmt: skip
