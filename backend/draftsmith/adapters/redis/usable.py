"""Reasons not to use a store that answers: it has lost its data, or its disk is about to be full.

A store whose disk is full ends (`appendfsync always`), and every write that is sent to one started again ends it again;
so writes are refused here while there is still room, and reads go on. A store that has lost its data (`FLUSHALL`, a
restart without a file) would take writes as if nothing had ever been: pages and workers that still hold the old ones
must not be told that their workspaces never existed, and nothing may begin anew under their ids.
"""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from draftsmith.errors import StorageError

STORE_ID: Final = "draftsmith:store-id"
LEAST_ROOM: Final = 16 << 20
"""Bytes of disk that are left alone: more than one batch with everything that the store writes for it."""
_LOOK_AGAIN_S: Final = 0.25
_HARMLESS: Final = frozenset({"PUBLISH", "SPUBLISH", "GET"})
_NEARLY_FULL: Final = "The disk of the data folder is nearly full, so nothing is saved until it has room again."
EMPTIED: Final = (
    "The store has lost its data while this server was running (FLUSHALL, a restart without its files, or another "
    "store at its address). Nothing is written to it. Bring its files back; or recover a backup into it "
    "(`draftsmith recover`) and start the server again. Workspaces that are open here can still be read and exported."
)


class DiskRoom:
    """Whether there is room on a disk; looks at most four times a second."""

    def __init__(self, folder: Path, least: int = LEAST_ROOM) -> None:
        self._folder, self._least = folder, least
        self._looked_at, self._has_room = float("-inf"), True

    def __call__(self) -> bool:
        """Whether more is free than is left alone; True where it cannot be told."""
        now = time.monotonic()
        if now - self._looked_at >= _LOOK_AGAIN_S:
            self._looked_at = now
            try:
                self._has_room = shutil.disk_usage(self._folder).free >= self._least
            except OSError:
                self._has_room = True
        return self._has_room


def room_of(url: str, data_dir: Path, named: str | None) -> DiskRoom | None:
    """The room of the embedded store, whose files are in the data folder; None for a store that is `named`."""
    return DiskRoom(data_dir) if named is None and url.startswith("unix://") else None


class Usable:
    """Whether the store may be used now."""

    def __init__(self, has_room: Callable[[], bool] | None = None) -> None:
        self.is_emptied = False
        self._has_room = has_room

    def check(self, command: object | None) -> None:
        """Refuse a command; None for a read.

        Raises:
            StorageError: `store_emptied`, `storage_full`; it was not sent.
        """
        if self.is_emptied:
            raise StorageError(EMPTIED, "store_emptied", is_for_all=True)
        if command is None or command in _HARMLESS or self._has_room is None:
            return
        if not self._has_room():
            raise StorageError(_NEARLY_FULL, "storage_full")


def new_store_id() -> str:
    """An id for a store that has none."""
    return secrets.token_hex(16)
