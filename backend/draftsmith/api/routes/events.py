"""The event stream of commits, for programs that only follow a workspace."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, cast

from fastapi import APIRouter, Header, Query
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Context, Ctx, PathWorkspaceId, Who
from draftsmith.api.contract.describing import problems
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.live.streams import EVENT_STREAM, Events, EventStream
from draftsmith.history.commit import Head
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.upkeep import history
from draftsmith.usecases.upkeep.shapes import CommitFull

router = APIRouter(route_class=Route, prefix=API, tags=["history"])
_EVENT = {
    "type": "object",
    "description": "`event` is `commit`, `id` the token of its revision, `data` JSON as `get_commit` answers it.",
    "properties": {"id": {"type": "string"}, "event": {"enum": ["commit"]}, "data": {"type": "string"}},
    "required": ["id", "event", "data"],
}
_AFTER = rf"^(?:[0-9]{{1,16}}|{history.TOKEN.pattern})$"


@router.get(
    "/workspaces/{w}/commits/events", dependencies=[requires(Action.READ)],
    response_class=Response,
    responses={
        **problems(409),
        200: {"description": "Server-sent events, one for each commit; ends when this server stops.",
              "content": {EVENT_STREAM: {"schema": _EVENT}}},
    },
)  # fmt: skip
async def watch_commits(
    workspace_id: PathWorkspaceId,
    context: Ctx,
    entered: Who,
    after: Annotated[str | None, Query(pattern=_AFTER)] = None,
    last_event_id: Annotated[str | None, Header(pattern=_AFTER)] = None,
) -> Response:
    """Follow a workspace: commits as they come, from now on or after a revision; the header counts before `after`."""
    told = _commits_with_tokens(workspace_id, context, last_event_id or after)
    await anext(told)  # comes once it is known that they can be followed; what cannot be is refused here
    watched = context.admissions.admit(entered, workspace_id, Action.READ)
    return EventStream(cast(Events, told), context.stopping, watched, "commit")


async def _commits_with_tokens(
    workspace_id: WorkspaceId, context: Context, after: str | None
) -> AsyncGenerator[tuple[str, CommitFull] | None, None]:
    """Commits with the tokens of their revisions; None at first, and for signs of life."""
    epoch, start = await _start(workspace_id, context, after)
    async with aclosing(cast(AsyncGenerator[Any, None], context.live.follow(workspace_id, (epoch, start)))) as followed:
        async for one in followed:
            if one is None:
                yield None
                continue
            entry, _ = one
            yield Head(epoch, entry.revision, entry.chain).token, history.full_commit(entry)


async def _start(workspace_id: WorkspaceId, context: Context, after: str | None) -> tuple[str, int]:
    """The epoch, and the revision after which it is to go on."""
    replica, past = await context.workspaces.log_reader(workspace_id)
    head = replica.head
    if after is None:
        return head.epoch, head.revision
    if after.isdecimal():
        return head.epoch, int(after)
    return head.epoch, await history.check_token(past, head, history.read_token(after))
