"""What lasts a moment, and the audit; implements `OneTimeStore`, `RateStore` and `AuditStore`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

import orjson

from draftsmith.access.folders import FolderId
from draftsmith.access.records import AuditEntry
from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.access import names
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.access import Rate

_KEPT: Final = 100_000
_YEAR_MS: Final = 366 * 24 * 3_600_000


@dataclass(frozen=True)
class RedisOneTime:
    """Values that can be taken once."""

    connection: RedisConnection

    async def put(self, name: str, value: str, life_ms: int) -> None:
        """Keep a value for a while."""
        await self.connection.write.command("SET", names.single_use_key(name), value, "PX", life_ms)

    async def take(self, name: str) -> str | None:
        """Take it away."""
        text = await self.connection.write.command("GETDEL", names.single_use_key(name))
        return None if text is None else text.decode()

    async def read(self, name: str) -> str | None:
        """Look without taking it."""
        text = await self.connection.read.command("GET", names.single_use_key(name))
        return None if text is None else text.decode()


@dataclass(frozen=True)
class RedisRates:
    """Counters of fixed windows of time."""

    connection: RedisConnection

    async def spend(self, rate: Rate) -> int:
        """Count one more; 0, or after how many milliseconds to try again."""
        [count] = await self.connection.write.script(scripts.READ_FACTS, [counter_of(rate)], ["c", rate.window_ms])
        return again_ms(rate, count)


def counter_of(rate: Rate) -> str:
    """Name the counter of the window that is now."""
    return names.rate(rate.name, rate.now_ms // rate.window_ms)


def again_ms(rate: Rate, count: int) -> int:
    """After how many milliseconds to try again, having counted so many in this window; 0 if they are not too many."""
    return 0 if count <= rate.most else rate.window_ms - rate.now_ms % rate.window_ms


@dataclass(frozen=True)
class RedisAudit:
    """The audit of each workspace, of each folder and of the installation."""

    connection: RedisConnection

    async def add(self, entry: AuditEntry) -> None:
        """Write one down, and drop what is older than a year."""
        key = _audit_of(entry.workspace_id, entry.folder_id)
        text = orjson.dumps(asdict(entry))
        await self.connection.write.command("XADD", key, "MAXLEN", "~", _KEPT, "*", "e", text)
        await self.connection.write.command("XTRIM", key, "MINID", "~", max(0, entry.at_ms - _YEAR_MS))

    async def read(
        self, workspace_id: WorkspaceId | None, before: str | None, limit: int, folder_id: FolderId | None = None
    ) -> tuple[list[AuditEntry], str | None]:
        """The newest, and the cursor of what is older."""
        end = "+" if before is None else f"({before}"
        key = _audit_of(workspace_id or "", folder_id or "")
        found = await self.connection.read.command("XREVRANGE", key, end, "-", "COUNT", limit + 1)
        entries = [AuditEntry(**orjson.loads(_value(fields))) for _, fields in found[:limit]]
        older = found[limit - 1][0].decode() if len(found) > limit else None
        return entries, older


def _audit_of(workspace_id: str, folder_id: str) -> str:
    if folder_id:
        return names.folder_audit(folder_id)
    return WorkspaceKeys(WorkspaceId(workspace_id)).audit if workspace_id else names.AUDIT


def _value(fields: list[bytes] | dict[bytes, bytes]) -> bytes:
    return fields[b"e"] if isinstance(fields, dict) else fields[1]
