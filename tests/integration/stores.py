"""A Valkey of a test's own, that can be killed and started again on the same data."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from threading import current_thread, main_thread

from draftsmith.adapters.process.parent_death import with_parent_death_signal
from tests.conftest import valkey_binary, wait_until_ready


class OwnStore:
    """A server on a socket and a folder of its own; on disk with every write, as the product runs it."""

    def __init__(self) -> None:
        # Not pytest's own folder: the path of a unix socket may hold 104 bytes at most.
        self._folder = Path(tempfile.mkdtemp(prefix="ds-"))
        self.url = f"unix://{self._folder / 's'}?db=0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and return when it answers."""
        log = self._folder / "log"
        place = ["--port", "0", "--unixsocket", str(self._folder / "s"), "--dir", str(self._folder)]
        habits = ["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--logfile", str(log)]
        command = [str(valkey_binary()), *place, *habits]
        if current_thread() is main_thread():  # else it would end with the thread
            command = with_parent_death_signal(command)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until_ready(self._process, self.url, log)

    def kill(self) -> None:
        """End it at once; what it acknowledged is on disk."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        """End it, with everything in it."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)
