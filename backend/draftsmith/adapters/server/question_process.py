"""A child process that answers questions, one at a time: how it is started, asked and ended.

What they send is framed (`process.frames`). The process is started when it is first asked, or before; ended when it was
not asked for a while; killed when nobody waits for its answer any more; and dies with its parent.

No clock ends a question. What a process does for it is bounded in processor time, by the kernel
(`process.processor_time`), and a process is taken for hung only if it used no processor time and wanted none at every
one of many looks. One that is stopped, or that a busy machine gives no turn, is waited for. Not here: what is asked.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from draftsmith.adapters.process.frames import LENGTH_BYTES, frame
from draftsmith.adapters.process.parent_death import with_parent_death_signal
from draftsmith.adapters.process.processor_time import ProcessorUse, processor_use_or_none
from draftsmith.adapters.process.supervise import describe_exit

_USED_ALL: Final = (-signal.SIGXCPU, -signal.SIGTRAP)
"""How a process ends that has used all that it may: by the kernel, and by V8, which stops where its heap is full."""


@dataclass(frozen=True, slots=True)
class Looks:
    """When a process that owes an answer is taken for hung.

    Attributes:
        apart_seconds: how long after one look the next one is.
        most: the number of looks in a row at which it neither used nor wanted the processor.
    """

    apart_seconds: float = 1.0
    most: int = 30


class ProcessLost(Exception):
    """The process has ended before it answered, or could not be started.

    Attributes:
        has_used_all: whether it had used all the processor time, or a script all the memory, that a question may take.
    """

    def __init__(self, reason: str, *, has_used_all: bool = False) -> None:
        super().__init__(reason)
        self.has_used_all = has_used_all


class QuestionProcess:
    """One process, or none while it is not needed.

    Attributes:
        looks: when it is taken for hung.
        looked: how often it was looked at.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], idle_seconds: float, looks: Looks | None = None
    ) -> None:
        """Start nothing yet."""
        self.looks, self.looked = looks or Looks(), 0
        self._command, self._environment, self._idle_seconds = list(command), dict(environment), idle_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._end: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def start(self) -> None:
        """Start it, unless it runs; it ends if it is not asked for a while.

        Raises:
            ProcessLost: it cannot be started.
        """
        await self._running_process()
        self._end_when_idle()

    async def ask(self, question: bytes) -> bytes:
        """Send a question and wait for the answer; cancelling this kills the process.

        Raises:
            ProcessLost: it has ended, was hung, or cannot be started. The next question starts another.
        """
        self._keep()
        process = await self._running_process()
        try:
            answer = await self._answer(process, question)
        except (asyncio.IncompleteReadError, OSError) as error:
            await self._kill(process)
            code = process.returncode or 0
            raise ProcessLost(describe_exit(code), has_used_all=code in _USED_ALL) from error
        except BaseException:
            await self._kill(process)
            raise
        self._end_when_idle()
        return answer

    async def end(self) -> None:
        """End the process and wait for it."""
        self._keep()
        if self._process is not None:
            await self._kill(self._process)

    async def _answer(self, process: asyncio.subprocess.Process, question: bytes) -> bytes:
        reading = asyncio.create_task(_exchange(process, question))
        asleep, before = 0, processor_use_or_none(process.pid)
        try:
            while not (await asyncio.wait([reading], timeout=self.looks.apart_seconds))[0]:
                self.looked += 1
                now = processor_use_or_none(process.pid)
                asleep = asleep + 1 if _has_slept(before, now) else 0
                before = now
                if asleep >= self.looks.most:
                    raise ProcessLost("it does nothing")
            return reading.result()
        finally:
            reading.cancel()

    async def _running_process(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is not None and self._process.returncode is None:
                return self._process
            pipe = asyncio.subprocess.PIPE
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *with_parent_death_signal(self._command), stdin=pipe, stdout=pipe, env=self._environment
                )
            except OSError as error:
                raise ProcessLost(f"it cannot be started: {error}") from error
            return self._process

    def _keep(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def _end_when_idle(self) -> None:
        self._keep()
        if self._process is not None:
            self._end = asyncio.get_running_loop().call_later(self._idle_seconds, _end_if_running, self._process)

    async def _kill(self, process: asyncio.subprocess.Process) -> None:
        if self._process is process:
            self._process = None
        _end_if_running(process)
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


def _has_slept(before: ProcessorUse | None, now: ProcessorUse | None) -> bool:
    """Whether a process has done nothing between two looks, and nothing but itself kept it from that."""
    return before is not None and now is not None and now.is_asleep and now.ticks == before.ticks


def _end_if_running(process: asyncio.subprocess.Process) -> None:
    """Kill a process that has not ended as far as is known.

    Not by its own `kill`: that looks first whether it has ended, and who waits for its end would then not hear how.
    """
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


async def _exchange(process: asyncio.subprocess.Process, question: bytes) -> bytes:
    """Send a question and read the answer.

    Raises:
        IncompleteReadError, OSError: the process has ended.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(frame(question))
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
    return await process.stdout.readexactly(length)
