"""How a command reaches the store: that of a running Draftsmith, or one that it starts for itself while it runs.

What was asked for goes to standard output or a file, everything else to standard error. Imports are inside the
functions, so that `draftsmith --help` answers at once.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import click

from draftsmith.errors import DraftsmithError

if TYPE_CHECKING:
    from draftsmith.adapters.embedded.server import EmbeddedServer
    from draftsmith.ports import Clock, CommitLog, WorkspaceIndex
    from draftsmith.ports.access import AccessStores
    from draftsmith.ports.runs import RunStore
    from draftsmith.usecases.upkeep.images import Images

T = TypeVar("T")
_TIMEOUT_S = 20.0


class DataSettings(Protocol):
    """The settings that these commands need."""

    data_dir: Path
    redis_url: str | None
    editor_dir: Path | None
    max_nodes: int
    max_edges: int
    max_document_chars: int


LoadSettings = Callable[..., Any]
"""Gives `DataSettings`, with the options that were given winning over the environment; is the context's object."""


@dataclass(frozen=True, slots=True)
class OpenStore:
    """An open store."""

    log: CommitLog
    index: WorkspaceIndex
    clock: Clock
    access: AccessStores
    runs: RunStore
    rewrite_files: Callable[[], Awaitable[bool]]
    """Has the store write its files anew, without what was removed; whether it does."""


def _quiet(message: str) -> None:
    """Discard a progress message."""


def print_message(message: str) -> None:
    """Print a message to standard error."""
    click.echo(message, err=True)


@contextmanager
def open_store(data_dir: Path, on_progress: Callable[[str], None] = _quiet) -> Iterator[str]:
    """Give the URL of the embedded store of `data_dir` while the block runs.

    If a Draftsmith runs on that folder its store is used, else one is started under the folder's lock and stopped
    afterwards. To be used from the main thread. A store named by REDIS_URL needs none of this.

    Raises:
        DraftsmithError: as `EmbeddedServer.start`; `data_folder_in_use` only if the running store does not answer.
    """
    from draftsmith.adapters.embedded.server import EmbeddedServer

    server = EmbeddedServer(data_dir, on_progress=on_progress)
    try:
        url = server.start()
    except DraftsmithError as problem:
        if problem.code != "data_folder_in_use":
            raise
        running = _running_url_or_none(server)
        if running is None:
            raise
        yield running
        return
    try:
        yield url
    finally:
        server.stop()


def _running_url_or_none(server: EmbeddedServer) -> str | None:
    """Wait for the store of the launcher that holds the folder, which may be starting or loading."""
    from draftsmith.adapters.embedded.server import answers

    deadline = time.monotonic() + _TIMEOUT_S
    while time.monotonic() < deadline and server.folder.holder_or_none() is not None:
        running = server.folder.running_or_none()
        if running is not None and answers(running.url):
            return running.url
        time.sleep(0.1)
    return None


def with_store(settings: DataSettings, work: Callable[[OpenStore], Awaitable[T]]) -> T:
    """Run something on the store that the settings name."""
    import asyncio

    if settings.redis_url is not None:
        return asyncio.run(run_on_store(settings.redis_url, work))
    with open_store(settings.data_dir, print_message) as url:
        return asyncio.run(run_on_store(url, work))


async def run_on_store(url: str, work: Callable[[OpenStore], Awaitable[T]]) -> T:
    """Run something on the store of an address."""
    from draftsmith.adapters.process.system import SystemClock
    from draftsmith.adapters.redis.access.stores import access_stores
    from draftsmith.adapters.redis.assistant.runs import RedisRuns
    from draftsmith.adapters.redis.commit_log import RedisCommitLog
    from draftsmith.adapters.redis.connection import connect
    from draftsmith.adapters.redis.workspace_index import RedisIndex

    connection = await connect(url)
    try:
        stores = access_stores(connection)
        return await work(
            OpenStore(
                RedisCommitLog(connection), RedisIndex(connection), SystemClock(), stores, RedisRuns(connection),
                connection.rewrite_files,
            )
        )  # fmt: skip
    finally:
        await connection.close()


@asynccontextmanager
async def open_images(settings: DataSettings) -> AsyncIterator[Images]:
    """Open what keeps images, as the settings say."""
    from draftsmith.components import images_of
    from draftsmith.settings import Settings

    images = images_of(cast(Settings, settings))  # which `LoadSettings` gives
    try:
        yield images
    finally:
        await images.blobs.close()


data_dir_option = click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False), help="Folder of everything stored (DATA_DIR)."
)
file_path = click.Path(path_type=Path, dir_okay=False)
