"""Requests and replies that get lost, come late or break off: each commit is made once, whatever was heard of it."""

from __future__ import annotations

import asyncio
import random

import pytest
import redis

from draftsmith.adapters.redis.pool import PoolLimits
from draftsmith.errors import DraftsmithError
from tests.faults.checks import check
from tests.faults.load import Asked, Load, new_workspace
from tests.faults.servers import workers
from tests.faults.ways import Odds, bad_way

_LIMITS = PoolLimits(write_seconds=0.5, read_seconds=0.5)
_SETTLED = 150
_HARMED = 3


@pytest.mark.parametrize(
    "odds",
    [
        Odds(lose_reply=0.01, lose_request=0.01),
        Odds(lose_reply=0.2),
        Odds(lose_reply=0.05, lose_request=0.1, cut_reply=0.05),
        Odds(lose_reply=0.02, hold=0.03, hold_seconds=2.0, swallow=0.005),
    ],
    ids=["one-percent", "twenty-percent", "broken-off", "late"],
)
async def test_losses_on_the_way(redis_url: str, odds: Odds, seed: str, rng: random.Random) -> None:
    """Three workers on bad ways, clients that repeat until they are answered."""
    async with bad_way(redis_url, rng) as way, workers(redis_url) as observers:
        async with workers(way.url, way.url, way.url, limits=_LIMITS) as three:
            w = await new_workspace(observers[0], seed)
            load = Load(w, seed)
            way.odds = odds
            await load.run(three, 6, lambda: load.ledger.told < _SETTLED or sum(way.harm.values()) < _HARMED)
            way.odds = Odds()
            line = await check(observers[0].log, w, load.ledger, [*three, *observers], seed=seed)
        assert not load.ledger.open
        assert len(load.ledger.made) > 10
        found = sum(worker.counters.repeats for worker in three)
        print(f"{len(line.entries)} commits, {way.harm}, {found} found in the log when sent again, {load.ledger.codes}")


async def test_a_silent_store_is_told_as_unknown_with_the_own_id(
    redis_url: str, seed: str, rng: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every caller of a group hears the id that it has to repeat, and the repeat settles it."""
    monkeypatch.setattr("draftsmith.usecases.commits.group_commit.DEADLINE", 3.0)
    async with (
        bad_way(redis_url, rng) as way,
        workers(redis_url) as observers,
        workers(way.url, limits=PoolLimits(write_seconds=1.0, read_seconds=5.0)) as one,
    ):
        w = await new_workspace(observers[0], seed)
        load = Load(w, seed)
        await one[0].read(w, lambda replica: None)
        node = {"op": "add_node", "type": "service"}
        asked = [
            Asked(f"{seed}-silent-{number}", "ann", "edit", [{**node, "id": f"n{number}", "label": "N"}])
            for number in range(5)
        ]
        way.odds = Odds(lose_reply=1.0)
        answers = await asyncio.gather(*(one[0].submit(w, each.request()) for each in asked), return_exceptions=True)
        for each, answer in zip(asked, answers, strict=True):
            assert isinstance(answer, DraftsmithError)
            assert (answer.code, answer.extra) == ("outcome_unknown", {"batch_id": each.id})
            load.ledger.open[each.txid] = each
        way.odds = Odds()
        for each in asked:
            answer = await one[0].submit(w, each.request())
            load.ledger.note_answer(each.txid, answer["revision"], is_commit=True)
        await check(observers[0].log, w, load.ledger, [*one, *observers], seed=seed)


async def test_a_store_that_forgets_its_scripts_under_load(redis_url: str, seed: str) -> None:
    """SCRIPT FLUSH, again and again: no client hears of it."""
    async with workers(redis_url, redis_url) as two:
        w = await new_workspace(two[0], seed)
        load, flushed = Load(w, seed), 0

        async def flush() -> None:
            nonlocal flushed
            with redis.Redis.from_url(redis_url) as client:
                while True:
                    client.script_flush()
                    flushed += 1
                    await asyncio.sleep(0.01)

        flushing = asyncio.create_task(flush())
        await load.run(two, 6, lambda: load.ledger.told < _SETTLED or flushed <= 20)
        flushing.cancel()
        await check(two[0].log, w, load.ledger, two, seed=seed)
        assert not set(load.ledger.codes) - {"batch_rejected", "stale_base"}


async def test_one_request_at_two_workers_at_once(redis_url: str, seed: str, rng: random.Random) -> None:
    """The same id is carried out once and answered alike; with another content it is refused."""
    async with workers(redis_url, redis_url) as two:
        w = await new_workspace(two[0], seed)
        load = Load(w, seed)
        replayed = 0
        for number in range(60):
            node = {"op": "add_node", "type": "service", "id": f"n{number}", "label": "N"}
            asked = Asked(f"{seed}-both-{number}", "ann", "edit", [node])
            other = Asked(asked.id, "ann", "edit", [{**node, "id": f"m{number}"}])
            both = [asked, other if number % 3 == 0 else asked]
            rng.shuffle(both)
            answers = await asyncio.gather(
                *(worker.submit(w, each.request()) for worker, each in zip(two, both, strict=True)),
                return_exceptions=True,
            )
            good = [answer for answer in answers if isinstance(answer, dict)]
            bad = [answer for answer in answers if isinstance(answer, BaseException)]
            assert len({answer["revision"] for answer in good}) == 1
            assert [getattr(error, "code", error) for error in bad] == (["key_reused"] if number % 3 == 0 else [])
            load.ledger.note_answer(asked.txid, good[0]["revision"], is_commit=True)
            replayed += sum(answer["replayed"] for answer in good)
        line = await check(two[0].log, w, load.ledger, two, seed=seed)
        assert len(line.entries) == 61
        assert replayed == 40
