"""Keys of programs: make, list, take over, revoke."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from draftsmith.access.principal import Principal
from draftsmith.access.records import KEY_PREFIX, ApiKey, has_ended, hash_of
from draftsmith.access.roles import Role
from draftsmith.errors import DraftsmithError
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking, new_secret
from draftsmith.usecases.access.standing import stands

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
        made_by="" if is_of_person else _answering(principal),
    )
    await needs.stores.keys.put(hash_of(secret), key)
    await needs.note(asking, "key.created", f"{name} ({key.id})")
    return secret, key


async def list_keys(needs: AccessDependencies, asking: Asking) -> list[ApiKey]:
    """One's own; for administrators those of nobody in particular, too."""
    own = asking.principal.actor.id
    if not asking.principal.is_admin:
        return await needs.stores.keys.all(own)
    return [key for key in await needs.stores.keys.all() if key.user_id in ("", own)]


async def working(needs: AccessDependencies, keys: Sequence[ApiKey]) -> list[bool]:
    """Which of several keys work now."""
    now_ms = needs.clock.now_ms()
    ids = {key.user_id or key.made_by for key in keys} - {""}
    people = dict(zip(ids, await asyncio.gather(*map(needs.stores.users.read, ids)), strict=True))
    return [
        not has_ended(key.until_ms, now_ms)
        and (needs.is_local or stands(needs, key, people.get(key.user_id or key.made_by)) is None)
        for key in keys
    ]


async def take_over(needs: AccessDependencies, asking: Asking, key_id: str) -> tuple[str, ApiKey]:
    """Take a key of no person over: from then on it works while who asks administers. Its new secret, and what it is.

    It is the same key, with what it owns and the workspaces of its application. The secret it had ends, since whoever
    made it has seen that one.

    Raises:
        DraftsmithError: `key_not_found`, also for a key of a person, who makes another one.
    """
    found = await needs.stores.keys.look_by_id(key_id)
    key, secret = None if found is None else found[0], new_secret(KEY_PREFIX)
    if key is not None and not key.user_id:
        key = replace(key, made_by=_answering(asking.principal))
        if await needs.stores.keys.renew(hash_of(secret), key):
            await needs.note(asking, "key.taken_over", f"{key.name} ({key.id})")
            await needs.tell("key", key.id)
            return secret, key
    raise DraftsmithError("key_not_found", "There is no such key of no person.")


def _answering(principal: Principal) -> str:
    """Who answers for a key of no person that this principal makes; empty for the installation."""
    return principal.actor.id if principal.kind == "user" else principal.made_by


async def revoke(needs: AccessDependencies, asking: Asking, key_id: str) -> None:
    """Revoke a key at once, also where a socket is open with it.

    Raises:
        DraftsmithError: `key_not_found`, also for a key of somebody else.
    """
    if key_id not in {key.id for key in await list_keys(needs, asking)}:
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
