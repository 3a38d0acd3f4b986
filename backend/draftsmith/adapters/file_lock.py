"""A lock on a file (`flock`), released by the kernel when the last process that has it open ends.

The lock belongs to the open file, so a child that inherits the descriptor holds it too. What the lock is for is not
here.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path


def lock_or_none(path: Path, timeout_s: float = 0.0) -> int | None:
    """Lock the file at `path`, made if missing; its descriptor; None if it is held for longer than `timeout_s`.

    Raises:
        OSError: the file cannot be made, or its file system knows no locks.
    """
    deadline = time.monotonic() + timeout_s
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    break
                time.sleep(0.02)
            else:
                locked, descriptor = descriptor, -1
                return locked
        return None
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock; tested with a shared lock, so that two tests do not see each other."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
