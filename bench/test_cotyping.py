"""People who type in one document at once: what a keystroke costs on its way to the others, beside y-websocket.

Servers are loaded in turns, over real sockets, by generators in processes of their own (`cotyping_load.py`, and
`peers/load.mjs` for the peer); every page types. A *delivered change* is one keystroke on one other page. Processor
time is that of the server and, for ours, of its store: ours keeps what was typed, the peer keeps nothing on disk.

`BENCH_BEFORE` names the folder of another checkout of this project, set up, to be measured in the same turns.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil  # type: ignore[import-untyped]  # ships no types
import pytest
import redis

from bench.conftest import Report
from bench.test_http import _ready, _server
from bench.test_live import _process_at
from tests import patient

_SECONDS = float(os.environ.get("BENCH_SECONDS", "8"))
_ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
_BEFORE = os.environ.get("BENCH_BEFORE", "")
_PEERS = Path(__file__).parent / "peers"
_RATE = 5.0  # keystrokes a second of each typist
_TIMED = 10  # pages whose latencies are noted
_WORDS = "the orders service writes what it was asked to the ledger and tells the mail queue "
_MANY = 50  # sections of the document, one for each typist
_SECTION = "Requests come in over the gateway, and are kept until whoever asked has been told. " * 3


def _editor(clients: int) -> dict[str, int | bool]:
    """When the editor pushes what is typed, in milliseconds: frontend/src/sync/text/text.ts."""
    return {"quiet": 0, "latest": 0, "between": 250 if clients < 6 else 200, "joins": clients > 5}


def _editor_before(_: int) -> dict[str, int]:
    """As it was until others' typing was shown while they type."""
    return {"quiet": 250, "latest": 1_000, "between": 250}


def _each_key(_: int) -> dict[str, int]:
    return {"quiet": 0, "latest": 0, "between": 0}


@dataclass(frozen=True)
class _Contestant:
    """A server that is measured.

    Attributes:
        processes: its own and its store's.
        load: runs a generator of so many clients against it, and calls back with `start` and `stop`.
    """

    name: str
    processes: Sequence[psutil.Process]
    load: Callable[[int, Callable[[str], None]], dict[str, Any]]


def _document() -> tuple[str, list[int]]:
    """A document of 13,000 characters, and where each typist begins."""
    text, places = "# Shop\n\n", []
    for number in range(_MANY):
        text += f"## Part {number}\n\n{_SECTION}"
        places.append(len(text))
        text += "\n\n"
    return text, places


