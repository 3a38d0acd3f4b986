"""Pages of the built TypeScript client: all of a test in one Node process, spoken to by JSON lines."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.simulation.live.pages import Json
from tests.timeouts import TIMEOUT_SECONDS

ROOT = Path(__file__).parents[3]
DRIVER = ROOT / "tests" / "node" / "live-driver.mjs"
CLIENT = ROOT / "frontend" / "dist" / "client" / "draftsmith-client.js"
_LONGEST_LINE = 1 << 26


class NodeHost:
    """The process, and the answers it owes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._count = 0
        self._listener = asyncio.create_task(self._listen())

    async def ask(self, page: str, do: str, **fields: Any) -> Json:
        """Ask a page for something; fails with what it says went wrong."""
        assert self._process.stdin is not None
        self._count += 1
        number = self._count
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        line = json.dumps({"n": number, "page": page, "do": do, **fields})
        self._process.stdin.write(line.encode() + b"\n")
        answer = await asyncio.wait_for(future, TIMEOUT_SECONDS)
        assert "error" not in answer, f"{page} {do}: {answer['error']}"
        found: Json = answer["ok"]
        return found

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            answer = json.loads(line)
            future = self._waiting.pop(answer["n"], None)
            if future is not None and not future.done():
                future.set_result(answer)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(AssertionError("the Node process has ended"))

    async def close(self) -> None:
        """End the process; it ends by itself when nobody speaks to it any more."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), TIMEOUT_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        await self._listener


class NodePage:
    """One page of the TypeScript client."""

    kind = "node"

    def __init__(self, host: NodeHost, name: str, me: str) -> None:
        self._host, self.name, self.me = host, name, me

    async def open(self, origin: str, workspace: str, headers: dict[str, str]) -> None:
        await self.ask("open", origin=origin, workspace=workspace, headers=headers)

    async def ask(self, do: str, **fields: Any) -> Json:
        return await self._host.ask(self.name, do, **fields)

    async def close(self) -> None:
        await self.ask("close")


def node_program() -> str:
    """Node, which whoever has built the editor has."""
    found = shutil.which("node")
    assert found is not None, "Node.js is not on the PATH"
    assert CLIENT.is_file(), f"{CLIENT} is not built; run `make setup`"
    return found


@asynccontextmanager
async def node_host() -> AsyncIterator[NodeHost]:
    """A process for pages; gone on the way out."""
    process = await asyncio.create_subprocess_exec(
        node_program(), str(DRIVER), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_LONGEST_LINE
    )
    host = NodeHost(process)
    try:
        yield host
    finally:
        await host.close()
