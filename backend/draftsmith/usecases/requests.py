"""What can be asked of a workspace, as values: each knows how to become a transaction on a replica, and nothing else.

`prepare` runs between two awaits: it applies its steps in place and hands them over; the owner takes them back, makes
them durable and applies them again. `fetch` may wait for older log entries first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from draftsmith.errors import BatchRejected, DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Draft, Entry, Kind
from draftsmith.history.diff import diff_of, is_nothing, places_of
from draftsmith.history.record import Record, decode_record
from draftsmith.history.replica import Replica
from draftsmith.history.sentences import sentence_of
from draftsmith.model.limits import Limits
from draftsmith.model.rules import lint_touched
from draftsmith.model.workspace import Workspace
from draftsmith.transform.batch import Batch
from draftsmith.transform.changeset import ChangeSet, of_parts
from draftsmith.transform.compensate import compensate
from draftsmith.transform.footprint import clashes
from draftsmith.transform.resolve import run_batch
from draftsmith.transform.restore import restore
from draftsmith.transform.steps import Step
from draftsmith.transform.steps_edge import AddEdge, RemoveEdge, SetEdge
from draftsmith.transform.steps_node import AddNode, RemoveNode, SetNode
from draftsmith.transform.steps_text import EditText
from draftsmith.transform.transaction import Transaction


class Past(Protocol):
    """The log as a request may read it while it is fetched for."""

    async def entry(self, revision: int) -> Entry:
        """One entry; raises DraftsmithError `trimmed` or `revision_unknown`."""
        ...

    async def after(self, revision: int) -> Sequence[Entry]:
        """All entries after a revision, oldest first; raises as `entry`."""
        ...

    async def state(self, revision: int) -> Workspace:
        """The workspace as it was at a revision; raises as `entry`."""
        ...


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
        for step in reversed(self.steps):
            step.inverse().write(workspace)


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
    def stands_alone(self) -> bool:
        """Whether it reads the stacks or the past, so that no uncommitted transaction may stand before it."""
        return True

    async def fetch(self, replica: Replica, past: Past) -> None:
        """Read from the log what `prepare` needs; the replica does not move meanwhile."""

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


@dataclass(slots=True, kw_only=True)
class Edit(Request):
    """Run a batch of operations; `kind` is `create` for the first commit of a workspace."""

    batch: Batch
    limits: Limits
    base: int | None = None
    kind: Kind = "edit"
    prefix: str = "/operations"
    _since: dict[int, Sequence[Entry]] = field(default_factory=dict)

    @property
    def stands_alone(self) -> bool:
        """Only where it speaks of an older revision."""
        return self.base is not None or bool(self.batch.base_revisions())

    async def fetch(self, replica: Replica, past: Past) -> None:
        """Read what has happened since the revisions it speaks of."""
        self._since = {}
        for base in {*self.batch.base_revisions(), *([self.base] if self.base is not None else [])}:
            if base > replica.head.revision:
                head = replica.head.revision
                message = f"Revision {base} does not exist; the newest is {head}. Read the workspace again."
                raise DraftsmithError("stale_base", message, extra={"revision": head, "changes": []})
            self._since[base] = await past.after(base)

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Run the batch; compare with what has changed since the base."""
        workspace = replica.workspace
        text = workspace.document.text
        since = {base: _text_since(entries, text) for base, entries in self._since.items() if entries}
        tx = Transaction(workspace, revision, self.limits, by_person=self.actor.is_person, since=since)
        try:
            run_batch(tx, self.batch, self.prefix)
        except BatchRejected as rejected:
            raise self._as_stale(rejected, replica) or rejected from None
        try:
            self._check_base(tx, replica)
        except DraftsmithError:
            tx.roll_back()
            raise
        return self._prepared(tx, text)

    def _prepared(self, tx: Transaction, text: str) -> Prepared:
        steps = tx.steps
        places = places_of(next((step for step in steps if isinstance(step, EditText)), None), text)
        diff = diff_of(steps, places)
        prepared = Prepared(steps, None, self.kind, "", diff, [result.to_json() for result in tx.results])
        prepared.warnings = warnings_of(tx.workspace, steps)
        if not is_nothing(diff) or self.kind == "create":
            what = sentence_of(diff, tx.workspace.diagram) if self.kind != "create" else "Created the workspace"
            prepared.record = self._record(what, prepared, places)
        return prepared

    def _check_base(self, tx: Transaction, replica: Replica) -> None:
        if self.base is None:
            return
        since = [(entry.revision, decode_record(entry.body).steps) for entry in self._since[self.base]]
        found = clashes(tx.steps, since) if since else []
        if found:
            raise self._stale(replica, found)

    def _as_stale(self, rejected: BatchRejected, replica: Replica) -> DraftsmithError | None:
        """A batch that does not fit because of what happened since its base is stale, not wrong."""
        if self.base is None or not self._since.get(self.base):
            return None
        gone: dict[tuple[str, str], tuple[int, set[str]]] = {}
        text_at = 0
        for entry in self._since[self.base]:
            record = decode_record(entry.body)
            text_at = entry.revision if record.text_step is not None else text_at
            for step in record.steps:
                if isinstance(step, RemoveNode | AddNode | SetNode):
                    gone["node", step.id] = entry.revision, {step.id}
                elif isinstance(step, AddEdge | SetEdge):
                    gone["edge", step.id] = entry.revision, {step.id}
                elif isinstance(step, RemoveEdge):  # it may have been spoken of by its ends
                    gone["edge", step.id] = entry.revision, {step.source, step.target}
        said = [problem.message for problem in rejected.problems]
        changed = [
            {"revision": revision, "part": part, "id": name, "field": ""}
            for (part, name), (revision, names) in sorted(gone.items())
            if any(f"'{name}'" in text or all(f"'{one}'" in text for one in names) for text in said)
        ]
        in_text = ("section_not_found", "section_ambiguous", "find_not_found", "find_ambiguous")
        if text_at and any(problem.code in in_text for problem in rejected.problems):
            changed.append({"revision": text_at, "part": "document", "id": "", "field": ""})
        return self._stale(replica, changed, rejected) if changed else None

    def _stale(
        self, replica: Replica, changes: Sequence[Mapping[str, Any]], rejected: BatchRejected | None = None
    ) -> DraftsmithError:
        message = f"What this batch speaks of has changed since revision {self.base}; read again and send anew."
        extra = {"revision": replica.head.revision, "changes": changes[:100]}
        return DraftsmithError("stale_base", message, rejected.problems if rejected is not None else (), extra)


