"""The doors of live: the WebSocket, and tickets for pages of other origins."""

from __future__ import annotations

from fastapi import APIRouter, WebSocket
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api import answers, schemas
from draftsmith.api.context import API, Context, Ctx, Me, PathWorkspaceId, actor_of, context_of
from draftsmith.api.guard import note
from draftsmith.api.live import LiveSocket
from draftsmith.api.reading import read_body, takes
from draftsmith.api.responses import json_response
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.times import iso
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.commits.identity import check_id

router = APIRouter(prefix=API, tags=["live"])
last = APIRouter()
"""After every other route, since it takes what no other has taken."""


@router.post(
    "/workspaces/{w}/live-tickets",
    response_model=answers.TicketOut,
    status_code=201,
    openapi_extra=takes(schemas.EmptyBody),
)
async def issue_ticket(workspace_id: PathWorkspaceId, request: Request, context: Ctx, actor: Me) -> Response:
    """Let a page of another origin open `/live` in one's own name: `?ticket=…`, within a minute."""
    await read_body(request, schemas.EmptyBody)
    await context.workspaces.read(workspace_id, lambda _: None)  # refuses what is not there to be opened
    ticket, until_ms = context.live_tickets.issue(workspace_id, actor, context.clock.now_ms())
    return json_response(answers.TicketOut(ticket=ticket, expires_at=iso(until_ms)), 201)


@router.websocket("/workspaces/{w}/live")
async def live(websocket: WebSocket) -> None:
    """Everything that happens in a workspace as it happens, and a way to take part; see docs/protocol.md."""
    context = context_of(websocket)
    workspace_id = check_id(str(websocket.path_params["w"]))
    actor = _actor(websocket, context, workspace_id)
    await websocket.accept()
    with context.sockets.counted():
        await LiveSocket(websocket, context.live, context.clock, context.stopping).run(workspace_id, actor)


def _actor(websocket: WebSocket, context: Context, workspace_id: WorkspaceId) -> Actor:
    """Who comes in: whoever the ticket names, and else the browser's profile."""
    ticket = websocket.query_params.get("ticket")
    if not ticket:
        return actor_of(websocket, context)
    actor = context.live_tickets.read(ticket, workspace_id, context.clock.now_ms())
    note(websocket.scope, actor=actor.id)
    return actor


@last.websocket("/{path:path}")
async def nothing(websocket: WebSocket) -> None:
    """Refuse a WebSocket where there is none."""
    raise DraftsmithError("not_found", "There is no such address; see docs/protocol.md.")
