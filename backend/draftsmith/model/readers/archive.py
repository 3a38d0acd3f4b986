"""The files of a zip, within bounds; Notion puts zips into a zip where an export is large."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from draftsmith.model.readers.reading import SourceFile, UnreadableSource
from draftsmith.model.readers.registry import clean_path

MAX_FILES: Final = 10_000
MAX_BYTES: Final = 300_000_000
"""Of all files, unpacked."""
_MAX_DEEP: Final = 2
_MAX_ENTRIES: Final = 50_000
"""Of the directory of a zip, with those of zips that are stored in it; each takes a kilobyte to read."""
_ENTRY: Final = b"PK\x01\x02"
_KINDS: Final = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
_ENCRYPTED: Final = 1
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)


def is_zip(file: SourceFile) -> bool:
    """Whether a file begins as a zip does."""
    return file.content.startswith(b"PK\x03\x04")


def names_in(file: SourceFile) -> list[str]:
    """The names of the files in a zip, those in zips inside of it left out; none if it cannot be read."""
    if file.content.count(_ENTRY) > _MAX_ENTRIES:
        return []
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            return archive.namelist()
    except _DAMAGED:
        return []


def files_of_zip(file: SourceFile) -> list[SourceFile]:
    """The files of a zip and of those in it.

    Raises:
        UnreadableSource: it is damaged, encrypted, beyond a bound, or has a path that leads out of it.
    """
    return _Unpacking(file, MAX_FILES, MAX_BYTES, lambda _: True).all_files(_MAX_DEEP)


def wanted_names(file: SourceFile, most: int, is_wanted: Callable[[str], bool]) -> list[str]:
    """The paths of the files in a zip that are wanted, as far as its directory says it; nothing is unpacked.

    Raises:
        UnreadableSource: as `files_of_zip`, for what the directory shows.
    """
    return _Unpacking(file, most, 0, is_wanted).names()


@dataclass(slots=True)
class ZipRoom:
    """How much the zips that came together may still hold, of files that are wanted: these alone are unpacked."""

    files: int
    bytes: int

    def files_of(self, file: SourceFile, is_wanted: Callable[[str], bool]) -> list[SourceFile]:
        """The files of a zip that are wanted by their paths; zips in it stay as they are.

        Raises:
            UnreadableSource: as `files_of_zip`.
        """
        unpacking = _Unpacking(file, self.files, self.bytes, is_wanted)
        try:
            return unpacking.all_files(1)
        finally:
            self.files, self.bytes = unpacking.files_left, unpacking.bytes_left


class _Unpacking:
    """Counts what is unpacked of a zip.

    Attributes:
        files_left, bytes_left: so many may still come.
    """

    def __init__(self, file: SourceFile, files: int, size: int, is_wanted: Callable[[str], bool]) -> None:
        self.files_left, self.bytes_left = files, size
        self._file, self._is_wanted = file, is_wanted
        self._most_files, self._most_bytes = files, size

    def all_files(self, deepest: int) -> list[SourceFile]:
        """All files, and those of zips in it, so deep."""
        self._check_directory()
        try:
            return list(self._files(self._file.content, deepest))
        except _DAMAGED:
            raise self._damage() from None

    def names(self) -> list[str]:
        """The paths of all files."""
        self._check_directory()
        try:
            with zipfile.ZipFile(io.BytesIO(self._file.content)) as archive:
                return [name for _, name in self._entries(archive)]
        except _DAMAGED:
            raise self._damage() from None

    def _files(self, content: bytes, deepest: int) -> Iterator[SourceFile]:
        """The files in a zip, by what is really in it rather than what it says."""
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info, name in self._entries(archive):
                inner = self._content(archive, info)
                if name.lower().endswith(".zip") and deepest > 1:
                    yield from self._files(inner, deepest - 1)
                else:
                    yield SourceFile(name, inner)

    def _entries(self, archive: zipfile.ZipFile) -> Iterator[tuple[zipfile.ZipInfo, str]]:
        """What is wanted of the directory of a zip, with its path."""
        for info in archive.infolist():
            name = "" if info.is_dir() else self._clean(info.filename)
            if not name or not self._is_wanted(name):
                continue
            self.files_left -= 1
            if self.files_left < 0:
                raise self._too_many_files()
            if info.flag_bits & _ENCRYPTED or info.compress_type not in _KINDS:
                raise UnreadableSource("it is encrypted, or packed in a way that is not read", self._file.path)
            yield info, name

    def _content(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
        with archive.open(info) as stream:
            found = stream.read(self.bytes_left + 1)
        self.bytes_left -= len(found)
        if self.bytes_left < 0:
            self.bytes_left = 0
            reason = f"it has more than {self._most_bytes:,} bytes when it is unpacked"
            raise UnreadableSource(reason, self._file.path)
        return found

    def _clean(self, name: str) -> str:
        if name.startswith(("/", "\\")):
            raise UnreadableSource("a path in it leads out of it", self._file.path)
        try:
            return clean_path(name)
        except UnreadableSource as problem:
            raise UnreadableSource(f"of a file in it, {problem.reason}", self._file.path) from None

    def _check_directory(self) -> None:
        if self._file.content.count(_ENTRY) > _MAX_ENTRIES:
            raise self._too_many_files()

    def _damage(self) -> UnreadableSource:
        return UnreadableSource("it is damaged, or no zip that can be read", self._file.path)

    def _too_many_files(self) -> UnreadableSource:
        self.files_left = 0
        return UnreadableSource(f"it has more than {self._most_files:,} files", self._file.path)
