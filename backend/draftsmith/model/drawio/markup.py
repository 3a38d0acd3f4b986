"""XML as small elements, read within bounds: from expat, which fetches nothing, and without entities.

A document type is let through where it only names a DTD, as every SVG of draw.io has one; one that declares anything is
refused, and with it every entity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

MAX_DEPTH: Final = 64
MAX_ELEMENTS: Final = 400_000


class UnreadableDrawing(Exception):
    """Why nothing can be read of a file or a page, in a clause; `line` of the XML, from 1."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


@dataclass(slots=True)
class Element:
    """An element of XML; `text` is what stands directly in it."""

    tag: str
    attributes: Mapping[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def child(self, tag: str) -> Element | None:
        """The first child of that name, or None."""
        return next((one for one in self.children if one.tag == tag), None)

    def walk(self) -> Iterator[Element]:
        """The element and all below it, in the order of the file."""
        waiting = [self]
        while waiting:
            current = waiting.pop()
            yield current
            waiting.extend(reversed(current.children))


def read_markup(text: str, most: int = MAX_ELEMENTS) -> Element:
    """Read XML of at most so many elements.

    Raises:
        UnreadableDrawing: it is no XML, breaks off, declares something, or is beyond a bound.
    """
    reading = _MarkupReading(most)
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = reading.open
    parser.EndElementHandler = reading.close
    parser.CharacterDataHandler = reading.add_text
    parser.StartDoctypeDeclHandler = _check_doctype
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise UnreadableDrawing(f"the XML cannot be read: {expat.ErrorString(error.code)}", error.lineno) from None
    except UnreadableDrawing as problem:
        raise UnreadableDrawing(problem.reason, parser.CurrentLineNumber) from None
    if reading.root is None:
        raise UnreadableDrawing("the XML is empty")
    return reading.root


@dataclass(slots=True)
class _MarkupReading:
    """The elements read so far, and how many there may be."""

    most: int
    root: Element | None = None
    count: int = 0
    around: list[Element] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)

    def open(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        self.count += 1
        if self.count > self.most:
            raise UnreadableDrawing(f"there are more than {MAX_ELEMENTS:,} elements")
        if len(self.around) >= MAX_DEPTH:
            raise UnreadableDrawing(f"elements are nested more than {MAX_DEPTH} deep")
        element = Element(tag, attributes)
        if self.around:
            self.around[-1].children.append(element)
        else:
            self.root = element
        self.around.append(element)
        self.texts.append([])

    def close(self, _: str) -> None:
        """End the innermost element."""
        self.around.pop().text = "".join(self.texts.pop())

    def add_text(self, text: str) -> None:
        """Take text of the innermost element."""
        self.texts[-1].append(text)


def _check_doctype(_name: str, _system: str | None, _public: str | None, has_declarations: int) -> None:
    if has_declarations:
        raise UnreadableDrawing("the document type declares something, which no file of draw.io does")
