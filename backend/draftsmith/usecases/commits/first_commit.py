"""The first commit of a workspace, made of the content that it starts from."""

from __future__ import annotations

from collections.abc import Generator

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Draft
from draftsmith.history.replica import Replica
from draftsmith.model.custom_types import NO_TYPES, CustomTypes
from draftsmith.model.fields import SparseNode
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.work import TRIAL, NeedsMore, TooCostly, Work
from draftsmith.model.workspace import WorkspaceContent, WorkspaceSummary
from draftsmith.transform.requests.batch import Batch, parsing_batch
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.requests.batch_request import BatchEvidence, BatchRequest
from draftsmith.usecases.requests.client import current_client
from draftsmith.usecases.requests.costs import too_costly
from draftsmith.usecases.requests.request import PreparedTransaction


def first_batch(name: str, content: WorkspaceContent, limits: WorkspaceLimits) -> Generator[None, None, Batch]:
    """The batch that makes a name and a content in export form, read in slices.

    Raises:
        DraftsmithError: `invalid_request`.
    """
    operations: list[dict[str, object]] = [{"op": "rename_workspace", "name": name}]
    diagram, document = content.get("diagram"), content.get("document")
    if diagram is not None:
        edges, types = diagram.get("edges", []), {"types": diagram["types"]} if diagram.get("types") else {}
        nodes = [_without_lost_type(node, types.get("types", NO_TYPES)) for node in diagram.get("nodes") or ()]
        operations.append({"op": "replace_diagram", "nodes": nodes, "edges": edges, **types})
    if document is not None:
        eol = {"eol": document["eol"]} if document.get("eol") else {}
        operations.append({"op": "replace_document", "text": document.get("text", ""), **eol})
    return (yield from parsing_batch(operations, limits, "/import"))


def _without_lost_type(node: SparseNode, types: CustomTypes) -> SparseNode:
    """A node without a custom type that nothing defines; what has no such shape is refused when it is parsed."""
    lost = node.get("custom_type") if isinstance(node, dict) else None
    if not isinstance(lost, str) or lost in types:
        return node
    node = node.copy()
    del node["custom_type"]
    return node


async def first_commit(
    pool: PreparerPool | None, workspace_id: WorkspaceId, request: BatchRequest, epoch: str
) -> tuple[PreparedTransaction, Draft, WorkspaceSummary]:
    """Prepare the first commit of a workspace, in another process if it is large.

    Returns:
        What it becomes, what goes into the log, and the summary of the workspace with it and with who created it.

    Raises:
        DraftsmithError: the content does not fit.
    """
    replica = Replica(epoch)
    is_for_elsewhere = pool is not None and pool.is_for(request, replica)
    here = None if is_for_elsewhere else _prepared_here(pool, replica, request)
    summary: WorkspaceSummary
    if here is not None:
        prepared, body, summary = here, b"", replica.workspace.summary()
    else:
        assert pool is not None
        made = await pool.prepare(current_client(), workspace_id, request, epoch)
        if made.failure is not None:
            raise made.failure
        prepared, body, summary = made.transaction, made.body, made.summary
    if prepared.record is None:
        raise DraftsmithError("internal", "A first commit is always recorded.")
    summary = {**summary, "changed_by": request.actor.name}
    return prepared, request.draft(prepared, prepared.record, body), summary


def _prepared_here(pool: PreparerPool | None, replica: Replica, request: BatchRequest) -> PreparedTransaction | None:
    """Prepare in this process; None if that takes more than a trial may, and there is another process for it."""
    work = None if pool is None else Work(TRIAL, is_trial=True)
    try:
        return request.prepare(replica, BatchEvidence(), work=work)
    except NeedsMore:
        return None
    except TooCostly as error:
        raise too_costly(error) from None
