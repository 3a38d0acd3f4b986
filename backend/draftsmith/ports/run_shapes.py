"""The JSON shapes of runs, as the API and the socket answer with them. Types alone."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.errors import ProblemOut
from draftsmith.history.shapes import ActorOut, DiffOut
from draftsmith.ports.runs import Mode, RunStatus, Workflow

RangeOut = TypedDict("RangeOut", {"from": int, "to": int})


class RunErrorOut(TypedDict):
    """Why a run failed, in the codes of docs/assistant.md; further members depend on the code."""

    code: str
    detail: str
    problems: list[ProblemOut]


class OperationOut(TypedDict):
    """One operation of a run, in words."""

    op: str
    what: str


class TokensOut(TypedDict):
    """Tokens of a run."""

    input_tokens: int
    output_tokens: int


class OutcomeOut(TypedDict):
    """What came of a run; which members there are depends on its status."""

    summary: NotRequired[str | None]
    tools_used: NotRequired[list[str] | None]
    iterations: NotRequired[int | None]
    usage: NotRequired[TokensOut | None]
    detail: NotRequired[str | None]
    revision: NotRequired[int | None]
    operations: NotRequired[list[OperationOut] | None]
    diff: NotRequired[DiffOut | None]
    warnings: NotRequired[list[ProblemOut] | None]
    proposal: NotRequired[str | None]
    reason: NotRequired[str | None]
    suggestions: NotRequired[list[str] | None]
    error: NotRequired[RunErrorOut | None]


class FocusOut(TypedDict):
    """What was selected; `range` is a stretch of the document in UTF-16 units."""

    nodes: list[str]
    edges: list[str]
    section: str | None
    range: RangeOut | None


class RunBase(TypedDict):
    """What everybody in a workspace may know of a run."""

    id: str
    status: RunStatus
    workflow: Workflow
    mode: Mode
    actor: ActorOut
    provider: str
    label: str
    model: str
    prompt_hash: str
    base_revision: int | None
    outcome: OutcomeOut | None
    created_at: str
    updated_at: str


class RunOut(RunBase):
    """A request to the assistant; `outcome` is null while it runs. `base_revision`: what it began on."""

    prompt: str
    focus: FocusOut
