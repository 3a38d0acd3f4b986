"""Who may change the settings of this server: its own pages, and who has a profile here.

The guard has refused pages of other origins already. What neither says where it comes from nor shows a profile that was
signed here may be anything that somebody else had this machine send.
"""

from __future__ import annotations

from starlette.requests import Request

from draftsmith.api.context import Context
from draftsmith.errors import DraftsmithError

_MESSAGE = (
    "Settings of this server are changed from its own page; a program sends an Origin header with this server's "
    "address, or the cookie of a profile (POST /api/v1/session)."
)


def require_own_origin(request: Request, context: Context) -> None:
    """Refuse a change of settings that shows neither our own origin nor a profile.

    Raises:
        DraftsmithError: `forbidden`.
    """
    if context.gate.mode == "token":  # an administrator has shown who they are
        return
    is_ours = "origin" in request.headers or request.headers.get("sec-fetch-site") == "same-origin"
    if not is_ours and context.profiles.actor(request).kind != "person":
        raise DraftsmithError("forbidden", _MESSAGE)
