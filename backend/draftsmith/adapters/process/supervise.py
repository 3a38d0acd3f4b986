"""Supervise a child process: reap it, log why it ended, restart it with back-off.

Nothing here waits or sleeps; the launcher calls `tick` whenever a child ended or a restart is due.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable

from draftsmith.adapters.process.plain_log import PlainLog

Child = subprocess.Popen[bytes]


def describe_exit(code: int) -> str:
    """How a process ended, in words, from its `Popen.returncode`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


class Backoff:
    """Delays that double from `first` to `limit` seconds, and start anew after a run longer than `limit`."""

    def __init__(self, first: float = 0.2, limit: float = 10.0) -> None:
        self._first = first
        self._limit = limit
        self._next = first

    def delay_after(self, lifetime: float) -> float:
        """The seconds to wait before restarting a process that ran for `lifetime` seconds."""
        if lifetime > self._limit:
            self._next = self._first
        delay = self._next
        self._next = min(self._next * 2, self._limit)
        return delay


class SupervisedChild:
    """A child process that is restarted when it ends.

    Attributes:
        name: its name in the log.
        child: the process; None while a restart is due.
        deaths: how often it ended without being stopped.
    """

    def __init__(
        self,
        name: str,
        spawn: Callable[[], Child],
        reason: Callable[[int], str] = describe_exit,
        on_exit: Callable[[int], None] = lambda pid: None,
        log: PlainLog | None = None,
    ) -> None:
        """Start nothing yet; `spawn` starts the process.

        `reason` gives the reason for a return code; `on_exit` is called with the process id of each that ended.
        """
        self.name = name
        self.child: Child | None = None
        self.deaths = 0
        self._spawn = spawn
        self._reason = reason
        self._on_exit = on_exit
        self._log = log or PlainLog("draftsmith.launcher")
        self._backoff = Backoff()
        self._started = 0.0
        self._due = 0.0

    def adopt(self, child: Child) -> None:
        """Supervise a process that has just been started elsewhere."""
        self.child = child
        self._started = time.monotonic()

    def tick(self) -> float | None:
        """Reap the process if it ended, start it if that is due.

        Returns:
            When to call again, in `time.monotonic()` seconds; None if only the end of the process matters.
        """
        if self.child is not None:
            code = self.child.poll()
            if code is None:
                return None
            self._handle_exit(self.child.pid, code)
        if time.monotonic() < self._due:
            return self._due
        try:
            self.adopt(self._spawn())
        except OSError as problem:
            # Out of processes or memory, perhaps briefly; the others must keep running.
            self._due = time.monotonic() + self._backoff.delay_after(0.0)
            self._log.line("error", "start_failed", process=self.name, reason=str(problem))
            return self._due
        return None

    def _handle_exit(self, pid: int, code: int) -> None:
        now = time.monotonic()
        delay = self._backoff.delay_after(now - self._started)
        self.child = None
        self.deaths += 1
        self._due = now + delay
        self._on_exit(pid)
        reason = self._reason(code)
        self._log.line("warning", "process_ended", process=self.name, pid=pid, reason=reason, restart_in_s=delay)
