"""An agent's batch: a batch that is refused where it would overwrite what the agent has not seen, or needs a yes.

Both are checked while it is prepared, on the state that the append then checks again: whoever commits in between makes
it be prepared anew, and so refused. What the agent was shown is part of the request; it only grows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from draftsmith.agents.fence import BatchContext, Unread, unread_by
from draftsmith.agents.marks import Marks
from draftsmith.agents.own_marks import learned_by
from draftsmith.assistant.answers.decision import reason_to_propose
from draftsmith.assistant.answers.losses import losses_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry
from draftsmith.history.diff import diff_of, is_nothing, places_of
from draftsmith.history.record import decode_record
from draftsmith.history.replica import Replica
from draftsmith.model.markdown.sections import Outline, outline_of
from draftsmith.ports.runs import Mode
from draftsmith.transform.resolve import run_operations
from draftsmith.transform.resolvers.anchors import following
from draftsmith.transform.resolvers.document import show_matches_at_end
from draftsmith.transform.staged_operations import StagedOperation, clear_births
from draftsmith.transform.steps.footprint import Commits
from draftsmith.transform.steps.steps import text_step_of
from draftsmith.transform.transaction import Transaction
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.requests.batch_request import BatchEvidence, BatchRequest
from draftsmith.usecases.requests.costs import COMMITS

WAITS: Final = "waits_for_yes"
"""The code of a batch that fits and becomes a proposal; never answered."""
FARTHEST: Final = 20_000
"""Commits behind the head: what was shown longer ago counts as not shown."""
_MOST_UNREAD: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEvidence(BatchEvidence):
    """What an agent's batch needs from the log.

    Attributes:
        past: what was committed after `floor`, oldest first.
        floor: from there on it is known.
    """

    past: Commits
    floor: int


@dataclass(slots=True)
class OwnMarks:
    """The marks of what an agent's own commit made, by revision (`agents.own_marks`)."""

    marks: Mapping[int, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRequest(BatchRequest):
    """Run a batch for an agent.

    Attributes:
        marks: what it was shown.
        floor: the oldest revision among those marks that matter to this batch; None for none.
        mode: what needs a yes; None where it is to be proposed anyhow, so that nothing more is decided.
        learned: filled when it is prepared.
    """

    marks: Marks
    floor: int | None = None
    mode: Mode | None = None
    learned: OwnMarks = field(default_factory=OwnMarks)

    def is_heavy(self, replica: Replica) -> bool:
        """Also where it was shown something long ago that it may overwrite."""
        reads_many = self.floor is not None and replica.head.revision - self.floor > COMMITS
        return reads_many or BatchRequest.is_heavy(self, replica)

    async def fetch(self, replica: Replica, log: LogReader) -> AgentEvidence:
        """As of any batch; and what was committed since the agent was shown what it may overwrite."""
        common = await BatchRequest.fetch(self, replica, log)
        head = replica.head.revision
        floor = head if self.floor is None else max(min(self.floor, head), head - FARTHEST)
        try:
            entries = await log.entries_after(min(floor, head if self.base is None else self.base))
        except DraftsmithError as error:
            if error.code != "trimmed":
                raise
            entries, floor = [], head  # whatever was shown before counts as not shown
        past, own = _read(entries, self.actor.id)
        return AgentEvidence(
            since=common.since, kept_changes=common.kept_changes, passed_over=own,
            past=[one for one in past if one[0] > floor], floor=floor,
        )  # fmt: skip

    def _run(self, tx: Transaction) -> Sequence[StagedOperation]:
        """Run the operations, and tell what each of them did."""
        run_operations(tx, self.batch, self.prefix)
        show_matches_at_end(tx)
        starts = [0, *tx.ends[:-1]]
        return [
            StagedOperation(result.op, {}, "", tuple(tx.steps[start:end]), result.to_json())
            for result, start, end in zip(tx.results, starts, tx.ends, strict=True)
        ]

    def _check_base(self, tx: Transaction, replica: Replica, evidence: BatchEvidence) -> None:
        tx.finish()
        BatchRequest._check_base(self, tx, replica, evidence)

    def _check(
        self,
        tx: Transaction,
        operations: Sequence[StagedOperation],
        replica: Replica,
        evidence: BatchEvidence,
        text: str,
    ) -> None:
        """Refuse what overwrites what was not seen; then what needs a yes.

        Raises:
            DraftsmithError: `unread_change`; `waits_for_yes` with the reason.
        """
        assert isinstance(evidence, AgentEvidence)
        outline = None
        if text_step_of(tx.steps) is not None:
            outline = tx.outline_before or outline_of(text)
        spoken_of = {one for result in tx.results for one in result.to_json()["ids"]}
        around = BatchContext(
            diagram=tx.workspace.diagram, text=text, outline=outline, marks=self.marks,
            since=evidence.past, own=evidence.passed_over, floor=evidence.floor, following=following(tx),
        )  # fmt: skip
        found = unread_by(tx.steps, spoken_of, around)
        if found:
            raise _unread_error(replica.head.revision, found)
        reason = self._reason(tx, operations, text, outline)
        if reason is not None:
            raise DraftsmithError(WAITS, reason)
        self.learned.marks = learned_by(tx.steps, tx.workspace, outline, self.marks, tx.revision)

    def _reason(
        self, tx: Transaction, operations: Sequence[StagedOperation], text: str, outline: Outline | None
    ) -> str | None:
        """Why it needs a yes; by the same rule as what the assistant does."""
        if self.mode is None:
            return None
        workspace = tx.workspace
        staged = [replace(one, steps=clear_births(one.steps, tx.revision)) for one in operations]
        diff = diff_of(tx.steps, places_of(text_step_of(tx.steps), text, outline))
        if is_nothing(diff):
            return None
        after = workspace.document.outline if outline is not None else _EMPTY
        before = outline or _EMPTY
        nodes = workspace.diagram.node_count - sum(step.node_growth for step in tx.steps)
        chars = len(text.strip())
        return reason_to_propose(
            self.mode,
            staged,
            diff,
            losses_of(staged, diff, workspace.diagram, text, before, after),
            nodes=nodes,
            chars=chars,
            sections_lost=max(0, len(before.sections) - len(after.sections)),
            is_first=not nodes and not chars,
        )


_EMPTY: Final = outline_of("")


def _read(entries: Sequence[Entry], actor_id: str) -> tuple[Commits, frozenset[int]]:
    """Decode entries, and tell which are of one actor."""
    own = frozenset(entry.revision for entry in entries if actor_json(entry.actor)["id"] == actor_id)
    return [(entry.revision, decode_record(entry.body).steps) for entry in entries], own


def _unread_error(head: int, found: Sequence[Unread]) -> DraftsmithError:
    """The refusal: what is unread, each once, and every change of it that the agent has not seen."""
    by_subject = {replace(one, revision=None): one for one in sorted(found, key=lambda one: one.revision or 0)}
    several = len(by_subject) != 1
    message = (
        f"{len(by_subject)} thing{'s' if several else ''} that this batch would overwrite you have not read as "
        f"{'they are' if several else 'it is'} now. Nothing was applied."
    )
    unread = [one.to_json() for one in by_subject.values()][:_MOST_UNREAD]
    changes = [one.to_json() for one in found if one.revision is not None]
    return DraftsmithError(
        "unread_change", message, extra={"revision": head, "unread": unread, "changes": changes[-_MOST_UNREAD:]}
    )
