"""A bad way to the store: requests and replies get lost, come late, or break off in the middle."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.listening import listening


@dataclass
class Odds:
    """How often what happens, per piece of traffic; `hold_seconds` is the longest delay.

    A request that is held may arrive after its client has given up and sent it again on another connection.
    """

    lose_request: float = 0.0
    lose_reply: float = 0.0
    cut_reply: float = 0.0
    hold: float = 0.0
    hold_seconds: float = 0.0
    swallow: float = 0.0


class BadWay:
    """Passes bytes between clients on TCP and a server on a unix socket, and does them harm by the odds.

    Attributes:
        odds: may be changed at any time.
        harm: what was done, counted by the name of the odds.
    """

    def __init__(self, server_url: str, rng: random.Random) -> None:
        self.odds = Odds()
        self.harm: dict[str, int] = {}
        self.url = ""
        self._server = Path(server_url.removeprefix("unix://").partition("?")[0])
        self._rng = rng

    def _happens(self, name: str) -> bool:
        if self._rng.random() >= getattr(self.odds, name):
            return False
        self.harm[name] = self.harm.get(name, 0) + 1
        return True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Look after one connection."""
        try:
            from_server, to_server = await asyncio.open_unix_connection(str(self._server))
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._forth(reader, to_server, writer))
                    group.create_task(self._back(from_server, writer))
            finally:
                to_server.transport.abort()
        except* (OSError, asyncio.CancelledError):
            pass  # a broken way is what this is for
        finally:
            reset(writer)

    async def _forth(
        self, reader: asyncio.StreamReader, to_server: asyncio.StreamWriter, to_client: asyncio.StreamWriter
    ) -> None:
        """Pass requests on; what is held goes on also when its client has left meanwhile."""
        while data := await reader.read(1 << 16):
            if self._happens("hold"):
                await asyncio.sleep(self._rng.uniform(0, self.odds.hold_seconds))
            if self._happens("swallow"):
                continue
            if self._happens("lose_request"):
                reset(to_client)
                return
            to_server.write(data)
            await to_server.drain()
        with suppress(OSError):
            to_server.write_eof()

    async def _back(self, from_server: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        while data := await from_server.read(1 << 16):
            if self._happens("hold"):
                await asyncio.sleep(self._rng.uniform(0, self.odds.hold_seconds))
            if self._happens("lose_reply"):
                break
            if self._happens("cut_reply"):
                to_client.write(data[: len(data) // 2])
                await asyncio.sleep(0)
                break
            with suppress(OSError):
                to_client.write(data)
                await to_client.drain()
        reset(to_client)


def reset(writer: asyncio.StreamWriter) -> None:
    """Hang up so that the other side gets a reset and no orderly end; bytes written before go first."""
    connection = writer.get_extra_info("socket")
    if connection is not None and not writer.transport.is_closing():
        with suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@asynccontextmanager
async def bad_way(server_url: str, rng: random.Random) -> AsyncIterator[BadWay]:
    """Open such a way to a server on a unix socket; harmless until its odds are set."""
    way = BadWay(server_url, rng)
    async with listening(way.serve) as port:
        way.url = f"redis://127.0.0.1:{port}/0"
        yield way
