"""The live endpoints: the WebSocket, and tickets for pages of other origins."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Annotated, Final

from fastapi import APIRouter, WebSocket
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.api.access.gate import AuthorizedCaller
from draftsmith.api.context import API, Context, Ctx, PathWorkspaceId, Who, actor_of, context_of
from draftsmith.api.contract.describing import examples
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import answers, schemas
from draftsmith.api.forms.responses import json_response
from draftsmith.api.live.socket import LiveSocket, refuse
from draftsmith.errors import DraftsmithError
from draftsmith.history.times import iso
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.requests.identity import check_id

router = APIRouter(route_class=Route, prefix=API, tags=["live"])
last = APIRouter(route_class=Route)
"""After every other route, since it takes what no other has taken."""
_LIVE: Final = "/workspaces/{w}/live"
_ANY: Final = "/{path:path}"
SOCKETS: Final[Mapping[str, Action]] = {f"{API}{_LIVE}": Action.READ, _ANY: Action.PUBLIC}
"""By path: what opening a WebSocket takes. The endpoint asks the gate itself: a ticket may stand for who opens it."""


@router.post(
    "/workspaces/{w}/live-tickets",
    dependencies=[requires(Action.READ)],
    response_model=answers.TicketOut,
    status_code=201,
)
async def issue_ticket(
    workspace_id: PathWorkspaceId, body: Annotated[schemas.EmptyBody, examples(page={})], context: Ctx, entered: Who
) -> Response:
    """Let a page of another origin open `/live` in one's own name: `?ticket=…`, once and within half a minute."""
    await context.workspaces.read(workspace_id, lambda _: None)  # refuses what is not there to be opened
    ticket, until_ms = await context.live_tickets.issue(workspace_id, entered.credential)
    return json_response(answers.TicketOut(ticket=ticket, expires_at=iso(until_ms)), 201)


@router.websocket(_LIVE)
async def live(websocket: WebSocket) -> None:
    """Everything that happens in a workspace as it happens, and a way to take part; see docs/protocol.md."""
    context = context_of(websocket)
    workspace_id = check_id(str(websocket.path_params["w"]))
    action = SOCKETS[f"{API}{_LIVE}"]
    with ExitStack() as stack:
        try:
            entered = await _caller_of(websocket, context, workspace_id, action)
            admission = stack.enter_context(context.admissions.admit(entered, workspace_id, action))
        except DraftsmithError as error:
            # A page is told nothing of a handshake that was refused. One with a ticket asks for another one then.
            is_page = "origin" in websocket.headers and "ticket" not in websocket.query_params
            if not is_page or error.code.startswith("storage_"):
                raise
            await websocket.accept()
            await refuse(websocket, error)
            return
        actor_of(websocket, context)  # for the log and the queues
        await websocket.accept()
        stack.enter_context(context.sockets.count_open())
        await LiveSocket(websocket, context.live, context.clock, context.stopping, admission).run(workspace_id)


async def _caller_of(
    websocket: WebSocket, context: Context, workspace_id: WorkspaceId, action: Action
) -> AuthorizedCaller:
    """Who comes in: whoever the ticket stands for, and else by the browser's cookies or a key."""
    ticket = websocket.query_params.get("ticket")
    if not ticket:
        return await context.gate.enter(websocket, action, workspace_id)
    shown = await context.live_tickets.take(ticket, workspace_id)
    return await context.gate.enter_as(websocket, shown, action, workspace_id)


@last.websocket(_ANY)
async def nothing(websocket: WebSocket) -> None:
    """Refuse a WebSocket where there is none."""
    raise DraftsmithError("not_found", "There is no such address; see docs/protocol.md.")
