"""The record of who may what in one workspace, and the role that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from draftsmith.access.folders import FolderId
from draftsmith.access.grants import granted_role, roles_from_json
from draftsmith.access.principal import Principal
from draftsmith.access.roles import ROLES, Role, larger, smaller


@dataclass(frozen=True, slots=True)
class WorkspaceAccess:
    """Who may what in one workspace.

    Attributes:
        owner: id of the principal that owns it; empty for a workspace from local mode, which belongs to administrators.
        members: role by principal id.
        names: display name by principal id, as it was when they were added.
        groups: role by group, as an issuer names it.
        everyone: the role of everybody who is signed in; None for a private workspace.
        application: the application that made it for one of its users; None for none.
        external_id: what that application calls it.
        shows_runs: whether whoever may read sees the requests of others to the assistant, too.
        folder: the folder in which it lies, whose roles hold in it; None for none.
    """

    owner: str = ""
    members: Mapping[str, Role] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Role] = field(default_factory=dict)
    everyone: Role | None = None
    application: str | None = None
    external_id: str | None = None
    shows_runs: bool = False
    folder: FolderId | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON shape: its fields by name; `folder` only where it lies in one, as none did before there were any."""
        return {
            "owner": self.owner,
            "members": dict(self.members),
            "names": dict(self.names),
            "groups": dict(self.groups),
            "everyone": self.everyone,
            "application": self.application,
            "external_id": self.external_id,
            "shows_runs": self.shows_runs,
            **({} if self.folder is None else {"folder": self.folder}),
        }


UNCLAIMED: Final = WorkspaceAccess()
"""Of a workspace without a record: from local mode."""


def access_from_json(shape: Mapping[str, Any]) -> WorkspaceAccess:
    """Read what `WorkspaceAccess.to_json` wrote; a role that is none is left out, so that it gives nothing."""
    return WorkspaceAccess(
        owner=str(shape.get("owner", "")),
        members=roles_from_json(shape.get("members", {})),
        names={str(id_): str(name) for id_, name in shape.get("names", {}).items()},
        groups=roles_from_json(shape.get("groups", {})),
        everyone=shape["everyone"] if shape.get("everyone") in ROLES else None,
        application=shape.get("application"),
        external_id=shape.get("external_id"),
        shows_runs=shape.get("shows_runs") is True,
        folder=None if shape.get("folder") is None else FolderId(str(shape["folder"])),
    )


def role_of(
    principal: Principal, access: WorkspaceAccess, link: Role | None = None, inherited: Role | None = None
) -> Role | None:
    """The role of a principal in a workspace; None for who may not know that it is there.

    Args:
        principal: who asks.
        access: the workspace's record; `UNCLAIMED` for one without.
        link: the role of a share link of this workspace that they opened and that is valid now.
        inherited: the role that they have in its folder (`folders.role_in`).
    """
    if principal.kind == "local":
        return principal.limit or "owner"
    if principal.kind == "stranger":
        return None
    if principal.application is not None and principal.application != access.application:
        return None
    role = granted_role(principal, access)
    if principal.kind == "key" and principal.application is not None:
        role = "owner"
    role = larger(larger(role, link), inherited)
    return role if principal.limit is None else smaller(role, principal.limit)
