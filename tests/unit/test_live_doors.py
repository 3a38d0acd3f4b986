"""How fast one may speak over a socket."""

from __future__ import annotations

import pytest

from draftsmith.api.live.socket import RateLimit


def test_a_page_may_save_up_a_burst_and_then_speaks_at_a_steady_rate() -> None:
    """However it spreads what it says; being silent for long saves up no more than one burst."""
    limit, now = RateLimit(100.0, rate=10, burst=5), 100.0
    assert [limit.take(now) for _ in range(5)] == [0.0] * 5
    for _ in range(50):
        wait = limit.take(now)
        assert wait == pytest.approx(0.1)
        now += wait
    now += 1000
    assert [limit.take(now) for _ in range(6)] == [0.0] * 5 + [pytest.approx(0.1)]
