"""Where the bytes of images are: beside the log, by workspace and by the SHA-256 of their content.

Every method raises `StorageError` (`storage_down`, `storage_full`) where the storage does not do its work. What `put`
has answered is on disk. Names are given by `usecases.upkeep.images`, which has checked them; an adapter takes nothing
else for a name. One contract suite (`tests/contracts/test_blobs.py`) runs on every adapter.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import ImageType

PutOutcome = Literal["new", "there", "no_room"]


@dataclass(frozen=True, slots=True)
class StoredImage:
    """An image that is there: its name, its type, its length in bytes, and when it was put last."""

    sha256: str
    type: ImageType
    size: int
    put_ms: int


def outcome_of(images: Iterable[StoredImage], sha256: str, size: int, *, most: int, most_bytes: int) -> PutOutcome:
    """What putting an image of `size` bytes comes to, beside the images that its workspace has; see `Blobs.put`."""
    others = {image.sha256: image.size for image in images}
    if others.pop(sha256, None) == size:
        return "there"
    is_too_much = len(others) >= most or sum(others.values()) + size > most_bytes
    return "no_room" if is_too_much else "new"


class Blobs(Protocol):
    """The bytes of images."""

    async def put(
        self, workspace_id: WorkspaceId, sha256: str, kind: ImageType, content: bytes, *, most: int, most_bytes: int
    ) -> PutOutcome:
        """Keep an image; what is there already was put now.

        `no_room`: with it the workspace would have more than `most` images, or more than `most_bytes` of them.
        """
        ...

    async def find(self, workspace_id: WorkspaceId, sha256: str) -> StoredImage | None:
        """One image; None if it is not there."""
        ...

    async def chunks(self, workspace_id: WorkspaceId, image: StoredImage) -> AsyncIterator[bytes]:
        """The bytes of an image, piece by piece; it is open when this returns, so that its removal cuts nothing off.

        Raises:
            DraftsmithError: `image_not_found`.
        """
        ...

    async def all(self, workspace_id: WorkspaceId) -> list[StoredImage]:
        """The images of a workspace, in no order; none for a workspace that has none."""
        ...

    async def workspaces(self) -> list[WorkspaceId]:
        """The workspaces for which anything is there, in no order."""
        ...

    async def remove(self, workspace_id: WorkspaceId, sha256: str, *, unless_put_after_ms: int) -> bool:
        """Remove an image, unless it was put after this moment; whether it went."""
        ...

    async def remove_all(self, workspace_id: WorkspaceId) -> None:
        """Remove everything of a workspace."""
        ...

    async def unnamed_since(self, workspace_id: WorkspaceId) -> Mapping[str, int]:
        """Since when nothing names an image, milliseconds since 1970, as `note_unnamed` was told last."""
        ...

    async def note_unnamed(self, workspace_id: WorkspaceId, since: Mapping[str, int]) -> None:
        """Note since when nothing names some images."""
        ...

    async def check(self) -> str:
        """Try to write, read and remove something; where the images are, in words for the operator."""
        ...

    async def close(self) -> None:
        """Let go of connections and threads."""
        ...
