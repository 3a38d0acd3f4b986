"""Calls of tools that wait for a person's yes, as the store of runs keeps them: part of a run while it waits.

One contract suite (`tests/contracts/test_approvals.py`) runs on every adapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypedDict

from draftsmith.model.ids import RunId, WorkspaceId


class ApprovalJson(TypedDict):
    """The JSON form of an approval."""

    id: str
    plugin: str
    tool: str
    input: Mapping[str, object]
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A call that changes something outside of the workspace and waits for a yes.

    Attributes:
        id: `1`, `2`, … within the run.
        plugin: whose tool it is.
        tool: what the plugin calls it.
        input: what it would be called with.
        until_ms: when no yes counts any more, milliseconds since 1970.
    """

    id: str
    plugin: str
    tool: str
    input: Mapping[str, object]
    until_ms: int

    def to_json(self) -> ApprovalJson:
        """The JSON of it."""
        return {
            "id": self.id,
            "plugin": self.plugin,
            "tool": self.tool,
            "input": dict(self.input),
            "until_ms": self.until_ms,
        }


def approval_from_json(shape: ApprovalJson) -> Approval:
    """Read what `Approval.to_json` wrote."""
    return Approval(
        id=shape["id"],
        plugin=shape["plugin"],
        tool=shape["tool"],
        input=shape["input"],
        until_ms=shape["until_ms"],
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a call that waits: whether it may be made, and the name of who said so."""

    allow: bool
    by: str


class ApprovalStore(Protocol):
    """What waits for a yes, and the answers; each method is one atomic step. Times are those of the store's clock."""

    async def ask_approval(
        self, workspace_id: WorkspaceId, run_id: RunId, approval: Approval, *, worker: str, wait_ms: int
    ) -> bool:
        """Have a call wait for a yes for `wait_ms`, in place of any before; whether the run still runs, on `worker`."""
        ...

    async def answer_approval(
        self, workspace_id: WorkspaceId, run_id: RunId, approval_id: str, verdict: Verdict
    ) -> Verdict | None:
        """Answer a call that waits; the answer that counts, which is the first, None where none is waited for."""
        ...

    async def close_approval(self, workspace_id: WorkspaceId, run_id: RunId, approval_id: str) -> Verdict | None:
        """End the waiting; the answer, None where there is none. No answer is taken from then on."""
        ...
