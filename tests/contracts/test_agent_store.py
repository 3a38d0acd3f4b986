"""What every store of agents promises: marks that only grow, of one history, and bounded; refusals in a row."""

from __future__ import annotations

import pytest

from draftsmith.adapters.redis.agents import MOST_MARKS, RedisAgents
from draftsmith.ports.agents import AgentStore
from tests.contracts.backends import Backend, RedisBackend
from tests.contracts.lines import new_w
from tests.fakes.memory_agents import MemoryAgents


@pytest.fixture
def agents(backend: Backend) -> AgentStore:
    return RedisAgents(backend.connection) if isinstance(backend, RedisBackend) else MemoryAgents()


async def test_marks_only_grow_and_are_of_one_agent_one_workspace_and_one_history(agents: AgentStore) -> None:
    w, other = new_w(), new_w()
    await agents.add_marks("key:a", w, "e1", ["lines", "nabc"], 5)
    await agents.add_marks("key:a", w, "e1", ["lines"], 9)
    await agents.add_marks("key:a", w, "e1", ["lines", "text"], 7)
    assert await agents.marks("key:a", w, "e1") == {"lines": 9, "nabc": 5, "text": 7}
    assert await agents.marks("key:b", w, "e1") == await agents.marks("key:a", other, "e1") == {}
    assert await agents.marks("key:a", w, "e2") == {}, "another history"
    await agents.add_marks("key:a", w, "e2", ["text"], 1)
    assert await agents.marks("key:a", w, "e2") == {"text": 1}
    assert await agents.marks("key:a", w, "e1") == {}


async def test_marks_of_the_oldest_revisions_give_way(agents: AgentStore) -> None:
    w = new_w()
    await agents.add_marks("key:a", w, "e1", ["oldest"], 1)
    await agents.add_marks("key:a", w, "e1", [f"n{number}" for number in range(MOST_MARKS)], 2)
    marks = await agents.marks("key:a", w, "e1")
    assert len(marks) == MOST_MARKS
    assert "oldest" not in marks


async def test_refusals_of_the_same_call_are_counted_until_another_is_made(agents: AgentStore) -> None:
    assert [await agents.count_refusal("key:a", "one") for _ in range(3)] == [1, 2, 3]
    assert await agents.refusals("key:a", "one") == 3
    assert await agents.refusals("key:a", "two") == await agents.refusals("key:b", "one") == 0
    assert await agents.count_refusal("key:a", "two") == 1
    assert await agents.count_refusal("key:a", "one") == 1
    await agents.clear_refusals("key:a")
    assert await agents.refusals("key:a", "one") == 0
