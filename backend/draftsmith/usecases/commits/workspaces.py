"""The workspaces of a store: their owners on this worker, and their lives from creation to the trash.

The index lives in another slot than the workspaces do, so it is written first and again last: a workspace that exists
is always listed, and an id without a workspace is passed over and swept up later (`usecases.trash`).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Entry, chain_hash
from draftsmith.history.replica import Replica
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import Limits
from draftsmith.model.workspace import export_json
from draftsmith.ports import Clock, CommitLog, Conflict, Known, Meta, WorkspaceIndex
from draftsmith.transform.batch import Batch, parse_batch
from draftsmith.usecases.commits.answers import answer_to_repeat
from draftsmith.usecases.commits.batch_request import BatchRequest
from draftsmith.usecases.commits.log_reader import LogReader
from draftsmith.usecases.commits.queue import Answer, Counters
from draftsmith.usecases.commits.request import Request
from draftsmith.usecases.commits.writer import ReplicaListener, Writer, key_reused

T = TypeVar("T")
IDLE_SECONDS = 600.0
OPEN_AT_MOST = 256
# How much this worker commits to a workspace before it looks whether a snapshot is due.
_LOOK_EVERY_ENTRIES, _LOOK_EVERY_BYTES = 200, 256 * 1024

Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes one request of one principal the same request when it comes again.

    Attributes:
        batch_id: shown in the answer.
        txid: hash of the principal and the id that the caller gave; a fresh one where none was given.
        is_given: whether the caller gave an id.
    """

    batch_id: str
    txid: str
    is_given: bool


def identify(actor: Actor, given: str | None, clock: Clock) -> Identity:
    """Make the identity of a request."""
    batch_id = given if given is not None else clock.new_id()
    digest = hashlib.sha256(f"{len(actor.id)}:{actor.id}{batch_id}".encode()).hexdigest()
    return Identity(batch_id, digest[:32], given is not None)


