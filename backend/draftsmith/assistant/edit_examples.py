"""Worked examples of edits: a request in a few words, and the operations that do it.

They are many, so that no tool carries them in its text: a model is shown those that its words find, and one for an
operation that it sent in a wrong form. Where they lie: `prompts/shared/edits`, a file for each edit tool.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_WORD: Final = re.compile(r"[^\W_]+")
_SMALL_TEXT: Final = "a an and are for from in into is it its of on or out that the them there this to with"
_SMALL: Final = frozenset(_SMALL_TEXT.split())
_MOST_FOUND: Final = 3


@dataclass(frozen=True, slots=True)
class EditExample:
    """One example.

    Attributes:
        title: what is done, in a few words.
        operations: as they are sent.
    """

    title: str
    operations: Sequence[Mapping[str, Any]]

    @property
    def text(self) -> str:
        """The title, and the operations on a line of their own."""
        return f"{self.title}\n{json.dumps(self.operations, ensure_ascii=False, separators=(',', ':'))}"


def read_edit_examples(text: str, name: str) -> tuple[EditExample, ...]:
    """Read a file: lines of titles, each with one or more lines of operations below it.

    Raises:
        ValueError: a line of operations is no list of objects; `name` says of which file.
    """
    found: list[EditExample] = []
    title = ""
    for line in text.splitlines():
        if not line.startswith("["):
            title = line.strip() or title
            continue
        try:
            operations = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{name}: '{line[:60]}' is no JSON") from error
        if not all(isinstance(one, dict) for one in operations):
            raise ValueError(f"{name}: '{line[:60]}' is no list of operations")
        found.append(EditExample(title, operations))
    return tuple(found)


def examples_about(examples: Iterable[EditExample], words: str) -> list[EditExample]:
    """The examples that have the most words of a text in their titles and operations' names; at most three."""
    wanted = _words(words)
    scored = [(len(wanted & _words(f"{one.title} {_ops(one)}")), one) for one in examples]
    best = max((score for score, _ in scored), default=0)
    return [one for score, one in scored if score and score == best][:_MOST_FOUND]


def example_of(examples: Iterable[EditExample], op: str) -> EditExample | None:
    """The shortest example that has an operation; None where none has."""
    having = [one for one in examples if any(operation.get("op") == op for operation in one.operations)]
    return min(having, key=lambda one: len(one.operations), default=None)


def _ops(example: EditExample) -> str:
    return " ".join(str(operation.get("op", "")).replace("_", " ") for operation in example.operations)


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in _WORD.findall(text.casefold())} - _SMALL
