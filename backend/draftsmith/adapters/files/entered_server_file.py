"""The server of models that was entered in the page; implements `ports.runs.EnteredServerStore`.

A file of JSON beside the keys of providers, for its owner alone. Its key is no part of it (`api_key_file`).
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Final

import orjson
import structlog

from draftsmith.adapters.files.api_key_file import remove, save_for_owner
from draftsmith.ports.runs import EnteredServer

_log = structlog.get_logger("draftsmith.assistant")
_NAME: Final = "assistant-server.json"
_WHAT: Final = "The server of models"


class EnteredServerFile:
    """Keeps the server in a file of the data folder."""

    def __init__(self, data_dir: Path) -> None:
        """Name the file; nothing is made before a server is saved."""
        self.path = data_dir / _NAME

    def read(self) -> EnteredServer | None:
        """Read it anew, so that what another worker saved is seen; None if there is none that can be read."""
        try:
            return EnteredServer(**orjson.loads(self.path.read_bytes()))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as problem:
            _log.warning("the saved server of models cannot be read", path=str(self.path), reason=str(problem))
            return None

    def save(self, server: EnteredServer) -> None:
        """Replace it atomically.

        Raises:
            DraftsmithError: `file_unwritable`.
        """
        save_for_owner(self.path, orjson.dumps(asdict(server)).decode() + "\n", _WHAT)

    def delete(self) -> None:
        """Forget it; nothing happens if there is none.

        Raises:
            DraftsmithError: `file_unwritable`.
        """
        remove(self.path, _WHAT)
