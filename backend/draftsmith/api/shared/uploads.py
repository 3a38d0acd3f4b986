"""Files that come in a body: their paths made clean, their bytes decoded, every fault with its place."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from draftsmith.api.context import Context
from draftsmith.api.forms.schemas import SentFile
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.readers.reading import SourceFile, UnreadableSource
from draftsmith.model.readers.registry import clean_path
from draftsmith.usecases.requests.client import current_client
from draftsmith.usecases.requests.costs import CHARACTERS

_MAX_PROBLEMS = 50
# What a few bytes may be unpacked from: zips, PNG and SVG with a drawing in them, drawings of draw.io, also in UTF-16.
_PACKED = (b"PK\x03\x04", b"\x89PNG", b"<svg", b":svg", b"mxfile", b"<diagram", b"\xff\xfe", b"\xfe\xff")


def source_files(files: Sequence[SentFile]) -> tuple[SourceFile, ...]:
    """Files as readers get them.

    Raises:
        DraftsmithError: `invalid_request`, for paths that lead out or are there twice, and for what is no base 64; the
            places of its problems begin with `/files`.
    """
    found: dict[str, SourceFile] = {}
    problems: list[Problem] = []
    for number, file in enumerate(files):
        try:
            path = clean_path(file.path)
        except UnreadableSource as error:
            problems.append(_problem(number, "path", error.reason))
            continue
        content = _content_of(file)
        if path in found:
            problems.append(_problem(number, "path", "another file has the same path"))
        elif content is None:
            problems.append(_problem(number, "content_base64", "give content, or content_base64 in base 64"))
        else:
            found[path] = SourceFile(path, content)
    if problems:
        raise DraftsmithError("invalid_request", f"{problems[0].message} Nothing was read.", problems[:_MAX_PROBLEMS])
    return tuple(found.values())


async def with_charts(
    context: Context, files: Sequence[SourceFile], reader: str | None, root: str | None = None
) -> tuple[SourceFile, ...]:
    """The same files, charts of Mermaid with what its own parsers say, where there are any; with a root, that alone.

    Raises:
        DraftsmithError: `busy`.
    """
    if context.charts is None:
        return tuple(files)
    return await context.charts.parse(files, reader, current_client(), root)


def are_large(files: Sequence[SourceFile]) -> bool:
    """Whether reading them may take long, so that another process does it; of what is packed it always may."""
    if sum(len(file.content) + len(file.parsed) for file in files) > CHARACTERS // 2:
        return True
    return any(mark in file.content for file in files for mark in _PACKED)


def _content_of(file: SentFile) -> bytes | None:
    """The bytes of a file; None where there are none or two, or no base 64."""
    if (file.content is None) == (file.content_base64 is None):
        return None
    if file.content_base64 is None:
        return (file.content or "").encode()
    try:
        return base64.b64decode(file.content_base64, validate=True)
    except (binascii.Error, ValueError):
        return None


def _problem(number: int, field: str, reason: str) -> Problem:
    return Problem(-1, "", "field_invalid", f"/files/{number}/{field}", f"File {number + 1}: {reason}.")
