"""The people of an installation: how they come, how they are called, how they go."""

from __future__ import annotations

from dataclasses import replace

from draftsmith.access.names import shown_name
from draftsmith.access.records import User, last_administrator
from draftsmith.errors import DraftsmithError
from draftsmith.ports.identity import Claims
from draftsmith.usecases.access import folders
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

_SEEN_AGAIN_MS = 60_000
_MOST_OF_NAME = 80


async def user_of(needs: AccessDependencies, claims: Claims) -> User:
    """The person that an issuer speaks of: made when they come first, with the groups that it says now."""
    now_ms = needs.clock.now_ms()
    known = await needs.stores.users.of_subject(claims.subject)
    if known is None:
        name = shown_name(claims.name)[:_MOST_OF_NAME] or claims.email or "Somebody new"
        user = User(
            f"user:{needs.clock.new_id()}", name, claims.subject, claims.email, claims.groups,
            created_ms=now_ms, seen_ms=now_ms,
        )  # fmt: skip
        return await needs.stores.users.put(user)
    said = _told(known, claims)
    if said == known and now_ms - known.seen_ms < _SEEN_AGAIN_MS:
        return known
    seen = await needs.stores.users.change(known.id, lambda user: replace(_told(user, claims), seen_ms=now_ms))
    if seen is None:  # removed at this moment: they come anew, as they would a moment later
        return await user_of(needs, claims)
    if seen.groups != known.groups:
        await needs.tell("principal", known.id)
    return seen


def _told(user: User, claims: Claims) -> User:
    return replace(user, email=claims.email or user.email, groups=claims.groups)


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
    """Make somebody an administrator, or no longer one.

    Raises:
        DraftsmithError: `user_not_found`; `last_administrator`.
    """
    changed = await needs.stores.users.change(user_id, lambda user: replace(user, is_admin=is_admin))
    user = changed or await existing(needs, user_id)
    await needs.note(asking, "user.admin" if is_admin else "user.no_admin", f"{user.name} ({user.id})")
    await needs.tell("principal", user_id)
    return user


async def remove(needs: AccessDependencies, asking: Asking, user_id: str) -> None:
    """Remove a person: their sessions, keys and the links they made end at once; what they did stays in the history.

    Their folders are the administrators' then, with what lies in them; their workspaces elsewhere stay as they are.
    The person goes last, so that what was interrupted can be repeated.

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
    await stores.users.remove(user_id)
    await needs.note(asking, "user.removed", f"{user.name} ({user.id})")
    await needs.tell("principal", user_id)
    for workspace_id in {link.workspace_id for link in links}:
        await needs.tell("workspace", workspace_id)


async def _keep_an_administrator(needs: AccessDependencies, but: str) -> None:
    users = await needs.stores.users.all()
    if not any(user.is_admin for user in users if user.id != but) and any(
        user.is_admin for user in users if user.id == but
    ):
        raise last_administrator()
