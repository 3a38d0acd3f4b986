"""Clean an SVG down to shapes and gradients, so that it runs nothing, loads nothing and costs little.

What is kept is listed: shapes, groups, gradients, masks and clip paths, and attributes that place and colour them. All
else is dropped with what is in it: scripts, styles, texts, images, filters, animations, what has another namespace.
References lead into the same file alone, `use` to a single shape, and masks hold no masks, so that nothing grows by
being repeated. Not here: whether a file is an SVG at all (`images.read_header`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from draftsmith.model.images import ImageUnread, read_header

_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_LINK: Final = "http://www.w3.org/1999/xlink href"
_SHAPES: Final = frozenset(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"])
_MASKS: Final = frozenset(("clipPath", "mask"))
_GRADIENTS: Final = frozenset(("linearGradient", "radialGradient"))
_ELEMENTS: Final = _SHAPES | _MASKS | _GRADIENTS | {"g", "defs", "stop", "use"}
_LOOKS: Final = frozenset((
    "fill", "fill-rule", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin",
    "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "stroke-opacity", "opacity", "clip-path", "clip-rule",
    "mask", "stop-color", "stop-opacity", "color",
))  # fmt: skip
"""Attributes that may stand in `style`, too."""
_ATTRIBUTES: Final = _LOOKS | frozenset((
    "id", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "fr", "width", "height",
    "points", "transform", "offset", "gradientUnits", "gradientTransform", "spreadMethod", "clipPathUnits", "maskUnits",
    "maskContentUnits",
))  # fmt: skip
_ID: Final = r"#([A-Za-z_][\w.:-]{0,99})"
_REFERENCE: Final = re.compile(rf"url\(['\"]?{_ID}['\"]?\)")
_LOCAL: Final = re.compile(_ID)
_CALL: Final = re.compile(r"([A-Za-z-]{0,20})\(")
_FUNCTIONS: Final = frozenset(
    ["rgb", "rgba", "hsl", "hsla", "matrix", "translate", "scale", "rotate", "skewX", "skewY"]
)
_NUMBER: Final = re.compile(r"-?[0-9]{0,9}\.?[0-9]{1,9}")
_SIDE: Final = 64
"""Pixels that a cleaned SVG says it has each way; what is not square is in the middle."""
_MOST_ELEMENTS: Final = 1_000
_MOST_DEPTH: Final = 40


@dataclass(slots=True)
class _SvgElement:
    name: str
    attributes: dict[str, str]
    children: list[_SvgElement] = field(default_factory=list)

    def all(self) -> Iterator[_SvgElement]:
        yield self
        for child in self.children:
            yield from child.all()


def cleaned_svg(content: bytes) -> bytes:
    """An SVG with nothing in it but what is known to be harmless.

    Raises:
        ImageUnread: it is no SVG, declares entities, holds too much, or no shape of it is left.
    """
    header = read_header(content)
    if header.type != "image/svg+xml":
        raise ImageUnread("it is no SVG")
    reader = _Reader()
    reader.parser.Parse(content.lstrip(b" \t\r\n"), True)
    _drop_repeats(reader.root)
    if not any(one.name in _SHAPES for one in reader.root.all()):
        raise ImageUnread("no shape of it is left")
    box = _NUMBER.findall(reader.view_box) or ["0", "0", str(header.width), str(header.height)]
    square = {"xmlns": _NAMESPACE, "width": str(_SIDE), "height": str(_SIDE), "viewBox": " ".join(box[:4])}
    reader.root.attributes = {**square, **reader.root.attributes}
    return _text_of(reader.root).encode()


class _Reader:
    """Reads the elements that are kept; the root is always one of them."""

    def __init__(self) -> None:
        self.root = _SvgElement("svg", {})
        self.view_box = ""
        self._open = [self.root]
        self._dropped = self._count = self._depth = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth == 1:
            self.view_box = attributes.get("viewBox", "")
            self.root.attributes = {key: value for key, value in _kept_attributes(attributes).items() if key in _LOOKS}
            return
        namespace, _, local = name.rpartition(" ")
        if self._dropped or namespace != _NAMESPACE or local not in _ELEMENTS:
            self._dropped += 1
            return
        self._count += 1
        if self._count > _MOST_ELEMENTS or self._depth > _MOST_DEPTH:
            raise ImageUnread("it has too many elements, or too many in each other")
        element = _SvgElement(local, _kept_attributes(attributes))
        link = attributes.get("href", attributes.get(_LINK, ""))
        if (local == "use" or local in _GRADIENTS) and _LOCAL.fullmatch(link):
            element.attributes["href"] = link
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self._dropped:
            self._dropped -= 1
        elif self._depth:
            self._open.pop()


def _kept_attributes(attributes: Mapping[str, str]) -> dict[str, str]:
    """The known attributes with values that name nothing outside; what `style` says wins, as in CSS."""
    declared = (part.partition(":") for part in attributes.get("style", "").split(";"))
    styled = {name.strip(): value.strip() for name, _, value in declared if name.strip() in _LOOKS}
    known = {name: value for name, value in attributes.items() if name in _ATTRIBUTES}
    return {name: value for name, value in {**known, **styled}.items() if _is_harmless(value)}


def _is_harmless(value: str) -> bool:
    rest = _REFERENCE.sub("", value)
    return "\\" not in rest and all(name in _FUNCTIONS for name in _CALL.findall(rest))


def _drop_repeats(root: _SvgElement) -> None:
    """Drop what could grow by being repeated: a `use` of anything but one shape, and masks within masks."""
    shapes = {one.attributes.get("id") for one in root.all() if one.name in _SHAPES}
    for one in root.all():
        one.children = [child for child in one.children if child.name != "use" or _target(child) in shapes]
        if one.name in _MASKS:
            for inner in one.all():
                inner.attributes.pop("mask", None)
                inner.attributes.pop("clip-path", None)


def _target(use: _SvgElement) -> str:
    return use.attributes.get("href", "")[1:]


def _text_of(element: _SvgElement) -> str:
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in element.attributes.items())
    return f"<{element.name}{attributes}>{''.join(map(_text_of, element.children))}</{element.name}>"
