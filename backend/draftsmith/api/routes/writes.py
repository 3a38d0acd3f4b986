"""Writes: the batch route, shorthand routes that make a small batch for the same write path, batches of imports."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.access.policy import check
from draftsmith.api.context import API, Context, Ctx, Me, PathWorkspaceId, Who, identity_of
from draftsmith.api.contract.describing import AFTER_WRITE, answer, examples, in_workspace
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import schemas
from draftsmith.api.forms.body_paths import BodyPaths
from draftsmith.api.forms.reading import Content, given_id
from draftsmith.api.forms.responses import bytes_response, json_response, with_fields, write_response
from draftsmith.api.shared.uploads import are_large, source_files, with_charts
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.transform.requests.batch import parsing_batch
from draftsmith.usecases.proposals.shapes import ProposalFull
from draftsmith.usecases.replicas.slices import in_slices
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.costs import CHARACTERS
from draftsmith.usecases.requests.shapes import WriteAnswer
from draftsmith.usecases.upkeep.history import check_token, read_token
from draftsmith.usecases.upkeep.import_export import flowchart_operations
from draftsmith.usecases.upkeep.open_import import open_import, unkept_images, without_images
from draftsmith.usecases.upkeep.shapes import FlowchartOperationsOut, OpenImportOut

_ENDS = ("source", "target")
_GONE = ("node_not_found", "edge_not_found")
router = APIRouter(route_class=Route, prefix=API, tags=["writing"])
_BATCH = {
    "operations": [
        {"op": "add_node", "id": "sessions", "type": "cache", "label": "Sessions", "technology": "Valkey 9"},
        {"op": "add_node", "id": "accounts", "type": "service", "label": "Accounts", "near": "sessions"},
        {"op": "add_edge", "source": "accounts", "target": "sessions", "label": "reads and writes sessions"},
        {"op": "insert_section", "title": "Sessions", "text": "[Sessions](#node/sessions) live for 30 minutes."},
    ],
    "explanation": "Sessions move out of the database, which they kept busy.",
}
_FLOWCHART = "flowchart LR\n  shop[Web shop] -->|places orders| orders[Orders]\n  orders --> db[(Orders database)]\n"
_WRITTEN: WriteAnswer = {
    "batch_id": "01j9zq4t6v8w0x2y4z6a8b0c2d",
    "revision": 7,
    "changed": True,
    "dry_run": False,
    "replayed": False,
    "kind": "edit",
    "ref": None,
    "results": [{"index": 0, "op": "update_node", "ids": ["orders"]}],
    "diff": {
        "nodes": {"added": [], "changed": [{"id": "orders", "fields": {"label": ["Order", "Orders"]}}], "removed": []},
        "edges": {"added": [], "changed": [], "removed": []},
        "document": [],
        "workspace": {},
    },
    "warnings": [],
    "left_out": [],
}


@router.post(
    "/workspaces/{w}/batches",
    dependencies=[requires(Action.PROPOSE, further=Action.WRITE, unless="with `propose`")],
    response_model=WriteAnswer,
    responses={
        200: answer(example=_WRITTEN, then=AFTER_WRITE),
        201: {"model": ProposalFull, "description": "With `propose`: the proposal."},
    },
)
async def post_batch(
    workspace_id: PathWorkspaceId,
    body: Annotated[schemas.BatchBody, examples(diagram_and_document=_BATCH, dry_run={**_BATCH, "dry_run": True})],
    request: Request,
    context: Ctx,
    actor: Me,
    entered: Who,
) -> Response:
    """Run a batch: all of its operations happen as one commit, or none does and every reason is given.

    With `propose` nothing happens yet: the answer is a proposal, which somebody who may edit accepts or discards.
    """
    if body.propose:
        return await _propose(context, workspace_id, request, actor, body)
    check(entered.principal, Action.WRITE, entered.role)
    answer = await run(
        context, workspace_id, request, actor, body.operations,
        given=body.id, base=body.base_revision, explanation=body.explanation, dry_run=body.dry_run,
    )  # fmt: skip
    return write_response(request, answer)


async def run(
    context: Context,
    workspace_id: PathWorkspaceId,
    request: Request,
    actor: Actor,
    operations: Any,
    *,
    given: str | None = None,
    base: int | str | None = None,
    explanation: str = "",
    dry_run: bool = False,
    by_id: bool = False,
) -> WriteAnswer:
    """Run operations on a workspace for a caller; `by_id`: labels name no nodes.

    Raises:
        DraftsmithError: for every reason why not.
    """
    edit = await _edit(
        context, workspace_id, request, actor, operations,
        given=given, base=base, explanation=explanation, dry_run=dry_run, by_id=by_id,
    )  # fmt: skip
    return await context.workspaces.submit(workspace_id, edit)


async def _propose(
    context: Context, workspace_id: WorkspaceId, request: Request, actor: Actor, body: schemas.BatchBody
) -> Response:
    """Keep a batch as a proposal; with `dry_run`, only say what it would do."""
    edit = await _edit(
        context, workspace_id, request, actor, body.operations,
        given=body.id, base=body.base_revision, explanation=body.explanation, dry_run=True,
    )  # fmt: skip
    if body.dry_run:
        return write_response(request, await context.workspaces.submit(workspace_id, edit))
    return json_response(await context.suggestions.make(workspace_id, edit, body.operations), 201)


async def _edit(
    context: Context,
    workspace_id: WorkspaceId,
    request: Request,
    actor: Actor,
    operations: Any,
    *,
    given: str | None,
    base: int | str | None,
    explanation: str,
    dry_run: bool,
    by_id: bool = False,
) -> BatchRequest:
    """Read operations as a request to run them."""
    batch = await in_slices(parsing_batch(operations, context.limits))
    from_input.check_size(batch, len(await request.body()), context.limits)
    header = _if_match(request)
    if header is not None:
        read_token(header)  # refused where it is none, also where the body names a base, which wins
    number = await _base(context, workspace_id, base if base is not None else header)
    identity = identity_of(context, actor, request, given_id(request, given))
    return from_input.edit(
        identity, actor, operations=operations, batch=batch, limits=context.limits,
        base=base, base_revision=number, explanation=explanation, dry_run=dry_run, by_id=by_id,
    )  # fmt: skip


async def run_body(
    context: Context,
    workspace_id: PathWorkspaceId,
    request: Request,
    actor: Actor,
    operations: list[dict[str, Any]],
    paths: BodyPaths,
    **options: Any,
) -> WriteAnswer:
    """Run operations that were made of a body; problems and warnings point into the body.

    Raises:
        DraftsmithError: for every reason why not.
    """
    try:
        answer = await run(context, workspace_id, request, actor, operations, **options)
    except DraftsmithError as error:
        raise paths.of_error(error) from None
    return paths.of_answer(answer)


async def _run_at(
    context: Context,
    workspace_id: PathWorkspaceId,
    request: Request,
    actor: Actor,
    operations: list[dict[str, Any]],
    paths: BodyPaths,
    **options: Any,
) -> WriteAnswer:
    """As `run_body`, for a node or an edge that the address names by its id.

    Raises:
        DraftsmithError: also `node_not_found` or `edge_not_found`, with the nearest ids, if the address leads to none.
    """
    try:
        return await run_body(context, workspace_id, request, actor, operations, paths, **options)
    except DraftsmithError as error:
        gone = next((one for one in error.problems if one.code in _GONE and one.path == ""), None)
        if error.code != "batch_rejected" or gone is None:
            raise
        extra = {"candidates": list(gone.candidates)}
        raise DraftsmithError(gone.code, gone.message, error.problems, extra) from None


def _if_match(request: Request) -> str | None:
    """The base that the header names; `*` stands for any state of a workspace that is there."""
    given = request.headers.get("if-match", "*").strip()
    return None if given == "*" else given


async def _base(context: Context, workspace_id: WorkspaceId, base: int | str | None) -> int | None:
    """The base as a number; a token must be of the history that is there now."""
    if base is None or isinstance(base, int):
        return base
    token = read_token(base)
    replica, past = await context.workspaces.log_reader(workspace_id)
    return await check_token(past, replica.head, token)


def _fields(content: Mapping[str, object], op: str, **more: Any) -> list[dict[str, Any]]:
    return [{**content, "op": op, **more}]


@router.post(
    "/workspaces/{w}/nodes",
    dependencies=[requires(Action.WRITE)],
    response_model=WriteAnswer,
    status_code=201,
    responses={
        201: answer(
            then={
                **AFTER_WRITE,
                **dict.fromkeys(("get_node", "patch_node", "delete_node"), in_workspace("node_id", "results/0/ids/0")),
            }
        )
    },
)
async def post_node(
    workspace_id: PathWorkspaceId,
    content: Content,
    body: Annotated[
        schemas.NodeBody, examples(node={"type": "database", "label": "Orders database", "technology": "PostgreSQL 17"})
    ],
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Add a node."""
    answer = await run_body(
        context, workspace_id, request, actor, _fields(content, "add_node"), BodyPaths(content)
    )  # fmt: skip
    return write_response(request, answer, 201)


