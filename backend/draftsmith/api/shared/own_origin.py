"""Allow changes of this server's settings only from its own pages, and from callers with a profile here.

Pages of origins that the operator has named come past the guard, but may not do this. What neither says where it comes
from nor shows a profile that was signed here may be anything that somebody else had this machine send.
"""

from __future__ import annotations

from typing import Any, Final

from fastapi import Depends
from starlette.requests import Request

from draftsmith.api.context import Ctx
from draftsmith.api.http.other_origins import is_own_origin
from draftsmith.errors import DraftsmithError

_MESSAGE = (
    "Settings of this server are changed from its own page; a program sends an Origin header with this server's "
    "address, or the cookie of a profile (POST /api/v1/session)."
)


async def _require_own_origin(request: Request, context: Ctx) -> None:
    if context.gate.mode == "token":  # an administrator has shown who they are
        return
    origin = request.headers.get("origin")
    is_page = request.headers.get("sec-fetch-site") == "same-origin"
    is_ours = is_page if origin is None else is_own_origin(request.scope, origin)
    if not is_ours and (origin is not None or context.profiles.actor(request).kind != "person"):
        raise DraftsmithError("forbidden", _MESSAGE)


OWN_ORIGIN: Final[Any] = Depends(_require_own_origin)
"""Refuses (`forbidden`) a change of settings that shows neither our own origin nor a profile."""
