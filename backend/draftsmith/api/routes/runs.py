"""Runs of the assistant: start, list, look, watch, stop."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, cast

from fastapi import APIRouter, Header, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.roles import is_at_least
from draftsmith.api.access.gate import AuthorizedCaller
from draftsmith.api.context import API, Context, Ctx, Me, PathWorkspaceId, Who, identity_of
from draftsmith.api.contract.describing import SAME_WORKSPACE, answer, examples, in_workspace, parameters, problems
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import run_answers as answers
from draftsmith.api.forms import schemas
from draftsmith.api.forms.reading import given_id, seconds_to_wait
from draftsmith.api.forms.responses import bad_cursor, cursor, json_response, read_cursor
from draftsmith.api.http.guard import note
from draftsmith.api.http.proxies import root_of
from draftsmith.api.live.streams import EVENT_STREAM, Events, EventStream
from draftsmith.api.live.waiting import while_waited_for
from draftsmith.api.routes.assistant import EVENT_ID
from draftsmith.assistant.context.focus import Focus
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.run_outcomes import FindingOut
from draftsmith.ports.run_shapes import QueryOut, RunOut
from draftsmith.usecases.requests.identity import RequestIdentity, derived_id, identify
from draftsmith.usecases.runs.summary import SummaryInput
from draftsmith.usecases.runs.values import RunInput
from draftsmith.usecases.usage.shapes import SummaryOut

router = APIRouter(route_class=Route, prefix=API, tags=["assistant"])
_RUN = re.compile(r"[0-9a-hjkmnp-tv-z]{26}")
KINDS = (
    "phase", "text", "thinking", "tool", "read", "ghost", "staged", "option", "refused", "clash", "withdrawn",
    "waiting", "usage", "approval", "called", "end",
)  # fmt: skip
_EVENT = {
    "type": "object",
    "description": "`data` is JSON, an object whose `type` is that of the event; docs/assistant.md lists the members.",
    "properties": {"id": {"type": "string"}, "event": {"enum": KINDS}, "data": {"type": "string"}},
    "required": ["id", "event", "data"],
}
_AFTER_START = dict.fromkeys(("get_run", "cancel_run", "watch_run", "rate_run"), in_workspace("run_id", "id"))


@router.post(
    "/workspaces/{w}/runs",
    dependencies=[requires(Action.ASK)],
    response_model=RunOut,
    responses={
        **problems(409, 429),
        200: answer("Location", "Preference-Applied", then={**_AFTER_START, "undo": SAME_WORKSPACE}),
        202: answer("Location", "Preference-Applied", model=RunOut, description="It runs; see Location."),
    },
    openapi_extra=parameters("IdempotencyKey", "PreferWait"),
)
async def start_run(
    workspace_id: PathWorkspaceId,
    body: Annotated[
        schemas.RunBody,
        examples(
            command={"prompt": "add a cache called Sessions"},
            question={"prompt": "what is unconnected", "workflow": "ask"},
            proposal={"prompt": "add a queue called Jobs", "mode": "propose", "id": "jobs-2026-05-04"},
        ),
    ],
    request: Request,
    context: Ctx,
    actor: Me,
    entered: Who,
) -> Response:
    """Ask the assistant: 202 while it runs, 200 once it is over; `Prefer: wait=30` waits for that a while."""
    identity = identity_of(context, actor, request, given_id(request, body.id))
    run_id = _run_id(identity)
    note(request.scope, run=run_id)
    finding = None if body.about is None else await _finding(workspace_id, body, body.about, context, entered)
    run_input = RunInput(
        id=run_id,
        is_given=identity.is_given,
        workflow=body.workflow,
        prompt=body.prompt,
        # Whoever may not change anything may still propose it.
        mode=body.mode if is_at_least(entered.role, "editor") else "propose",
        focus=body.focus or Focus(),
        provider=body.provider or "",
        edit_mode=body.edit_mode,
        may_approve=is_at_least(entered.role, "editor"),
        about=None if body.about is None else {"run": body.about.run, "finding": body.about.finding},
        finding=finding,
    )
    run = await context.assistant.start(workspace_id, actor, run_input)
    return await _wait_for_run(workspace_id, run, request, context, is_new=True)


async def _finding(
    workspace_id: WorkspaceId,
    body: schemas.RunBody,
    about: schemas.AboutBody,
    context: Context,
    entered: AuthorizedCaller,
) -> FindingOut:
    """The finding that a change is asked for. It comes from the run and not from the caller: it is no instruction.

    Raises:
        DraftsmithError: `run_not_found`; `invalid_request` where the run has no such finding, or nothing is changed.
    """
    if body.workflow != "edit":
        raise _misfit("/about", "Only an edit can be asked for because of a finding; leave out workflow or about.")
    run = await _visible_run(workspace_id, RunId(about.run), context, entered)
    findings = (run["outcome"] or {}).get("findings") or []
    if about.finding >= len(findings):
        raise _misfit("/about/finding", f"This run has {len(findings)} findings, counted from 0.")
    return findings[about.finding]


def _misfit(path: str, message: str) -> DraftsmithError:
    problem = Problem(-1, "", "field_invalid", path, message)
    return DraftsmithError("invalid_request", f"{message} Nothing was started.", [problem])


async def _wait_for_run(
    workspace_id: WorkspaceId, run: RunOut, request: Request, context: Context, *, is_new: bool
) -> Response:
    """A run as it stands, after the time that the caller would rather wait."""
    seconds = seconds_to_wait(request)
    headers = {} if seconds is None else {"Preference-Applied": f"wait={seconds}"}
    if run["status"] == "running" and seconds:
        run = await _once_over(workspace_id, RunId(run["id"]), context, seconds)
    if is_new:
        headers["Location"] = f"{root_of(request)}{API}/workspaces/{workspace_id}/runs/{run['id']}"
    return json_response(run, 202 if is_new and run["status"] == "running" else 200, headers)


async def _once_over(workspace_id: WorkspaceId, run_id: RunId, context: Context, seconds: int) -> RunOut:
    """A run once it is over; as it is then after some seconds, or when this process begins to stop."""
    waiting = asyncio.create_task(context.assistant.wait(workspace_id, run_id, seconds))
    stopping = asyncio.create_task(context.stopping.wait())
    try:
        await asyncio.wait((waiting, stopping), return_when=asyncio.FIRST_COMPLETED)
        return await waiting if waiting.done() else await context.assistant.run(workspace_id, run_id)
    finally:
        for task in (waiting, stopping):
            task.cancel()


@router.post(
    "/workspaces/{w}/query",
    dependencies=[requires(Action.ASK)],
    response_model=QueryOut,
    responses={**problems(409, 429), 200: answer(then={"get_run": in_workspace("run_id", "run")})},
    openapi_extra=parameters("IdempotencyKey"),
)
async def query_workspace(
    workspace_id: PathWorkspaceId,
    body: Annotated[
        schemas.QueryBody,
        examples(
            question={"intent": "what is unconnected"}, again={"intent": "what is unconnected", "id": "query-0001"}
        ),
    ],
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Ask about a workspace and wait for the answer; one that fails is an answer with `QUERY_FAILED`."""
    identity = identity_of(context, actor, request, given_id(request, body.id))
    run_id = _run_id(identity)
    note(request.scope, run=run_id)
    asking = context.assistant.query(
        workspace_id, actor, run_id, body.intent, is_given=identity.is_given, provider=body.provider or ""
    )
    return json_response(await while_waited_for(request, context.stopping, asking))


