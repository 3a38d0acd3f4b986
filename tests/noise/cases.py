"""One try: a text, the edits asked for, and what must come of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Edit = dict[str, Any]
Apply = Callable[[str, list[Edit]], str]

_MARKS = re.compile(r"\*{1,3}|_{1,2}|`+")


@dataclass(frozen=True)
class Refusal:
    """What a refusal said: codes, and every word a caller sees."""

    codes: frozenset[str]
    indexes: frozenset[int]
    messages: tuple[str, ...]
    candidates: tuple[str, ...]

    @property
    def words(self) -> str:
        return "\n".join([*self.messages, *self.candidates])


def attempt(apply: Apply, text: str, edits: list[Edit]) -> str | Refusal:
    """The text after the edits, or why not."""
    return applied(apply, text, edits)[0]


def applied(apply: Apply, text: str, edits: list[Edit]) -> tuple[str | Refusal, list[str]]:
    """The text after the edits, or why not, and the codes of what was told; of those that tell nothing, none."""
    told: list[Any] = []
    try:
        if "warnings" in inspect.signature(apply).parameters:
            return apply(text, edits, warnings=told), [one.code for one in told]  # type: ignore[call-arg]
        return apply(text, edits), []
    except Exception as error:  # by duck type, so that any implementation can be measured
        if not hasattr(error, "code"):
            raise
        problems = list(getattr(error, "problems", ()))
        refusal = Refusal(
            frozenset(problem.code for problem in problems) or frozenset([error.code]),
            frozenset(problem.index for problem in problems),
            (str(error), *(problem.message for problem in problems)),
            tuple(candidate for problem in problems for candidate in problem.candidates),
        )
        return refusal, []


Hint = Callable[[Apply, Refusal], bool]


@dataclass(frozen=True)
class Case:
    """What is tried.

    Attributes:
        kind: row of the table.
        name: of the document.
        accepted: texts that are right; empty where only a refusal is.
        codes: of a right refusal; empty where only a text is right.
        hint: whether a refusal says what its reader needs; None where nothing is needed.
        true: what the find stands for, to show.
    """

    kind: str
    name: str
    text: str
    edits: list[Edit]
    accepted: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    hint: Hint | None = None
    true: str = ""

    @property
    def is_positive(self) -> bool:
        return bool(self.accepted)


def accepted_texts(text: str, start: int, end: int, new: str, *, strict: bool) -> frozenset[str]:
    """The text with a stretch replaced; where a pair of marks stands at both its borders, with or without that pair."""
    spans = {(start, end)}
    stretch = text[start:end]
    before = re.search(r"(\*{1,3}|_{1,2}|`+)\Z", text[:start])
    if not strict:
        opening = _MARKS.match(stretch)
        if opening and stretch.endswith(opening[0]) and len(stretch) > 2 * len(opening[0]):
            spans.add((start + len(opening[0]), end - len(opening[0])))
        if before and text.startswith(before[0], end):
            spans.add((start - len(before[0]), end + len(before[0])))
    return frozenset(text[:one] + new + text[other:] for one, other in spans)
