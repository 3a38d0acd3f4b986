"""What can be asked of a workspace, as values: each knows how to become a transaction on a replica, and nothing else.

`prepare` runs between two awaits: it applies its steps in place and hands them over; the owner takes them back, makes
them durable and applies them again. `fetch` may wait for older log entries first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Draft, Kind
from draftsmith.history.diff import diff_of
from draftsmith.history.record import Record
from draftsmith.history.replica import Replica
from draftsmith.model.rules import lint_touched
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps import Step, take_back
from draftsmith.transform.steps_edge import AddEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps_node import AddNode, RemoveNode, SetNode
from draftsmith.transform.steps_text import EditText
from draftsmith.transform.steps_workspace import Rename
from draftsmith.usecases.commits.log_reader import LogReader


@dataclass(slots=True)
class Prepared:
    """A transaction whose steps are applied; `record` is None where there is nothing to commit."""

    steps: Sequence[Step]
    record: Record | None
    kind: Kind = "edit"
    ref: str = ""
    diff: Mapping[str, Any] = field(default_factory=dict)
    results: Sequence[Mapping[str, Any]] = ()
    warnings: Sequence[Mapping[str, Any]] = ()
    left_out: Sequence[Mapping[str, Any]] = ()

    def take_back(self, workspace: Workspace) -> None:
        """Undo the applied steps, newest first."""
        take_back(self.steps, workspace)


@dataclass(slots=True, kw_only=True)
class Request:
    """What every request carries.

    Attributes:
        batch_id: what the caller calls it; comes back in the answer.
        txid: names the transaction for ever.
        fingerprint: hash of the request body.
        actor: who asks.
        scope: whose stack it counts on, empty for none.
        dry_run: show what would happen.
        explanation: why.
        source: the door it came through.
    """

    batch_id: str
    txid: str
    fingerprint: str
    actor: Actor
    scope: str
    dry_run: bool = False
    explanation: str = ""
    source: str = "api"

    @property
    def must_run_alone(self) -> bool:
        """Whether it reads the stacks or the past, so that no uncommitted transaction may stand before it."""
        return True

    async def fetch(self, replica: Replica, past: LogReader) -> None:
        """Read from the log what `prepare` needs; the replica does not move meanwhile."""

    def stand_behind(self, others: Sequence[Prepared]) -> None:
        """Be told which transactions of the same group are applied and not committed yet, oldest first."""

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Apply to the replica's workspace, as what will be `revision`.

        Raises:
            DraftsmithError: it does not fit; the workspace is as it was.
        """
        raise NotImplementedError  # every request below says how

    def draft(self, prepared: Prepared, record: Record) -> Draft:
        """What goes into the log."""
        actor = self.actor.to_text()
        body = record.encode()
        return Draft(self.txid, self.fingerprint, actor, self.scope, prepared.kind, prepared.ref, body)

    def _record(self, what: str, prepared: Prepared, places: Sequence[Sequence[Any]], hidden: int = 0) -> Record:
        return Record(
            prepared.steps,
            what,
            self.explanation,
            self.source,
            prepared.results,
            prepared.warnings,
            prepared.left_out,
            places,
            {},
            hidden,
        )


def warnings_of(workspace: Workspace, steps: Sequence[Step]) -> list[Mapping[str, Any]]:
    """Lint of what steps touched, as JSON."""
    nodes: list[str] = []
    edges: list[str] = []
    parted: list[tuple[str, str]] = []
    removed: list[str] = []
    written: tuple[int, int] | None = None
    for step in steps:
        match step:
            case AddNode():
                nodes.append(step.id)
            case RemoveNode():
                removed.append(step.id)
            case AddEdge() | SetEdge():
                edges.append(step.id)
            case RemoveEdge():
                nodes += [step.source, step.target]
                parted.append((step.source, step.target))
            case EditText():
                written = step.written(workspace.document.text)
            case SetNode() | Rename():
                pass
            case _:
                assert_never(step)
    found = lint_touched(workspace, nodes, edges, parted, written=written, removed=removed)
    return [problem.to_json() for problem in found]


@dataclass(slots=True, kw_only=True)
class CheckpointRequest(Request):
    """Add or drop a checkpoint; a commit that changes nothing and is on no stack."""

    change: Mapping[str, Any]

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Make the commit."""
        dropped = self.change.get("drop")
        if dropped is not None and dropped not in replica.checkpoints:
            raise DraftsmithError("checkpoint_not_found", f"There is no checkpoint '{dropped}'.")
        change = dict(self.change)
        if dropped is None and change.get("revision") is None:
            change["revision"] = replica.head.revision
        name = replica.checkpoints[dropped]["name"] if dropped is not None else change["name"]
        what = f"Dropped the checkpoint “{name}”" if dropped is not None else f"Set the checkpoint “{name}”"
        prepared = Prepared((), None, "checkpoint", str(change.get("revision", "")), diff_of(()))
        prepared.results = [{"index": 0, "op": "checkpoint", "ids": [dropped or change["id"]]}]
        prepared.record = Record((), what, self.explanation, self.source, prepared.results, checkpoint=change)
        return prepared


@dataclass(slots=True, kw_only=True)
class SyncRequest(Request):
    """Change nothing; only bring the replica to where the log ends."""

    @property
    def must_run_alone(self) -> bool:
        """It fits anywhere."""
        return False

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Nothing to do."""
        return Prepared((), None)
