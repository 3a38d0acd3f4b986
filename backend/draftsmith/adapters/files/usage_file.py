"""Write one row per model call as JSON lines into `<data folder>/usage/`; implements `ports.runs.UsageLog`.

Each worker has its own file, so none waits for another. A row that cannot be written is logged and never stops a run.
Not here: what is in a row, and the totals that people see.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import orjson
import structlog

_log = structlog.get_logger("draftsmith.usage")

MAX_BYTES: Final = 10_000_000
KEPT: Final = 5
KEPT_DAYS: Final = 90
_OWNER_ALONE: Final = 0o600


class UsageFile:
    """Appends to `usage-<worker>.jsonl`; full ones become `usage-<worker>.1.jsonl` (the newest) to `.5.jsonl`.

    Workers get another name at each start, so files that nobody has written to for 90 days are removed.
    """

    def __init__(self, folder: Path, worker: str, max_bytes: int = MAX_BYTES, file_count: int = KEPT) -> None:
        """Create nothing yet; the folder and the file are created with the first row."""
        self._folder = folder
        self._worker = worker
        self._max_bytes = max_bytes
        self._file_count = file_count
        self._is_tidy = False

    @property
    def path(self) -> Path:
        """The file that rows go to now."""
        return self._folder / f"usage-{self._worker}.jsonl"

    def write(self, row: Mapping[str, object]) -> None:
        """Append a row; failing to is logged and never stops a run."""
        try:
            line = orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
            if not self._is_tidy:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._forget_old(time.time())
                self._is_tidy = True
            self._append(line)
        except (OSError, orjson.JSONEncodeError) as problem:
            # The folder may have been removed: the next row checks again.
            self._is_tidy = False
            _log.warning("a row of usage was lost", path=str(self.path), reason=str(problem))

    def _append(self, line: bytes) -> None:
        """Append atomically. The file is opened each time, since people move and remove such files."""
        if self._is_full(len(line)):
            self._rotate()
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, _OWNER_ALONE)
        try:
            before = os.fstat(descriptor).st_size
            if os.write(descriptor, line) < len(line):
                os.ftruncate(descriptor, before)
                raise OSError("there is no room for all of it")
        finally:
            os.close(descriptor)

    def _is_full(self, more: int) -> bool:
        try:
            size = self.path.stat().st_size
        except FileNotFoundError:
            return False
        return size > 0 and size + more > self._max_bytes

    def _rotate(self) -> None:
        places = [self.path, *(self.path.with_suffix(f".{number}.jsonl") for number in range(1, self._file_count + 1))]
        for older, newer in zip(reversed(places), reversed(places[:-1]), strict=False):
            if newer.exists():
                newer.replace(older)

    def _forget_old(self, now: float) -> None:
        for path in self._folder.glob("usage-*.jsonl"):
            if now - path.stat().st_mtime > KEPT_DAYS * 86_400:
                path.unlink(missing_ok=True)
