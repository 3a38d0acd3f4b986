"""Pages that come back when the log was trimmed past what they had sent, and its ids are forgotten."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from dataclasses import dataclass

import httpx

from tests.simulation.live.deployment import Deployment, deployment
from tests.simulation.live.full_log import FullLog, open_full_log
from tests.simulation.live.node import node_host
from tests.simulation.live.pages import Json, until
from tests.simulation.live.proxy import FaultyProxy, faulty_proxy
from tests.simulation.live.simulation import open_page, settle
from tests.simulation.live.users import DOCUMENT, TITLES, User
from tests.timeouts import TIMEOUT_SECONDS, timeout


@dataclass
class _Sleeper:
    """Somebody who sent a batch and typed text without hearing of it, and did the same again offline."""

    user: User
    proxy: FaultyProxy
    sent: str = ""
    unsent: str = ""

    @property
    def name(self) -> str:
        return self.user.page.name

    async def send(self, full_log: FullLog) -> None:
        """Do what is carried out and not answered."""
        self.proxy.is_deaf = True
        self.sent = await self._work("sent", "## Notes\n")
        async with timeout():
            while f"{self.name} sent" not in full_log.explained or self.sent not in full_log.arrived:
                await asyncio.sleep(0.02)
                await full_log.read()

    async def fall_asleep(self, *, reloads: bool) -> None:
        """Do more without a connection; the page may be loaded anew."""
        self.proxy.shut()
        await until([self.user.page], lambda told: not told[0]["live"], "that it is offline", _pause)
        self.unsent = await self._work("unsent", f"The {TITLES[self.user.number].lower()} says")
        if reloads:
            await self.user.page.ask("reload")

    async def _work(self, what: str, after: str) -> str:
        page, mark = self.user.page, self.user.mark()
        await page.ask("edit", operations=self.renaming(what), explanation=f"{self.name} {what}")
        await page.ask("type", at=0, after=after, text=f" {mark} pasted\n", delete=0, own=self.user.own)
        return mark

    def renaming(self, what: str) -> list[Json]:
        """An operation that would be done once more, if it came once more."""
        return [{"op": "rename_workspace", "name": f"{self.name} {what}"}]

    async def wake_up(self, full_log: FullLog) -> Json:
        """Come back, and return what the page reports once what it had not sent is in."""
        self.proxy.calm()
        async with timeout():
            while f"{self.name} unsent" not in full_log.explained:
                await asyncio.sleep(0.02)
                await full_log.read()
        await settle([self.user.page])
        await full_log.read()
        return await self.user.page.ask("report")


async def _send_as_script(workers: Deployment, w: str, base_revision: int) -> int:
    """Send the batch of a program that speaks of a revision, as often as this is called; the status."""
    body = {"operations": [{"op": "rename_workspace", "name": "By a script"}], "base_revision": base_revision}
    async with httpx.AsyncClient(base_url=workers.workers[0].url, timeout=TIMEOUT_SECONDS) as client:
        path, headers = f"/api/v1/workspaces/{w}/batches", {"Idempotency-Key": "script-0001"}
        return (await client.post(path, json=body, headers=headers)).status_code


async def test_what_may_be_forgotten_is_not_done_twice(redis_server: str, seed: str) -> None:
    """It is shown to whoever did it, batches and text, also after a reload; what was never sent is done, once."""
    async with deployment(redis_server) as workers, node_host() as host, AsyncExitStack() as stack:
        w = await workers.create("Shop", DOCUMENT)
        full_log = await stack.enter_async_context(open_full_log(workers.store_url, w))
        rng = random.Random(seed)
        sleepers: list[_Sleeper] = []
        for number in range(4):
            proxy = await stack.enter_async_context(faulty_proxy(lambda: workers.targets(0), rng))
            profile = await workers.profile(f"P{number}")
            page = await open_page(host if number % 2 else None, proxy, w, f"c{number}", profile, rng)
            stack.push_async_callback(page.close)
            sleepers.append(_Sleeper(User(page, number, rng), proxy))
        pages = [one.user.page for one in sleepers]
        await until(pages, lambda told: all(one["live"] for one in told), "that all are there", _pause)
        before = await full_log.read()
        assert await _send_as_script(workers, w, before) == 200
        for one in sleepers:
            await one.send(full_log)
        for one in sleepers:
            await one.fall_asleep(reloads=one.user.number >= 2)
        await _forget(workers, full_log, sleepers)
        assert await _send_as_script(workers, w, before) == 410
        for one in sleepers:
            _check(one, await one.wake_up(full_log), full_log)


async def _forget(workers: Deployment, full_log: FullLog, sleepers: list[_Sleeper]) -> None:
    """Others change what was typed, and everything up to there is trimmed away."""
    for one in sleepers:
        find, replace = f"{one.sent} pasted", f"{one.sent} copied"
        await workers.batch(full_log.w, {"op": "edit_section", "section": "Notes", "find": find, "replace": replace})
    last = await full_log.read()
    await full_log.snapshot()
    await workers.commit(full_log.w)
    await workers.forget(full_log)
    assert full_log.base >= last
    await workers.start_all()


def _check(one: _Sleeper, report: Json, full_log: FullLog) -> None:
    found = {what: len(full_log.explained[f"{one.name} {what}"]) for what in ("sent", "unsent")}
    assert found == {"sent": 1, "unsent": 1}, one.name
    assert len(full_log.arrived[one.sent]) == 1, one.name
    unknown = [item for item in report["tray"] if item["code"] in ("uncertain", "outcome_lost", "base_gone")]
    assert [item["operations"] for item in unknown if item["operations"]] == [one.renaming("sent")], one.name
    trayed = "".join(text for item in report["tray"] for text in item["texts"])
    assert trayed.count(one.sent) == 1, one.name
    # The Python client does not merge: it shows what was typed and not sent.
    assert (one.unsent in trayed) == (one.user.page.kind == "python"), one.name
    assert len(full_log.arrived.get(one.unsent, [])) == (one.user.page.kind != "python"), one.name
    assert not report["faults"], one.name


async def _pause() -> None:
    await asyncio.sleep(0.02)
