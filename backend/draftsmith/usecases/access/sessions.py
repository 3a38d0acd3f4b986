"""Who is signed in where: begin, list, end."""

from __future__ import annotations

from typing import Final

from draftsmith.access.principal import Principal
from draftsmith.access.records import LINK_PREFIX, BrowserSession, User, hash_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking, new_secret

SESSION_MS: Final = 30 * 24 * 3_600_000
"""How long somebody stays signed in who came by a link."""
LINK_MS: Final = 24 * 3_600_000
"""How long a link of an administrator can be used."""
_SESSION_PREFIX: Final = "dsn_"
_DEVICE: Final = 120
_LINK: Final = "administrator-link:"


async def begin(
    needs: AccessDependencies,
    user: User,
    *,
    device: str,
    issuer_session: str = "",
    life_ms: int = SESSION_MS,
    instead_of: str | None = None,
) -> tuple[str, BrowserSession]:
    """Sign somebody in; the secret of the cookie, and the session. A new secret each time: none can be fixed before.

    The session of the cookie that the browser had, `instead_of`, ends: nobody has that cookie any more who should.
    """
    now_ms, secret = needs.clock.now_ms(), new_secret(_SESSION_PREFIX)
    session = BrowserSession(needs.clock.new_id(), user.id, now_ms, now_ms + life_ms, issuer_session, device[:_DEVICE])
    await needs.stores.sessions.put(hash_of(secret), session)
    if instead_of is not None:
        await end(needs, instead_of)
    return secret, session


async def end(needs: AccessDependencies, secret: str) -> BrowserSession | None:
    """Sign out here."""
    session = await needs.stores.sessions.end(hash_of(secret))
    if session is not None:
        await needs.tell("session", session.id)
    return session


async def end_all(needs: AccessDependencies, asking: Asking) -> int:
    """Sign out everywhere; from how many browsers."""
    ended = await needs.stores.sessions.end_all(asking.principal.actor.id)
    await needs.note(asking, "session.all_ended", f"{len(ended)}")
    await needs.tell("principal", asking.principal.actor.id)
    return len(ended)


async def end_one(needs: AccessDependencies, asking: Asking, session_id: str) -> None:
    """Sign out of one other browser.

    Raises:
        DraftsmithError: `session_not_found`.
    """
    ended = await needs.stores.sessions.end_of(asking.principal.actor.id, session_id)
    if ended is None:
        raise DraftsmithError("session_not_found", "There is no such session of yours.")
    await needs.tell("session", ended.id)


# -- links of administrators -----------------------------------------------------------------------------------------


async def administrator_link(needs: AccessDependencies) -> str:
    """Make a link that makes whoever opens it first an administrator; the secret."""
    secret = new_secret(LINK_PREFIX)
    await needs.stores.one_time.put(_LINK + hash_of(secret), "1", LINK_MS)
    return secret


async def has_administrator(needs: AccessDependencies) -> bool:
    """Whether anybody administers this installation."""
    return any(user.is_admin for user in await needs.stores.users.all()) or any(
        key.is_admin and not key.made_by for key in await needs.stores.keys.all("")
    )


async def sign_in_by_link(
    needs: AccessDependencies, secret: str, name: str, *, device: str, address: str, instead_of: str | None = None
) -> tuple[str, BrowserSession, User]:
    """Sign in with the link of an administrator, which is worth nothing afterwards; `instead_of` as in `begin`.

    Raises:
        DraftsmithError: `sign_in_failed`.
    """
    if not secret.startswith(LINK_PREFIX) or await needs.stores.one_time.take(_LINK + hash_of(secret)) is None:
        raise DraftsmithError(
            "sign_in_failed",
            "This link was used already, has expired, or is none; `draftsmith token create --admin` makes a new one.",
        )
    now_ms = needs.clock.now_ms()
    user = User(
        f"user:{needs.clock.new_id()}", name or "Administrator", is_admin=True, created_ms=now_ms, seen_ms=now_ms
    )
    await needs.stores.users.put(user)
    cookie, session = await begin(needs, user, device=device, instead_of=instead_of)
    asking = Asking(Principal(Actor(user.id, user.name, "person"), "user", is_admin=True), address)
    await needs.note(asking, "user.admin_by_link", user.id)
    return cookie, session, user
