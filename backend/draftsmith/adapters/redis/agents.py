"""What is kept about agents; implements `AgentStore`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys, refused_of_agent
from draftsmith.model.ids import WorkspaceId

_WEEK_MS: Final = 7 * 24 * 3_600_000
_MINUTES_MS: Final = 10 * 60_000
MOST_MARKS: Final = 8_000
"""Marks of one agent in one workspace: some 300 kB."""
_EPOCH: Final = b"epoch"
_STEP: Final = 2_000  # marks that one call adds


@dataclass(frozen=True)
class RedisAgents:
    """What agents were shown, and what they repeat."""

    connection: RedisConnection

    async def marks(self, agent: str, workspace_id: WorkspaceId, epoch: str) -> Mapping[str, int]:
        """What an agent was shown; of another epoch nothing."""
        found = await self.connection.read.command("HGETALL", _seen_key(agent, workspace_id))
        pairs = found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True)
        marks = dict(pairs)
        if marks.pop(_EPOCH, b"").decode() != epoch:
            return {}
        return {mark.decode(): int(revision) for mark, revision in marks.items()}

    async def add_marks(
        self, agent: str, workspace_id: WorkspaceId, epoch: str, marks: Sequence[str], revision: int
    ) -> None:
        """Add what it was shown."""
        key = _seen_key(agent, workspace_id)
        for start in range(0, len(marks), _STEP):
            part = marks[start : start + _STEP]
            await self.connection.write.script(scripts.ADD_MARKS, [key], [epoch, revision, _WEEK_MS, MOST_MARKS, *part])

    async def refusals(self, agent: str, fingerprint: str) -> int:
        """How often in a row a call was refused."""
        printed, count = await self.connection.read.command("HMGET", refused_of_agent(_hash(agent)), "print", "count")
        return int(count) if printed is not None and printed.decode() == fingerprint else 0

    async def count_refusal(self, agent: str, fingerprint: str) -> int:
        """Count a call that was refused."""
        key = refused_of_agent(_hash(agent))
        return int(await self.connection.write.script(scripts.COUNT_REFUSED, [key], [fingerprint, _MINUTES_MS]))

    async def clear_refusals(self, agent: str) -> None:
        """A call was done."""
        await self.connection.write.command("DEL", refused_of_agent(_hash(agent)))


def _seen_key(agent: str, workspace_id: WorkspaceId) -> str:
    return WorkspaceKeys(workspace_id).agent_marks(_hash(agent))


def _hash(agent: str) -> str:
    return hashlib.sha256(agent.encode()).hexdigest()[:16]
