"""Icons of technologies: those of the built editor, and an operator's, which win; implements `ports.icons.Icons`.

The operator's are SVG files of a folder, each called by its technology, `aws-lambda.svg`. They are read once, at the
start, and cleaned: what is served of them is shapes and gradients (`model.svg_cleaning`). A file of the editor is read
when a picture first shows it, and kept. Not here: how those are made (`frontend/scripts/technologyIcons.mjs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

import orjson

from draftsmith.model.images import ImageUnread
from draftsmith.model.svg_cleaning import cleaned_svg
from draftsmith.model.technologies import TechnologyIcon, icon_for, key_of, table_of

FOLDER: Final = "icons"
INDEX: Final = "index.json"
MOST_FILES: Final = 500
"""SVG files of an operator's folder."""
MOST_FILE_BYTES: Final = 100_000
"""Of one of them, as it is and cleaned."""
MOST_BYTES: Final = 10_000_000
"""Of all of them, cleaned: a worker holds them in memory."""
MOST_KEPT_BYTES: Final = 2_000_000
"""Of the files of the editor that a worker keeps once it has read them; there is room for all of them twice."""
_LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True)
class UnusedFile:
    """A file of the folder, or the folder, that is not used or not wholly, and why."""

    file: str
    reason: str


class IconFiles:
    """The icons of a built editor with those of an operator's folder.

    Attributes:
        own: what is served below `icons/` in place of the editor's files: the table of all icons, and the files of the
            operator; nothing where no folder is named.
        left_out: what of the folder is not used.
    """

    def __init__(self, static: Path, folder: Path | None) -> None:
        """Read the table, and the folder."""
        self._static = static
        index = static / FOLDER / INDEX
        content = index.read_bytes() if index.is_file() else b'{"icons":[]}'
        icons = [TechnologyIcon(one["id"], tuple(one["names"]), one["file"]) for one in orjson.loads(content)["icons"]]
        self.own: Mapping[str, bytes] = {}
        self.left_out: list[UnusedFile] = []
        if folder is not None:
            icons, self.own = _with_own(icons, dict(_read_folder(folder, self.left_out)))
            content = self.own[INDEX]
        self._table = table_of(icons)
        self._version = sha256(content).hexdigest()[:8]
        self._contents, self._contents_bytes = dict[str, bytes](), 0

    @property
    def version(self) -> str:
        """See the port."""
        return self._version

    def find(self, technology: str) -> TechnologyIcon | None:
        """See the port."""
        return icon_for(technology, self._table)

    def read(self, icon: TechnologyIcon) -> bytes | None:
        """See the port."""
        own = self.own.get(icon.file.removeprefix(f"{FOLDER}/"))
        return own if own is not None else self._contents.get(icon.file) or self._read_shipped(icon)

    def _read_shipped(self, icon: TechnologyIcon) -> bytes | None:
        """Read a file of the editor and keep it while there is room."""
        try:
            content = (self._static / icon.file).read_bytes()
        except OSError:
            return None
        if self._contents_bytes + len(content) <= MOST_KEPT_BYTES:
            self._contents[icon.file] = content
            self._contents_bytes += len(content)
        return content


def _with_own(icons: list[TechnologyIcon], files: Mapping[str, bytes]) -> tuple[list[TechnologyIcon], dict[str, bytes]]:
    """All icons, and what is served of the operator's: each has the names of the one that it replaces, if any."""
    shipped, own, served = table_of(icons), dict[str, TechnologyIcon](), dict[str, bytes]()
    for stem, content in files.items():
        name = " ".join(stem.replace("-", " ").replace("_", " ").split())
        replaced = shipped.get(key_of(name))
        digest = sha256(content).hexdigest()[:16]
        file = f"{digest}.svg"
        served[file] = content
        known = replaced or TechnologyIcon(digest, (name,), "")
        own[known.id] = replace(known, file=f"{FOLDER}/{file}")
    whole = [*(own.pop(icon.id, icon) for icon in icons), *own.values()]
    listed = [{"id": icon.id, "names": icon.names, "file": icon.file} for icon in whole]
    served[INDEX] = orjson.dumps({"icons": listed})
    return whole, served


def _read_folder(folder: Path, left_out: list[UnusedFile]) -> Iterator[tuple[str, bytes]]:
    """The cleaned SVG of each file that can be used, by its name without the ending, in the order of names."""
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".svg" and path.is_file())
    except OSError as problem:
        left_out.append(UnusedFile(str(folder), problem.strerror or "it cannot be read"))
        return
    if len(files) > MOST_FILES:
        left_out.append(UnusedFile(str(folder), f"it has {len(files):,} SVG files; the first {MOST_FILES} are used"))
    room = MOST_BYTES
    for path in files[:MOST_FILES]:
        try:
            content = _clean(path)
        except (OSError, ImageUnread) as problem:
            left_out.append(UnusedFile(path.name, str(problem)))
            continue
        room -= len(content)
        if room < 0:
            left_out.append(UnusedFile(str(folder), f"its files have more than {MOST_BYTES:,} bytes together"))
            return
        yield path.stem, content


def _clean(path: Path) -> bytes:
    if len(path.stem) > _LONGEST_NAME:
        raise ImageUnread(f"its name has more than {_LONGEST_NAME} characters")
    if path.stat().st_size > MOST_FILE_BYTES:
        raise ImageUnread(f"it has more than {MOST_FILE_BYTES:,} bytes")
    content = cleaned_svg(path.read_bytes())
    if len(content) > MOST_FILE_BYTES:
        raise ImageUnread(f"cleaned it has more than {MOST_FILE_BYTES:,} bytes")
    return content
