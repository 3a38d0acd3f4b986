"""What can be asked of a workspace, as values: each knows how to become a transaction on a replica, and nothing else.

`fetch` may wait: it reads from the log what `prepare` needs and returns it as evidence. `prepare` does not wait: it
applies its steps to the replica's workspace and returns them. The writer takes them back, makes them durable and
applies them again (`group_commit`). Requests are immutable, so one can be fetched for and prepared again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar, assert_never

from draftsmith.errors import DraftsmithError, ProblemOut
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Draft, Head, Kind
from draftsmith.history.diff import diff_of
from draftsmith.history.record import Record
from draftsmith.history.replica import Replica
from draftsmith.history.shapes import DiffOut
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.markdown.anchors import HeadingLink
from draftsmith.model.rules import lint_touched
from draftsmith.model.work import Work
from draftsmith.model.workspace import Workspace, WorkspaceSummary
from draftsmith.transform.results import LeftOut, ResultOut
from draftsmith.transform.steps.applied_steps import NOTHING, AppliedSteps
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.steps.edge import InsertEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps.node import InsertNode, RemoveNode, SetNode
from draftsmith.transform.steps.steps import Step
from draftsmith.transform.steps.text import ChangeText
from draftsmith.transform.steps.workspace import Rename
from draftsmith.usecases.replicas.log_reader import LogReader

Evidence = TypeVar("Evidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedTransaction:
    """A transaction whose steps are applied.

    Attributes:
        record: None if there is nothing to commit.
        asks: what the layout engine is to be asked before this is more than a preparation, by key.
    """

    applied: AppliedSteps = NOTHING
    record: Record | None = None
    kind: Kind = "edit"
    ref: str = ""
    diff: DiffOut = field(default_factory=lambda: diff_of(()))
    results: Sequence[ResultOut] = ()
    warnings: Sequence[ProblemOut] = ()
    left_out: Sequence[LeftOut] = ()
    asks: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def steps(self) -> Sequence[Step]:
        """What was applied."""
        return self.applied.steps


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRequest:
    """What a request has become in another process, on the state that ends at `head`; nothing of it is applied here.

    Attributes:
        failure: why it does not fit there; the rest then says nothing.
        transaction: its steps are not applied yet.
        body: of the commit; empty if there is nothing to commit.
        summary: of the workspace with it.
        value: what a read has computed.
    """

    head: Head
    failure: DraftsmithError | None = None
    transaction: PreparedTransaction
    body: bytes = b""
    summary: WorkspaceSummary = field(default_factory=WorkspaceSummary)
    value: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Generic[Evidence]):
    """What every request has.

    Attributes:
        batch_id: what the caller calls it; comes back in the answer.
        txid: names the transaction for ever.
        fingerprint: hash of the request body.
        actor: who asks.
        scope: whose undo stack is meant, empty for none.
        dry_run: show what would happen.
        explanation: why.
        source: the API or page that it came through.
        connection: over which a page has sent it; empty for none (`CommitLog.claim`).
    """

    batch_id: str
    txid: str
    fingerprint: str
    actor: Actor
    scope: str
    dry_run: bool = False
    explanation: str = ""
    source: str = "api"
    connection: str = ""

    @property
    def must_run_alone(self) -> bool:
        """Whether it reads undo stacks or the log, so that no uncommitted transaction may come before it."""
        return True

    @property
    def can_repeat(self) -> bool:
        """Whether its caller has given it an id, and so may send it again to hear what became of it."""
        return bool(self.fingerprint) and not self.dry_run

    @property
    def stack(self) -> str:
        """The scope of the undo stack that the commit counts on; empty for none."""
        return self.scope

    def is_heavy(self, replica: Replica) -> bool:
        """Whether it is known, without trying, to take long on this state (`costs`)."""
        return False

    def wants_layout(self, replica: Replica) -> bool:
        """Whether it asks a layout engine where there is one."""
        return False

    def with_layouts(self, answers: Mapping[str, bytes | None]) -> Self:
        """The same, with what the layout engine has answered so far."""
        return self

    async def fetch(self, replica: Replica, log: LogReader) -> Evidence:
        """Read from the log what `prepare` needs; the replica does not move meanwhile.

        Raises:
            DraftsmithError: it cannot fit.
        """
        raise NotImplementedError

    def prepare(
        self, replica: Replica, evidence: Evidence, ahead: Sequence[PreparedTransaction] = (), work: Work | None = None
    ) -> PreparedTransaction:
        """Apply the request to the replica's workspace, as the revision after its head and those ahead.

        Args:
            replica: its workspace is changed in place, its head is not.
            evidence: what `fetch` has returned for this replica.
            ahead: transactions of the same group that are applied and not committed yet, oldest first.
            work: what it may cost; its whole budget if None.

        Raises:
            DraftsmithError: it does not fit; the workspace is as it was.
            NeedsMore: it costs more than `work` allows for a trial; the workspace is as it was.
            TooCostly: it costs more than its whole budget; the workspace is as it was.
        """
        raise NotImplementedError

    def draft(self, prepared: PreparedTransaction, record: Record, body: bytes = b"") -> Draft:
        """What goes into the log; `body`: the record, if it is encoded already."""
        return Draft(
            txid=self.txid, fingerprint=self.fingerprint, actor=self.actor.to_text(), scope=self.stack,
            kind=prepared.kind, ref=prepared.ref, body=body or record.encode(),
        )  # fmt: skip

    def _record(self, what: str, **parts: Any) -> Record:
        """The record of a commit: `what` it does in a sentence, and the other fields of `Record`."""
        return Record(what=what, explanation=self.explanation, source=self.source, **parts)


def warnings_of(
    workspace: Workspace, steps: Sequence[Step], links_left: Sequence[HeadingLink] = ()
) -> list[ProblemOut]:
    """Lint of what steps touched, as JSON; `links_left`: links whose headings they took away."""
    nodes: list[NodeId] = []
    edges: list[EdgeId] = []
    parted: list[tuple[NodeId, NodeId]] = []
    removed: list[NodeId] = []
    written: tuple[int, int] | None = None
    for step in steps:
        match step:
            case InsertNode():
                nodes.append(step.id)
            case RemoveNode():
                removed.append(step.id)
            case InsertEdge() | SetEdge():
                edges.append(step.id)
            case RemoveEdge():
                nodes += [step.source, step.target]
                parted.append((step.source, step.target))
            case ChangeText():
                written = step.span_after(workspace.document.text)
            case SetNode() | Rename() | SetType():
                pass
            case _:
                assert_never(step)
    found = lint_touched(workspace, nodes, edges, parted, span=written, removed=removed, links_left=links_left)
    return [problem.to_json() for problem in found]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointRequest(Request[None]):
    """Add or drop a checkpoint: a commit that changes nothing and is on no undo stack.

    Attributes:
        change: `{id, name, revision}` to add one (no revision: the newest), `{drop: id}` to drop one.
    """

    change: Mapping[str, Any]

    async def fetch(self, replica: Replica, log: LogReader) -> None:
        """Nothing is needed."""

    def prepare(
        self, replica: Replica, evidence: None, ahead: Sequence[PreparedTransaction] = (), work: Work | None = None
    ) -> PreparedTransaction:
        """Make the commit.

        Raises:
            DraftsmithError: `checkpoint_not_found`.
        """
        dropped = self.change.get("drop")
        if dropped is not None and dropped not in replica.checkpoints:
            raise DraftsmithError("checkpoint_not_found", f"There is no checkpoint '{dropped}'.")
        change = dict(self.change)
        if dropped is None and change.get("revision") is None:
            change["revision"] = replica.head.revision
        name = replica.checkpoints[dropped]["name"] if dropped is not None else change["name"]
        what = f"Dropped the checkpoint “{name}”" if dropped is not None else f"Set the checkpoint “{name}”"
        results: list[ResultOut] = [{"index": 0, "op": "checkpoint", "ids": [dropped or change["id"]]}]
        return PreparedTransaction(
            record=self._record(what, steps=(), results=results, checkpoint=change),
            kind="checkpoint",
            ref=str(change.get("revision", "")),
            diff=diff_of(()),
            results=results,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncRequest(Request[None]):
    """Change nothing; only bring the replica to where the log ends."""

    @property
    def must_run_alone(self) -> bool:
        """It fits into any group."""
        return False

    async def fetch(self, replica: Replica, log: LogReader) -> None:
        """Nothing is needed."""

    def prepare(
        self, replica: Replica, evidence: None, ahead: Sequence[PreparedTransaction] = (), work: Work | None = None
    ) -> PreparedTransaction:
        """Nothing to do."""
        return PreparedTransaction()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest(Request[None]):
    """Compute something of one state or of several, in another process; nothing is written.

    Attributes:
        reader: a function of a module, or a partial one, since it is pickled by its name. It is given the newest
            state, which it leaves as it is; with `revisions`, copies of those states instead.
    """

    reader: Callable[..., bytes]
    revisions: Sequence[int] = ()


_NOBODY = Actor("", "", "system")


def read_request(reader: Callable[..., bytes], revisions: Sequence[int] = ()) -> ReadRequest:
    """Make the request that computes something."""
    return ReadRequest(
        batch_id="", txid="", fingerprint="", actor=_NOBODY, scope="", reader=reader, revisions=revisions
    )
