"""The embedded store: a Valkey or Redis server on a data folder, reached by a unix socket.

It answers only after a commit is on disk (`appendfsync always`) and never evicts. `start` returns when it is ready;
its owner asks `poll` and calls `respawn` when it ended, which it does by itself when the disk is full. Which program
it is: `binary`; who may use the folder: `folder`; when to start it again: `process.supervise`.
"""

from __future__ import annotations

import re
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from draftsmith.adapters.embedded.binary import Binary, find_binary
from draftsmith.adapters.embedded.folder import DataFolder
from draftsmith.adapters.process.parent_death import with_parent_death_signal
from draftsmith.adapters.process.supervise import Child, describe_exit
from draftsmith.errors import DraftsmithError

if TYPE_CHECKING:
    import redis

_LONGEST_LOG = 1_000_000
_LONGEST_REPLY = 1_000
_PING_TIMEOUT_S = 2.0
_ORPHAN_TIMEOUT_S = 20.0
_ANSWER_TIMEOUT_S = 30.0
_PROGRESS_EVERY_S = 2.0
_STOP_TIMEOUT_S = 30.0

# Logged at every start and never the reason for an exit.
_USUAL_WARNINGS = re.compile(r"overcommit_memory|Transparent Huge Pages|TCP backlog|maxclients|Redis is starting")


def quiet(message: str) -> None:
    """Discard a progress message."""


def connect(url: str, timeout_s: float = 2.0) -> redis.Redis:
    """Open a synchronous client without retries, so that an answer is about now."""
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return redis.Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=timeout_s,
        socket_connect_timeout=timeout_s,
        decode_responses=True,
    )


def answers(url: str) -> bool:
    """Whether a store answers at `url` and has loaded everything."""
    import redis

    client = connect(url)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()