def _run_id(identity: RequestIdentity) -> RunId:
    """The id of the run that a request starts, the same for a repeat."""
    return RunId(derived_id("run", identity.txid) if identity.is_given else identity.batch_id)


@router.post(
    "/workspaces/{w}/history/summary",
    dependencies=[requires(Action.ASK)],
    response_model=SummaryOut,
    responses=problems(409, 410),
)
async def summarize_history(
    workspace_id: PathWorkspaceId,
    body: Annotated[
        schemas.SummaryBody, examples(since={"since": 1}, without_a_model={"since": 1, "provider": "builtin"})
    ],
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Tell what changed after a revision, in a few sentences; a model that fails is an answer with `status` failed."""
    run_id = RunId(identify(actor, None, context.clock).batch_id)
    note(request.scope, run=run_id)
    asked = SummaryInput(id=run_id, since=body.since, until=body.until, provider=body.provider or "")
    telling = context.assistant.summaries.tell(workspace_id, actor, asked)
    return json_response(await while_waited_for(request, context.stopping, telling))


@router.get("/workspaces/{w}/runs", dependencies=[requires(Action.RUN_READ)], response_model=answers.RunList)
async def list_runs(
    workspace_id: PathWorkspaceId,
    context: Ctx,
    entered: Who,
    before: Annotated[str | None, Query(pattern=f"^{_RUN.pattern}$")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor_: Annotated[str | None, Query(alias="cursor", max_length=400)] = None,
) -> Response:
    """List runs, newest first; they are kept for 7 days."""
    # Two ways to say where a page begins: `before` is a run's id, `cursor` comes from the page before and wins.
    after = read_cursor(cursor_, str)
    if after is not None and not _RUN.fullmatch(after[0]):
        raise bad_cursor()
    found = await context.assistant.runs(workspace_id, before if after is None else after[0], limit + 1)
    following = cursor(found[limit - 1]["id"]) if len(found) > limit else None
    seen = [run for run in found[:limit] if entered.sees_runs_of(run["actor"]["id"])]
    return json_response(answers.RunList(items=seen, next_cursor=following))


@router.get(
    "/workspaces/{w}/runs/{run_id}",
    dependencies=[requires(Action.RUN_READ)],
    response_model=RunOut,
    responses={200: answer("Preference-Applied")},
    openapi_extra=parameters("PreferWait"),
)
async def get_run(
    workspace_id: PathWorkspaceId, run_id: RunId, request: Request, context: Ctx, entered: Who
) -> Response:
    """Read a run; with `Prefer: wait=30` once it is over, or after that time."""
    _check(run_id)
    run = await _visible_run(workspace_id, run_id, context, entered)
    return await _wait_for_run(workspace_id, run, request, context, is_new=False)


@router.post(
    "/workspaces/{w}/runs/{run_id}/cancel",
    dependencies=[requires(Action.OWN_RUN)],
    response_model=RunOut,
    responses=problems(409),
)
async def cancel_run(
    workspace_id: PathWorkspaceId,
    run_id: RunId,
    body: Annotated[schemas.EmptyBody, examples(stop={})],
    context: Ctx,
    actor: Me,
    entered: Who,
) -> Response:
    """Stop a run; nothing of it remains."""
    _check(run_id)
    await _visible_run(workspace_id, run_id, context, entered)
    return json_response(await context.assistant.cancel(workspace_id, run_id, actor))


@router.put(
    "/workspaces/{w}/runs/{run_id}/rating",
    dependencies=[requires(Action.OWN_RUN)],
    response_model=RunOut,
    responses=problems(409),
)
async def rate_run(
    workspace_id: PathWorkspaceId,
    run_id: RunId,
    body: Annotated[schemas.RatingBody, examples(liked={"rating": "up"}, taken_back={"rating": None})],
    context: Ctx,
    actor: Me,
) -> Response:
    """Say what you think of a run that you asked for and that is over; null takes it back."""
    _check(run_id)
    return json_response(await context.assistant.rate(workspace_id, run_id, actor, body.rating))


@router.post(
    "/workspaces/{w}/runs/{run_id}/approvals/{approval_id}",
    dependencies=[requires(Action.DECIDE)],
    response_model=RunOut,
    responses=problems(409),
)
async def answer_approval(
    workspace_id: PathWorkspaceId,
    run_id: RunId,
    approval_id: str,
    body: schemas.ApprovalBody,
    context: Ctx,
    actor: Me,
    entered: Who,
) -> Response:
    """Say yes or no to a call of a plugin that waits for it, by the person who asked; no answer in time is a no."""
    _check(run_id)
    await _visible_run(workspace_id, run_id, context, entered)
    assistant = context.assistant
    return json_response(await assistant.answer_approval(workspace_id, run_id, approval_id, actor, allow=body.allow))


@router.get(
    "/workspaces/{w}/runs/{run_id}/events", dependencies=[requires(Action.RUN_READ)],
    response_class=Response,
    responses={
        200: {"description": "Server-sent events: `id`, `event` (the type), `data` (JSON). Ends after `end`.",
              "content": {EVENT_STREAM: {"schema": _EVENT}}},
        204: {"description": "The run is over and nothing came after that event; do not ask again."},
    },
)  # fmt: skip
async def watch_run(
    workspace_id: PathWorkspaceId,
    run_id: RunId,
    context: Ctx,
    entered: Who,
    after: Annotated[str, Query(pattern=f"^{EVENT_ID.pattern}$")] = "0",
    last_event_id: Annotated[str | None, Header(pattern=f"^{EVENT_ID.pattern}$")] = None,
) -> Response:
    """Watch a run as it goes on, from its beginning or after an event; the header counts before the parameter."""
    _check(run_id)
    start, assistant = last_event_id or after, context.assistant
    run = await _visible_run(workspace_id, run_id, context, entered)
    if run["status"] != "running" and not await assistant.dependencies.store.events(workspace_id, run_id, start, 1):
        return Response(status_code=204)
    watched = context.admissions.admit(entered, workspace_id, Action.RUN_READ)
    return EventStream(cast(Events, assistant.watch(workspace_id, run_id, start)), context.stopping, watched)


async def _visible_run(workspace_id: WorkspaceId, run_id: RunId, context: Context, entered: AuthorizedCaller) -> RunOut:
    """A run that the caller may see; what somebody else asked is not there for who may not."""
    run = await context.assistant.run(workspace_id, run_id)
    if not entered.sees_runs_of(run["actor"]["id"]):
        raise DraftsmithError("run_not_found", "There is no such run.")
    return run


def _check(run_id: RunId) -> None:
    """Refuse what cannot be a run's id, before it becomes part of a key."""
    if not _RUN.fullmatch(run_id):
        raise DraftsmithError("run_not_found", "There is no such run.")
