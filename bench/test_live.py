"""Many open pages: fan-out by coalesced frames, latency over the number of sockets, a slow reader, memory a socket.

The writer is served by another worker than the listeners, so that the rate of commits is the same whatever fan-out
costs, and word of them comes over the store as it does between any two workers. Load comes from a process of its own.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psutil  # type: ignore[import-untyped]  # ships no types

from bench.conftest import Report
from bench.test_http import _ready, _server, _workspaces

_SECONDS = float(os.environ.get("BENCH_SECONDS", "3"))
_ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
_RATE = 1600.0  # commits a second for throughput: more than one frame a commit can keep up with at 200 sockets
_CALM_RATE = 10.0  # for latency: what a handful of people bring about
_BUSY_RATE = 50.0  # beside a slow reader, for whom it is too much


def _load(port: int, writer_port: int, w: str, **more: Any) -> dict[str, float]:
    given = {"port": port, "writer_port": writer_port, "w": w, "slow": 0, "seconds": _SECONDS, "timed": True, **more}
    done = subprocess.run(
        [sys.executable, "-m", "bench.live_load"],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=_SECONDS * 10 + 120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _rounded(figures: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 2) for name, value in figures.items()}


@contextmanager
def _two(factory: str, url: str) -> Iterator[tuple[int, int]]:
    """A worker to listen at, and one to write through."""
    with _server(factory, url) as port, _server("ours", url) as writer:
        _ready(port)
        _ready(writer)
        yield port, writer


def test_coalesced_frames(redis_url: str, report: Report) -> None:
    """At one rate of commits, 200 sockets are brought three times as many by coalesced frames as by one a commit."""
    ratios = []
    with _two("ours", redis_url) as ours, _two("frame_per_commit", redis_url) as single:
        for _ in range(_ROUNDS):
            found = []
            for ports in (ours, single):
                w = _workspaces(ports[0], 1)[0]
                found.append(_load(*ports, w, sockets=200, rate=_RATE, timed=False))
            print(f"\n200 sockets: coalesced {_rounded(found[0])}, one frame a commit {_rounded(found[1])}")
            if all(one["commit_rate"] > 0.9 * _RATE for one in found):
                ratios.append(found[0]["deliveries_rate"] / found[1]["deliveries_rate"])
    assert ratios, "the machine was too busy: the commits themselves did not keep up"
    report("200 sockets: deliveries/s coalesced / one frame a commit", statistics.median(ratios), ">=", 3)


def test_latency_over_sockets(redis_url: str, report: Report) -> None:
    """From a commit's sending to its arrival at another page, with ten times as many pages."""
    ratios = []
    with _two("ours", redis_url) as ports:
        for _ in range(_ROUNDS):
            few, many = (
                _load(*ports, _workspaces(ports[0], 1)[0], sockets=sockets, rate=_CALM_RATE, seconds=2 * _SECONDS)
                for sockets in (50, 500)
            )
            print(f"\n50 sockets {_rounded(few)}, 500 sockets {_rounded(many)}")
            ratios.append(many["p99_ms"] / few["p99_ms"])
    report("p99 from commit to other pages: 500 sockets / 50", statistics.median(ratios), "<=", 3)


def test_a_slow_reader(redis_url: str, report: Report) -> None:
    """Two hundred quick pages do not notice one that reads a kilobyte a second."""
    ratios = []
    with _two("ours", redis_url) as ports:
        for _ in range(_ROUNDS):
            alone, beside = (
                _load(*ports, _workspaces(ports[0], 1)[0], sockets=200, rate=_BUSY_RATE, slow=slow) for slow in (0, 1)
            )
            print(f"\n200 sockets: alone {_rounded(alone)}, beside a slow one {_rounded(beside)}")
            ratios.append(beside["p99_ms"] / alone["p99_ms"])
    report("p99 of 200 quick pages: beside a slow reader / without", statistics.median(ratios), "<=", 1.1)


def test_memory_a_socket(redis_url: str) -> None:
    """What 500 open pages add to a worker, divided by 500; said, not judged."""
    with _two("ours", redis_url) as (port, writer):
        w = _workspaces(port, 1)[0]
        worker = _process_at(port)
        _load(port, writer, w, sockets=10, rate=_CALM_RATE, seconds=1)  # what is loaded once is loaded
        before = worker.memory_info().rss
        given = {"port": port, "writer_port": writer, "w": w, "sockets": 500, "slow": 0, "seconds": 0.5,
                 "timed": False, "rate": _CALM_RATE, "hold": True}  # fmt: skip
        with subprocess.Popen(
            [sys.executable, "-m", "bench.live_load"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as load:
            assert load.stdin is not None
            assert load.stdout is not None
            load.stdin.write(json.dumps(given) + "\n")
            load.stdin.flush()
            assert load.stdout.readline().strip() == "open"
            after = worker.memory_info().rss
            load.stdin.close()
            load.wait(60)
    print(f"\nmemory a socket: {(after - before) / 500 / 1024:.1f} KiB ({before >> 20} MiB before)")


def _process_at(port: int) -> Any:
    """The worker that listens on a port."""
    for process in psutil.Process().children(recursive=True):
        if any(one.laddr.port == port and one.status == psutil.CONN_LISTEN for one in process.net_connections("tcp")):
            return process
    raise LookupError(f"nobody listens on {port}")
