"""What elements and relationships of Structurizr are drawn as here: types, colours and lines by words, shapes and tags.

Styles of the tags that Structurizr gives by itself colour everything of a kind, which types do here; so colours are
taken from the tags that people gave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from draftsmith.model.readers.colors import nearest_color
from draftsmith.model.readers.structurizr.c4 import OWN_TAGS, C4Element, C4Relationship, C4Style
from draftsmith.model.type_words import FINER_TYPES, guess_type
from draftsmith.model.vocabulary import COLOR_STROKES

_TYPE_OF_SHAPE: Final[Mapping[str, str]] = {
    "person": "user",
    "cylinder": "database",
    "bucket": "storage",
    "pipe": "queue",
    "webbrowser": "web",
    "window": "client",
    "terminal": "client",
    "shell": "client",
    "mobiledeviceportrait": "mobile",
    "mobiledevicelandscape": "mobile",
}
"""Types of shapes that are drawn for one thing; boxes, hexagons and the like are drawn for anything."""
_OTHERWISE: Final = {"custom element": "other", "deployment node": "server", "infrastructure node": "server"}
_EXTERNAL: Final = re.compile(r"\b(?:external|existing|third.party)\b", re.IGNORECASE)
_ASYNCHRONOUS: Final = re.compile(r"\basync(?:hronous)?\b", re.IGNORECASE)
_LEAST_CHROMA: Final = 0.1
_DARKEST_GREY, _LIGHTEST_GREY = 0.25, 0.85
_HEX: Final = re.compile(r"#[0-9a-fA-F]{6}")
_FAINT: Final = 50
"""Percent of opacity up to which something is drawn muted."""
_NAMED: Final[Mapping[str, str]] = {**{name: name for name in COLOR_STROKES}, "gray": "grey"}


class StyleSheet:
    """The styles of a workspace by tag; of two for one tag the later adds to the earlier."""

    def __init__(self, elements: Sequence[C4Style], relationships: Sequence[C4Style]) -> None:
        self._elements, self._relationships = _by_tag(elements), _by_tag(relationships)

    def type_of(self, element: C4Element) -> str:
        """The type of the node of an element that holds no others."""
        original = element.original or element
        if original.kind == "person":
            return "user"
        if original.kind == "software system" and any(map(_EXTERNAL.search, original.tags)):
            return "external"
        otherwise = _OTHERWISE.get(original.kind, "service")
        words = guess_type(original.name, original.technology, otherwise)
        drawn = _TYPE_OF_SHAPE.get(self._setting(element, "shape", with_own=True).lower(), "")
        return words if not drawn or words in FINER_TYPES.get(drawn, ()) else drawn

    def color_of(self, element: C4Element) -> str:
        """The colour of a node, from tags that people gave; empty for the usual one."""
        return _color(self._setting(element, "background")) or _color(self._setting(element, "stroke"))

    def border_of(self, element: C4Element) -> str:
        """How the border of a node is drawn; empty for the usual way."""
        border = self._setting(element, "border").lower()
        if border in ("dashed", "dotted"):
            return border
        return "muted" if _is_faint(self._setting(element, "opacity")) else ""

    def line_of(self, relationship: C4Relationship) -> tuple[str, str]:
        """Colour and style of an edge, from tags that people gave; empty for the usual ones."""
        settings: dict[str, str] = {}
        for tag in relationship.tags:
            settings.update(self._relationships.get(tag, {}))
        style = settings.get("style", "").lower()
        if style not in ("solid", "dashed", "dotted"):
            style = "muted" if _is_faint(settings.get("opacity", "")) else ""
        return _color(settings.get("color", "")), style

    def _setting(self, element: C4Element, name: str, *, with_own: bool = False) -> str:
        """What the last tag says that says anything."""
        found = ""
        for tag in _tags(element, with_own=with_own):
            found = self._elements.get(tag, {}).get(name) or found
        return found


def is_asynchronous(relationship: C4Relationship) -> bool:
    """Whether a relationship says that it is, or has a tag that does."""
    return relationship.is_asynchronous or any(map(_ASYNCHRONOUS.search, relationship.tags))


def _by_tag(styles: Sequence[C4Style]) -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for style in styles:
        found.setdefault(style.tag, {}).update(style.settings)
    return found


def _tags(element: C4Element, *, with_own: bool) -> Iterator[str]:
    """The tags of an element, for an instance those of its original before; the general ones first."""
    for one in (element.original, element):
        if one is not None:
            if with_own:
                yield from OWN_TAGS[one.kind]
            yield from one.tags


def _color(text: str) -> str:
    """The nearest of the colours of nodes; grey for what is neither coloured nor nearly black or white."""
    lowered = text.strip().lower()
    if lowered in _NAMED:
        return _NAMED[lowered]
    nearest = nearest_color(lowered, _LEAST_CHROMA)
    if nearest or not _HEX.fullmatch(lowered):
        return nearest
    lightness = max(int(lowered[at : at + 2], 16) for at in (1, 3, 5)) / 255
    return "grey" if _DARKEST_GREY < lightness < _LIGHTEST_GREY else ""


def _is_faint(opacity: str) -> bool:
    return opacity.isascii() and opacity.isdigit() and int(opacity[:4]) <= _FAINT
