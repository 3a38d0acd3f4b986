"""A way to the server that loses replies."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path


class LossyWay:
    """Passes bytes between client and server until told to lose the next reply.

    Attributes:
        url: where clients connect.
        lose_after: a request with these bytes is passed on, its reply is not, and the client's connection is closed.
        lost: how many replies were lost.
    """

    def __init__(self, url: str, server: Path) -> None:
        self.url = url
        self.lose_after: bytes | None = None
        self.lost = 0
        self._server = server

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_unix_connection(str(self._server))
        losing = asyncio.Event()

        async def forth() -> None:
            while data := await reader.read(1 << 16):
                if self.lose_after is not None and self.lose_after in data:
                    self.lose_after = None
                    losing.set()
                to_server.write(data)
                await to_server.drain()
            to_server.close()

        async def back() -> None:
            while data := await from_server.read(1 << 16):
                if losing.is_set():
                    self.lost += 1
                    break
                writer.write(data)
                await writer.drain()
            writer.close()

        with suppress(ConnectionError):
            await asyncio.gather(forth(), back())
        writer.close()
        to_server.close()


@asynccontextmanager
async def lossy_way(server_url: str) -> AsyncIterator[LossyWay]:
    """Open such a way to a server on a unix socket."""
    folder = Path(tempfile.mkdtemp(prefix="ds-"))
    socket = folder / "s"
    way = LossyWay(f"unix://{socket}?db=0", Path(server_url.removeprefix("unix://").partition("?")[0]))
    listener = await asyncio.start_unix_server(way.serve, str(socket))
    try:
        yield way
    finally:
        listener.close()
        shutil.rmtree(folder, ignore_errors=True)
