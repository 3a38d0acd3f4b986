"""Hostile clients beside a well-behaved one: whatever they send, they are answered, and it loses nothing."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from tests.hostile.drawing import SMALL
from tests.hostile.findings import tracebacks
from tests.hostile.neighbour import Neighbour
from tests.hostile.playing import Record, hostile_client
from tests.integration.client import Api
from tests.integration.servers import Server, running

CLIENTS = 4
SCENES = 9
"""Of each client; some 300 requests in all."""


def place_of(server: Server) -> tuple[str, int]:
    parts = urlsplit(server.url)
    return parts.hostname or "", parts.port or 0


async def test_hostile_clients_harm_nobody_but_themselves(redis_server: str, redis_url: str, seed: str) -> None:
    """Documents, finds, batches, bodies, frames, prompts and imports grown from a grammar.

    No answer is a defect, nothing of them is in the log as a traceback, the server lives, and every node that the
    well-behaved client was told is there.
    """
    with running(redis_server, "w-hostile") as (server,):
        record, neighbour = Record(), Neighbour(server.url)
        working = asyncio.create_task(_attack(server, seed, record))
        await neighbour.work(lambda: not working.done(), every=0.02)
        await working
        with Api(server.url) as api:
            assert api.get("/readyz").status_code == 200
        assert server.process.poll() is None
        print(f"{sum(record.counts.values())} requests, {len(neighbour.took.get('', []))} nodes beside them")
        assert not record.defects, "\n".join(map(str, record.defects))
        found = tracebacks(server.log)
        assert not found, "\n".join(f"{one.request_id}: {one.text}" for one in found)
        assert not neighbour.failures
        assert not neighbour.lost
        assert sum(record.counts.values()) > 200, "or this would show little"


async def _attack(server: Server, seed: str, record: Record) -> None:
    async with asyncio.TaskGroup() as group:
        for number in range(CLIENTS):
            group.create_task(hostile_client(place_of(server), f"{seed}/{number}", SMALL, record, lambda: True, SCENES))
