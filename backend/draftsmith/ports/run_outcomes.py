"""The JSON shapes of what came of a run, as the store keeps it and the API answers with it. Types alone."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.errors import ProblemOut
from draftsmith.history.shapes import DiffOut


class RunErrorOut(TypedDict):
    """Why a run failed, in the codes of docs/assistant.md; further members depend on the code."""

    code: str
    detail: str
    problems: list[ProblemOut]


class OperationOut(TypedDict):
    """One operation of a run, in words."""

    op: str
    what: str


class RunTokensOut(TypedDict):
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

    `status`: it was done, it was refused, or there is no such tool. `seconds` it took, with waiting for a yes; absent
    in runs of earlier versions.
    """

    name: str
    input: str
    result: str
    status: Literal["ok", "refused", "unknown_tool"]
    seconds: NotRequired[float]


class FindingOut(TypedDict):
    """A place that has to do with what was asked, as it was checked when it was reported.

    `id`: of a node or an edge, the path of a section, the revision of a commit; empty for the text before the first
    heading. `section`: where the evidence stands in the document, empty where it stands in what `id` names. `evidence`:
    a quote, letter for letter. `name`: how the thing was called then.
    """

    kind: Literal["node", "edge", "section", "commit"]
    id: str
    section: str
    evidence: str
    why: str
    name: str


class AlternativeNameOut(TypedDict):
    """An alternative that a run recommends: the id of its proposal, and what it is called."""

    proposal: str
    title: str


class OutcomeOut(TypedDict):
    """What came of a run; which members there are depends on its status.

    `tools_used`, `iterations` and `tool_calls` are taken from what ran; of more than a hundred calls the first are
    listed, and `tool_calls_left_out` says how many more there were. `refused` and `parts` are there where a batch was
    refused and not corrected. `fallback` names the edit mode that may be tried where three batches did not fit.
    `findings`, likeliest first, are those of a run that reported some; `findings_refused` says why what it reported
    last was not taken.
    `alternatives` are what a run recommends, each a proposal, to choose from; then there is no `proposal`.
    """

    summary: NotRequired[str | None]
    tools_used: NotRequired[list[str] | None]
    iterations: NotRequired[int | None]
    usage: NotRequired[RunTokensOut | None]
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
    alternatives: NotRequired[list[AlternativeNameOut] | None]
    fallback: NotRequired[Literal["regenerate"] | None]
    findings: NotRequired[list[FindingOut] | None]
    findings_refused: NotRequired[str | None]
