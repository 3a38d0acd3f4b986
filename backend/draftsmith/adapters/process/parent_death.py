"""Tie a process to the life of its parent, so that `kill -9` of the parent leaves no orphan.

Run as a program it ties itself and then becomes the given command (`tether.py <parent pid> <command> …`): the
kernel keeps the tie over `exec`. That is done here and not in `preexec_fn`, which runs Python between fork and exec
and is unsafe beside threads. Imports nothing but the standard library: it starts with `python -I -S`.
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
    """Give the command line that runs `command` tied to the process that calls this."""
    if not sys.platform.startswith("linux"):
        return command
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])
