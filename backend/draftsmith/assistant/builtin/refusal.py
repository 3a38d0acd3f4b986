"""Why a sentence is refused: the exception inside the grammar, and the value for its callers.

Not here: which sentences to offer instead (`offers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from draftsmith.assistant.builtin.masking import Slot

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
        slot: what cannot be read.
        instead: what to write there; each of them alone may make the sentence fit.
        hints: sentences that may be meant.
        clause: where the sentence stands in the text; None where that is not known.
    """

    clause: Slot | None = None

    def __init__(
        self, kind: str, reason: str, slot: Slot | None = None, instead: Iterable[str] = (), hints: Sequence[str] = ()
    ) -> None:
        super().__init__(reason)
        self.kind, self.reason, self.slot, self.instead, self.hints = kind, reason, slot, tuple(instead), hints
