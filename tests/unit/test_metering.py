"""Counting what models use: rows, totals, the limit of a day, and stores that are away."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from draftsmith.assistant.loop import TurnReport
from draftsmith.assistant.provider import Usage
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.ports import Clock
from draftsmith.usecases.usage.metering import Metering
from draftsmith.usecases.usage.prices import Price, Prices
from tests.fakes.memory_usage import MemoryUsage
from tests.integration.assistant_workers import Rows
from tests.scripted import HandClock
from tests.timeouts import timeout

FACTS: dict[str, Any] = {
    "provider": "anthropic", "model": "m", "operation": "edit", "person": "guest:ana", "workspace": "w", "run_id": "r",
    "prompt_hash": "h",
}  # fmt: skip
NOON = 1_790_164_800_000 // 86_400_000 * 86_400_000 + 43_200_000


class StillClock(HandClock):
    """Sleeping waits until it is told to pass."""

    def __init__(self) -> None:
        super().__init__(NOON)
        self.passes = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        await self.passes.wait()


class AwayStore(MemoryUsage):
    """Away until it is back."""

    is_away = False

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.came = asyncio.Event()

    async def add(self, day: str, key: str, counts: Mapping[str, int]) -> None:
        if self.is_away:
            raise StorageError("The store is away.")
        await super().add(day, key, counts)
        self.came.set()


def metering(day_tokens: int = 0) -> tuple[Metering, AwayStore, Rows, StillClock]:
    clock, rows = StillClock(), Rows()
    store = AwayStore(clock)
    return Metering(store, rows, clock, day_tokens), store, rows, clock


def turn(number: int = 1, tokens: tuple[int, int] = (100, 20), status: str = "ok") -> TurnReport:
    return TurnReport(
        turn=number,
        status=status,
        stop="end",
        usage=Usage(input=tokens[0], cache_read=40, cache_write=10, output=tokens[1], thinking=5, request_id="req_1"),
        calls=1,
        first_ms=30,
        duration_ms=500,
        retries=0,
    )


async def test_a_row_for_each_call_and_no_words_in_it() -> None:
    """Who, what, how much, how long; never a prompt."""
    one, _, rows, _ = metering()
    one.count(turn(), FACTS)
    await one.close()
    assert rows.rows == [
        {
            **FACTS, "ts": rows.rows[0]["ts"], "timestamp": rows.rows[0]["ts"], "turn": 1, "status": "ok",
            "stop": "end", "input_tokens": 100, "cache_read": 40, "cache_write": 10, "output_tokens": 20,
            "thinking_tokens": 5, "ttft_ms": 30, "duration_ms": 500, "retries": 0, "request_id": "req_1",
            "tool_calls": 1,
        }
    ]  # fmt: skip
    assert rows.rows[0]["ts"].endswith("12:00:00.000+00:00")


async def test_totals_by_everything_and_together() -> None:
    """Also what has not reached the store yet; a bar in a name does not shift the others."""
    one, _, _, _ = metering(1000)
    one.count(turn(), FACTS)
    one.count(turn(2, status="network"), FACTS)
    one.count(turn(1, (1, 1)), {**FACTS, "operation": "ask", "person": "a|b"})
    totals = await one.totals(7)
    assert totals["total"]["calls"] == 3
    assert totals["total"]["failed"] == 1
    assert totals["total"]["input"] == 201
    assert {row["name"]: row["calls"] for row in totals["by_person"]} == {"a/b": 1, "guest:ana": 2}
    assert {row["name"]: row["calls"] for row in totals["by_operation"]} == {"ask": 1, "edit": 2}
    assert totals["limit"] == {"day_tokens": 1000, "used_today": 242}
    again = await one.totals(7)
    assert again["total"] == totals["total"], "looking counts nothing twice"
    await one.close()


async def test_the_limit_of_a_day_counts_what_has_not_reached_the_store() -> None:
    """And says when it goes on: at midnight, UTC."""
    one, _, _, clock = metering(240)
    one.count(turn(), FACTS)
    await one.check_day()
    one.count(turn(), FACTS)
    with pytest.raises(DraftsmithError) as error:
        await one.check_day()
    assert error.value.code == "day_tokens"
    assert error.value.extra["retry_after"] == 43_200
    clock.ms += 43_200_000
    await one.check_day()
    await one.close()


async def test_workers_share_the_limit() -> None:
    """What another worker has brought to the store counts."""
    one, store, _, clock = metering(100)
    other = Metering(store, Rows(), clock, 100)
    other.count(turn(), FACTS)
    await other.flush()
    with pytest.raises(DraftsmithError):
        await one.check_day()
    await other.close()
    await metering()[0].check_day()  # without a limit nothing is read


async def test_it_reaches_the_store_by_itself_and_at_once_when_it_is_closed() -> None:
    """A second after the first call of a batch; nothing is left behind at the end, no task either."""
    one, store, _, clock = metering()
    one.count(turn(), FACTS)
    one.count(turn(), FACTS)
    clock.passes.set()
    async with timeout():
        await store.came.wait()
    found = await store.read([one._day(0)])
    assert next(iter(found[one._day(0)].values()))["calls"] == 2
    clock.passes.clear()
    one.count(turn(), FACTS)
    await one.close()
    assert next(iter((await store.read([one._day(0)]))[one._day(0)].values()))["calls"] == 3
    assert [task for task in asyncio.all_tasks() if task.get_name() == "usage"] == []


async def test_a_store_that_is_away_stops_nothing() -> None:
    """The rows have it; counting goes on when it is back."""
    one, store, rows, _ = metering()
    store.is_away = True
    one.count(turn(), FACTS)
    await one.flush()
    store.is_away = False
    one.count(turn(), FACTS)
    await one.close()
    assert len(rows.rows) == 2
    assert (await one.totals(1))["total"]["calls"] == 1


async def test_costs_where_a_price_is_known() -> None:
    """Every sum says what its tokens cost; without a price nothing is said of money."""
    plain, store, rows, clock = metering()
    priced = Metering(store, rows, clock, prices=Prices(Price(3, 15, "EUR")))
    for number in (1, 2):
        priced.count(turn(number, (1_000_000, 200_000)), {**FACTS, "model": f"m{number}"})
    found = await priced.totals(1)
    assert found["total"]["cost"] == 12
    assert [one["cost"] for one in found["by_model"]] == [6, 6]
    assert [one["cost"] for one in found["by_day"].values()] == [12]
    assert found["price"] == {"input": 3, "output": 15, "currency": "EUR"}
    found = await plain.totals(1)
    assert "cost" not in found["total"]
    assert found["price"] is None
