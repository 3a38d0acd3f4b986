"""The list of workspaces by pages is the list that reading everything gives, whatever was done in whatever order."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from draftsmith.access.folders import FolderId
from draftsmith.access.workspace_access import UNCLAIMED
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.access.workspaces import RedisWorkspaceAccess
from draftsmith.adapters.redis.listing import BUILT, STEM, RedisList
from draftsmith.history.commit import Draft
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.name_search import matches, searched_words
from draftsmith.ports import AppendSuccess, Meta
from draftsmith.ports.listing import Key, ListQuery, ListRow
from draftsmith.usecases.upkeep.listing import Item, Listing, key_of
from tests.contracts.backends import RedisBackend
from tests.contracts.lines import new_w
from tests.seeds import seed_named

NAMES = ["Orders", "orders service", "Order-Service v2", "Ärger", "订单 系统", "订单系统", "", "x" * 80, "x" * 61]
NAMES += ["shop_2"]
QUERIES = ["", "ord", "serv ord", "系统", "äRG", "x", "2", "zz", "-"]
FOLDERS = ["", "f1", "f2"]
ROUNDS = 300


def draft(number: int) -> Draft:
    return Draft(f"t{number}", "f", "a", "", "edit", "", b"{}")


@dataclass
class Shelf:
    """A store with its list, and what is done to it."""

    backend: RedisBackend
    chance: random.Random
    made: int = 0
    settling: list[tuple[WorkspaceId, str, ListRow | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.access = RedisWorkspaceAccess(self.backend.connection)
        self.order = RedisList(self.backend.connection)
        self.listing = Listing(self.backend.log, self.order, self.backend.index, self.access, SystemClock())

    async def some(self) -> WorkspaceId | None:
        ids = sorted(await self.backend.index.all())
        return self.chance.choice(ids) if ids else None

    async def create(self) -> None:
        self.made += 1
        w = WorkspaceId(new_w())
        await self.backend.index.add(w)
        outcome = await self.backend.log.create(w, "e", draft(self.made), {"name": self.chance.choice(NAMES)})
        assert isinstance(outcome, AppendSuccess)

    async def rename(self) -> None:
        w = await self.some()
        meta = None if w is None else await self.backend.log.meta(w)
        if w is not None and meta is not None:
            self.made += 1
            name = {"name": self.chance.choice(NAMES)}
            await self.backend.log.append(w, meta.head, [draft(self.made)], name, "worker")

    async def delete(self) -> None:
        if (w := await self.some()) is not None:
            await self.backend.log.set_deleted(w, True)

    async def restore(self) -> None:
        if (w := await self.some()) is not None:
            await self.backend.log.set_deleted(w, False)

    async def move(self) -> None:
        if (w := await self.some()) is not None:
            before = await self.access.read(w)
            folder = self.chance.choice(FOLDERS)
            await self.access.put(
                w, replace(before or UNCLAIMED, folder=FolderId(folder) if folder else None), expected=before
            )

    async def purge(self) -> None:
        w = await self.some()
        if w is not None:
            await self.backend.log.purge(w)
            if await self.backend.log.meta(w) is None:
                await self.access.drop(w)
                await self.backend.index.remove(w)

    async def begin_to_settle(self) -> None:
        """Read rows that are written later, perhaps after the workspaces have changed again."""
        await asyncio.sleep(0.004)  # so that every mark has ended
        ended = await self.order.expired_marks(self.chance.choice([1, 5, 1000]))
        rows = await self.listing._rows([w for w, _ in ended])
        self.settling += [(w, token, row) for (w, token), row in zip(ended, rows, strict=True)]

    async def finish_settling(self) -> None:
        settling, self.settling = self.settling, []
        for w, token, row in settling:
            await self.order.settle(w, token, row)

    async def settle_all(self) -> None:
        await asyncio.sleep(0.004)
        while await self.listing.settle():
            pass

    async def lose(self) -> None:
        """The list goes, as in a store of an older release."""
        keys = [key async for key in self.backend.connection.read.client.scan_iter(match=f"{STEM}*")]
        for key in keys:
            await self.backend.connection.write.command("DEL", key)

    async def everything(self, wanted: ListQuery) -> list[Item]:
        """The naive list."""
        ids = await self.backend.index.all()
        metas, records = await self.backend.log.metas(ids), await self.access.many(ids)
        found = []
        for w, meta, record in zip(ids, metas, records, strict=True):
            folder = (record or UNCLAIMED).folder or ""
            if meta is None or (meta.deleted_ms is not None) != wanted.in_trash:
                continue
            if not matches(list(wanted.words), str(meta.summary["name"])) or not is_of(folder, wanted):
                continue
            found.append((key_of(w, meta, wanted.order), w, meta))
        return sorted(found, key=lambda one: one[0])

    async def by_pages(self, wanted: ListQuery, limit: int) -> list[Item]:
        """The list as the API reads it, page by page."""
        found: list[Item] = []
        after: Key | None = None
        while True:
            page: list[Item] = []
            async for chunk in self.listing.walk(wanted, after, limit + 1):
                records = await self.access.many([w for _, w, _ in chunk])
                page += [
                    one
                    for one, record in zip(chunk, records, strict=True)
                    if is_of((record or UNCLAIMED).folder or "", wanted)
                ]
                if len(page) > limit:
                    break
            found += page[:limit]
            if len(page) <= limit:
                return found
            after = page[limit - 1][0]


def is_of(folder: str, wanted: ListQuery) -> bool:
    if wanted.folder is None:
        return True
    return folder not in wanted.not_in if wanted.folder == "" else folder == wanted.folder


@pytest.fixture
def quick_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks that end soon, made anew for each write: rows are used, and not the marks alone."""
    monkeypatch.setattr("draftsmith.adapters.redis.listing._MARK_MS", 2)
    monkeypatch.setattr("draftsmith.adapters.redis.listing._FRESH_S", -1.0)


