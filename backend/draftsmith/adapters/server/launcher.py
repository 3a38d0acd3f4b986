"""The parent process of `draftsmith serve`: it starts the store and the workers, keeps them running, stops them.

Order at start: listening socket, store, workers, ready. Order at the end: workers (their requests get time to
finish), store. Everything happens in the main thread, with which the children die (`process.parent_death`); it holds no
data, so `kill -9` of it loses nothing and leaves nothing behind.
"""

from __future__ import annotations

import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final, Literal

from draftsmith.adapters.embedded.folder import DataFolder
from draftsmith.adapters.embedded.server import EmbeddedServer
from draftsmith.adapters.file_lock import is_held, lock_or_none
from draftsmith.adapters.process.plain_log import Form, Level, PlainLog
from draftsmith.adapters.process.supervise import Child, SupervisedChild
from draftsmith.adapters.server.http_client import answers_ready
from draftsmith.adapters.server.listening import listen, url_of
from draftsmith.errors import DraftsmithError

_READY_EVERY_S = 0.1
_READY_TIMEOUT_S = 20.0
_FIRST_DEATHS_ALLOWED = 3
# On top of the time to drain: the application closes its connections and ends.
_CLOSE_S = 5
_METRICS_STEM: Final = "draftsmith-metrics-"
_NEW_METRICS_SECONDS: Final = 60.0
"""How long a folder of metrics that nobody has locked may be new: it is locked a moment after it was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What to launch.

    Attributes:
        host, port, workers, data_dir, redis_url, mode, public_url, log_level, log_format: as in `Settings`.
        app: import path of the function that makes the ASGI application.
        drain_s: whole seconds that running requests get to finish when stopping.
    """

    host: str
    port: int
    workers: int
    data_dir: Path
    redis_url: str | None = None
    mode: Literal["local", "token"] = "local"
    public_url: str = ""
    log_level: Level = "info"
    log_format: Form = "console"
    app: str = "draftsmith.main:create_app"
    drain_s: int = 10


