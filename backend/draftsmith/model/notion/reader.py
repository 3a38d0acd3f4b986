"""Exports of Notion as a format that is read (`model.readers`): a zip or a folder of Markdown, CSV and images.

An export becomes one document. Pages are sections, below the page that they stand in; links between pages lead to the
headings of these, tables of databases are tables. Not here: HTML and PDF, which Notion exports too.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.markdown_import import ImportedMarkdown, from_markdown
from draftsmith.model.readers import alone
from draftsmith.model.readers.archive import files_of_zip, is_zip, names_in
from draftsmith.model.readers.document_room import DocumentRoom
from draftsmith.model.readers.images import IMAGE_ENDINGS, KeptImages
from draftsmith.model.readers.limits import MAX_NAME, SHOWN, unread_within
from draftsmith.model.readers.links import lead_links
from draftsmith.model.readers.paths import path_from
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart

_LOOKED_AT: Final = 1_000
_PART: Final = re.compile(r"ExportBlock-[0-9a-f]++(?:-[0-9a-f]++)*-Part-\d++\.zip", re.IGNORECASE)
_LONGEST_ADDRESS: Final = 80
"""Characters by which a link may grow that leads to an image."""
_ADDRESSES: Final = ("https://www.notion.so/", "https://notion.so/")
_PAGE: Final = ".md"
_TABLE: Final = ".csv"
_WHOLE: Final = "_all"
"""At the end of the name of a table with all rows, beside one with those of a view."""
_ID: Final = 32
_HEX: Final = frozenset("0123456789abcdef")
_DEEPEST: Final = 6
_MAX_ROWS: Final = 2_000
_MAX_COLUMNS: Final = 30
_MAX_CELL: Final = 500
_MARKS: Final = re.compile(r"[\\|<>`*_\[\]]")


@dataclass(slots=True)
class _NotionPage:
    """A page or a table.

    Attributes:
        path: of its file.
        title: without its id.
        depth: how many pages it stands in.
        text: as Markdown, from its heading on.
    """

    path: str
    title: str
    depth: int
    text: str = ""


def recognizes(file: SourceFile) -> bool:
    """Whether a file is called as Notion calls pages and tables, or is a zip of such files."""
    if is_zip(file):
        names = names_in(file)[:_LOOKED_AT]
        return any(_id_of(name) or _PART.fullmatch(name.rpartition("/")[2]) for name in names)
    return bool(_id_of(file.path))


def sets_of(files: Sequence[SourceFile]) -> Sequence[SourceSet]:
    """Return a set for each zip, and one for all pages and tables beside them, with what lies in their folders."""
    zips = [SourceSet(file, {file.path: file}) for file in files if is_zip(file)]
    pages = [file for file in files if _id_of(file.path) and not is_zip(file)]
    if not pages:
        return zips
    beside = {_folder(file.path) for file in pages}
    below = {file.path.rpartition(".")[0] for file in pages}
    around = {
        file.path: file
        for file in files
        if not is_zip(file) and (_id_of(file.path) or _is_in(file.path, below) or _is_image_in(file.path, beside))
    }
    by_path = {file.path: file for file in pages}
    root = by_path[min(by_path, key=lambda path: (path.count("/"), path))]
    return [*zips, SourceSet(root, around)]


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read an export as one document, with the first flowchart of it as the diagram.

    Raises:
        UnreadableSource: it is a zip that cannot be unpacked, or there is no page in it that can be read.
    """
    files = sources.files
    if is_zip(sources.root):
        files = {file.path: file for file in files_of_zip(sources.root)}
    pages = _pages_in_order([path for path in files if _id_of(path)])
    if not pages:
        raise UnreadableSource("there is no page of Notion in it", sources.root.path)
    writing = _DocumentWriter(files)
    document = writing.document(pages)
    if not document:
        raise UnreadableSource(writing.unread[0].reason, writing.unread[0].file)
    # Only a flowchart is looked for, and reading a long document takes long.
    found = from_markdown(document) if "mermaid" in document else ImportedMarkdown()
    outer = [page for page in pages if page.depth == 0]
    return [
        ReadWorkspace(
            outer[0].title[:MAX_NAME] if len(outer) == 1 else "",
            found.get("diagram") or {"nodes": [], "edges": []},
            document,
            unread_within([*writing.unread, *writing.images.unread, *writing.unused_files()]),
            images=writing.images.images,
            flow=found.get("flow", "right"),
        )
    ]


