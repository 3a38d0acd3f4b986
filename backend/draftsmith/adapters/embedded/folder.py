"""The data folder of the embedded store: its locks, its marker of the last server, its published socket.

    lock         held (flock) by the launcher for its lifetime; contains {"pid", "url"}
    server.lock  held by the launcher *and* the server it started, so it outlives a killed launcher
    SERVER       {"product", "version"} of the newest server that opened the folder
    server.json  {"pid", "url"} of the running server, for commands of other processes
    server.log   log of the server; server.conf its configuration
    store/       the append-only files;  run/ the socket;  metrics/ counters of the workers

Two servers on one folder both start and destroy each other's entries, hence the locks: the kernel lets go of them
whatever happens, and no process id has to be trusted. Not here: starting and stopping the server.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from draftsmith.adapters.embedded.binary import Binary, check_may_open, parse_version, version_text
from draftsmith.adapters.file_lock import is_held, lock_or_none
from draftsmith.errors import DraftsmithError

# sun_path holds 104 bytes on macOS and 108 on Linux, with the final zero.
_LONGEST_SOCKET_PATH = 100
_LONGEST_SHORT_TEXT = 10_000


@dataclass(frozen=True, slots=True)
class FolderHolder:
    """The launcher that holds a folder: its process id (0 if not yet written) and the URL it listens at, if any."""

    pid: int
    url: str | None


@dataclass(frozen=True, slots=True)
class PublishedServer:
    """A published server: its process id and the URL that reaches it."""

    pid: int
    url: str

    @property
    def socket(self) -> Path:
        """The path of its socket."""
        return Path(unquote(self.url.removeprefix("unix://")))


class DataFolder:
    """A data folder on disk; holds its locks while `take` to `release` lasts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = path / "store"
        self.log = path / "server.log"
        self.conf = path / "server.conf"
        self.metrics = path / "metrics"
        self._lock_file = path / "lock"
        self._server_lock_file = path / "server.lock"
        self._marker = path / "SERVER"
        self._published = path / "server.json"
        self._lock: int | None = None
        self._server_lock: int | None = None
        self._socket_folder: Path | None = None

    @property
    def server_lock(self) -> int:
        """The descriptor that the server has to inherit; only while the folder is taken."""
        assert self._server_lock is not None
        return self._server_lock

    def prepare(self) -> None:
        """Make the folder and what is in it, for its owner alone.

        A folder with other people's files in it keeps its own mode: it may be a home folder named by mistake. What
        matters lies in subfolders of mode 0700 in any case.

        Raises:
            DraftsmithError: `data_folder_unusable`.
        """
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._lock_file.exists() or not any(self.path.iterdir()):
                self.path.chmod(0o700)
            for folder in (self.store, self.path / "run", self.metrics):
                folder.mkdir(mode=0o700, exist_ok=True)
                folder.chmod(0o700)
        except OSError as problem:
            raise self._unusable(problem) from problem

    def take(self) -> None:
        """Lock the folder for this launcher.

        Raises:
            DraftsmithError: `data_folder_in_use`, with who holds it; `data_folder_unusable`.
        """
        try:
            # A call of `is_held` elsewhere holds the lock for an instant.
            self._lock = lock_or_none(self._lock_file, timeout_s=0.3)
        except OSError as problem:
            raise self._unusable(problem) from problem
        if self._lock is None:
            raise self._in_use()
        self.announce(None)

    def announce(self, url: str | None) -> None:
        """Write for other launchers who holds the folder and its URL."""
        assert self._lock is not None
        text = json.dumps({"pid": os.getpid(), "url": url}).encode()
        # Informational only, and a full disk may prevent it; the lock is what counts.
        with suppress(OSError):
            os.ftruncate(self._lock, 0)
            os.pwrite(self._lock, text, 0)

    def take_server_lock(self) -> bool:
        """Take the lock of the server; False while a server still holds it."""
        if self._server_lock is None:
            try:
                self._server_lock = lock_or_none(self._server_lock_file)
            except OSError as problem:
                raise self._unusable(problem) from problem
        return self._server_lock is not None

    def release(self) -> None:
        """Release every lock; safe to call twice."""
        if self._lock is not None:
            os.ftruncate(self._lock, 0)
        for descriptor in (self._server_lock, self._lock):
            if descriptor is not None:
                os.close(descriptor)
        self._lock = self._server_lock = None
        self._drop_socket_folder()

    def holder_or_none(self) -> FolderHolder | None:
        """The launcher that holds the folder now; None if none does."""
        if not is_held(self._lock_file):
            return None
        said = _read_json(self._lock_file)
        pid, url = said.get("pid"), said.get("url")
        return FolderHolder(pid if isinstance(pid, int) else 0, url if isinstance(url, str) else None)

    def has_server(self) -> bool:
        """Whether a server runs on this folder, whoever started it."""
        return is_held(self._server_lock_file)

    def marker_or_none(self) -> tuple[str, str] | None:
        """Read the product and version that last wrote here; None in a folder without the marker."""
        said = _read_json(self._marker)
        product, version = said.get("product"), said.get("version")
        return (product, version) if isinstance(product, str) and isinstance(version, str) else None

    def refusal_or_none(self, binary: Binary) -> str | None:
        """Why `binary` must not open this folder, with a remedy; None if it may."""
        marker = self.marker_or_none()
        if marker is None:
            # Folders of Redis 7 and later hold this subfolder, and older servers see none of what is in it.
            if binary.version < (7, 0) and (self.store / "appendonlydir").exists():
                return f"{self.path} was written by a newer server than {binary}; use Redis 7 or Valkey to open it."
            return None
        reason = check_may_open(binary, marker[0], parse_version(marker[1]))
        if reason is None:
            return None
        return (
            f"{self.path} was last opened by {marker[0]} {marker[1]} and this is {binary}: {reason}. "
            f"Install {marker[0]} {marker[1]} or later, or use another folder (DATA_DIR)."
        )

    def mark(self, binary: Binary) -> None:
        """Write the marker of the server that opens this folder.

        Call it *before* the server starts, as it may write at once.

        Raises:
            DraftsmithError: `data_folder_refused`, and nothing is written; `data_folder_unusable`.
        """
        refusal = self.refusal_or_none(binary)
        if refusal is not None:
            raise DraftsmithError("data_folder_refused", refusal)
        self._write(self._marker, {"product": binary.product, "version": version_text(binary.version)})

    def place_socket(self) -> Path:
        """Find a path for the socket that is short enough and that a socket can be bound to, in a 0700 folder."""
        inside = self.path / "run" / "s"
        if _can_bind(inside):
            return inside
        for root in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir()):
            if not root:
                continue
            with suppress(OSError):
                self._socket_folder = Path(tempfile.mkdtemp(prefix="draftsmith-", dir=root))
                if _can_bind(self._socket_folder / "s"):
                    return self._socket_folder / "s"
                self._drop_socket_folder()
        raise DraftsmithError(
            "data_folder_unusable", f"No unix socket can be made in {inside.parent} or {tempfile.gettempdir()}."
        )

    def publish(self, pid: int, socket_path: Path) -> str:
        """Write for other processes how to reach the server; the URL."""
        url = f"unix://{quote(str(socket_path))}"
        self._write(self._published, {"pid": pid, "url": url})
        return url

    def unpublish(self) -> None:
        """Remove what `publish` wrote."""
        self._published.unlink(missing_ok=True)

    def running_or_none(self) -> PublishedServer | None:
        """Read what `publish` wrote last; the server may have ended since."""
        said = _read_json(self._published)
        pid, url = said.get("pid"), said.get("url")
        return PublishedServer(pid, url) if isinstance(pid, int) and isinstance(url, str) else None

    def remove_leftovers(self) -> None:
        """Remove what a killed launcher left: its publication and its socket folder outside."""
        left = self.running_or_none()
        if left is not None and left.socket.parent.name.startswith("draftsmith-"):
            shutil.rmtree(left.socket.parent, ignore_errors=True)
        self.unpublish()

    def _drop_socket_folder(self) -> None:
        if self._socket_folder is not None:
            shutil.rmtree(self._socket_folder, ignore_errors=True)
            self._socket_folder = None

    def _write(self, path: Path, content: dict[str, Any]) -> None:
        """Write a small file so that a reader sees either the old or the new one, also after a crash."""
        draft = path.with_name(path.name + ".new")
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump(content, file)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except OSError as problem:
            raise self._unusable(problem) from problem

    def _unusable(self, problem: OSError) -> DraftsmithError:
        return DraftsmithError(
            "data_folder_unusable",
            f"The data folder {self.path} cannot be used: {problem.strerror or problem}. "
            "Free space or permissions there, or set DATA_DIR to another folder.",
        )

    def _in_use(self) -> DraftsmithError:
        holder = self.holder_or_none() or FolderHolder(0, None)
        who = f"pid {holder.pid}" if holder.pid else "still starting"
        where = f"Open {holder.url} to use it, or stop" if holder.url else "Stop"
        return DraftsmithError(
            "data_folder_in_use",
            f"Another Draftsmith ({who}) uses the data folder {self.path}. "
            f"{where} that one first, or start this one with another folder (DATA_DIR).",
            extra={"pid": holder.pid, "url": holder.url},
        )


def _can_bind(path: Path) -> bool:
    """Whether a socket can be bound at `path`: some mounts allow none. Removes a stale one."""
    if len(os.fsencode(path)) > _LONGEST_SOCKET_PATH:
        return False
    try:
        path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as trial:
            trial.bind(str(path))
        path.unlink()
    except OSError:
        return False
    return True


def _read_json(path: Path) -> dict[str, Any]:
    try:
        said = json.loads(path.read_text()[:_LONGEST_SHORT_TEXT])
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}
