"""Something that is done soon after it is asked for, never twice at once and no more often than it may be.

Asking while it is being done has it done once more: whoever asks knows that it begins after they asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from draftsmith.ports import Clock

_log: Final = structlog.get_logger("draftsmith.live")


class Errand:
    """One kind of thing to do. It has a task only while there is something to do."""

    def __init__(self, do: Callable[[], Awaitable[None]], clock: Clock, apart: float, name: str) -> None:
        """Do nothing yet; `apart`: seconds between the end of one time and the beginning of the next, at least."""
        self._do, self._clock, self._apart, self._name = do, clock, apart, name
        self._is_asked = False
        self._may_at = float("-inf")
        self._task: asyncio.Task[None] | None = None

    def ask(self) -> None:
        """Have it done."""
        self._is_asked = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=self._name)

    async def close(self) -> None:
        """Leave it; what is being done is broken off."""
        self._is_asked = False
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    async def _run(self) -> None:
        while self._is_asked:
            pause = self._may_at - self._clock.monotonic()
            if pause > 0:
                await self._clock.sleep(pause)
            self._is_asked = False
            try:
                await self._do()
            except Exception:  # noqa: BLE001  # a defect, and it would never be done again
                _log.exception("errand_failed", errand=self._name)
            self._may_at = self._clock.monotonic() + self._apart
