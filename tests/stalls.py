"""Run a command and stop all its processes now and then, as a machine does that has other things to do.

A test that fails here and not otherwise depends on how fast the machine is: `python -m tests.stalls make test-python`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress

import psutil

_BETWEEN_SECONDS = (0.5, 4.0)
_STALL_SECONDS = (0.3, 0.6, 1.0, 1.5)


def main() -> int:
    """Run what the arguments say; its exit code."""
    seed = os.environ.get("SEED", "1")
    rng, stalls, length = random.Random(seed), 0, 0.0
    with subprocess.Popen(sys.argv[1:]) as command:
        while command.poll() is None:
            time.sleep(rng.uniform(*_BETWEEN_SECONDS))
            seconds = rng.choice(_STALL_SECONDS)
            stall(command.pid, seconds)
            stalls, length = stalls + 1, length + seconds
    print(f"stopped {stalls} times, for {length:.0f} s in all; seed {seed}")
    return command.returncode


def stall(pid: int, seconds: float) -> None:
    """Stop all that a process has started for some time, but what a test has stopped itself."""
    stopped = []
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if process.status() != psutil.STATUS_STOPPED:
                    process.send_signal(signal.SIGSTOP)
                    stopped.append(process)
    time.sleep(seconds)
    for process in stopped:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGCONT)


if __name__ == "__main__":
    sys.exit(main())
