"""The folder of counters of a launcher that has no store of its own: several may share a data folder and a server.

It is one of the system's temporary folders. Those that killed launchers have left are removed by the next one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

from draftsmith.adapters.file_lock import is_held, lock_or_none

_STEM: Final = "draftsmith-metrics-"
_NEW_SECONDS: Final = 60.0
"""How old one is at least before it is taken for left: a new one is locked a moment after it was made."""


class MetricsFolder:
    """One of them, held for as long as this process lives."""

    def __init__(self) -> None:
        """Make it, and remove those that nobody holds."""
        for left in Path(tempfile.gettempdir()).glob(f"{_STEM}*"):
            if not is_held(_lock_of(left)) and _age(left) > _NEW_SECONDS:
                shutil.rmtree(left, ignore_errors=True)  # also those of other people, which cannot be removed
        self.path = Path(tempfile.mkdtemp(prefix=_STEM))
        self._lock = lock_or_none(_lock_of(self.path))

    def remove(self) -> None:
        """Remove it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)


def _lock_of(folder: Path) -> Path:
    return folder / "lock"


def _age(folder: Path) -> float:
    """Seconds since something was last made or removed in it; 0 if it is gone."""
    try:
        return time.time() - folder.stat().st_mtime
    except OSError:
        return 0.0
