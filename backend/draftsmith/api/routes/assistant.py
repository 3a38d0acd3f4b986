"""The assistant of this server: who answers, its key, its usage; and what a workspace keeps for it beside runs."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from functools import partial
from typing import Annotated, Any, Final, TypeVar

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Context, Ctx, Me, PathWorkspaceId, Who
from draftsmith.api.contract.describing import examples, problems
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import run_answers as answers
from draftsmith.api.forms import schemas
from draftsmith.api.forms.responses import bad_cursor, bytes_response, cursor, json_response, read_cursor, whole_list
from draftsmith.api.http.other_origins import is_own_origin
from draftsmith.api.shared.assistant_state import assistant_state, server_look, switch_state
from draftsmith.assistant.builtin import compiling
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.times import iso
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.runs import ConversationTurn
from draftsmith.usecases.providers.entered_server import EnteredServers
from draftsmith.usecases.replicas.slices import in_slices
from draftsmith.usecases.upkeep import contents
from draftsmith.usecases.usage.shapes import UsageOut

router = APIRouter(route_class=Route, prefix=API, tags=["assistant"])
T = TypeVar("T")
EVENT_ID = re.compile(r"[0-9]{1,15}(?:-[0-9]{1,15})?")
"""Ids of events and of turns: milliseconds, and a number within them."""
_NOT_OWN_ORIGIN: Final = (
    "Settings of this server are changed from its own page; a program sends an Origin header with this server's "
    "address, or the cookie of a profile (POST /api/v1/session)."
)


async def _require_own_origin(request: Request, context: Ctx) -> None:
    """Refuse a change of this server's settings except from its own pages, and from callers with a profile here.

    Pages of origins that the operator has named come past the guard, but may not do this. What neither says where it
    comes from nor shows a profile that was signed here may be anything that somebody else had this machine send.
    """
    if context.gate.mode == "token":  # an administrator has shown who they are
        return
    origin = request.headers.get("origin")
    is_page = request.headers.get("sec-fetch-site") == "same-origin"
    is_ours = is_page if origin is None else is_own_origin(request.scope, origin)
    if not is_ours and (origin is not None or context.profiles.actor(request).kind != "person"):
        raise DraftsmithError("forbidden", _NOT_OWN_ORIGIN)


OWN_ORIGIN: Final[Any] = Depends(_require_own_origin)
"""Refuses (`forbidden`) a change of settings that shows neither our own origin nor a profile."""


@router.get("/assistant", dependencies=[requires(Action.ASSISTANT_READ)], response_model=answers.AssistantOut)
async def get_assistant(context: Ctx, entered: Who, check: Annotated[bool, Query(deprecated=True)] = False) -> Response:
    """Say who answers, what leaves this machine and which limits there are; `check` is refused: POST …/check."""
    if check:  # any page of the web can have a browser send a GET
        raise DraftsmithError("invalid_request", "Trying the connection is POST /api/v1/assistant/check.")
    return json_response(await assistant_state(context, entered))


@router.post("/assistant/check", dependencies=[requires(Action.SETTINGS)], response_model=answers.AssistantOut)
async def check_assistant(body: schemas.CheckBody, context: Ctx, entered: Who) -> Response:
    """Try the connection to a provider, else to whoever answers; a result of the last 30 seconds stands."""
    await context.assistant.dependencies.providers.check(body.provider or "")
    return json_response(await assistant_state(context, entered))


@router.put(
    "/assistant/key",
    dependencies=[requires(Action.SETTINGS), OWN_ORIGIN],
    response_model=answers.AssistantOut,
    responses=problems(409),
)
async def enter_key(
    body: Annotated[
        schemas.KeyBody, examples(key={"api_key": "sk-ant-…"}, openai={"api_key": "sk-…", "provider": "openai"})
    ],
    context: Ctx,
    entered: Who,
) -> Response:
    """Enter the key of a model provider: tried first, then kept in a file for its owner alone, never shown again."""
    entering = context.assistant.dependencies.providers.enter_key(body.api_key, body.provider or "")
    await _without_key(entering, body.api_key)
    return json_response(await assistant_state(context, entered))


@router.delete(
    "/assistant/key",
    dependencies=[requires(Action.SETTINGS), OWN_ORIGIN],
    response_model=answers.AssistantOut,
    responses=problems(409),
)
async def forget_key(
    context: Ctx,
    entered: Who,
    provider: Annotated[str, Query(max_length=64, pattern="^[a-z]*$")] = "",
) -> Response:
    """Forget the key that was entered, of a provider or of the one that answers."""
    context.assistant.dependencies.providers.forget_key(provider)
    return json_response(await assistant_state(context, entered))


@router.post(
    "/assistant/server/look", dependencies=[requires(Action.SETTINGS), OWN_ORIGIN], response_model=answers.ServerLookOut
)
async def look_at_server(
    body: Annotated[schemas.ServerLookBody, examples(ollama={"address": "http://localhost:11434"})], context: Ctx
) -> Response:
    """Say where the address of a server of models leads, and which models it lists; nothing is kept."""
    look = _entered_servers(context).look(body.address, body.api_key or "")
    return json_response(server_look(await _without_key(look, body.api_key)))


@router.put(
    "/assistant/server", dependencies=[requires(Action.SETTINGS), OWN_ORIGIN], response_model=answers.AssistantOut
)
async def enter_server(
    body: Annotated[schemas.ServerBody, examples(ollama={"address": "http://localhost:11434", "model": "qwen3"})],
    context: Ctx,
    entered: Who,
) -> Response:
    """Enter a server of models of one's own: tried first, then kept; its key is never shown again."""
    entering = _entered_servers(context).enter(body.address, body.model, body.api_key or "")
    await _without_key(entering, body.api_key)
    return json_response(await assistant_state(context, entered))


