"""Short-lived credentials for `/live`: a page of another origin sends one instead of a cookie, which browsers withhold.

A ticket is issued to a caller (the page's own backend, say) for one workspace and one connection, in the caller's name,
for half a minute. It says what the caller showed, so the connection ends when that is worth nothing any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import orjson

from draftsmith.access.records import hash_of
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Clock
from draftsmith.ports.access import OneTimeStore
from draftsmith.usecases.access.credentials import Credential, credential_from_json
from draftsmith.usecases.access.dependencies import new_secret

LIFE_MS: Final = 30_000
_PREFIX: Final = "dst_"
_NAME: Final = "live-ticket:"


@dataclass(frozen=True)
class LiveTickets:
    """Issues tickets and redeems each once."""

    store: OneTimeStore
    clock: Clock

    async def issue(self, workspace_id: WorkspaceId, credential: Credential) -> tuple[str, int]:
        """Issue a ticket; returns it and when it expires, milliseconds since 1970."""
        ticket = new_secret(_PREFIX)
        kept = orjson.dumps({"w": workspace_id, "shown": credential.to_json()}).decode()
        await self.store.put(_NAME + hash_of(ticket), kept, LIFE_MS)
        return ticket, self.clock.now_ms() + LIFE_MS

    async def take(self, ticket: str, workspace_id: WorkspaceId) -> Credential:
        """What the one showed to whom a ticket was issued; it is worth nothing afterwards.

        Raises:
            DraftsmithError: `unauthorized` if it is none, for another workspace, used or expired.
        """
        text = await self.store.take(_NAME + hash_of(ticket)) if ticket.startswith(_PREFIX) else None
        kept = None if text is None else orjson.loads(text)
        if kept is None or kept["w"] != workspace_id:
            raise DraftsmithError("unauthorized", "This ticket does not open this workspace now; ask for a new one.")
        return credential_from_json(kept["shown"])
