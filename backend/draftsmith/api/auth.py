"""Who asks, in local mode: a browser profile by its signed cookie, anything else as `local:api`.

Tabs of a profile are one person. The cookie is HttpOnly, SameSite=Lax and carries id and name, signed with the store's
secret; a colour is derived from the id. Token mode (logins, keys, shares) comes on top of this, not instead of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from itsdangerous import BadData, URLSafeSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from draftsmith.collab.colors import color, preferred
from draftsmith.history.actor import Actor

COOKIE = "draftsmith_profile"
SCRIPT = Actor("local:api", "API", "script")
_YEAR = 365 * 24 * 3600


@dataclass(frozen=True)
class Profiles:
    """Reads and writes profile cookies."""

    secret: str

    @property
    def _serializer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self.secret, salt="draftsmith-profile")

    def actor(self, request: HTTPConnection) -> Actor:
        """Who asks. A cookie that was not signed here counts as none."""
        cookie = request.cookies.get(COOKIE)
        if cookie is None:
            return SCRIPT
        try:
            shape = self._serializer.loads(cookie)
            return Actor(str(shape["id"]), str(shape["name"]), "person")
        except (BadData, KeyError, TypeError):
            return SCRIPT

    def remember(self, response: Response, actor: Actor, *, secure: bool) -> None:
        """Set the cookie of a profile."""
        value = self._serializer.dumps({"id": actor.id, "name": actor.name})
        if isinstance(value, bytes):
            value = value.decode()
        response.set_cookie(COOKIE, value, max_age=_YEAR, httponly=True, samesite="lax", secure=secure, path="/")


def guest(identity: str) -> Actor:
    """A new profile, before it has been asked for a name."""
    return Actor(f"guest:{identity}", f"Guest {identity[-4:].upper()}", "person")


def color_of(actor: Actor) -> str:
    """The colour of a principal where nobody else has it, always the same."""
    return color(preferred(actor.id))