def _text_since(entries: Sequence[Entry], head_text: str) -> ChangeSet:
    """All changes of the text in some entries, as one; their last leads to the head's text."""
    steps = [step for entry in entries if (step := decode_record(entry.body).text_step) is not None]
    if not steps:
        return of_parts([(len(head_text.encode("utf-16-le", "surrogatepass")) // 2, None)])
    net = steps[0].changes
    for step in steps[1:]:
        net = net.compose(step.changes)
    return net


def warnings_of(workspace: Workspace, steps: Sequence[Step]) -> list[Mapping[str, Any]]:
    """Lint of what steps touched, as JSON."""
    nodes: list[str] = []
    edges: list[str] = []
    parted: list[tuple[str, str]] = []
    removed: list[str] = []
    text_changed = False
    for step in steps:
        if isinstance(step, AddNode):
            nodes.append(step.id)
        elif isinstance(step, RemoveNode):
            removed.append(step.id)
        elif isinstance(step, AddEdge | SetEdge):
            edges.append(step.id)
        elif isinstance(step, RemoveEdge):
            nodes += [step.source, step.target]
            parted.append((step.source, step.target))
        text_changed = text_changed or isinstance(step, EditText)
    found = lint_touched(workspace, nodes, edges, parted, text_changed=text_changed, removed=removed)
    return [problem.to_json() for problem in found]


@dataclass(slots=True, kw_only=True)
class StepBack(Request):
    """Undo, redo or revert: apply the inverse of an earlier commit as far as it still fits.

    Attributes:
        action: which of the three.
        everyone: undo the newest commit of anyone instead of one's own.
        expect: revision that the caller believes comes next; 409 `undo_moved` if it does not.
        target: for a revert, the commit to take back.
        force: overwrite fields that were changed since.
    """

    action: Kind
    everyone: bool = False
    expect: int | None = None
    target: int | None = None
    force: bool = False
    _entry: Entry | None = None
    _later: Sequence[EditText] = ()

    async def fetch(self, replica: Replica, past: Past) -> None:
        """Find the commit to take back and, if it changed the text, what changed the text since."""
        revision = self._choose(replica)
        self._entry, self._later = None, ()
        if revision is None:
            return
        self._entry = await past.entry(revision)
        if decode_record(self._entry.body).text_step is not None:
            records = [decode_record(entry.body) for entry in await past.after(revision)]
            self._later = [record.text_step for record in records if record.text_step is not None]

    def _choose(self, replica: Replica) -> int | None:
        if self.action == "revert":
            return self.target
        stacks = replica.stacks
        if self.action == "redo":
            item = stacks.next_redo(self.scope)
        else:
            item = stacks.top_of_all() if self.everyone else stacks.top(self.scope)
        revision = None if item is None else item.revision
        if self.expect is not None and revision != self.expect:
            message = f"What {self.action} would take back has changed; it is now {revision or 'nothing'}."
            extra = {"expected": self.expect, "next": revision, "revision": replica.head.revision}
            raise DraftsmithError("undo_moved", message, extra=extra)
        return revision

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Apply what still fits of the inverse."""
        entry = self._entry
        if entry is None:
            return Prepared((), None, self.action, "", diff_of(()))
        if entry.kind in ("create", "checkpoint"):
            message = (
                f"Revision {entry.revision} {'created the workspace' if entry.kind == 'create' else 'is a checkpoint'}"
            )
            raise DraftsmithError("not_revertable", f"{message}; there is nothing to take back.")
        record = decode_record(entry.body)
        text = replica.workspace.document.text
        done = compensate(replica.workspace, record.steps, self._later, force=self.force)
        places = places_of(next((step for step in done.steps if isinstance(step, EditText)), None), text)
        prepared = Prepared(done.steps, None, self.action, str(entry.revision), diff_of(done.steps, places))
        prepared.left_out = done.left_out
        prepared.warnings = warnings_of(replica.workspace, done.steps)
        if done.steps or self.action != "revert":
            hidden = 0 if done.steps else 1
            prepared.record = self._record(_what(self.action, record.what), prepared, places, hidden)
        return prepared


def _what(action: str, what: str) -> str:
    """A sentence about a step back: says what it took back, once, however often it went to and fro."""
    for said in ("Undid: ", "Redid: ", "Reverted: "):
        what = what.removeprefix(said)
    verb = {"undo": "Undid", "redo": "Redid", "revert": "Reverted"}[action]
    return f"{verb}: {what}"


@dataclass(slots=True, kw_only=True)
class Restore(Request):
    """Make the workspace what it was at a revision, as a new commit that can be undone."""

    target: int
    _wanted: Workspace | None = None

    async def fetch(self, replica: Replica, past: Past) -> None:
        """Build the old state."""
        self._wanted = await past.state(self.target)

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Apply the difference."""
        workspace, wanted = replica.workspace, self._wanted or Workspace()
        text = workspace.document.text
        steps = restore(workspace, wanted)
        places = places_of(next((step for step in steps if isinstance(step, EditText)), None), text)
        prepared = Prepared(steps, None, "restore", str(self.target), diff_of(steps, places))
        prepared.warnings = warnings_of(workspace, steps)
        if steps:
            prepared.record = self._record(f"Restored revision {self.target}", prepared, places)
        return prepared


@dataclass(slots=True, kw_only=True)
class Mark(Request):
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
class Sync(Request):
    """Change nothing; only bring the replica to where the log ends."""

    @property
    def stands_alone(self) -> bool:
        """It fits anywhere."""
        return False

    def prepare(self, replica: Replica, revision: int) -> Prepared:
        """Nothing to do."""
        return Prepared((), None)
