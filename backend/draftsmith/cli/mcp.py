"""The command `mcp`: a bridge between a desktop program, which speaks MCP over pipes, and a server.

Standard output carries messages of the protocol and nothing else: everything that this process or one that it starts
prints goes to standard error. Imports are inside the command, so that `draftsmith --help` answers at once.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from draftsmith.cli.store import data_dir_option, print_message
from draftsmith.errors import DraftsmithError

if TYPE_CHECKING:
    from draftsmith.adapters.bridge.server_locator import ServerLocator

_URL = re.compile(r"https?://[^\s/]+(?:/[^\s?#]*)?")
LoadSettings = Callable[..., Any]


@click.command("mcp")
@click.option("--url", envvar="DRAFTSMITH_URL", help="Address of a running server (DRAFTSMITH_URL).")
@click.option(
    "--key-file", type=click.Path(path_type=Path, dir_okay=False), help="File that holds the key; else DRAFTSMITH_KEY."
)
@data_dir_option
@click.pass_obj
def mcp(load: LoadSettings, url: str | None, key_file: Path | None, data_dir: Path | None) -> None:
    """Serve an agent over standard input and output, until it closes them.

    Without an address: the server that runs on the data folder, or one that is started for as long as this lasts.
    """
    if url is not None and not _URL.fullmatch(url):
        raise click.UsageError("DRAFTSMITH_URL: the address of a server, such as https://draftsmith.example.com")
    key = _key(key_file)
    source, target = _take_pipes()
    if url is not None:
        from draftsmith.adapters.bridge.server_locator import At

        _serve(At(url.removesuffix("/mcp")), key, source, target)
        return
    from draftsmith.adapters.bridge.server_locator import Keeper, on_free_port
    from draftsmith.adapters.process.logs import configure_logs
    from draftsmith.adapters.server.launcher import Options

    settings = load(data_dir=data_dir)
    configure_logs(settings.log_level, settings.log_format)
    options = Options(
        host=settings.host,
        port=settings.port,
        workers=1,
        data_dir=settings.data_dir,
        redis_url=settings.redis_url,
        mode=settings.mode,
        drain_s=2,
    )
    keeper = Keeper(on_free_port(options), print_message)

    def serve() -> None:
        try:
            _serve(keeper, key, source, target)
        finally:
            keeper.end()

    threading.Thread(target=serve, name="bridge", daemon=True).start()
    keeper.run()


def _serve(place: ServerLocator, key: str | None, source: int, target: int) -> None:
    import asyncio

    from draftsmith.adapters.bridge.bridge import Bridge

    async def serve() -> None:
        await Bridge(place, key, source, target).run()

    try:
        asyncio.run(serve())
    except (BrokenPipeError, KeyboardInterrupt):
        print_message("The program has gone.")


def _take_pipes() -> tuple[int, int]:
    """Descriptors of the pipes, in places where nothing else prints to or reads from them."""
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout.flush()
    os.dup2(2, 1)
    return source, target


def _key(file: Path | None) -> str | None:
    """The key; none is left in the environment for the processes that are started.

    Raises:
        DraftsmithError: `file_unreadable`.
    """
    given = os.environ.pop("DRAFTSMITH_KEY", "").strip()
    if file is None:
        return given or None
    try:
        return file.read_text().strip() or None
    except (OSError, UnicodeDecodeError) as problem:
        raise DraftsmithError("file_unreadable", f"{file} cannot be read as a key: {problem}.") from problem
