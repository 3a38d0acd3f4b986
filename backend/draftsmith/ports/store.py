"""The store as a whole: whether it works, whether it is still the same one, and what it may lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

RISKS: Final = ("appendonly", "appendfsync", "eviction", "unknown")
"""The codes of `DataLossRisk`."""


@dataclass(frozen=True, slots=True)
class DataLossRisk:
    """A setting of the store with which it may lose what was acknowledged. JSON shape: its fields.

    Attributes:
        code: one of `RISKS`: `appendonly` nothing is written to disk as it comes, `appendfsync` it is only after the
            answer, `eviction` data may be dropped to make room, `unknown` the store does not say.
        detail: what may be lost, in a sentence.
        remedy: what to set.
    """

    code: str
    detail: str
    remedy: str


class StoreConnection(Protocol):
    """The store as a whole."""

    async def ping(self) -> None:
        """Answer if reads and writes work now; raises StorageError if not."""
        ...

    async def check_same(self) -> None:
        """Answer if this is the store that this process began with, with its data.

        Raises:
            StorageError: `store_emptied`; from then on every method of every port does, until that store is back.
        """
        ...

    async def risks(self) -> Sequence[DataLossRisk]:
        """What it may lose as it is set now, on any of its nodes; raises StorageError if it cannot be asked."""
        ...

    async def close(self) -> None:
        """Let go of all connections."""
        ...
