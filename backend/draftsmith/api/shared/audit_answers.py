"""Audit as an answer: a page of JSON, or JSON lines."""

from __future__ import annotations

from typing import Final

import orjson
from starlette.requests import Request
from starlette.responses import Response

from draftsmith.access.folders import FolderId
from draftsmith.access.records import AuditEntry
from draftsmith.api.context import Context
from draftsmith.api.contract.describing import Responses
from draftsmith.api.forms import access_answers as answers
from draftsmith.api.forms.responses import cursor, json_response, read_cursor
from draftsmith.history.times import iso
from draftsmith.model.ids import WorkspaceId

_LINES: Final = "application/x-ndjson"
AUDIT_RESPONSES: Final[Responses] = {
    200: {"content": {_LINES: {"schema": {"type": "string", "description": "One JSON object a line."}}}}
}


async def audit_response(
    request: Request,
    context: Context,
    workspace_id: WorkspaceId | None,
    after: str | None,
    limit: int,
    folder_id: FolderId | None = None,
) -> Response:
    """A page of audit of a workspace, a folder, or (neither) the installation."""
    start = None if (given := read_cursor(after, str)) is None else given[0]
    found, older = await context.access.stores.audit.read(workspace_id, start, limit, folder_id)
    items = [_item(entry) for entry in found]
    following = None if older is None else cursor(older)
    if _LINES in request.headers.get("accept", ""):
        lines = b"".join(orjson.dumps(item) + b"\n" for item in items)
        headers = {} if following is None else {"Link": f'<?cursor={following}>; rel="next"'}
        return Response(lines, media_type=_LINES, headers=headers)
    return json_response(answers.AuditList(items=items, next_cursor=following))


def _item(entry: AuditEntry) -> answers.AuditItem:
    return {
        "at": iso(entry.at_ms),
        "who": entry.who,
        "name": entry.name,
        "what": entry.what,
        "address": entry.address,
        "detail": entry.detail,
        "workspace": entry.workspace_id or None,
    }
