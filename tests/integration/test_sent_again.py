"""A write that a page sends again over another connection happens once, and what the page is told of it holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from draftsmith.ports import AppendOutcome
from tests.integration.assistant_workers import ANA, BEN
from tests.integration.live_pages import Page, Worker
from tests.integration.test_live_hub import add
from tests.integration.test_live_hub_workers import two_workers
from tests.timeouts import timeout

ID = "rename-the-cache"
RENAME = [{"op": "update_node", "id": "new", "label": "New name"}]  # fits once somebody has added the node


class Stall:
    """A worker whose appends wait until they are let go, as where its process is not run for a while."""

    def __init__(self, one: Worker, patch: pytest.MonkeyPatch) -> None:
        self._writer = one.base.workspaces.writer(one.base.w)
        self._go, self._is_reached = asyncio.Event(), asyncio.Event()
        log = one.base.workspaces.log
        append = log.append

        async def waiting(*arguments: Any) -> AppendOutcome:
            self._is_reached.set()
            await self._go.wait()
            return await append(*arguments)

        patch.setattr(log, "append", waiting)

    async def reached(self) -> None:
        """Wait until something is to be appended."""
        async with timeout():
            await self._is_reached.wait()

    async def let_go(self) -> None:
        """Let the worker go on, until it has settled all that it had."""
        self._go.set()
        async with timeout():
            while not self._writer.is_idle:
                await self._writer.close()  # which waits for some seconds only


@asynccontextmanager
async def stalled(one: Worker, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stall]:
    with monkeypatch.context() as patch:
        stall = Stall(one, patch)
        yield stall
        await stall.let_go()


async def sent_over_a_lost_connection(left: Worker, stall: Stall) -> Page:
    """A page of which two writes wait at a worker that does not get on; its connection is lost."""
    page = await left.join(ANA)
    page.send("submit", id="add-first", operations=[add("first")])
    page.send("submit", id=ID, operations=RENAME)
    await stall.reached()
    await page.leave()
    return page


def labels_of_page(page: Page) -> dict[str, str]:
    assert page.workspace is not None
    return {node_id: node["label"] for node_id, node in page.workspace.diagram.nodes().items()}


async def test_what_was_refused_is_not_carried_out_by_an_earlier_copy(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_workers(redis_url) as (left, right), stalled(left, monkeypatch) as stall:
        before = await sent_over_a_lost_connection(left, stall)
        ben = await right.join(BEN)
        ana = await right.join(ANA, before, pending=["add-first", ID])
        answer = await ana.do("submit", ID, operations=RENAME)
        assert (answer["t"], answer["code"]) == ("rejected", "batch_rejected")
        await ben.do("submit", "add-the-node", operations=[add("new", label="As added")])
        await stall.let_go()
        last = await ben.do("submit", "add-last", operations=[add("last")])
        await ana.until_rev(last["rev"])
        assert labels_of_page(ana)["new"] == "As added"
        assert [one["t"] for one in ana.answers(ID)] == ["rejected"]


async def test_it_may_be_sent_again_over_the_connection_that_has_it_now(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was refused leaves its id free, as ever."""
    async with two_workers(redis_url) as (left, right), stalled(left, monkeypatch) as stall:
        before = await sent_over_a_lost_connection(left, stall)
        ana = await right.join(ANA, before, pending=["add-first", ID])
        assert (await ana.do("submit", ID, operations=RENAME))["t"] == "rejected"
        await ana.do("submit", "add-the-node", operations=[add("new", label="As added")])
        assert (await ana.do("submit", ID, operations=RENAME))["t"] == "committed"
        await stall.let_go()
        assert labels_of_page(ana)["new"] == "New name"


async def test_a_write_that_is_not_sent_again_is_carried_out(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the page was closed: nobody else has it."""
    async with two_workers(redis_url) as (left, right), stalled(left, monkeypatch) as stall:
        await sent_over_a_lost_connection(left, stall)
        ben = await right.join(BEN)
        await stall.let_go()
        await ben.until(lambda page: "first" in labels_of_page(page))


async def test_a_page_that_comes_back_to_the_same_worker(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both copies wait in one queue; the first is left out, and the second is carried out, once."""
    async with two_workers(redis_url) as (left, right), stalled(left, monkeypatch) as stall:
        before = await sent_over_a_lost_connection(left, stall)
        ana, ben = await left.join(ANA, before, pending=["add-first", ID]), await right.join(BEN)
        ana.send("submit", id="add-first", operations=[add("first")])
        await stall.let_go()
        assert (await ana.answer("add-first"))["t"] == "committed"
        last = await ben.do("submit", "add-last", operations=[add("last")])
        await ana.until_rev(last["rev"])
        assert ana.shape == ben.shape
        assert len([one for one in ben.received("commit") if one["source"] == "page"]) == 2


async def test_a_page_whose_claim_was_overtaken_comes_back_and_is_answered(redis_url: str) -> None:
    """A worker that stood still reads the hello of a lost connection after the page has said another one elsewhere."""
    async with two_workers(redis_url) as (left, right):
        ana = await right.join(ANA, pending=[ID])
        lost = await left.join(ANA, pending=[ID])
        await lost.leave()
        ana.send("submit", id=ID, operations=[add("new")])
        closed = await ana.until(lambda page: page.close_reason)
        assert (closed.code, closed.close, closed.again_ms) == ("claimed_elsewhere", 4412, 0)
        assert ana.answers(ID) == []
        await ana.leave()
        back = await right.join(ANA, ana, pending=[ID])
        assert (await back.do("submit", ID, operations=[add("new")]))["t"] == "committed"


async def test_of_two_copies_over_one_connection_the_answer_to_the_later_one_holds(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first does not fit yet; between them somebody adds what they are about."""
    async with two_workers(redis_url) as (left, _), stalled(left, monkeypatch) as stall:
        ana, ben = await left.join(ANA), await left.join(BEN)
        ana.send("submit", id="add-first", operations=[add("first")])
        await stall.reached()
        ana.send("submit", id=ID, operations=RENAME)
        ben.send("submit", id="add-the-node", operations=[add("new", label="As added")])
        ana.send("submit", id=ID, operations=RENAME)
        await stall.let_go()
        await ana.until(lambda page: labels_of_page(page).get("new") == "New name")
        assert [one["t"] for one in ana.answers(ID)] == ["committed"]
