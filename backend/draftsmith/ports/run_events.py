"""The events of a run, as the store keeps them and pages that watch it are sent them. Types only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Required, TypedDict

from draftsmith.errors import ProblemOut
from draftsmith.history.shapes import TextDiff
from draftsmith.ports.approvals import ApprovalJson
from draftsmith.transform.steps.shapes import AnyStep


class OperationLine(TypedDict):
    """An operation in words."""

    op: str
    what: str


class StagedLine(OperationLine):
    """A staged operation as it is shown before it is applied; `index` is its place among all that are staged."""

    index: int
    steps: Sequence[AnyStep]


class RunEventFields(TypedDict, total=False):
    """One event of a run: its type, and what events of that type say (docs/assistant.md lists them).

    `withdrawn` has numbers in `text` and `thinking`: how many UTF-16 units of each do not count.
    """

    type: Required[str]
    phase: str
    text: str
    thinking: str
    calls: Sequence[str]
    call: str
    tool: str
    plugin: str
    input: Mapping[str, object]
    ok: bool
    result: str
    seconds: float
    code: str
    problems: Sequence[ProblemOut]
    index: int
    op: str
    what: str
    steps: Sequence[AnyStep]
    operations: Sequence[Mapping[str, object]]
    left: Sequence[StagedLine]
    revision: int
    document: Sequence[TextDiff]
    title: str
    summary: str
    gains: Sequence[str]
    costs: Sequence[str]
    approval: ApprovalJson
    state: str
    by: str
    iterations: int
    input_tokens: int
    output_tokens: int
    status: str
    outcome: Mapping[str, object]
