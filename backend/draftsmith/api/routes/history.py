"""History: commits, old revisions, comparisons, checkpoints, undo and redo."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Ctx, Me, PathWorkspaceId, Who, identity_of
from draftsmith.api.contract.describing import AFTER_WRITE, SAME_WORKSPACE, answer, examples, in_workspace
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import answers, schemas
from draftsmith.api.forms.reading import given_id
from draftsmith.api.forms.responses import (
    bad_cursor,
    bytes_response,
    cursor,
    json_response,
    read_cursor,
    with_fields,
    write_response,
)
from draftsmith.history.commit_filter import CommitFilter
from draftsmith.history.rows import PageCursor
from draftsmith.history.times import iso
from draftsmith.model.ids import NodeId
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.request import CheckpointRequest
from draftsmith.usecases.requests.shapes import WriteAnswer
from draftsmith.usecases.requests.undo_requests import RestoreRequest
from draftsmith.usecases.upkeep import contents, history
from draftsmith.usecases.upkeep.shapes import CommitFull, CompareOut, UndoState

router = APIRouter(route_class=Route, prefix=API, tags=["history"])


@router.get("/workspaces/{w}/commits", dependencies=[requires(Action.READ)], response_model=answers.CommitList)
async def list_commits(
    workspace_id: PathWorkspaceId,
    context: Ctx,
    before: Annotated[int | None, Query(ge=1)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    grouped: bool = False,
    actor: Annotated[str | None, Query(max_length=400)] = None,
    by: Literal["person", "script", "assistant", "agent", "system"] | None = None,
    node: Annotated[NodeId | None, Query(max_length=64)] = None,
    section: Annotated[str | None, Query(max_length=2_000)] = None,
    cursor_: Annotated[str | None, Query(alias="cursor", max_length=4_000)] = None,
) -> Response:
    """List commits, newest first; grouped joins neighbouring edits, and the typing, of one person.

    `actor`, `by`, `node` and `section` (a path as the outline gives it; its subsections count) leave others out. One
    request looks at some thousands of commits: a page with few items, or none, has a `next_cursor` as long as there
    may be more.
    """
    after = read_cursor(cursor_, int, list)
    start = after[0] if after is not None else before
    above = after[1] if after is not None else []
    if (start is not None and start < 1) or not all(type(one) is int and 1 <= one < 2**53 for one in above):
        raise bad_cursor()
    head = await context.workspaces.read(workspace_id, lambda replica: replica.head.revision)
    listed = history.list_rows if grouped else history.list_commits
    place = PageCursor(head + 1 if start is None else min(start, head + 1), tuple(above))
    commit_filter = CommitFilter(actor, by, node, section)
    items, following = await listed(context.log, workspace_id, place, limit, commit_filter)
    token = None if following is None else cursor(following.before, following.open)
    return json_response(answers.CommitList(items=items, next_cursor=token))


@router.get("/workspaces/{w}/commits/{revision}", dependencies=[requires(Action.READ)], response_model=CommitFull)
async def get_commit(workspace_id: PathWorkspaceId, revision: int, context: Ctx) -> Response:
    """Read one commit with everything it changed, and whether it has been taken back since."""
    _, past = await context.workspaces.log_reader(workspace_id)
    return json_response(await history.read_commit(past, revision))


@router.post(
    "/workspaces/{w}/commits/{revision}/revert",
    dependencies=[requires(Action.WRITE)],
    response_model=WriteAnswer,
)
async def revert_commit(
    workspace_id: PathWorkspaceId, revision: int, body: schemas.RevertBody, request: Request, context: Ctx, actor: Me
) -> Response:
    """Take back one commit, or a range of typed text, as far as it still fits; what does not is named."""
    identity = identity_of(context, actor, request, given_id(request))
    step = from_input.revert(
        identity, actor, revision, limits=context.limits, upto=body.upto, force=body.force, dry_run=body.dry_run
    )
    return write_response(request, await context.workspaces.submit(workspace_id, step))


@router.get(
    "/workspaces/{w}/revisions/{revision}", dependencies=[requires(Action.READ)], response_model=answers.WorkspaceOut
)
async def get_revision(workspace_id: PathWorkspaceId, revision: int, context: Ctx, entered: Who) -> Response:
    """Read the workspace as it was at a revision."""
    content = await context.workspaces.compute_past(workspace_id, contents.content_json, [revision])
    return bytes_response(
        with_fields({"id": workspace_id, "role": entered.role, "revision": revision, "frozen": None}, content)
    )


@router.post(
    "/workspaces/{w}/revisions/{revision}/restore",
    dependencies=[requires(Action.WRITE)],
    response_model=WriteAnswer,
)
async def restore_revision(
    workspace_id: PathWorkspaceId, revision: int, body: schemas.RestoreBody, request: Request, context: Ctx, actor: Me
) -> Response:
    """Make the workspace what it was at a revision, as a new commit that can be undone."""
    identity = identity_of(context, actor, request, given_id(request))
    step = RestoreRequest(
        **from_input.common(identity, actor, ["restore", str(revision)]), target=revision, dry_run=body.dry_run,
        limits=context.limits,
    )  # fmt: skip
    return write_response(request, await context.workspaces.submit(workspace_id, step))


@router.get("/workspaces/{w}/compare", dependencies=[requires(Action.READ)], response_model=CompareOut)
async def compare_revisions(
    workspace_id: PathWorkspaceId,
    context: Ctx,
    from_: Annotated[int, Query(alias="from", ge=1)],
    to: Annotated[int | None, Query(ge=1)] = None,
) -> Response:
    """Say what changed between two revisions; `to` defaults to the newest."""
    until = to if to is not None else await context.workspaces.read(workspace_id, lambda replica: replica.head.revision)
    reader = partial(history.compare, from_, until)
    return bytes_response(await context.workspaces.compute_past(workspace_id, reader, [from_, until]))


@router.get("/workspaces/{w}/checkpoints", dependencies=[requires(Action.READ)], response_model=answers.CheckpointList)
async def list_checkpoints(workspace_id: PathWorkspaceId, context: Ctx) -> Response:
    """List named revisions, newest first."""
    kept = await context.workspaces.read(workspace_id, lambda replica: list(replica.checkpoints.values()))
    kept.sort(key=lambda one: (-one["revision"], one["id"]))
    items: list[answers.CheckpointOut] = [
        {"id": c["id"], "name": c["name"], "revision": c["revision"], "at": iso(c["ms"])} for c in kept
    ]
    return json_response(answers.CheckpointList(items=items, next_cursor=None))


@router.post(
    "/workspaces/{w}/checkpoints",
    dependencies=[requires(Action.CHECKPOINT)],
    response_model=WriteAnswer,
    status_code=201,
    responses={201: answer(then={"drop_checkpoint": in_workspace("checkpoint", "results/0/ids/0")})},
)
async def add_checkpoint(
    workspace_id: PathWorkspaceId,
    body: Annotated[schemas.CheckpointBody, examples(newest={"name": "Before the review"})],
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Name a revision, so that it is kept for good."""
    identity = identity_of(context, actor, request, given_id(request))
    if body.revision is not None:
        _, past = await context.workspaces.log_reader(workspace_id)
        await past.entry(body.revision)
    change = {"id": identity.txid[:16], "name": body.name, "revision": body.revision}
    checkpoint_request = CheckpointRequest(
        **from_input.common(identity, actor, ["checkpoint", body.name, body.revision]), change=change
    )
    return write_response(request, await context.workspaces.submit(workspace_id, checkpoint_request), 201)


