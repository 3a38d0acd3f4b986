"""Proposals in Redis; implements `ports.proposals.ProposalStore`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.assistant.run_values import check_closing, pack, unpack
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.model.ids import ProposalId, WorkspaceId
from draftsmith.ports.proposals import ProposalRow

_FIELDS = ("status", "content", "outcome", "created_us", "expires")
_US = 1000
_STEP = 64
"""Proposals read in one go; each may be large."""


class RedisProposals:
    """The proposals of every workspace of one store."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def put_proposal(
        self, workspace_id: WorkspaceId, proposal_id: ProposalId, content: bytes, ttl_ms: int
    ) -> bool:
        """Store an open proposal; False (and nothing changed) if the id is known."""
        keys = WorkspaceKeys(workspace_id)
        names = [keys.proposal(proposal_id), keys.proposals]
        return bool(await self._connection.write.script(scripts.PUT_PROPOSAL, names, [proposal_id, content, ttl_ms]))

    async def proposal(self, workspace_id: WorkspaceId, proposal_id: ProposalId) -> ProposalRow | None:
        """One proposal; None also when it has expired."""
        key = WorkspaceKeys(workspace_id).proposal(proposal_id)
        return _row(proposal_id, await self._connection.read.command("HMGET", key, *_FIELDS))

    async def proposals(self, workspace_id: WorkspaceId) -> list[ProposalRow]:
        """All that are kept, newest first; accepted and rejected ones until they expire."""
        keys = WorkspaceKeys(workspace_id)
        names = [
            ProposalId(name.decode()) for name in await self._connection.read.command("ZRANGE", keys.proposals, 0, -1)
        ]
        values: list[list[bytes | None]] = []
        for at in range(0, len(names), _STEP):
            commands = [("HMGET", keys.proposal(name), *_FIELDS) for name in names[at : at + _STEP]]
            values += await self._connection.read.commands(commands)
        present = [
            (int(each[3] or 0), name, each) for name, each in zip(names, values, strict=True) if each[0] is not None
        ]
        rows = [_row(name, each) for _, name, each in sorted(present, reverse=True)]
        return [row for row in rows if row is not None]

    async def close_proposal(
        self, workspace_id: WorkspaceId, proposal_id: ProposalId, status: str, outcome: Mapping[str, object]
    ) -> bool:
        """Close an open proposal as `accepted`, `rejected` or `withdrawn`; False if it was not open.

        Raises:
            ValueError: `status` is none of these.
        """
        check_closing(status)
        names = [WorkspaceKeys(workspace_id).proposal(proposal_id)]
        return bool(await self._connection.write.script(scripts.CLOSE_PROPOSAL, names, [status, pack(outcome)]))


def _row(proposal_id: ProposalId, values: Sequence[bytes | None]) -> ProposalRow | None:
    """Read a proposal from the values of `_FIELDS`; None if there is none."""
    if values[0] is None:
        return None
    status, content, outcome, created_us, expires = (value or b"" for value in values)
    return ProposalRow(
        id=proposal_id,
        status=status.decode(),
        content=content,
        outcome=unpack(outcome),
        created_ms=int(created_us) // _US,
        expires_ms=int(expires),
    )
