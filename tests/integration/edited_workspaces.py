"""Workspaces with a past, for tests of snapshots and backups: real batches, a clock that can be set."""

from __future__ import annotations

import itertools
from typing import Any

from draftsmith.adapters.process.system import SystemClock
from draftsmith.history.actor import Actor
from draftsmith.history.commit import GENESIS, Draft
from draftsmith.history.record import Record
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import AppendSuccess, Blob, CommitLog, Meta, WorkspaceIndex
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.steps.node import RemoveNode
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.replicas.log_reader import load_replica
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.identity import fingerprint, identify
from draftsmith.usecases.requests.request import CheckpointRequest, Request
from draftsmith.usecases.requests.undo_requests import UndoRequest
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore

ADA = Actor("ada", "Ada", "person")
BOB = Actor("bob", "Bob", "person")
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
START_MS = 1_800_000_000_000 // DAY_MS * DAY_MS
_numbers = itertools.count(1)


class SetClock(SystemClock):
    """A clock whose wall time stands still until it is set."""

    def __init__(self, ms: int = START_MS) -> None:
        self.ms = ms

    def now_ms(self) -> int:
        return self.ms


class EditedWorkspace:
    """One workspace that is being edited."""

    def __init__(self, log: CommitLog, index: WorkspaceIndex, clock: SystemClock | None = None) -> None:
        self.log, self.index, self.clock = log, index, clock or SystemClock()
        self.workspaces = Workspaces(log, index, self.clock, WorkspaceLimits(), "test")
        self.w = ""

    async def begin(self, name: str = "Shop") -> str:
        mark = fingerprint({"name": name, "n": next(_numbers)})
        content = {"document": {"text": "# Shop\n\nSells things.\n"}}
        identity = identify(ADA, None, self.clock)
        self.w, _ = await self.workspaces.create(
            identity, ADA, name=name, content=content, source="api", fingerprint=mark
        )
        return self.w

    def _identity(self, actor: Actor) -> dict[str, Any]:
        identity = identify(actor, None, self.clock)
        mark = fingerprint(next(_numbers))
        return {
            "batch_id": identity.batch_id, "txid": identity.txid, "fingerprint": mark, "actor": actor,
            "scope": actor.id,
        }  # fmt: skip

    async def _submit(self, request: Request) -> dict[str, Any]:
        return await self.workspaces.submit(self.w, request)

    async def edit(self, *operations: dict[str, Any], actor: Actor = ADA) -> dict[str, Any]:
        batch = parse_batch(list(operations), WorkspaceLimits())
        return await self._submit(BatchRequest(**self._identity(actor), batch=batch, limits=WorkspaceLimits()))

    async def grow(self, count: int, actor: Actor = ADA) -> None:
        """Add nodes with an edge each, edit one, write text: `count` commits of several kinds."""
        for _ in range(count):
            number = next(_numbers)
            match number % 3:
                case 0:
                    place = {"x": number % 40 * 200, "y": number // 40 * 100}
                    node = {"op": "add_node", "id": f"n{number}", "type": "service", "label": f"N {number}"}
                    await self.edit({**node, "position": place, "properties": {"z": "1", "a": "2"}}, actor=actor)
                case 1:
                    text = f"Line {number} – ü 😀\n"
                    await self.edit({"op": "append_to_section", "section": "Shop", "text": text}, actor=actor)
                case _:
                    await self.edit({"op": "rename_workspace", "name": f"Shop {number}"}, actor=actor)

    async def undo(self, actor: Actor = ADA) -> dict[str, Any]:
        return await self._submit(UndoRequest(**self._identity(actor), action="undo"))

    async def redo(self, actor: Actor = ADA) -> dict[str, Any]:
        return await self._submit(UndoRequest(**self._identity(actor), action="redo"))

    async def checkpoint(self, name: str, revision: int | None = None) -> None:
        change = {"id": name, "name": name} | ({} if revision is None else {"revision": revision})
        await self._submit(CheckpointRequest(**self._identity(ADA), change=change))

    async def drop_checkpoint(self, name: str) -> None:
        await self._submit(CheckpointRequest(**self._identity(ADA), change={"drop": name}))

    async def poison(self) -> None:
        """Append an entry that joins the chain but cannot be applied."""
        meta = await self.log.meta(self.w)
        assert meta is not None
        body = Record([RemoveNode("nobody", 1, {"type": "service"}, None)], "Removed nobody").encode()
        draft = Draft(f"poison-{next(_numbers)}", "f", ADA.to_text(), "ada", "edit", "", body)
        assert isinstance(await self.log.append(self.w, meta.head, [draft], meta.summary, "x"), AppendSuccess)

    async def dump(self) -> bytes:
        return (await load_replica(self.log, self.w)).dump()

    async def move_to(self, log: CommitLog, index: WorkspaceIndex) -> EditedWorkspace:
        """Take its log, times and all, to another store; what a real server's clock would not allow."""
        meta = await self.log.meta(self.w)
        assert meta is not None
        entries = await self.log.entries(self.w, 0, meta.head.revision, meta.head.revision)
        beginning = Blob(meta.head.epoch, 0, GENESIS, 0, b"")
        await log.replace(self.w, beginning, entries, {"summary": meta.summary})
        await index.add(self.w)
        moved = EditedWorkspace(log, index, self.clock)
        moved.w = self.w
        return moved


def in_memory(ms: int = START_MS) -> tuple[EditedWorkspace, SetClock]:
    """A life whose commits are made when the clock says."""
    clock = SetClock(ms)
    store = MemoryStore(clock)
    return EditedWorkspace(MemoryCommitLog(store), MemoryIndex(store), clock), clock


async def meta_of(life: EditedWorkspace) -> Meta:
    """What the store says of a workspace, which must be there."""
    meta = await life.log.meta(life.w)
    assert meta is not None
    return meta
