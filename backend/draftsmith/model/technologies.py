"""Which icon a technology has: by its name or another usual one, exactly, and never by likeness.

Case, spaces, dots, hyphens and underscores make no difference, nor does a version behind the name; of several, as in
"PostgreSQL 17, PostGIS", it is the first. The page finds icons by the same rule
(`frontend/src/model/words/technologies.ts`). Not here: where icons are (`ports.icons`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_SEPARATORS: Final = re.compile(r"[ \t._-]")
_NEXT: Final = re.compile(r"[,;(]| [/+&|] ")
_VERSION: Final = re.compile(r" v?[0-9][0-9.x]*\+? ?\Z")


@dataclass(frozen=True, slots=True)
class TechnologyIcon:
    """An icon.

    Attributes:
        id: names it, in lower-case letters, digits and hyphens.
        names: of its technology; the first is the usual one.
        file: where the page finds it, below the address of the server.
    """

    id: str
    names: tuple[str, ...]
    file: str

    @property
    def address(self) -> str:
        """How a picture refers to it."""
        return f"icons/{self.id}"


def keys_of(technology: str) -> list[str]:
    """What a technology may be known by, best first."""
    first = _NEXT.split(technology, maxsplit=1)[0]
    texts = (technology, _VERSION.sub("", technology), first, _VERSION.sub("", first))
    return [key_of(text) for text in texts]


def key_of(name: str) -> str:
    """A name as it is compared."""
    return _SEPARATORS.sub("", name.lower())


def table_of(icons: Iterable[TechnologyIcon]) -> dict[str, TechnologyIcon]:
    """Icons by everything that they are known by; of two with one name the first has it."""
    table = dict[str, TechnologyIcon]()
    for icon in icons:
        for name in icon.names:
            table.setdefault(key_of(name), icon)
    return table


def icon_for(technology: str, table: Mapping[str, TechnologyIcon]) -> TechnologyIcon | None:
    """The icon of a technology; None if there is none by exactly such a name."""
    return next((table[key] for key in keys_of(technology) if key in table), None)
