"""Agents and people in one workspace at random; the long form is `python -m tests.simulation.agents`."""

from __future__ import annotations

from tests.simulation.agents.crowd import play
from tests.simulation.live.deployment import deployment


async def test_nothing_of_a_person_is_overwritten_unseen(redis_server: str) -> None:
    """All pages equal the log, commits name agent and person, and what agents took away they had been shown."""
    async with deployment(redis_server) as workers:
        found = await play(workers, "1", agents=3, people=2, acts=25, seconds=0)
    print(found)
    assert found["agent_commits"] > 5
    assert found["refused"].keys() & {"stale_base", "unread_change"}
