"""Runs and proposals as pages see them: what goes on, to whom it concerns, on every worker."""

from __future__ import annotations

import asyncio

from draftsmith.assistant.context.focus import Focus
from draftsmith.collab.shared_state import LatestRows
from draftsmith.history.replica import Replica
from tests.integration.assistant_workers import ANA, BEN
from tests.integration.live_pages import Page, worker
from tests.integration.test_runs_with_a_model import CACHE, DONE
from tests.standin import Standin, ToolUse, Turn, serve


def statuses(page: Page) -> list[str]:
    """The statuses of the runs that the page was told of last."""
    return [run["status"] for run in page.received("runs")[-1]["runs"]] if page.received("runs") else []


async def test_everybody_sees_a_run_and_only_the_asker_what_was_asked(redis_url: str) -> None:
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE)]), DONE])
    async with (
        serve(standin) as url,
        worker(redis_url, "left", model_url=url) as left,
        worker(redis_url, "right") as right,
    ):
        right.base.w = await left.base.make_shop()
        ana, ben, far = await left.join(ANA), await left.join(BEN), await right.join(BEN)
        goes_on = asyncio.Event()

        async def hold(turn: int) -> None:
            if turn == 2:
                await goes_on.wait()

        left.base.before_turn(hold)
        run = await left.base.start("Put a cache before the database.", focus=Focus(nodes=["db"]))
        for page in (ana, ben, far):
            await page.until(lambda one: statuses(one) == ["running"], "the run goes on")
        mine, theirs = (page.received("runs")[-1]["runs"][0] for page in (ana, ben))
        assert (mine["id"], mine["prompt"]) == (run["id"], "Put a cache before the database.")
        assert mine["focus"]["nodes"] == ["db"]
        assert "prompt" not in theirs
        assert "focus" not in theirs
        assert theirs["actor"]["name"] == "Ana"
        newcomer = await right.join(ANA)
        await newcomer.until(lambda one: statuses(one) == ["running"])
        ben.send("watch", run=run["id"])
        await ben.until(lambda one: any(message["event"]["type"] == "staged" for message in one.received("run_event")))
        goes_on.set()
        for page in (ana, ben, far, newcomer):
            await page.until(lambda one: statuses(one) == ["applied"], "the run is over")
        await ben.until(lambda one: one.received("run_event")[-1]["event"]["type"] == "end")
        events = await left.base.events(run["id"])
        assert [message["event"] for message in ben.received("run_event")] == events
        assert not ana.received("run_event"), "only who watches is told"
        assert ana.received("commit")[-1]["by"]["kind"] == "assistant"


async def test_events_come_after_the_one_that_was_seen_last(redis_url: str) -> None:
    async with worker(redis_url) as one:
        await one.base.make_shop()
        run = await one.base.start("add a cache called Hot")
        ana = await one.join(ANA)
        ana.send("watch", run=run["id"])
        await ana.until(
            lambda page: page.received("run_event") and page.received("run_event")[-1]["event"]["type"] == "end"
        )
        every = ana.received("run_event")
        ben = await one.join(BEN)
        ben.send("watch", run=run["id"], after=every[0]["id"])
        await ben.until(lambda page: len(page.received("run_event")) == len(every) - 1)
        assert ben.received("run_event") == every[1:]
        ana.send("watch", run="0" * 26)
        gone = await ana.until(lambda page: page.received("run_gone"))
        assert (gone[0]["run"], gone[0]["code"]) == ("0" * 26, "run_not_found")
        ana.send("unwatch", run=run["id"])


async def test_proposals_are_seen_until_somebody_decides(redis_url: str) -> None:
    async with worker(redis_url, heartbeat=0.2) as one:
        await one.base.make_shop()
        ana, ben = await one.join(ANA), await one.join(BEN)
        run = await one.base.start("rename Mailer to Postman", mode="propose")
        for page in (ana, ben):
            await page.until(lambda one: one.received("proposals"))
        shown = ben.received("proposals")[-1]["proposals"][0]
        assert (shown["id"], shown["fit"]) == (run["outcome"]["proposal"], "fits")
        assert "prompt" not in shown
        assert ana.received("proposals")[-1]["proposals"][0]["prompt"] == "rename Mailer to Postman"
        newcomer = await one.join(BEN)
        assert "proposals" in newcomer.kinds()[0]
        await one.base.edit(BEN, {"op": "update_node", "id": "worker", "label": "Sender"})
        await ben.until(lambda one: one.received("proposals")[-1]["proposals"][0]["fit"] == "conflicts")
        await one.base.proposals.reject(one.base.w, shown["id"], ANA)
        for page in (ana, ben, newcomer):
            await page.until(lambda one: one.received("proposals")[-1]["proposals"] == [])


async def test_proposals_are_looked_at_also_where_a_frame_was_quicker_than_word_of_the_move(redis_url: str) -> None:
    """A page that is given the whole state has the room follow what it has not been told of yet."""
    async with worker(redis_url, heartbeat=1_000.0) as one:
        await one.base.make_shop()
        await one.base.start("rename Mailer to Postman", mode="propose")
        ana = await one.join(ANA)
        await ana.until(lambda page: page.received("proposals"))
        room, listeners = one.live._slots[one.base.w].room, one.base.workspaces._listeners
        assert room is not None
        moved = listeners[one.base.w]

        def moved_late(replica: Replica | None) -> None:
            room.room.workspace_moved(replica)
            moved(replica)

        listeners[one.base.w] = moved_late
        with room.subscribe() as event:
            await one.base.edit(BEN, {"op": "update_node", "id": "worker", "label": "Sender"})
            assert event.is_set(), "who follows the log is told"
        await ana.until(lambda page: page.received("proposals")[-1]["proposals"][0]["fit"] == "conflicts")


async def test_two_looks_at_the_same_thing_are_equal(redis_url: str) -> None:
    """So nothing is told where nothing changed."""
    async with worker(redis_url) as one:
        w = await one.base.make_shop()
        await one.base.start("rename Mailer to Postman", mode="propose")
        runs, proposals = LatestRows("runs"), LatestRows("proposals")
        for is_first in (True, False):
            found = await one.base.assistant.recent_runs(w, 60_000)
            assert runs.put(found) is is_first
            assert proposals.put(await one.base.proposals.list(w)) is is_first
            await one.base.edit(BEN, {"op": "update_node", "id": "web", "notes": "Has nothing to do with it"})
