"""The readers of formats by name, and which of them reads what.

A format is added by its line in `READERS`. Modules of readers are imported when something is to be read by them, so
that a server starts no slower for those that nobody uses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final, cast

from draftsmith.model.readers.reading import Reader, SourceFile, SourceSet, UnreadableSource

_MAX_PATH: Final = 1_000
# Blanks of other widths and joiners of emoji are none of these: titles of pages have them.
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_PASSED_OVER: Final = frozenset(
    ("node_modules", "bower_components", "site-packages", "__pycache__", "__macosx", "venv", "target", "vendor")
)
_BESIDE: Final = (".env", ".csv", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
"""Endings of files that others refer to."""


@dataclass(frozen=True, slots=True)
class ReaderEntry:
    """A format that is read.

    Attributes:
        title: what people call it, without an article.
        endings: of names of its files, in lower case, with their dot; a file with another one is not looked into.
        media_type: of such a file.
        module: the module that is its reader.
    """

    title: str
    endings: tuple[str, ...]
    media_type: str
    module: str

    def reader(self) -> Reader:
        """Its reader, imported when it is first asked for."""
        return cast(Reader, import_module(self.module))


ZIP: Final = "zip"
"""What holds files of other formats, and is none itself."""
READERS: Final[Mapping[str, ReaderEntry]] = {
    "drawio": ReaderEntry(
        "draw.io drawing",
        (".drawio", ".xml", ".dio", ".svg", ".png"),
        "application/vnd.jgraph.mxfile",
        "draftsmith.model.drawio.format_reader",
    ),
    "json": ReaderEntry("Draftsmith export", (".json",), "application/json", "draftsmith.model.readers.export"),
    "structurizr": ReaderEntry(
        "Structurizr workspace",
        (".dsl", ".json"),
        "text/x-structurizr-dsl",
        "draftsmith.model.readers.structurizr.reader",
    ),
    "dot": ReaderEntry("Graphviz DOT", (".dot", ".gv"), "text/vnd.graphviz", "draftsmith.model.dot.reader"),
    "excalidraw": ReaderEntry(
        "Excalidraw",
        (".excalidraw", ".json", ".svg", ".png"),
        "application/vnd.excalidraw+json",
        "draftsmith.model.excalidraw.reader",
    ),
    "text": ReaderEntry("diagram as text", (".diagram.txt",), "text/plain", "draftsmith.model.diagram_text.reader"),
    "compose": ReaderEntry(
        "Docker Compose", (".yaml", ".yml"), "application/yaml", "draftsmith.model.readers.compose.reader"
    ),
    "kubernetes": ReaderEntry(
        "Kubernetes manifests",
        (".yaml", ".yml", ".json"),
        "application/yaml",
        "draftsmith.model.readers.kubernetes.reader",
    ),
    "mermaid": ReaderEntry(
        "Mermaid", (".mmd", ".mermaid", ".txt"), "text/vnd.mermaid", "draftsmith.model.mermaid.format_reader"
    ),
    "notion": ReaderEntry(
        "Notion export", (".zip", ".md", ".csv"), "application/zip", "draftsmith.model.notion.reader"
    ),
    ZIP: ReaderEntry("Zip archive", (".zip",), "application/zip", "draftsmith.model.readers.zips"),
    "markdown": ReaderEntry(
        "Markdown", (".md", ".markdown", ".mdown", ".txt"), "text/markdown", "draftsmith.model.markdown_import"
    ),
}
"""In the order in which they are asked: what says more of what it is comes first, Markdown and plain text last."""


@dataclass(frozen=True, slots=True)
class RecognizedSet:
    """Files that are read together, and the name of the format that they are in."""

    reader: str
    sources: SourceSet


@dataclass(frozen=True, slots=True)
class Recognition:
    """What files that came together are.

    Attributes:
        sets: in the order of their roots among the files.
        unrecognized: the files that no set has.
    """

    sets: Sequence[RecognizedSet]
    unrecognized: Sequence[SourceFile]


def recognize(files: Sequence[SourceFile], reader: str | None = None) -> Recognition:
    """Find out what files are, by their names and a bounded look into each.

    Args:
        files: what came together, every path once (`clean_path`).
        reader: the format that somebody says they are in, by its name in `READERS`: then no file is looked into.

    Returns:
        Each file is in sets of one reader at most.
    """
    order = {file.path: number for number, file in enumerate(files)}
    sets: list[RecognizedSet] = []
    left = list(files)
    for name, entry in READERS.items() if reader is None else [(reader, READERS[reader])]:
        found = _sets(entry, left, is_said=reader is not None)
        taken = {path for one in found for path in one.files}
        left = [file for file in left if file.path not in taken]
        sets += [RecognizedSet(name, one) for one in found]
    return Recognition(sorted(sets, key=lambda one: order[one.sources.root.path]), left)


def _sets(entry: ReaderEntry, files: Sequence[SourceFile], *, is_said: bool) -> Sequence[SourceSet]:
    """The sets of one format, whose roots it recognizes."""
    roots = [file for file in files if is_said or file.path.lower().endswith(entry.endings)]
    if not roots:
        return ()
    reader = entry.reader()
    recognized = {file.path for file in roots if is_said or reader.recognizes(file)}
    return [one for one in reader.sets_of(files) if one.root.path in recognized] if recognized else ()


def clean_path(path: str) -> str:
    """The path of a file as readers get it: `/` between its parts, no empty part and no `.`.

    Raises:
        UnreadableSource: it leads out of what was uploaded, is empty, too long, or has control characters.
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    if ".." in parts:
        raise UnreadableSource("its path leads out of the folder", path)
    if not parts:
        raise UnreadableSource("it has no name", path)
    if len(path) > _MAX_PATH or _CONTROL.search(path):
        raise UnreadableSource("its path is too long, or has control characters", path)
    return "/".join(parts)


def is_passed_over(folder: str) -> bool:
    """Whether a folder of that name is not looked into: hidden, of packages, or what tools keep for themselves."""
    return folder.startswith(".") or folder.lower() in _PASSED_OVER


def may_belong(path: str) -> bool:
    """Whether a file of a folder is worth reading: by its ending, and in no folder that tools keep for themselves."""
    *folders, name = path.lower().split("/")
    if any(map(is_passed_over, folders)):
        return False
    return name.endswith((*_BESIDE, *(ending for entry in READERS.values() for ending in entry.endings)))
