"""The tools `history`, `compare` and `undo`."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import orjson

from draftsmith.agents import history_answers, inputs
from draftsmith.agents.answer import ToolAnswer
from draftsmith.assistant.tools.tool_arguments import ToolFault
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.rows import PageCursor
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call
from draftsmith.usecases.requests.identity import fingerprint, identify
from draftsmith.usecases.requests.undo_requests import UndoRequest
from draftsmith.usecases.upkeep.history import compare as compared
from draftsmith.usecases.upkeep.history import list_commits

_SOURCE: Final = "mcp"


async def history(needs: AgentDependencies, call: Call, asked: inputs.HistoryArguments) -> ToolAnswer:
    """A page of commits, newest first, down to the revision that the agent knows."""
    head = await needs.workspaces.read(call.workspace_id, lambda replica: replica.head.revision)
    before = head + 1
    if asked.cursor:
        if not asked.cursor.isdecimal() or len(asked.cursor) > 16:
            raise ToolFault("This cursor is none; give next_cursor of the answer before as it is, or leave it out.")
        before = min(int(asked.cursor), head + 1)
    if asked.since > head:
        raise ToolFault(f"There is no revision {asked.since}; the newest is {head}.")
    if before < 1 or before <= asked.since + 1:
        return history_answers.history_answer(call.workspace_id, head, [], None, call.agent.actor.id)
    items, following = await list_commits(needs.log, call.workspace_id, PageCursor(before), asked.limit)
    wanted = [one for one in items if one["revision"] > asked.since]
    is_over = following is None or len(wanted) < len(items) or following.before <= asked.since + 1
    token = None if is_over or following is None else str(following.before)
    return history_answers.history_answer(call.workspace_id, head, wanted, token, call.agent.actor.id)


async def compare(needs: AgentDependencies, call: Call, asked: inputs.CompareArguments) -> ToolAnswer:
    """What differs between two revisions."""
    head = await needs.workspaces.read(call.workspace_id, lambda replica: replica.head.revision)
    old, new = asked.from_revision, asked.to_revision or head
    content = await needs.workspaces.compute_past(call.workspace_id, partial(compared, old, new), [old, new])
    found: dict[str, Any] = orjson.loads(content)
    return history_answers.comparison_answer(call.workspace_id, found)


async def undo(needs: AgentDependencies, call: Call, asked: inputs.UndoArguments) -> ToolAnswer:
    """Take back a commit that this agent has made, as far as it still fits.

    Raises:
        DraftsmithError: `forbidden` for a commit of anybody else; `not_revertable`, `revision_unknown`, `trimmed`.
    """
    _, log = await needs.workspaces.log_reader(call.workspace_id)
    entry = await log.entry(asked.revision)
    actor = call.agent.actor
    by = actor_json(entry.actor)
    if by["id"] != actor.id:
        message = (
            f"Revision {asked.revision} is by {by['name']}; you may take back only what you have made with this key."
        )
        raise DraftsmithError("forbidden", message)
    identity = identify(actor, asked.id or None, needs.clock)
    request = UndoRequest(
        batch_id=identity.batch_id, txid=identity.txid,
        fingerprint=fingerprint(["revert", str(asked.revision)]) if identity.is_given else "",
        actor=actor, scope=call.agent.person.id, source=_SOURCE, action="revert", target=asked.revision,
        dry_run=asked.dry_run, limits=needs.limits,
    )  # fmt: skip
    answer = await needs.workspaces.submit(call.workspace_id, request)
    return history_answers.undo_answer(call.workspace_id, asked.revision, answer)
