"""The files of a zip, within bounds; Notion puts zips into a zip where an export is large."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from draftsmith.model.readers.reading import SourceFile, UnreadableSource
from draftsmith.model.readers.registry import clean_path

MAX_FILES: Final = 10_000
MAX_BYTES: Final = 300_000_000
"""Of all files, unpacked."""
_MAX_DEEP: Final = 2
_KINDS: Final = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
_ENCRYPTED: Final = 1
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)


def is_zip(file: SourceFile) -> bool:
    """Whether a file begins as a zip does."""
    return file.content.startswith(b"PK\x03\x04")


def names_in(file: SourceFile) -> list[str]:
    """The names of the files in a zip, those in zips inside of it left out; none if it cannot be read."""
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
    unpacking = _Unpacking(file.path)
    try:
        return list(unpacking.files(file.content, 1))
    except _DAMAGED:
        raise UnreadableSource("it is damaged, or no zip that can be read", file.path) from None


class _Unpacking:
    """Counts what is unpacked."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._bytes = self._files = 0

    def files(self, content: bytes, depth: int) -> Iterator[SourceFile]:
        """The files in a zip, by what is really in it rather than what it says."""
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in archive.infolist():
                if info.is_dir():
                    continue
                self._files += 1
                if self._files > MAX_FILES:
                    raise UnreadableSource(f"it has more than {MAX_FILES:,} files", self._path)
                if info.flag_bits & _ENCRYPTED or info.compress_type not in _KINDS:
                    raise UnreadableSource("it is encrypted, or packed in a way that is not read", self._path)
                name = self._clean(info.filename)
                inner = self._content(archive, info)
                if name.lower().endswith(".zip") and depth < _MAX_DEEP:
                    yield from self.files(inner, depth + 1)
                else:
                    yield SourceFile(name, inner)

    def _content(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
        most = MAX_BYTES - self._bytes
        with archive.open(info) as stream:
            found = stream.read(most + 1)
        self._bytes += len(found)
        if len(found) > most:
            raise UnreadableSource(f"it has more than {MAX_BYTES:,} bytes when it is unpacked", self._path)
        return found

    def _clean(self, name: str) -> str:
        if name.startswith(("/", "\\")):
            raise UnreadableSource("a path in it leads out of it", self._path)
        try:
            return clean_path(name)
        except UnreadableSource as problem:
            raise UnreadableSource(f"of a file in it, {problem.reason}", self._path) from None
