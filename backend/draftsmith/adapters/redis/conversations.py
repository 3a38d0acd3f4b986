"""The half of `ports.runs.RunStore` in Redis that is not about runs: the conversation, proposals, the switch."""

from __future__ import annotations

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.run_rows import PROPOSAL_FIELDS, newest_first, proposal_row
from draftsmith.adapters.redis.run_values import check_closing, pack, unpack
from draftsmith.adapters.redis.stream_ids import last_before
from draftsmith.model.ids import ProposalId, WorkspaceId
from draftsmith.ports.runs import Json, ProposalRow

_STEP = 64
"""Proposals read in one go; each may be large."""


class RedisDesk:
    """What the assistant keeps of every workspace beside its runs."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    async def talks(self, workspace_id: WorkspaceId, *, before: str | None, count: int) -> list[tuple[str, Json]]:
        """Turns of the conversation with their ids, newest first.

        Raises:
            DraftsmithError: `invalid_request`; `before` is no id.
        """
        end = "+" if before is None else last_before(before)
        if count < 1:
            return []
        key = WorkspaceKeys(workspace_id).talks
        found = await self._connection.read.command("XREVRANGE", key, end, "-", "COUNT", count)
        return [(name.decode(), unpack(fields[b"t"])) for name, fields in found]

    async def clear_talks(self, workspace_id: WorkspaceId) -> None:
        """Forget the conversation; workspace, runs and proposals stay."""
        await self._connection.write.command("UNLINK", WorkspaceKeys(workspace_id).talks)

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
        return proposal_row(proposal_id, await self._connection.read.command("HMGET", key, *PROPOSAL_FIELDS))

    async def proposals(self, workspace_id: WorkspaceId) -> list[ProposalRow]:
        """All that are kept, newest first; accepted and rejected ones until they expire."""
        keys = WorkspaceKeys(workspace_id)
        names = [name.decode() for name in await self._connection.read.command("ZRANGE", keys.proposals, 0, -1)]
        values: list[list[bytes | None]] = []
        for at in range(0, len(names), _STEP):
            commands = [("HMGET", keys.proposal(name), *PROPOSAL_FIELDS) for name in names[at : at + _STEP]]
            values += await self._connection.read.commands(commands)
        return newest_first(list(zip(names, values, strict=True)))

    async def settle_proposal(
        self, workspace_id: WorkspaceId, proposal_id: ProposalId, status: str, outcome: Json
    ) -> bool:
        """Close an open proposal as `accepted` or `rejected`; False if it was not open.

        Raises:
            ValueError: it is to be closed as anything else.
        """
        check_closing(status)
        names = [WorkspaceKeys(workspace_id).proposal(proposal_id)]
        return bool(await self._connection.write.script(scripts.SETTLE_PROPOSAL, names, [status, pack(outcome)]))

    async def is_switched_off(self, workspace_id: WorkspaceId) -> bool:
        """Whether the assistant is switched off in this workspace."""
        return bool(await self._connection.read.command("EXISTS", WorkspaceKeys(workspace_id).runs_off))

    async def switch(self, workspace_id: WorkspaceId, *, off: bool) -> None:
        """Switch it off or on; runs that are alive go on."""
        key = WorkspaceKeys(workspace_id).runs_off
        await self._connection.write.command(*(("SET", key, b"1") if off else ("UNLINK", key)))
