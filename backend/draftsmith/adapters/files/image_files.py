"""Images as files, `{folder}/{workspace}/{sha256}.{ext}`; implements `ports.blobs.Blobs`.

A file is written under another name, brought to disk, and then given its own, so that what has a name is whole whatever
ends in between; its folder is brought to disk before the answer. Room is counted and files are removed under a lock of
the workspace (`flock`), so that several workers, or several machines on a shared folder, keep to the bounds together.
Work on files is done in a few threads of its own.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import orjson

from draftsmith.adapters.file_lock import lock_or_none
from draftsmith.adapters.private_file import replace_private_file
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import ENDINGS, TYPES_BY_ENDING, ImageType, is_sha256
from draftsmith.ports.blobs import PutOutcome, StoredImage, outcome_of

FOLDER: Final = "images"
"""In the data folder, where no other place is set."""
_THREADS: Final = 4
_CHUNK: Final = 256 * 1024
_LOCK_SECONDS: Final = 30.0
_LEFT_OVER_SECONDS: Final = 3600.0
_PART: Final = ".part"
_UNNAMED: Final = "unnamed.json"
_LOCKS: Final = ".locks"
_OWNER_ALONE: Final = 0o700
_WORKSPACE: Final = re.compile(r"[0-9a-z]{26}")
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
Result = TypeVar("Result")


class ImageFiles:
    """The images below a folder, which is made when the first one comes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._free_threads = asyncio.Semaphore(_THREADS)

    async def put(
        self, workspace_id: WorkspaceId, sha256: str, kind: ImageType, content: bytes, *, most: int, most_bytes: int
    ) -> PutOutcome:
        """See the port."""
        return await self._do(partial(self._put, workspace_id, sha256, kind, content, most, most_bytes))

    async def find(self, workspace_id: WorkspaceId, sha256: str) -> StoredImage | None:
        """See the port."""
        return await self._do(partial(self._find, workspace_id, sha256))

    async def chunks(self, workspace_id: WorkspaceId, image: StoredImage) -> AsyncIterator[bytes]:
        """See the port."""
        path = self._path(workspace_id, image.sha256, image.type)
        descriptor = await self._do(partial(_open, path))
        return self._bytes_of(descriptor)

    async def all(self, workspace_id: WorkspaceId) -> list[StoredImage]:
        """See the port."""
        return await self._do(lambda: list(_images_in(self._of(workspace_id))))

    async def workspaces(self) -> list[WorkspaceId]:
        """See the port."""
        return await self._do(self._workspaces)

    async def remove(self, workspace_id: WorkspaceId, sha256: str, *, unless_put_after_ms: int) -> bool:
        """See the port."""
        return await self._do(partial(self._remove, workspace_id, sha256, unless_put_after_ms))

    async def remove_all(self, workspace_id: WorkspaceId) -> None:
        """See the port."""
        await self._do(partial(self._remove_all, workspace_id))

    async def unnamed_since(self, workspace_id: WorkspaceId) -> Mapping[str, int]:
        """See the port."""
        return await self._do(lambda: _read_unnamed(self._of(workspace_id) / _UNNAMED))

    async def note_unnamed(self, workspace_id: WorkspaceId, since: Mapping[str, int]) -> None:
        """See the port."""
        await self._do(partial(self._note_unnamed, workspace_id, since))

    async def check(self) -> str:
        """See the port."""
        return await self._do(self._check)

    async def close(self) -> None:
        """See the port; nothing stays open."""

    async def _do(self, work: Callable[[], Result]) -> Result:
        """Run blocking work in a thread, which ends with it.

        While a worker has a thread that waits for work, requests beside large bodies wait ten times as long
        (`bench/test_hostile_requests.py`, 60 unfinished bodies), and the sweep would leave one from the start.
        """
        async with self._free_threads:
            thread = ThreadPoolExecutor(1, thread_name_prefix="images")
            try:
                return await asyncio.get_running_loop().run_in_executor(thread, work)
            except OSError as error:
                raise _storage_error(error) from error
            finally:
                thread.shutdown(wait=False)

    async def _bytes_of(self, descriptor: int) -> AsyncIterator[bytes]:
        try:
            while piece := await self._do(partial(os.read, descriptor, _CHUNK)):
                yield piece
        finally:
            os.close(descriptor)

    def _of(self, workspace_id: WorkspaceId) -> Path:
        """The folder of a workspace.

        Raises:
            DraftsmithError: `workspace_not_found` for what is no id, and so no name of a folder here.
        """
        if not _WORKSPACE.fullmatch(workspace_id):
            raise DraftsmithError("workspace_not_found", "There is no such workspace.")
        return self._folder / workspace_id

    def _path(self, workspace_id: WorkspaceId, sha256: str, kind: ImageType) -> Path:
        if not is_sha256(sha256):
            raise not_found(sha256)
        return self._of(workspace_id) / f"{sha256}.{ENDINGS[kind]}"

    def _put(
        self, workspace_id: WorkspaceId, sha256: str, kind: ImageType, content: bytes, most: int, most_bytes: int
    ) -> PutOutcome:
        path = self._path(workspace_id, sha256, kind)
        with self._workspace_lock(workspace_id):
            outcome = outcome_of(_images_in(path.parent), sha256, len(content), most=most, most_bytes=most_bytes)
            if outcome == "there":
                os.utime(path)
            elif outcome == "new":
                _make_folder(path.parent)
                _write(path, content)
            return outcome

    def _find(self, workspace_id: WorkspaceId, sha256: str) -> StoredImage | None:
        for kind in ENDINGS:
            with suppress(FileNotFoundError):
                return _stored_image(self._path(workspace_id, sha256, kind))
        return None

    def _workspaces(self) -> list[WorkspaceId]:
        with suppress(FileNotFoundError), os.scandir(self._folder) as entries:
            return [WorkspaceId(entry.name) for entry in entries if _WORKSPACE.fullmatch(entry.name)]
        return []

    def _remove(self, workspace_id: WorkspaceId, sha256: str, unless_put_after_ms: int) -> bool:
        with self._workspace_lock(workspace_id):
            image = self._find(workspace_id, sha256)
            if image is None or image.put_ms > unless_put_after_ms:
                return False
            self._path(workspace_id, sha256, image.type).unlink(missing_ok=True)
            return True

    def _remove_all(self, workspace_id: WorkspaceId) -> None:
        folder = self._of(workspace_id)
        if not folder.exists():
            return
        with self._workspace_lock(workspace_id):
            for path in folder.iterdir():
                path.unlink(missing_ok=True)
            folder.rmdir()
        _sync(self._folder)

    def _note_unnamed(self, workspace_id: WorkspaceId, since: Mapping[str, int]) -> None:
        path = self._of(workspace_id) / _UNNAMED
        with self._workspace_lock(workspace_id):
            if not path.parent.exists():
                return
            if since:
                _write(path, orjson.dumps(since))
            else:
                path.unlink(missing_ok=True)

    def _check(self) -> str:
        _make_folder(self._folder)
        path = self._folder / f".check-{os.getpid()}"
        _write(path, b"images")
        try:
            if path.read_bytes() != b"images":
                raise OSError(errno.EIO, "what was written is not what is read")
            descriptor = lock_or_none(path, _LOCK_SECONDS)
            if descriptor is not None:
                os.close(descriptor)
        finally:
            path.unlink(missing_ok=True)
        return str(self._folder)

    @contextmanager
    def _workspace_lock(self, workspace_id: WorkspaceId) -> Iterator[None]:
        """Hold the lock of a workspace, which it shares with some others, so that locks need not be removed."""
        _make_folder(self._folder / _LOCKS)
        descriptor = lock_or_none(self._folder / _LOCKS / workspace_id[-1], _LOCK_SECONDS)
        if descriptor is None:
            raise StorageError("Images of this workspace are being written for long; try again.")
        try:
            yield
        finally:
            os.close(descriptor)


