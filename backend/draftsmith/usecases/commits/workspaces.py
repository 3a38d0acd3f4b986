"""The workspaces of a store: their writers on this worker, how they are created, listed and put into the trash.

The index lives in another slot than the workspaces do, so it is written before and after a workspace is created: one
that exists is always listed, and an id without a workspace is passed over and removed later (`upkeep.housekeeping`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import GENESIS, Draft, Entry, Head, chain_hash
from draftsmith.history.replica import Replica
from draftsmith.model.custom_types import NO_TYPES, CustomTypes
from draftsmith.model.fields import SparseNode
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.shapes import ExportOut
from draftsmith.model.work import TRIAL, NeedsMore, TooCostly, Work
from draftsmith.model.workspace import Workspace, WorkspaceContent, WorkspaceSummary, export_json
from draftsmith.ports import Clock, CommitLog, Conflict, DuplicateTransactions, Meta, WorkspaceIndex
from draftsmith.transform.requests.batch import Batch, parsing_batch
from draftsmith.usecases.commits.answers import answer_to, answer_to_repeat, key_reused
from draftsmith.usecases.commits.writer import Writer
from draftsmith.usecases.prepare.drawn_again import drawn_again
from draftsmith.usecases.prepare.preparer_pool import PreparerPool
from draftsmith.usecases.prepare.queue import Answer
from draftsmith.usecases.replicas.dependencies import Counters, WriterDependencies
from draftsmith.usecases.replicas.local_replica import ReplicaListener
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.replicas.slices import in_slices
from draftsmith.usecases.requests.batch_request import BatchEvidence, BatchRequest
from draftsmith.usecases.requests.client import current_client
from draftsmith.usecases.requests.costs import too_costly
from draftsmith.usecases.requests.identity import RequestIdentity, check_id, derived_id
from draftsmith.usecases.requests.request import PreparedTransaction, Request

T = TypeVar("T")
IDLE_SECONDS = 600.0
OPEN_AT_MOST = 256
# How much this worker commits to a workspace before it checks whether a snapshot is due.
_CHECK_EVERY_ENTRIES, _CHECK_EVERY_BYTES = 200, 256 * 1024


@dataclass
class Workspaces:
    """All workspaces, as one worker sees them.

    Attributes:
        worker: the name of this worker.
        after_commits: called with a workspace id after every so many commits to it; decides on snapshots.
        preparer_pool: prepares what takes long in other processes; None where this one does everything.
    """

    log: CommitLog
    index: WorkspaceIndex
    clock: Clock
    limits: WorkspaceLimits
    worker: str
    after_commits: Callable[[WorkspaceId], Any] | None = None
    counters: Counters = field(default_factory=Counters)
    preparer_pool: PreparerPool | None = None
    _writers: dict[WorkspaceId, Writer] = field(default_factory=dict, init=False)
    _listeners: dict[WorkspaceId, ReplicaListener] = field(default_factory=dict, init=False)

    # -- reading and writing one -------------------------------------------------------------------------------------

    def writer(self, workspace_id: WorkspaceId) -> Writer:
        """The writer of a workspace on this worker."""
        writer = self._writers.get(workspace_id)
        if writer is None:
            self.close_unused(room_for=1)
            dependencies = WriterDependencies(
                log=self.log, clock=self.clock, worker=self.worker, counters=self.counters
            )  # fmt: skip
            writer = Writer(dependencies, workspace_id, partial(self._notify, workspace_id), self.preparer_pool)
            self._writers[workspace_id] = writer
        return writer

    def watch(self, workspace_id: WorkspaceId, listener: ReplicaListener) -> None:
        """Register the one listener for changes of a workspace's replica (`LocalReplica`), and keep that in memory."""
        self._listeners[workspace_id] = listener

    def unwatch(self, workspace_id: WorkspaceId) -> None:
        """Remove the listener."""
        self._listeners.pop(workspace_id, None)

    def _notify(self, workspace_id: WorkspaceId, replica: Replica | None) -> None:
        listener = self._listeners.get(workspace_id)
        if listener is not None:
            listener(replica)

    @contextmanager
    def _existing(self, workspace_id: WorkspaceId) -> Iterator[Writer]:
        """The writer of a workspace, removed again if there is no such workspace."""
        check_id(workspace_id)
        try:
            yield self.writer(workspace_id)
        except DraftsmithError as error:
            if error.code == "workspace_not_found":
                self._writers.pop(workspace_id, None)
            raise

    async def submit(self, workspace_id: WorkspaceId, request: Request[Any]) -> Answer:
        """Run a request; see `Writer.submit`."""
        with self._existing(workspace_id) as writer:
            answer = await writer.submit(request)
        if answer["changed"] and not answer["dry_run"]:
            self._count_commit(workspace_id)
        return answer

    def enqueue(self, workspace_id: WorkspaceId, request: Request[Any]) -> asyncio.Future[Answer]:
        """Put a request behind those that wait, at once; see `Writer.enqueue`."""
        check_id(workspace_id)
        answer = self.writer(workspace_id).enqueue(request)
        answer.add_done_callback(partial(self._enqueue, workspace_id))
        return answer

    def _enqueue(self, workspace_id: WorkspaceId, answer: asyncio.Future[Answer]) -> None:
        if not answer.cancelled() and answer.exception() is None and answer.result()["changed"]:
            self._count_commit(workspace_id)

    async def refresh(self, workspace_id: WorkspaceId) -> None:
        """Apply the log's new entries to the replica of a workspace; see `Writer.refresh`."""
        with self._existing(workspace_id) as writer:
            await writer.refresh()

    async def read(self, workspace_id: WorkspaceId, reader: Callable[[Replica], T]) -> T:
        """Read a workspace as new as the log; see `Writer.read`."""
        with self._existing(workspace_id) as writer:
            return await writer.read(reader)

    async def compute(
        self, workspace_id: WorkspaceId, reader: Callable[[Workspace], bytes], *, is_long: bool = False
    ) -> tuple[Head, bytes]:
        """Compute something of a whole workspace as new as the log; see `Writer.compute`."""
        with self._existing(workspace_id) as writer:
            return await writer.compute(reader, is_long=is_long)

    async def compute_past(
        self, workspace_id: WorkspaceId, reader: Callable[..., bytes], revisions: Sequence[int]
    ) -> bytes:
        """Compute something of a workspace as it was at some revisions; see `Writer.compute_past`."""
        with self._existing(workspace_id) as writer:
            return await writer.compute_past(reader, revisions)

    async def log_reader(self, workspace_id: WorkspaceId, *, is_fresh: bool = True) -> tuple[Replica, LogReader]:
        """A workspace and a reader of its log; see `Writer.log_reader`."""
        with self._existing(workspace_id) as writer:
            return await writer.log_reader(is_fresh=is_fresh)

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop the memory of a workspace; the next use reads it from the log."""
        writer = self._writers.get(workspace_id)
        if writer is not None:
            writer.forget()

    async def find_commit(self, workspace_id: WorkspaceId, txid: str) -> Entry | None:
        """The entry that a transaction id became, while it is kept; None if there is none."""
        revision = await self.log.find(workspace_id, txid)
        found = await self.log.entries(workspace_id, revision - 1, revision, 1) if revision is not None else []
        return found[0] if found else None

    @property
    def open_count(self) -> int:
        """How many workspaces are in memory here."""
        return len(self._writers)

    async def close(self) -> None:
        """Finish everything that waits."""
        await asyncio.gather(*(writer.close() for writer in self._writers.values()))

    def _count_commit(self, workspace_id: WorkspaceId) -> None:
        """Call `after_commits` if enough was committed since the last call."""
        writer = self._writers.get(workspace_id)
        if writer is None or self.after_commits is None:
            return
        volume = writer.volume
        if volume.entries >= _CHECK_EVERY_ENTRIES or volume.bytes >= _CHECK_EVERY_BYTES:
            volume.entries = volume.bytes = 0
            self.after_commits(workspace_id)

    def close_unused(self, room_for: int = 0) -> None:
        """Drop from memory the workspaces unused for a while, and the longest unused beyond the bound.

        Called when another is opened, for which there is to be room, and every minute (`housekeeping`).
        """
        now = self.clock.monotonic()
        unused = [
            (writer.used_at, workspace_id)
            for workspace_id, writer in self._writers.items()
            if writer.is_idle and workspace_id not in self._listeners
        ]
        too_many = len(self._writers) + room_for - OPEN_AT_MOST
        for place, (used_at, workspace_id) in enumerate(sorted(unused, key=lambda one: one[0])):
            if place < too_many or now - used_at > IDLE_SECONDS:
                del self._writers[workspace_id]

    # -- create, list, trash -----------------------------------------------------------------------------------------

    def id_for(self, identity: RequestIdentity) -> WorkspaceId:
        """The id of the workspace that a request makes: the same for a repeat of a given one."""
        return WorkspaceId(derived_id("workspace", identity.txid) if identity.is_given else self.clock.new_id())

    async def create(
        self,
        identity: RequestIdentity,
        actor: Actor,
        *,
        name: str,
        content: WorkspaceContent,
        source: str,
        fingerprint: str,
        workspace_id: WorkspaceId | None = None,
    ) -> tuple[WorkspaceId, Answer]:
        """Create a workspace with its first commit; its id and the answer.

        Args:
            identity: a repeat of a given one finds the same workspace.
            actor: who creates it.
            name: its name.
            content: export form; `diagram` and `document` may be absent. With `flow` the diagram is laid out anew in
                that direction, if there is a layout engine.
            source: the API or page that it came through.
            fingerprint: of the request.
            workspace_id: its id, where it has a place already; by itself that of the request (`id_for`).

        Raises:
            DraftsmithError: the content does not fit, or the id was used for something else.
        """
        workspace_id = workspace_id or self.id_for(identity)
        arranging = None if self.preparer_pool is None else self.preparer_pool.arranging
        drawn = content if arranging is None else await drawn_again(arranging, content)
        batch = await in_slices(_first_batch(name, drawn, self.limits))
        request = BatchRequest(
            batch_id=identity.batch_id, txid=identity.txid, fingerprint=fingerprint, actor=actor, scope="",
            source=source, batch=batch, limits=self.limits, kind="create", prefix="/import",
        )  # fmt: skip
        epoch = self.clock.new_id()
        prepared, draft, summary = await _first_commit(self.preparer_pool, workspace_id, request, epoch)
        await self.index.add(workspace_id)
        outcome = await self.log.create(workspace_id, epoch, draft, summary)
        await self.index.add(workspace_id)  # a sweep between the two may have taken the id for a leftover
        if isinstance(outcome, Conflict):
            raise key_reused()
        found = await self.log.entries(workspace_id, 0, 1, 1)
        if not found:
            raise DraftsmithError("trimmed", "This workspace was created longer ago than is kept.")
        first = found[0]
        if first.chain != chain_hash(GENESIS, first):
            raise DraftsmithError("internal", "The store hashed the first commit differently.")
        if not isinstance(outcome, DuplicateTransactions):
            return workspace_id, answer_to(request, prepared, first.revision, changed=True)
        return workspace_id, answer_to_repeat(request, first)

    async def find_created(self, identity: RequestIdentity, fingerprint: str) -> WorkspaceId | None:
        """The workspace that the same request has made before; None if it has made none.

        Raises:
            DraftsmithError: `key_reused`, if another request has made one under this id.
        """
        workspace_id = WorkspaceId(derived_id("workspace", identity.txid))
        if not identity.is_given or await self.log.meta(workspace_id) is None:
            return None
        found = await self.log.entries(workspace_id, 0, 1, 1)
        if not found or found[0].fingerprint != fingerprint:
            raise key_reused()
        return workspace_id

    async def content_of(self, workspace_id: WorkspaceId) -> ExportOut:
        """A workspace in export form, for a copy."""
        return await self.read(workspace_id, lambda replica: export_json(replica.workspace))

    async def meta(self, workspace_id: WorkspaceId) -> Meta:
        """What the store knows of a workspace, in the trash or not.

        Raises:
            DraftsmithError: `workspace_not_found`.
        """
        check_id(workspace_id)
        meta = await self.log.meta(workspace_id)
        if meta is None:
            raise DraftsmithError("workspace_not_found", "There is no such workspace.")
        return meta

    async def set_deleted(self, workspace_id: WorkspaceId, deleted: bool) -> None:
        """Put a workspace into the trash, or take it out; doing it twice does nothing more."""
        check_id(workspace_id)
        if not await self.log.set_deleted(workspace_id, deleted):
            raise DraftsmithError("workspace_not_found", "There is no such workspace.")
        self.forget(workspace_id)  # listeners on this worker are told at once

    async def ids(self) -> tuple[Sequence[WorkspaceId], Sequence[WorkspaceId]]:
        """All workspaces that are not in the trash, and all that are; newest change first. Reads the metas of all."""
        ids = await self.index.all()
        metas = await self.log.metas(ids)
        found = [(workspace_id, meta) for workspace_id, meta in zip(ids, metas, strict=True) if meta is not None]
        found.sort(key=lambda item: (-item[1].updated_ms, item[0]))
        there = [workspace_id for workspace_id, meta in found if meta.deleted_ms is None]
        return there, [workspace_id for workspace_id, meta in found if meta.deleted_ms is not None]


def _first_batch(name: str, content: WorkspaceContent, limits: WorkspaceLimits) -> Generator[None, None, Batch]:
    """Return the batch that makes a name and a content in export form; it is parsed in slices.

    Raises:
        DraftsmithError: `invalid_request`.
    """
    operations: list[dict[str, object]] = [{"op": "rename_workspace", "name": name}]
    diagram, document = content.get("diagram"), content.get("document")
    if diagram is not None:
        edges, types = diagram.get("edges", []), {"types": diagram["types"]} if diagram.get("types") else {}
        nodes = [_without_lost_type(node, types.get("types", NO_TYPES)) for node in diagram.get("nodes") or ()]
        operations.append({"op": "replace_diagram", "nodes": nodes, "edges": edges, **types})
    if document is not None:
        eol = {"eol": document["eol"]} if document.get("eol") else {}
        operations.append({"op": "replace_document", "text": document.get("text", ""), **eol})
    return (yield from parsing_batch(operations, limits, "/import"))


def _without_lost_type(node: SparseNode, types: CustomTypes) -> SparseNode:
    """Return a node without a custom type that nothing defines; another shape is refused when it is parsed."""
    lost = node.get("custom_type") if isinstance(node, dict) else None
    if not isinstance(lost, str) or lost in types:
        return node
    node = node.copy()
    del node["custom_type"]
    return node


async def _first_commit(
    pool: PreparerPool | None, workspace_id: WorkspaceId, request: BatchRequest, epoch: str
) -> tuple[PreparedTransaction, Draft, WorkspaceSummary]:
    """Prepare the first commit of a workspace, in another process if it is large.

    Returns:
        What it becomes, what goes into the log, and the summary of the workspace with it and with who created it.

    Raises:
        DraftsmithError: the content does not fit.
    """
    replica = Replica(epoch)
    is_for_elsewhere = pool is not None and pool.is_for(request, replica)
    here = None if is_for_elsewhere else _prepared_here(pool, replica, request)
    summary: WorkspaceSummary
    if here is not None:
        prepared, body, summary = here, b"", replica.workspace.summary()
    else:
        assert pool is not None
        made = await pool.prepare(current_client(), workspace_id, request, epoch)
        if made.failure is not None:
            raise made.failure
        prepared, body, summary = made.transaction, made.body, made.summary
    if prepared.record is None:
        raise DraftsmithError("internal", "A first commit is always recorded.")
    summary = {**summary, "changed_by": request.actor.name}
    return prepared, request.draft(prepared, prepared.record, body), summary


def _prepared_here(pool: PreparerPool | None, replica: Replica, request: BatchRequest) -> PreparedTransaction | None:
    """Prepare in this process; return None if it exceeds the budget of a trial and another process can do it."""
    work = None if pool is None else Work(TRIAL, is_trial=True)
    try:
        return request.prepare(replica, BatchEvidence(), work=work)
    except NeedsMore:
        return None
    except TooCostly as error:
        raise too_costly(error) from None
