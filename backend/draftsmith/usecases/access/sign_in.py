"""Sign-in with an issuer in a browser: begin, come back, sign out there too."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from draftsmith.access.principal import Principal
from draftsmith.access.records import BrowserSession, hash_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.ports.identity import SignIn
from draftsmith.usecases.access import people, sessions
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

WITHIN_MS: Final = 10 * 60_000
"""How long a sign-in may take at the issuer."""
_NAME: Final = "sign-in:"
_NOTICE: Final = "sign-out-notice:"
_MARGIN_MS: Final = 60_000
"""A notice is remembered for longer than it is taken by this, however clocks of workers differ."""


@dataclass(frozen=True, slots=True)
class SignInStart:
    """Where the browser goes, and the value of the cookie that binds what comes back to this browser."""

    url: str
    cookie: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who came back: the cookie of the session, and the path where they wanted to go."""

    cookie: str
    session: BrowserSession
    path: str


async def begin(needs: AccessDependencies, redirect_uri: str, path: str) -> SignInStart:
    """Begin a sign-in.

    Raises:
        DraftsmithError: `not_found` where no issuer is configured; `identity_unavailable`.
    """
    begun = await issuer_of(needs).begin(redirect_uri)
    kept = orjson.dumps({"kept": begun.kept, "redirect_uri": redirect_uri, "path": own_path(path)}).decode()
    await needs.stores.one_time.put(_NAME + hash_of(begun.state), kept, WITHIN_MS)
    return SignInStart(begun.url, begun.state)


async def finish(
    needs: AccessDependencies,
    *,
    state: str,
    cookie: str,
    query: str,
    device: str,
    address: str,
    instead_of: str | None = None,
) -> SignedIn:
    """Sign in whoever came back from the issuer.

    Args:
        needs: the ports.
        state: as it came back.
        cookie: of the browser that came back; the state of the sign-in that it began.
        query: of the address it came back to.
        device: how the browser names itself.
        address: where it comes from.
        instead_of: the cookie of the session that the browser had, which ends; None for none.

    Raises:
        DraftsmithError: `sign_in_failed` where another browser began it, it took too long, was used already or the
            issuer's answer does not fit; `user_removed`; `identity_unavailable`.
    """
    is_same = bool(state) and hmac.compare_digest(state.encode(), cookie.encode())
    text = await needs.stores.one_time.take(_NAME + hash_of(state)) if is_same else None
    if text is None:
        raise DraftsmithError("sign_in_failed", "This sign-in was not begun here, or took too long; begin it again.")
    kept: dict[str, Any] = orjson.loads(text)
    claims = await issuer_of(needs).finish(kept["redirect_uri"], query, kept["kept"])
    user = await people.user_of(needs, claims)
    secret, session = await sessions.begin(
        needs, user, device=device, issuer_session=claims.issuer_session, life_ms=needs.issuer_session_ms,
        instead_of=instead_of,
    )  # fmt: skip
    asking = Asking(Principal(Actor(user.id, user.name, "person"), "user"), address)
    await needs.note(asking, "session.begun", session.device)
    return SignedIn(secret, session, kept["path"])


async def hear_sign_out(needs: AccessDependencies, token: str) -> None:
    """End the sessions of somebody who has signed out at the issuer, or those of one session there.

    Once none of theirs is left, nothing vouches for them: keys of theirs work, and tokens are taken, only after their
    issuer has spoken of them anew. A notice that is sent again ends nothing that has begun since.

    Raises:
        DraftsmithError: `sign_in_failed` for a token that is none; `identity_unavailable`.
    """
    notice = await issuer_of(needs).sign_out_notice(token)
    heard = _NOTICE + hash_of(f"{notice.subject}|{notice.id}")
    if await needs.stores.one_time.read(heard) is not None:
        return
    try:
        user = await needs.stores.users.of_subject(notice.subject)
    except DraftsmithError as error:
        if error.code != "user_removed":
            raise
        user = None
    if user is not None:
        for session in await needs.stores.sessions.end_all(user.id, notice.issuer_session or None):
            await needs.tell("session", session.id)
        if not await needs.stores.sessions.of_user(user.id):
            await people.sign_out(needs, user.id, notice.at_ms)
    life_ms = notice.until_ms - needs.clock.now_ms() + _MARGIN_MS
    await needs.stores.one_time.put(
        heard, "1", life_ms
    )  # last, so that one that was cut off is heard when it is repeated


def issuer_of(needs: AccessDependencies) -> SignIn:
    """The issuer with which people sign in."""
    if needs.sign_in is None:
        raise DraftsmithError("not_found", "No issuer is configured here (OIDC_ISSUER); sign in with a link or a key.")
    return needs.sign_in


def own_path(path: str) -> str:
    """A path on this server, whatever was given: nobody is sent elsewhere after they have signed in."""
    parts = urlsplit(path)
    is_own = path.startswith("/") and not path.startswith(("//", "/\\")) and not parts.scheme and not parts.netloc
    return path if is_own and path.isprintable() and "\\" not in path and len(path) <= 2_000 else "/"
