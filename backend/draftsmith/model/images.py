"""Images that a document or a node refers to: their addresses, their five formats, and what their headers say.

An image is named by the SHA-256 of its bytes, so it never changes. A text refers to it by `images/{sha256}.{ext}`. Only
headers and the order of blocks are read here; nothing is ever decoded. SVG is read as XML without entities, within
bounds, for its size alone: what else is in it is for whoever shows it. Not here: where the bytes are
(`ports.blobs`).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NoReturn, get_args
from xml.parsers import expat

ImageType = Literal["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"]
IMAGE_TYPES: Final[tuple[ImageType, ...]] = get_args(ImageType)
ENDINGS: Final[Mapping[ImageType, str]] = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/svg+xml": "svg",
}
"""Extensions of file names by media type."""
TYPES_BY_ENDING: Final[Mapping[str, ImageType]] = {ending: kind for kind, ending in ENDINGS.items()}

ADDRESS: Final = re.compile(r"images/([0-9a-f]{64})\.(png|jpg|gif|webp|svg)")
"""How a text refers to an image."""
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_NAMED: Final = re.compile(rb"images/([0-9a-f]{64})(?![0-9a-f])")

_MAX_BLOCKS: Final = 200_000
"""Chunks, segments or elements of a file; more are read by nobody, and would take long."""
_MAX_DEPTH: Final = 200
_PIXELS: Final[Mapping[str, float]] = {
    "": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "em": 16.0, "ex": 8.0
}  # fmt: skip
_LENGTH: Final = re.compile(r"\+?(\d{0,12}\.?\d{1,12}(?:[eE][+-]?\d{1,2})?)\.?([a-z]{0,2})")
_SVG: Final = "http://www.w3.org/2000/svg svg"
_SVG_SIZE: Final = (300, 150)
"""What browsers give an SVG that does not say its size."""
_STARTS_OF_XML: Final = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<", b"\xfe\xff\x00<")


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """How much images may take.

    Attributes:
        bytes: of one image.
        side: its width or height in pixels, as its header says.
        all_bytes: of all images of a workspace.
        count: images of a workspace.
    """

    bytes: int = 10_000_000
    side: int = 16_384
    all_bytes: int = 200_000_000
    count: int = 2_000


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """What the header of an image says; sides in pixels."""

    type: ImageType
    width: int
    height: int


class ImageUnread(ValueError):
    """The bytes are no image of the five formats, or end too early; the message says why, as a clause."""


def is_sha256(text: str) -> bool:
    """Whether a text can be the name of an image."""
    return _SHA256.fullmatch(text) is not None


def images_named(content: bytes) -> set[str]:
    """The images that a text names, wherever in it; it may be JSON."""
    return {found.decode() for found in _NAMED.findall(content)}


def address_of(sha256: str, kind: ImageType) -> str:
    """How a text refers to an image."""
    return f"images/{sha256}.{ENDINGS[kind]}"


def read_header(content: bytes) -> ImageHeader:
    """Read what an image is and how large it is, from its bytes.

    Raises:
        ImageUnread: it is none of the five, or is cut off, or its blocks do not follow each other.
    """
    try:
        for is_it, kind, sides_of in _FORMATS:
            if is_it(content):
                return ImageHeader(kind, *sides_of(content))
    except (struct.error, IndexError):
        raise ImageUnread("it ends in the middle") from None
    raise ImageUnread("it does not begin as a PNG, JPEG, GIF, WebP or SVG does")


def _refuse(why: str) -> NoReturn:
    raise ImageUnread(why)


def _png(content: bytes) -> tuple[int, int]:
    """Width and height of the first chunk, once every chunk was followed to the last (PNG 3rd edition, 5.3)."""
    length, kind, width, height = struct.unpack_from(">I4sII", content, 8)
    if (length, kind) != (13, b"IHDR"):
        _refuse("it has no header where a PNG has it")
    at, has_data = 8, False
    for _ in range(_MAX_BLOCKS):
        length, kind = struct.unpack_from(">I4s", content, at)
        at += 12 + length
        if at > len(content):
            _refuse("a chunk is longer than the file")
        has_data = has_data or kind == b"IDAT"
        if kind == b"IEND":
            return (width, height) if has_data else _refuse("it has no pixels")
    _refuse("it has too many chunks")


_SOF: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})


def _jpeg(content: bytes) -> tuple[int, int]:
    """Width and height of the frame header, which stands before the first scan (ITU T.81, B.1)."""
    at, size = 2, None
    for _ in range(_MAX_BLOCKS):
        if content[at] != 0xFF:
            _refuse("its segments do not follow each other")
        marker = content[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker in _ALONE:
            at += 2
            continue
        if marker == 0xD9:
            break
        (length,) = struct.unpack_from(">H", content, at + 2)
        if length < 2 or at + 2 + length > len(content):
            _refuse("a segment is longer than the file")
        if marker in _SOF and size is None:
            height, width = struct.unpack_from(">HH", content, at + 5)
            size = width, height
        if marker == 0xDA:
            return size if size is not None else _refuse("it does not say its size")
        at += 2 + length
    _refuse("it has no pixels")


def _gif(content: bytes) -> tuple[int, int]:
    """Width and height of the logical screen, once every block was followed to the trailer (GIF89a, 17 to 27)."""
    width, height, flags = struct.unpack_from("<HHB", content, 6)
    at, has_image = 13 + _colors(flags), False
    for _ in range(_MAX_BLOCKS):
        kind = content[at]
        if kind == 0x3B:
            return (width, height) if has_image else _refuse("it has no pixels")
        if kind == 0x2C:
            left, top, wide, high, flags = struct.unpack_from("<HHHHB", content, at + 1)
            width, height = max(width, left + wide), max(height, top + high)
            at, has_image = _after_blocks(content, at + 11 + _colors(flags)), True
        elif kind == 0x21:
            at = _after_blocks(content, at + 2)
        else:
            _refuse("its blocks do not follow each other")
    _refuse("it has too many blocks")


def _colors(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _after_blocks(content: bytes, at: int) -> int:
    for _ in range(_MAX_BLOCKS):
        length = content[at]
        at += 1 + length
        if not length:
            return at
    _refuse("it has too many blocks")


def _webp(content: bytes) -> tuple[int, int]:
    """Width and height of the first chunk (RFC 9649, 2.5 to 2.7)."""
    size, kind, length = struct.unpack_from("<I4x4sI", content, 4)
    if size + 8 > len(content) or length + 20 > len(content):
        _refuse("it is longer than the file")
    if kind == b"VP8X":
        wide, high = content[24:27], content[27:30]
        return 1 + int.from_bytes(wide, "little"), 1 + int.from_bytes(high, "little")
    if kind == b"VP8L" and content[20] == 0x2F:
        (bits,) = struct.unpack_from("<I", content, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 " and content[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", content, 26)
        return width & 0x3FFF, height & 0x3FFF
    _refuse("its first chunk is none of WebP's")


class _SvgReader:
    """Reads an SVG to its end: its root is remembered, and what could grow is refused."""

    def __init__(self) -> None:
        self.size: tuple[int, int] | None = None
        self._depth = self._elements = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._entity

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self.size is None:
            if name != _SVG:
                _refuse("its outermost element is no svg of http://www.w3.org/2000/svg")
            self.size = _svg_size(attributes)
        self._depth += 1
        self._elements += 1
        if self._depth > _MAX_DEPTH or self._elements > _MAX_BLOCKS:
            _refuse("it has too many elements, or too many in each other")

    def _end(self, name: str) -> None:
        self._depth -= 1

    def _doctype(self, name: str, system: str | None, public: str | None, has_own: int) -> None:
        if has_own:
            _refuse("it declares a document type of its own; save it without one")

    def _entity(self, *declaration: object) -> None:
        _refuse("it declares entities; save it without them")


def _svg(content: bytes) -> tuple[int, int]:
    reader = _SvgReader()
    try:
        reader.parser.Parse(content.lstrip(b" \t\r\n") if not content.startswith(b"<") else content, True)
    except (expat.ExpatError, ValueError) as error:
        if isinstance(error, ImageUnread):
            raise
        _refuse(f"it is no XML: {error}")
    assert reader.size is not None  # XML has an outermost element
    return reader.size


def _svg_size(attributes: Mapping[str, str]) -> tuple[int, int]:
    """The size in pixels: of `width` and `height`, else in the shape of `viewBox`, else what browsers take."""
    box = [_pixels(part) for part in re.split(r"[\s,]+", attributes.get("viewBox", "").strip())[-2:]]
    wide, high = _pixels(attributes.get("width", "")), _pixels(attributes.get("height", ""))
    box_wide, box_high = box if len(box) == 2 and all(box) else (None, None)
    if box_wide and box_high:
        if wide is None and high is None:
            wide, high = box_wide, box_high
        elif wide is None and high is not None:
            wide = high * box_wide / box_high
        elif high is None and wide is not None:
            high = wide * box_high / box_wide
    width, height = (default if side is None else side for side, default in zip((wide, high), _SVG_SIZE, strict=True))
    return max(1, -int(-width // 1)), max(1, -int(-height // 1))


def _pixels(length: str) -> float | None:
    """A length in pixels; None for a share of what is around it, and for what is no length."""
    found = _LENGTH.fullmatch(length.strip())
    if found is None or found[2] not in _PIXELS:
        return None
    return float(found[1]) * _PIXELS[found[2]]


_FORMATS: Final[Sequence[tuple[Callable[[bytes], bool], ImageType, Callable[[bytes], tuple[int, int]]]]] = (
    (lambda content: content.startswith(b"\x89PNG\r\n\x1a\n"), "image/png", _png),
    (lambda content: content.startswith(b"\xff\xd8\xff"), "image/jpeg", _jpeg),
    (lambda content: content.startswith((b"GIF87a", b"GIF89a")), "image/gif", _gif),
    (lambda content: content[:4] == b"RIFF" and content[8:12] == b"WEBP", "image/webp", _webp),
    (lambda content: content.lstrip(b" \t\r\n").startswith(_STARTS_OF_XML), "image/svg+xml", _svg),
)
"""How each format begins, and what reads its sides."""
