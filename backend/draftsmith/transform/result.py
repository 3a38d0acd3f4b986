"""What one operation of a batch did."""

from __future__ import annotations

from dataclasses import dataclass, field

from draftsmith.transform.shapes import MatchOut, ResultOut


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
