"""Two workers on one store, each a process that may be killed and started again."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.integration.servers import Server
from tests.simulation.live.full_log import FullLog
from tests.simulation.live.proxy import Target
from tests.timeouts import TIMEOUT_SECONDS

NAMES = ("left", "right")


class Deployment:
    """Workers by their number; one that was killed is missing until it is started again.

    Attributes:
        killed: how many have been killed.
    """

    def __init__(self, store_url: str, folder: Path) -> None:
        self.store_url = store_url
        self.killed = 0
        self._folder = folder
        self._started = 0
        self._workers: list[Server | None] = [None for _ in NAMES]

    @property
    def workers(self) -> list[Server]:
        """Those that are up."""
        return [worker for worker in self._workers if worker is not None]

    def targets(self, home: int) -> list[Target]:
        """Where somebody who lives at one worker gets to: there, or to the others while it is away."""
        mine = self._workers[home % len(NAMES)]
        return [_address(mine)] if mine is not None else [_address(one) for one in self.workers]

    async def start(self, number: int) -> None:
        """Start a worker that is away, and return when it is up."""
        self._started += 1
        # Here and not in a thread: the kernel ends a worker together with the thread that started it.
        worker = Server(self.store_url, f"{NAMES[number]}-{self._started}", self._folder, LOG_LEVEL="info")
        try:
            await asyncio.to_thread(worker.wait_until_up)
        except BaseException:
            worker.stop()
            raise
        self._workers[number] = worker

    async def kill(self, number: int) -> None:
        """End a worker as the kernel does: nothing is said to anybody."""
        worker, self._workers[number] = self._workers[number], None
        if worker is not None:
            self.killed += 1
            worker.process.kill()
            await asyncio.to_thread(worker.process.wait)

    async def forget(self, full_log: FullLog) -> None:
        """Trim the log to its newest snapshot while no worker is up; what workers remember is gone with them.

        So is what they were sent twice, first or last over a connection that broke: a copy that is late in a socket, a
        queue or the proxy would be carried out once more after its id is forgotten. In the product nothing is late by
        the 10,000 commits for which ids are kept at least.
        """
        for number in range(len(NAMES)):
            await self.kill(number)
        await full_log.trim()

    async def start_all(self) -> None:
        """Start all workers that are away."""
        await asyncio.gather(*(self.start(number) for number, one in enumerate(self._workers) if one is None))

    async def close(self) -> None:
        """End all workers in good order."""
        leaving, self._workers = self.workers, [None for _ in NAMES]
        await asyncio.gather(*(asyncio.to_thread(worker.stop) for worker in leaving))

    def logs(self) -> list[str]:
        """What all workers have said, those that are gone too."""
        return [file.read_text(errors="replace") for file in sorted(self._folder.glob("*.log"))]

    async def profile(self, name: str) -> tuple[str, dict[str, str]]:
        """Make a browser profile: the principal's id, and the headers that carry it."""
        async with httpx.AsyncClient(base_url=self.workers[0].url, timeout=TIMEOUT_SECONDS) as client:
            (await client.post("/api/v1/session", json={})).raise_for_status()
            me = await client.patch("/api/v1/me", json={"name": name})
            cookies = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
            return me.raise_for_status().json()["id"], {"Cookie": cookies}

    async def create(self, name: str, text: str) -> str:
        """Make a workspace with a few nodes; its id."""
        nodes = [
            {"id": one, "type": "service", "label": one.title(), "position": {"x": 300 * number, "y": 0}}
            for number, one in enumerate(("shop", "stock", "ledger", "mail"))
        ]
        edges = [{"id": "shop--stock", "source": "shop", "target": "stock", "label": "asks"}]
        content = {"name": name, "diagram": {"nodes": nodes, "edges": edges}, "document": {"text": text}}
        async with httpx.AsyncClient(base_url=self.workers[0].url, timeout=TIMEOUT_SECONDS) as client:
            made = await client.post("/api/v1/workspaces", json=content)
            assert made.status_code == 201, made.text
            return str(made.json()["id"])

    async def commit(self, w: str) -> None:
        """Make one more commit on each worker, as a script: what was queued there before has been done by then."""
        for worker in self.workers:
            await self.batch(w, {"op": "rename_workspace", "name": f"Renamed {secrets.token_hex(4)}"}, worker=worker)

    async def batch(self, w: str, *operations: dict[str, Any], worker: Server | None = None) -> None:
        """Commit operations as a script."""
        url = (worker or self.workers[0]).url
        async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS) as client:
            done = await client.post(f"/api/v1/workspaces/{w}/batches", json={"operations": operations})
            assert done.status_code == 200, done.text

    async def read(self, w: str) -> list[bytes]:
        """The whole workspace as each worker shows it."""
        found = []
        for worker in self.workers:
            async with httpx.AsyncClient(base_url=worker.url, timeout=TIMEOUT_SECONDS) as client:
                whole = await client.get(f"/api/v1/workspaces/{w}")
                assert whole.status_code == 200, whole.text
                found.append(whole.content)
        return found


def _address(worker: Server) -> Target:
    parts = urlsplit(worker.url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


@asynccontextmanager
async def deployment(store_url: str) -> AsyncIterator[Deployment]:
    """Both workers, up; ended whatever happens."""
    with tempfile.TemporaryDirectory(prefix="ds-") as name:
        made = Deployment(store_url, Path(name))
        try:
            await asyncio.gather(*(made.start(number) for number in range(len(NAMES))))
            yield made
        finally:
            await made.close()
