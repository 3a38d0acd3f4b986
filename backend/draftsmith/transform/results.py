"""What operations did, and the JSON shapes of it, as writes answer with them and the log keeps them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12


class MatchOut(TypedDict):
    """Where a document operation matched: the rung, the section, first and last line, the text as it reads now."""

    rung: str
    section: str
    lines: list[int]
    snippet: str


class ResultOut(TypedDict):
    """What one operation did."""

    index: int
    op: str
    ids: list[str]
    removed: NotRequired[list[str] | None]
    match: NotRequired[MatchOut | None]


class LeftOut(TypedDict):
    """Something that an undo had to leave out, and why; `ids`: the nodes and edges that it speaks of."""

    what: str
    why: str
    ids: NotRequired[list[str]]


class ConflictOut(TypedDict):
    """An operation that no longer fits, and why."""

    index: int
    op: str
    what: str
    why: str


@dataclass(slots=True)
class Result:
    """What one operation did."""

    index: int
    op: str
    ids: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    match: MatchOut | None = None

    def to_json(self) -> ResultOut:
        """`{index, op, ids, removed?, match?}`."""
        shape: ResultOut = {"index": self.index, "op": self.op, "ids": self.ids}
        if self.removed:
            shape["removed"] = self.removed
        if self.match is not None:
            shape["match"] = self.match
        return shape
