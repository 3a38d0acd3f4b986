"""Where the server is: at a given address, or that of a data folder, started here if none runs there.

The launcher has to run in the main thread (`adapters.server.launcher`), the bridge runs in another; `Keeper` connects
the two. Of several programs on one data folder the first starts the server; if it goes, another one takes over.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from draftsmith.adapters.embedded.folder import DataFolder
from draftsmith.adapters.server.http_client import answers_ready
from draftsmith.adapters.server.launcher import Launcher, Options
from draftsmith.errors import DraftsmithError

_START_S: Final = 60.0
_EVERY_S: Final = 0.1


class ServerLocator(Protocol):
    """Finds the server."""

    def find(self) -> str:
        """The URL of the server, started if need be; blocks.

        Raises:
            DraftsmithError: there is none, and none could be started.
        """
        ...


class At:
    """A server at a given address."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def find(self) -> str:
        """The address."""
        return self._url


class Keeper:
    """The server of a data folder (or of the store that `Options` name): found, or run by the main thread."""

    def __init__(self, options: Options, print_line: Callable[[str], None]) -> None:
        """Prepare; `options.host` and `.port` are where a server that is started listens."""
        self._options = options
        self._print_line = print_line
        self._wanted: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._is_running = False
        self._has_ended = False
        self._started_url: str | None = None
        self._failure: DraftsmithError | None = None

    def find(self) -> str:
        """As `ServerLocator`; from any thread but the main one."""
        deadline = time.monotonic() + _START_S
        is_asked = False
        self._failure = None
        while time.monotonic() < deadline:
            url = self._started_url or self._running_or_none()
            if url is not None and answers_ready(url):
                return url
            if self._failure is not None and self._failure.code != "data_folder_in_use":
                raise self._failure
            if url is None and not self._is_held() and not self._is_running and not is_asked:
                is_asked = True
                self._wanted.put(True)
            elif self._failure is not None:  # another one was quicker, and may have gone again
                self._failure, is_asked = None, False
            time.sleep(_EVERY_S)
        raise DraftsmithError("server_away", f"No server of {self._where()} answers within {_START_S:.0f} seconds.")

    def run(self) -> None:
        """Run servers when one is wanted, until `end`; in the main thread.

        A signal that ends a server that runs here ends this, too.
        """
        while self._wanted.get():
            launcher = Launcher(self._options, self._print_line, self._on_ready)
            with self._lock:
                if self._has_ended:
                    return
                self._is_running = True
            try:
                launcher.run()
                return
            except DraftsmithError as problem:
                self._print_line(problem.detail)
                self._failure = problem
            finally:
                with self._lock:
                    self._is_running, self._started_url = False, None

    def end(self) -> None:
        """Stop the server that was started here, if any, and let `run` return."""
        with self._lock:
            self._has_ended = True
            self._wanted.put(False)
            if self._is_running:
                os.kill(os.getpid(), signal.SIGTERM)

    def _on_ready(self, url: str, _store_url: str) -> None:
        self._started_url = url

    def _running_or_none(self) -> str | None:
        if self._options.redis_url is not None:
            return None
        holder = DataFolder(self._options.data_dir).holder_or_none()
        return None if holder is None else holder.url

    def _is_held(self) -> bool:
        return self._options.redis_url is None and DataFolder(self._options.data_dir).holder_or_none() is not None

    def _where(self) -> str:
        return "REDIS_URL" if self._options.redis_url is not None else str(self._options.data_dir)


def on_free_port(options: Options) -> Options:
    """The same for a server that only this machine reaches, at any port."""
    return replace(options, host="127.0.0.1", port=0)
