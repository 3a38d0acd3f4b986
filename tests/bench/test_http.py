"""Throughput over HTTP against a floor, and of one hot workspace against committing one at a time."""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from tests.bench.conftest import Report

_SECONDS = float(os.environ.get("BENCH_SECONDS", "3"))
_ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
# Alternately there and back again, so that the diagram stays as it is and every batch is a commit.
_THERE = [
    {"op": "add_node", "id": "c@", "type": "cache", "label": "Redis Cache"},
    {"op": "add_edge", "source": "a", "target": "c@", "label": "reads"},
    {"op": "update_node", "id": "b", "description": "Behind a cache."},
]
_BACK = [{"op": "delete_node", "id": "c@"}, {"op": "update_node", "id": "b", "description": None}]
_HOT = [{"op": "add_node", "id": "c@", "type": "cache", "label": "Redis Cache"}]
_HOT_BACK = [{"op": "delete_node", "id": "c@"}]


@contextmanager
def _server(factory: str, url: str) -> Iterator[int]:
    with socket.socket() as listener, tempfile.TemporaryDirectory(prefix="ds-") as data:
        listener.bind(("127.0.0.1", 0))
        listener.listen(256)
        port = int(listener.getsockname()[1])
        descriptor = str(listener.fileno())
        app = f"tests.bench.servers:{factory}"
        command = [sys.executable, "-m", "draftsmith.adapters.server.worker", str(os.getpid()), descriptor, app, "2"]
        path = os.pathsep.join(["backend", os.environ.get("PYTHONPATH", "")])
        environment = {
            **os.environ,
            "DRAFTSMITH_STORE_URL": url,
            "LOG_LEVEL": "warning",
            "PYTHONPATH": path,
            "DATA_DIR": data,
        }
        with subprocess.Popen(command, env=environment, pass_fds=[listener.fileno()]) as process:
            try:
                yield port
            finally:
                process.terminate()


def _ready(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5)
        except httpx.TransportError:
            continue
        return
    raise TimeoutError


def _workspaces(port: int, count: int) -> list[str]:
    nodes = [{"id": i, "type": "service", "label": i.upper()} for i in ("a", "b")]
    body = {"name": "Bench", "diagram": {"nodes": nodes, "edges": []}}
    with httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1") as client:
        return [client.post("/workspaces", json=body).json()["id"] for _ in range(count)]


def _load(port: int, connections: int, workspaces: list[str], batches: list[object]) -> dict[str, float]:
    bodies = [json.dumps({"operations": batch}) for batch in batches]
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.load", str(port), str(connections), str(_SECONDS)],
        input=json.dumps({"workspaces": workspaces, "bodies": bodies}),
        capture_output=True,
        text=True,
        check=True,
        timeout=_SECONDS * 10 + 30,
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def test_throughput_against_the_floor(redis_url: str, report: Report) -> None:
    """Three quarters of what a server could do that validates and appends and does nothing else."""
    with _server("ours", redis_url) as port, _server("floor", redis_url) as floor:
        _ready(port)
        _ready(floor)
        for connections in (16, 64):
            ratios = []
            for _ in range(_ROUNDS):
                ours = _load(port, connections, _workspaces(port, connections), [_THERE, _BACK])
                least = _load(floor, connections, _workspaces(port, connections), [_THERE, _BACK])
                ratios.append(ours["rps"] / least["rps"])
            print(f"\n{connections} connections: ours {ours}, floor {least}")
            report(f"HTTP throughput / floor, {connections} connections", statistics.median(ratios), ">=", 0.75)


def test_one_hot_workspace(redis_url: str, report: Report) -> None:
    """Group commit: waiting transactions go in one append."""
    with _server("ours", redis_url) as port, _server("one_at_a_time", redis_url) as single:
        _ready(port)
        _ready(single)
        ratios = []
        for _ in range(_ROUNDS):
            grouped = _load(port, 64, _workspaces(port, 1), [_HOT, _HOT_BACK])
            alone = _load(single, 64, _workspaces(single, 1), [_HOT, _HOT_BACK])
            ratios.append(grouped["rps"] / alone["rps"])
        print(f"\none workspace, 64 connections: grouped {grouped}, one at a time {alone}")
        report("one hot workspace, 64 connections / one commit at a time", statistics.median(ratios), ">=", 1.5)
