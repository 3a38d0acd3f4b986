"""The forms in which Excalidraw saves a scene: JSON, and PNG and SVG that carry it. No picture is decoded.

Anything may stand anywhere in a file; a value of the wrong kind reads as if it were absent.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

import orjson

from draftsmith.model.drawio.files import MAX_INFLATED, chunks_of_png, inflated_bytes
from draftsmith.model.drawio.markup import UnreadableDrawing
from draftsmith.model.readers.limits import FURTHEST

MAX_BYTES: Final = 10_000_000
MARK: Final = b"application/vnd.excalidraw+json"
"""By which PNG and SVG say that they carry a scene."""
TYPES: Final = ("excalidraw", "excalidraw/clipboard")
_MAX_TEXT: Final = 20_000
_PNG: Final = b"\x89PNG"
_PAYLOAD = re.compile(rb"<!--\s*payload-start\s*-->([A-Za-z0-9+/=\s]*+)<!--\s*payload-end\s*-->")


@dataclass(frozen=True, slots=True)
class SceneElement:
    """An object of a scene by the names of its members."""

    members: dict[str, object]

    def text(self, name: str) -> str:
        """Return a text without NUL, which no workspace holds; empty if the member is none."""
        value = self.members.get(name)
        return value[:_MAX_TEXT].replace("\x00", "") if isinstance(value, str) else ""

    def number(self, name: str) -> float:
        """Return a number, moved into the range of places; 0 if the member is none."""
        return _number(self.members.get(name))

    def texts(self, name: str) -> Sequence[str]:
        """Return the texts of a list."""
        value = self.members.get(name)
        return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []

    def pairs(self, name: str) -> Sequence[tuple[float, float]]:
        """Return the pairs of numbers of a list."""
        value = self.members.get(name)
        pairs = [one for one in value if isinstance(one, list) and len(one) == 2] if isinstance(value, list) else []
        return [(_number(one), _number(other)) for one, other in pairs]

    def part(self, name: str) -> SceneElement:
        """Return an object in this one; an empty one if the member is none."""
        value = self.members.get(name)
        return SceneElement(cast(dict[str, object], value) if isinstance(value, dict) else {})

    def parts(self, name: str) -> Sequence[SceneElement] | None:
        """Return the objects of a list; None if the member is no list."""
        value = self.members.get(name)
        return [SceneElement(one) for one in value if isinstance(one, dict)] if isinstance(value, list) else None

    def is_true(self, name: str) -> bool:
        """Whether a member is true."""
        return self.members.get(name) is True

    def __contains__(self, name: str) -> bool:
        return name in self.members


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return 0.0
    return float(min(max(value, -FURTHEST), FURTHEST))


@dataclass(frozen=True, slots=True)
class Scene:
    """What a file draws.

    Attributes:
        elements: from the lowest to the highest, without deleted ones.
        images: addresses of the images that elements show, by what these call them; most are `data:`.
    """

    elements: Sequence[SceneElement]
    images: Mapping[str, str] = field(default_factory=dict)


def scene_in(content: bytes) -> Scene:
    """Return the scene in a file.

    Raises:
        UnreadableDrawing: it carries no scene, or is beyond a bound.
    """
    if len(content) > MAX_BYTES:
        raise UnreadableDrawing(f"the file is longer than {MAX_BYTES // 1_000_000} MB")
    if content.startswith(_PNG):
        scene = _carried_scene(_in_png(content))
    elif content.lstrip()[:1] == b"<":
        scene = _carried_scene(_in_svg(content))
    else:
        scene = _object(content.removeprefix(b"\xef\xbb\xbf"))
    elements = scene.parts("elements")
    if scene.text("type") not in TYPES or elements is None:
        raise UnreadableDrawing("it is no scene of Excalidraw, whose `type` is `excalidraw` and which has `elements`")
    files = scene.part("files").members
    addresses = {key: file.get("dataURL") for key, file in files.items() if isinstance(file, dict)}
    images = {key: address for key, address in addresses.items() if isinstance(address, str)}
    return Scene([one for one in elements if not one.is_true("isDeleted")], images)


def _in_png(content: bytes) -> bytes:
    for kind, chunk in chunks_of_png(content):
        keyword, _, text = chunk.partition(b"\0")
        if kind == b"tEXt" and keyword == MARK:
            return text
    raise UnreadableDrawing("the PNG carries no scene; in Excalidraw, export it with “Embed scene”")


def _in_svg(content: bytes) -> bytes:
    found = _PAYLOAD.search(content)
    if found is None or MARK not in content:
        raise UnreadableDrawing("the SVG carries no scene; in Excalidraw, export it with “Embed scene”")
    try:
        return base64.b64decode(b"".join(found[1].split()), validate=True)
    except (binascii.Error, ValueError):
        raise UnreadableDrawing("what the SVG carries is no base 64") from None


def _carried_scene(payload: bytes) -> SceneElement:
    """Return the scene in what a picture carries: bytes as characters, most often deflated."""
    # Latin-1: the bytes of a deflated scene stand there as characters of that.
    carried = _object(payload.decode("latin-1").encode())
    encoded = carried.members.get("encoded")
    if not isinstance(encoded, str):
        return _object(payload)
    try:
        packed = encoded.encode("latin-1")
    except UnicodeEncodeError:
        raise UnreadableDrawing("what is packed in it cannot be unpacked") from None
    return _object(inflated_bytes(packed) if carried.is_true("compressed") else packed)


def _object(content: bytes) -> SceneElement:
    if len(content) > MAX_INFLATED:
        raise UnreadableDrawing("what is packed in it is longer than 20 MB")
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise UnreadableDrawing(f"it is no JSON: {str(error)[:100]}", error.lineno) from None
    if not isinstance(found, dict):
        raise UnreadableDrawing("it is no scene of Excalidraw, which is an object of JSON")
    return SceneElement(found)
