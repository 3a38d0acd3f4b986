"""The people of an installation: how they come, how they are called, how they go."""

from __future__ import annotations

from dataclasses import replace

from draftsmith.access.names import shown_name
from draftsmith.access.records import ApiKey, RemovedUser, User, last_administrator
from draftsmith.errors import DraftsmithError
from draftsmith.ports.identity import Claims
from draftsmith.usecases.access import folders
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

_SEEN_AGAIN_MS = 60_000
_MOST_OF_NAME = 80


async def user_of(needs: AccessDependencies, claims: Claims) -> User:
    """The person that an issuer speaks of: made when they come first, with the groups that it says now.

    Raises:
        DraftsmithError: `user_removed`; `credential_expired` for a token of before they signed out at the issuer.
    """
    now_ms = needs.clock.now_ms()
    vouched_ms = now_ms if claims.until_ms is None else min(claims.issued_ms or 0, now_ms)
    known = await needs.stores.users.of_subject(claims.subject)
    if known is None:
        name = shown_name(claims.name)[:_MOST_OF_NAME] or claims.email or "Somebody new"
        user = User(
            f"user:{needs.clock.new_id()}", name, claims.subject, claims.email, claims.groups,
            created_ms=now_ms, seen_ms=now_ms, vouched_ms=vouched_ms,
        )  # fmt: skip
        return await needs.stores.users.put(user)
    check_signed_in(known, claims.issued_ms)
    said = _updated_user(known, claims, vouched_ms)
    if said == known and now_ms - known.seen_ms < _SEEN_AGAIN_MS:
        return known
    seen = await needs.stores.users.change(
        known.id, lambda user: replace(_updated_user(user, claims, vouched_ms), seen_ms=now_ms)
    )
    if seen is None:  # removed at this moment: refused, as they would be a moment later
        return await user_of(needs, claims)
    if seen.groups != known.groups:
        await needs.tell("principal", known.id)
    return seen


def check_signed_in(user: User, issued_ms: int | None) -> None:
    """Refuse a token of before its person signed out at the issuer.

    Raises:
        DraftsmithError: `credential_expired`.
    """
    if issued_ms is not None and issued_ms <= user.signed_out_ms:
        raise DraftsmithError("credential_expired", "You have signed out at the issuer since; get a new token there.")


def _updated_user(user: User, claims: Claims, vouched_ms: int) -> User:
    """What is known of somebody after their issuer has spoken; what it said before something else counts no longer."""
    is_dated = claims.until_ms is None or claims.issued_ms is not None
    if is_dated and vouched_ms <= max(user.vouched_ms or 0, user.signed_out_ms if claims.until_ms is not None else 0):
        return user
    return replace(
        user,
        email=claims.email or user.email,
        groups=claims.groups,
        vouched_ms=vouched_ms if is_dated else user.vouched_ms,
    )


async def sign_out(needs: AccessDependencies, user_id: str, at_ms: int) -> None:
    """Have what their issuer said of somebody until then count for nothing: tokens, and that keys of theirs work."""
    await needs.stores.users.change(
        user_id, lambda user: replace(user, vouched_ms=0, signed_out_ms=max(user.signed_out_ms, at_ms))
    )
    await needs.tell("principal", user_id)


async def rename(needs: AccessDependencies, user_id: str, name: str) -> User:
    """Have a person called otherwise; commits keep the name that they had."""
    renamed = await needs.stores.users.change(user_id, lambda user: replace(user, name=name))
    return renamed or await existing(needs, user_id)


async def existing(needs: AccessDependencies, user_id: str) -> User:
    """One of them.

    Raises:
        DraftsmithError: `user_not_found`.
    """
    user = await needs.stores.users.read(user_id)
    if user is None:
        raise DraftsmithError("user_not_found", "There is no such person here.")
    return user


async def set_admin(needs: AccessDependencies, asking: Asking, user_id: str, is_admin: bool) -> User:
    """Make somebody an administrator, or no longer one; the keys of no person that they made stop with that.

    Raises:
        DraftsmithError: `user_not_found`; `last_administrator`.
    """
    changed = await needs.stores.users.change(user_id, lambda user: replace(user, is_admin=is_admin))
    user = changed or await existing(needs, user_id)
    await needs.note(asking, "user.admin" if is_admin else "user.no_admin", f"{user.name} ({user.id})")
    if not is_admin:
        await _note_stopped(needs, asking, user_id)
    await needs.tell("principal", user_id)
    return user


async def remove(needs: AccessDependencies, asking: Asking, user_id: str) -> list[ApiKey]:
    """Remove a person: their sessions, keys and the links they made end at once; what they did stays in the history.

    Keys of no person that they made stop until an administrator takes them over. Who signs in as they did is refused
    until somebody lets them in again (`let_in`), and is somebody new then. Their folders are the administrators', with
    what lies in them; their workspaces elsewhere stay as they are.
    The person goes last, so that what was interrupted can be repeated.

    Returns:
        The keys of no person that stop.

    Raises:
        DraftsmithError: `user_not_found`; `last_administrator`.
    """
    user = await existing(needs, user_id)
    await _keep_an_administrator(needs, user_id)
    stores = needs.stores
    await stores.sessions.end_all(user_id)
    for key in await stores.keys.all(user_id):
        await stores.keys.remove(key.id)
    links = await stores.shares.revoke_made_by(user_id)
    await folders.release(needs, asking, user_id)
    await stores.users.remove(user_id, needs.clock.now_ms())
    await needs.note(asking, "user.removed", f"{user.name} ({user.id})")
    stopped = await _note_stopped(needs, asking, user_id)
    await needs.tell("principal", user_id)
    for workspace_id in {link.workspace_id for link in links}:
        await needs.tell("workspace", workspace_id)
    return stopped


async def let_in(needs: AccessDependencies, asking: Asking, user_id: str) -> RemovedUser:
    """Let somebody sign in again who was removed; they are somebody new then, and have nothing of what they had.

    Raises:
        DraftsmithError: `user_not_found`.
    """
    removed = await needs.stores.users.let_in(user_id)
    if removed is None:
        raise DraftsmithError("user_not_found", "Nobody was removed who had this id, or they were let in again.")
    await needs.note(asking, "user.let_in", f"{removed.name} ({removed.id})")
    return removed


async def stopped_with(needs: AccessDependencies, user_id: str) -> list[ApiKey]:
    """The keys of no person that stop when somebody administers no longer."""
    return [key for key in await needs.stores.keys.all("") if key.made_by == user_id]


async def _note_stopped(needs: AccessDependencies, asking: Asking, user_id: str) -> list[ApiKey]:
    stopped = await stopped_with(needs, user_id)
    for key in stopped:
        await needs.note(asking, "key.stopped", f"{key.name} ({key.id})")
    return stopped


async def _keep_an_administrator(needs: AccessDependencies, but: str) -> None:
    users = await needs.stores.users.all()
    if not any(user.is_admin for user in users if user.id != but) and any(
        user.is_admin for user in users if user.id == but
    ):
        raise last_administrator()