def fingerprint(content: Any) -> str:
    """Hash of a request body, the same for equal JSON."""
    raw = orjson.dumps(content, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return hashlib.sha256(raw).hexdigest()[:16]


@dataclass
class Workspaces:
    """All workspaces, as one worker sees them.

    Attributes:
        after_commits: called with a workspace id now and then as it gets commits; decides on snapshots.
    """

    log: CommitLog
    index: WorkspaceIndex
    clock: Clock
    limits: Limits
    worker: str
    after_commits: Callable[[WorkspaceId], Any] | None = None
    counters: Counters = field(default_factory=Counters)
    _writers: dict[WorkspaceId, Writer] = field(default_factory=dict)
    _watchers: dict[WorkspaceId, ReplicaListener] = field(default_factory=dict)

    # -- reading and writing one -------------------------------------------------------------------------------------

    def writer(self, workspace_id: WorkspaceId) -> Writer:
        """The owner of a workspace's memory here."""
        owner = self._writers.get(workspace_id)
        if owner is None:
            self._make_room()
            tell = partial(self._moved, workspace_id)
            owner = self._writers[workspace_id] = Writer(
                self.log, workspace_id, self.worker, self.clock, self.counters, tell
            )
        return owner

    def watch(self, workspace_id: WorkspaceId, watcher: ReplicaListener) -> None:
        """Have somebody told whenever the memory of a workspace moves (`Owner`), and keep it here; one for each."""
        self._watchers[workspace_id] = watcher

    def unwatch(self, workspace_id: WorkspaceId) -> None:
        """Nobody is told any more."""
        self._watchers.pop(workspace_id, None)

    def _moved(self, workspace_id: WorkspaceId, replica: Replica | None) -> None:
        watcher = self._watchers.get(workspace_id)
        if watcher is not None:
            watcher(replica)

    @contextmanager
    def _known(self, workspace_id: WorkspaceId) -> Iterator[Writer]:
        """The owner of a workspace, let go of again if there is no such workspace."""
        check_id(workspace_id)
        try:
            yield self.writer(workspace_id)
        except DraftsmithError as error:
            if error.code == "workspace_not_found":
                self._writers.pop(workspace_id, None)
            raise

    async def submit(self, workspace_id: WorkspaceId, request: Request) -> Answer:
        """Run a request; see `Owner.submit`."""
        with self._known(workspace_id) as owner:
            answer = await owner.submit(request)
        if answer["changed"] and not answer["dry_run"]:
            self._look_after(workspace_id)
        return answer

    def enqueue(self, workspace_id: WorkspaceId, request: Request) -> asyncio.Future[Answer]:
        """Put a request behind those that wait, at once; see `Owner.enqueue`."""
        check_id(workspace_id)
        answer = self.writer(workspace_id).enqueue(request)
        answer.add_done_callback(partial(self._enqueued, workspace_id))
        return answer

    def _enqueued(self, workspace_id: WorkspaceId, answer: asyncio.Future[Answer]) -> None:
        if not answer.cancelled() and answer.exception() is None and answer.result()["changed"]:
            self._look_after(workspace_id)

    async def refresh(self, workspace_id: WorkspaceId) -> None:
        """Bring the memory of a workspace to where the log ends now; see `Owner.refresh`."""
        with self._known(workspace_id) as owner:
            await owner.refresh()

    async def read(self, workspace_id: WorkspaceId, reader: Callable[[Replica], T]) -> T:
        """Read a workspace as new as the log; see `Owner.read`."""
        with self._known(workspace_id) as owner:
            return await owner.read(reader)

    async def log_reader(self, workspace_id: WorkspaceId, *, is_fresh: bool = True) -> tuple[Replica, LogReader]:
        """A workspace and its past; see `Owner.past`."""
        with self._known(workspace_id) as owner:
            return await owner.log_reader(is_fresh=is_fresh)

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop the memory of a workspace; the next use reads it from the log."""
        owner = self._writers.get(workspace_id)
        if owner is not None:
            owner.forget()

    async def committed(self, workspace_id: WorkspaceId, txid: str) -> Entry | None:
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
        await asyncio.gather(*(owner.close() for owner in self._writers.values()))

    def _look_after(self, workspace_id: WorkspaceId) -> None:
        owner = self._writers.get(workspace_id)
        if owner is None or self.after_commits is None:
            return
        if owner.entries_since_check >= _LOOK_EVERY_ENTRIES or owner.bytes_since_check >= _LOOK_EVERY_BYTES:
            owner.entries_since_check = owner.bytes_since_check = 0
            self.after_commits(workspace_id)

    def _make_room(self) -> None:
        """Let go of what nobody has used for a while, and of the longest unused beyond the bound."""
        now = self.clock.monotonic()
        idle = [
            workspace_id
            for workspace_id, owner in self._writers.items()
            if owner.is_idle and workspace_id not in self._watchers
        ]
        idle.sort(key=lambda workspace_id: self._writers[workspace_id].used_at)
        too_many = len(self._writers) + 1 - OPEN_AT_MOST
        for place, workspace_id in enumerate(idle):
            if place < too_many or now - self._writers[workspace_id].used_at > IDLE_SECONDS:
                del self._writers[workspace_id]

    # -- their lives -------------------------------------------------------------------------------------------------

    async def create(
        self, identity: Identity, actor: Actor, name: str, content: Content, source: str, mark: str
    ) -> tuple[WorkspaceId, Answer]:
        """Create a workspace with its first commit; its id and the answer.

        Args:
            identity: a repeat of a given one finds the same workspace.
            actor: who creates it.
            name: its name.
            content: export form; `diagram` and `document` may be absent.
            source: the door it came through.
            mark: fingerprint of the request.

        Raises:
            DraftsmithError: the content does not fit, or the id was used for something else.
        """
        workspace_id = WorkspaceId(derived_id("workspace", identity.txid) if identity.is_given else self.clock.new_id())
        batch = self._first_batch(name, content)
        request = BatchRequest(
            batch_id=identity.batch_id, txid=identity.txid, fingerprint=mark, actor=actor, scope="", source=source,
            batch=batch, limits=self.limits, kind="create", prefix="/import",
        )  # fmt: skip
        replica = Replica(self.clock.new_id())
        prepared = request.prepare(replica, 1)
        if prepared.record is None:
            raise DraftsmithError("internal", "A first commit is always recorded.")
        draft = request.draft(prepared, prepared.record)
        await self.index.add(workspace_id)
        outcome = await self.log.create(workspace_id, replica.head.epoch, draft, replica.workspace.summary())
        await self.index.add(workspace_id)  # a sweep between the two may have taken the id for a leftover
        if isinstance(outcome, Conflict):
            raise key_reused()
        found = await self.log.entries(workspace_id, 0, 1, 1)
        if not found:
            raise DraftsmithError("trimmed", "This workspace was created longer ago than is kept.")
        first = found[0]
        if isinstance(outcome, Known) and first.fingerprint != mark:
            raise key_reused()
        if first.chain != chain_hash(replica.head.chain, first):
            raise DraftsmithError("internal", "The store hashed the first commit differently.")
        return workspace_id, {**answer_to_repeat(request, first), "replayed": isinstance(outcome, Known)}

    async def created(self, identity: Identity, mark: str) -> WorkspaceId | None:
        """The workspace that the same request has made before; None if it has made none.

        Raises:
            DraftsmithError: `key_reused`, if another request has made one under this id.
        """
        workspace_id = WorkspaceId(derived_id("workspace", identity.txid))
        if not identity.is_given or await self.log.meta(workspace_id) is None:
            return None
        found = await self.log.entries(workspace_id, 0, 1, 1)
        if not found or found[0].fingerprint != mark:
            raise key_reused()
        return workspace_id

    def _first_batch(self, name: str, content: Content) -> Batch:
        operations: list[dict[str, Any]] = [{"op": "rename_workspace", "name": name}]
        diagram, document = content.get("diagram"), content.get("document")
        if diagram is not None:
            edges = diagram.get("edges", [])
            operations.append({"op": "replace_diagram", "nodes": diagram.get("nodes", []), "edges": edges})
        if document is not None:
            eol = {"eol": document["eol"]} if document.get("eol") else {}
            operations.append({"op": "replace_document", "text": document.get("text", ""), **eol})
        return parse_batch(operations, self.limits, "/import")

    async def content_of(self, workspace_id: WorkspaceId) -> dict[str, Any]:
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
        self.forget(workspace_id)  # who watches it here learns of it at once

    async def list(self, query: str, in_trash: bool) -> Sequence[tuple[WorkspaceId, Meta]]:
        """All workspaces whose name holds the query, newest change first."""
        ids = await self.index.all()
        metas = await self.log.metas(ids)
        wanted = query.casefold().strip()
        found = [
            (workspace_id, meta)
            for workspace_id, meta in zip(ids, metas, strict=True)
            if meta is not None
            and (meta.deleted_ms is not None) == in_trash
            and wanted in str(meta.summary.get("name", "")).casefold()
        ]
        return sorted(found, key=lambda item: (-item[1].updated_ms, item[0]))


_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LETTERS = frozenset(_ALPHABET)


def check_id(text: str) -> WorkspaceId:
    """Give the id that a text is; refuse what cannot be one, before it becomes part of a key."""
    if len(text) != 26 or not _LETTERS.issuperset(text):
        raise DraftsmithError("workspace_not_found", "There is no such workspace.")
    return WorkspaceId(text)


def derived_id(kind: str, txid: str) -> str:
    """An id of a workspace or a run (its kind) that is the same whenever the same request asks for it."""
    number = int(hashlib.sha256(f"{kind}:{txid}".encode()).hexdigest()[:32], 16)
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))
