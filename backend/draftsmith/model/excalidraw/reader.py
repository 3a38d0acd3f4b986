"""Excalidraw as a format that is read (`model.readers`): a file is a set by itself, and its scene a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from draftsmith.model.drawio.cells import PageCells
from draftsmith.model.drawio.markup import UnreadableDrawing
from draftsmith.model.drawio.reader import page_of_cells
from draftsmith.model.excalidraw.files import MARK, scene_in
from draftsmith.model.excalidraw.scenes import cells_in
from draftsmith.model.readers.alone import sets_of
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart

__all__ = ["read", "recognizes", "sets_of"]

_LOOKED_AT: Final = 65_536
_OWN_ENDINGS: Final = (".excalidraw", ".excalidraw.json")


def recognizes(file: SourceFile) -> bool:
    """Whether a file is a scene, or an SVG or PNG that carries one."""
    name = file.path.lower()
    if name.endswith(".png"):  # the text may stand behind the pixels
        return file.content.startswith(b"\x89PNG") and MARK in file.content
    head = file.content[:_LOOKED_AT]
    if name.endswith(".svg"):
        return MARK in head
    return name.endswith(_OWN_ENDINGS) or (b'"type"' in head and b'"excalidraw' in head and b'"elements"' in head)


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read a scene.

    Raises:
        UnreadableSource: it is none, or beyond a bound.
    """
    path = sources.root.path
    try:
        page = page_of_cells(PageCells(cells_in(scene_in(sources.root.content))), "", "")
    except UnreadableDrawing as problem:
        raise UnreadableSource(problem.reason, path, problem.line) from None
    unread = [UnreadPart(path, cell.cell, cell.text, cell.reason) for cell in page.unread]
    return [ReadWorkspace("", page.diagram, unread=unread, sources=page.sources, is_placed=True, images=page.images)]
