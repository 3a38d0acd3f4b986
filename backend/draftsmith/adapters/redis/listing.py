"""The order of the list of workspaces in Redis; implements `ports.listing.WorkspaceList`, and marks for who writes.

All keys are in one slot, so that a stretch of the list and the marks are read at one moment. See `ports.listing`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import orjson

from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.keys import INDEX
from draftsmith.adapters.redis.pool import Argument, Pool
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.name_search import sort_key, words_of
from draftsmith.ports.listing import Key, ListQuery, ListRow, ListStretch, Order

STEM: Final = "draftsmith:{list}:"
RECENT: Final = f"{STEM}recent"
ROWS: Final = f"{STEM}rows"
FOLDERS: Final = f"{STEM}folders"
BUILT: Final = f"{STEM}built"
_MARK_MS: Final = 20_000
_FRESH_S: Final = 8.0
"""How long a mark is relied on: a write that is sent by then has been answered or given up before the mark ends."""
_MOST_KNOWN: Final = 10_000
_STEP: Final = 500


class Pools(Protocol):
    """The connections that are needed."""

    read: Pool
    write: Pool


class RecentMarks:
    """Marks workspaces as recently written, for one process."""

    def __init__(self, write: Pool, now: Callable[[], float] = time.monotonic) -> None:
        self._write, self._now = write, now
        self._until: dict[WorkspaceId, float] = {}

    async def mark(self, workspace_id: WorkspaceId) -> None:
        """See that a workspace is marked for long enough to be written once; asks the store every few seconds only."""
        now = self._now()
        if self._until.get(workspace_id, 0.0) > now:
            return
        await self._write.script(scripts.MARK_RECENT, [RECENT], [_MARK_MS, workspace_id])
        if len(self._until) >= _MOST_KNOWN:
            self._until.clear()
        self._until[workspace_id] = now + _FRESH_S


class RedisList:
    """The order of the list of one store."""

    def __init__(self, connection: Pools) -> None:
        self._pools = connection

    async def stretch(self, wanted: ListQuery, after: Key | None, count: int) -> ListStretch:
        """Find about `count` after a key; builds the list where there is none."""
        for _ in range(2):
            built, recent, rare, shelves = await self._pools.read.script(
                scripts.READ_LIST, [RECENT, ROWS, BUILT, FOLDERS], _arguments(wanted, after, count)
            )
            if built:
                break
            await self._build()
        marked = [WorkspaceId(one.decode()) for one in recent]
        if rare:
            keys = _of_rare(rare, wanted, after)
            upto = keys[count - 1] if len(keys) > count else None
            return ListStretch(_without(keys[:count], marked), marked, upto)
        lasts = [_key(shelf[1], wanted.order) for shelf in shelves if shelf[0] == b"0"]
        upto = min(lasts, default=None)
        found = [_key(text, wanted.order) for shelf in shelves for text in shelf[2:]]
        within = sorted(key for key in found if upto is None or key <= upto)
        return ListStretch(_without(within, marked), marked, upto)

    async def expired_marks(self, count: int) -> list[tuple[WorkspaceId, str]]:
        """Some of the marks whose time is over."""
        found = await self._pools.read.script(scripts.ENDED_RECENT, [RECENT], [count])
        return [(WorkspaceId(one.decode()), token.decode()) for one, token in zip(found[::2], found[1::2], strict=True)]

    async def settle(self, workspace_id: WorkspaceId, token: str, row: ListRow | None) -> bool:
        """Write a row and take the mark off."""
        arguments: list[Argument] = [STEM, workspace_id, token, b"" if row is None else _encode_row(row)]
        return bool(await self._pools.write.script(scripts.SETTLE_ROW, [RECENT, ROWS, FOLDERS], arguments))

    async def differing(self, rows: Sequence[ListRow]) -> list[WorkspaceId]:
        """Mark those whose rows say something else, as ended."""
        if not rows:
            return []
        kept = await self._pools.read.command("HMGET", ROWS, *(row.workspace_id for row in rows))
        others = [row.workspace_id for row, text in zip(rows, kept, strict=True) if text != _encode_row(row)]
        if others:
            await self._pools.write.script(scripts.MARK_RECENT, [RECENT], [0, *others])
        return others

    async def begin(self) -> None:
        """Build the list where there is none."""
        if not await self._pools.read.command("EXISTS", BUILT):
            await self._build()

    async def _build(self) -> None:
        """Mark everything, as ended: an older release kept no list, or it was lost."""
        ids = list(await self._pools.read.command("SMEMBERS", INDEX))
        for at in range(0, len(ids), _STEP):
            await self._pools.write.script(scripts.MARK_RECENT, [RECENT], [0, *ids[at : at + _STEP]])
        await self._pools.write.command("SET", BUILT, "1")


def _arguments(wanted: ListQuery, after: Key | None, count: int) -> list[Argument]:
    folders: tuple[str, ...] = ()
    which = "all"
    if wanted.folder == "":
        folders, which = tuple(sorted(wanted.not_in)), "others"
    elif wanted.folder is not None:
        folders, which = (wanted.folder,), "one"
    begin = ("", "") if after is None else (str(after[0]), after[1])
    state = "1" if wanted.in_trash else "0"
    return [STEM, wanted.order, count, state, *begin, which, len(folders), *folders, *wanted.words]


def _encode_row(row: ListRow) -> bytes:
    words = " ".join(words_of(row.name))
    state = "1" if row.is_deleted else "0"
    return orjson.dumps([str(row.updated_ms), state, sort_key(row.name), words, row.folder])


def _key(text: bytes, order: Order) -> Key:
    if order == "name":
        name, _, workspace_id = text.decode().rpartition("\0")
        return name, workspace_id
    score, _, workspace_id = text.decode().partition(" ")
    return int(score), workspace_id


def _of_rare(found: Sequence[bytes], wanted: ListQuery, after: Key | None) -> list[Key]:
    """The keys of rows that hold a rare word, as far as they are wanted, in order."""
    keys: set[Key] = set()
    for one, text in zip(found[::2], found[1::2], strict=True):
        if not text:
            continue
        updated, _, name, words, folder = orjson.loads(text)
        within = f" {words}"
        if not all(f" {word}" in within for word in wanted.words):
            continue
        if wanted.folder is not None and (folder in wanted.not_in if wanted.folder == "" else folder != wanted.folder):
            continue
        keys.add((name if wanted.order == "name" else -int(updated), one.decode()))
    return sorted(key for key in keys if after is None or key > after)


def _without(keys: Sequence[Key], marked: Sequence[Any]) -> list[Key]:
    recent = frozenset(marked)
    return [key for key in keys if key[1] not in recent]
