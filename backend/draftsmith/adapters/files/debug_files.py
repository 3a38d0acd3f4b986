"""Keep debug records of runs as JSON lines in `<data folder>/debug-runs/`; implements `ports.runs.DebugLog`.

One file for each run, readable by its owner alone, limited in size, number and age. Each line names the workspace, so
that the records of one can be removed. A record that cannot be written is logged and stops no run. Not here: what
stands in a record (`usecases.runs.debug_record`).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import structlog

from draftsmith.ports import Clock
from draftsmith.usecases.runs.debug_record import forms_in_json

_log = structlog.get_logger("draftsmith.debug")

FOLDER: Final = "debug-runs"
RUN_BYTES: Final = 4_000_000
RUNS: Final = 100
ALL_BYTES: Final = 64_000_000
KEPT_MS: Final = 7 * 86_400_000
_TIDY_EVERY_MS: Final = 3_600_000
_OWNER_ALONE: Final = 0o600
_FULL: Final = b'{"kind":"full"}\n'
_WORKSPACE: Final = re.compile(rb'\A\{"ts":"[^"]*","workspace":"([^"]*)"')


class DebugFiles:
    """The records of one worker; all workers of a server share the folder and its limits."""

    def __init__(self, folder: Path, clock: Clock, until_ms: int | None) -> None:
        """`until_ms`: when recording ends; None: nothing is recorded, and what was before is removed in time."""
        self._folder, self._clock, self._until_ms = folder, clock, until_ms
        self._tidied_ms = 0

    @property
    def until_ms(self) -> int | None:
        """When recording ends; None where nothing is recorded."""
        return self._until_ms if self._until_ms is not None and self._clock.now_ms() < self._until_ms else None

    def open(self, run_id: str, workspace_id: str) -> DebugFile | None:
        """Make room for the record of a run, whose file comes with its first line; see the port."""
        if self.until_ms is None:
            return None
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(RUNS - 1, ALL_BYTES - RUN_BYTES)
        except OSError as problem:
            _log.warning("a debug record was lost", folder=str(self._folder), reason=str(problem))
            return None
        return DebugFile(self._folder / f"run-{run_id}.jsonl", workspace_id, self)

    def tidy(self) -> None:
        """Remove what is too old; does nothing more often than once an hour."""
        now = self._clock.now_ms()
        if now - self._tidied_ms < _TIDY_EVERY_MS:
            return
        self._tidied_ms = now
        try:
            self._make_room(RUNS, ALL_BYTES)
        except OSError as problem:
            _log.warning("old debug records stay", folder=str(self._folder), reason=str(problem))

    def _make_room(self, runs: int, size: int) -> None:
        found = [(path.stat(), path) for path in self._folder.glob("run-*.jsonl")]
        kept = kept_bytes = 0
        for stat, path in sorted(found, key=lambda one: (-one[0].st_mtime_ns, one[1].name)):
            kept, kept_bytes = kept + 1, kept_bytes + stat.st_size
            if kept > runs or kept_bytes > size or self._clock.now_ms() - stat.st_mtime_ns // 1_000_000 > KEPT_MS:
                path.unlink(missing_ok=True)


def remove_records(folder: Path, workspace_id: str, secret: str = "") -> tuple[int, list[Path]]:
    """Remove the records of a workspace, and of others those in which a text stands.

    Records of before 0.2.0 name no workspace; they count as of this one.

    Args:
        folder: `<data folder>/debug-runs`; there need be none.
        workspace_id: which workspace.
        secret: the text; empty for none.

    Returns:
        How many were removed, and those that could not be.
    """
    removed, left = 0, []
    for path in sorted(folder.glob("run-*.jsonl")):
        try:
            content = path.read_bytes()
            named = _WORKSPACE.search(content)
            is_its = named is None or named[1].decode() == workspace_id
            if is_its or (secret and any(form.encode() in content for form in forms_in_json(secret))):
                path.unlink(missing_ok=True)
                removed += 1
        except OSError:
            left.append(path)
    return removed, left


@dataclass
class DebugFile:
    """The record of one run."""

    path: Path
    workspace_id: str
    files: DebugFiles
    _is_closed: bool = False

    def write(self, line: str) -> None:
        """Append a line with time and workspace before it; nothing after the end of recording or beyond the limit."""
        if self._is_closed or self.files.until_ms is None:
            return
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        content = f'{{"ts":"{at}","workspace":"{self.workspace_id}",{line[1:]}\n'.encode()
        try:
            descriptor = os.open(
                self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, _OWNER_ALONE
            )
            try:
                if os.fstat(descriptor).st_size + len(content) > RUN_BYTES - len(_FULL):
                    self._is_closed, content = True, _FULL
                os.write(descriptor, content)
            finally:
                os.close(descriptor)
        except OSError as problem:
            self._is_closed = True
            _log.warning("a debug record was lost", path=str(self.path), reason=str(problem))
