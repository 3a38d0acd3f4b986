"""Runs a batch: dispatches each operation to its resolver and collects all problems; all or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from draftsmith.errors import BatchRejected
from draftsmith.model.ids import NodeId, slug
from draftsmith.transform import resolve_document, resolve_edges, resolve_groups, resolve_nodes, resolve_whole
from draftsmith.transform.batch import Batch
from draftsmith.transform.refusal import Refused
from draftsmith.transform.transaction import Transaction
from draftsmith.transform.whole_diagram import replace_diagram

Resolver = Callable[[Transaction, Any], object]
RESOLVERS: dict[str, Resolver] = {
    "add_node": resolve_nodes.add_node,
    "update_node": resolve_nodes.update_node,
    "delete_node": resolve_nodes.delete_nodes,
    "delete_nodes": resolve_nodes.delete_nodes,
    "move_nodes": resolve_groups.move_nodes,
    "add_edge": resolve_edges.add_edge,
    "update_edge": resolve_edges.update_edge,
    "delete_edge": resolve_edges.delete_edge,
    "rewire_edge": resolve_edges.rewire_edge,
    "insert_between": resolve_groups.insert_between,
    "group_nodes": resolve_groups.group_nodes,
    "ungroup_nodes": resolve_groups.ungroup_nodes,
    "move_to_group": resolve_groups.move_to_group,
    "layout_diagram": resolve_groups.layout_diagram,
    "edit_section": resolve_document.edit_section,
    "replace_section": resolve_document.replace_section,
    "append_to_section": resolve_document.append_to_section,
    "insert_section": resolve_document.insert_section,
    "delete_section": resolve_document.delete_section,
    "move_section": resolve_document.move_section,
    "rename_section": resolve_document.rename_section,
    "edit_text": resolve_document.edit_text,
    "replace_diagram": replace_diagram,
    "replace_document": resolve_whole.replace_document,
    "rename_workspace": resolve_whole.rename_workspace,
}


def run_batch(tx: Transaction, batch: Batch, prefix: str = "/operations") -> None:
    """Apply every operation of a batch, in order; the transaction then contains the steps to log and the results.

    Raises:
        BatchRejected: with every problem; the workspace is as it was.
    """
    run_operations(tx, batch, prefix)
    tx.finish()


def run_operations(tx: Transaction, batch: Batch, prefix: str = "/operations") -> None:
    """As `run_batch`, but keeps the steps of each operation separate (`Transaction.ends`)."""
    tx.neighbours = _neighbours(batch.operations)
    for index, operation in enumerate(batch.operations):
        savepoint = tx.begin(index, operation.op, prefix)
        try:
            RESOLVERS[operation.op](tx, operation)
        except Refused as refusal:
            tx.refuse(savepoint, refusal, _would_make(operation))
        except BaseException:
            tx.roll_back()  # a defect must not leave half a batch behind
            raise
        else:
            tx.keep()
    if tx.problems:
        tx.roll_back()
        raise BatchRejected(tx.problems)


def _neighbours(operations: Sequence[Any]) -> dict[NodeId, list[NodeId]]:
    """The neighbours of each node that the batch connects, so that it can be placed beside them."""
    found: dict[NodeId, list[NodeId]] = {}
    for operation in operations:
        if operation.op == "add_edge":
            found.setdefault(operation.source, []).append(operation.target)
            found.setdefault(operation.target, []).append(operation.source)
    return found


def _would_make(operation: Any) -> list[str]:
    """Ids of nodes and edges, and titles of sections, that a refused operation would have created."""
    if operation.op in ("add_node", "group_nodes"):
        return [operation.id or slug(operation.label)]
    if operation.op == "add_edge":
        return [operation.id or f"{operation.source}--{operation.target}"]
    if operation.op == "insert_between" and not isinstance(operation.node, str):
        return [operation.node.id or slug(operation.node.label)]
    return [f"# {operation.title}"] if operation.op == "insert_section" else []
