"""A well-behaved client in a process of its own, so that nobody else's work counts as the server's.

It adds a node every tenth of a second over one kept connection and notes how long each took, from when it was due; at
its end it looks whether every node that was acknowledged is there. Run as `python -m tests.hostile.neighbour <url>`; it
reads one command a line from standard input (`mark <name>`, `end`), and prints what it found as one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

EVERY_S = 0.1
NODES_EACH = 400
"""Nodes of one workspace, so that what is measured does not grow with the time it takes."""


@dataclass
class Neighbour:
    """What the client has done.

    Attributes:
        took: when each was due and how many seconds it took, by the mark that stood then.
        acknowledged: ids of nodes by workspace.
        failures: what was not acknowledged, in words.
        lost: acknowledged nodes that were not there at the end.
    """

    url: str
    mark: str = ""
    took: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    acknowledged: dict[str, list[str]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    async def work(self, goes_on: Callable[[], bool], every: float = EVERY_S) -> None:
        """Add nodes until told to stop; then look whether all are there."""
        async with httpx.AsyncClient(base_url=f"{self.url}/api/v1", timeout=120) as client:
            number, w, due = 0, "", time.monotonic()
            while goes_on():
                if number % NODES_EACH == 0:
                    w = await self._workspace(client)
                    due = max(due, time.monotonic())
                await self._add(client, w, f"n{number}", due)
                number += 1
                due = max(due + every, time.monotonic() - 50 * every)
                await asyncio.sleep(max(0.0, due - time.monotonic()))
            await self._look(client)

    async def _workspace(self, client: httpx.AsyncClient) -> str:
        for _ in range(100):
            answer = await client.post("/workspaces", json={"name": "Well-behaved"})
            if answer.status_code == 201:
                return str(answer.json()["id"])
            self.failures.append(f"create: {answer.status_code} {answer.text[:300]}")
            await asyncio.sleep(0.2)
        raise AssertionError(self.failures[-1])

    async def _add(self, client: httpx.AsyncClient, w: str, node: str, due: float) -> None:
        operation = {"op": "add_node", "id": node, "type": "service", "label": node.upper()}
        try:
            answer = await client.post(f"/workspaces/{w}/batches", json={"operations": [operation]})
        except httpx.HTTPError as error:
            self.failures.append(f"{node}: {type(error).__name__}")
            return
        self.took.setdefault(self.mark, []).append((due, time.monotonic() - due))
        if answer.status_code == 200:
            self.acknowledged.setdefault(w, []).append(node)
        else:
            self.failures.append(f"{node}: {answer.status_code} {answer.text[:300]}")

    async def _look(self, client: httpx.AsyncClient) -> None:
        for w, nodes in self.acknowledged.items():
            answer = await client.get(f"/workspaces/{w}/diagram")
            there = {node["id"] for node in answer.json()["nodes"]} if answer.status_code == 200 else set()
            self.lost += [f"{w}/{node}" for node in nodes if node not in there]

    def to_json(self) -> dict[str, Any]:
        """What it found."""
        count = sum(map(len, self.acknowledged.values()))
        return {"took": self.took, "acknowledged": count, "failures": self.failures, "lost": self.lost}


async def _main(url: str) -> None:
    neighbour = Neighbour(url)
    has_ended = asyncio.Event()

    def commands() -> None:
        said = os.read(sys.stdin.fileno(), 65536).decode()  # not `readline`, which keeps what it has read too much
        for word, *more in map(str.split, said.splitlines() or ["end"]):
            if word == "end":
                has_ended.set()
                asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            else:
                neighbour.mark = more[0]

    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), commands)
    await neighbour.work(lambda: not has_ended.is_set())
    print(json.dumps(neighbour.to_json()), flush=True)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
