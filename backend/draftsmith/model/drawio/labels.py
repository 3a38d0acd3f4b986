"""The text of labels: HTML reduced to lines, nothing of it kept but its words.

Not here: which label is whose (`sketch`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Final

_MAX_LABEL: Final = 20_000
_BREAKING: Final = frozenset(
    (
        "address",
        "article",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "td",
        "th",
        "tr",
        "ul",
    )
)
_UNSEEN: Final = frozenset(("head", "math", "noscript", "script", "style", "svg", "template", "title"))
_TAG = re.compile(r"<[^<>]*>")
_INVISIBLE = re.compile("[\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff\x00-\x08\x0b\x0c\x0e-\x1f]")


def label_lines(value: str, *, is_html: bool) -> Sequence[str]:
    """The lines of a label with single blanks, empty ones left out."""
    raw = value[:_MAX_LABEL]
    text = _words_of(raw) if is_html else raw
    text = text.encode("utf-8", "replace").decode()
    lines = (_INVISIBLE.sub("", line) for line in text.splitlines())
    return [clean for line in lines if (clean := " ".join(line.split()))]


def _words_of(markup: str) -> str:
    if "<" not in markup and "&" not in markup:
        return markup
    reading = _LabelParser()
    try:
        reading.feed(markup)
        reading.close()
    except AssertionError:  # what html.parser raises for a declaration that it does not know
        return _TAG.sub(" ", markup)
    return "".join(reading.parts)


class _LabelParser(HTMLParser):
    """Collects what is read as text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Break the line, or begin what is not shown."""
        if tag in _UNSEEN:
            self._unseen.append(tag)
        elif tag in _BREAKING:
            self.parts.append("\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Break the line."""
        if tag in _BREAKING:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """Break the line, or end what is not shown."""
        if tag in self._unseen:
            while self._unseen.pop() != tag:
                pass
        elif tag in _BREAKING:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Take text that is shown."""
        if not self._unseen:
            self.parts.append(data)
