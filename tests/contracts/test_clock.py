"""What the real clock promises."""

from __future__ import annotations

import re
import time

from draftsmith.adapters.process.system import SystemClock, ulid


def test_a_ulid_has_its_published_form() -> None:
    """48 bits of time and 80 of chance in Crockford's letters, lower case; extremes fit."""
    assert ulid(0, 0) == "0" * 26
    assert ulid((1 << 48) - 1, (1 << 80) - 1) == "7" + "z" * 25
    # The example that the reference implementation publishes.
    assert ulid(1469918176385, 0)[:10] == "01aryz6s41"


def test_ids_are_new_and_sort_by_time() -> None:
    clock = SystemClock()
    ids = {clock.new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(re.fullmatch("[0-7][0-9a-hjkmnp-tv-z]{25}", each) for each in ids)
    assert ulid(1000, (1 << 80) - 1) < ulid(1001, 0)


async def test_time_goes_on() -> None:
    clock = SystemClock()
    before = clock.monotonic()
    await clock.sleep(0.01)
    assert clock.monotonic() - before >= 0.009
    assert abs(clock.now_ms() / 1000 - time.time()) < 5
