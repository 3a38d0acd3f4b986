"""Agents among those who are here: told to the rooms of all workers while an agent works, until it has been silent.

A room takes what is told for that of another worker, so pages show an agent like anybody else. Nothing is stored or
logged. An agent whose calls reach several workers is one member.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from typing import Final

from draftsmith.collab.gossip_message import GossipMessage, InstanceId, MemberId, RosterEntry
from draftsmith.collab.presence_gossip import SEND_ALL_S
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Clock
from draftsmith.ports.live import Wakes
from draftsmith.usecases.agents.agent import Agent

SILENT_AFTER_S: Final = 60.0
"""Seconds after its last call until an agent counts as gone."""
_STOPPED: Final = " (stopped)"


@dataclass(slots=True)
class _Member:
    entry: RosterEntry
    last_at: float


class AgentPresence:
    """The agents that work in workspaces through this worker."""

    def __init__(self, wakes: Wakes, clock: Clock) -> None:
        self._wakes, self._clock = wakes, clock
        self._members: dict[WorkspaceId, dict[MemberId, _Member]] = {}
        self._tasks: dict[WorkspaceId, asyncio.Task[None]] = {}
        self._news: dict[WorkspaceId, asyncio.Event] = {}

    def note(self, workspace_id: WorkspaceId, agent: Agent, *, is_stopped: bool = False) -> None:
        """An agent works in a workspace, or was stopped there."""
        members = self._members.setdefault(workspace_id, {})
        member = MemberId(f"agent-{hashlib.sha256(agent.id.encode()).hexdigest()[:16]}")
        name = f"{agent.actor.name}{_STOPPED}" if is_stopped else agent.actor.name
        now = self._clock.monotonic()
        known = members.get(member)
        if known is not None and known.entry.name == name:
            known.last_at = now
            return
        since = self._clock.now_ms() if known is None else known.entry.since
        members[member] = _Member(RosterEntry(agent.actor.id, name, "agent", since, 0, {}), now)
        if workspace_id in self._tasks:
            self._news[workspace_id].set()
            return
        self._news[workspace_id] = asyncio.Event()
        self._tasks[workspace_id] = asyncio.create_task(self._tell(workspace_id), name=f"agents in {workspace_id}")

    async def _tell(self, workspace_id: WorkspaceId) -> None:
        """Tell who is there as long as somebody is, and then that nobody is any more."""
        instance, number = InstanceId(self._clock.new_id()), 0
        news, members = self._news[workspace_id], self._members[workspace_id]
        while members:
            news.clear()
            number += 1
            shown = {member: one.entry for member, one in members.items()}
            await self._wakes.send_presence(workspace_id, GossipMessage(instance, number, shown).encode())
            try:
                async with asyncio.timeout(SEND_ALL_S):
                    await news.wait()
            except TimeoutError:
                pass
            gone = self._clock.monotonic() - SILENT_AFTER_S
            for member in [member for member, one in members.items() if one.last_at < gone]:
                del members[member]
        # Nothing waits from here on, so whoever comes now begins anew.
        del self._tasks[workspace_id], self._members[workspace_id], self._news[workspace_id]
        await self._wakes.send_presence(workspace_id, GossipMessage(instance, number + 1, is_last=True).encode())

    async def close(self) -> None:
        """Tell that nobody works through this worker any more."""
        tasks = list(self._tasks.values())
        for members in self._members.values():
            members.clear()
        for news in self._news.values():
            news.set()
        if tasks:
            await asyncio.wait(tasks)
