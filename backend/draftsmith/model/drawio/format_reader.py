"""Draw.io as a format that is read (`model.readers`): a file is a set by itself, and each of its pages a workspace."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from draftsmith.model.drawio.reader import DrawioPage, PageSource, UnreadableDrawing, pages_of, read_page
from draftsmith.model.readers.alone import sets_of
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart

__all__ = ["name_of", "read", "recognizes", "sets_of"]

_LOOKED_AT: Final = 65_536
_MARKS_OF_A_DRAWING: Final = (b"mxfile", b"mxGraphModel")
_OWN_ENDINGS: Final = (".drawio", ".dio")
_USUAL_NAME = re.compile(r"Page-\d+")


def recognizes(file: SourceFile) -> bool:
    """Whether a file is a drawing, or an SVG or PNG that carries one."""
    name = file.path.lower()
    if name.endswith(".png"):  # the text may stand behind the pixels
        return file.content.startswith(b"\x89PNG") and any(mark in file.content for mark in _MARKS_OF_A_DRAWING)
    head = file.content[:_LOOKED_AT]
    return name.endswith(_OWN_ENDINGS) or any(mark in head for mark in _MARKS_OF_A_DRAWING)


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read every page; one that cannot be read is listed with the first.

    Raises:
        UnreadableSource: it is no drawing, or none of its pages can be read.
    """
    path = sources.root.path
    try:
        pages = pages_of(sources.root.content)
    except UnreadableDrawing as problem:
        raise UnreadableSource(problem.reason, path, problem.line) from None
    found: list[ReadWorkspace] = []
    broken: list[UnreadPart] = []
    line: int | None = None
    for page in pages:
        try:
            found.append(_workspace(page, path, is_one_of_several=len(pages) > 1))
        except UnreadableDrawing as problem:
            line = line or problem.line
            broken.append(UnreadPart(path, f"page {page.name}", "", problem.reason))
    if not found:
        raise UnreadableSource(broken[0].reason, path, line)
    return [replace(found[0], unread=[*broken, *found[0].unread]), *found[1:]]


def name_of(page: DrawioPage, *, is_one_of_several: bool) -> str:
    """What a page is called; empty where draw.io has named the only one."""
    return page.name if is_one_of_several or not _USUAL_NAME.fullmatch(page.name) else ""


def _workspace(source: PageSource, path: str, *, is_one_of_several: bool) -> ReadWorkspace:
    page = read_page(source)
    return ReadWorkspace(
        name=name_of(page, is_one_of_several=is_one_of_several),
        diagram=page.diagram,
        unread=[UnreadPart(path, cell.cell, cell.text, cell.reason) for cell in page.unread],
        sources=page.sources,
        is_placed=True,
        images=page.images,
    )
