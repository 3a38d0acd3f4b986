"""What the use cases of access need, and what every one of them is told about who asks."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from draftsmith.access.principal import Principal
from draftsmith.access.records import AccessChange, AccessChangeKind, AuditEntry
from draftsmith.ports import Clock
from draftsmith.ports.access import AccessStores
from draftsmith.ports.identity import SignIn, TokenVerifier

_SECRET_BYTES: Final = 32


@dataclass(frozen=True, kw_only=True)
class AccessDependencies:
    """The ports behind access.

    Attributes:
        verifier: checks tokens of an issuer; None where none is configured.
        sign_in: the issuer with which people sign in; None where none is configured.
        issuer_session_ms: how long somebody stays signed in who came from the issuer; then it is asked again, so that
            who was removed there does not stay here.
        most_of_application: workspaces that one application may have.
        is_local: this server runs for this machine alone, where everybody may everything and keys are of profiles.
    """

    stores: AccessStores
    clock: Clock
    verifier: TokenVerifier | None = None
    sign_in: SignIn | None = None
    issuer_session_ms: int = 24 * 3_600_000
    most_of_application: int = 10_000
    is_local: bool = False

    async def note(
        self, asking: Asking, what: str, detail: str = "", workspace_id: str = "", folder_id: str = ""
    ) -> None:
        """Write into the audit what was done."""
        actor = asking.principal.actor
        entry = AuditEntry(
            self.clock.now_ms(), actor.id, actor.name, what, asking.address, workspace_id, detail, folder_id
        )
        await self.stores.audit.add(entry)

    async def tell(self, kind: AccessChangeKind, id_: str) -> None:
        """Have every worker look again at what is open and may not be any more."""
        await self.stores.news.tell(AccessChange(kind, id_))


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, and from where."""

    principal: Principal
    address: str = ""


def new_secret(prefix: str) -> str:
    """Make a secret of 256 random bits."""
    return prefix + secrets.token_urlsafe(_SECRET_BYTES)
