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
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from draftsmith.access.folders import Folder, folder_from_json
from draftsmith.access.records import User
from draftsmith.errors import DraftsmithError
from draftsmith.transform.requests.json_counts import JsonCounts
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
        member_bytes: one of them, unpacked; states are held in memory.
        total_bytes: all of them, unpacked.
        ratio: how many times its packed size a member over 16 MiB may have unpacked, and how many times the size of
            the file all of them over 64 MiB.
        values: JSON values of a member; parsed, an empty list is twenty times as large as written.
    """

    members: int = 200_000
    member_bytes: int = 256 << 20
    total_bytes: int = 64 << 30
    ratio: int = 200
    values: int = 4_000_000


_MEMBER_RATIO_FROM = 16 << 20
_TOTAL_RATIO_FROM = 64 << 20
NO_LIMITS = Limits(2**63, 2**63, 2**63, 2**63, 2**63)


def _person(shape: Mapping[str, Any]) -> User:
    known = {name: shape[name] for name in ("id", "name", "subject", "email", "is_admin", "created_ms", "seen_ms")}
    return User(**known, groups=tuple(shape["groups"]))


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

    def finish(
        self,
        product: str,
        created_ms: int,
        saved: Sequence[SavedWorkspace],
        people: Sequence[User] = (),
        folders: Sequence[Folder] = (),
    ) -> int:
        """Write the manifest, make sure that everything is on disk, and give the backup its name; its size in bytes."""
        manifest = {
            "format": FORMAT,
            "product": product,
            "created_ms": created_ms,
            "workspaces": [one.to_json() for one in saved],
            "people": [asdict(user) for user in people],
            "folders": [folder.to_json() for folder in folders],
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
        people: whom that installation knew; none before token mode.
        folders: in which its workspaces lay.
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
            raise self._damage_error(str(problem)) from problem
        try:
            self._check_size(self._zip.infolist(), path.stat().st_size)
            manifest = self._manifest()
            self.product = str(manifest["product"])
            self.created_ms = int(manifest["created_ms"])
            self.saved = [saved_from_json(one) for one in manifest["workspaces"]]
            self.people = [_person(one) for one in manifest.get("people", ())]
            self.folders = [folder_from_json(one) for one in manifest.get("folders", ())]
        except DraftsmithError:
            self._zip.close()
            raise
        except (*_BROKEN, TypeError, AttributeError) as problem:
            self._zip.close()
            raise self._damage_error(str(problem)) from problem

    def _check_size(self, members: Sequence[zipfile.ZipInfo], size: int) -> None:
        """Look at what the members say of themselves, before anything is unpacked; no more than that is read later."""
        if len({member.filename for member in members}) < len(members):
            raise ValueError("a name stands in it twice")
        if sum(member.compress_size for member in members) > size:
            raise ValueError("its files share bytes")
        limits, total = self._limits, sum(member.file_size for member in members)
        if len(members) > limits.members:
            raise self._too_large(f"it holds {len(members):,} files; {limits.members:,} are read")
        for member in members:
            if member.file_size > limits.member_bytes:
                raise self._too_large(
                    f"{member.filename} has {member.file_size:,} bytes; {limits.member_bytes:,} are read"
                )
            if member.file_size > max(_MEMBER_RATIO_FROM, limits.ratio * member.compress_size):
                raise self._too_large(f"{member.filename} unpacks to more than {limits.ratio} times its size")
        if total > min(limits.total_bytes, max(_TOTAL_RATIO_FROM, limits.ratio * size)):
            raise self._too_large(f"unpacked it has {total:,} bytes")

    def _too_large(self, why: str) -> DraftsmithError:
        message = (
            f"{self._path} is larger than is read from a file that may be anybody's: {why}. Nothing was recovered. "
        )
        return DraftsmithError("backup_too_large", f"{message}If it is your own: --any-size.")

    def _manifest(self) -> Mapping[str, Any]:
        if self._zip.getinfo(_MANIFEST).file_size > _LARGEST_MANIFEST:
            raise ValueError("its manifest is too large")
        manifest: Any = orjson.loads(b"".join(self._unpack(_MANIFEST)))
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise DraftsmithError("backup_unknown", f"{self._path} is not a backup that this release reads ({FORMAT}).")
        return manifest

    def read(self, file: File) -> bytes:
        """Read a member and check its sum.

        Raises:
            DraftsmithError: `backup_damaged`, `backup_too_large`.
        """
        return b"".join(self._read_verified(file))

    def read_image(self, file: File) -> bytes:
        """Read a member that is no JSON and check its sum.

        Raises:
            DraftsmithError: `backup_damaged`, `backup_too_large`.
        """
        return b"".join(self._read_verified(file, is_json=False))

    def lines(self, file: File) -> Iterator[bytes]:
        """Read a member line by line, without holding all of it; its sum is checked at the end.

        Raises:
            DraftsmithError: `backup_damaged`, after the last line at the latest; `backup_too_large`.
        """
        rest: list[bytes] = []
        for chunk in self._read_verified(file):
            first, *others = chunk.split(b"\n")
            rest.append(first)
            for other in others:
                yield b"".join(rest)
                rest = [other]
        if last := b"".join(rest):
            yield last

    def _read_verified(self, file: File, *, is_json: bool = True) -> Iterator[bytes]:
        digest = hashlib.sha256()
        try:
            if self._zip.getinfo(file.name).file_size != file.size:
                raise ValueError("it has another length than the manifest says")
            for chunk in self._unpack(file.name, is_json=is_json):
                digest.update(chunk)
                yield chunk
        except _BROKEN as problem:
            raise self._damage_error(f"{file.name}: {problem}") from problem
        if digest.hexdigest() != file.sha256:
            raise self._damage_error(f"{file.name} is not what the manifest says")

    def _unpack(self, name: str, *, is_json: bool = True) -> Iterator[bytes]:
        """The pieces of a member; what is longer than it says is not read to its end."""
        left = self._zip.getinfo(name).file_size
        counts = JsonCounts("file", self._limits.values)
        with self._zip.open(name) as member:
            while chunk := member.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    break
                if is_json:
                    self._count(counts, name, chunk)
                yield chunk
        if left != 0:
            raise ValueError("it has another length than it says")

    def _count(self, counts: JsonCounts, name: str, chunk: bytes) -> None:
        try:
            counts.add(chunk)
        except DraftsmithError as error:
            if error.code != "body_too_large":
                raise ValueError("it is nested too deep") from error
            raise self._too_large(f"{name} holds more than {self._limits.values:,} values") from error

    def _damage_error(self, why: str) -> DraftsmithError:
        return DraftsmithError("backup_damaged", f"{self._path} is damaged; nothing was recovered from it. ({why})")

    def __enter__(self) -> BackupReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()
