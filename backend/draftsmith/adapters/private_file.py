"""Files of the data folder that their owner alone can read."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_private_file(path: Path, content: bytes, draft_suffix: str = "") -> None:
    """Replace a file atomically, as durable as the disk is; its folder is made if it is missing.

    Args:
        path: the file.
        content: all of it.
        draft_suffix: what the name of its draft ends with, by which one that a killed process left is known.

    Raises:
        OSError: it cannot be written; what was there is as it was.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Created with mode 0600, so nobody can open it in between.
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", suffix=draft_suffix, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except OSError:
        with suppress(OSError):
            Path(draft).unlink()
        raise