async def check_pages(shelf: Shelf, wanted: ListQuery, limit: int) -> None:
    expected, found = await shelf.everything(wanted), await shelf.by_pages(wanted, limit)
    assert [one[:2] for one in found] == [one[:2] for one in expected], f"{wanted}, pages of {limit}"


async def test_pages_are_the_naive_list(redis_backend: RedisBackend, quick_marks: None) -> None:
    """Under any order of creations, renamings, deletions, restorations, moves and purges, settled, lost or neither."""
    chance = random.Random(seed_named("LIST_SEED"))
    shelf = Shelf(redis_backend, chance)
    writes = [shelf.create] * 4 + [shelf.rename] * 3 + [shelf.move] * 3 + [shelf.delete] * 2 + [shelf.restore]
    upkeep = [shelf.begin_to_settle] * 2 + [shelf.finish_settling] * 2 + [shelf.settle_all] * 5
    for number in range(ROUNDS):
        do = chance.choice([*writes, *upkeep, shelf.purge])
        await do()
        if number % (ROUNDS // 3) == ROUNDS // 3 - 1:
            await shelf.lose()
        if number % 2 == 0:
            folder = chance.choice([None, "", "f1"])
            wanted = ListQuery(
                in_trash=chance.random() < 0.2,
                order=chance.choice(["changed", "name"]),
                words=searched_words(chance.choice(QUERIES)),
                folder=folder,
                not_in=frozenset(chance.choice([["f1"], ["f1", "f2"]])) if folder == "" else frozenset(),
            )
            await check_pages(shelf, wanted, chance.choice([1, 3, 50]))


class CountedLog:
    """A log that counts the metas that are read."""

    def __init__(self, shelf: Shelf) -> None:
        self._metas, self.read = shelf.backend.log.metas, 0

    async def metas(self, ids: Sequence[WorkspaceId]) -> list[Meta | None]:
        self.read += len(ids)
        return await self._metas(ids)


async def test_only_the_metas_of_a_page_are_read(redis_backend: RedisBackend, quick_marks: None) -> None:
    """Of 700 workspaces; also where few of many match, where most do, and on a later page."""
    shelf = Shelf(redis_backend, random.Random(1))
    for _ in range(700):
        await shelf.create()
    await shelf.settle_all()
    counted = CountedLog(shelf)
    shelf.listing.log = counted  # type: ignore[assignment]
    for words in ([], ["ord"], ["系统"]):
        for order in ("changed", "name"):
            wanted = ListQuery(order=order, words=words)  # type: ignore[arg-type]
            after: Key | None = None
            for _ in range(3):
                counted.read, page = 0, list[Item]()
                async for chunk in shelf.listing.walk(wanted, after, 21):
                    page += chunk
                    if len(page) > 20:
                        break
                assert len(page) > 20
                assert counted.read <= 140, f"{wanted}: {counted.read} for {len(page)}"
                after = page[19][0]


async def test_what_a_failover_lost_is_written_anew(redis_backend: RedisBackend, quick_marks: None) -> None:
    """Rows that say something else than their workspaces are found by the hourly look."""
    shelf = Shelf(redis_backend, random.Random(2))
    for _ in range(5):
        await shelf.create()
    await shelf.settle_all()
    w = await shelf.some()
    assert w is not None
    assert await shelf.listing.verify() == 0
    await shelf.rename()
    for one, token in await expired(shelf):  # as if the mark had been lost, with the write there
        meta = await shelf.backend.log.meta(one)
        assert meta is not None
        wrong = ListRow(one, meta.updated_ms - 5, False, "Wrong", "")
        assert await shelf.order.settle(one, token, wrong)
    assert await shelf.listing.verify() == 1
    await shelf.settle_all()
    await check_pages(shelf, ListQuery(order="name"), 2)
    assert await redis_backend.connection.read.command("GET", BUILT) == b"1"


async def expired(shelf: Shelf) -> list[tuple[WorkspaceId, str]]:
    await asyncio.sleep(0.004)
    return await shelf.order.expired_marks(10)
