"""The commands `export` and `import`, and how a command reaches the store.

Commands work on the store of a running Draftsmith, or start it for themselves while they run. What was asked for goes
to standard output or a file, everything else to standard error. Imports are inside the commands, so that
`draftsmith --help` answers at once. Not here: `backup` and `recover` (`cli_backup`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from draftsmith.errors import DraftsmithError
from draftsmith.model.formats import FORMATS, Format, format_of

if TYPE_CHECKING:
    from draftsmith.adapters.embedded.server import EmbeddedServer
    from draftsmith.history.replica import Replica
    from draftsmith.ports import Clock, CommitLog, WorkspaceIndex
    from draftsmith.ports.access import AccessStores
    from draftsmith.ports.runs import RunStore
    from draftsmith.usecases.upkeep.import_export import Import

T = TypeVar("T")
_TIMEOUT_S = 20.0


class DataSettings(Protocol):
    """The settings that these commands need."""

    data_dir: Path
    redis_url: str | None
    max_nodes: int
    max_edges: int
    max_document_chars: int


LoadSettings = Callable[..., Any]
"""Gives `DataSettings`, with the options that were given winning over the environment; is the context's object."""


@dataclass(frozen=True, slots=True)
class Store:
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


def with_store(settings: DataSettings, work: Callable[[Store], Awaitable[T]]) -> T:
    """Run something on the store that the settings name."""
    import asyncio

    if settings.redis_url is not None:
        return asyncio.run(connected(settings.redis_url, work))
    with open_store(settings.data_dir, print_message) as url:
        return asyncio.run(connected(url, work))


async def connected(url: str, work: Callable[[Store], Awaitable[T]]) -> T:
    """Run something on the store of an address."""
    from draftsmith.adapters.process.system import SystemClock
    from draftsmith.adapters.redis.access.stores import access_stores
    from draftsmith.adapters.redis.commit_log import RedisCommitLog
    from draftsmith.adapters.redis.connection import connect
    from draftsmith.adapters.redis.runs import RedisRuns
    from draftsmith.adapters.redis.workspace_index import RedisIndex

    connection = await connect(url)
    try:
        stores = access_stores(connection)
        return await work(
            Store(
                RedisCommitLog(connection), RedisIndex(connection), SystemClock(), stores, RedisRuns(connection),
                connection.rewrite_files,
            )
        )  # fmt: skip
    finally:
        await connection.close()


data_dir_option = click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False), help="Folder of everything stored (DATA_DIR)."
)
file_path = click.Path(path_type=Path, dir_okay=False)


@click.command("export")
@click.argument("workspace")
@click.option("--format", "form", type=click.Choice(FORMATS), default="json", show_default=True)
@click.option("-o", "--output", type=file_path, help="File to write; standard output if not given.")
@data_dir_option
@click.pass_obj
def export(load: LoadSettings, workspace: str, form: Format, output: Path | None, data_dir: Path | None) -> None:
    """Write WORKSPACE (its id) as a file; JSON holds everything of its newest state."""
    from draftsmith.usecases.upkeep.import_export import WRITERS

    replica = with_store(load(data_dir=data_dir), lambda store: _read(store, workspace))
    content = WRITERS[form].file(replica.workspace)
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(content)
    except OSError as problem:
        raise DraftsmithError("file_unwritable", f"{output} cannot be written: {problem.strerror}.") from problem
    print_message(f"Wrote {output}: revision {replica.head.revision:,} of “{replica.workspace.name}”.")


async def _read(store: Store, text: str) -> Replica:
    from draftsmith.usecases.replicas.log_reader import FrozenReplica, load_or_freeze
    from draftsmith.usecases.requests.identity import check_id

    workspace_id = check_id(text)
    try:
        return await load_or_freeze(store.log, workspace_id)
    except FrozenReplica as frozen:
        print_message(
            f"This workspace is frozen ({frozen.corrupt}); this is revision {frozen.replica.head.revision:,} of it."
        )
        return frozen.replica


@click.command("import")
@click.argument("file", type=file_path)
@click.option("--name", help="What to call it; else what the file says.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Else told by its name.")
@data_dir_option
@click.pass_obj
def import_(load: LoadSettings, file: Path, name: str | None, form: Format | None, data_dir: Path | None) -> None:
    """Create a workspace from FILE (JSON export, Markdown or Mermaid) and print its id."""
    from draftsmith.usecases.upkeep.import_export import imported

    settings = load(data_dir=data_dir)
    form = form or format_of(file.name)
    if form is None:
        raise click.UsageError(
            f"{file.name} does not say what it is; add --format {', '.join(FORMATS[:-1])} or {FORMATS[-1]}."
        )
    try:
        raw = file.read_bytes()
    except OSError as problem:
        raise DraftsmithError("file_unreadable", f"{file} cannot be read: {problem.strerror}.") from problem
    found = imported(raw, form)
    for line in found.unread:
        print_message(f"Line {line['line']} was not taken over: {line['reason']}")
    title = (name or found.name or file.stem).strip()[:200] or "Untitled"
    click.echo(_create_through_server(settings, title, found) or _create_directly(settings, title, found))


def _create_through_server(settings: DataSettings, name: str, found: Import) -> str | None:
    """Create it through the running server; None if there is none or it requires a login."""
    from draftsmith.adapters.embedded.folder import DataFolder
    from draftsmith.adapters.files.import_request import create_on
    from draftsmith.adapters.process.system import SystemClock

    holder = DataFolder(settings.data_dir).holder_or_none() if settings.redis_url is None else None
    if holder is None or holder.url is None:
        return None
    return create_on(holder.url, name, found.body, f"import-{SystemClock().new_id()}")


def _create_directly(settings: DataSettings, name: str, found: Import) -> str:
    from draftsmith.history.actor import Actor
    from draftsmith.model.limits import WorkspaceLimits
    from draftsmith.usecases.commits.workspaces import Workspaces
    from draftsmith.usecases.requests.identity import fingerprint, identify

    limits = WorkspaceLimits(settings.max_nodes, settings.max_edges, document_chars=settings.max_document_chars)

    async def create(store: Store) -> str:
        actor = Actor("local:cli", "Command line", "script")
        workspaces = Workspaces(store.log, store.index, store.clock, limits, "cli")
        identity = identify(actor, None, store.clock)
        mark = fingerprint({"name": name, "import": found.body})
        workspace_id, _ = await workspaces.create(
            identity, actor, name=name, content=found.content, source="import", fingerprint=mark
        )
        return workspace_id

    return with_store(settings, create)
