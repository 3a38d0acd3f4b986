"""Have a process killed when its parent dies, so that `kill -9` of the parent leaves no orphan.

Run as a program (`parent_death.py <parent pid> <command> …`) it sets PR_SET_PDEATHSIG and executes the command: the
setting survives `exec`. That is done here and not in `preexec_fn`, which runs Python between fork and exec and is
unsafe with threads. Imports only the standard library: it starts with `python -I -S`.
"""

from __future__ import annotations

import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the *thread* that started it ends.

    The parent must therefore start its children from its main thread. Linux alone can do this; elsewhere nothing
    happens, and a store server left behind is found by its lock at the next start. Exits at once if `parent` is
    already gone, which closes the gap between fork and this call.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes  # absent from some minimal builds of Python

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        return
    if os.getppid() != parent:
        os._exit(1)


def with_parent_death_signal(command: list[str]) -> list[str]:
    """The command line that runs `command` and has it killed when the calling process dies."""
    if not sys.platform.startswith("linux"):
        return command
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])
