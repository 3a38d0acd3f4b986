"""The JSON shapes of one proposal with all of it. Types alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.history.shapes import DiffOut
from draftsmith.ports.proposal_shapes import ProposalOut
from draftsmith.usecases.requests.shapes import WriteAnswer


class ProposedOperation(TypedDict):
    """One operation of a proposal: as it was asked for, its steps, what it builds on, whether it fits now."""

    index: int
    op: str
    what: str
    asked: Any
    steps: list[Mapping[str, object]]
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