@router.post(
    "/assistant/server/trials",
    dependencies=[requires(Action.SETTINGS), OWN_ORIGIN],
    response_model=answers.AssistantOut,
)
async def try_server(
    body: Annotated[schemas.ServerTrialBody, examples(first={"step": "answers"})], context: Ctx, actor: Me, entered: Who
) -> Response:
    """Make a step of trying the server that was entered: one request to its model, of at most 90 seconds."""
    await context.assistant.try_server(body.step, actor.id)
    return json_response(await assistant_state(context, entered))


@router.delete(
    "/assistant/server", dependencies=[requires(Action.SETTINGS), OWN_ORIGIN], response_model=answers.AssistantOut
)
async def forget_server(context: Ctx, entered: Who) -> Response:
    """Forget the server that was entered, and its key."""
    _entered_servers(context).forget()
    return json_response(await assistant_state(context, entered))


def _entered_servers(context: Context) -> EnteredServers:
    entered = context.assistant.dependencies.providers.entered
    if entered is None:
        raise DraftsmithError("provider_unknown", "No server of models can be entered here.")
    return entered


async def _without_key(entering: Awaitable[T], key: str | None) -> T:
    """What comes of a request with a key, which is in no message: a gateway may quote what it refuses."""
    try:
        return await entering
    except DraftsmithError as error:
        detail = error.detail.replace(key, "…") if key else error.detail
        raise DraftsmithError(error.code, detail, error.problems, error.extra) from None


@router.get("/usage", dependencies=[requires(Action.SETTINGS_READ)], response_model=UsageOut)
async def get_usage(context: Ctx, days: Annotated[int, Query(ge=1, le=90)] = 30) -> Response:
    """Sum up model calls of the last days, by provider, model, operation and person."""
    return json_response(await context.assistant.dependencies.metering.totals(days))


@router.get("/workspaces/{w}/assistant", dependencies=[requires(Action.READ)], response_model=answers.SwitchOut)
async def get_switch(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """Say how the assistant of this workspace is set, and who answers there."""
    return json_response(await _switch(context, workspace_id))


@router.patch(
    "/workspaces/{w}/assistant", dependencies=[requires(Action.ASSISTANT_SWITCH)], response_model=answers.SwitchOut
)
async def set_switch(
    workspace_id: PathWorkspaceId,
    body: Annotated[
        schemas.SwitchBody,
        examples(off={"enabled": False}, whole={"edit_mode": "regenerate"}, here={"provider": "builtin"}),
    ],
    context: Ctx,
) -> Response:
    """Allow or forbid the assistant here, say how models edit or who answers; what runs goes on."""
    given = body.model_fields_set
    if body.enabled is None and not given & {"edit_mode", "provider"}:
        problem = Problem(-1, "", "field_missing", "", "Say 'enabled', 'edit_mode' or 'provider', or several of them.")
        raise DraftsmithError("invalid_request", f"{problem.message} Nothing was changed.", [problem])
    if "provider" in given:  # first, since it may be refused
        await context.assistant.set_provider(workspace_id, body.provider)
    if body.enabled is not None:
        await context.assistant.switch(workspace_id, on=body.enabled)
    if "edit_mode" in given:
        await context.assistant.set_edit_mode(workspace_id, body.edit_mode)
    return json_response(await _switch(context, workspace_id))


async def _switch(context: Context, workspace_id: WorkspaceId) -> answers.SwitchOut:
    switch = await context.assistant.workspace_switch(workspace_id)
    return switch_state(context, switch)


@router.get("/workspaces/{w}/completions", dependencies=[requires(Action.READ)], response_model=answers.CompletionList)
async def list_completions(
    workspace_id: PathWorkspaceId,
    context: Ctx,
    text: Annotated[str, Query(max_length=2_000)] = "",
    limit: Annotated[int, Query(ge=1, le=50)] = 8,
    ask: bool = False,
) -> Response:
    """Say how a built-in command may go on; `ask` leaves out those that change something."""
    await in_slices(compiling())
    reader = partial(contents.completions, text, limit, may_edit=not ask)
    _, items = await context.workspaces.compute(workspace_id, reader)
    return bytes_response(whole_list(items))


@router.get("/workspaces/{w}/conversation", dependencies=[requires(Action.RUN_READ)], response_model=answers.TalkList)
async def list_conversation(
    workspace_id: PathWorkspaceId,
    context: Ctx,
    entered: Who,
    before: Annotated[str | None, Query(pattern=f"^{EVENT_ID.pattern}$")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor_: Annotated[str | None, Query(alias="cursor", max_length=400)] = None,
) -> Response:
    """List the turns of this workspace's conversation with the assistant, newest first."""
    after = read_cursor(cursor_, str)
    if after is not None and not EVENT_ID.fullmatch(after[0]):
        raise bad_cursor()
    found = await context.assistant.conversation(workspace_id, before if after is None else after[0], limit + 1)
    following = cursor(found[limit - 1][0]) if len(found) > limit else None
    seen = [_talk(*one) for one in found[:limit] if entered.sees_runs_of(one[1]["actor"]["id"])]
    return json_response(answers.TalkList(items=seen, next_cursor=following))


def _talk(talk_id: str, turn: ConversationTurn) -> answers.TalkOut:
    return {"id": talk_id, "at": iso(int(talk_id.partition("-")[0])), **turn}


@router.delete("/workspaces/{w}/conversation", dependencies=[requires(Action.CONVERSATION_CLEAR)], status_code=204)
async def clear_conversation(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """Forget the conversation; what was changed stays, and so does its history."""
    await context.assistant.clear_conversation(workspace_id)
    return Response(status_code=204)
