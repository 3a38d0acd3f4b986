"""The JSON shapes of runs, as the API and the socket answer with them. Types alone."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.history.shapes import ActorOut
from draftsmith.ports.run_outcomes import OutcomeOut
from draftsmith.ports.runs import AboutFinding, EditMode, FocusOut, Mode, Rating, RunStatus, Workflow


class QueryErrorOut(TypedDict):
    """Why a query has no answer: `cause` is a code of docs/assistant.md, `cancelled` where somebody stopped it."""

    code: Literal["QUERY_FAILED"]
    message: str
    cause: str


class QueryOut(TypedDict):
    """The answer to a query, which is a run that asks: `run` is its id.

    `summary` is empty and `error` is there where it failed. `tools_used` and `iterations` are taken from what ran.
    """

    success: bool
    run: str
    summary: str
    tools_used: list[str]
    iterations: int
    error: NotRequired[QueryErrorOut]


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


class ApprovalOut(TypedDict):
    """A call of a plugin that changes something outside and waits for a yes, until then: `until` has the deadline."""

    id: str
    plugin: str
    tool: str
    input: dict[str, Any]
    until: str


class RunOut(RunBase):
    """A request to the assistant; `outcome` is null while it runs. `base_revision`: what it began on.

    `about`: the finding that a change was asked for, null where there is none.
    `approval` is there while it waits for a yes to a call.
    """

    prompt: str
    focus: FocusOut
    about: AboutFinding | None
    approval: NotRequired[ApprovalOut]
