"""Alternatives of a run that recommends, as values: what each is called, what speaks for it, its staged operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict

from draftsmith.transform.staged_operations import StagedJson, StagedOperation, staged_from_json
from draftsmith.usecases.commits.at_head import Base

MOST_OPTIONS: Final = 3


class OptionJson(TypedDict):
    """The JSON form of an alternative; `base` is `[epoch, revision]`."""

    title: str
    summary: str
    gains: list[str]
    costs: list[str]
    base: Sequence[Any]
    operations: list[StagedJson]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One alternative.

    Attributes:
        title: what is done, in a few words.
        summary: how it works.
        gains: what speaks for it.
        costs: what speaks against it.
        base: the revision that the operations were staged at.
        staged: the operations, for a workspace without the other alternatives.
    """

    title: str
    summary: str
    gains: Sequence[str]
    costs: Sequence[str]
    base: Base
    staged: Sequence[StagedOperation]

    def to_json(self) -> OptionJson:
        """The JSON form."""
        return {
            "title": self.title,
            "summary": self.summary,
            "gains": list(self.gains),
            "costs": list(self.costs),
            "base": self.base.to_json(),
            "operations": [one.to_json() for one in self.staged],
        }


def option_from_json(shape: OptionJson) -> Option:
    """Read what `Option.to_json` gives.

    Raises:
        LookupError, TypeError, ValueError: it is damaged or of a newer release.
    """
    return Option(
        title=shape["title"],
        summary=shape["summary"],
        gains=shape["gains"],
        costs=shape["costs"],
        base=Base(*shape["base"]),
        staged=[staged_from_json(one) for one in shape["operations"]],
    )