class _DocumentWriter:
    """Writes pages behind one another; `images` are those that they show."""

    def __init__(self, files: Mapping[str, SourceFile]) -> None:
        self._files = files
        self._anchors: dict[str, str] = {}
        self._shown_images: set[str] = set()
        self._room = DocumentRoom()
        self.images = KeptImages()
        self.unread: list[UnreadPart] = []

    def document(self, pages: Sequence[_NotionPage]) -> str:
        """Return all pages as one text, as far as there is room."""
        kept = [page for page in pages if self._take_text(page)]
        if any("](" in page.text for page in kept):
            self._find_anchors(kept)
        return "\n".join(lead_links(page.text, partial(self._address_in_document, page)) for page in kept)

    def _find_anchors(self, pages: Sequence[_NotionPage]) -> None:
        """Find the addresses that the headings of pages will have in the document, by path and by id."""
        starts: dict[int, _NotionPage] = {}
        at = 0
        for page in pages:
            starts[at] = page
            at += len(page.text) + 1
        outline = outline_of("\n".join(page.text for page in pages))
        for section, anchor in zip(outline.sections, outline.anchors.of_sections, strict=True):
            if section.start in starts and anchor:
                path = starts[section.start].path
                self._anchors[path] = self._anchors[_id_of(path)] = anchor

    def unused_files(self) -> Iterator[UnreadPart]:
        """List the files that are not in the document: what is no page, no table and no image that a page shows."""
        for path in self._files:
            if not _id_of(path) and path not in self._shown_images:
                yield UnreadPart(path, "", "", "it is no page, and no image that a page shows")

    def _take_text(self, page: _NotionPage) -> bool:
        """Take the text of a page if it can be read and the document has room for it."""
        try:
            text = alone.text_of(self._files[page.path]).replace("\r\n", "\n").replace("\r", "\n")
        except UnreadableSource as problem:
            self._add_unread(page, problem.reason)
            return False
        if page.path.lower().endswith(_TABLE):
            page.text, is_all = _table_text(page, text)
            if not is_all:
                self._add_unread(page, "not all rows and columns of the table are kept")
        elif reason := self._room.reason_against(text):  # before it is read
            self._add_unread(page, reason)
            return False
        else:
            page.text = _page_text(page, text)
        growth = _LONGEST_ADDRESS * _images_in(page.text)
        if reason := self._room.reason_against(page.text, growth):
            self._add_unread(page, reason)
            return False
        self._room.take(page.text, growth)
        return True

    def _address_in_document(self, page: _NotionPage, address: str) -> str | None:
        """Return where a link of a page leads in the document; None for one that is left as it is."""
        if address.startswith(_ADDRESSES):
            anchor = self._anchors.get(_id_at_end(address.partition("?")[0].partition("#")[0]))
            return f"#{anchor}" if anchor else None
        path = path_from(page.path, address.partition("#")[0])
        if path is None or path not in self._files:
            return None
        anchor = self._anchors.get(path) or self._anchors.get(_id_of(path))
        if anchor:
            return f"#{anchor}"
        if not path.lower().endswith(IMAGE_ENDINGS):
            return None
        self._shown_images.add(path)
        return self.images.address(path, self._files[path].content)

    def _add_unread(self, page: _NotionPage, reason: str) -> None:
        self.unread.append(UnreadPart(page.path, "", page.title[:SHOWN], reason))


