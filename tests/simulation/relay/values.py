"""Texts of a drawn operation that know what they stand for, so that they can be misquoted by what they are.

Whatever field of whatever operation holds one: the name of a section is misspelt as names are, a quotation misquoted
as quotations are. Sent are plain texts (`plain`).
"""

from __future__ import annotations

from tests.noise.quotes import Quote
from tests.noise.samples import Part
from tests.simulation.relay.plan import Op


class SectionName(str):
    """The path of a section.

    Attributes:
        part: the section; None for the text before the first heading.
    """

    __slots__ = ("part",)

    part: Part | None

    def __new__(cls, part: Part | None) -> SectionName:
        made = super().__new__(cls, "" if part is None else part.path)
        made.part = part
        return made


class Quotation(str):
    """Words of a document.

    Attributes:
        quote: where they stand; None where they are quoted letter for letter, as a word that stands there often is.
    """

    __slots__ = ("quote",)

    quote: Quote | None

    def __new__(cls, words: str | Quote) -> Quotation:
        quote = words if isinstance(words, Quote) else None
        made = super().__new__(cls, words if isinstance(words, str) else words.text)
        made.quote = quote
        return made


class Substitute(str):
    """What is to stand in place of a quotation."""

    __slots__ = ()


class BodyText(str):
    """What is to stand below a heading."""

    __slots__ = ()


def plain(op: Op) -> Op:
    """The operation with plain texts, as it is sent where nothing is misquoted."""
    return {field: str(value) if isinstance(value, str) else value for field, value in op.items()}


def field_of(op: Op, kind: type[str]) -> str:
    """The field of an operation that holds a value of some kind; empty if none does."""
    return next((field for field, value in op.items() if isinstance(value, kind)), "")
