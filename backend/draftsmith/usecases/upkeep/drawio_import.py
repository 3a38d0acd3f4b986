"""Import of drawings of draw.io: a page as the content of a workspace, and what of it was not taken over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.drawio.format_reader import name_of
from draftsmith.model.drawio.reader import DrawioPage, PageSource, UnreadableDrawing, UnreadCellOut, pages_of, read_page
from draftsmith.model.readers.images import exported_images
from draftsmith.model.shapes import ExportedImageOut
from draftsmith.model.workspace import Workspace, WorkspaceContent

_MAX_WARNINGS: Final = 100
_MAX_NAMED: Final = 20  # pages that a message names


@dataclass(frozen=True, slots=True)
class ImportedPage:
    """A page of a drawing that was read.

    Attributes:
        content: the export form.
        unread: the shapes and lines that are not in it.
        page: its number in the file, from 1.
        pages: the names of all pages of the file.
        images: those that its nodes show, by their SHA-256.
    """

    content: WorkspaceContent
    unread: Sequence[UnreadCellOut]
    page: int
    pages: Sequence[str]
    images: Mapping[str, ExportedImageOut]


def drawing_pages(content: str | bytes) -> Sequence[PageSource]:
    """The pages of a drawing: the bytes of a file, or its text, which for a PNG is base 64.

    Raises:
        DraftsmithError: `drawio_unread`, if it is no drawing of draw.io or is beyond a bound.
    """
    try:
        return pages_of(content)
    except UnreadableDrawing as problem:
        raise _nothing_read(problem) from None


def read_drawing(content: str | bytes, page: int | None = None) -> ImportedPage:
    """Read a page of a drawing, the first one by itself.

    Raises:
        DraftsmithError: `drawio_unread` as `drawing_pages`; what `read_drawing_page` raises.
    """
    return read_drawing_page(drawing_pages(content), page or 1)


def read_drawing_page(sources: Sequence[PageSource], number: int) -> ImportedPage:
    """Read one of the pages of a drawing, counted from 1.

    Raises:
        DraftsmithError: `drawio_unread`, for a page that cannot be read; `page_unknown`.
    """
    if number > len(sources):
        counted = "1 page" if len(sources) == 1 else f"{len(sources)} pages"
        message = f"The file has {counted}, so there is no page {number}. Nothing was created."
        candidates = tuple(str(one) for one in range(1, len(sources) + 1))[:_MAX_NAMED]
        raise DraftsmithError("page_unknown", message, [Problem(-1, "", "page_unknown", "/page", message, candidates)])
    try:
        found = read_page(sources[number - 1])
    except UnreadableDrawing as problem:
        raise _nothing_read(problem) from None
    unread = [cell.to_json() for cell in found.unread]
    content = _content(found, is_one_of_several=len(sources) > 1)
    return ImportedPage(content, unread, number, [source.name for source in sources], exported_images(found.images))


def read_drawing_apart(content: str, page: int | None, _: Workspace) -> bytes:
    """`read_drawing` as JSON, for another process."""
    found = read_drawing(content, page)
    return orjson.dumps([found.content, found.unread, found.page, found.pages, found.images])


def drawing_warnings(drawing: ImportedPage, path: str, *, is_one_asked_for: bool) -> list[Problem]:
    """The warnings about pages and shapes that were not taken over, up to 100 shapes.

    Args:
        drawing: as read.
        path: where in the body the file stands.
        is_one_asked_for: a page was named, so that the others were left on purpose.
    """
    warnings = [Problem(-1, "", "shape_unread", path, not_taken_over(cell)) for cell in drawing.unread[:_MAX_WARNINGS]]
    others = [f"{number}" for number in range(1, len(drawing.pages) + 1) if number != drawing.page]
    if others and not is_one_asked_for:
        named = [f"{number} “{drawing.pages[int(number) - 1]}”" for number in others[:_MAX_NAMED]]
        more = " and more" if len(others) > _MAX_NAMED else ""
        message = (
            f"The file has {len(drawing.pages)} pages, and page {drawing.page} was taken. The others: "
            f"{', '.join(named)}{more}."
        )
        warnings.insert(0, Problem(-1, "", "pages_left", path, message, tuple(others)))
    return warnings


def not_taken_over(cell: UnreadCellOut) -> str:
    """What is said of a shape or line that was not taken over."""
    quoted = f" “{cell['text']}”" if cell["text"] else ""
    return f"Shape {cell['cell'] or '…'} was not taken over: {cell['reason']}.{quoted}"


def _content(page: DrawioPage, *, is_one_of_several: bool) -> WorkspaceContent:
    content: WorkspaceContent = {"diagram": page.diagram}
    name = name_of(page, is_one_of_several=is_one_of_several)
    if name:
        content["name"] = name
    return content


def _nothing_read(problem: UnreadableDrawing) -> DraftsmithError:
    message = f"This drawing cannot be read: {problem.reason}."
    refusal = Problem(-1, "", "drawio_unread", "/content", message)
    return DraftsmithError(refusal.code, f"{message} Nothing was created.", [refusal], {"line": problem.line})
