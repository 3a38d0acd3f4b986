"""Images of files that were read, under the names by which documents and nodes refer to them."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote_to_bytes

from draftsmith.model.images import ENDINGS, TYPES_BY_ENDING, ImageLimits, ImageUnread, read_header
from draftsmith.model.readers.reading import UnreadPart
from draftsmith.model.shapes import ExportedImageOut

IMAGE_ENDINGS: Final = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
_LIMITS: Final = ImageLimits(all_bytes=30_000_000)
"""Images are packed already, so a request carries no more; what unpacks to more is no upload of a person."""


class KeptImages:
    """The images of one workspace, as many as it has room for.

    Attributes:
        images: bytes by name, `{sha256}.{ext}`.
        unread: those of files that are not kept.
    """

    def __init__(self, limits: ImageLimits = _LIMITS) -> None:
        self._limits = limits
        self.images: dict[str, bytes] = {}
        self.unread: list[UnreadPart] = []
        self._addresses: dict[str, str | None] = {}
        self._bytes = 0

    def address(self, path: str, content: bytes) -> str | None:
        """Keep the image of a file, and say how a text refers to it; None if it is not kept, which is listed once."""
        if path not in self._addresses:
            try:
                self._addresses[path] = self.address_of(content)
            except ImageUnread as problem:
                self._addresses[path] = None
                self.unread.append(UnreadPart(path, "", "", str(problem)))
        return self._addresses[path]

    def address_of(self, content: bytes) -> str:
        """Keep an image, and say how a text refers to it.

        Raises:
            ImageUnread: it is none, or there is no room for it.
        """
        limits = self._limits
        if len(content) > limits.bytes:
            raise ImageUnread(f"it has more than {limits.bytes:,} bytes")
        header = read_header(content)
        if max(header.width, header.height) > limits.side:
            raise ImageUnread(f"it is more than {limits.side:,} pixels wide or high")
        name = f"{hashlib.sha256(content).hexdigest()}.{ENDINGS[header.type]}"
        if name not in self.images:
            if len(self.images) == limits.count or self._bytes + len(content) > limits.all_bytes:
                raise ImageUnread(f"there is no room for more images, of which {limits.all_bytes:,} bytes are kept")
            self._bytes += len(content)
            self.images[name] = content
        return f"images/{name}"


def embedded_content(address: str) -> bytes:
    """The bytes in a `data:` address: in base 64, also where it does not say so, as in draw.io; else of its characters.

    Raises:
        ImageUnread: it is no such address, or breaks off.
    """
    head, comma, data = address.partition(",")
    if not head.startswith("data:") or not comma:
        raise ImageUnread("its address is cut off")
    if data[:3].upper() == "%3C" or data[:1] == "<":
        return unquote_to_bytes(data)
    try:
        return base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        raise ImageUnread("it is no base 64") from None


def exported_images(found: Mapping[str, bytes]) -> dict[str, ExportedImageOut]:
    """Images as an export has them, by their SHA-256."""
    images: dict[str, ExportedImageOut] = {}
    for name, content in found.items():
        sha256, _, ending = name.rpartition(".")
        images[sha256] = {"type": TYPES_BY_ENDING[ending], "data": base64.b64encode(content).decode()}
    return images