def _ping(path: Path) -> Literal["ready", "loading"]:
    """Send PING to the server on a unix socket; a server that still loads what is stored says so.

    This is all that the launcher asks when nothing is wrong, so it is asked without the client library, which takes
    18 MB and 0.1 s of each start.

    Raises:
        OSError: nobody listens, the answer takes too long, or it is another one.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_PING_TIMEOUT_S)
        connection.connect(str(path))
        connection.sendall(b"PING\r\n")
        with connection.makefile("rb") as replies:
            reply = replies.readline(_LONGEST_REPLY)
    if reply.startswith(b"+PONG"):
        return "ready"
    if reply.startswith(b"-LOADING"):
        return "loading"
    raise ConnectionError(f"the answer is {reply.decode(errors='replace').strip() or 'empty'}")


class EmbeddedServer:
    """A server process on a data folder. Use it from the main thread: see `process.parent_death`."""

    def __init__(self, folder: Path, binary: Binary | None = None, on_progress: Callable[[str], None] = quiet) -> None:
        """Describe a server on `folder`; nothing happens before `start`.

        Args:
            folder: the data folder; made if missing.
            binary: what to start; found on this machine if not given.
            on_progress: called with a sentence on what a slow start is waiting for.
        """
        self.folder = DataFolder(folder)
        self.url = ""
        self.child: Child | None = None
        self._binary = binary
        self._say = on_progress
        self._socket = Path()
        self._log_start = 0

    def start(self, cancelled: Callable[[], bool] = lambda: False) -> str:
        """Take the folder, start the server and wait until it has loaded everything; its URL.

        Returns early, with the server stopped, once `cancelled` returns True.

        Raises:
            DraftsmithError: `server_missing`, `data_folder_in_use`, `data_folder_refused`, `data_folder_unusable` or
                `server_failed`. Nothing is left running or locked then.
        """
        binary = self._binary = self._binary or find_binary()
        self.folder.prepare()
        self.folder.take()
        try:
            self._end_orphan()
            self.folder.mark(binary)
            self.folder.remove_leftovers()
            self._socket = self.folder.place_socket()
            self._configure()
            self._spawn()
            self._publish()
            self._wait_until_ready(cancelled)
        except BaseException:
            self.stop()
            raise
        if cancelled():
            self.stop()
        return self.url

    def respawn(self) -> Child:
        """Start the process again after it ended, without waiting until it is ready; the URL stays the same."""
        child = self._spawn()
        # The disk may be full, perhaps the reason for the exit. What was published before still has the right URL.
        with suppress(DraftsmithError):
            self._publish()
        return child

    def poll(self) -> int | None:
        """The return code of the process; None while it runs."""
        return self.child.poll() if self.child is not None else 0

    def exit_reason(self, code: int) -> str:
        """Why the process ended: its return code and the last warnings of its log."""
        complaints = self._warnings_logged()
        return describe_exit(code) + (f": {' | '.join(complaints)}" if complaints else "")

    def stop(self, timeout_s: float = _STOP_TIMEOUT_S) -> None:
        """Stop the process, wait for it, release the folder; safe to call twice."""
        if self.child is not None:
            self.child.terminate()
            try:
                self.child.wait(timeout_s)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
            self.child = None
            self.folder.unpublish()
            self._socket.unlink(missing_ok=True)
        self.folder.release()

    def __enter__(self) -> EmbeddedServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _spawn(self) -> Child:
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the server would end together with this thread: start it from the main thread")
        assert self._binary is not None
        self._trim_log()
        self.child = subprocess.Popen(
            with_parent_death_signal([str(self._binary.path), str(self.folder.conf)]),
            pass_fds=[self.folder.server_lock],
            cwd=self.folder.store,
            umask=0o077,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C is sent to the terminal's whole process group; the store must outlive the workers.
            start_new_session=True,
        )
        return self.child

    def _publish(self) -> None:
        assert self.child is not None
        self.url = self.folder.publish(self.child.pid, self._socket)

    def _end_orphan(self) -> None:
        """Shut down a server whose launcher was killed, and wait until it has released the folder.

        It may also be ending by itself just now. SHUTDOWN saves what it has; it is never killed from here, because a
        process id read from a file may be somebody else's by now.
        """
        deadline = time.monotonic() + _ORPHAN_TIMEOUT_S
        next_request = 0.0
        while not self.folder.take_server_lock():
            left = self.folder.running_or_none()
            if left is not None and time.monotonic() >= next_request:
                self._say("Shutting down a store server that an earlier run left behind.")
                _shut_down(left.url)
                next_request = time.monotonic() + _PROGRESS_EVERY_S
            if time.monotonic() > deadline:
                who = f" (pid {left.pid})" if left is not None else ""
                raise DraftsmithError(
                    "data_folder_in_use",
                    f"A store server{who} that an earlier run left on {self.folder.path} does not end. "
                    "Stop that process, then start again.",
                )
            time.sleep(0.05)

    def _configure(self) -> None:
        settings = {
            "port": "0",
            "unixsocket": _quote_path(self._socket),
            "unixsocketperm": "700",
            "dir": _quote_path(self.folder.store),
            "logfile": _quote_path(self.folder.log),
            "daemonize": "no",
            "appendonly": "yes",
            "appendfsync": "always",
            "no-appendfsync-on-rewrite": "no",
            "save": '""',
            "maxmemory": "0",
            "maxmemory-policy": "noeviction",
        }
        text = "".join(f"{name} {value}\n" for name, value in settings.items())
        try:
            self.folder.conf.write_text(text, encoding="utf-8")
        except OSError as problem:
            raise DraftsmithError("data_folder_unusable", f"Cannot write {self.folder.conf}: {problem}.") from problem

    def _wait_until_ready(self, cancelled: Callable[[], bool]) -> None:
        silent_since = time.monotonic()
        next_message = silent_since + _PROGRESS_EVERY_S
        while not cancelled():
            code = self.poll()
            if code is not None:
                raise DraftsmithError(
                    "server_failed", f"The store server ended at its start, {self.exit_reason(code)}."
                )
            try:
                if _ping(self._socket) == "ready":
                    return
            except OSError as problem:
                if time.monotonic() - silent_since > _ANSWER_TIMEOUT_S:
                    raise DraftsmithError(
                        "server_failed", f"The store server runs but does not answer: {problem}."
                    ) from problem
            else:
                # However long it takes: it reports that it is loading or saving data.
                silent_since = time.monotonic()
                if silent_since >= next_message:
                    next_message = silent_since + _PROGRESS_EVERY_S
                    self._say(f"Loading stored workspaces …{_loaded_percent(self.url)}")
            time.sleep(0.01)

    def _trim_log(self) -> None:
        """Truncate the server's log when it has grown, and remember where this run begins."""
        log = self.folder.log
        try:
            if log.stat().st_size > _LONGEST_LOG:
                log.replace(log.with_suffix(".log.old"))
            self._log_start = log.stat().st_size
        except OSError:
            self._log_start = 0

    def _warnings_logged(self) -> list[str]:
        """The last warnings that this run of the server has logged, at most three, without time stamps."""
        try:
            with self.folder.log.open("rb") as file:
                file.seek(self._log_start)
                lines = file.read(_LONGEST_LOG).decode(errors="replace").splitlines()
        except OSError:
            return []
        # A line is `<pid>:<role> <time> <level> <text>`, and the level of a warning is `#`.
        warnings = [text for line in lines if (text := line.partition(" # ")[2]) and not _USUAL_WARNINGS.search(text)]
        return warnings[-3:]


def _shut_down(url: str) -> None:
    """Ask the server at `url` to save and end, if one answers there."""
    import redis

    client = connect(url)
    try:
        client.shutdown()
    except redis.RedisError:
        # Nobody listens, or it refused: the caller watches the lock and tries again.
        return
    finally:
        client.close()


def _loaded_percent(url: str) -> str:
    import redis

    try:
        with connect(url) as client:
            info = client.info("persistence")
    except redis.RedisError:
        return ""
    percent = info.get("loading_loaded_perc") if isinstance(info, dict) else None
    return f" {float(percent):.0f} %" if percent is not None else ""


def _quote_path(path: Path) -> str:
    """Write a path as a word of the server's configuration file."""
    text = str(path)
    if not text.isprintable():
        raise DraftsmithError("data_folder_unusable", f"The path {text!r} holds control characters.")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
