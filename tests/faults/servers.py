"""The product's own store server, to be killed and brought back, and workers on it."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from draftsmith.adapters.embedded.server import EmbeddedServer, answers
from draftsmith.adapters.process.supervise import Child
from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.adapters.redis.pool import PoolLimits
from draftsmith.adapters.redis.workspace_index import RedisIndex
from draftsmith.usecases.commits.workspaces import Workspaces
from tests.faults.load import CLOCK, LIMITS
from tests.timeouts import TIMEOUT_SECONDS


class StoreServer:
    """The embedded server with the product's settings; killed as by the kernel, started again on the same folder."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self._environment = environment
        self._server = EmbeddedServer(folder)

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def append_only(self) -> Path:
        """The folder of the append-only files."""
        return self.folder / "store" / "appendonlydir"

    @property
    def log(self) -> str:
        return self._server.folder.log.read_text(errors="replace")

    def start(self) -> None:
        with _set(self._environment):
            self._server.start()

    def kill(self) -> None:
        """End it at once, as `kill -9` does; nothing is said to anybody."""
        self.child.kill()
        self.child.wait()

    def has_ended(self) -> bool:
        return self._server.poll() is not None

    @property
    def child(self) -> Child:
        assert self._server.child is not None
        return self._server.child

    def spawn(self) -> Child:
        """Start the process again without waiting until it answers."""
        with _set(self._environment):
            return self._server.respawn()

    def restart(self) -> None:
        """Start it again and wait until it has loaded everything."""
        self.spawn()
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not answers(self.url):
            assert not self.has_ended(), self.log
            assert time.monotonic() < deadline, "the server does not come back"
            time.sleep(0.01)

    def stop(self) -> None:
        self._server.stop(timeout_s=5.0)


@contextmanager
def store_server(folder: Path | None = None, environment: Mapping[str, str] | None = None) -> Iterator[StoreServer]:
    """Run a server on a folder, a fresh one if none is given; it is gone on the way out, whatever happens."""
    # Not pytest's own folder: the path of a unix socket may hold 104 bytes at most.
    place = folder or Path(tempfile.mkdtemp(prefix="ds-"))
    server = StoreServer(place, environment or {})
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(place, ignore_errors=True)


@contextmanager
def _set(environment: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@asynccontextmanager
async def workers(
    *urls: str, limits: PoolLimits | None = None, has_room: Callable[[], bool] | None = None
) -> AsyncIterator[list[Workspaces]]:
    """One worker for each URL, all of one store; their connections are closed on the way out."""
    async with AsyncExitStack() as stack:
        made = []
        for number, url in enumerate(urls):
            connection = await connect(url, limits, has_room)
            stack.push_async_callback(connection.close)
            name = f"worker-{os.getpid()}-{number}"
            made.append(Workspaces(RedisCommitLog(connection), RedisIndex(connection), CLOCK, LIMITS, name))
        try:
            yield made
        finally:
            for worker in made:
                await worker.close()
