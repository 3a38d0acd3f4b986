"""Who asks, in local mode: a browser profile by its signed cookie, anything else as `local:api`.

Tabs of a profile are one person. The cookie is HttpOnly, SameSite=Lax and carries id and name, signed with the store's
secret; a colour is derived from the id. Token mode (logins, keys, shares) comes on top of this, not instead of it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from itsdangerous import BadData, URLSafeSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from draftsmith.collab.colors import color, preferred
from draftsmith.history.actor import Actor

OLD_COOKIE = "draftsmith_profile"
"""The name before it was bound to the store; still read, so that nobody loses what they can undo."""

SCRIPT = Actor("local:api", "API", "script")
_YEAR = 365 * 24 * 3600


@dataclass(frozen=True)
class Profiles:
    """Reads and writes profile cookies."""

    secret: str

    @cached_property
    def cookie(self) -> str:
        """The name of the cookie: of its own for each store, since browsers share cookies among the ports of a host."""
        return f"{OLD_COOKIE}_{hashlib.sha256(self.secret.encode()).hexdigest()[:12]}"

    @property
    def _serializer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self.secret, salt="draftsmith-profile")

    def actor(self, request: HTTPConnection) -> Actor:
        """Who asks. A cookie that was not signed here counts as none."""
        for name in (self.cookie, OLD_COOKIE):
            cookie = request.cookies.get(name)
            actor = None if cookie is None else self._read(cookie)
            if actor is not None:
                return actor
        return SCRIPT

    def _read(self, cookie: str) -> Actor | None:
        try:
            shape = self._serializer.loads(cookie)
            return Actor(str(shape["id"]), str(shape["name"]), "person")
        except (BadData, KeyError, TypeError):
            return None

    def remember(self, response: Response, actor: Actor, *, secure: bool) -> None:
        """Set the cookie of a profile."""
        value = self._serializer.dumps({"id": actor.id, "name": actor.name})
        if isinstance(value, bytes):
            value = value.decode()
        response.set_cookie(self.cookie, value, max_age=_YEAR, httponly=True, samesite="lax", secure=secure, path="/")

    def forget(self, request: HTTPConnection, response: Response) -> None:
        """Delete the cookie of a profile; the one under the old name only if it is ours and no other server's."""
        response.delete_cookie(self.cookie, path="/")
        old = request.cookies.get(OLD_COOKIE)
        if old is not None and self._read(old) is not None:
            response.delete_cookie(OLD_COOKIE, path="/")


def guest(identity: str) -> Actor:
    """A new profile, before it has been asked for a name."""
    return Actor(f"guest:{identity}", f"Guest {identity[-4:].upper()}", "person")


def color_of(actor: Actor) -> str:
    """The colour of a principal where nobody else has it, always the same."""
    return color(preferred(actor.id))
