"""The views and styles of Structurizr DSL: of views name and direction, of styles what they set for a tag."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from draftsmith.model.layered_layout import Direction
from draftsmith.model.readers.limits import SHOWN
from draftsmith.model.readers.structurizr.blocks import DslBlock, pass_over
from draftsmith.model.readers.structurizr.c4 import C4Model, C4Style, C4View
from draftsmith.model.readers.structurizr.statements import Statement

_KEYS: Final[Mapping[str, int]] = {
    "systemlandscape": 1,
    "systemcontext": 2,
    "container": 2,
    "component": 2,
    "filtered": 4,
    "dynamic": 2,
    "deployment": 3,
    "custom": 1,
    "image": 2,
}
"""Which word the key of a view is."""
_FLOWS: Final[Mapping[str, Direction]] = {"": "down", "tb": "down", "bt": "up", "lr": "right", "rl": "left"}
_ABOUT_DRAWING: Final = frozenset(("branding", "properties", "terminology"))
_THEMES: Final = frozenset(("theme", "themes"))


class ViewReader:
    """Reads what stands in `views`."""

    def __init__(self, model: C4Model) -> None:
        self._model = model

    def in_views(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        """A view, or what holds for all of them."""
        keyword = statement.keyword
        if keyword in _KEYS:
            name = statement.word(_KEYS[keyword]) or " ".join(statement.words[:2])
            view = C4View(name[:SHOWN], statement.word(2) if keyword == "deployment" else "")
            self._model.views.append(view)
            return DslBlock(partial(_in_view, view))
        if keyword == "styles":
            return DslBlock(self._in_styles)
        if keyword in _THEMES:
            self._list_theme(statement)
        elif keyword in _ABOUT_DRAWING:
            self._list(statement, "how Structurizr draws and names things is not kept")
        else:
            self._list(statement, "it is no view that is known here")
        return None

    def _in_styles(self, block: DslBlock, statement: Statement) -> DslBlock | None:
        keyword = statement.keyword
        if keyword in ("element", "relationship"):
            style = C4Style(statement.word(1))
            styles = self._model.element_styles if keyword == "element" else self._model.relationship_styles
            styles.append(style)
            return DslBlock(partial(_in_style, style))
        if keyword == "light":
            return DslBlock(self._in_styles)
        if keyword in _THEMES:
            self._list_theme(statement)
        elif keyword != "dark":  # what is light has another colour in the dark here
            self._list(statement, "it is no style that is known here")
        return None

    def _list_theme(self, statement: Statement) -> None:
        if statement.word(1) != "default":
            self._list(statement, "themes are kept elsewhere, and nothing is fetched")

    def _list(self, statement: Statement, reason: str) -> None:
        self._model.list_unread(statement.file, f"line {statement.line}", statement.text, reason)


def _in_view(view: C4View, block: DslBlock, statement: Statement) -> DslBlock | None:
    if statement.keyword == "autolayout":
        view.flow = _FLOWS.get(statement.word(1).lower())
    return DslBlock(pass_over)


def _in_style(style: C4Style, block: DslBlock, statement: Statement) -> DslBlock | None:
    if not statement.opens:
        style.settings[statement.keyword.replace("colour", "color")] = statement.word(1)
    return DslBlock(pass_over)
