"""Servers that are compared under load in turns, and what a write costs each: requests a second and processor time.

Wall time says how many writes a machine takes that has nothing else to do; processor time says it on a busy one, too.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
import redis

from tests.integration.people import on_store

_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Side:
    """One of those that are compared.

    Attributes:
        name: what it is called in figures.
        app: the factory of its application.
        tree: the checkout whose code it runs.
        worker: the module of its worker process.
        settings: its settings in the environment.
        headers: lines of each request's head.
    """

    name: str
    app: str
    tree: Path = _ROOT
    worker: str = "draftsmith.adapters.server.worker"
    settings: Mapping[str, str] = field(default_factory=dict)
    headers: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Running:
    """A side whose process runs."""

    side: Side
    process: subprocess.Popen[bytes]
    port: int
    store: redis.Redis

    def used(self) -> tuple[float, float]:
        """Seconds of processor time: of the process with those it has started and that have ended; of the store."""
        own = sum(psutil.Process(self.process.pid).cpu_times()[:4])
        info: Any = self.store.info("cpu")
        return own, float(info["used_cpu_user"]) + float(info["used_cpu_sys"])


@dataclass(frozen=True, slots=True)
class Figures:
    """What some seconds of load came to; processor time in microseconds of one write."""

    rps: float
    p50_ms: float
    p99_ms: float
    server_us: float
    store_us: float

    @property
    def cpu_us(self) -> float:
        """Of server and store together."""
        return self.server_us + self.store_us


@contextmanager
def running(side: Side, store_url: str) -> Iterator[Running]:
    """A worker process of a side, which answers."""
    with socket.socket() as listener, tempfile.TemporaryDirectory(prefix="ds-") as data:
        listener.bind(("127.0.0.1", 0))
        listener.listen(256)
        command = ["-m", side.worker, str(os.getpid()), str(listener.fileno()), side.app, "2"]
        environment = {
            **os.environ,
            "DRAFTSMITH_STORE_URL": store_url,
            "LOG_LEVEL": "warning",
            "PYTHONPATH": os.pathsep.join([str(side.tree / "backend"), str(side.tree)]),
            "DATA_DIR": data,
            **side.settings,
        }
        process = subprocess.Popen(
            [sys.executable, *command], env=environment, pass_fds=[listener.fileno()], cwd=side.tree
        )
        try:
            port = int(listener.getsockname()[1])
            wait_until_up(port)
            yield Running(side, process, port, redis.Redis.from_url(store_url))
        finally:
            process.terminate()
            process.wait()


def wait_until_up(port: int) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5)
        except httpx.TransportError:
            time.sleep(0.1)
            continue
        return
    raise TimeoutError


def workspaces(port: int, count: int, headers: Sequence[str] = ()) -> list[str]:
    """New workspaces of two nodes each."""
    nodes = [{"id": i, "type": "service", "label": i.upper()} for i in ("a", "b")]
    body = {"name": "Bench", "diagram": {"nodes": nodes, "edges": []}}
    given = dict(line.split(": ", 1) for line in headers)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1", headers=given, timeout=60) as client:
        answers = [client.post("/workspaces", json=body) for _ in range(count)]
    return [answer.raise_for_status().json()["id"] for answer in answers]


def load(
    port: int, connections: int, seconds: float, ids: Sequence[str], batches: Sequence[object],
    headers: Sequence[str] = (),
) -> dict[str, float]:  # fmt: skip
    """Load of some seconds from a process of its own; its figures (`load`)."""
    bodies = [json.dumps({"operations": batch}) for batch in batches]
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", str(port), str(connections), str(seconds)],
        input=json.dumps({"workspaces": ids, "bodies": bodies, "headers": headers}),
        capture_output=True,
        text=True,
        cwd=_ROOT,
        check=False,
        timeout=seconds * 10 + 60,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def measured(one: Running, connections: int, seconds: float, ids: Sequence[str], batches: Sequence[object]) -> Figures:
    """Put load on a side and take what it has used."""
    server, store = one.used()
    found = load(one.port, connections, seconds, ids, batches, one.side.headers)
    server_now, store_now = one.used()
    writes = max(found["writes"], 1)
    return Figures(
        found["rps"], found["p50_ms"], found["p99_ms"],
        (server_now - server) / writes * 1e6, (store_now - store) / writes * 1e6,
    )  # fmt: skip


def administrator_key(store_url: str) -> str:
    """A key that may everything, made as the command line makes it."""
    from draftsmith.access.principal import Principal
    from draftsmith.history.actor import Actor
    from draftsmith.usecases.access import keys
    from draftsmith.usecases.access.dependencies import AccessDependencies, Asking

    asking = Asking(Principal(Actor("local:command", "Bench", "script"), "local", is_admin=True), "bench")

    async def make(needs: AccessDependencies) -> str:
        secret, _ = await keys.create(needs, asking, name="bench", is_admin=True, is_personal=False)
        return secret

    return on_store(store_url, make)
