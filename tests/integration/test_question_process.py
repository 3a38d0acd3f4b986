"""A child process that answers questions is waited for while it has something to do, and ended when it has not."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psutil
import pytest

from draftsmith.adapters.process.processor_time import processor_use_or_none
from draftsmith.adapters.server.child_environment import package_environment
from draftsmith.adapters.server.question_process import Looks, ProcessLost, QuestionProcess
from tests.timeouts import timeout

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux says how a process stands with the processor"
)

# Answers each question with itself; some it does something else for.
CHILD = """
import sys, time
from draftsmith.adapters.process.processor_time import allow_processor_seconds

def read(size):
    return sys.stdin.buffer.read(size)

while head := read(8):
    question = read(int.from_bytes(head, "big"))
    allow_processor_seconds(1)
    if question == b"sleep":
        time.sleep(600)
    while question == b"work":
        pass
    sys.stdout.buffer.write(head + question)
    sys.stdout.buffer.flush()
"""


@asynccontextmanager
async def question_process(looks: Looks | None = None, idle_seconds: float = 60) -> AsyncIterator[QuestionProcess]:
    one = QuestionProcess([sys.executable, "-P", "-c", CHILD], package_environment(), idle_seconds, looks)
    try:
        yield one
    finally:
        await one.end()


async def test_one_that_does_nothing_is_ended() -> None:
    """It neither uses nor wants the processor at each of many looks; the next question starts another."""
    async with timeout(), question_process(Looks(apart_seconds=0.02, most=10)) as one:
        await one.ask(b"first")
        before = one.pid
        with pytest.raises(ProcessLost, match="does nothing"):
            await one.ask(b"sleep")
        assert one.pid is None
        assert before is not None
        assert not psutil.pid_exists(before)
        one.looks = Looks()
        assert await one.ask(b"second") == b"second"


async def test_one_that_is_stopped_is_waited_for() -> None:
    """However long it is stopped: it would go on if it were let."""
    async with timeout(), question_process(Looks(apart_seconds=0.01, most=3)) as one:
        one.looks = Looks()
        await one.ask(b"first")
        assert one.pid is not None
        os.kill(one.pid, signal.SIGSTOP)
        while psutil.Process(one.pid).status() != psutil.STATUS_STOPPED:  # noqa: ASYNC110  # nothing says when
            await asyncio.sleep(0.01)
        one.looks, one.looked = Looks(apart_seconds=0.01, most=3), 0
        answer = asyncio.create_task(one.ask(b"second"))
        while one.looked < 30:  # noqa: ASYNC110  # as above
            await asyncio.sleep(0.01)
        assert not answer.done()
        one.looks = Looks()
        os.kill(one.pid, signal.SIGCONT)
        assert await answer == b"second"


async def test_one_that_uses_too_much_is_ended_by_the_kernel() -> None:
    """What it may use is counted in processor time, from the question on."""
    async with timeout(), question_process(Looks(apart_seconds=0.01, most=100_000)) as one:
        for number in range(3):
            assert await one.ask(b"%d" % number) == b"%d" % number
        with pytest.raises(ProcessLost) as lost:
            await one.ask(b"work")
        assert lost.value.has_used_all


async def test_one_that_was_killed_is_lost_and_has_not_used_all() -> None:
    """So it may be asked once more."""
    async with timeout(), question_process() as one:
        await one.start()
        answer = asyncio.create_task(one.ask(b"sleep"))
        while one.pid is None or not (use := processor_use_or_none(one.pid)) or not use.is_asleep:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        os.kill(one.pid, signal.SIGKILL)
        with pytest.raises(ProcessLost) as lost:
            await answer
        assert not lost.value.has_used_all


async def test_two_that_start_it_at_once_start_one() -> None:
    """One that is started in advance is the one that is asked."""
    async with timeout(), question_process() as one:
        _, answer = await asyncio.gather(one.start(), one.ask(b"question"))
        assert answer == b"question"
        children = [child for child in psutil.Process().children() if CHILD in child.cmdline()]
        assert [child.pid for child in children] == [one.pid]


async def test_one_that_cannot_be_started_is_lost() -> None:
    """Whoever asks hears of it, and the next question tries again."""
    one = QuestionProcess(["/nowhere/program"], {}, 60)
    for _ in range(2):
        with pytest.raises(ProcessLost):
            await one.ask(b"question")
        assert one.pid is None
