"""Log lines of a process that does without `structlog`, in the form that `logs` gives to those of all others.

The launcher logs a line or two when a child ends, and would hold the library for months for it: 9 MB, and 0.06 s of
each start. It is not imported at that moment either: memory or descriptors may just have run out.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, Literal

Level = Literal["debug", "info", "warning", "error"]
Form = Literal["console", "json"]
_LEVELS: Final[tuple[Level, ...]] = ("debug", "info", "warning", "error")


class PlainLog:
    """Writes lines to standard error."""

    def __init__(self, logger: str, level: Level = "info", form: Form = "console") -> None:
        """Write lines of `level` and above."""
        self._logger = logger
        self._levels = _LEVELS[_LEVELS.index(level) :]
        self._form = form

    def line(self, level: Level, event: str, **fields: str | float) -> None:
        """Write a line, if lines of its level are wanted."""
        if level not in self._levels:
            return
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        if self._form == "json":
            said = {**fields, "event": event, "level": level, "logger": self._logger, "timestamp": now}
            text = json.dumps(said)
        else:
            told = " ".join(f"{name}={value if _is_word(value) else repr(value)}" for name, value in fields.items())
            text = f"{now} [{level:<9}] {event:<30} [{self._logger}] {told}"
        # The reader may have gone, or the disk be full: no reason to end.
        with suppress(OSError):
            sys.stderr.write(text + "\n")
            sys.stderr.flush()


def _is_word(value: str | float) -> bool:
    return not isinstance(value, str) or (value.isprintable() and not set(value) & set(" \t=\"'"))
