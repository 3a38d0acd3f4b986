"""Images of workspaces: what is put is checked by its bytes alone, and kept beside the log.

Nothing is decoded: the hash, the header and the order of blocks are read, in a thread. Not here: which images stay
(`kept_images`), and the edit by which a document refers to one, which is an edit as any other.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field, replace

import orjson

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import (
    IMAGE_TYPES,
    ImageHeader,
    ImageLimits,
    ImageUnread,
    images_named,
    is_sha256,
    read_header,
)
from draftsmith.model.shapes import ExportedImageOut
from draftsmith.ports.blobs import Blobs, StoredImage

_TYPES = ", ".join(IMAGE_TYPES)


@dataclass(frozen=True, slots=True)
class PutImage:
    """An image that was put: what its header says, and whether it is new."""

    header: ImageHeader
    is_new: bool


@dataclass
class Images:
    """The images of an installation."""

    blobs: Blobs
    limits: ImageLimits = field(default_factory=ImageLimits)

    async def put(self, workspace_id: WorkspaceId, sha256: str, declared: str, content: bytes) -> PutImage:
        """Keep an image that is what it says it is; on disk when this returns.

        Args:
            workspace_id: a workspace that exists.
            sha256: the SHA-256 that its bytes are to have, in hex.
            declared: the media type that its bytes are to be of.
            content: its bytes.

        Raises:
            DraftsmithError: `image_refused`, with every reason; `quota_reached`; `storage_down` or `storage_full`.
        """
        header = await asyncio.to_thread(_checked_header, sha256, declared, content, self.limits)
        limits = self.limits
        outcome = await self.blobs.put(
            workspace_id, sha256, header.type, content, most=limits.count, most_bytes=limits.all_bytes
        )
        if outcome == "no_room":
            message = (
                f"With this image the workspace would have more than {limits.all_bytes:,} bytes of images, or more "
                f"than {limits.count:,} of them. Images that nothing kept names any more go after a day."
            )
            raise DraftsmithError("quota_reached", message)
        return PutImage(header, outcome == "new")

    async def find(self, workspace_id: WorkspaceId, sha256: str) -> StoredImage:
        """One image.

        Raises:
            DraftsmithError: `image_not_found`.
        """
        image = await self.blobs.find(workspace_id, sha256) if is_sha256(sha256) else None
        if image is None:
            raise DraftsmithError("image_not_found", "This workspace has no such image.")
        return image

    async def chunks(self, workspace_id: WorkspaceId, image: StoredImage) -> AsyncIterator[bytes]:
        """The bytes of an image, piece by piece.

        Raises:
            DraftsmithError: `image_not_found`, if it has gone since.
        """
        return await self.blobs.chunks(workspace_id, image)

    async def read(self, workspace_id: WorkspaceId, image: StoredImage) -> bytes:
        """The bytes of an image.

        Raises:
            DraftsmithError: as `chunks`.
        """
        return b"".join([piece async for piece in await self.chunks(workspace_id, image)])

    async def all(self, workspace_id: WorkspaceId) -> list[StoredImage]:
        """The images of a workspace, by name."""
        return sorted(await self.blobs.all(workspace_id), key=lambda image: image.sha256)

    async def export(self, workspace_id: WorkspaceId, content: bytes) -> AsyncIterator[bytes]:
        """An export in JSON, with the images that it names as a further member, where there are any; piece by piece."""
        named = images_named(content)
        images = [image for image in await self.all(workspace_id) if image.sha256 in named] if named else []
        whole, end = content.rstrip(), b""
        yield whole[:-1]
        for image in images:
            try:
                data = base64.b64encode(await self.read(workspace_id, image))
            except DraftsmithError as error:
                if error.code != "image_not_found":  # else it was removed a moment ago
                    raise
                continue
            begin = b"," if end else b',"images":{'
            yield begin + orjson.dumps(image.sha256) + b':{"type":' + orjson.dumps(image.type) + b',"data":"'
            yield data
            yield b'"}'
            end = b"}"
        yield end + whole[-1:] + content[len(whole) :]

    async def put_exported(self, workspace_id: WorkspaceId, images: Mapping[str, ExportedImageOut]) -> None:
        """Put the images of an export.

        Raises:
            DraftsmithError: as `put`; the paths of problems lead into `images`.
        """
        for sha256, image in images.items():
            try:
                content = base64.b64decode(image["data"], validate=True)
            except ValueError:
                content = b""  # which is no image, as is said then
            try:
                await self.put(workspace_id, sha256, image["type"], content)
            except DraftsmithError as error:
                problems = [replace(problem, path=f"/{sha256}") for problem in error.problems]
                raise DraftsmithError(error.code, error.detail, problems, error.extra) from None

    async def copy(self, source: WorkspaceId, target: WorkspaceId, names: Iterable[str]) -> None:
        """Put some images of a workspace into another; those that are not there are passed over."""
        wanted = set(names)
        if not wanted:
            return
        for image in await self.blobs.all(source):
            if image.sha256 in wanted:
                content = await self.read(source, image)
                limits = self.limits
                await self.blobs.put(
                    target, image.sha256, image.type, content, most=limits.count, most_bytes=limits.all_bytes
                )


def _checked_header(sha256: str, declared: str, content: bytes, limits: ImageLimits) -> ImageHeader:
    """What the header says, if everything agrees."""
    reasons = []
    if len(content) > limits.bytes:
        message = f"An image may have {limits.bytes:,} bytes, this one has {len(content):,}."
        reasons.append(Problem(-1, "", "image_too_large", "", message))
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        message = f"The SHA-256 of these bytes is {found}; put them to …/images/{found}."
        reasons.append(Problem(-1, "", "hash_differs", "/sha256", message, (found,)))
    header = None
    try:
        header = read_header(content)
    except ImageUnread as why:
        message = f"This is no image that is taken ({_TYPES}): {why}."
        reasons.append(Problem(-1, "", "image_unread", "", message))
    if header is not None and header.type != declared:
        message = f"These bytes are {header.type}; send that as Content-Type."
        reasons.append(Problem(-1, "", "type_differs", "/content-type", message, (header.type,)))
    if header is not None and not all(1 <= side <= limits.side for side in (header.width, header.height)):
        message = f"It says {header.width:,} × {header.height:,} pixels; each side may have 1 to {limits.side:,}."
        reasons.append(Problem(-1, "", "image_too_large", "", message))
    if header is None or reasons:
        raise DraftsmithError("image_refused", f"{reasons[0].message} Nothing was kept.", reasons)
    return header