@router.delete(
    "/workspaces/{w}/checkpoints/{checkpoint}", dependencies=[requires(Action.CHECKPOINT)], response_model=WriteAnswer
)
async def drop_checkpoint(
    workspace_id: PathWorkspaceId, checkpoint: str, request: Request, context: Ctx, actor: Me
) -> Response:
    """Drop a name; the revision is then kept like any other."""
    identity = identity_of(context, actor, request, given_id(request))
    checkpoint_request = CheckpointRequest(
        **from_input.common(identity, actor, ["drop", checkpoint]), change={"drop": checkpoint}
    )
    return write_response(request, await context.workspaces.submit(workspace_id, checkpoint_request))


@router.get("/workspaces/{w}/undo", dependencies=[requires(Action.READ)], response_model=UndoState)
async def get_undo(workspace_id: PathWorkspaceId, context: Ctx, actor: Me) -> Response:
    """Say what undo and redo would take."""
    replica, past = await context.workspaces.log_reader(workspace_id)
    return json_response(await history.undo_state(past, replica, actor.id))


@router.post(
    "/workspaces/{w}/undo",
    dependencies=[requires(Action.WRITE)],
    response_model=WriteAnswer,
    responses={200: answer(then={"redo": SAME_WORKSPACE, "get_commit": AFTER_WRITE["get_commit"]})},
)
async def undo(
    workspace_id: PathWorkspaceId,
    body: Annotated[schemas.UndoBody, examples(mine={}, all={"scope": "all"}, look={"dry_run": True})],
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Take back one's own newest commit, or anybody's; what no longer fits is left out and named."""
    identity = identity_of(context, actor, request, given_id(request))
    step = from_input.undo(identity, actor, limits=context.limits, **body.model_dump())
    return write_response(request, await context.workspaces.submit(workspace_id, step))


@router.post("/workspaces/{w}/redo", dependencies=[requires(Action.WRITE)], response_model=WriteAnswer)
async def redo(
    workspace_id: PathWorkspaceId,
    body: Annotated[schemas.RedoBody, examples(mine={})],
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Bring back what was undone last."""
    identity = identity_of(context, actor, request, given_id(request))
    step = from_input.redo(identity, actor, limits=context.limits, **body.model_dump())
    return write_response(request, await context.workspaces.submit(workspace_id, step))
