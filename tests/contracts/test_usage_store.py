"""What every store of counted usage promises."""

from __future__ import annotations

import asyncio

from draftsmith.adapters.redis.assistant.run_limits import DAY_MS, USAGE_KEPT_MS
from draftsmith.adapters.redis.assistant.usage import RedisUsage
from draftsmith.adapters.redis.keys import usage_of_day
from draftsmith.ports.runs import UsageStore
from tests.contracts.backends import RedisBackend
from tests.fakes.memory_usage import MemoryUsage
from tests.integration.edited_workspaces import SetClock

DAY, NEXT = "2026-11-20", "2026-11-21"
KEY = "anthropic|claude-sonnet-5-5|edit|guest:1"


async def test_counters_add_up_by_day_and_key(usage: UsageStore) -> None:
    await usage.add(DAY, KEY, {"calls": 1, "input": 2**40})
    await usage.add(DAY, KEY, {"calls": 1, "output": 5})
    await usage.add(DAY, "other", {"calls": 0})
    await usage.add(NEXT, KEY, {"calls": 7})
    assert await usage.read([DAY]) == {DAY: {KEY: {"calls": 2, "input": 2**40, "output": 5}, "other": {"calls": 0}}}
    assert await usage.read([NEXT, "2026-11-22", NEXT]) == {NEXT: {KEY: {"calls": 7}}}
    assert set(await usage.read([DAY, NEXT])) == {DAY, NEXT}
    assert await usage.read([]) == {}


async def test_keys_and_fields_are_any_text(usage: UsageStore) -> None:
    """No two of them run together, whatever separators they hold."""
    keys = ["", "|", 'a"b', "a\nb|Zoë 🗄", "a|b", '["a","b"]', "\x00", "a\x00b"]
    for number, key in enumerate(keys):
        for name in ("n", "", "b|n", 'b","n'):
            await usage.add(DAY, key, {name: number})
    assert await usage.read([DAY]) == {
        DAY: {key: dict.fromkeys(("n", "", "b|n", 'b","n'), n) for n, key in enumerate(keys)}
    }


async def test_counts_can_be_taken_back(usage: UsageStore) -> None:
    """A rating that is withdrawn; beside a day of calls stands that of how well batches fit."""
    await usage.add(DAY, KEY, {"calls": 1})
    await usage.add(f"quality:{DAY}", "edit|tools", {"up": 1, "down": 1})
    await usage.add(f"quality:{DAY}", "edit|tools", {"up": -1})
    assert await usage.read([DAY]) == {DAY: {KEY: {"calls": 1}}}
    assert await usage.read([f"quality:{DAY}"]) == {f"quality:{DAY}": {"edit|tools": {"up": 0, "down": 1}}}


async def test_nothing_counted_is_nothing_stored(usage: UsageStore) -> None:
    await usage.add(DAY, KEY, {})
    assert await usage.read([DAY]) == {}


async def test_no_count_is_lost_between_many(usage: UsageStore) -> None:
    await asyncio.gather(*(usage.add(DAY, KEY, {"calls": 1, "input": number}) for number in range(100)))
    assert await usage.read([DAY]) == {DAY: {KEY: {"calls": 100, "input": 4950}}}


async def test_ninety_days_in_the_store(redis_backend: RedisBackend) -> None:
    """A day goes by itself, 90 days after the last count."""
    usage = RedisUsage(redis_backend.connection)
    await usage.add(DAY, KEY, {"calls": 1})
    await redis_backend.connection.write.command("PEXPIRE", usage_of_day(DAY), 60_000)
    await usage.add(DAY, KEY, {"calls": 1})
    left = await redis_backend.connection.read.command("PTTL", usage_of_day(DAY))
    assert USAGE_KEPT_MS - 60_000 < left <= USAGE_KEPT_MS == 90 * DAY_MS


async def test_ninety_days_in_memory() -> None:
    clock = SetClock(1_800_000_000_000)
    usage = MemoryUsage(clock)
    await usage.add(DAY, KEY, {"calls": 1})
    clock.ms += USAGE_KEPT_MS - 1
    await usage.add(NEXT, KEY, {"calls": 1})
    assert set(await usage.read([DAY, NEXT])) == {DAY, NEXT}
    clock.ms += 1
    assert set(await usage.read([DAY, NEXT])) == {NEXT}
