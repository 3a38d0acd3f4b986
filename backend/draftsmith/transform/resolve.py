"""Runs a batch: dispatches each operation to its resolver and collects all problems; all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from draftsmith.errors import BatchRejected
from draftsmith.model.ids import slug
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.name_search import name_key
from draftsmith.model.work import TooCostly, Work
from draftsmith.model.workspace import Workspace
from draftsmith.transform import costs
from draftsmith.transform.placement.layouts import Layouts
from draftsmith.transform.placement.new_nodes import NewNodes
from draftsmith.transform.placement.place_new import place_new
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests.batch import Batch
from draftsmith.transform.resolvers import (
    custom_types,
    document,
    edges,
    groups,
    layout,
    names,
    nodes,
)
from draftsmith.transform.resolvers.anchors import FOLLOWED, keep_links
from draftsmith.transform.resolvers.earlier_operations import EarlierOperations
from draftsmith.transform.resolvers.hand_routes import warn_of_strained_routes
from draftsmith.transform.resolvers.whole_diagram import replace_diagram
from draftsmith.transform.set_fields import keep_routes
from draftsmith.transform.steps.changeset import ChangeSet
from draftsmith.transform.steps.text import TextHistory
from draftsmith.transform.transaction import Savepoint, Transaction

Resolver = Callable[[Transaction, Any], object]
RESOLVERS: dict[str, Resolver] = {
    "add_node": nodes.add_node,
    "update_node": nodes.update_node,
    "delete_node": nodes.delete_nodes,
    "delete_nodes": nodes.delete_nodes,
    "move_nodes": groups.move_nodes,
    "add_edge": edges.add_edge,
    "update_edge": edges.update_edge,
    "delete_edge": edges.delete_edge,
    "rewire_edge": edges.rewire_edge,
    "insert_between": groups.insert_between,
    "group_nodes": groups.group_nodes,
    "ungroup_nodes": groups.ungroup_nodes,
    "move_to_group": groups.move_to_group,
    "layout_diagram": layout.layout_diagram,
    "define_type": custom_types.define_type,
    "delete_type": custom_types.delete_type,
    "edit_section": document.edit_section,
    "replace_section": document.replace_section,
    "append_to_section": document.append_to_section,
    "insert_section": document.insert_section,
    "delete_section": document.delete_section,
    "move_section": document.move_section,
    "rename_section": document.rename_section,
    "edit_text": document.edit_text,
    "replace_diagram": replace_diagram,
    "replace_document": document.replace_document,
    "rename_workspace": document.rename_workspace,
}


def open_transaction(
    workspace: Workspace,
    revision: int,
    limits: WorkspaceLimits,
    *,
    work: Work | None = None,
    layouts: Layouts | None = None,
    by_person: bool = True,
    since: dict[int, ChangeSet] | None = None,
    past: TextHistory | None = None,
    by_id: bool = False,
) -> Transaction:
    """A transaction for batches of operations: with what finds places, asks the engine and explains refusals.

    The arguments are those of `Transaction`; without `work` it may spend what the limits allow.
    """
    work = work or Work(limits.work)
    return Transaction(
        workspace, revision, limits, work=work, new=NewNodes(), causes=EarlierOperations(work), layouts=layouts,
        by_person=by_person, since=since, past=past, by_id=by_id,
    )  # fmt: skip


def run_batch(tx: Transaction, batch: Batch, prefix: str = "/operations") -> None:
    """Apply every operation of a batch, in order; the transaction then contains the steps to log and the results.

    Raises:
        BatchRejected: with every problem; the workspace is as it was.
    """
    run_operations(tx, batch, prefix)
    tx.finish()


def run_operations(tx: Transaction, batch: Batch, prefix: str = "/operations") -> None:
    """As `run_batch`, but keeps the steps of each operation separate (`Transaction.ends`)."""
    for index, operation in enumerate(batch.operations):
        if not run_operation(tx, index, operation, prefix):
            break
    conclude(tx, prefix)


def run_operation(tx: Transaction, index: int, operation: Any, prefix: str) -> bool:
    """Apply an operation of a batch, or record why it does not fit; False if there is no budget for any further one.

    Raises:
        NeedsMore: the trial has ended; the workspace is as it was before the batch.
    """
    savepoint = tx.begin(index, operation.op, prefix)
    try:
        _run(tx, operation, savepoint)
    except TooCostly as error:
        tx.refuse_as_too_costly(savepoint, error)
        return False
    except BaseException:
        tx.roll_back()  # a defect must not leave half a batch behind
        raise
    return True


def conclude(tx: Transaction, prefix: str) -> None:
    """End a batch whose operations were all tried: find places for what is new.

    Raises:
        BatchRejected: an operation did not fit, or the answer would cost too much; the workspace is as it was.
        NeedsMore: the trial has ended; the workspace is as it was.
    """
    try:
        if not tx.problems:
            place_new(tx)
            warn_of_strained_routes(tx)
            tx.spend_on_answer()
            return
    except TooCostly as error:
        last = tx.results[-1]
        tx.problems.append(costs.too_costly(error, last.index, last.op, f"{prefix}/{last.index}"))
    except BaseException:
        tx.roll_back()
        raise
    tx.fitted = list(tx.steps)
    tx.roll_back()
    raise BatchRejected(tx.problems)


def _run(tx: Transaction, operation: Any, savepoint: Savepoint) -> None:
    tx.work.spend(costs.OPERATION, costs.STEPS)
    outline = tx.workspace.document.outline if operation.op in FOLLOWED else None
    try:
        operation = operation if tx.by_id else names.with_ids(tx, operation)
        RESOLVERS[operation.op](tx, operation)
        keep_routes(tx)
        if outline is not None:
            keep_links(tx, operation.op, outline, savepoint.steps)
    except OperationRefused as refusal:
        tx.refuse(savepoint, refusal, _would_make(operation))
    else:
        tx.keep()


def _would_make(operation: Any) -> list[str]:
    """Ids and labels of nodes, ids of edges, and titles of sections, that a refused operation would have created."""
    if operation.op in ("add_node", "group_nodes"):
        return _names_of(operation)
    if operation.op == "add_edge":
        return [operation.id or f"{operation.source}--{operation.target}"]
    if operation.op == "insert_between" and not isinstance(operation.node, str):
        return _names_of(operation.node)
    return [f"# {operation.title}"] if operation.op == "insert_section" else []


def _names_of(operation: Any) -> list[str]:
    return [name_key(operation.id or slug(operation.label)), name_key(operation.label)]
