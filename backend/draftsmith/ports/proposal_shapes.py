"""The JSON shapes of proposals, as the API and the socket answer with them. Types alone."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.history.shapes import ActorOut
from draftsmith.transform.results import ConflictOut

ProposalStatus = Literal["open", "accepted", "rejected", "withdrawn"]
"""withdrawn: another alternative of its group was accepted."""
ProposalOrigin = Literal["assistant", "person"]
"""assistant: a run has made it. person: somebody suggests it themselves, and `run` is empty."""


class DecisionOut(TypedDict):
    """Who closed a proposal; where it was accepted, as which revision and which of its operations.

    `instead`: the alternative that was accepted, where this one was withdrawn for it.
    """

    by: ActorOut
    revision: NotRequired[int | None]
    operations: NotRequired[list[int] | None]
    of: NotRequired[int | None]
    instead: NotRequired[str | None]


class AlternativeOut(TypedDict):
    """What makes a proposal one of several alternatives: of the run `group`, the `index`-th of `of`, from 0.

    `gains` and `costs` are what speaks for it and against it.
    """

    group: str
    index: int
    of: int
    title: str
    gains: list[str]
    costs: list[str]


class ProposalBase(TypedDict):
    """What everybody in a workspace may know of a proposal."""

    id: str
    run: str
    origin: ProposalOrigin
    status: ProposalStatus
    fit: Literal["", "fits", "conflicts"]
    conflicts: list[ConflictOut]
    reason: str
    explanation: str
    summary: str
    actor: ActorOut
    count: int
    what: list[str]
    base_revision: int
    outcome: DecisionOut | None
    created_at: str
    expires_at: str
    alternative: AlternativeOut | None


class ProposalOut(ProposalBase):
    """What waits for a yes; `fit` is empty once it is closed, `prompt` where one may not see what was asked."""

    prompt: str
