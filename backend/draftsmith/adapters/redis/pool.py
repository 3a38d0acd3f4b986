"""A pool of connections to the store: commands, pipelines and scripts, with a limit on concurrent use.

Not here: which pools there are, and what the server can (`connection`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol, cast

import redis.exceptions as theirs
from redis.asyncio import Redis, RedisCluster

from draftsmith.adapters.redis.errors import STORE_ERRORS, is_closed_under_us, storage_error
from draftsmith.adapters.redis.pipeline import AutoPipeline, Command
from draftsmith.adapters.redis.scripts import Script
from draftsmith.adapters.redis.usable import Usable
from draftsmith.errors import StorageError

Argument = str | bytes | int
Client = Redis | RedisCluster
_CLOSE_AGAIN, _CLOSE_AGAIN_SECONDS = 40, 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLimits:
    """How long to wait and how many connections to hold, per pool.

    Attributes:
        connections: most connections at once; further callers wait for one.
        connect_seconds: for a connection to be made.
        write_seconds: for the answer to a write.
        read_seconds: for the answer to a read.
        queue_seconds: for a free connection.
        read_retries: how often a failed read is repeated.
    """

    connections: int = 32
    connect_seconds: float = 2.0
    write_seconds: float = 2.0
    read_seconds: float = 5.0
    queue_seconds: float = 5.0
    read_retries: int = 3


class _Pipeline(Protocol):
    """The part of the client library's pipelines that we use."""

    def execute_command(self, *args: Any) -> Any: ...
    async def execute(self, raise_on_error: bool = True) -> list[Any]: ...
    async def reset(self) -> None: ...


class Pool:
    """A client with a limit on concurrent use.

    The limit is our own because a cluster's client has none that waits.
    """

    def __init__(self, client: Client, limits: PoolLimits, usable: Usable, *, writes: bool, socket: str | None) -> None:
        self.client = client
        self._usable, self._writes, self._socket = usable, writes, socket
        self._free = asyncio.Semaphore(limits.connections)
        self._under_way = 0
        self._is_closed = False
        self._none_under_way = asyncio.Event()
        self._queue_seconds = limits.queue_seconds
        # A cluster's client sends a pipeline node by node and follows moved slots by sending again; we do that above.
        self._scripts = None if isinstance(client, RedisCluster) else AutoPipeline(self._round_trip)

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        if self._free.locked():
            try:
                async with asyncio.timeout(self._queue_seconds):
                    await self._free.acquire()
            except TimeoutError as error:
                raise StorageError("All connections to the store are in use; try again.") from error
        else:
            await self._free.acquire()
        task = asyncio.current_task()
        before = task.cancelling() if task is not None else 0
        self._under_way += 1
        try:
            if self._is_closed:
                raise StorageError("The connection to the store is closed.")
            yield
            # Python 3.11's wait_for, with which the client sends, loses a cancellation that comes as it ends.
            if task is not None and task.cancelling() > before:
                raise asyncio.CancelledError
        except STORE_ERRORS as error:
            raise storage_error(error, is_gone=await self._is_gone(error)) from error
        except (RuntimeError, AttributeError) as error:
            if not is_closed_under_us(error):
                raise
            raise storage_error(error) from error
        finally:
            self._free.release()
            self._under_way -= 1
            if not self._under_way:
                self._none_under_way.set()

    async def _is_gone(self, error: Exception) -> bool:
        """Whether a store on this machine, which has hung up or was not there, does not run for anybody."""
        if self._socket is None or not isinstance(error, theirs.ConnectionError | OSError):
            return False
        try:
            _, writer = await asyncio.open_unix_connection(self._socket)
        except (ConnectionRefusedError, FileNotFoundError):
            return True
        except OSError:
            return False
        writer.close()
        return False

    async def command(self, *parts: Argument) -> Any:
        """Send one command; its reply as bytes, numbers and lists of them.

        Raises:
            StorageError: `storage_down` or `storage_full`; the command may have been carried out.
        """
        self._usable.check(parts[0] if self._writes else None)
        return await self.look(*parts)

    async def look(self, *parts: Argument) -> Any:
        """As `command`, also where the store must not be used: to find out whether it may be again."""
        async with self._slot():
            return await cast(Awaitable[Any], self.client.execute_command(*parts))

    async def small(self, *parts: Argument) -> Any:
        """Send a command with a small answer, in one round trip with others that are sent at the same time.

        Raises:
            StorageError: as `command`.
        """
        self._usable.check(parts[0] if self._writes else None)
        try:
            return await self._send(*parts)
        except STORE_ERRORS as error:
            raise storage_error(error) from error

    async def commands(self, commands: Sequence[Sequence[Argument]]) -> list[Any]:
        """Send commands in one go, without a transaction; their replies in order.

        Raises:
            StorageError: one of them failed; others may have been carried out.
        """
        self._usable.check("commands" if self._writes else None)
        async with self._slot():
            pipeline = cast(_Pipeline, self.client.pipeline(transaction=False))
            try:
                for parts in commands:
                    pipeline.execute_command(*parts)
                return await pipeline.execute()
            finally:
                await pipeline.reset()

    async def script(self, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """Run a script; keys must all be of one workspace.

        A server that has forgotten its scripts (restart, failover, SCRIPT FLUSH) is given the source again. That is
        the one repeat that is safe here: it says NOSCRIPT before it does anything.

        Raises:
            StorageError: `storage_down` or `storage_full`; the script may have run.
        """
        self._usable.check("script" if self._writes else None)
        try:
            try:
                return await self._send("EVALSHA", script.sha, len(keys), *keys, *arguments)
            except theirs.NoScriptError:
                return await self._send("EVAL", script.source, len(keys), *keys, *arguments)
        except STORE_ERRORS as error:
            raise storage_error(error) from error

    async def _send(self, *parts: Argument) -> Any:
        if self._scripts is not None:
            return await self._scripts.send(parts)
        (reply,) = await self._round_trip([parts])
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def _round_trip(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands in one write; their replies, errors among them as values."""
        async with self._slot():
            if len(commands) == 1:
                try:
                    return [await cast(Awaitable[Any], self.client.execute_command(*commands[0]))]
                except theirs.ResponseError as error:
                    return [error]
            pipeline = cast(_Pipeline, self.client.pipeline(transaction=False))
            try:
                for parts in commands:
                    pipeline.execute_command(*parts)
                return await pipeline.execute(raise_on_error=False)
            finally:
                await pipeline.reset()

    async def close(self) -> None:
        """Close every connection, and refuse what comes later; what is under way fails.

        The client tries a read again, over a new connection, until it has tried often enough.
        """
        if self._scripts is not None:
            await self._scripts.wait_in_flight()
        self._is_closed = True
        await self.client.aclose()
        for _ in range(_CLOSE_AGAIN):
            if not self._under_way:
                return
            self._none_under_way.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(_CLOSE_AGAIN_SECONDS):
                    await self._none_under_way.wait()
            await self.client.aclose()
