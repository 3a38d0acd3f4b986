"""A coalesced task: calls that are requested often are made one at a time, with a pause in between.

A request during a call leads to one more call, so whoever requests knows that a call begins afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from draftsmith.ports import Clock

_log: Final = structlog.get_logger("draftsmith.live")


class CoalescedTask:
    """Calls one function. It has a task only while a call is requested or being made."""

    def __init__(self, call: Callable[[], Awaitable[None]], clock: Clock, pause: float, name: str) -> None:
        """Make no call yet; `pause`: least seconds between the end of one call and the beginning of the next."""
        self._call, self._clock, self._pause, self._name = call, clock, pause, name
        self._is_requested = False
        self._not_before = float("-inf")
        self._task: asyncio.Task[None] | None = None

    def request(self) -> None:
        """Have the function called soon."""
        self._is_requested = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=self._name)

    async def close(self) -> None:
        """Drop what is requested and cancel the call that is being made."""
        self._is_requested = False
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    async def _run(self) -> None:
        while self._is_requested:
            wait = self._not_before - self._clock.monotonic()
            if wait > 0:
                await self._clock.sleep(wait)
            self._is_requested = False
            try:
                await self._call()
            except Exception:  # noqa: BLE001  # a defect, after which no further call would be made
                _log.exception("coalesced_call_failed", task=self._name)
            self._not_before = self._clock.monotonic() + self._pause
