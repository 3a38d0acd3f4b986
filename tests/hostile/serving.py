"""The product as it is started by people: `draftsmith serve` on its own embedded store, and what its processes hold."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.timeouts import TIMEOUT_SECONDS

BACKEND = Path(__file__).parents[2] / "backend"
MIB = 1 << 20
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


class Deployed:
    """One launcher with its store and its workers, in a folder of its own, which outlives a restart.

    Attributes:
        url: where it answers, without a slash at the end.
    """

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder, self._environment = folder, environment
        self._log = folder / "log"
        self.url = ""
        self.start()

    @property
    def data(self) -> Path:
        """The folder of everything stored."""
        return self.folder / "data"

    @property
    def place(self) -> tuple[str, int]:
        """Host and port."""
        parts = urlsplit(self.url)
        return parts.hostname or "", parts.port or 0

    @property
    def log(self) -> str:
        """Everything that its processes have said so far."""
        return self._log.read_text(errors="replace")

    @property
    def pid(self) -> int:
        """The launcher's process id."""
        return self._process.pid

    def start(self) -> None:
        """Start it, and return when it says that it is ready."""
        begin = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "draftsmith.cli", "serve", "--port", "0"],
                env=environment(**{"DATA_DIR": str(self.data), "LOG_FORMAT": "json", **self._environment}),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            with self._log.open("rb") as log:
                log.seek(begin)
                said = log.read().decode(errors="replace").partition("is ready: ")[2]
            if "\n" in said:
                self.url = said.split()[0]
                return
            time.sleep(0.02)
        raise AssertionError(f"the server did not start:\n{self.log[-3000:]}")

    def kill(self, rng: random.Random) -> list[int]:
        """Kill the launcher and everything that it has started, in any order, as `kill -9` does; their ids."""
        everybody = family(self.pid)
        rng.shuffle(everybody)
        for pid in everybody:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        return everybody

    def take_log(self) -> str:
        """Everything that its processes have said since it was last taken; the file is empty then."""
        said = self.log
        os.truncate(self._log, 0)
        return said

    def stop(self, patience: float = 20.0) -> bool:
        """End it; whether it ended by itself, else it was killed."""
        everybody = family(self.pid)
        self._process.terminate()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            for pid in (self.pid, *everybody):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait()
            return False
        return True


def environment(**more: str) -> dict[str, str]:
    """This process's environment without settings of the product, and some more."""
    ours = ("REDIS_URL", "DRAFTSMITH_", "ALLOW", "LOG_", "MAX_", "PROMETHEUS_", "DATA_DIR", "HOST", "PORT", "WORKERS",
            "ANTHROPIC_", "OPENAI_", "AZURE_", "GOOGLE_", "BEDROCK_", "VERTEX_", "ASSISTANT_", "EDIT_MODE", "RETAIN_",
            "SNAPSHOT_")  # fmt: skip
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PYTHONPATH": str(BACKEND), **more}


@contextmanager
def deployed(**settings: str) -> Iterator[Deployed]:
    """A fresh server, up; it and its folder are gone on the way out, whatever happens."""
    # Not pytest's own folder: the path of the store's unix socket may hold 104 bytes at most.
    folder = Path(tempfile.mkdtemp(prefix="ds-"))
    server = None
    try:
        server = Deployed(folder, **settings)
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def family(pid: int) -> list[int]:
    """A process and everything that it has started; empty where the system does not say."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        with contextlib.suppress(OSError):
            threads = list(Path(f"/proc/{one}/task").iterdir())
            found.append(one)
            for thread in threads:
                with contextlib.suppress(OSError):
                    waiting += map(int, (thread / "children").read_text().split())
    return found


def is_store(pid: int) -> bool:
    """Whether a process is the store's server."""
    try:
        return "valkey" in Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return False


def resident(pid: int) -> int:
    """Bytes of memory that a process holds now; 0 where there is none."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def high_water(pid: int) -> int:
    """Bytes of memory that a process has held at most since `forget_high_water`."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def forget_high_water(pid: int) -> None:
    """Let the greatest memory of a process be counted from now on."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def cpu_seconds(pids: list[int]) -> float:
    """Processor time that processes have used so far."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / _TICKS
