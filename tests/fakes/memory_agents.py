"""What is kept about agents, in memory, with the semantics of the Redis adapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from draftsmith.adapters.redis.agents import MOST_MARKS
from draftsmith.model.ids import WorkspaceId


class MemoryAgents:
    """Implements `ports.agents.AgentStore`; nothing expires."""

    def __init__(self) -> None:
        self._marks: dict[tuple[str, str], tuple[str, dict[str, int]]] = {}
        self._refused: dict[str, tuple[str, int]] = {}

    async def marks(self, agent: str, workspace_id: WorkspaceId, epoch: str) -> Mapping[str, int]:
        known, marks = self._marks.get((agent, workspace_id), ("", {}))
        return dict(marks) if known == epoch else {}

    async def add_marks(
        self, agent: str, workspace_id: WorkspaceId, epoch: str, marks: Sequence[str], revision: int
    ) -> None:
        found = dict(await self.marks(agent, workspace_id, epoch))
        for mark in marks:
            found[mark] = max(revision, found.get(mark, -1))
        newest = sorted(found.items(), key=lambda item: (item[1], item[0]))[-MOST_MARKS:]
        self._marks[agent, workspace_id] = epoch, dict(newest)

    async def refusals(self, agent: str, fingerprint: str) -> int:
        known, count = self._refused.get(agent, ("", 0))
        return count if known == fingerprint else 0

    async def count_refusal(self, agent: str, fingerprint: str) -> int:
        count = await self.refusals(agent, fingerprint) + 1
        self._refused[agent] = fingerprint, count
        return count

    async def clear_refusals(self, agent: str) -> None:
        self._refused.pop(agent, None)
