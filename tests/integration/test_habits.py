"""Every habit of `tests.replay`, played: forms that models write are understood, what is refused is told and mended."""

from __future__ import annotations

from tests.replay.habits import habits, play_all


async def test_every_habit_comes_to_what_was_meant(redis_url: str) -> None:
    """Through the real SDK, loop, parser and store; each on a workspace of its own."""
    played = await play_all(redis_url, habits())
    assert {one.habit.id: one.wrong for one in played if one.wrong} == {}
    assert len({one.habit.id for one in played}) == len(played) > 25
