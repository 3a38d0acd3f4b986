"""Who asks, after every credential of the request has been checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from draftsmith.access.roles import Role
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId

Kind = Literal["local", "stranger", "guest", "user", "key", "delegate"]
"""local: anybody, in local mode. stranger: no credential. guest: a browser profile with share links. user: signed in,
or a personal key or token of theirs. key: a key of no person. delegate: somebody for whom an application acts."""

NOBODY: Final = Actor("nobody", "Nobody", "script")
"""Stands for who has shown no credential; such a request changes nothing, so it is in no log."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks.

    Attributes:
        actor: as commits name them; `actor.id` is the principal's id, and undo goes by it.
        kind: how they are known.
        groups: what their issuer says they belong to.
        is_admin: whether they administer this installation.
        links: the share links opened in this browser, by workspace.
        limit: no more than this in any workspace; None for no limit. Keys may have one.
        application: the application whose workspaces alone a delegate key reaches; None for anybody else.
        credential: what the request showed, by a name that is no secret, such as `key 01J…`; for audit.
        credential_name: what its owner calls it; empty where it has no name.
        made_by: who made the key of no person with which they ask, and so answers for it; empty for nobody.
    """

    actor: Actor
    kind: Kind
    groups: frozenset[str] = frozenset()
    is_admin: bool = False
    links: Mapping[WorkspaceId, str] = field(default_factory=lambda: MappingProxyType({}))
    limit: Role | None = None
    application: str | None = None
    credential: str = ""
    credential_name: str = ""
    made_by: str = ""

    @property
    def is_known(self) -> bool:
        """Whether they are anybody in particular."""
        return self.kind != "stranger"

    @property
    def is_signed_in(self) -> bool:
        """Whether this installation knows them by themselves, not by a link."""
        return self.kind in ("local", "user", "key", "delegate")


STRANGER: Final = Principal(NOBODY, "stranger")
