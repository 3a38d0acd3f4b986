"""Who may what in a workspace or a folder: members, groups, everybody, the owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from draftsmith.access.folders import FolderId
from draftsmith.access.records import User
from draftsmith.access.roles import Role
from draftsmith.access.workspace_access import UNCLAIMED, WorkspaceAccess
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking
from draftsmith.usecases.access.role_records import R, RoleRecord, with_owner

MOST_MEMBERS = 1_000

T = TypeVar("T")


async def claim(
    needs: AccessDependencies,
    asking: Asking,
    workspace_id: WorkspaceId,
    external_id: str | None = None,
    folder: FolderId | None = None,
) -> None:
    """Write down who has just created a workspace, and in which folder, unless that was done before."""
    actor, application = asking.principal.actor, asking.principal.application
    if asking.principal.kind == "local":  # belongs to administrators, should there ever be any
        access = replace(UNCLAIMED, folder=folder)
    else:
        access = WorkspaceAccess(
            owner=actor.id,
            names={actor.id: actor.name},
            application=application,
            external_id=external_id,
            folder=folder,
        )
    await needs.stores.workspaces.put(workspace_id, access, expected=None)


async def read(needs: AccessDependencies, workspace_id: WorkspaceId) -> WorkspaceAccess:
    """The record."""
    return await needs.stores.workspaces.read(workspace_id) or UNCLAIMED


async def set_member(record: RoleRecord[R], principal_id: str, role: Role) -> R:
    """Give somebody a role.

    Raises:
        DraftsmithError: `user_not_found`; `invalid_request` for the owner's own role; `too_many_members`.
    """
    name = await _name_of(record.needs, record.asking, principal_id)

    def change(before: R) -> R:
        if principal_id == before.owner:
            raise DraftsmithError(
                "invalid_request", f"The owner stays the owner; transfer the {record.word} to change that."
            )
        members = {**before.members, principal_id: role}
        if len(members) > MOST_MEMBERS:
            message = f"A {record.word} has at most {MOST_MEMBERS} members; use a group."
            raise DraftsmithError("too_many_members", message)
        return replace(before, members=members, names={**before.names, principal_id: name})

    return await record.change(change, "member.set", f"{name} ({principal_id}): {role}")


async def drop_member(record: RoleRecord[R], principal_id: str) -> R:
    """Take somebody's role away."""

    def change(before: R) -> R:
        members, names = _without(before.members, principal_id), _without(before.names, principal_id)
        return replace(before, members=members, names=before.names if principal_id == before.owner else names)

    return await record.change(change, "member.removed", principal_id)


async def set_group(record: RoleRecord[R], group: str, role: Role | None) -> R:
    """Give a group of the issuer a role, or none."""

    def change(before: R) -> R:
        groups = _without(before.groups, group)
        return replace(before, groups=groups if role is None else {**groups, group: role})

    return await record.change(change, "group.set", f"{group}: {role or 'none'}")


async def set_options(record: RoleRecord[R], options: Mapping[str, object]) -> R:
    """Change `everyone`, and `shows_runs` of a workspace, as far as given."""
    detail = ", ".join(f"{name}: {value}" for name, value in options.items())
    changes = cast(dict[str, Any], options)
    return await record.change(lambda before: replace(before, **changes), "access.changed", detail)


async def transfer(record: RoleRecord[R], to: str) -> R:
    """Make somebody else the owner; who was it before stays as an editor.

    Raises:
        DraftsmithError: `user_not_found`.
    """
    name = await _name_of(record.needs, record.asking, to)
    return await record.change(lambda before: with_owner(before, to, name), "owner.changed", f"{name} ({to})")


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


def _without(mapping: Mapping[str, T], name: str) -> dict[str, T]:
    return {key: value for key, value in mapping.items() if key != name}
