"""The forms in which draw.io saves a drawing, down to the XML of each page.

XML (`.drawio`, `.xml`), whose pages may be packed (URI-encoded, deflated, base 64); SVG and PNG that carry that XML.
No picture is decoded. Not here: what a page holds (`cells`).
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from draftsmith.model.drawio.markup import MAX_ELEMENTS, Element, UnreadableDrawing, read_markup

MAX_BYTES: Final = 10_000_000
MAX_INFLATED: Final = 20_000_000
"""Of what is packed in a file; of one with several packed pages of all of them together."""
MAX_PAGES: Final = 500
_MAX_NAME: Final = 200
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_KEYWORDS: Final = (b"mxfile", b"mxGraphModel")
_TOO_LONG: Final = f"the file is longer than {MAX_BYTES // 1_000_000} MB"
_INFLATED_AT_ONCE: Final = 1_000_000


@dataclass(slots=True)
class _FileRoom:
    """How much the packed pages of one file may still hold, all of them together, whether they can be read or not."""

    characters: int = MAX_INFLATED
    elements: int = MAX_ELEMENTS

    def unpack_page(self, packed: str) -> Element:
        """The XML of a packed page.

        Raises:
            UnreadableDrawing: it cannot be unpacked or read, or there is no room for it.
        """
        found = read_markup(_unpack(packed, self), self.elements)
        self.elements -= sum(1 for _ in found.walk())
        return found

    def inflate(self, content: bytes) -> bytes:
        """What was deflated, with or without a header.

        Raises:
            UnreadableDrawing: it cannot be unpacked, or there is no room for it.
        """
        for bits in (-zlib.MAX_WBITS, zlib.MAX_WBITS):
            pieces: list[bytes] = []
            try:
                for piece in _inflated_pieces(content, bits):
                    self.characters -= len(piece)
                    if self.characters < 0:
                        reason = f"what is packed in the file is longer than {MAX_INFLATED // 1_000_000} MB"
                        raise UnreadableDrawing(reason)
                    pieces.append(piece)
            except zlib.error:
                continue
            return b"".join(pieces)
        raise UnreadableDrawing("what is packed in it cannot be unpacked")


@dataclass(frozen=True, slots=True)
class PageSource:
    """A page as it stands in the file: its name, its XML or what it is packed in, and its id, if it has one.

    Attributes:
        room: what it shares with the other pages of its file.
    """

    name: str
    element: Element | None
    packed: str = ""
    id: str = ""
    room: _FileRoom = field(default_factory=_FileRoom, compare=False)

    def model(self) -> Element:
        """The `mxGraphModel` of the page.

        Raises:
            UnreadableDrawing: it cannot be unpacked or read, or is beyond a bound.
        """
        if self.element is not None:
            return self.element
        found = self.room.unpack_page(self.packed)
        model = next((one for one in found.walk() if one.tag == "mxGraphModel"), None)
        if model is None:
            raise UnreadableDrawing("the page holds no `mxGraphModel`")
        return model


def pages_of(content: str | bytes) -> Sequence[PageSource]:
    """The pages of a file: its bytes, or its text, which for a PNG is base 64.

    Raises:
        UnreadableDrawing: it is no drawing of draw.io.
    """
    if len(content) > (MAX_BYTES if isinstance(content, bytes) else MAX_BYTES * 4 // 3 + 4):
        raise UnreadableDrawing(_TOO_LONG)
    text = _text_of(content) if isinstance(content, bytes) else _markup_of(content)
    if len(text.encode("utf-8", "replace")) > MAX_INFLATED:
        raise UnreadableDrawing(_TOO_LONG)
    return _pages(read_markup(text))


def _markup_of(text: str) -> str:
    """The XML of a text, which is it, or base 64 of a file."""
    clean = text.removeprefix("\ufeff").lstrip()
    if clean.startswith("<"):
        return clean
    try:
        content = base64.b64decode("".join(clean.split()), validate=True)
    except (binascii.Error, ValueError):
        raise UnreadableDrawing("this is neither XML nor base 64 of a file") from None
    if not content:
        raise UnreadableDrawing("there is nothing in it")
    if _is_file(content):
        return _text_of(content)
    return _unpack(clean, _FileRoom())  # a page packed by itself


def is_markup(content: bytes) -> bool:
    """Whether the bytes of a file are XML in UTF-8, which can be sent as text."""
    if content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"<":
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_file(content: bytes) -> bool:
    return is_markup(content) or content.startswith((_PNG, b"\xff\xfe", b"\xfe\xff"))


def _text_of(content: bytes) -> str:
    if content.startswith(_PNG):
        return _in_png(content)
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableDrawing(f"the file is neither a PNG nor text: {error.reason} at byte {error.start:,}") from None
    return text.lstrip()


def _in_png(content: bytes) -> str:
    """The XML in a text chunk of a PNG."""
    for kind, chunk in chunks_of_png(content):
        keyword, _, rest = chunk.partition(b"\0")
        if keyword not in _KEYWORDS or kind not in (b"tEXt", b"zTXt"):
            continue
        # Behind the keyword of zTXt stands a byte for the method, of which there is one.
        found = rest if kind == b"tEXt" else inflated_bytes(rest[1:])
        text = found.decode("utf-8", "replace").strip()
        return unquote(text.replace("+", " "), errors="replace") if text[:3].upper() == "%3C" else text
    raise UnreadableDrawing("the PNG carries no drawing; in draw.io, export it with “Include a copy of my diagram”")


def chunks_of_png(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk of a PNG; its length is not to be trusted, so the last may be cut off."""
    place = len(_PNG)
    while place + 8 <= len(content):
        length = int.from_bytes(content[place : place + 4], "big")
        yield content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        place += length + 12


