"""Checks that operations on nodes, edges and groups share: existence, locks, known values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rapidfuzz import fuzz, process

from draftsmith.errors import Existence, Subject, Value
from draftsmith.model.custom_types import NO_TYPES, CustomTypes, custom_type_named
from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import EdgeAttributes, NodeAttributes
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.type_words import guess_type, types_meant
from draftsmith.model.vocabulary import GROUP, NODE_TYPES
from draftsmith.model.work import Work
from draftsmith.transform import costs
from draftsmith.transform.matching.node_names import no_node
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.transaction import Transaction

_ALIKE: Final = 55  # of 100, from which on another id is worth naming


def need_node(tx: Transaction, node_id: NodeId, path: str) -> NodeAttributes:
    """Return the attributes of a node.

    Raises:
        OperationRefused: `node_not_found`, with the nearest ids.
    """
    node = tx.workspace.diagram.node(node_id)
    if node is None:
        raise no_node(tx.workspace.diagram, node_id, path, tx.work)
    return node


def no_edge(diagram: Diagram, edge_id: EdgeId, path: str, work: Work | None = None) -> OperationRefused:
    """Make the refusal for an id of no edge.

    It names the edges between the two nodes that the id names, else those at one of them, else those of a like id.

    Args:
        work: what looking for them is spent on.
    """
    if work is not None:
        work.spend(costs.NAME * diagram.edge_count, costs.NAMES)
    first, last = (NodeId(end) for end in edge_id.partition("--")[::2])
    near = diagram.edges_between(first, last) if first in diagram and last in diagram else []
    at_one = [edge for end in (first, last) if end in diagram for edge in diagram.edges_at(end)]
    near = near or [other for other, _, _ in process.extract(edge_id, at_one, scorer=fuzz.WRatio, limit=5)]
    if not near:
        found = process.extract(edge_id, list(diagram.edge_ids()), scorer=fuzz.WRatio, limit=3, score_cutoff=_ALIKE)
        near = [other for other, _, _ in found]
    about = [Existence("edge", edge_id)]
    return OperationRefused("edge_not_found", path, f"There is no edge '{edge_id[:80]}'.", near, about)


def need_unlocked(tx: Transaction, node_id: NodeId, path: str) -> None:
    """Raise `locked` if the node or a group around it is locked."""
    diagram = tx.workspace.diagram
    lock = diagram.lock_on(node_id)
    if diagram.parent(node_id) is not None:
        tx.work.spend(costs.ANCESTOR * sum(1 for _ in diagram.ancestors(node_id)), costs.NESTING)
    if lock is not None:
        around = "" if lock == node_id else f" by the group '{lock}'"
        message = f"'{node_id}' is locked{around}; a person has to unlock it first."
        raise OperationRefused(
            "locked", path, message, (lock,), [Value("node", lock, "locked"), *stands_in(tx, node_id, lock)]
        )


def stands_in(tx: Transaction, node_id: NodeId, group: NodeId) -> list[Subject]:
    """Return the subjects on which a node's membership in a group depends: the parents on the way there."""
    chain = [node_id, *tx.workspace.diagram.ancestors(node_id)]
    return [Value("node", inner, "parent") for inner in chain[: chain.index(group)]]


def need_group(tx: Transaction, group: NodeId, path: str) -> NodeAttributes:
    """Return the attributes of a group.

    Raises:
        OperationRefused: `node_not_found` or `not_a_group`.
    """
    node = need_node(tx, group, path)
    if node.get("type") != GROUP:
        groups = sorted(tx.workspace.diagram.groups())
        about = [Value("node", group, "type")]
        raise OperationRefused("not_a_group", path, f"'{group}' is not a group.", groups[:5], about)
    return node


def check_type(kind: str, path: str, own: CustomTypes = NO_TYPES) -> None:
    """Raise `type_unknown`, with the nearest types, for one that is neither built in nor of the workspace's own."""
    if kind not in NODE_TYPES and custom_type_named(kind, own) is None:
        raise no_type(kind, path, own)


def no_type(kind: str, path: str, own: CustomTypes, *, is_own: bool = False) -> OperationRefused:
    """Make `type_unknown`, with the nearest types; `is_own`: only one of the workspace's own would do."""
    names = {type_id: f"{type_id} {one['name']}" for type_id, one in own.items()}
    built_in = () if is_own else NODE_TYPES
    meant = [] if is_own else [*types_meant(kind), guess_type(kind.replace("_", " "), otherwise="")]
    found = process.extract(kind, {one: one for one in built_in} | names, scorer=fuzz.WRatio, limit=3, score_cutoff=50)
    alike = [str(one) for _, _, one in found]
    near = list(dict.fromkeys(filter(None, [*meant, *alike])))[:3] or ([*own][:3] if is_own else ["other"])
    own_types = ", ".join(f"{type_id} (“{one['name']}”)" for type_id, one in own.items())
    if is_own:
        message = f"The workspace has no type '{kind}' of its own; those are {own_types or 'none'}."
    else:
        message = f"There is no node type '{kind}'; the types are {', '.join(NODE_TYPES)}."
        message += f" The workspace's own are {own_types}." if own else ""
    return OperationRefused("type_unknown", path, message, near, [Existence("type", kind)])


def property_values(
    attributes: NodeAttributes | EdgeAttributes, patch: Mapping[str, str | None] | None
) -> dict[str, object]:
    """Turn a patch of properties into fields; None clears all."""
    if patch is None:
        return {f"properties.{key}": None for key in attributes.get("properties", {})}
    return {f"properties.{key}": value for key, value in patch.items()}
