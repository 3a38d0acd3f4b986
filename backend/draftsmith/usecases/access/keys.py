"""Keys of programs: make, list, revoke."""

from __future__ import annotations

from draftsmith.access.records import KEY_PREFIX, ApiKey, hash_of
from draftsmith.access.roles import Role
from draftsmith.errors import DraftsmithError
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking, new_secret

_DAY_MS = 24 * 3_600_000
MOST_KEYS = 200
"""Keys of one person."""


async def create(
    needs: AccessDependencies,
    asking: Asking,
    *,
    name: str,
    limit: Role | None = None,
    days: int | None = None,
    is_admin: bool = False,
    is_delegate: bool = False,
    is_personal: bool = True,
) -> tuple[str, ApiKey]:
    """Make a key; its secret, which nobody can read again, and what is kept of it.

    Args:
        needs: the ports.
        asking: who makes it; a personal key acts as them.
        name: what it is for.
        limit: no more than this role anywhere.
        days: after which it ends; None for never.
        is_admin: whether it administers; for administrators only.
        is_delegate: whether it acts for people of an application; for administrators only.
        is_personal: whether it acts as who makes it; other keys act as themselves, and only administrators make them.

    Raises:
        DraftsmithError: `forbidden`; `too_many_keys`.
    """
    principal = asking.principal
    is_of_person = is_personal and not is_delegate
    if (is_admin or not is_of_person) and not principal.is_admin:
        raise DraftsmithError("forbidden", "Only administrators make keys that administer or act for others.")
    is_profile = principal.kind == "local" and principal.actor.kind == "person"
    if is_of_person and principal.kind != "user" and not is_profile:
        raise DraftsmithError("forbidden", "Only people who are signed in make keys of their own.")
    if principal.limit is not None:
        raise DraftsmithError("forbidden", "A key that is limited to a role makes no other keys.")
    owner = principal.actor.id if is_of_person else ""
    if owner and len(await needs.stores.keys.all(owner)) >= MOST_KEYS:
        raise DraftsmithError("too_many_keys", f"You have {MOST_KEYS} keys; revoke what you do not need.")
    now_ms, secret = needs.clock.now_ms(), new_secret(KEY_PREFIX)
    key = ApiKey(
        id=needs.clock.new_id(),
        name=name,
        user_id=owner,
        is_delegate=is_delegate,
        is_admin=is_admin,
        limit=limit,
        created_ms=now_ms,
        until_ms=None if days is None else now_ms + days * _DAY_MS,
        user_name=principal.actor.name if is_of_person and is_profile else "",
    )
    await needs.stores.keys.put(hash_of(secret), key)
    await needs.note(asking, "key.created", f"{name} ({key.id})")
    return secret, key


async def listed(needs: AccessDependencies, asking: Asking) -> list[ApiKey]:
    """One's own; for administrators those of nobody in particular, too."""
    own = asking.principal.actor.id
    if not asking.principal.is_admin:
        return await needs.stores.keys.all(own)
    return [key for key in await needs.stores.keys.all() if key.user_id in ("", own)]


async def revoke(needs: AccessDependencies, asking: Asking, key_id: str) -> None:
    """Revoke a key at once, also where a socket is open with it.

    Raises:
        DraftsmithError: `key_not_found`, also for a key of somebody else.
    """
    if key_id not in {key.id for key in await listed(needs, asking)}:
        raise DraftsmithError("key_not_found", "There is no such key of yours.")
    await revoke_any(needs, asking, key_id)


async def revoke_all(needs: AccessDependencies, asking: Asking) -> None:
    """Revoke all keys that act as who asks: those of a profile that is forgotten could not be listed any more."""
    for key in await needs.stores.keys.all(asking.principal.actor.id):
        await revoke_any(needs, asking, key.id)


async def revoke_any(needs: AccessDependencies, asking: Asking, key_id: str) -> None:
    """Revoke a key, whoever has it.

    Raises:
        DraftsmithError: `key_not_found`.
    """
    key = await needs.stores.keys.remove(key_id)
    if key is None:
        raise DraftsmithError("key_not_found", "There is no such key.")
    await needs.note(asking, "key.revoked", f"{key.name} ({key.id})")
    await needs.tell("key", key.id)
