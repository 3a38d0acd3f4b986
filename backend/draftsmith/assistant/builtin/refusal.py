"""Why a sentence is refused: the exception inside the grammar, and the value for its callers.

Not here: which sentences to offer instead (`offers`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypedDict

Replacement = tuple[int, int, str]  # from, to (code points of what the person wrote), what to write there

_ANSWERS: Final = frozenset({"help", "undo"})
"""Kinds that are told what they ask for; the others were not understood."""


class RefusalJson(TypedDict):
    """The JSON form of a refusal."""

    kind: str
    reason: str
    suggestions: list[str]
    is_answer: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """Nothing is done.

    Attributes:
        kind: stable, one of those in docs/commands.md.
        reason: one or two sentences for a person.
        suggestions: two sentences that would be understood, with names of this diagram.
    """

    kind: str
    reason: str
    suggestions: tuple[str, ...] = ()

    @property
    def is_answer(self) -> bool:
        """Whether the reason answers what was asked."""
        return self.kind in _ANSWERS

    def to_json(self) -> RefusalJson:
        """The JSON form."""
        return {
            "kind": self.kind,
            "reason": self.reason,
            "suggestions": list(self.suggestions),
            "is_answer": self.is_answer,
        }


class UnclearSentence(Exception):
    """A sentence that cannot be read.

    Attributes:
        kind, reason: as in `Refusal`.
        instead: replacements, each of which alone may make the sentence fit.
        hints: sentences that may be meant.
        clause: the part of the text that cannot be read; empty where that is not known.
    """

    def __init__(
        self, kind: str, reason: str, instead: tuple[Replacement, ...] = (), hints: tuple[str, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.kind, self.reason, self.instead, self.hints, self.clause = kind, reason, instead, hints, ""

    def within(self, clause: str, start: int) -> UnclearSentence:
        """The same for a whole text in which the clause begins at a place."""
        instead = tuple((first + start, last + start, new) for first, last, new in self.instead)
        found = UnclearSentence(self.kind, self.reason, instead, self.hints)
        found.clause = clause
        return found
