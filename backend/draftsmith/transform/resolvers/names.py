"""Replaces labels of nodes in an operation by ids before it is resolved; only labels that one node alone has.

Not here: which node a name means (`node_names`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.transform.matching.node_names import ListedNodes, NodeLookup, no_node, nodes_meant, several_nodes
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests.faults import pointer
from draftsmith.transform.requests.operation_fields import EdgeFields, NodeFields, Shape, WholeNode
from draftsmith.transform.transaction import Transaction

_Shape = TypeVar("_Shape", bound=Shape)

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "add_node": ("near", "parent"),
    "update_node": ("id",),
    "delete_node": ("id",),
    "delete_nodes": ("ids",),
    "move_nodes": ("positions", "sizes"),
    "add_edge": ("source", "target"),
    "update_edge": ("source", "target"),
    "delete_edge": ("source", "target"),
    "rewire_edge": ("source", "target", "new_source", "new_target"),
    "insert_between": ("source", "target", "node"),
    "group_nodes": ("ids",),
    "ungroup_nodes": ("id",),
    "move_to_group": ("ids", "group", "positions"),
    "layout_diagram": ("ids",),
}
"""By operation, the fields that name nodes that are there. Those of `replace_diagram` name nodes of its list."""

_ENDS: Final = ("source", "target")
_BY_ID: Final = frozenset({"update_edge", "delete_edge", "rewire_edge"})
_MOST_TOLD: Final = 20
"""Names of one operation that are told as wrong; similar ones are looked for each."""


def with_ids(tx: Transaction, operation: Any) -> Any:
    """An operation with the ids of the nodes that it names, as they are called now.

    Raises:
        OperationRefused: a name means no node, or several; with the other names of the operation for which that is so
            as `more`.
    """
    naming = _Naming(tx, tx.workspace.diagram)
    fields = NAMES.get(operation.op, ())
    if operation.op in _BY_ID and operation.id is not None:  # then the ends are no address
        fields = tuple(field for field in fields if field not in _ENDS)
    found = naming.in_fields(operation, fields, "")
    naming.check()
    return found


def with_ids_of_list(
    tx: Transaction, nodes: Mapping[NodeId, tuple[str, WholeNode]], edges: Sequence[EdgeFields]
) -> tuple[dict[NodeId, tuple[str, WholeNode]], list[EdgeFields]]:
    """The nodes and edges of a whole diagram with the ids of the nodes in that list that they name.

    Raises:
        OperationRefused: as `with_ids`.
    """
    diagram = tx.workspace.diagram
    labels = {one: node.label or (diagram.label(one) if one in diagram else "") for one, (_, node) in nodes.items()}
    naming = _Naming(tx, ListedNodes(labels), " in the list of nodes")
    named = {one: (path, naming.in_fields(node, ("parent",), path)) for one, (path, node) in nodes.items()}
    ends = [naming.in_fields(edge, _ENDS, f"/edges/{place}") for place, edge in enumerate(edges)]
    naming.check()
    return named, ends


class _Naming:
    """Names of nodes on their way to ids."""

    def __init__(self, tx: Transaction, nodes: NodeLookup, where: str = "") -> None:
        self._tx, self._nodes, self._where = tx, nodes, where
        self._refused: list[OperationRefused] = []

    def check(self) -> None:
        """Raise what is wrong with the names so far."""
        if self._refused:
            first, *others = self._refused
            first.more = tuple(others)
            raise first

    def in_fields(self, shape: _Shape, fields: Sequence[str], path: str) -> _Shape:
        """An object with ids for the names in some fields, and itself where nothing differs."""
        changed: dict[str, object] = {}
        for field in fields:
            value = getattr(shape, field)
            new = self._in_value(value, f"{path}/{field}")
            if new is not value:
                changed[field] = new
        return shape.model_copy(update=changed) if changed else shape

    def _in_value(self, value: Any, path: str) -> Any:
        match value:
            case str():
                return self._id_of(NodeId(value), path)
            case NodeFields():
                return self.in_fields(value, NAMES["add_node"], path)
            case list() if not all(one in self._nodes for one in value):
                return [self._id_of(one, f"{path}/{place}") for place, one in enumerate(value)]
            case dict() if not all(one in self._nodes for one in value):
                return self._in_keys(value, path)
        return value

    def _in_keys(self, value: Mapping[NodeId, Any], path: str) -> dict[NodeId, Any]:
        found: dict[NodeId, Any] = {}
        for name, of_it in value.items():
            place = path + pointer([name])
            node_id = self._id_of(name, place)
            if node_id in found:
                self._refused.append(OperationRefused("field_invalid", place, f"'{node_id}' is named twice."))
            found[node_id] = of_it
        return found

    def _id_of(self, name: NodeId, path: str) -> NodeId:
        if name in self._nodes or len(self._refused) >= _MOST_TOLD:
            return name
        found = nodes_meant(self._nodes, name)
        if len(found) == 1:
            if self._nodes is self._tx.workspace.diagram:
                self._tx.names.add(name)
            return found[0]
        if found:
            self._refused.append(several_nodes(name, found, path))
        else:
            self._refused.append(no_node(self._nodes, name, path, self._tx.work, self._where))
        return name


def nodes_named(diagram: Diagram, operation: Any) -> Iterator[NodeId]:
    """The nodes of a diagram that an operation names, as far as that is clear before it is run."""
    for field in NAMES.get(operation.op, ()):
        value = getattr(operation, field)
        names = [value] if isinstance(value, str) else value if isinstance(value, list | dict) else ()
        for found in (nodes_meant(diagram, name) for name in names):
            if len(found) == 1:
                yield found[0]
