"""What a store may lose as it is set: the facts that a server tells, and what follows from them.

The doctor judges by the same sentences. Not here: whether the store works at all (`connection`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redis.asyncio import RedisCluster
from redis.exceptions import NoPermissionError, ResponseError

from draftsmith.ports.store import DataLossRisk

_NO_AOF = DataLossRisk(
    "appendonly",
    "The store does not write changes to its disk as they come (appendonly no), so a crash loses the newest ones.",
    "Set appendonly yes and appendfsync always.",
)
_NOT_SAID = DataLossRisk(
    "unknown",
    "The store does not say when changes are on its disk (INFO and CONFIG GET are refused).",
    "Allow its user +info and +config|get, or look there that appendfsync is always.",
)


@dataclass(frozen=True, slots=True)
class Durability:
    """What a server says of itself; None where it does not.

    Attributes:
        aof: whether it has an append-only file.
        fsync: `always`, `everysec` or `no`.
        eviction: its `maxmemory-policy`.
    """

    aof: bool | None
    fsync: str | None
    eviction: str | None


def disk_risk(said: Durability) -> DataLossRisk | None:
    """What a crash may lose; None for nothing."""
    if said.aof is False:
        return _NO_AOF
    if said.aof is None or said.fsync is None:
        return _NOT_SAID
    if said.fsync == "always":
        return None
    seconds = "the last second or two" if said.fsync == "everysec" else "what the system has not written yet"
    return DataLossRisk(
        "appendfsync",
        f"The store answers before changes are on its disk (appendfsync {said.fsync}): a power cut may lose {seconds}.",
        "Set appendfsync always.",
    )


def eviction_risk(said: Durability) -> DataLossRisk | None:
    """What it may drop when memory is short; None for nothing."""
    if said.eviction in ("noeviction", None):  # not told: `unknown` says so
        return None
    return DataLossRisk(
        "eviction",
        f"The store may drop data when its memory is short (maxmemory-policy {said.eviction}).",
        "Set maxmemory-policy noeviction.",
    )


def risks_of(said: Sequence[Durability]) -> list[DataLossRisk]:
    """What several nodes may lose; each risk once, the worst of its kind."""
    found: dict[str, DataLossRisk] = {}
    for one in said:
        for risk in (disk_risk(one), eviction_risk(one)):
            if risk is not None:
                found.setdefault(risk.code, risk)
    return [found[code] for code in sorted(found)]


async def durability_of(client: Any) -> list[Durability]:
    """Ask every primary node."""
    if not isinstance(client, RedisCluster):
        return [await _read_durability(client, {})]
    return [await _read_durability(client, {"target_nodes": node}) for node in client.get_primaries()]


async def _read_durability(client: Any, where: Mapping[str, object]) -> Durability:
    aof: bool | None = None
    fsync: str | None = None
    eviction: str | None = None
    try:
        aof = bool((await client.execute_command("INFO", "persistence", **where))["aof_enabled"])
        eviction = str((await client.execute_command("INFO", "memory", **where))["maxmemory_policy"])
        fsync = _value(await client.execute_command("CONFIG GET", "appendfsync", **where), "appendfsync")
    except (NoPermissionError, ResponseError, KeyError):
        pass  # hosted servers and narrow users refuse one or the other
    return Durability(aof, fsync, eviction)


def _value(reply: Any, name: str) -> str | None:
    """A setting out of the reply of CONFIG GET, whose shape depends on the client's."""
    pairs = reply.items() if isinstance(reply, Mapping) else zip(reply[::2], reply[1::2], strict=True)
    texts = {_text(key): _text(value) for key, value in pairs}
    return texts.get(name) or None


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
