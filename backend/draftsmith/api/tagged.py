"""Reads of what a workspace holds at its newest revision: the ETag of that revision, and 304 for who has it already."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from draftsmith.api.context import Context
from draftsmith.api.responses import etag, is_unchanged, json_response
from draftsmith.errors import DraftsmithError
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.transform.refusal import Refused


def _nothing_more(replica: Replica) -> None:
    """Nothing else than the workspace is asked for."""


async def tagged(
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
        headers = {"ETag": etag(replica.head), "Cache-Control": "private, no-cache"}
        if is_unchanged(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        return json_response(shape(replica), headers=headers)

    return await context.workspaces.read(workspace_id, read)


def missing(refused: Refused) -> DraftsmithError:
    """The refusal of a read of what is not there, with what is near to it as `candidates`."""
    return DraftsmithError(refused.code, refused.message, extra={"candidates": list(refused.candidates)})
