"""How long others wait while a model's call of four hundred operations streams in, and while the SDK is imported."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench.conftest import Report
from tests.integration.servers import Server
from tests.integration.test_runs_under_load import LONG_CALLS, LONG_DOCUMENT
from tests.standin import Standin, Text, ToolUse, Turn, serve
from tests.timeouts import TIMEOUT_SECONDS

_API = "/api/v1/workspaces"


def _stand_in(pipe: Connection, tool: str) -> None:
    """A provider whose call comes as fast as it can, in small pieces, and ends when it is told to."""

    async def stand() -> None:
        call = ToolUse(tool, {"operations": LONG_CALLS[tool]})
        standin = Standin([Turn([Text("Hello.")]), Turn([call], chunk=7, holds="end"), Turn([Text("Done.")])])
        async with serve(standin) as url:
            pipe.send(url)
            await asyncio.to_thread(pipe.recv)
            standin.let_go()
            await asyncio.to_thread(pipe.recv)

    asyncio.run(stand())


@contextmanager
def _model(tool: str) -> Iterator[tuple[str, Connection]]:
    """The address of a stand-in in a process of its own, and what to write to so that the call ends."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_stand_in, args=(theirs, tool), daemon=True)
    process.start()
    try:
        assert ours.poll(TIMEOUT_SECONDS)
        yield ours.recv(), ours
    finally:
        ours.send("end")
        process.join(TIMEOUT_SECONDS)


class Watching:
    """A page that follows the run: when all ghosts are there, and when it has ended."""

    def __init__(self, url: str, count: int) -> None:
        self.shown, self.over = threading.Event(), threading.Event()
        self._url, self._count = url, count
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        seen = 0
        with httpx.stream("GET", self._url, timeout=TIMEOUT_SECONDS) as events:
            for line in events.iter_lines():
                seen += '"ghost"' in line
                if seen >= self._count:
                    self.shown.set()
                if '"end"' in line:
                    break
        self.over.set()


def _waits(client: httpx.Client, url: str, until: threading.Event, least: int = 0) -> list[float]:
    """Milliseconds of one request after the other until something has happened."""
    took: list[float] = []
    while not until.is_set() or len(took) < least:
        began = time.perf_counter()
        assert client.get(url).status_code == 200
        took.append(1000 * (time.perf_counter() - began))
    return took


@pytest.mark.parametrize("tool", LONG_CALLS)
def test_others_while_a_long_call_streams_in(redis_url: str, report: Report, tool: str) -> None:
    """The longest of many requests, one after the other, beside the median of those with nothing else going on."""
    calm = threading.Event()
    calm.set()
    with _model(tool) as (model, pipe), tempfile.TemporaryDirectory(prefix="ds-") as folder:
        key = {"ANTHROPIC_API_KEY": "sk-standin", "ANTHROPIC_BASE_URL": model}
        server = Server(redis_url, "w", Path(folder), **key)
        try:
            server.wait_until_up()
            with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as client:
                body: dict[str, Any] = {"name": "Long", "document": {"text": LONG_DOCUMENT}}
                w = client.post(_API, json=body).json()["id"]
                undo = f"{_API}/{w}/undo"
                idle = _waits(client, undo, calm, 300)
                asked = {"prompt": "Please.", "mode": "apply"}
                for expected in (0, len(LONG_CALLS[tool]) - 1):  # the first run of a process prepares things for all
                    run = client.post(f"{_API}/{w}/runs", json=asked).json()["id"]
                    watching = Watching(f"{server.url}{_API}/{w}/runs/{run}/events", expected)
                    if not expected:
                        assert watching.over.wait(TIMEOUT_SECONDS)
                streaming = _waits(client, undo, watching.shown)
                pipe.send("let go")
                after = _waits(client, undo, watching.over)
                ended = client.get(f"{_API}/{w}/runs/{run}").json()
                assert ended["status"] == "applied", json.dumps(ended)[:2000]
        finally:
            server.stop()
    report(f"{tool}: longest wait while 400 operations stream in, ms", max(streaming), "<=", 50)
    shown = {"idle median": statistics.median(idle), "idle longest": max(idle)}
    shown |= {"streaming median": statistics.median(streaming), "staged and committed, longest": max(after)}
    print(f"\n{tool}, ms:", {name: round(value, 1) for name, value in shown.items()}, len(streaming))