def _images_in(text: str) -> int:
    """Return how many links may lead to images."""
    lowered = text.lower()
    return sum(lowered.count(f"{ending})") + lowered.count(f"{ending}>)") for ending in IMAGE_ENDINGS)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _is_in(path: str, folders: Container[str]) -> bool:
    """Whether a file lies in one of some folders, or below it."""
    folder = _folder(path)
    while folder:
        if folder in folders:
            return True
        folder = _folder(folder)
    return False


def _is_image_in(path: str, folders: Container[str]) -> bool:
    return path.lower().endswith(IMAGE_ENDINGS) and _folder(path) in folders


def _id_of(path: str) -> str:
    """Return the id in the name of a page or a table; empty for none."""
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    if not dot or f".{ending.lower()}" not in (_PAGE, _TABLE):
        return ""
    return _id_at_end(stem.removesuffix(_WHOLE))


def _id_at_end(text: str) -> str:
    """Return the id that a text ends with; empty for none."""
    found = text[-_ID:]
    return found if len(found) == _ID and _HEX.issuperset(found) else ""


def _pages_in_order(paths: Sequence[str]) -> list[_NotionPage]:
    """Return pages and tables, each before those that stand in it; of two tables with one id the whole one."""
    whole = {path.removesuffix(_WHOLE + _TABLE) + _TABLE for path in paths if path.endswith(_WHOLE + _TABLE)}
    keyed = sorted((_titles(path), path) for path in paths if path not in whole)
    least = min((len(titles) for titles, _ in keyed), default=0)
    return [_NotionPage(path, titles[-1] or "Untitled", len(titles) - least) for titles, path in keyed]


def _page_text(page: _NotionPage, text: str) -> str:
    """Return the text of a page: its title as a heading of its depth, its own headings below."""
    title = min(page.depth + 1, _DEEPEST)
    if not text.startswith("# "):
        text = f"# {page.title}\n\n{text}"
    pieces: list[str] = []
    at = 0
    for number, section in enumerate(outline_of(text).sections):
        marks = "#" * section.level
        if text.startswith(marks, section.start):
            level = title if number == 0 else min(section.level + title, _DEEPEST)
            pieces += [text[at : section.start], "#" * level]
            at = section.start + section.level
    return "".join([*pieces, text[at:]]).rstrip("\n") + "\n"


def _table_text(page: _NotionPage, content: str) -> tuple[str, bool]:
    """Return a table as Markdown, and whether all of it is there."""
    head = f"{'#' * min(page.depth + 1, _DEEPEST)} {page.title}\n"
    reading = csv.reader(io.StringIO(content, newline=""))
    try:
        rows = [row for row in islice(reading, _MAX_ROWS + 1) if row]
        is_all = next(reading, None) is None
    except csv.Error:
        return head, False
    if not rows:
        return head, True
    width = min(max(map(len, rows)), _MAX_COLUMNS)
    is_all = is_all and max(map(len, rows)) <= _MAX_COLUMNS
    lines = [_row(rows[0], width), f"|{'---|' * width}", *(_row(row, width) for row in rows[1:])]
    return "\n".join([head, *lines, ""]), is_all


def _row(row: Sequence[str], width: int) -> str:
    return f"| {' | '.join(_cells(row, width))} |"


def _cells(row: Sequence[str], width: int) -> Iterator[str]:
    for number in range(width):
        cell = " ".join(row[number].split())[:_MAX_CELL] if number < len(row) else ""
        yield _MARKS.sub(r"\\\g<0>", cell)


def _titles(path: str) -> tuple[str, ...]:
    """Return the names of a path without ids."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0].removesuffix(_WHOLE)
    return tuple(_without_id(part) for part in (*folders, stem))


def _without_id(name: str) -> str:
    return (name[:-_ID] if _id_at_end(name) else name).strip(" -_")
