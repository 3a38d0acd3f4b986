"""Problem documents (RFC 9457) and the one table from codes to HTTP statuses."""

from __future__ import annotations

from typing import cast

import orjson
from starlette.responses import Response

from draftsmith.api.forms.answers import ProblemDocument
from draftsmith.errors import DraftsmithError

STATUS = {
    "malformed_json": 400,
    "malformed_http": 400,
    "bad_host": 400,
    "header_repeated": 400,
    "unauthorized": 401,
    "credential_invalid": 401,
    "credential_expired": 401,
    "forbidden": 403,
    "user_removed": 403,
    "cross_site": 403,
    "assistant_off": 403,
    "local_mode": 403,
    "not_found": 404,
    "workspace_not_found": 404,
    "workspace_deleted": 404,
    "section_not_found": 404,
    "node_not_found": 404,
    "edge_not_found": 404,
    "revision_unknown": 404,
    "checkpoint_not_found": 404,
    "image_not_found": 404,
    "run_not_found": 404,
    "proposal_not_found": 404,
    "user_not_found": 404,
    "key_not_found": 404,
    "share_not_found": 404,
    "folder_not_found": 404,
    "workloads_unavailable": 404,
    "session_not_found": 404,
    "template_unknown": 422,
    "method_not_allowed": 405,
    "body_too_slow": 408,
    "stale_base": 409,
    "unread_change": 409,
    "undo_moved": 409,
    "run_busy": 409,
    "run_finished": 409,
    "run_conflict": 409,
    "proposal_closed": 409,
    "approval_closed": 409,
    "proposal_conflict": 409,
    "too_many_proposals": 409,
    "nothing_to_draw": 409,
    "key_from_environment": 409,
    "workspace_not_empty": 409,
    "last_administrator": 409,
    "folder_not_empty": 409,
    "external_id_taken": 409,
    "trimmed": 410,
    "body_too_large": 413,
    "media_type": 415,
    "invalid_request": 422,
    "batch_rejected": 422,
    "too_costly": 422,
    "mermaid_unread": 422,
    "drawio_unread": 422,
    "page_unknown": 422,
    "format_unknown": 422,
    "source_unread": 422,
    "part_unknown": 422,
    "key_reused": 422,
    "section_ambiguous": 422,
    "section_without_nodes": 422,
    "picture_too_large": 422,
    "image_refused": 422,
    "not_revertable": 422,
    "locked": 422,
    "needs_key": 422,
    "needs_model": 422,
    "key_refused": 422,
    "server_address_refused": 422,
    "server_unusable": 422,
    "provider_unknown": 422,
    "share_invalid": 422,
    "sign_in_failed": 422,
    "too_many_keys": 422,
    "too_many_shares": 422,
    "too_many_members": 422,
    "too_many_folders": 422,
    "folder_cycle": 422,
    "folder_too_deep": 422,
    "quota_reached": 422,
    "agent_looping": 429,
    "day_tokens": 429,
    "too_many_requests": 429,
    "too_many_tries": 429,
    "too_much_at_once": 429,
    "too_many_open": 429,
    "head_too_large": 431,
    "internal": 500,
    "agents_unavailable": 501,
    "pictures_unavailable": 501,
    "pdf_unavailable": 501,
    "workloads_unread": 502,
    "workloads_unreadable": 502,
    "identity_unavailable": 503,
    "storage_down": 503,
    "storage_full": 503,
    "store_emptied": 503,
    "outcome_unknown": 503,
    "busy": 503,
    "bodies_full": 503,
    "frozen": 503,
    "restarting": 503,
}
TITLES = {
    400: "The request cannot be read",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    408: "Too slow",
    409: "Not possible as things stand",
    410: "No longer kept",
    413: "Too large",
    415: "Unsupported media type",
    422: "The request does not fit",
    429: "Too many requests",
    431: "Too large",
    500: "Internal error",
    501: "Not part of this installation",
    502: "Somebody else did not answer as asked",
    503: "Not available now",
}


def status_of(code: str) -> int:
    """The HTTP status of a code; 422 for a problem of a batch that became an error of its own."""
    return STATUS.get(code, 422)


def problem_document(error: DraftsmithError, request_id: str) -> ProblemDocument:
    """The JSON of a problem document."""
    status = status_of(error.code)
    document: ProblemDocument = {
        "type": f"urn:draftsmith:problem:{error.code}",
        "title": TITLES.get(status, "Problem"),
        "status": status,
        "code": error.code,
        "detail": error.detail,
        "problems": [problem.to_json() for problem in error.problems],
        "request_id": request_id,
    }
    # The members of this code alone; first, so that none takes the place of what every problem has.
    return cast(ProblemDocument, {**error.extra, **document})


def problem_response(error: DraftsmithError, request_id: str) -> Response:
    """The response that says what went wrong."""
    status = status_of(error.code)
    headers = {"Retry-After": "1"} if status == 503 and error.code != "frozen" else {}
    if status == 429:
        headers = {"Retry-After": str(error.extra.get("retry_after", 60))}
    if status == 408:
        headers = {"Connection": "close"}  # whoever is that slow may not keep a connection either
    content = orjson.dumps(problem_document(error, request_id))
    return Response(content, status, headers, "application/problem+json")
