"""Who may what in one workspace: members, groups, everybody, the owner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from draftsmith.access.records import User
from draftsmith.access.roles import Role
from draftsmith.access.workspace_access import UNCLAIMED, WorkspaceAccess
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

_TRIES = 8
MOST_MEMBERS = 1_000


async def claim(
    needs: AccessDependencies, asking: Asking, workspace_id: WorkspaceId, external_id: str | None = None
) -> None:
    """Write down who has just created a workspace, unless that was done before."""
    actor, application = asking.principal.actor, asking.principal.application
    access = WorkspaceAccess(
        owner=actor.id, names={actor.id: actor.name}, application=application, external_id=external_id
    )
    await needs.stores.workspaces.put(workspace_id, access, expected=None)


async def read(needs: AccessDependencies, workspace_id: WorkspaceId) -> WorkspaceAccess:
    """The record."""
    return await needs.stores.workspaces.read(workspace_id) or UNCLAIMED


async def set_member(
    needs: AccessDependencies, asking: Asking, workspace_id: WorkspaceId, principal_id: str, role: Role
) -> WorkspaceAccess:
    """Give somebody a role.

    Raises:
        DraftsmithError: `user_not_found`; `invalid_request` for the owner's own role; `too_many_members`.
    """
    name = await _name_of(needs, asking, principal_id)

    def change(access: WorkspaceAccess) -> WorkspaceAccess:
        if principal_id == access.owner:
            raise DraftsmithError(
                "invalid_request", "The owner stays the owner; transfer the workspace to change that."
            )
        members = {**access.members, principal_id: role}
        if len(members) > MOST_MEMBERS:
            raise DraftsmithError("too_many_members", f"A workspace has at most {MOST_MEMBERS} members; use a group.")
        return replace(access, members=members, names={**access.names, principal_id: name})

    detail = f"{name} ({principal_id}): {role}"
    return await _changed(needs, asking, workspace_id, change, "member.set", detail)


async def drop_member(
    needs: AccessDependencies, asking: Asking, workspace_id: WorkspaceId, principal_id: str
) -> WorkspaceAccess:
    """Take somebody's role away."""

    def change(access: WorkspaceAccess) -> WorkspaceAccess:
        members, names = _without(access.members, principal_id), _without(access.names, principal_id)
        return replace(access, members=members, names=access.names if principal_id == access.owner else names)

    return await _changed(needs, asking, workspace_id, change, "member.removed", principal_id)


async def set_group(
    needs: AccessDependencies, asking: Asking, workspace_id: WorkspaceId, group: str, role: Role | None
) -> WorkspaceAccess:
    """Give a group of the issuer a role, or none."""

    def change(access: WorkspaceAccess) -> WorkspaceAccess:
        groups = _without(access.groups, group)
        return replace(access, groups=groups if role is None else {**groups, group: role})

    return await _changed(needs, asking, workspace_id, change, "group.set", f"{group}: {role or 'none'}")


async def set_options(
    needs: AccessDependencies, asking: Asking, workspace_id: WorkspaceId, given: Mapping[str, Any]
) -> WorkspaceAccess:
    """Change `everyone` and `shows_runs`, as far as given."""
    detail = ", ".join(f"{name}: {value}" for name, value in given.items())
    return await _changed(
        needs, asking, workspace_id, lambda access: replace(access, **given), "access.changed", detail
    )


async def transfer(needs: AccessDependencies, asking: Asking, workspace_id: WorkspaceId, to: str) -> WorkspaceAccess:
    """Make somebody else the owner; who was it before stays as an editor.

    Raises:
        DraftsmithError: `user_not_found`.
    """
    name = await _name_of(needs, asking, to)

    def change(access: WorkspaceAccess) -> WorkspaceAccess:
        members: dict[str, Role] = _without(access.members, to)
        if access.owner and access.owner != to:
            members[access.owner] = "editor"
        return replace(access, owner=to, members=members, names={**access.names, to: name})

    return await _changed(needs, asking, workspace_id, change, "owner.changed", f"{name} ({to})")


async def _changed(
    needs: AccessDependencies,
    asking: Asking,
    workspace_id: WorkspaceId,
    change: Callable[[WorkspaceAccess], WorkspaceAccess],
    what: str,
    detail: str,
) -> WorkspaceAccess:
    store = needs.stores.workspaces
    for _ in range(_TRIES):
        before = await store.read(workspace_id)
        after = change(before or UNCLAIMED)
        if after == before:
            return after
        if await store.put(workspace_id, after, expected=before):
            await needs.note(asking, what, detail, workspace_id)
            await needs.tell("workspace", workspace_id)
            return after
    raise DraftsmithError("busy", "Others are changing who may what here at the same time; try again.")


async def _name_of(needs: AccessDependencies, asking: Asking, principal_id: str) -> str:
    """How somebody is called who may be given a role: a person, a key, or a person of the same application."""
    user: User | None = await needs.stores.users.read(principal_id)
    if user is not None:
        return user.name
    application = asking.principal.application
    if application is not None and principal_id.startswith(f"app:{application}/"):
        return principal_id.partition("/")[2]
    keys = [key for key in await needs.stores.keys.all() if f"key:{key.id}" == principal_id and not key.user_id]
    if keys:
        return keys[0].name
    raise DraftsmithError("user_not_found", "There is no such person here; people come by signing in once.")


def _without(mapping: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key != name}
