"""The JSON shapes of runs, as the API and the socket answer with them. Types alone."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.errors import ProblemOut
from draftsmith.history.shapes import ActorOut, DiffOut
from draftsmith.ports.runs import EditMode, Mode, Rating, RunStatus, Workflow

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


class RefusedOut(TypedDict):
    """A batch that was refused and never corrected: which tool it was for, what it held, and why it did not fit.

    `problems` are those of the refusal; empty where the call could not be read at all.
    """

    tool: str
    operations: int
    why: str
    problems: list[ProblemOut]


class PartsOut(TypedDict):
    """How many of the batches that were asked for are done; a batch that was refused and then corrected counts once."""

    done: int
    of: int


class ToolCallOut(TypedDict):
    """A call of a tool as it was executed: its input, shortened to some hundred characters, and its result likewise.

    `status`: it was done, it was refused, or there is no such tool.
    """

    name: str
    input: str
    result: str
    status: Literal["ok", "refused", "unknown_tool"]


class OutcomeOut(TypedDict):
    """What came of a run; which members there are depends on its status.

    `tools_used`, `iterations` and `tool_calls` are taken from what ran; of more than a hundred calls the first are
    listed, and `tool_calls_left_out` says how many more there were. `refused` and `parts` are there where a batch was
    refused and not corrected. `fallback` names the edit mode that may be tried where three batches did not fit.
    """

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
    refused: NotRequired[list[RefusedOut] | None]
    parts: NotRequired[PartsOut | None]
    tool_calls: NotRequired[list[ToolCallOut] | None]
    tool_calls_left_out: NotRequired[int | None]
    fallback: NotRequired[Literal["regenerate"] | None]


class FocusOut(TypedDict):
    """What was selected; `range` is a stretch of the document in UTF-16 units."""

    nodes: list[str]
    edges: list[str]
    section: str | None
    range: RangeOut | None


class RunBase(TypedDict):
    """What everybody in a workspace may know of a run.

    `edit_mode` is how it edits; `rating` is what the person who asked thought of it, null where nothing was said.
    """

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
    edit_mode: EditMode
    rating: Rating | None
    created_at: str
    updated_at: str


class RunOut(RunBase):
    """A request to the assistant; `outcome` is null while it runs. `base_revision`: what it began on."""

    prompt: str
    focus: FocusOut
