"""Nodes and edges: one by its id, or those of a type, with a text, in pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Ctx, PathWorkspaceId
from draftsmith.api.contract.describing import UNCHANGED, answer, in_workspace
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import answers
from draftsmith.api.forms.responses import cursor, read_cursor
from draftsmith.api.shared.etag_reads import read_with_etag
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.replica import Replica
from draftsmith.model.fields import node_json
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.selection import Place, edge_of, edge_page, node_page
from draftsmith.model.shapes import EdgeOut, NodeOut
from draftsmith.transform.matching.node_names import no_node
from draftsmith.transform.refusal import OperationRefused, missing
from draftsmith.transform.requests.operation_fields import EdgeKind, NodeType
from draftsmith.transform.resolvers.checks import check_type, no_edge

router = APIRouter(route_class=Route, prefix=API, tags=["reading"])
_NODE: Final[NodeOut] = {
    "id": NodeId("orders-database"),
    "type": "database",
    "label": "Orders database",
    "description": "Every order of the last ten years.",
    "technology": "PostgreSQL 17",
    "notes": "",
    "image": "",
    "color": "",
    "style": "",
    "properties": {"owner": "Team Checkout"},
    "position": {"x": 480, "y": 120},
    "size": None,
    "parent": None,
    "locked": False,
}
_EDGE: Final[EdgeOut] = {
    "id": EdgeId("orders--orders-database"),
    "source": NodeId("orders"),
    "target": NodeId("orders-database"),
    "label": "stores orders",
    "kind": "data",
    "direction": "forward",
    "description": "",
    "color": "",
    "style": "",
    "shape": "",
    "properties": {},
    "route": None,
    "route_by": None,
    "label_at": None,
}
Limit = Annotated[int, Query(ge=1, le=200)]
Cursor = Annotated[str | None, Query(alias="cursor", max_length=400)]
Text = Annotated[
    str,
    Query(
        max_length=200,
        description="Words that all have to stand in its texts or its id, without regard to letter case and accents.",
    ),
]
Types = Annotated[
    list[NodeType], Query(alias="type", max_length=50, description="Types, any of them; repeat it for several.")
]
Kinds = Annotated[
    list[EdgeKind], Query(alias="kind", max_length=50, description="Kinds, any of them; repeat it for several.")
]


def _at(description: str) -> Any:
    return Query(max_length=200, description=description)


@router.get(
    "/workspaces/{w}/nodes",
    dependencies=[requires(Action.READ)],
    response_model=answers.NodeList,
    responses={
        **UNCHANGED,
        200: answer(
            example={"items": [_NODE], "next_cursor": None}, then={"get_node": in_workspace("node_id", "items/0/id")}
        ),
    },
)
async def list_nodes(
    workspace_id: PathWorkspaceId,
    request: Request,
    context: Ctx,
    types: Types = [],  # noqa: B006  # FastAPI copies it
    q: Text = "",
    limit: Limit = 50,
    cursor_: Cursor = None,
) -> Response:
    """List nodes, groups included, oldest first; `type` and `q` leave others out."""
    after = _place_after(cursor_)

    def read(replica: Replica) -> answers.NodeList:
        items, following = node_page(replica.workspace.diagram, after, limit, types=types, text=q)
        return {"items": items, "next_cursor": _following(following)}

    return await read_with_etag(workspace_id, request, context, read, _need_types(types))


@router.get(
    "/workspaces/{w}/nodes/{node_id}",
    dependencies=[requires(Action.READ)],
    response_model=NodeOut,
    responses={**UNCHANGED, 200: answer(example=_NODE)},
)
async def get_node(workspace_id: PathWorkspaceId, node_id: NodeId, request: Request, context: Ctx) -> Response:
    """Read one node; where there is none of that id, the answer names the nearest."""

    def read(replica: Replica) -> NodeOut:
        return node_json(node_id, replica.workspace.diagram[node_id])

    return await read_with_etag(workspace_id, request, context, read, _need_nodes(node_id))


@router.get(
    "/workspaces/{w}/edges",
    dependencies=[requires(Action.READ)],
    response_model=answers.EdgeList,
    responses={
        **UNCHANGED,
        200: answer(
            example={"items": [_EDGE], "next_cursor": None}, then={"get_edge": in_workspace("edge_id", "items/0/id")}
        ),
    },
)
async def list_edges(
    workspace_id: PathWorkspaceId,
    request: Request,
    context: Ctx,
    kinds: Kinds = [],  # noqa: B006  # FastAPI copies it
    node: Annotated[NodeId | None, _at("Either end.")] = None,
    source: Annotated[NodeId | None, _at("Where it begins.")] = None,
    target: Annotated[NodeId | None, _at("Where it ends.")] = None,
    q: Text = "",
    limit: Limit = 50,
    cursor_: Cursor = None,
) -> Response:
    """List edges, oldest first; `kind`, `node`, `source`, `target` and `q` leave others out."""
    after = _place_after(cursor_)

    def read(replica: Replica) -> answers.EdgeList:
        diagram = replica.workspace.diagram
        items, following = edge_page(
            diagram, after, limit, kinds=kinds, node=node, source=source, target=target, text=q
        )
        return {"items": items, "next_cursor": _following(following)}

    return await read_with_etag(workspace_id, request, context, read, _need_nodes(node, source, target))


@router.get(
    "/workspaces/{w}/edges/{edge_id}",
    dependencies=[requires(Action.READ)],
    response_model=EdgeOut,
    responses={**UNCHANGED, 200: answer(example=_EDGE)},
)
async def get_edge(workspace_id: PathWorkspaceId, edge_id: EdgeId, request: Request, context: Ctx) -> Response:
    """Read one edge; where there is none of that id, the answer names the nearest."""

    def need(replica: Replica) -> None:
        diagram = replica.workspace.diagram
        if diagram.ends(edge_id) is None:
            raise missing(no_edge(diagram, edge_id, ""))

    def read(replica: Replica) -> EdgeOut:
        return edge_of(replica.workspace.diagram, edge_id)

    return await read_with_etag(workspace_id, request, context, read, need)


def _need_types(types: Sequence[str]) -> Callable[[Replica], None]:
    """The check that there are these types, built in or of the workspace's own."""

    def check(replica: Replica) -> None:
        for number, kind in enumerate(types):
            try:
                check_type(kind, f"/type/{number}", replica.workspace.diagram.types)
            except OperationRefused as refused:
                problem = Problem(-1, "", refused.code, refused.path, refused.message, refused.candidates)
                raise DraftsmithError("invalid_request", refused.message, [problem]) from None

    return check


def _need_nodes(*node_ids: NodeId | None) -> Callable[[Replica], None]:
    """The check that these nodes are there, as far as they are named."""

    def check(replica: Replica) -> None:
        diagram = replica.workspace.diagram
        for node_id in node_ids:
            if node_id is not None and node_id not in diagram:
                raise missing(no_node(diagram, node_id))

    return check


def _place_after(text: str | None) -> Place | None:
    parts = read_cursor(text, int, str)
    return None if parts is None else (parts[0], parts[1])


def _following(place: Place | None) -> str | None:
    return None if place is None else cursor(*place)
