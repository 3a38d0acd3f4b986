"""The key of a model provider that was entered in the page; implements `ports.runs.KeyStore`.

A file for its owner alone in the data folder, never in the store: backups, exports and logs do not hold it. Anybody
who may read the data folder may read it; a key in the environment is never written here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import structlog

from draftsmith.adapters.private_file import replace_private_file
from draftsmith.errors import DraftsmithError

_log = structlog.get_logger("draftsmith.assistant")

_LONGEST: Final = 1_000


class ApiKeyFile:
    """Keeps a key in a file of the data folder."""

    def __init__(self, data_dir: Path, name: str = "assistant-key") -> None:
        """Name the file; nothing is made before a key is saved."""
        self.path = data_dir / name

    def read(self) -> str | None:
        """Read the key anew, so that what another worker saved is seen; None if there is none that can be read."""
        try:
            return self.path.read_text(encoding="ascii").strip() or None
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as problem:
            _log.warning("the saved API key cannot be read", path=str(self.path), reason=str(problem))
            return None

    def save(self, key: str) -> None:
        """Replace the key atomically.

        Raises:
            DraftsmithError: `invalid_request` if it cannot be a key, `file_unwritable`.
        """
        key = key.strip()
        if not key or len(key) > _LONGEST or not key.isascii() or not key.isprintable() or " " in key:
            raise DraftsmithError("invalid_request", "This is no API key: paste it as one word, without quotes.")
        save_for_owner(self.path, f"{key}\n", "The key")

    def delete(self) -> None:
        """Forget the key; nothing happens if there is none.

        Raises:
            DraftsmithError: `file_unwritable`.
        """
        remove(self.path, "The key")


def save_for_owner(path: Path, text: str, label: str) -> None:
    """Replace a file atomically by one that its owner alone can read; `label`: what it holds, for the message.

    Raises:
        DraftsmithError: `file_unwritable`.
    """
    try:
        replace_private_file(path, text.encode())
    except OSError as problem:
        why = problem.strerror or problem
        raise DraftsmithError("file_unwritable", f"{label} cannot be saved in {path}: {why}.") from problem


def remove(path: Path, label: str) -> None:
    """Remove a file; nothing happens if there is none.

    Raises:
        DraftsmithError: `file_unwritable`.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as problem:
        why = problem.strerror or problem
        raise DraftsmithError("file_unwritable", f"{label} cannot be removed from {path}: {why}.") from problem
