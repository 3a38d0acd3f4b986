"""Hostile images: what each poses as, and how its upload is answered."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from tests.image_samples import gif, png, svg


@dataclass(frozen=True, slots=True)
class HostileImage:
    """What is sent, as which type, and the status that it is answered with."""

    name: str
    content: bytes
    kind: str
    status: int


SCRIPTS: Final = (
    '<script>parent.hacked = true</script><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" '
    'src="javascript:alert(1)"/></foreignObject><a href="javascript:alert(1)"><rect onload="alert(1)"/></a>'
)
_LAUGHS: Final = "".join(
    f'<!ENTITY {after} "{f"&{before};" * 10}">' for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)
_FAR: Final = '<!DOCTYPE svg [<!ENTITY far SYSTEM "file:///etc/passwd">]>'
_PAGE: Final = b"<html><script>alert(1)</script></html>"
_SVG: Final = "image/svg+xml"
_ELSEWHERE: Final = gif().replace(struct.pack("<HHHH", 0, 0, 1, 1), struct.pack("<HHHH", 60_000, 60_000, 1, 1))
_CHUNKS: Final = png()[:33] + struct.pack(">I4sI", 0, b"teXt", 0) * 500_000 + png()[33:]

HOSTILE_IMAGES: Final = (
    HostileImage("60,000 by 60,000 pixels in a few bytes", png(60_000, 60_000, rows=b""), "image/png", 422),
    HostileImage("100,000 by 100,000 pixels in a few bytes", png(100_000, 100_000, rows=b""), "image/png", 422),
    HostileImage("a side of two thousand million", png(2**31 - 1, 1, rows=b""), "image/png", 422),
    HostileImage("a frame beyond its screen", _ELSEWHERE, "image/gif", 422),
    HostileImage("a chunk of four gigabytes", png()[:33] + struct.pack(">I4s", 2**32 - 1, b"IDAT"), "image/png", 422),
    HostileImage("half a million chunks", _CHUNKS, "image/png", 422),
    HostileImage("a page that begins as a GIF", b"GIF89a/*" + _PAGE + b"*/=0", "image/gif", 422),
    HostileImage("a page behind a GIF", gif() + _PAGE, "image/gif", 201),
    HostileImage("a page", _PAGE, "image/png", 422),
    HostileImage("a page as SVG", _PAGE, _SVG, 422),
    HostileImage("scripts in an SVG", svg(inside=SCRIPTS), _SVG, 201),
    HostileImage(
        "a thousand million laughs",
        svg(before=f'<!DOCTYPE svg [<!ENTITY a "ha">{_LAUGHS}]>', inside="<text>&i;</text>"),
        _SVG,
        422,
    ),
    HostileImage("a file of the server in an SVG", svg(before=_FAR, inside="<text>&far;</text>"), _SVG, 422),
    HostileImage("a million levels of an SVG", svg(inside="<g>" * 1_000_000), _SVG, 422),
    HostileImage("two million elements of an SVG", svg(inside="<g/>" * 2_000_000), _SVG, 422),
    HostileImage("an SVG as wide as the world", svg('width="1e12" height="1"'), _SVG, 422),
    HostileImage("twenty megabytes", png(salt=bytes(20_000_000)), "image/png", 413),
    HostileImage("nothing", b"", "image/png", 422),
)
"""What is kept is shown as its own type where nothing in it can run."""
