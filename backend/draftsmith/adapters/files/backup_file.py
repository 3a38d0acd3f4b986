"""A backup on disk: one zip file whose last member, `manifest.json`, lists all others with their SHA-256.

A file that is being written has another name until it is complete and on disk, so a backup under the requested name is
always complete.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.usecases.upkeep.backup import FORMAT, File, SavedWorkspace, saved_from_json

_MANIFEST = "manifest.json"
_LARGEST_MANIFEST = 64 << 20
_CHUNK = 1 << 20
_OWNER_ALONE = 0o600
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError, RuntimeError, OSError)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a backup may hold, so that a small file cannot fill memory or disk when it is unpacked.

    Attributes:
        members: files in it.
        member_bytes: one of them, unpacked; it is held in memory.
        total_bytes: all of them, unpacked.
        ratio: how many times its packed size a member over 16 MiB may have unpacked.
    """

    members: int = 200_000
    member_bytes: int = 256 << 20
    total_bytes: int = 64 << 30
    ratio: int = 200


_RATIO_FROM = 16 << 20
NO_LIMITS = Limits(members=2**63, member_bytes=2**63, total_bytes=2**63, ratio=2**63)


class BackupWriter:
    """Writes a backup; implements `usecases.backup.Sink`. Left without `finish`, nothing stays on disk."""

    def __init__(self, path: Path, overwrite: bool = False) -> None:
        """Begin a backup.

        Raises:
            DraftsmithError: `file_exists`, `file_unwritable`; the latter from every method.
        """
        self._path = path
        self._draft = path.with_name(f".{path.name}.{os.getpid()}.part")
        if path.exists() and not overwrite:
            raise DraftsmithError("file_exists", f"{path} is there already; give another name, or --force.")
        with self._writing():
            descriptor = os.open(self._draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, _OWNER_ALONE)
        self._file = os.fdopen(descriptor, "w+b")
        self._zip = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED)

    def write(self, name: str, chunks: Iterable[bytes]) -> File:
        """Write a member; what the manifest says of it."""
        digest, size = hashlib.sha256(), 0
        with self._writing(), self._zip.open(name, "w", force_zip64=True) as member:
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                member.write(chunk)
        return File(name, digest.hexdigest(), size)

    def finish(self, product: str, created_ms: int, saved: Sequence[SavedWorkspace]) -> int:
        """Write the manifest, make sure that everything is on disk, and give the backup its name; its size in bytes."""
        manifest = {
            "format": FORMAT,
            "product": product,
            "created_ms": created_ms,
            "workspaces": [one.to_json() for one in saved],
        }
        with self._writing():
            self._zip.writestr(_MANIFEST, orjson.dumps(manifest, option=orjson.OPT_INDENT_2))
            self._zip.close()
            self._file.flush()
            os.fsync(self._file.fileno())
            size = self._draft.stat().st_size
            self._file.close()
            self._draft.replace(self._path)
        return size

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            why = problem.strerror or problem
            raise DraftsmithError("file_unwritable", f"{self._path} cannot be written: {why}.") from problem

    def __enter__(self) -> BackupWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._zip.close()
        self._file.close()
        self._draft.unlink(missing_ok=True)


class BackupReader:
    """Reads a backup; implements `usecases.backup.Source`.

    Attributes:
        product: which release wrote it.
        created_ms: when, by the clock of that computer.
        saved: what it holds.
    """

    def __init__(self, path: Path, limits: Limits | None = None) -> None:
        """Open a backup and read its manifest.

        Raises:
            DraftsmithError: `file_unreadable`, `backup_damaged`, `backup_too_large`, or `backup_unknown` if it is no
                backup that this release reads.
        """
        self._path, self._limits = path, limits or Limits()
        try:
            self._zip = zipfile.ZipFile(path)
        except OSError as problem:
            raise DraftsmithError("file_unreadable", f"{path} cannot be read: {problem.strerror}.") from problem
        except _BROKEN as problem:
            raise self._damaged(str(problem)) from problem
        try:
            self._check_size(self._zip.infolist())
            manifest = self._manifest()
            self.product = str(manifest["product"])
            self.created_ms = int(manifest["created_ms"])
            self.saved = [saved_from_json(one) for one in manifest["workspaces"]]
        except DraftsmithError:
            self._zip.close()
            raise
        except (*_BROKEN, TypeError) as problem:
            self._zip.close()
            raise self._damaged(str(problem)) from problem

    def _check_size(self, members: Sequence[zipfile.ZipInfo]) -> None:
        """Look at what the members say of themselves, before anything is unpacked; no more than that is read later."""
        if len({member.filename for member in members}) < len(members):
            raise ValueError("a name stands in it twice")
        limits = self._limits
        if len(members) > limits.members:
            raise self._too_large(f"it holds {len(members):,} files; {limits.members:,} are read")
        for member in members:
            if member.file_size > limits.member_bytes:
                raise self._too_large(
                    f"{member.filename} has {member.file_size:,} bytes; {limits.member_bytes:,} are read"
                )
            if member.file_size > max(_RATIO_FROM, limits.ratio * member.compress_size):
                raise self._too_large(f"{member.filename} unpacks to more than {limits.ratio} times its size")
        if sum(member.file_size for member in members) > limits.total_bytes:
            raise self._too_large(f"unpacked it has more than {limits.total_bytes:,} bytes")

    def _too_large(self, why: str) -> DraftsmithError:
        message = (
            f"{self._path} is larger than is read from a file that may be anybody's: {why}. Nothing was recovered. "
        )
        return DraftsmithError("backup_too_large", f"{message}If it is your own: --any-size.")

    def _manifest(self) -> Mapping[str, Any]:
        if self._zip.getinfo(_MANIFEST).file_size > _LARGEST_MANIFEST:
            raise ValueError("its manifest is too large")
        manifest: Any = orjson.loads(self._unpacked(_MANIFEST))
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise DraftsmithError("backup_unknown", f"{self._path} is not a backup that this release reads ({FORMAT}).")
        return manifest

    def read(self, file: File) -> bytes:
        """Read a member and check its sum.

        Raises:
            DraftsmithError: `backup_damaged`.
        """
        try:
            if self._zip.getinfo(file.name).file_size != file.size:
                raise ValueError("it has another length than the manifest says")
            content = self._unpacked(file.name)
        except _BROKEN as problem:
            raise self._damaged(f"{file.name}: {problem}") from problem
        if hashlib.sha256(content).hexdigest() != file.sha256:
            raise self._damaged(f"{file.name} is not what the manifest says")
        return content

    def _unpacked(self, name: str) -> bytes:
        """A member; what is longer than it says is not read to its end."""
        size = self._zip.getinfo(name).file_size
        content = bytearray()
        with self._zip.open(name) as member:
            while len(content) <= size and (chunk := member.read(_CHUNK)):
                content += chunk
        if len(content) != size:
            raise ValueError("it has another length than it says")
        return bytes(content)

    def _damaged(self, why: str) -> DraftsmithError:
        return DraftsmithError("backup_damaged", f"{self._path} is damaged; nothing was recovered from it. ({why})")

    def __enter__(self) -> BackupReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()
