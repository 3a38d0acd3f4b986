"""Images of files that were read, under the names by which documents refer to them."""

from __future__ import annotations

import hashlib
from typing import Final

from draftsmith.model.images import ENDINGS, ImageLimits, ImageUnread, read_header
from draftsmith.model.readers.reading import UnreadPart

IMAGE_ENDINGS: Final = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
MAX_BYTES: Final = 30_000_000
"""Of all images of a workspace that is read: they are packed already, and a request carries no more."""


class KeptImages:
    """The images of one workspace, as many as it has room for.

    Attributes:
        images: bytes by name, `{sha256}.{ext}`.
        unread: those that are not kept.
    """

    def __init__(self) -> None:
        self.images: dict[str, bytes] = {}
        self.unread: list[UnreadPart] = []
        self._limits = ImageLimits()
        self._names: dict[str, str] = {}
        self._bytes = 0

    def address(self, path: str, content: bytes) -> str | None:
        """Keep an image, and say how a document refers to it; None if it is not kept, which is listed once."""
        if path not in self._names:
            self._names[path] = self._keep(path, content)
        return f"images/{self._names[path]}" if self._names[path] else None

    def _keep(self, path: str, content: bytes) -> str:
        try:
            name = self._name_of(content)
        except ImageUnread as problem:
            self.unread.append(UnreadPart(path, "", "", str(problem)))
            return ""
        self.images[name] = content
        return name

    def _name_of(self, content: bytes) -> str:
        limits = self._limits
        if len(content) > limits.bytes:
            raise ImageUnread(f"it has more than {limits.bytes:,} bytes")
        header = read_header(content)
        if max(header.width, header.height) > limits.side:
            raise ImageUnread(f"it is more than {limits.side:,} pixels wide or high")
        name = f"{hashlib.sha256(content).hexdigest()}.{ENDINGS[header.type]}"
        if name not in self.images:
            if len(self.images) == limits.count:
                raise ImageUnread("a workspace has no room for more images")
            if self._bytes + len(content) > MAX_BYTES:
                raise ImageUnread(f"an import keeps {MAX_BYTES:,} bytes of images, and with it there would be more")
            self._bytes += len(content)
        return name
