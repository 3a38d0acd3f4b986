"""Reads of what a workspace holds at its newest revision: the ETag of that revision, and 304 for who has it already."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api.context import Context
from draftsmith.api.forms.responses import bytes_response, etag, is_unchanged, json_response
from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import Workspace


def _nothing_more(replica: Replica) -> None:
    """Nothing else than the workspace is asked for."""


async def read_with_etag(
    workspace_id: WorkspaceId,
    request: Request,
    context: Context,
    shape: Callable[[Replica], Mapping[str, object]],
    check: Callable[[Replica], None] = _nothing_more,
) -> Response:
    """An answer with the ETag of the revision it shows; 304 if the caller has it.

    Args:
        shape: makes the answer; not called for a 304.
        check: refuses what is not there, so that a 404 is never a 304.
    """

    def read(replica: Replica) -> Response:
        check(replica)
        headers = _headers(etag(replica.head))
        if is_unchanged(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        return json_response(shape(replica), headers=headers)

    return await context.workspaces.read(workspace_id, read)


async def read_large_with_etag(
    workspace_id: WorkspaceId,
    request: Request,
    context: Context,
    reader: Callable[[Workspace], bytes],
    finish: Callable[[Head, bytes], bytes] = lambda _, content: content,
) -> Response:
    """As `read_with_etag`, for what takes long to make of a large workspace.

    Args:
        reader: makes the JSON, see `Workspaces.compute`; not called for a 304.
        finish: adds what is not of the workspace.
    """
    unchanged = await context.workspaces.read(workspace_id, lambda replica: etag(replica.head))
    if is_unchanged(request, unchanged):
        return Response(status_code=304, headers=_headers(unchanged))
    head, content = await context.workspaces.compute(workspace_id, reader)
    return bytes_response(finish(head, content), _headers(etag(head)))


def _headers(tag: str) -> dict[str, str]:
    return {"ETag": tag, "Cache-Control": "private, no-cache"}
