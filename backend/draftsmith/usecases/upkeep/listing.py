"""The list of workspaces, a page at a time: what the kept order says, merged with what was written just now.

What is not marked is as its row says (`ports.listing`), so only the metas of a page and of the few marked ones are
read.
Not here: who may see what (`api.access.gate`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import structlog

from draftsmith.errors import StorageError
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.name_search import matches, sort_key
from draftsmith.ports import Clock, CommitLog, Meta, WorkspaceIndex
from draftsmith.ports.access import WorkspaceAccessStore
from draftsmith.ports.listing import Key, ListQuery, ListRow, Order, WorkspaceListStore

Item = tuple[Key, WorkspaceId, Meta]
_MOST_AT_ONCE: Final = 500
_SETTLE_S: Final = 3.0
_STEP: Final = 100
_log: Final = structlog.get_logger("draftsmith.listing")


@dataclass
class Listing:
    """The list of one installation."""

    log: CommitLog
    order: WorkspaceListStore
    index: WorkspaceIndex
    access: WorkspaceAccessStore
    clock: Clock
    _settling: asyncio.Task[None] | None = field(default=None, init=False)

    async def walk(self, wanted: ListQuery, after: Key | None, count: int) -> AsyncIterator[Sequence[Item]]:
        """Yield the list in order, after a key, some at a time; about `count` first.

        The folder of what was written just now is not looked at; callers who ask for one do.
        """
        seen: set[WorkspaceId] = set()
        marked: dict[WorkspaceId, Meta | None] = {}
        while True:
            found = await self.order.stretch(wanted, after, count)
            fresh = [one for one in found.recent if one not in marked]
            ids = [WorkspaceId(key[1]) for key in found.rows if key[1] not in seen]
            metas = await self.log.metas([*fresh, *ids])
            marked.update(zip(fresh, metas, strict=False))
            here = {**marked, **dict(zip(ids, metas[len(fresh) :], strict=True))}
            items = [
                (key_of(workspace_id, meta, wanted.order), workspace_id, meta)
                for workspace_id, meta in here.items()
                if meta is not None and workspace_id not in seen and _is_wanted(meta, wanted)
            ]
            own = frozenset(ids)  # these stand where their rows say, also where they have changed since
            chunk = [one for one in items if one[1] in own or _is_between(after, one[0], found.upto)]
            chunk.sort(key=lambda one: one[0])
            seen.update(one[1] for one in chunk)
            yield chunk
            if found.upto is None:
                return
            after, count = found.upto, min(2 * count, _MOST_AT_ONCE)

    # -- keeping it --------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Settle what was written, every few seconds from now on."""
        self._settling = asyncio.create_task(self._settle_for_ever(), name="list of workspaces")

    async def close(self) -> None:
        """Stop; what is marked is settled by whoever comes next."""
        if self._settling is not None:
            self._settling.cancel()
            await asyncio.wait([self._settling])

    async def settle(self) -> int:
        """Write the rows of workspaces whose marks have ended, some of them; how many there were."""
        await self.order.begin()
        ended = await self.order.expired_marks(_STEP)
        rows = await self._rows([workspace_id for workspace_id, _ in ended])
        for (workspace_id, token), row in zip(ended, rows, strict=True):
            await self.order.settle(workspace_id, token, row)
        return len(ended)

    async def verify(self) -> int:
        """Compare every row with its workspace, and have those that differ written anew; how many did."""
        ids, differing = sorted(await self.index.all()), 0
        for at in range(0, len(ids), _STEP):
            rows = await self._rows(ids[at : at + _STEP])
            differing += len(await self.order.differing([row for row in rows if row is not None]))
        return differing

    async def _rows(self, ids: Sequence[WorkspaceId]) -> list[ListRow | None]:
        metas, records = await self.log.metas(ids), await self.access.many(ids)
        return [
            None
            if meta is None
            else ListRow(
                workspace_id,
                meta.updated_ms,
                meta.deleted_ms is not None,
                str(meta.summary.get("name", "")),
                "" if record is None or record.folder is None else record.folder,
            )
            for workspace_id, meta, record in zip(ids, metas, records, strict=True)
        ]

    async def _settle_for_ever(self) -> None:
        while True:
            try:
                more = await self.settle() == _STEP
            except StorageError:
                more = False
            except Exception:  # noqa: BLE001  # a defect must not stop it
                _log.exception("settling_failed")
                more = False
            await self.clock.sleep(0.02 if more else _SETTLE_S)


def key_of(workspace_id: WorkspaceId, meta: Meta, order: Order) -> Key:
    """What a workspace is sorted by; no two have the same."""
    if order == "name":
        return sort_key(str(meta.summary.get("name", ""))), workspace_id
    return -meta.updated_ms, workspace_id


def _is_between(after: Key | None, key: Key, upto: Key | None) -> bool:
    return (after is None or key > after) and (upto is None or key <= upto)


def _is_wanted(meta: Meta, wanted: ListQuery) -> bool:
    is_there = (meta.deleted_ms is not None) == wanted.in_trash
    return is_there and (not wanted.words or matches(list(wanted.words), str(meta.summary.get("name", ""))))
