"""What the staging area of a run answers with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from draftsmith.assistant.answers.losses import Losses
from draftsmith.errors import ProblemOut
from draftsmith.history.lines_now import LineNow
from draftsmith.history.shapes import DiffOut
from draftsmith.transform.staged_operations import StagedOperation
from draftsmith.usecases.commits.at_head import Base


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedSummary:
    """What all staged operations do together at one revision.

    Attributes:
        base: that revision.
        operations: what is staged.
        diff: what they change together, as in the answer of a write.
        nodes: how many nodes there are without them.
        chars: how long the document is without them.
        sections_lost: how many sections the document has less with them.
        losses: what they take away together of what is there without them.
    """

    base: Base
    operations: tuple[StagedOperation, ...]
    diff: DiffOut
    nodes: int
    chars: int
    sections_lost: int
    losses: Losses


@dataclass(slots=True)
class Preview:
    """What the operations of a call that is still coming would do, staged nowhere.

    Attributes:
        operations: those that fit, as one, resolved at `base`; none at first.
        base: a revision.
    """

    operations: list[StagedOperation] = field(default_factory=list)
    base: Base | None = None


@dataclass(frozen=True, slots=True)
class StagedBatch:
    """The operations of one batch.

    Attributes:
        operations: in order.
        warnings: about them and what they touch.
        lines: for each operation, the lines of the document that it wrote, as they read after the batch.
    """

    operations: Sequence[StagedOperation]
    warnings: Sequence[ProblemOut]
    lines: Sequence[Sequence[LineNow]]
