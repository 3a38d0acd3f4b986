"""Zips of files of any format: what is in one comes as if it had come in a folder called as the zip is.

A zip that a format has, as Notion has its exports, is left to its reader. One that cannot be unpacked is a set of its
own that says why. Not here: how a zip is unpacked (`archive`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import orjson

from draftsmith.model.readers.alone import sets_of
from draftsmith.model.readers.archive import ZipRoom, is_zip, wanted_names
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from draftsmith.model.readers.registry import READERS, ZIP, may_belong

__all__ = ["packed_files", "path_within", "read", "recognizes", "sets_of", "unpack_zips", "with_parsed"]

_ENDING: Final = ".zip"
_IN_ZIP: Final = re.compile(r"^(?:[^/]+/)*?[^/]+\.zip/", re.IGNORECASE)
MAX_FILES: Final = 2_000
"""Of all zips that came together, of those that may be of a format."""
MAX_BYTES: Final = 50_000_000
"""Of these, unpacked."""


def recognizes(file: SourceFile) -> bool:
    """Whether a file is a zip by its name and its beginning."""
    return file.path.lower().endswith(_ENDING) and is_zip(file)


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Say why a zip was not unpacked.

    Raises:
        UnreadableSource: always.
    """
    file = sources.root
    if not wanted_names(file, MAX_FILES, may_belong):
        raise UnreadableSource("nothing in it can be imported", file.path)
    raise UnreadableSource("it is damaged, lies in another zip, or there is too much in the zips together", file.path)


def unpack_zips(files: Sequence[SourceFile]) -> list[SourceFile]:
    """Files with those of zips in place of these, as far as they may be of a format; what cannot be unpacked stays."""
    room = ZipRoom(MAX_FILES, MAX_BYTES)
    found: dict[str, SourceFile] = {}
    for file in files:
        for one in _files_in(file, room, lambda _: True) or [file]:
            found.setdefault(one.path, one)
    return list(found.values())


def packed_files(files: Sequence[SourceFile], is_wanted: Callable[[str], bool]) -> list[tuple[str, SourceFile]]:
    """The files of zips that are wanted by their paths, below that of their zip, which comes before each."""
    room = ZipRoom(MAX_FILES, MAX_BYTES)
    return [(file.path, one) for file in files for one in _files_in(file, room, is_wanted)]


def with_parsed(file: SourceFile, answers: Mapping[str, bytes]) -> SourceFile:
    """A zip with what a parser says of files in it, by their paths below its own; they have it when it is unpacked."""
    if not answers:
        return file
    return replace(file, parsed=orjson.dumps({path: answer.decode() for path, answer in answers.items()}))


def path_within(path: str) -> str:
    """A path without the zip that the file came in: the same folder is packed under another name the next time."""
    return _IN_ZIP.sub("", path)


def _files_in(file: SourceFile, room: ZipRoom, is_wanted: Callable[[str], bool]) -> list[SourceFile]:
    """The wanted files of a zip; none of one that cannot be unpacked, and of what is no zip for any format."""
    if not recognizes(file) or _is_of_a_format(file):
        return []
    parsed: Mapping[str, str] = orjson.loads(file.parsed) if file.parsed else {}
    with suppress(UnreadableSource):
        inner = room.files_of(file, lambda path: may_belong(path) and is_wanted(f"{file.path}/{path}"))
        paths = (f"{file.path}/{one.path}" for one in inner)
        return [
            SourceFile(path, one.content, parsed.get(path, "").encode()) for path, one in zip(paths, inner, strict=True)
        ]
    return []


def _is_of_a_format(file: SourceFile) -> bool:
    entries = [entry for name, entry in READERS.items() if name != ZIP and _ENDING in entry.endings]
    return any(entry.reader().recognizes(file) for entry in entries)
