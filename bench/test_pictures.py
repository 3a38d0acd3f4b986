"""Pictures of the sample against reading it, in one run on one server; and fifty at once beside others."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable

import httpx
import pytest

from bench.conftest import Report
from bench.test_http import _ready, _server

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

_ROUNDS = 40
_AT_ONCE = 50


def test_pictures(redis_url: str, report: Report) -> None:
    """A picture that is kept, and one that is drawn, is at most five times reading the workspace; nobody waits."""
    with _server("ours", redis_url) as port:
        _ready(port)
        base = f"http://127.0.0.1:{port}/api/v1"
        with httpx.Client(base_url=base, timeout=60) as client:
            made = client.post("/workspaces", json={"template": "sample"})
            w = f"/workspaces/{made.raise_for_status().json()['id']}"
            sizes = iter(range(1, 100_000))
            calls = {
                "read": lambda: client.get(w),
                "kept": lambda: client.get(f"{w}/picture.svg"),
                "drawn": lambda: client.get(f"{w}/picture.svg?scale={1 + next(sizes) / 100_000}"),
                "png": lambda: client.get(f"{w}/picture.png?scale={0.18 + next(sizes) / 100_000}"),
            }
            took: dict[str, list[float]] = {name: [] for name in calls}
            for at in range(_ROUNDS + 5):
                for name, call in calls.items():
                    milliseconds = _time_of(call)
                    if at >= 5:  # before that, everything is done for the first time
                        took[name].append(milliseconds)
            alone, beside = _longest_read(client, w), _longest_read_beside_pictures(base, client, w)
    quick = {name: statistics.quantiles(values, n=4)[0] for name, values in took.items()}
    report("a kept SVG of the sample / reading the workspace", quick["kept"] / quick["read"], "<=", 5)
    report("a drawn SVG of the sample / reading the workspace", quick["drawn"] / quick["read"], "<=", 5)
    shown = {name: round(value, 2) for name, value in quick.items()}
    print(f"\nms: {shown}; longest read {alone:.0f}, {beside:.0f} beside {_AT_ONCE} pictures asked at once")


def _time_of(call: Callable[[], httpx.Response]) -> float:
    began = time.perf_counter()
    assert call().status_code == 200
    return 1000 * (time.perf_counter() - began)


def _longest_read(client: httpx.Client, w: str) -> float:
    return max(_time_of(lambda: client.get(w)) for _ in range(100))


def _longest_read_beside_pictures(base: str, client: httpx.Client, w: str) -> float:
    """The longest read while somebody asks for fifty pictures at once, none of which is kept."""
    statuses: list[int] = []

    def ask(number: int) -> None:
        with httpx.Client(base_url=base, timeout=60) as other:
            statuses.append(other.get(f"{w}/picture.png?scale={0.3 + number / 1_000}").status_code)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(_AT_ONCE)]
    for thread in threads:
        thread.start()
    longest = 0.0
    while any(thread.is_alive() for thread in threads):
        longest = max(longest, _time_of(lambda: client.get(w)))
    print(f"\n{statuses.count(200)} of {_AT_ONCE} drawn, {statuses.count(503)} told to try again")
    assert set(statuses) <= {200, 503}
    return longest
