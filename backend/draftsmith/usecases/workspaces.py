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
from draftsmith.model.limits import Limits
from draftsmith.model.workspace import export_json
from draftsmith.ports import Clock, CommitLog, Conflict, Known, Meta, WorkspaceIndex
from draftsmith.transform.batch import Batch, parse_batch
from draftsmith.usecases.answers import answer_again
from draftsmith.usecases.edit import Edit
from draftsmith.usecases.owner import Moved, Owner, key_reused
from draftsmith.usecases.past import LogPast
from draftsmith.usecases.requests import Request
from draftsmith.usecases.tickets import Answer, Counters

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
    after_commits: Callable[[str], Any] | None = None
    counters: Counters = field(default_factory=Counters)
    _owners: dict[str, Owner] = field(default_factory=dict)
    _watchers: dict[str, Moved] = field(default_factory=dict)

    # -- reading and writing one -------------------------------------------------------------------------------------

    def owner(self, w: str) -> Owner:
        """The owner of a workspace's memory here."""
        owner = self._owners.get(w)
        if owner is None:
            self._make_room()
            tell = partial(self._moved, w)
            owner = self._owners[w] = Owner(self.log, w, self.worker, self.clock, self.counters, tell)
        return owner

    def watch(self, w: str, watcher: Moved) -> None:
        """Have somebody told whenever the memory of a workspace moves (`Owner`), and keep it here; one for each."""
        self._watchers[w] = watcher

    def unwatch(self, w: str) -> None:
        """Nobody is told any more."""
        self._watchers.pop(w, None)

    def _moved(self, w: str, replica: Replica | None) -> None:
        watcher = self._watchers.get(w)
        if watcher is not None:
            watcher(replica)

    @contextmanager
    def _known(self, w: str) -> Iterator[Owner]:
        """The owner of a workspace, let go of again if there is no such workspace."""
        check_id(w)
        try:
            yield self.owner(w)
        except DraftsmithError as error:
            if error.code == "workspace_not_found":
                self._owners.pop(w, None)
            raise

    async def submit(self, w: str, request: Request) -> Answer:
        """Run a request; see `Owner.submit`."""
        with self._known(w) as owner:
            answer = await owner.submit(request)
        if answer["changed"] and not answer["dry_run"]:
            self._look_after(w)
        return answer

    def enqueue(self, w: str, request: Request) -> asyncio.Future[Answer]:
        """Put a request behind those that wait, at once; see `Owner.enqueue`."""
        check_id(w)
        answer = self.owner(w).enqueue(request)
        answer.add_done_callback(partial(self._enqueued, w))
        return answer

    def _enqueued(self, w: str, answer: asyncio.Future[Answer]) -> None:
        if not answer.cancelled() and answer.exception() is None and answer.result()["changed"]:
            self._look_after(w)

    async def refresh(self, w: str) -> None:
        """Bring the memory of a workspace to where the log ends now; see `Owner.refresh`."""
        with self._known(w) as owner:
            await owner.refresh()

    async def read(self, w: str, reader: Callable[[Replica], T]) -> T:
        """Read a workspace as new as the log; see `Owner.read`."""
        with self._known(w) as owner:
            return await owner.read(reader)

    async def past(self, w: str, *, is_fresh: bool = True) -> tuple[Replica, LogPast]:
        """A workspace and its past; see `Owner.past`."""
        with self._known(w) as owner:
            return await owner.past(is_fresh=is_fresh)

    def forget(self, w: str) -> None:
        """Drop the memory of a workspace; the next use reads it from the log."""
        owner = self._owners.get(w)
        if owner is not None:
            owner.forget()

    async def committed(self, w: str, txid: str) -> Entry | None:
        """The entry that a transaction id became, while it is kept; None if there is none."""
        revision = await self.log.find(w, txid)
        found = await self.log.entries(w, revision - 1, revision, 1) if revision is not None else []
        return found[0] if found else None

    @property
    def open_count(self) -> int:
        """How many workspaces are in memory here."""
        return len(self._owners)

    async def close(self) -> None:
        """Finish everything that waits."""
        await asyncio.gather(*(owner.close() for owner in self._owners.values()))

    def _look_after(self, w: str) -> None:
        owner = self._owners.get(w)
        if owner is None or self.after_commits is None:
            return
        if owner.unlooked_entries >= _LOOK_EVERY_ENTRIES or owner.unlooked_bytes >= _LOOK_EVERY_BYTES:
            owner.unlooked_entries = owner.unlooked_bytes = 0
            self.after_commits(w)

    def _make_room(self) -> None:
        """Let go of what nobody has used for a while, and of the longest unused beyond the bound."""
        now = self.clock.monotonic()
        idle = [w for w, owner in self._owners.items() if owner.is_idle and w not in self._watchers]
        idle.sort(key=lambda w: self._owners[w].used_at)
        too_many = len(self._owners) + 1 - OPEN_AT_MOST
        for place, w in enumerate(idle):
            if place < too_many or now - self._owners[w].used_at > IDLE_SECONDS:
                del self._owners[w]

    # -- their lives -------------------------------------------------------------------------------------------------

    async def create(
        self, identity: Identity, actor: Actor, name: str, content: Content, source: str, mark: str
    ) -> tuple[str, Answer]:
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
        w = derived_id("workspace", identity.txid) if identity.is_given else self.clock.new_id()
        batch = self._first_batch(name, content)
        request = Edit(
            batch_id=identity.batch_id, txid=identity.txid, fingerprint=mark, actor=actor, scope="", source=source,
            batch=batch, limits=self.limits, kind="create", prefix="/import",
        )  # fmt: skip
        replica = Replica(self.clock.new_id())
        prepared = request.prepare(replica, 1)
        if prepared.record is None:
            raise DraftsmithError("internal", "A first commit is always recorded.")
        draft = request.draft(prepared, prepared.record)
        await self.index.add(w)
        outcome = await self.log.create(w, replica.head.epoch, draft, replica.workspace.summary())
        await self.index.add(w)  # a sweep between the two may have taken the id for a leftover
        if isinstance(outcome, Conflict):
            raise key_reused()
        found = await self.log.entries(w, 0, 1, 1)
        if not found:
            raise DraftsmithError("trimmed", "This workspace was created longer ago than is kept.")
        first = found[0]
        if isinstance(outcome, Known) and first.fingerprint != mark:
            raise key_reused()
        if first.chain != chain_hash(replica.head.chain, first):
            raise DraftsmithError("internal", "The store hashed the first commit differently.")
        return w, {**answer_again(request, first), "replayed": isinstance(outcome, Known)}

    async def created(self, identity: Identity, mark: str) -> str | None:
        """The workspace that the same request has made before; None if it has made none.

        Raises:
            DraftsmithError: `key_reused`, if another request has made one under this id.
        """
        w = derived_id("workspace", identity.txid)
        if not identity.is_given or await self.log.meta(w) is None:
            return None
        found = await self.log.entries(w, 0, 1, 1)
        if not found or found[0].fingerprint != mark:
            raise key_reused()
        return w

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

    async def content_of(self, w: str) -> dict[str, Any]:
        """A workspace in export form, for a copy."""
        return await self.read(w, lambda replica: export_json(replica.workspace))

    async def meta(self, w: str) -> Meta:
        """What the store knows of a workspace, in the trash or not.

        Raises:
            DraftsmithError: `workspace_not_found`.
        """
        check_id(w)
        meta = await self.log.meta(w)
        if meta is None:
            raise DraftsmithError("workspace_not_found", "There is no such workspace.")
        return meta

    async def set_deleted(self, w: str, deleted: bool) -> None:
        """Put a workspace into the trash, or take it out; doing it twice does nothing more."""
        check_id(w)
        if not await self.log.set_deleted(w, deleted):
            raise DraftsmithError("workspace_not_found", "There is no such workspace.")
        self.forget(w)  # who watches it here learns of it at once

    async def list(self, query: str, in_trash: bool) -> Sequence[tuple[str, Meta]]:
        """All workspaces whose name holds the query, newest change first."""
        ids = await self.index.all()
        metas = await self.log.metas(ids)
        wanted = query.casefold().strip()
        found = [
            (w, meta)
            for w, meta in zip(ids, metas, strict=True)
            if meta is not None
            and (meta.deleted_ms is not None) == in_trash
            and wanted in str(meta.summary.get("name", "")).casefold()
        ]
        return sorted(found, key=lambda item: (-item[1].updated_ms, item[0]))


_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LETTERS = frozenset(_ALPHABET)


def check_id(w: str) -> None:
    """Refuse what cannot be a workspace's id, before it becomes part of a key."""
    if len(w) != 26 or not _LETTERS.issuperset(w):
        raise DraftsmithError("workspace_not_found", "There is no such workspace.")


def derived_id(kind: str, txid: str) -> str:
    """An id of a workspace or a run (its kind) that is the same whenever the same request asks for it."""
    number = int(hashlib.sha256(f"{kind}:{txid}".encode()).hexdigest()[:32], 16)
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))
