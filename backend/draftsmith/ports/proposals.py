"""What proposals need of a store. A proposal's content is opaque bytes to it.

One contract suite (`tests/contracts`) runs on every adapter. Every method raises `StorageError` when the store cannot
be reached; then a change may or may not have happened, and repeating it settles that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from draftsmith.model.ids import ProposalId, WorkspaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRow:
    """A proposal as it stands in the store.

    Attributes:
        id: given by the caller.
        status: `open`, `accepted`, `rejected` or `withdrawn`.
        content: the proposal, encoded.
        outcome: what became of it; empty while it is open.
        created_ms: by the store's clock.
        expires_ms: by the store's clock.
    """

    id: ProposalId
    status: str
    content: bytes
    outcome: Mapping[str, object]
    created_ms: int
    expires_ms: int


class ProposalStore(Protocol):
    """Proposals of every workspace."""

    async def put_proposal(
        self, workspace_id: WorkspaceId, proposal_id: ProposalId, content: bytes, ttl_ms: int
    ) -> bool:
        """Store an open proposal; False (and nothing changed) if the id is known."""
        ...

    async def proposal(self, workspace_id: WorkspaceId, proposal_id: ProposalId) -> ProposalRow | None:
        """One proposal; None also when it has expired."""
        ...

    async def proposals(self, workspace_id: WorkspaceId) -> list[ProposalRow]:
        """All that are kept, newest first; accepted and rejected ones until they expire."""
        ...

    async def close_proposal(
        self, workspace_id: WorkspaceId, proposal_id: ProposalId, status: str, outcome: Mapping[str, object]
    ) -> bool:
        """Close an open proposal as `accepted`, `rejected` or `withdrawn`; False if it was not open."""
        ...
