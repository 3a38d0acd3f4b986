"""A program that says how it finds itself, or does one thing: `python -m tests.integration.looking [word …]`."""

from __future__ import annotations

import asyncio
import atexit
import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from draftsmith.adapters.process.parent_death import with_parent_death_signal
from tests import forking

INNER = [sys.executable, "-P", "-m", "tests.integration.looking", "inner"]


def facts_of_process() -> dict[str, Any]:
    """What a process can find out about itself."""
    inside = Path("/proc/self")
    files = {int(file.name): str(file.readlink()) for file in (inside / "fd").iterdir() if file.exists()}
    return {
        "pid": os.getpid(),
        "is_forked": subprocess.Popen is forking.Popen,
        "drawn": random.random(),
        "arguments": [Path(sys.argv[0]).stem, *sys.argv[1:]],
        "options": sys.orig_argv,
        "shown": (inside / "cmdline").read_text().replace("\0", " ").strip(),
        "environment": dict(os.environ),
        "folder": str(Path.cwd()),
        "paths": sys.path,
        "files": {number: target.partition(":")[0] for number, target in files.items()},
        "inherited": [number for number in (0, 1, 2) if os.get_inheritable(number)],
        "leads": os.getsid(0) == os.getpid(),
        "parent": os.getppid(),
        "signals": {
            str(number): repr(signal.getsignal(number)).partition(" at ")[0] for number in signal.valid_signals()
        },
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "wakeup": signal.set_wakeup_fd(-1),
        "collects": gc.isenabled(),
        "threads": [thread.name for thread in threading.enumerate()],
        "main": sys.modules["__main__"].__name__,
        "own": __name__,
        "streams": [
            (one.encoding, one.errors, one.line_buffering, one.write_through, one.fileno())
            for one in (sys.stdin, sys.stdout, sys.stderr)
        ],
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
    }


async def _started(command: list[str]) -> None:
    await (await asyncio.create_subprocess_exec(*command)).wait()


def _end_late() -> None:
    time.sleep(0.05)
    print("a thread", flush=True)


def main(words: list[str]) -> None:
    """Do what the words say."""
    match words:
        case ["exit 3"]:
            print("said, not flushed")
            sys.exit(3)
        case ["raise"]:
            raise ValueError("on purpose")
        case ["kill"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case ["abort"]:
            os.abort()
        case ["threads"]:
            atexit.register(print, "last")
            threading.Thread(target=_end_late).start()
        case ["echo"]:
            for line in sys.stdin:
                print(line, end="", flush=True)
        case ["popen"]:
            subprocess.run(INNER, check=True)
        case ["loop"]:
            asyncio.run(_started(INNER))
        case ["wrapped"]:
            subprocess.run(with_parent_death_signal(INNER), check=True)
        case ["becomes"]:
            os.execve(INNER[0], INNER, dict(os.environ))
        case ["nest"]:
            with forking.Popen([*INNER[:-1], "echo"], stdin=-1) as inner:
                print(inner.pid, os.environ.get(forking.ADDRESS), sep="\n", flush=True)
                inner.wait()
        case _:
            print(json.dumps(facts_of_process()))


if __name__ == "__main__":
    main(sys.argv[1:])
