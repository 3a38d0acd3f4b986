"""A part of files that came together beside a workspace that is there: rows, whose operations its caller sends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import orjson

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.images import images_named
from draftsmith.model.readers.reading import SourceFile
from draftsmith.model.readers.registry import READERS
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.imported_diagram import ReadDiagram, add_diagram_rows
from draftsmith.transform.requests.imported_document import add_document_rows
from draftsmith.transform.requests.imported_rows import ImportRowOut, ImportRows
from draftsmith.usecases.upkeep.files_import import read_part
from draftsmith.usecases.upkeep.shapes import UnreadPartOut

_NO_CHANGE: Final = {"op", "id"}
"""The fields of an update that says nothing."""


def open_import(
    files: Sequence[SourceFile], reader: str | None, number: int | None, most: int, workspace: Workspace
) -> bytes:
    """Compare a part of files with a workspace: `OpenImportOut` and the images that its operations name.

    Both come as JSON.

    Args:
        files: what came together.
        reader: the name of the format; None to recognize it.
        number: of the part, from 1; None for the first.
        most: how many operations a batch may have.
        workspace: it is not changed; without its revision in the JSON.

    Raises:
        DraftsmithError: as `read_part`; `limit_operations`.
    """
    part = read_part(files, reader, number)
    rows = ImportRows()
    diagram, document = part.content.get("diagram"), part.content.get("document")
    if diagram is not None:
        add_diagram_rows(rows, ReadDiagram(diagram, part.is_placed), workspace.diagram)
    if document is not None:
        add_document_rows(rows, document["text"], part.content.get("name", ""), workspace.document)
    count = sum(len(row["operations"]) for row in (*rows.new, *rows.changed))
    if count > most:
        message = (
            f"This import would make {count:,} changes, and one batch makes up to {most}. Make a workspace of it, or "
            "import a part of it."
        )
        raise DraftsmithError("limit_operations", message, [Problem(-1, "", "limit_operations", "/files", message)])
    named = images_named(orjson.dumps([*rows.new, *rows.changed])) if part.images else set()
    answer = {
        "reader": part.reader,
        "title": READERS[part.reader].title,
        "part": part.part,
        "parts": part.parts,
        "new": rows.new,
        "changed": rows.changed,
        "missing": rows.missing,
        "unchanged": rows.unchanged,
        "unread": part.unread,
        "unrecognized": part.unrecognized,
    }
    images = {name: image for name, image in part.images.items() if name in named}
    return orjson.dumps([answer, images])


def without_images(rows: Iterable[ImportRowOut], images: Collection[str]) -> Iterator[ImportRowOut]:
    """The rows for a workspace that does not keep some images: nodes come without them, and each row says so.

    Args:
        rows: new or changed.
        images: the names of those that are not kept.
    """
    for row in rows:
        if images_named(orjson.dumps(row["operations"])).isdisjoint(images):
            yield row
        elif row["of"] == "section":
            yield _with_reason(row, "images that it shows are not kept, so nothing is seen in their places")
        else:
            differences = [one for one in row["differences"] if one["field"] != "image"]
            operations = [one for one in map(_without_image, row["operations"]) if one.keys() != _NO_CHANGE]
            found: ImportRowOut = {**row, "differences": differences, "operations": operations}
            yield _with_reason(found, "its image is not kept, so it comes without it")


def _without_image(operation: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in operation.items() if name != "image"}


def _with_reason(row: ImportRowOut, reason: str) -> ImportRowOut:
    return {**row, "reason": f"{row['reason']}; {reason}" if row["reason"] else reason}


def unkept_images(file: str, count: int, error: DraftsmithError) -> UnreadPartOut:
    """What is said of images that could not be put into the workspace."""
    text = "1 image" if count == 1 else f"{count:,} images"
    return {"file": file, "place": "", "text": text, "reason": f"they are not kept: {error.detail.rstrip('.')}"}
