"""What kinds of a cluster can be for: capabilities, and the words by which people and projects say them.

Curated by hand and small, in `capabilities.txt`: names of concepts, their synonyms, and names of well-known software
that is one. Words are read as texts are. Not here: which kinds there are, or how they are ranked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from draftsmith_kubernetes.capabilities_words import terms_of, written_terms


@dataclass(frozen=True)
class Capability:
    """Something that a kind can be for.

    Attributes:
        name: by which filters name it.
        about: what it is, for whoever reads a list of them.
        broader: the capability that it is one of; empty for none.
        phrases: words, or words in a row, that say it.
    """

    name: str
    about: str
    broader: str
    phrases: frozenset[tuple[str, ...]]


def _read(table: str) -> dict[str, Capability]:
    found: dict[str, Capability] = {}
    for line in table.splitlines()[1:]:
        name, about, broader, phrases = (part.strip() for part in line.split("|"))
        said = frozenset(tuple(terms_of(one)) for one in [*phrases.split(","), name.replace("-", " ")])
        found[name] = Capability(name, about, broader, said)
    return found


_TABLE: Final = files(__package__).joinpath("capabilities.txt").read_text("utf-8")
CAPABILITIES: Final[Mapping[str, Capability]] = _read(_TABLE)
WRITTEN: Final[Mapping[str, str]] = dict(written_terms(_TABLE))
"""Terms as they are written."""


def _by_phrase() -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for capability in CAPABILITIES.values():
        for phrase in capability.phrases:
            found.setdefault(phrase, []).append(capability.name)
    return {phrase: tuple(names) for phrase, names in found.items()}


BY_PHRASE: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = _by_phrase()
"""The capabilities that words say."""
LONGEST_PHRASE: Final = max(map(len, BY_PHRASE))


def with_broader(name: str) -> tuple[str, ...]:
    """A capability and those that it is one of, from the narrowest on."""
    names = []
    while name:
        names.append(name)
        name = CAPABILITIES[name].broader
    return tuple(names)
