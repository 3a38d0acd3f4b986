"""Keeps an eye on the store: whether it is still the same one, and what it may lose as it is set.

What it finds is logged when it is found and when it changes, and is what `/readyz` and pages tell.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import structlog

from draftsmith.errors import StorageError
from draftsmith.ports import Clock
from draftsmith.ports.store import DataLossRisk, StoreConnection

_LOOK_S: Final = 2.0
_RISKS_EVERY: Final = 10  # looks
_log: Final = structlog.get_logger("draftsmith.store")


@dataclass
class StoreWatch:
    """The watch of one worker.

    Attributes:
        accepted: codes of risks that whoever runs the server has accepted; pages do not tell them.
        risks: what was found last.
        emptied: why the store must not be used any more; empty while it may be.
    """

    store: StoreConnection
    clock: Clock
    accepted: Collection[str] = ()
    risks: Sequence[DataLossRisk] = ()
    emptied: str = ""
    _watching: asyncio.Task[None] | None = field(default=None, init=False)

    @property
    def notices(self) -> Sequence[DataLossRisk]:
        """What pages are to be told."""
        return [risk for risk in self.risks if risk.code not in self.accepted]

    async def start(self) -> None:
        """Look now, and every few seconds from now on."""
        await self.look_at_risks()
        self._watching = asyncio.create_task(self._watch(), name="store watch")

    async def close(self) -> None:
        """Stop."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])

    async def look(self) -> None:
        """Look whether it is the same store, and log when it is not any more, or again."""
        try:
            await self.store.check_same()
        except StorageError as error:
            if error.code != "store_emptied":
                return  # it is away, which whoever needs it says
            if not self.emptied:
                _log.critical("store_emptied", detail=error.detail)
            self.emptied = error.detail
        else:
            if self.emptied:
                _log.warning("store_is_back", detail="The store has the data again with which this server began.")
            self.emptied = ""

    async def look_at_risks(self) -> None:
        """Ask what the store may lose, and log what is new of it."""
        try:
            found = list(await self.store.risks())
        except StorageError:
            return
        known = {risk.code: risk for risk in self.risks}
        for risk in found:
            if known.pop(risk.code, None) != risk:
                tell = _log.info if risk.code in self.accepted else _log.warning
                tell("store_may_lose", risk=risk.code, detail=risk.detail, remedy=risk.remedy)
        for code in known:
            _log.info("store_risk_is_over", risk=code)
        self.risks = found

    async def _watch(self) -> None:
        looks = 0
        while True:
            await self.clock.sleep(_LOOK_S)
            looks += 1
            try:
                await self.look()
                if looks % _RISKS_EVERY == 0:
                    await self.look_at_risks()
            except Exception:  # noqa: BLE001  # a defect must not stop it
                _log.exception("store_watch_failed")
