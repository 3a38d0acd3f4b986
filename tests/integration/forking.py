"""Workers forked from one process that has the product imported, which spares most of the time that a start takes.

Run as a module it is that process: on its standard input, a socket, come requests, each with the descriptors of what
the worker listens on, what it says its log to, and where its end is told. It ends with whoever started it, and its
workers with it. Elsewhere than on Linux, and where a worker needs modules of its own, `servers` starts a new process.
The launcher's tests start workers as the launcher does.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from draftsmith.adapters.server import worker

ROOT = Path(__file__).parents[2]
_LONGEST = 1 << 16
_COMMON = (
    "draftsmith.main",
    "networkx",
    "draftsmith.adapters.server.slow_clients",
    "draftsmith.adapters.server.websocket",
    "uvloop",
)
"""What every worker imports, and nothing that some can do without."""
CAN_FORK = sys.platform.startswith("linux")


class Forked:
    """A worker, with what is used here of `subprocess.Popen`."""

    def __init__(self, app: str, drain_s: int, environment: Mapping[str, str], listener: int, log: int) -> None:
        """Start it."""
        self.returncode: int | None = None
        self._told, told = os.pipe()
        request = json.dumps([app, drain_s, dict(environment)]).encode()
        parent = _parent()
        try:
            socket.send_fds(parent, [request], [listener, log, told])
        finally:
            os.close(told)
        self.pid = int(parent.recv(_LONGEST))

    def poll(self) -> int | None:
        """Its return code, None while it runs; negative if a signal ended it."""
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end.

        Raises:
            TimeoutExpired: it goes on after so many seconds.
        """
        code = self._wait(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(f"worker {self.pid}", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal; nothing happens once it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def _wait(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._told], [], [], timeout)[0]:
            # Nothing but the end of the pipe: the parent of the workers is gone, and they with it.
            self.returncode = int(os.read(self._told, _LONGEST) or -signal.SIGKILL)
            os.close(self._told)
        return self.returncode


@cache
def _parent() -> socket.socket:
    """The process that workers of this process are forked from; it ends with it."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        paths = f"{ROOT / 'backend'}{os.pathsep}{ROOT}"
        command = [sys.executable, "-P", "-m", "tests.integration.forking"]
        process = subprocess.Popen(command, stdin=its, env={**os.environ, "PYTHONPATH": paths})
    ours.recv(_LONGEST)  # it is up

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def serve() -> None:
    """Fork workers until nobody can ask any more; returns in none of them."""
    gc.disable()  # as a worker does while it imports
    for module in _COMMON:
        import_module(module)
    gc.freeze()  # nor do the workers look through it
    requests = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the tests to pass on
    signal.set_wakeup_fd(wakes)
    running: dict[int, int] = {}
    requests.send(b"up")
    while True:
        ready, _, _ = select.select([requests, woken], [], [])
        if woken in ready:
            os.read(woken, _LONGEST)
            _tell_ends(running)
        if requests in ready:
            message, descriptors, _, _ = socket.recv_fds(requests, _LONGEST, 3)
            if not message:
                return
            listener, log, told = descriptors
            pid = os.fork()
            if pid == 0:
                for descriptor in (requests.detach(), woken, wakes, told, *running.values()):
                    os.close(descriptor)
                app, drain_s, environment = json.loads(message)
                _be_worker(app, drain_s, environment, listener, log)
            os.close(listener)
            os.close(log)
            running[pid] = told
            requests.send(str(pid).encode())


def _tell_ends(running: dict[int, int]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        told = running.pop(pid)
        os.write(told, str(os.waitstatus_to_exitcode(status)).encode())
        os.close(told)


def _be_worker(app: str, drain_s: int, environment: dict[str, str], listener: int, log: int) -> NoReturn:
    """Do what `python -m draftsmith.adapters.server.worker` does in a process of its own, and end."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    os.environ.clear()
    os.environ.update(environment)
    worker.main([str(os.getppid()), str(listener), app, str(drain_s)])
    sys.exit()


if __name__ == "__main__":
    serve()
