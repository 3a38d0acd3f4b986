"""The roles that somebody may have in a workspace, from the least to the most."""

from __future__ import annotations

from typing import Final, Literal, get_args

Role = Literal["viewer", "commenter", "editor", "owner"]
"""viewer: reads. commenter: asks the assistant and proposes, accepts nothing. editor: changes. owner: decides who may
what."""

ROLES: Final[tuple[Role, ...]] = get_args(Role)
_RANK: Final = {role: rank for rank, role in enumerate(ROLES)}


def is_at_least(role: Role | None, least: Role) -> bool:
    """Whether a role, or none, allows what needs another."""
    return role is not None and _RANK[role] >= _RANK[least]


def larger(one: Role | None, other: Role | None) -> Role | None:
    """The one that allows more."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=_RANK.__getitem__)


def smaller(one: Role | None, other: Role | None) -> Role | None:
    """The one that allows less; None where one of them is none."""
    if one is None or other is None:
        return None
    return min(one, other, key=_RANK.__getitem__)
