"""The documents that the relay is played over: our own, generated ones, and a folder of others where one is given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.noise.samples import OWN, REPOSITORY, Sample
from tests.relay.generated import generated_documents
from tests.shop import TEXT

_FEWEST_SECTIONS = 4
_LONGEST = 120_000
_OURS = ("*.md", "docs/*.md", "docs/decisions/*.md", "docs/findings/*.md", "backend/draftsmith/templates/*.md")


# Links to headings of the same document follow these, which splicing strings does not foresee: they leave it here.
_WITHIN = re.compile(r"(\]\(|\]: *)#(?!node/)")


@dataclass(frozen=True)
class Shelf:
    """Documents by their origin."""

    ours: tuple[tuple[str, str], ...]
    generated: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...] = ()

    @property
    def all(self) -> list[tuple[str, str]]:
        return [*self.ours, *self.generated, *self.others]


def shelf(folder: Path | None = None, generated: int = 24) -> Shelf:
    """Every document with sections enough that others can work beside the one who edits."""
    files = {*OWN, *(file for pattern in _OURS for file in REPOSITORY.glob(pattern))}
    ours = [("shop", TEXT), *(_read(file, REPOSITORY) for file in sorted(files))]
    others = [_read(file, folder) for file in sorted(folder.rglob("*.md"))] if folder is not None else []
    return Shelf(_fitting(ours), _fitting(generated_documents(generated)), _fitting(others))


def _read(file: Path, folder: Path) -> tuple[str, str]:
    return str(file.relative_to(folder)), _WITHIN.sub(r"\1page.md#", file.read_bytes().decode("utf-8"))


def _fitting(documents: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, text)
        for name, text in documents
        if len(text) <= _LONGEST and len(Sample(name, text).parts) >= _FEWEST_SECTIONS
    )
