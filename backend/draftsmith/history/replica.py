"""A workspace as a worker holds it: the state, where its log ends, the stacks and the checkpoints.

A replica is a fold over the log. It moves forward one entry at a time and only if the entry joins the chain; what it
holds between two entries is a committed revision.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import orjson

from draftsmith.history.commit import GENESIS, SCHEMA_VERSION, Entry, Head, chain_hash
from draftsmith.history.record import Record, decode_record, reading_record
from draftsmith.history.undo_stacks import UndoStacks, stacks_from_json
from draftsmith.model.slices import run_slices
from draftsmith.model.workspace import Workspace, copying, dump, loading
from draftsmith.transform.steps.changeset import ChangeSet, one_after_another
from draftsmith.transform.steps.steps import StepConflict, apply, other_steps, roll_back, text_steps

TAIL = 1024
_SLICE = 500  # steps that are applied without a pause


class LogDiverged(Exception):
    """An entry does not join the chain: this replica is of another history and must be loaded anew."""


class CorruptEntry(Exception):
    """An entry joins the chain but cannot be applied; the log is readable up to the revision before it."""

    def __init__(self, revision: int, reason: str) -> None:
        super().__init__(f"revision {revision} cannot be applied: {reason}")
        self.revision, self.reason = revision, reason


class Replica:
    """One workspace at one revision."""

    __slots__ = ("checkpoints", "head", "stacks", "tail", "workspace")

    def __init__(self, epoch: str) -> None:
        self.workspace = Workspace()
        self.head = Head(epoch, 0, GENESIS)
        self.stacks = UndoStacks()
        self.checkpoints: dict[str, dict[str, Any]] = {}
        self.tail: deque[Entry] = deque(maxlen=TAIL)

    def advance(self, entry: Entry, record: Record | None = None) -> None:
        """Take the next entry in; `record`: its body, if it has been read already.

        Raises:
            LogDiverged: it is not the next one of this chain.
            CorruptEntry: it cannot be decoded or does not fit; the replica is as it was.
        """
        run_slices(self.advancing(entry, record))

    def advancing(self, entry: Entry, record: Record | None = None) -> Generator[None, None, None]:
        """As `advance`, in slices, for a replica that nobody else sees: in between it may be half changed."""
        self._check_joins(entry)
        try:
            if record is None:
                record = yield from reading_record(entry.body)
            _ = entry.ref_revision  # a number, or the fold below would stop half way
        except ValueError as error:
            raise CorruptEntry(entry.revision, str(error)) from error
        yield from self._writing(entry, record)
        self.settle(entry, record)

    def _check_joins(self, entry: Entry) -> None:
        if entry.revision != self.head.revision + 1 or chain_hash(self.head.chain, entry) != entry.chain:
            raise LogDiverged(f"revision {entry.revision} does not follow {self.head}")

    def _writing(self, entry: Entry, record: Record) -> Generator[None, None, None]:
        done = 0
        try:
            for step in record.steps:
                apply(step, self.workspace)
                done += 1
                if not done % _SLICE:
                    yield
        except (StepConflict, LookupError, TypeError, ValueError, AttributeError) as error:
            roll_back(record.steps[:done], self.workspace)
            raise CorruptEntry(entry.revision, str(error)) from error

    def settle(self, entry: Entry, record: Record) -> None:
        """Fold an entry whose steps the workspace already has."""
        self.head = Head(self.head.epoch, entry.revision, entry.chain)
        self.stacks.fold(entry)
        if record.checkpoint:
            self._fold_checkpoint(entry, record.checkpoint)
        self.tail.append(entry)

    def _fold_checkpoint(self, entry: Entry, change: Mapping[str, Any]) -> None:
        if "drop" in change:
            self.checkpoints.pop(change["drop"], None)
        else:
            self.checkpoints[change["id"]] = {**change, "ms": entry.ms}

    def tail_after(self, revision: int) -> Sequence[Entry] | None:
        """The entries after a revision, oldest first; None if the tail does not reach back so far."""
        if revision >= self.head.revision:
            return []
        if not self.tail or self.tail[0].revision > revision + 1:
            return None
        return [entry for entry in self.tail if entry.revision > revision]

    def dump(self) -> bytes:
        """The whole state, canonical: equal replicas give equal bytes."""
        content = {
            "sv": SCHEMA_VERSION,
            "workspace": dump(self.workspace),
            "stacks": self.stacks.to_json(),
            "checkpoints": self.checkpoints,
        }
        return orjson.dumps(content, option=orjson.OPT_SORT_KEYS)


def replica_from(content: bytes, head: Head) -> Replica:
    """Build the replica that `Replica.dump` described.

    Raises:
        ValueError: the bytes are damaged or of a newer release.
    """
    return run_slices(reading_replica(content, head))


def reading_replica(content: bytes, head: Head) -> Generator[None, None, Replica]:
    """As `replica_from`, in slices."""
    try:
        shape = orjson.loads(content)
        if shape["sv"] > SCHEMA_VERSION:
            raise ValueError(f"state of schema {shape['sv']}; this release reads up to {SCHEMA_VERSION}")
        yield
        replica = Replica(head.epoch)
        replica.workspace = yield from loading(shape["workspace"])
        replica.stacks = stacks_from_json(shape["stacks"])
        replica.checkpoints = shape["checkpoints"]
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged state: {error!r}") from error
    replica.head = head
    return replica


def copy_workspace(workspace: Workspace) -> Workspace:
    """A workspace of its own with the same content."""
    return run_slices(copying(workspace))


def rewind(workspace: Workspace, entries: Sequence[Entry]) -> Workspace:
    """Take the newest entries back in place. The text is written once, however often it was changed.

    Args:
        workspace: at the head.
        entries: the newest ones without a gap, newest first.

    Raises:
        CorruptEntry: an entry cannot be decoded.
    """
    texts: list[ChangeSet] = []
    for entry in entries:
        try:
            steps = decode_record(entry.body).steps
        except ValueError as error:
            raise CorruptEntry(entry.revision, str(error)) from error
        roll_back(other_steps(steps), workspace)
        texts += [step.inverse().changes for step in reversed(text_steps(steps))]
    if texts:
        workspace.document.text = one_after_another(texts).apply(workspace.document.text)
    return workspace
