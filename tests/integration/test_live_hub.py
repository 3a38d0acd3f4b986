"""The hub of live on the real store: what pages are told, who write at the same time, here and on another worker."""

from __future__ import annotations

from typing import Any

from tests.integration.desks import ANA, BEN
from tests.integration.live_pages import worker


def add(name: str, **more: Any) -> dict[str, Any]:
    return {"op": "add_node", "id": name, "type": "service", "label": name.title(), **more}


async def test_a_page_is_welcomed_and_given_the_state(redis_url: str) -> None:
    async with worker(redis_url) as one:
        await one.desk.make_shop()
        page = await one.sit(ANA)
        assert page.kinds()[0] == ["welcome", "state", "roster"]
        welcome, state, roster = page.frames[0]
        assert (welcome["resumed"], welcome["me"]["name"], state["why"]) == (False, "Ana", "fresh")
        assert [member["member"] for member in roster["members"]] == [welcome["member"]] == [page.seat.member]


async def test_two_pages_see_each_others_commits_and_only_the_writer_an_answer(redis_url: str) -> None:
    async with worker(redis_url) as one:
        await one.desk.make_shop()
        ana, ben = await one.sit(ANA), await one.sit(BEN)
        answer = await ana.do("submit", "write-0001", operations=[add("cache")])
        assert (answer["t"], answer["changed"], answer["replayed"]) == ("committed", True, False)
        await ben.until_rev(answer["rev"])
        assert ana.shape == ben.shape
        assert not ben.told("committed")
        frame = next(frame for frame in ana.frames if any(one["t"] == "committed" for one in frame))
        assert [message["t"] for message in frame][:2] == ["committed", "commit"]
