"""Which node a name means: the one with that id, else the one that alone is called so.

This is the only place that decides it, for operations and for everything that reads (docs/operations.md, Names of
nodes). Not here: names in sentences for the built-in commands, which also tolerate typing errors, and edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Protocol, assert_never

from rapidfuzz import fuzz, process

from draftsmith.errors import Existence
from draftsmith.model.ids import NodeId
from draftsmith.model.name_search import name_key
from draftsmith.model.work import Work
from draftsmith.transform import costs
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.steps.workspace import Rename

_ALIKE: Final = 55  # of 100, from which on another node is worth naming
_LISTED: Final = 10


class NodeLookup(Protocol):
    """Looks up nodes by id and by label; a diagram, or a list of nodes."""

    @property
    def node_count(self) -> int:
        """How many there are."""

    def __contains__(self, node_id: object) -> bool:
        """Whether there is a node of that id."""

    def ids_by_name(self, name: str) -> Sequence[NodeId]:
        """Those whose label is a name but for letter case, white space and Unicode's form."""

    def label(self, node_id: NodeId) -> str:
        """The label of a node."""

    def node_ids(self) -> Iterator[NodeId]:
        """All ids."""


class ListedNodes:
    """Nodes of a list, by id."""

    def __init__(self, labels: Mapping[NodeId, str]) -> None:
        self._labels = labels

    @cached_property
    def _ids_by_name(self) -> Mapping[str, Sequence[NodeId]]:
        found: dict[str, list[NodeId]] = {}
        for node_id, label in self._labels.items():
            found.setdefault(name_key(label), []).append(node_id)
        return found

    @property
    def node_count(self) -> int:
        """See `NodeLookup`, as for all of these."""
        return len(self._labels)

    def __contains__(self, node_id: object) -> bool:
        return node_id in self._labels

    def ids_by_name(self, name: str) -> Sequence[NodeId]:
        """Ids of the nodes with that label, but for letter case, white space and Unicode's form."""
        return self._ids_by_name.get(name_key(name), ())

    def label(self, node_id: NodeId) -> str:
        """The label of a node."""
        return self._labels[node_id]

    def node_ids(self) -> Iterator[NodeId]:
        """All ids."""
        return iter(self._labels)


def nodes_meant(nodes: NodeLookup, name: str) -> Sequence[NodeId]:
    """The nodes that a name may mean, sorted: one if it is clear.

    An id means its node, whatever is called so. Else labels and ids count that differ from the name in letter case,
    white space or Unicode's form alone: two that only these tell apart are two that are called so.
    """
    if name in nodes:
        return [NodeId(name)]
    found = nodes.ids_by_name(name)
    spelled = NodeId(name_key(name))
    return sorted({*found, spelled} if spelled in nodes else found)


def several_nodes(name: str, found: Sequence[NodeId], path: str = "") -> OperationRefused:
    """The error `node_ambiguous`, with the nodes that have that label."""
    shown = ", ".join(f"'{one}'" for one in found[:_LISTED])
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    message = f"Several nodes are called '{name[:80]}': {shown}{more}. Give an id."
    return OperationRefused("node_ambiguous", path, message, found[:_LISTED], [Existence("node", name)])


def no_node(
    nodes: NodeLookup, name: str, path: str = "", work: Work | None = None, where: str = ""
) -> OperationRefused:
    """`node_not_found`, with the nearest by id and label.

    Args:
        nodes: among which.
        name: what was looked for.
        path: where it stands, as in `Problem`.
        work: what looking for similar names is spent on.
        where: the end of the sentence that says that there is none.
    """
    if work is not None:
        work.spend(costs.NAME * nodes.node_count, costs.NAMES)
    near = nearest_nodes(nodes, name)
    hint = f" Did you mean '{near[0]}'?" if near else " The diagram has no nodes like it."
    return OperationRefused(
        "node_not_found", path, f"There is no node '{name[:80]}'{where}.{hint}", near, [Existence("node", name)]
    )


def nearest_nodes(nodes: NodeLookup, name: str) -> list[NodeId]:
    """The ids of up to three nodes whose id and label are like a name, best first."""
    names = {one: f"{one} {nodes.label(one)}" for one in nodes.node_ids()}
    found = process.extract(name, names, scorer=fuzz.WRatio, limit=3, score_cutoff=_ALIKE)
    return [NodeId(str(one)) for _, _, one in found]


def names_changed(step: Step) -> tuple[str, ...]:
    """The names that a step gives to a node or takes from it, as `name_key` has them."""
    match step:
        case InsertNode() | RemoveNode():
            return step.id, name_key(step.fields.get("label", ""))
        case SetNode():
            return tuple(name_key(label or "") for label in step.fields.get("label", ()))
        case InsertEdge() | RemoveEdge() | SetEdge() | ChangeText() | Rename() | SetType():
            return ()
        case _:
            assert_never(step)
