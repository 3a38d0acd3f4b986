"""The JSON shapes of proposals. Types alone."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.history.shapes import ActorOut, DiffOut
from draftsmith.usecases.commits.shapes import ConflictOut, WriteAnswer

ProposalStatus = Literal["open", "accepted", "rejected"]


class DecisionOut(TypedDict):
    """Who closed a proposal; where it was accepted, as which revision and which of its operations."""

    by: ActorOut
    revision: NotRequired[int | None]
    operations: NotRequired[list[int] | None]
    of: NotRequired[int | None]


class ProposalOut(TypedDict):
    """What the assistant would do; `fit` is empty once it is closed."""

    id: str
    run: str
    status: ProposalStatus
    fit: Literal["", "fits", "conflicts"]
    conflicts: list[ConflictOut]
    reason: str
    prompt: str
    explanation: str
    summary: str
    actor: ActorOut
    count: int
    what: list[str]
    base_revision: int
    outcome: DecisionOut | None
    created_at: str
    expires_at: str


class ProposedOperation(TypedDict):
    """One operation of a proposal: as it was asked for, its steps, what it builds on, whether it fits now."""

    index: int
    op: str
    what: str
    asked: Any
    steps: list[dict[str, Any]]
    depends_on: list[int]
    fits: bool
    why: str


class ProposalFull(ProposalOut):
    """A proposal with its operations, and what they would change now; no `diff` once it is closed."""

    operations: list[ProposedOperation]
    diff: DiffOut | None


class AcceptAnswer(WriteAnswer):
    """As of any write, and which operations were taken."""

    operations: list[int]
