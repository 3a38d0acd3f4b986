"""The documents that the relay is played over: our own, generated ones, and a folder of others where one is given.

The pages of the project change with every change of the product, and what is drawn over them changes with them. So the
suite plays over documents that stay (`Shelf.lasting`), and over all with a seed that was chosen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.noise.samples import REPOSITORY, Sample
from tests.shop import TEXT
from tests.simulation.relay.generated import generated_documents

_FEWEST_SECTIONS = 4
_LONGEST = 120_000
_TEMPLATES = ("backend/draftsmith/templates/*.md", "tests/fixtures/documents/*.md")
_PAGES = ("*.md", "docs/*.md", "docs/decisions/*.md", "docs/findings/*.md")


# Links to headings of the same document follow these, which splicing strings does not foresee: they leave it here.
_WITHIN = re.compile(r"(\]\(|\]: *)#(?!node/)")


@dataclass(frozen=True)
class Shelf:
    """Documents by their origin."""

    templates: tuple[tuple[str, str], ...]
    pages: tuple[tuple[str, str], ...]
    generated: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...] = ()

    @property
    def all(self) -> list[tuple[str, str]]:
        return [*self.lasting, *self.pages, *self.others]

    @property
    def lasting(self) -> list[tuple[str, str]]:
        """Those that are the same whatever the project's pages say."""
        return [*self.templates, *self.generated]


def shelf(folder: Path | None = None, generated: int = 24) -> Shelf:
    """Every document with sections enough that others can work beside the one who edits."""
    templates = {file for pattern in _TEMPLATES for file in REPOSITORY.glob(pattern)}
    pages = {file for pattern in _PAGES for file in REPOSITORY.glob(pattern)}
    others = [_read(file, folder) for file in sorted(folder.rglob("*.md"))] if folder is not None else []
    return Shelf(
        _fitting([("shop", TEXT), *(_read(file, REPOSITORY) for file in sorted(templates))]),
        _fitting([_read(file, REPOSITORY) for file in sorted(pages)]),
        _fitting(generated_documents(generated)),
        _fitting(others),
    )


def _read(file: Path, folder: Path) -> tuple[str, str]:
    return str(file.relative_to(folder)), _WITHIN.sub(r"\1page.md#", file.read_bytes().decode("utf-8"))


def _fitting(documents: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, text)
        for name, text in documents
        if len(text) <= _LONGEST and len(Sample(name, text).parts) >= _FEWEST_SECTIONS
    )