def _pages(root: Element) -> Sequence[PageSource]:
    if root.tag == "svg" or root.tag.endswith(":svg"):
        root = _in_svg(root)
    if root.tag == "mxGraphModel":
        return [PageSource("", root)]
    if root.tag == "diagram":
        return [_page(root, 1, _FileRoom())]
    if root.tag != "mxfile":
        raise UnreadableDrawing(
            f"this XML is a `{root.tag[:40]}`, and a drawing of draw.io is an `mxfile` or an `mxGraphModel`"
        )
    pages = [one for one in root.children if one.tag == "diagram"]
    if not pages:
        raise UnreadableDrawing("the file has no page")
    if len(pages) > MAX_PAGES:
        raise UnreadableDrawing(f"the file has more than {MAX_PAGES} pages")
    room = _FileRoom()
    return [_page(page, number, room) for number, page in enumerate(pages, 1)]


def _in_svg(root: Element) -> Element:
    carried = root.attributes.get("content", "").strip()
    if carried[:3].upper() == "%3C":
        carried = unquote(carried, errors="replace")
    if not carried:
        raise UnreadableDrawing("the SVG carries no drawing; in draw.io, export it with “Include a copy of my diagram”")
    inner = read_markup(carried if carried.startswith("<") else _unpack(carried, _FileRoom()))
    if inner.tag == "svg":
        raise UnreadableDrawing("the SVG carries no drawing")
    return inner


def _page(diagram: Element, number: int, room: _FileRoom) -> PageSource:
    name = " ".join(diagram.attributes.get("name", "").split())[:_MAX_NAME] or f"Page-{number}"
    return PageSource(name, diagram.child("mxGraphModel"), diagram.text.strip(), diagram.attributes.get("id", ""), room)


def _unpack(packed: str, room: _FileRoom) -> str:
    """The XML of a packed page."""
    if not packed:
        raise UnreadableDrawing("the page is empty")
    if packed.startswith("<"):
        return packed
    try:
        content = base64.b64decode("".join(packed.split()), validate=True)
    except (binascii.Error, ValueError):
        raise UnreadableDrawing("the page is packed in a way that is not read: it is no base 64") from None
    text = room.inflate(content).decode("utf-8", "replace")
    return unquote(text, errors="replace") if text[:3].upper() == "%3C" else text


def inflated_bytes(content: bytes) -> bytes:
    """What was deflated, with or without a header.

    Raises:
        UnreadableDrawing: it cannot be unpacked, or is beyond a bound.
    """
    return _FileRoom().inflate(content)


def _inflated_pieces(content: bytes, bits: int) -> Iterator[bytes]:
    """What was deflated, piece by piece, so that it is counted before there is much of it."""
    inflating = zlib.decompressobj(bits)
    while not inflating.eof:
        piece = inflating.decompress(content, _INFLATED_AT_ONCE)
        content = inflating.unconsumed_tail
        if not piece and not content and not inflating.eof:
            raise UnreadableDrawing("what is packed in it breaks off")
        yield piece
