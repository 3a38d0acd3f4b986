"""Calls that wait for a yes, in the hash of their run; implements `ports.approvals.ApprovalStore`."""

from __future__ import annotations

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.assistant.run_rows import verdict_of
from draftsmith.adapters.redis.assistant.run_values import pack
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.pool import Argument
from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.approvals import Approval, Verdict


class RedisApprovals:
    """What waits for a yes in every workspace of one store."""

    _connection: RedisConnection

    async def ask_approval(
        self, workspace_id: WorkspaceId, run_id: RunId, approval: Approval, *, worker: str, wait_ms: int
    ) -> bool:
        """Have a call wait for a yes; see `ports.approvals.ApprovalStore`."""
        names = [WorkspaceKeys(workspace_id).run(run_id)]
        given: list[Argument] = [approval.id, wait_ms, pack(approval.to_json()), worker]
        return bool(await self._connection.write.script(scripts.ASK_APPROVAL, names, given))

    async def answer_approval(
        self, workspace_id: WorkspaceId, run_id: RunId, approval_id: str, verdict: Verdict
    ) -> Verdict | None:
        """Answer a call that waits; see `ports.approvals.ApprovalStore`."""
        names = [WorkspaceKeys(workspace_id).run(run_id)]
        said = f"{'yes' if verdict.allow else 'no'} {verdict.by}"
        return verdict_of(await self._connection.write.script(scripts.ANSWER_APPROVAL, names, [approval_id, said]))

    async def close_approval(self, workspace_id: WorkspaceId, run_id: RunId, approval_id: str) -> Verdict | None:
        """End the waiting; see `ports.approvals.ApprovalStore`."""
        names = [WorkspaceKeys(workspace_id).run(run_id)]
        return verdict_of(await self._connection.write.script(scripts.CLOSE_APPROVAL, names, [approval_id]))