@router.patch("/workspaces/{w}/nodes/{node_id}", dependencies=[requires(Action.WRITE)], response_model=WriteAnswer)
async def patch_node(
    workspace_id: PathWorkspaceId,
    node_id: str,
    content: Content,
    body: schemas.NodePatch,
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Change fields of a node."""
    operations = _fields(content, "update_node", id=node_id)
    paths = BodyPaths(content)
    answer = await _run_at(context, workspace_id, request, actor, operations, paths, by_id=True)
    return write_response(request, answer)


@router.delete("/workspaces/{w}/nodes/{node_id}", dependencies=[requires(Action.WRITE)], response_model=WriteAnswer)
async def delete_node(
    workspace_id: PathWorkspaceId,
    node_id: str,
    request: Request,
    context: Ctx,
    actor: Me,
    bridge: bool = False,
    children: Annotated[Literal["up", "delete"], Query()] = "up",
) -> Response:
    """Delete a node and its edges."""
    operations = _fields({}, "delete_node", id=node_id, bridge=bridge, children=children)
    answer = await _run_at(context, workspace_id, request, actor, operations, BodyPaths({}), by_id=True)
    return write_response(request, answer)


@router.post(
    "/workspaces/{w}/edges",
    dependencies=[requires(Action.WRITE)],
    response_model=WriteAnswer,
    status_code=201,
    responses={
        201: answer(
            then=dict.fromkeys(("get_edge", "patch_edge", "delete_edge"), in_workspace("edge_id", "results/0/ids/0"))
        )
    },
)
async def post_edge(
    workspace_id: PathWorkspaceId, content: Content, body: schemas.EdgeBody, request: Request, context: Ctx, actor: Me
) -> Response:
    """Connect two nodes."""
    answer = await run_body(
        context, workspace_id, request, actor, _fields(content, "add_edge"), BodyPaths(content)
    )  # fmt: skip
    return write_response(request, answer, 201)


@router.patch("/workspaces/{w}/edges/{edge_id}", dependencies=[requires(Action.WRITE)], response_model=WriteAnswer)
async def patch_edge(
    workspace_id: PathWorkspaceId,
    edge_id: str,
    content: Content,
    body: schemas.EdgePatch,
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Change fields of an edge, or let it begin or end elsewhere."""
    ends = {f"new_{end}": content[end] for end in _ENDS if end in content}
    rest = {field: value for field, value in content.items() if field not in _ENDS}
    operations: list[dict[str, Any]] = []
    if any(value is not None for value in ends.values()):
        operations += _fields(ends, "rewire_edge", id=edge_id)
    if rest or not operations:
        operations += _fields(rest, "update_edge", id=edge_id)
    paths = BodyPaths(content, [""] * len(operations), {f"new_{end}": end for end in _ENDS})
    return write_response(request, await _run_at(context, workspace_id, request, actor, operations, paths))


@router.delete("/workspaces/{w}/edges/{edge_id}", dependencies=[requires(Action.WRITE)], response_model=WriteAnswer)
async def delete_edge(
    workspace_id: PathWorkspaceId, edge_id: str, request: Request, context: Ctx, actor: Me
) -> Response:
    """Delete an edge."""
    operations = _fields({}, "delete_edge", id=edge_id)
    return write_response(request, await _run_at(context, workspace_id, request, actor, operations, BodyPaths({})))


@router.put(
    "/workspaces/{w}/document",
    dependencies=[requires(Action.WRITE)],
    response_model=WriteAnswer,
    responses={200: answer(then=AFTER_WRITE)},
)
async def put_document(
    workspace_id: PathWorkspaceId,
    content: Content,
    body: Annotated[schemas.DocumentBody, examples(document={"text": "# Checkout\n\n## Orders\n\nTakes orders.\n"})],
    request: Request,
    context: Ctx,
    actor: Me,
) -> Response:
    """Replace the document; unchanged lines stay untouched."""
    operations = _fields(content, "replace_document")
    return write_response(
        request, await run_body(context, workspace_id, request, actor, operations, BodyPaths(content))
    )


@router.post("/workspaces/{w}/document/edits", dependencies=[requires(Action.WRITE)], response_model=WriteAnswer)
async def post_edits(
    workspace_id: PathWorkspaceId, content: Content, body: schemas.EditsBody, request: Request, context: Ctx, actor: Me
) -> Response:
    """Edit sections of the document, all edits or none."""
    operations = [{"op": "edit_section", **edit.model_dump()} for edit in body.edits]
    paths = BodyPaths(content, [f"/edits/{number}" for number in range(len(operations))])
    answer = await run_body(
        context, workspace_id, request, actor, operations, paths,
        base=body.base_revision, explanation=body.explanation, dry_run=body.dry_run,
    )  # fmt: skip
    return write_response(request, answer)


@router.post(
    "/workspaces/{w}/mermaid",
    dependencies=[requires(Action.PROPOSE)],
    response_model=FlowchartOperationsOut,
)
async def read_mermaid(
    workspace_id: PathWorkspaceId,
    body: Annotated[schemas.MermaidBody, examples(flowchart={"text": _FLOWCHART})],
    context: Ctx,
) -> Response:
    """Give the operations that draw a Mermaid flowchart, to be sent to `…/batches`; nothing is changed."""
    work = partial(flowchart_operations, body.text, context.limits.operations)
    is_long = len(body.text) > CHARACTERS // 2
    head, content = await context.workspaces.compute(workspace_id, work, is_long=is_long)
    return bytes_response(with_fields({"revision": head.revision}, content))


@router.post(
    "/workspaces/{w}/imports",
    dependencies=[requires(Action.PROPOSE)],
    response_model=OpenImportOut,
)
async def read_import(
    workspace_id: PathWorkspaceId,
    body: Annotated[
        schemas.OpenImportBody, examples(flowchart={"files": [{"path": "orders.mmd", "content": _FLOWCHART}]})
    ],
    context: Ctx,
    entered: Who,
) -> Response:
    """Compare files with the workspace: what of them is new, changed or missing, with operations for `…/batches`.

    Nothing is changed. Images that the operations name are kept, for those who may edit; what is not named then goes
    after a day. Where they are not kept, rows say so, and nodes come without them.
    """
    files = await with_charts(context, source_files(body.files), body.reader)
    work = partial(open_import, files, body.reader, body.part, context.limits.operations)
    head, content = await context.workspaces.compute(workspace_id, work, is_long=are_large(files))
    found, images = orjson.loads(content)
    if images:
        try:
            check(entered.principal, Action.WRITE, entered.role)
            await context.images.put_exported(workspace_id, images)
        except DraftsmithError as error:
            lost = images.keys() - {image.sha256 for image in await context.images.all(workspace_id)}
            if lost:
                found["unread"].insert(0, unkept_images(files[0].path, len(lost), error))
                found |= {name: [*without_images(found[name], lost)] for name in ("new", "changed")}
    return json_response({"revision": head.revision, **found})