def not_found(sha256: str) -> DraftsmithError:
    """The refusal of an image that is not there."""
    return DraftsmithError("image_not_found", f"There is no image {sha256[:64]} in this workspace.")


def _storage_error(error: OSError) -> StorageError:
    if error.errno in _FULL:
        return StorageError("The disk that images are on is full; nothing was kept.", "storage_full")
    return StorageError(f"Images cannot be written or read: {error.strerror or error}.")


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        raise not_found(path.stem) from None


def _stored_image(path: Path) -> StoredImage:
    stat = path.stat()
    return StoredImage(
        path.stem, TYPES_BY_ENDING[path.suffix.removeprefix(".")], stat.st_size, stat.st_mtime_ns // 1_000_000
    )


def _images_in(folder: Path) -> Iterator[StoredImage]:
    """The images of a folder; what a writer left that was killed goes after an hour."""
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            path = folder / entry.name
            with suppress(FileNotFoundError):
                if is_sha256(path.stem) and path.suffix.removeprefix(".") in TYPES_BY_ENDING:
                    yield _stored_image(path)
                elif path.suffix == _PART and time.time() - entry.stat().st_mtime > _LEFT_OVER_SECONDS:
                    path.unlink()


def _read_unnamed(path: Path) -> Mapping[str, int]:
    try:
        content = orjson.loads(path.read_bytes())
    except (FileNotFoundError, orjson.JSONDecodeError):
        return {}
    return {str(name): int(since) for name, since in content.items()}


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it that are missing, each brought to disk."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(_OWNER_ALONE)
    _sync(folder.parent)


def _write(path: Path, content: bytes) -> None:
    """Write a file that is whole as soon as it has its name, and on disk when this returns."""
    replace_private_file(path, content, _PART)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
