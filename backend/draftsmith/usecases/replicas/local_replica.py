"""The replica of one workspace on this worker: loaded from the log, kept up to date, frozen, or dropped.

Between two awaits the writer may have half a transaction in it; at every `await` it holds a revision that the log has
confirmed. Not here: when it is written to (`group_commit`), how older states are read (`log_reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Head
from draftsmith.history.record import Record
from draftsmith.history.replica import CorruptEntry, LogDiverged, Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.transform.steps.applied_steps import AppliedSteps
from draftsmith.usecases.replicas.dependencies import WriterDependencies
from draftsmith.usecases.replicas.log_reader import FrozenReplica, advance, follow, load_or_freeze

ReplicaListener = Callable[[Replica | None], None]
_logger: Final = structlog.get_logger("draftsmith.writer")


@dataclass(slots=True)
class CommitVolume:
    """How much was committed here since somebody last looked whether a snapshot is due."""

    entries: int = 0
    bytes: int = 0


class LocalReplica:
    """What a worker holds of a workspace in memory.

    The listener is called when the replica has moved along the log or was loaded anew (with the replica, which it must
    neither keep waiting nor change), and when it was dropped (with None).

    Attributes:
        replica: None until it is needed, and after it was dropped.
        corrupt: the entry that cannot be applied; the replica then stands before it, and nothing is written.
        moves: how many commits were made here.
    """

    def __init__(
        self, dependencies: WriterDependencies, workspace_id: WorkspaceId, listener: ReplicaListener | None = None
    ) -> None:
        self._log, self._counters = dependencies.log, dependencies.counters
        self._workspace_id, self._listener = workspace_id, listener
        self.replica: Replica | None = None
        self.corrupt: CorruptEntry | None = None
        self.moves = 0
        self.volume = CommitVolume()

    async def ready(self) -> Replica:
        """The replica, loaded from the log if it is not there."""
        if self.replica is None:
            self._counters.reloads += 1
            self.corrupt = None
            try:
                self.replica = await load_or_freeze(self._log, self._workspace_id)
            except FrozenReplica as frozen:
                self.replica, self.corrupt = frozen.replica, frozen.corrupt
            self.notify()
        return self.replica

    def drop(self) -> None:
        """Forget the replica, which may be wrong; the log has everything."""
        self.replica = None
        self.notify()

    def notify(self) -> None:
        """Call the listener. What it raises is logged only: the commit is durable, and its caller waits."""
        if self._listener is None:
            return
        try:
            self._listener(self.replica)
        except Exception:  # whatever a listener raises must not fail a commit
            _logger.exception("listener_failed", workspace=self._workspace_id)

    def commit(self, replica: Replica, applied: AppliedSteps, entry: Entry, record: Record) -> None:
        """Advance by an entry that was made here and is durable now."""
        applied.apply_again(replica.workspace)
        replica.settle(entry, record)
        self.moves += 1
        self.volume.entries += 1
        self.volume.bytes += len(entry.body)
        self._counters.commits += 1

    async def follow(self, replica: Replica, head: Head, missed: Sequence[Entry] = ()) -> None:
        """Advance to a head of the log, first by those entries that are known already.

        Raises:
            LogDiverged: the log is another history there.
            CorruptEntry: an entry cannot be applied; the replica stands before it.
        """
        before = replica.head
        try:
            await advance(replica, [entry for entry in missed if entry.revision > before.revision])
            await follow(self._log, self._workspace_id, replica, head.revision)
        finally:
            if replica.head != before:
                self.notify()
        if replica.head.revision == head.revision and replica.head != head:
            raise LogDiverged("same revision, another history")

    async def catch_up(self, replica: Replica) -> None:
        """Advance to where the log ends now.

        Raises:
            LogDiverged: the log is gone, is another history, or has lost its end (a failover).
            CorruptEntry: an entry cannot be applied; the replica stands before it.
        """
        meta = await self._log.meta(self._workspace_id)
        if meta is None or meta.head.epoch != replica.head.epoch or meta.head.revision < replica.head.revision:
            raise LogDiverged("the log does not lead to what is in memory")
        await self.follow(replica, meta.head)

    def is_as_new(self, head: Head, moves: int) -> bool:
        """Whether this is at least as new as the log's head, which was asked for when `moves` was what it says.

        A replica that is ahead of the log is right only if it moved while the log was asked; else the log has lost its
        tail (a failover), and the replica shows what is no longer true.
        """
        own = None if self.replica is None else self.replica.head
        if own is None or own.epoch != head.epoch or self.corrupt is not None:
            return False
        return own == head or (own.revision > head.revision and self.moves != moves)

    # -- frozen ------------------------------------------------------------------------------------------------------

    def freeze(self, corrupt: CorruptEntry) -> None:
        """Stop before an entry that cannot be applied: reads go on, writes are refused."""
        self.corrupt = corrupt

    async def is_still_frozen(self, replica: Replica) -> bool:
        """Look again: a repair, a newer epoch or a failover may have taken the bad entry away; then load anew."""
        meta = await self._log.meta(self._workspace_id)
        if meta is not None and meta.head.epoch == replica.head.epoch:
            revision = replica.head.revision
            try:
                for entry in await self._log.entries(self._workspace_id, revision, revision + 1, 1):
                    replica.advance(entry)
            except CorruptEntry as corrupt:
                self.freeze(corrupt)
                return True
        self.drop()
        return False

    def frozen_error(self) -> DraftsmithError:
        """The refusal of a write while the workspace is frozen."""
        reason = self.corrupt or "an entry of its log cannot be read"
        return DraftsmithError("frozen", f"This workspace is read only: {reason}. Run `draftsmith recover`.")
