"""Technologies as designs and clusters write them, with versions: `PostgreSQL 16`, `Java 21, Spring`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from draftsmith.workloads.names import key_of, words_in

_SEPARATOR: Final = re.compile(r"[,;/+|]")
_VERSION: Final = re.compile(r"(?:^|\s)[vV]?(\d++(?>(?:\.\d++)*))(?>(?:[-+.][\w.-]*+)?)(?=\s|$)")

_MAKERS: Final = frozenset({"apache"})
"""Words that some write before a name and others do not."""


@dataclass(frozen=True, slots=True)
class Technology:
    """One technology; `version` is empty where none is named."""

    text: str
    name: str
    version: str


def technologies_in(text: str) -> list[Technology]:
    """The technologies that a text names."""
    return [_technology(part.strip()) for part in _SEPARATOR.split(text) if part.strip()]


def _technology(part: str) -> Technology:
    found = _VERSION.search(part)
    name = part if found is None else part[: found.start()] + part[found.end() :]
    words = words_in(name.lower())
    key = key_of([one for one in words if one not in _MAKERS] or words)
    return Technology(part, key, "" if found is None else found[1])


def fits(designed: str, running: str) -> bool:
    """Whether a version that runs is one that was designed: `16.4` is a `16`, and nothing is said of no version."""
    if not designed or not running:
        return True
    shorter, longer = sorted((designed.split("."), running.split(".")), key=len)
    return longer[: len(shorter)] == shorter


def adapted_technology(designed: str, running: str, *, is_whole: bool) -> str | None:
    """What a design should say of its technology now; None where it says nothing else than what runs.

    A technology that has the name of the running one gets its version, and others stay. Where none has the name, the
    running one replaces all if `is_whole`, as for a database, which is one thing; else a design may name a framework
    where the cluster shows a language, and nothing is said.
    """
    ours, theirs = technologies_in(designed), technologies_in(running)
    if not ours or not theirs:
        return None
    known = {one.name: one for one in theirs}
    if not any(one.name in known for one in ours):
        return running if is_whole else None
    said = []
    for one in ours:
        found = known.get(one.name, one)
        said.append(one if fits(one.version, found.version) else found)
    return None if said == ours else ", ".join(one.text for one in said)
