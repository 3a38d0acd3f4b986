"""The cookies of a browser: its profile, and the session of who is signed in there.

Tabs of a profile are one person. Cookies are HttpOnly and SameSite=Lax. That of the profile carries id, name and the
share links that were opened, signed with the store's secret; that of the session carries a secret of which the store
keeps the hash. In local mode anything without a profile is `local:api`. A colour is derived from the id.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from itsdangerous import BadData, URLSafeSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from draftsmith.collab.colors import color, preferred_color
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.credentials import Profile

OLD_COOKIE = "draftsmith_profile"
"""The name before it was bound to the store; still read, so that nobody loses what they can undo."""

SCRIPT = Actor("local:api", "API", "script")
_YEAR = 365 * 24 * 3600
_SESSION = "draftsmith_session"
_MOST_LINKS = 40  # of about 60 characters each; a cookie may have 4,096


@dataclass(frozen=True)
class Profiles:
    """Reads and writes the cookies of browsers.

    Attributes:
        secret: signs those of profiles.
        path: below which they are sent.
    """

    secret: str
    path: str = "/"

    @cached_property
    def cookie(self) -> str:
        """The name of the cookie: of its own for each store, since browsers share cookies among the ports of a host."""
        return f"{OLD_COOKIE}_{self._store}"

    @cached_property
    def session_cookie(self) -> str:
        """The name of the cookie of a session."""
        return f"{_SESSION}_{self._store}"

    @cached_property
    def _store(self) -> str:
        return hashlib.sha256(self.secret.encode()).hexdigest()[:12]

    @property
    def _serializer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self.secret, salt="draftsmith-profile")

    def actor(self, request: HTTPConnection) -> Actor:
        """Whose profile it is. A cookie that was not signed here counts as none."""
        profile = self.profile(request)
        return SCRIPT if profile is None else profile.actor

    def profile(self, request: HTTPConnection) -> Profile | None:
        """The browser's profile with its links; None where there is none."""
        for name in (self.cookie, OLD_COOKIE):
            cookie = request.cookies.get(name)
            profile = None if cookie is None else self._read(cookie)
            if profile is not None:
                return profile
        return None

    def _read(self, cookie: str) -> Profile | None:
        try:
            shape = self._serializer.loads(cookie)
            links = {WorkspaceId(str(w)): str(share) for w, share in shape.get("links", {}).items()}
            return Profile(Actor(str(shape["id"]), str(shape["name"]), "person"), links)
        except (BadData, AttributeError, KeyError, TypeError):
            return None

    def remember(
        self, response: Response, actor: Actor, *, secure: bool, links: Mapping[WorkspaceId, str] | None = None
    ) -> None:
        """Set the cookie of a profile, with the newest of the links that were opened in it."""
        kept = dict(list((links or {}).items())[-_MOST_LINKS:])
        shape: dict[str, object] = {"id": actor.id, "name": actor.name}
        value = self._serializer.dumps({**shape, "links": kept} if kept else shape)
        if isinstance(value, bytes):
            value = value.decode()
        response.set_cookie(
            self.cookie, value, max_age=_YEAR, httponly=True, samesite="lax", secure=secure, path=self.path
        )

    def sign_in(self, response: Response, secret: str, *, seconds: int, secure: bool) -> None:
        """Set the cookie of a session."""
        response.set_cookie(
            self.session_cookie, secret, max_age=seconds, httponly=True, samesite="lax", secure=secure, path=self.path
        )

    def sign_out(self, response: Response) -> None:
        """Delete the cookie of a session."""
        response.delete_cookie(self.session_cookie, path=self.path)

    def forget(self, request: HTTPConnection, response: Response) -> None:
        """Delete the cookie of a profile; the one under the old name only if it is ours and no other server's."""
        response.delete_cookie(self.cookie, path=self.path)
        old = request.cookies.get(OLD_COOKIE)
        if old is not None and self._read(old) is not None:
            response.delete_cookie(OLD_COOKIE, path="/")  # where 0.1.0 has set it


def guest(identity: str) -> Actor:
    """A new profile, before it has been asked for a name."""
    return Actor(f"guest:{identity}", f"Guest {identity[-4:].upper()}", "person")


def color_of(actor: Actor) -> str:
    """The colour of a principal where nobody else has it, always the same."""
    return color(preferred_color(actor.id))
