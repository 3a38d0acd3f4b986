"""A store that loses its data under a running server: nothing begins anew over what pages hold, and it is said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis

from draftsmith.errors import DraftsmithError
from draftsmith.model.workspace import WorkspaceContent
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.upkeep.store_watch import StoreWatch
from tests.integration.assistant_workers import ANA
from tests.integration.live_pages import Worker, worker
from tests.integration.stores import OwnStore
from tests.integration.test_live_hub import add
from tests.timeouts import timeout

Dump = dict[bytes, tuple[int, bytes]]


@contextmanager
def flushed(url: str) -> Iterator[tuple[redis.Redis, Dump]]:
    """Empty the store; what was in it, to be brought back."""
    with redis.Redis.from_url(url) as client:
        dump = {key: (max(client.pttl(key), 0), client.dump(key)) for key in client.scan_iter(count=1000)}
        client.flushall()
        yield client, dump


async def create(one: Worker, given: str) -> None:
    """Create a workspace under an id that a client gives."""
    identity = identify(ANA, given, one.base.workspaces.clock)
    content: WorkspaceContent = {}
    await one.base.workspaces.create(identity, ANA, name="New", content=content, source="rest", fingerprint="f")


async def test_nothing_begins_anew_in_a_store_that_was_emptied(own_store: OwnStore) -> None:
    """FLUSHALL: writes, creation and what is not open are refused as `store_emptied` and not as if nothing had been.

    What is open is read from memory, pages are told why nothing is saved, and nothing is written. With the data back,
    what was refused is done, once, in the same epoch.
    """
    async with worker(own_store.url, heartbeat=0.05) as one:
        await one.base.make_shop()
        closed = one.base.w
        await create(one, "before-the-flush")
        page = await one.join(ANA)
        watch = StoreWatch(one.base.connection, one.base.workspaces.clock)
        await watch.look()
        assert watch.emptied == ""
        with flushed(own_store.url) as (client, dump):
            refused = await page.do("submit", "write-lost", operations=[add("late")])
            assert (refused["code"], refused["retry"]) == ("store_emptied", True)
            told = await page.until(lambda it: [m for m in it.received("store") if not m["ok"]], "not saving")
            assert "draftsmith recover" in told[-1]["reason"]
            with pytest.raises(DraftsmithError, match="store_emptied"):
                await create(one, "after-the-flush")
            with pytest.raises(DraftsmithError, match="store_emptied"):
                await create(one, "before-the-flush")
            shown = await one.base.workspaces.read(closed, lambda replica: replica.workspace.name)
            assert shown
            one.base.workspaces.forget(closed)  # as for what nobody has open
            with pytest.raises(DraftsmithError, match="store_emptied"):
                await one.base.workspaces.read(closed, lambda replica: None)
            await watch.look()
            assert "FLUSHALL" in watch.emptied
            assert client.dbsize() == 0
            assert page.close_reason is None
            epoch = page.epoch
            for key, (ttl, value) in dump.items():
                client.restore(key, ttl, value)
        await watch.look()
        assert watch.emptied == ""
        async with timeout():
            assert (await page.do("submit", "write-lost", operations=[add("late")]))["t"] == "committed"
        await page.until(lambda it: it.received("store") and it.received("store")[-1]["ok"], "saving again")
        assert page.epoch == epoch


async def test_another_store_at_the_address_is_an_emptied_one(own_store: OwnStore) -> None:
    """Not even one that is made anew in the meantime, with another id, is written to."""
    async with worker(own_store.url) as one:
        await one.base.make_shop()
        with flushed(own_store.url) as (client, _):
            async with worker(own_store.url) as fresh:
                await fresh.base.make_shop()
            with pytest.raises(DraftsmithError, match="store_emptied"):
                await create(one, "in-another-store")
            assert client.get("draftsmith:store-id") is not None