@pytest.fixture(scope="module")
def peer() -> Iterator[_Contestant]:
    """A y-websocket server; its packages are installed where they are not."""
    if not (_PEERS / "node_modules").is_dir():
        command = ["npm", "ci", "--omit=optional", "--ignore-scripts", "--silent"]
        subprocess.run(command, cwd=_PEERS, check=True, timeout=300)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    environment = {**os.environ, "HOST": "127.0.0.1", "PORT": str(port)}
    command = ["node", "node_modules/y-websocket/bin/server.cjs"]
    with subprocess.Popen(command, cwd=_PEERS, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            _ready(port)
            load = ["node", str(_PEERS / "load.mjs")]
            yield _Contestant(
                "y-websocket",
                [psutil.Process(process.pid)],
                lambda clients, told: _run(load, {"port": port, "doc": f"d{time.time_ns()}", **_given(clients)}, told),
            )
        finally:
            process.terminate()


@contextmanager
def _ours(url: str, name: str, pacing: Callable[[int], dict[str, int]], folder: str = ".") -> Iterator[_Contestant]:
    with _server("ours", url, folder) as port, redis.Redis.from_url(url) as store:
        _ready(port)
        worker = _process_at(port)
        store_process = psutil.Process(int(store.info("server")["process_id"]))
        load = [sys.executable, "-m", "bench.cotyping_load"]

        def run(clients: int, told: Callable[[str], None]) -> dict[str, Any]:
            w, cookies = _people(port, clients)
            own = {
                "port": port,
                "w": w,
                "headers": [[f"Cookie: {cookie}"] for cookie in cookies],
                "pacing": pacing(clients),
                "version": 2 if folder == "." else 1,
            }
            figures = _run(load, {**own, **_given(clients)}, told)
            text = patient.get(f"http://127.0.0.1:{port}/api/v1/workspaces/{w}").json()["document"]["text"]
            lost = [typed for typed in figures["typed"] if f"{_SECTION}{typed}\n" not in text]
            assert not lost, f"{len(lost)} typists' words are not as they were typed"
            return figures

        yield _Contestant(name, [worker, *worker.children(recursive=True), store_process], run)


def _people(port: int, count: int) -> tuple[str, list[str]]:
    """A new workspace with the document, and the cookies of so many people."""
    cookies = []
    base = f"http://127.0.0.1:{port}/api/v1"
    for number in range(count):
        with httpx.Client(base_url=base, timeout=30) as client:
            client.post("/session", json={}).raise_for_status()
            client.patch("/me", json={"name": f"Person {number}"}).raise_for_status()
            cookies.append("; ".join(f"{key}={value}" for key, value in client.cookies.items()))
    body = {"name": "Bench", "diagram": {"nodes": [], "edges": []}, "document": {"text": _document()[0]}}
    made = httpx.post(f"{base}/workspaces", json=body, timeout=30).raise_for_status()
    return str(made.json()["id"]), cookies


def _given(clients: int) -> dict[str, Any]:
    text, places = _document()
    return {"clients": clients, "rate": _RATE, "seconds": _SECONDS, "timed": _TIMED, "words": _WORDS, "text": text,
            "places": places[:clients], "carets": False}  # fmt: skip


def _run(command: Sequence[str], given: dict[str, Any], told: Callable[[str], None]) -> dict[str, Any]:
    """Run a generator; its figures."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(given) + "\n")
        process.stdin.close()
        for line in process.stdout:
            if line.startswith("{"):
                figures: dict[str, Any] = json.loads(line)
                return figures
            told(line.strip())
    raise AssertionError(f"{command} gave no figures")


def _measured(one: _Contestant, clients: int) -> dict[str, float]:
    """What a delivered change costs: microseconds of processor time and bytes, and how long it takes."""
    spent: list[float] = []

    def told(_: str) -> None:
        times = [process.cpu_times() for process in one.processes]
        spent.append(sum(time.user + time.system for time in times))

    figures = one.load(clients, told)
    names = ("server_p50_ms", "server_p99_ms", "key_p50_ms")
    return {
        "us": (spent[1] - spent[0]) / figures["delivered"] * 1e6,
        "bytes": figures["bytes"] / figures["delivered"],
        **{name: figures[name] for name in names},
    }


@contextmanager
def _contestants(url: str, peer: _Contestant) -> Iterator[list[_Contestant]]:
    with _ours(url, "ours", _editor) as ours, _ours(url, "ours, a push for each key", _each_key) as each:
        if not _BEFORE:
            yield [ours, each, peer]
            return
        with (
            _ours(url, "before", _editor_before, _BEFORE) as before,
            _ours(url, "before, a push for each key", _each_key, _BEFORE) as each_before,
        ):
            yield [ours, each, before, each_before, peer]


def _in_turns(contestants: Sequence[_Contestant], clients: int) -> dict[str, dict[str, float]]:
    """The medians of each over the rounds."""
    found: dict[str, list[dict[str, float]]] = {one.name: [] for one in contestants}
    for _ in range(_ROUNDS):
        for one in contestants:
            found[one.name].append(_measured(one, clients))
    medians = {
        name: {key: statistics.median(row[key] for row in rows) for key in rows[0]} for name, rows in found.items()
    }
    for name, row in medians.items():
        print(f"\n{clients} clients, {name}: " + ", ".join(f"{key} {value:.1f}" for key, value in row.items()), end="")
    print()
    return medians


def test_a_keystroke_on_its_way(redis_url: str, peer: _Contestant, report: Report) -> None:
    """Typed together, a keystroke costs little more than at a server that keeps nothing, and is there at once."""
    with _contestants(redis_url, peer) as contestants:
        for clients, name in ((2, "2 pages"), (10, "10 pages"), (50, "50 pages")):
            medians = _in_turns(contestants, clients)
            ours, least = medians["ours"], medians["y-websocket"]
            if clients == 2:
                report(f"typing, {name}: ms from the server's receipt, median", ours["server_p50_ms"], "<=", 10)
                report(f"typing, {name}: ms from the key to the other page, median", ours["key_p50_ms"], "<=", 150)
                continue
            report(f"typing, {name}: processor time / y-websocket", ours["us"] / least["us"], "<=", 1.5)
            report(f"typing, {name}: bytes a delivered change", ours["bytes"], "<=", 100)
