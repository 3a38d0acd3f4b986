"""A workspace as one ZIP archive: every format that it is written in, pictures of its diagram, and its images.

What is written and drawn is made first, so that a refusal is an answer; then the archive is given piece by piece, an
image at a time. What could not be made is named in it. Not here: formats (`import_export`), pictures (`pictures`).
"""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Final

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.model.formats import Format
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import address_of, images_named
from draftsmith.model.workspace import Workspace
from draftsmith.ports import Clock
from draftsmith.ports.blobs import StoredImage
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.upkeep.images import Images
from draftsmith.usecases.upkeep.import_export import WRITERS
from draftsmith.usecases.upkeep.pictures import PictureOptions, Pictures

NAMES: Final[Mapping[Format, str]] = {
    "json": "workspace.json",
    "markdown": "document.md",
    "mermaid": "diagram.mmd",
    "drawio": "diagram.drawio",
    "dot": "diagram.dot",
    "structurizr": "workspace.dsl",
    "text": "diagram.txt",
}
"""What the file of each format is called in an archive."""
PICTURES: Final[Mapping[str, PictureOptions]] = {
    "diagram.svg": PictureOptions("svg"),
    "diagram.png": PictureOptions("png"),
}
"""What the pictures are called; the PNG is smaller where it would be too large."""
LEFT_OUT: Final = "left-out.txt"
_MOST_SIDE: Final = 6_000


@dataclass(frozen=True, slots=True)
class Archives:
    """What makes archives on one worker; without `pictures` they have none."""

    workspaces: Workspaces
    images: Images
    pictures: Pictures | None
    clock: Clock

    async def archive(self, workspace_id: WorkspaceId) -> AsyncIterator[bytes]:
        """A workspace as an archive, piece by piece.

        Raises:
            DraftsmithError: `busy`, `storage_down`, before the first piece.
        """
        _, content = await self.workspaces.compute(workspace_id, _files_json)
        files = {name: text.encode() for name, text in orjson.loads(content).items()}
        left_out: dict[str, str] = {}
        if NAMES["mermaid"] in files:
            for name, options in PICTURES.items():
                try:
                    files[name] = await self._picture(workspace_id, options)
                except DraftsmithError as error:
                    left_out[name] = error.detail
        day = datetime.fromtimestamp(self.clock.now_ms() / 1000, UTC)
        return zip_pieces(files, left_out, self.images, workspace_id, day)

    async def _picture(self, workspace_id: WorkspaceId, options: PictureOptions) -> bytes:
        if self.pictures is None:
            raise DraftsmithError("pictures_unavailable", "this server draws no pictures")
        if options.form == "png":
            scale, _, _ = await self.pictures.size_within(workspace_id, options, _MOST_SIDE, _MOST_SIDE)
            options = PictureOptions("png", scale=scale)
        tag = await self.pictures.tag(workspace_id, options)
        return (await self.pictures.picture(workspace_id, tag, options)).content


def files_of(workspace: Workspace) -> dict[str, bytes]:
    """What is written of a workspace by the names of its files; nothing of a part that is empty, but for JSON."""
    has_part = {"json": True, "markdown": bool(workspace.document.text.strip())}
    wanted = [form for form in NAMES if has_part.get(form, workspace.diagram.node_count > 0)]
    return {NAMES[form]: WRITERS[form].file(workspace) for form in wanted}


def _files_json(workspace: Workspace) -> bytes:
    """The same as JSON, for another process."""
    return orjson.dumps({name: content.decode() for name, content in files_of(workspace).items()})


async def zip_pieces(
    files: Mapping[str, bytes], left_out: Mapping[str, str], images: Images, workspace_id: WorkspaceId, day: datetime
) -> AsyncIterator[bytes]:
    """An archive of files and of the images that they name, piece by piece.

    Args:
        files: by name.
        left_out: why something is not among them, by its name.
        images: where the images of the workspace are.
        workspace_id: whose they are.
        day: of the files.
    """
    writing = _ArchiveWriting(day)
    for name, content in files.items():
        await asyncio.to_thread(writing.add, name, content)
        yield writing.take()
    missing = dict(left_out)
    named = images_named(files[NAMES["json"]])
    for image in await images.all(workspace_id) if named else ():
        if image.sha256 not in named:
            continue
        address = address_of(image.sha256, image.type)
        try:
            chunks = await images.chunks(workspace_id, image)
        except DraftsmithError as error:
            if error.code != "image_not_found":
                raise
            missing[address] = "it was removed a moment ago"
            continue
        async for piece in _stored_image(writing, address, image, chunks):
            yield piece
    if missing:
        writing.add(LEFT_OUT, "".join(f"{name}: {why}\n" for name, why in missing.items()).encode())
    writing.close()
    yield writing.take()


async def _stored_image(
    writing: _ArchiveWriting, address: str, image: StoredImage, chunks: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    """An image as it is, since images are packed already."""
    with writing.open(address, image.size) as file:
        async for chunk in chunks:
            file.write(chunk)
            yield writing.take()
    yield writing.take()


class _ArchiveWriting:
    """Writes an archive into memory, from where it is taken as it grows."""

    def __init__(self, day: datetime) -> None:
        self._sink = _Sink()
        self._archive = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED)
        self._day = max(day, datetime(1980, 1, 1, tzinfo=UTC)).timetuple()[:6]

    def add(self, name: str, content: bytes) -> None:
        """Add a file, packed."""
        self._archive.writestr(self._entry(name, zipfile.ZIP_DEFLATED), content)

    def open(self, name: str, size: int) -> IO[bytes]:
        """Begin a file of a size that is added as it is."""
        entry = self._entry(name, zipfile.ZIP_STORED)
        entry.file_size = size
        return self._archive.open(entry, "w")

    def take(self) -> bytes:
        """What has been written since it was taken last."""
        return self._sink.take()

    def close(self) -> None:
        """Write the list of files at the end."""
        self._archive.close()

    def _entry(self, name: str, kind: int) -> zipfile.ZipInfo:
        year, month, day, hour, minute, second = self._day
        entry = zipfile.ZipInfo(name, (year, month, day, hour, minute, second))
        entry.compress_type = kind
        entry.external_attr = 0o644 << 16
        return entry


class _Sink:
    """Where an archive is written to: it has no places to go back to, so that nothing written is needed again."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, content: bytes) -> int:
        """Keep a part until it is taken."""
        self._parts.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        """Do nothing: parts are there at once."""

    def close(self) -> None:
        """Do nothing: what was not taken yet still can be."""

    def take(self) -> bytes:
        """All parts since the last time."""
        taken, self._parts = b"".join(self._parts), []
        return taken
