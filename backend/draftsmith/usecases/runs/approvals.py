"""Answer a call that waits for a yes; what waits, and what comes of it, is in `plugin_calls`."""

from __future__ import annotations

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.approvals import ApprovalStore, Verdict
from draftsmith.ports.runs import RunRow


async def answer_approval(
    store: ApprovalStore, workspace_id: WorkspaceId, row: RunRow, approval_id: str, actor: Actor, *, allow: bool
) -> None:
    """Say whether a call of a run may be made; the first answer counts, and the same again changes nothing.

    Raises:
        DraftsmithError: `forbidden` for all but the person who asked; `approval_closed` if nothing waits (any more), or
            if it was answered otherwise.
    """
    if row.request["actor"]["id"] != actor.id:
        raise DraftsmithError("forbidden", "Only the person who asked can say yes to what a plugin is to change.")
    counts = await store.answer_approval(workspace_id, row.id, approval_id, Verdict(allow, actor.name))
    if counts is None:
        message = "This call waits for no answer (any more); without a yes in time it was not made."
        raise DraftsmithError("approval_closed", message)
    if counts.allow != allow:
        message = f"It was answered already: {counts.by} said {'yes' if counts.allow else 'no'}."
        raise DraftsmithError("approval_closed", message)
