"""Files of the data folder that their owner alone can read."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_private_file(path: Path, text: str) -> None:
    """Replace a file atomically, as durable as the disk is; its folder is made if it is missing.

    Raises:
        OSError: it cannot be written; what was there is as it was.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Created with mode 0600, so nobody can open it in between.
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except OSError:
        with suppress(OSError):
            Path(draft).unlink()
        raise
