"""Agents are told of while they work, and not any more when they have been silent."""

from __future__ import annotations

import asyncio

import pytest

from draftsmith.adapters.process.system import SystemClock
from draftsmith.collab.gossip_message import GossipMessage, read_gossip
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.agents import presence
from draftsmith.usecases.agents.agent import Agent
from draftsmith.usecases.agents.presence import SILENT_AFTER_S, AgentPresence
from tests.timeouts import timeout

W = WorkspaceId("0" * 26)
ROBOT = Agent("key:1", Actor("agent:key:1", "Robot · for Ada", "agent"), Actor("user:1", "Ada", "person"))
OTHER = Agent("key:2", Actor("agent:key:2", "Other · for Ada", "agent"), Actor("user:1", "Ada", "person"))


class Clock(SystemClock):
    """Time stands still until it is set."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


class Heard:
    """What other workers are sent; the rest of `Wakes` is not used."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[GossipMessage] = asyncio.Queue()

    async def send_presence(self, workspace_id: WorkspaceId, content: bytes) -> None:
        assert workspace_id == W
        self.messages.put_nowait(read_gossip(content))

    async def next(self) -> GossipMessage:
        async with timeout():
            return await self.messages.get()


def member_names(message: GossipMessage) -> list[str]:
    return sorted(entry.name for entry in (message.members or {}).values())


async def test_who_works_is_told_of_until_it_has_been_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "SEND_ALL_S", 0.001)
    heard, clock = Heard(), Clock()
    here = AgentPresence(heard, clock)  # type: ignore[arg-type]  # the one method of the port that it uses
    here.note(W, ROBOT)
    assert member_names(await heard.next()) == ["Robot · for Ada"]
    here.note(W, OTHER, is_stopped=True)
    while member_names(message := await heard.next()) != ["Other · for Ada (stopped)", "Robot · for Ada"]:
        assert not message.is_last
    clock.now = SILENT_AFTER_S
    here.note(W, OTHER)
    clock.now = SILENT_AFTER_S + 1
    while member_names(message := await heard.next()) != ["Other · for Ada"]:
        assert not message.is_last
    clock.now = 3 * SILENT_AFTER_S
    while not (message := await heard.next()).is_last:
        pass
    here.note(W, ROBOT)
    begun = await heard.next()
    assert (member_names(begun), begun.instance == message.instance) == (["Robot · for Ada"], False), "it begins anew"
    await here.close()
    while not (await heard.next()).is_last:
        pass
