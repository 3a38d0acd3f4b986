"""Images for tests, made byte by byte: whole ones of the five formats, and what poses as one."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Mapping
from typing import Final


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int = 3, height: int = 2, *, salt: bytes = b"", rows: bytes | None = None) -> bytes:
    """A PNG of 8-bit greys; `salt` makes it another file, `rows` replaces what its pixels are packed from."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = (b"\x00" + bytes(width)) * height if rows is None else rows
    text = chunk(b"tEXt", b"Comment\x00" + salt) if salt else b""
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + text
        + chunk(b"IDAT", zlib.compress(pixels))
        + chunk(b"IEND", b"")
    )


def jpeg(width: int = 8, height: int = 8) -> bytes:
    """The segments of a baseline JPEG up to its scan, with an empty scan."""
    app = b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
    table = b"\xff\xdb\x00\x43\x00" + bytes([1] * 64)
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\x00"
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + b"\x00" * 8
    return b"\xff\xd8" + app + table + frame + scan + b"\xff\xd9"


def gif(width: int = 1, height: int = 1) -> bytes:
    """A GIF with two colours and one image of its size."""
    screen = struct.pack("<HHBBB", width, height, 0x80, 0, 0) + b"\x00\x00\x00\xff\xff\xff"
    image = b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02\x02\x44\x01\x00"
    return b"GIF89a" + screen + image + b"\x3b"


def webp(width: int = 4, height: int = 5, color: tuple[int, int, int] = (90, 90, 90)) -> bytes:
    """A lossless WebP of one colour (RFC 9649, 3): each part has a code of one symbol, so that pixels take no bits."""
    red, green, blue = color
    sides = [(width - 1, 14), (height - 1, 14), (0, 1), (0, 3)]
    plain = [(0, 1)] * 3  # no transform, no cache of colours, one group of codes
    codes = [part for symbol in (green, red, blue, 255) for part in ((0b101, 3), (symbol, 8))]
    bits = at = 0
    for value, length in [*sides, *plain, *codes, (0b0001, 4)]:
        bits, at = bits | value << at, at + length
    data = b"\x2f" + bits.to_bytes(-(-at // 8), "little")
    body = b"WEBPVP8L" + struct.pack("<I", len(data)) + data + b"\x00" * (len(data) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def svg(attributes: str = 'width="40" height="30"', inside: str = "", before: str = "") -> bytes:
    """An SVG."""
    return f'{before}<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{inside}</svg>'.encode()


SAMPLES: Final[Mapping[str, tuple[bytes, int, int]]] = {
    "image/png": (png(), 3, 2),
    "image/jpeg": (jpeg(), 8, 8),
    "image/gif": (gif(), 1, 1),
    "image/webp": (webp(), 4, 5),
    "image/svg+xml": (svg(), 40, 30),
}
"""A whole image of each type, with its sides."""


def sha256_of(content: bytes) -> str:
    """The name of an image."""
    return hashlib.sha256(content).hexdigest()
