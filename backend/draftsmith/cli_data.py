"""Reach the store from a command: the running one, or one that is started just for the command.

Not here: the commands.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from draftsmith.adapters.embedded_server import EmbeddedServer, answers, quiet
from draftsmith.errors import DraftsmithError

_PATIENCE_S = 20.0


@contextmanager
def open_store(data_dir: Path, on_progress: Callable[[str], None] = quiet) -> Iterator[str]:
    """Give the URL of the embedded store of `data_dir` while the block runs.

    If a Draftsmith runs on that folder its store is used, else one is started under the folder's lock and stopped
    afterwards. To be used from the main thread. A store named by REDIS_URL needs none of this.

    Raises:
        DraftsmithError: as `EmbeddedServer.start`; `data_folder_in_use` only if the running store does not answer.
    """
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
    """Wait for the store of the launcher that holds the folder: it may be starting or loading just now."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline and server.folder.holder_or_none() is not None:
        running = server.folder.running_or_none()
        if running is not None and answers(running.url):
            return running.url
        time.sleep(0.1)
    return None
