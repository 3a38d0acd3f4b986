"""What a record of who may what gives to somebody; those of workspaces and of folders alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from draftsmith.access.principal import Principal
from draftsmith.access.roles import ROLES, Role, larger


class Grants(Protocol):
    """A record that gives roles; see `WorkspaceAccess` for its fields."""

    @property
    def owner(self) -> str:
        """Id of the principal that owns it; empty where administrators do."""

    @property
    def members(self) -> Mapping[str, Role]:
        """Role by principal id."""

    @property
    def groups(self) -> Mapping[str, Role]:
        """Role by group."""

    @property
    def everyone(self) -> Role | None:
        """The role of everybody who is signed in."""


def granted_role(principal: Principal, record: Grants) -> Role | None:
    """The role that a record gives to somebody; None for none."""
    role = record.members.get(principal.actor.id)
    if record.owner == principal.actor.id or (not record.owner and principal.is_admin):
        role = "owner"
    if principal.is_signed_in:
        role = larger(role, record.everyone)
        for group in principal.groups:
            role = larger(role, record.groups.get(group))
    return role


def roles_from_json(shape: Mapping[str, object]) -> dict[str, Role]:
    """Read roles by name; what is no role is left out."""
    return {str(id_): role for id_, role in shape.items() if role in ROLES}
