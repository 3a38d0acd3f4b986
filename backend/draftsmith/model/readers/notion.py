"""Notion as a format that is read (`model.readers`): which files are an export, and the document that they become."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from draftsmith.model.markdown.sections import outline_of
from draftsmith.model.markdown_import import ImportedMarkdown, from_markdown
from draftsmith.model.notion.pages import TABLE, NotionPage, id_at_end, id_of, in_order, page_text, table_text
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


def recognizes(file: SourceFile) -> bool:
    """Whether a file is called as Notion calls pages and tables, or is a zip of such files."""
    if is_zip(file):
        names = names_in(file)[:_LOOKED_AT]
        return any(id_of(name) or _PART.fullmatch(name.rpartition("/")[2]) for name in names)
    return bool(id_of(file.path))


def sets_of(files: Sequence[SourceFile]) -> Sequence[SourceSet]:
    """Each zip is a set; pages and tables beside it are one, with what lies in their folders."""
    zips = [SourceSet(file, {file.path: file}) for file in files if is_zip(file)]
    pages = [file for file in files if id_of(file.path) and not is_zip(file)]
    if not pages:
        return zips
    beside = {_folder(file.path) for file in pages}
    below = {file.path.rpartition(".")[0] for file in pages}
    around = {
        file.path: file
        for file in files
        if not is_zip(file) and (id_of(file.path) or _is_in(file.path, below) or _is_image_in(file.path, beside))
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
    pages = in_order([path for path in files if id_of(path)])
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

    def document(self, pages: Sequence[NotionPage]) -> str:
        """All pages, as far as there is room."""
        kept = [page for page in pages if self._take_text(page)]
        if any("](" in page.text for page in kept):
            self._find_anchors(kept)
        return "\n".join(lead_links(page.text, partial(self._aim, page)) for page in kept)

    def _find_anchors(self, pages: Sequence[NotionPage]) -> None:
        """Find the addresses that the headings of pages will have in the document, by path and by id."""
        starts: dict[int, NotionPage] = {}
        at = 0
        for page in pages:
            starts[at] = page
            at += len(page.text) + 1
        outline = outline_of("\n".join(page.text for page in pages))
        for section, anchor in zip(outline.sections, outline.anchors.of_sections, strict=True):
            if section.start in starts and anchor:
                path = starts[section.start].path
                self._anchors[path] = self._anchors[id_of(path)] = anchor

    def unused_files(self) -> Iterator[UnreadPart]:
        """The files that are in no document: whatever is no page, no table and no image that a page shows."""
        for path in self._files:
            if not id_of(path) and path not in self._shown_images:
                yield UnreadPart(path, "", "", "it is no page, and no image that a page shows")

    def _take_text(self, page: NotionPage) -> bool:
        """Take the text of a page if it can be read and the document has room for it."""
        try:
            text = alone.text_of(self._files[page.path]).replace("\r\n", "\n").replace("\r", "\n")
        except UnreadableSource as problem:
            self._list(page, problem.reason)
            return False
        if page.path.lower().endswith(TABLE):
            page.text, is_all = table_text(page, text)
            if not is_all:
                self._list(page, "not all rows and columns of the table are kept")
        elif reason := self._room.reason_against(text):  # before it is read
            self._list(page, reason)
            return False
        else:
            page.text = page_text(page, text)
        growth = _LONGEST_ADDRESS * _images_in(page.text)
        if reason := self._room.reason_against(page.text, growth):
            self._list(page, reason)
            return False
        self._room.take(page.text, growth)
        return True

    def _aim(self, page: NotionPage, address: str) -> str | None:
        """Where a link of a page leads in the document; None for one that stays."""
        if address.startswith(_ADDRESSES):
            anchor = self._anchors.get(id_at_end(address.partition("?")[0].partition("#")[0]))
            return f"#{anchor}" if anchor else None
        path = path_from(page.path, address.partition("#")[0])
        if path is None or path not in self._files:
            return None
        anchor = self._anchors.get(path) or self._anchors.get(id_of(path))
        if anchor:
            return f"#{anchor}"
        if not path.lower().endswith(IMAGE_ENDINGS):
            return None
        self._shown_images.add(path)
        return self.images.address(path, self._files[path].content)

    def _list(self, page: NotionPage, reason: str) -> None:
        self.unread.append(UnreadPart(page.path, "", page.title[:SHOWN], reason))


def _images_in(text: str) -> int:
    """How many links may lead to images."""
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