class Launcher:
    """Runs Draftsmith until it is told to stop."""

    def __init__(
        self,
        options: Options,
        print_line: Callable[[str], None],
        on_ready: Callable[[str, str], None] = lambda _url, _store_url: None,
    ) -> None:
        """Prepare to launch.

        Args:
            options: what to launch.
            print_line: prints a sentence for the person who started it.
            on_ready: called once with the URL, and with that of the store, as soon as requests are answered; must
                return at once and not raise.
        """
        self._options = options
        self._print_line = print_line
        self._on_ready = on_ready
        self._server: EmbeddedServer | None = None
        self._log = PlainLog("draftsmith.launcher", options.log_level, options.log_format)
        self._store = SupervisedChild("store", self._respawn_store, self._store_exit_reason, log=self._log)
        self._workers: list[SupervisedChild] = []
        self._stops = 0
        self._url = ""
        self._store_url = ""
        self._metrics = Path()
        self._own_metrics: _MetricsFolder | None = None
        self._started_ms = round(time.time() * 1000)

    def run(self) -> int:
        """Launch, keep running, stop on SIGTERM, SIGINT or SIGHUP; the exit code, 0 for a stop that was asked for.

        Raises:
            DraftsmithError: it cannot start: `insecure_bind`, `port_in_use`, `bind_failed`, `worker_failed`, or what
                `EmbeddedServer.start` raises. Nothing is left running then.
        """
        options = self._options
        with (
            _wakeups(self._on_signal) as wakeup,
            listen(options.host, options.port, is_local=options.mode == "local") as listener,
        ):
            self._url = url_of(listener)
            try:
                self._start_store()
                if not self._is_stopping():
                    self._start_workers(listener)
                    self._supervise(wakeup)
            finally:
                # First, so that clients are refused instead of waiting in a backlog that nobody serves.
                listener.close()
                self._stop_workers(wakeup)
                self._stop_store()
        return 0

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if number != signal.SIGCHLD:
            self._stops += 1

    def _is_stopping(self) -> bool:
        return self._stops > 0

    def _start_store(self) -> None:
        options = self._options
        if options.redis_url is not None:
            DataFolder(options.data_dir).prepare()
            self._store_url = options.redis_url
            self._own_metrics = _MetricsFolder()
            self._metrics = self._own_metrics.path
            return
        self._server = EmbeddedServer(options.data_dir, on_progress=self._print_line)
        self._store_url = self._server.start(self._is_stopping)
        if self._server.child is None:
            return
        self._store.adopt(self._server.child)
        self._server.folder.announce(self._url)
        self._metrics = self._server.folder.metrics
        for left in self._metrics.glob("*.db"):
            left.unlink()

    def _start_workers(self, listener: socket.socket) -> None:
        for number in range(1, self._options.workers + 1):
            worker = SupervisedChild(
                f"worker {number}",
                partial(self._spawn_worker, number, listener),
                on_exit=self._forget_gauges,
                log=self._log,
            )
            self._workers.append(worker)
            worker.tick()

    def _spawn_worker(self, number: int, listener: socket.socket) -> Child:
        options = self._options
        descriptor = listener.fileno()
        # A name is never used twice: a lease of an ended worker must not pass to the next one.
        environment = {
            **os.environ,
            "DRAFTSMITH_STORE_URL": self._store_url,
            "DRAFTSMITH_STARTED_MS": str(self._started_ms),
            "DRAFTSMITH_WORKER": f"w{number}-{secrets.token_hex(4)}",
            "PROMETHEUS_MULTIPROC_DIR": str(self._metrics),
            "DRAFTSMITH_MODE": options.mode,
            "HOST": options.host,
            "PORT": str(listener.getsockname()[1]),
            "WORKERS": str(options.workers),
            "DATA_DIR": str(options.data_dir),
        }
        # -P: a file in the current folder must not be imported as one of our modules.
        program = [sys.executable, "-P", "-m", "draftsmith.adapters.server.worker"]
        return subprocess.Popen(
            [*program, str(os.getpid()), str(descriptor), options.app, str(options.drain_s)],
            env=environment,
            pass_fds=[descriptor],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _forget_gauges(self, pid: int) -> None:
        """Remove the gauges of an ended worker; its counters stay."""
        for left in self._metrics.glob(f"gauge_live*_{pid}.db"):
            left.unlink(missing_ok=True)

    def _supervise(self, wakeup: socket.socket) -> None:
        ready = False
        remind_at = time.monotonic() + _READY_TIMEOUT_S
        while not self._is_stopping():
            children = [*([self._store] if self._server is not None else []), *self._workers]
            due = [when for child in children if (when := child.tick()) is not None]
            if not ready:
                self._check_first_deaths()
                ready = answers_ready(self._url)
                if ready:
                    self._announce_ready()
                    continue
                due.append(time.monotonic() + _READY_EVERY_S)
                if time.monotonic() > remind_at:
                    remind_at = time.monotonic() + _READY_TIMEOUT_S
                    self._print_line(f"Still waiting for {self._url}/readyz to say that everything works …")
            _wait(wakeup, min(due) - time.monotonic() if due else None)

    def _check_first_deaths(self) -> None:
        """Give up if workers never come up: a restart does not mend a wrong setting."""
        for worker in self._workers:
            if worker.deaths >= _FIRST_DEATHS_ALLOWED:
                raise DraftsmithError("worker_failed", "The application does not start; its log above says why.")

    def _announce_ready(self) -> None:
        self._print_line(f"Draftsmith is ready: {self._url}")
        if self._options.public_url:
            self._print_line(f"People open it at {self._options.public_url}")
        if self._server is not None:
            self._print_line(f"Everything is stored in {self._options.data_dir}")
        else:
            self._print_line("Everything is stored on the server of REDIS_URL")
        self._on_ready(self._url, self._store_url)

    def _respawn_store(self) -> Child:
        assert self._server is not None
        return self._server.respawn()

    def _store_exit_reason(self, code: int) -> str:
        assert self._server is not None
        return self._server.exit_reason(code)

    def _stop_workers(self, wakeup: socket.socket) -> None:
        """Stop all workers at once; kill those that take too long, or all of them on a second signal."""
        children = [worker.child for worker in self._workers if worker.child is not None]
        for child in children:
            child.terminate()
        deadline = time.monotonic() + self._options.drain_s + _CLOSE_S
        while any(child.poll() is None for child in children):
            left = deadline - time.monotonic()
            if left <= 0 or self._stops > 1:
                break
            _wait(wakeup, left)
        for child in children:
            child.kill()
            child.wait()

    def _stop_store(self) -> None:
        if self._server is not None:
            self._server.stop()
        elif self._own_metrics is not None:
            self._own_metrics.remove()


def _wait(wakeup: socket.socket, seconds: float | None) -> None:
    """Wait until a signal came or `seconds` are over; None waits for a signal."""
    readable, _, _ = select.select([wakeup], [], [], None if seconds is None else max(0.0, seconds))
    if readable:
        with suppress(BlockingIOError):
            while wakeup.recv(4096):
                pass


@contextmanager
def _wakeups(handler: Callable[[int, FrameType | None], None]) -> Iterator[socket.socket]:
    """Handle signals, and yield a socket that becomes readable whenever one came.

    A signal that the caller ignores stays ignored: `nohup` means it.
    """
    receiver, sender = socket.socketpair()
    receiver.setblocking(False)
    sender.setblocking(False)
    wanted = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)
    handled = [number for number in wanted if number == signal.SIGCHLD or signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in handled}
    before_wakeup = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    try:
        yield receiver
    finally:
        signal.set_wakeup_fd(before_wakeup)
        for number, old in before.items():
            signal.signal(number, old)
        receiver.close()
        sender.close()


class _MetricsFolder:
    """The folder of counters of a launcher that has no store of its own, since several may share a data folder.

    It is one of the system's temporary folders, and is locked for as long as this process lives.
    """

    def __init__(self) -> None:
        """Make a folder, and remove those that killed launchers have left."""
        for left in Path(tempfile.gettempdir()).glob(f"{_METRICS_STEM}*"):
            if not is_held(_lock_of(left)) and _age(left) > _NEW_METRICS_SECONDS:
                shutil.rmtree(left, ignore_errors=True)  # also those of other people, which cannot be removed
        self.path = Path(tempfile.mkdtemp(prefix=_METRICS_STEM))
        self._lock = lock_or_none(_lock_of(self.path))

    def remove(self) -> None:
        """Remove the folder, and give up its lock."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)


def _lock_of(folder: Path) -> Path:
    return folder / "lock"


def _age(folder: Path) -> float:
    """Return the seconds since something was last made or removed in a folder; 0 if it is gone."""
    try:
        return time.time() - folder.stat().st_mtime
    except OSError:
        return 0.0
