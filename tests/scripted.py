"""A provider that follows a script in memory, and a clock that is set by hand: the loop without sockets or waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from draftsmith.adapters.process.system import SystemClock
from draftsmith.assistant.provider import (
    Event,
    Message,
    ProviderStatus,
    Stop,
    TextDelta,
    ToolCall,
    ToolDelta,
    ToolResult,
    ToolStart,
    TurnEnd,
    TurnRequest,
)


class HandClock(SystemClock):
    """Time that passes only by sleeping."""

    def __init__(self, ms: int = 1_790_000_000_000) -> None:
        self.ms = ms
        self.slept: list[float] = []

    def now_ms(self) -> int:
        return self.ms

    def monotonic(self) -> float:
        return self.ms / 1000

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.ms += round(1000 * seconds)
        await asyncio.sleep(0)


@dataclass(frozen=True)
class Say:
    """One turn of the script: what comes before its end, and the end.

    Attributes:
        text: said first.
        calls: tools with their inputs; a text instead of an input is broken JSON.
        stop: why it stopped; by itself `tools` or `end`.
        fails: raised after what has been said.
        tokens: in and out.
        happens: awaited before anything comes.
        chunk: characters in one piece of a call's input; 0 for the whole in one.
    """

    text: str = ""
    calls: Sequence[tuple[str, Mapping[str, Any] | str]] = ()
    stop: Stop | None = None
    fails: Exception | None = None
    tokens: tuple[int, int] = (100, 10)
    happens: Callable[[], Awaitable[None]] | None = None
    chunk: int = 0


@dataclass
class Scripted:
    """Answers as it is told to; keeps what it was sent."""

    script: Sequence[Say]
    name: str = "scripted"
    label: str = "Scripted"
    model: str = "script-1"
    reads_context: bool = True
    asked: list[TurnRequest] = field(default_factory=list)
    closed: int = 0

    def user(self, text: str) -> Message:
        return {"user": text}

    def results(self, results: Sequence[ToolResult], note: str = "") -> Message:
        return {"results": [(one.call_id, one.text, one.is_error) for one in results], "note": note}

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        number = len(self.asked)
        self.asked.append(replace(request, messages=list(request.messages)))
        say = self.script[number]
        try:
            if say.happens is not None:
                await say.happens()
            request.usage.input, request.usage.output = say.tokens
            if say.text:
                yield TextDelta(say.text)
            calls = []
            for place, (tool, given) in enumerate(say.calls):
                calls.append(_call(f"call-{number}-{place}", tool, given))
                yield ToolStart(calls[-1].id, tool)
                size = say.chunk or len(calls[-1].raw) or 1
                for at in range(0, len(calls[-1].raw), size):
                    yield ToolDelta(calls[-1].id, calls[-1].raw[at : at + size])
            if say.fails is not None:
                raise say.fails
            yield TurnEnd(say.stop or ("tools" if calls else "end"), calls, {"assistant": number})
        finally:
            self.closed += 1

    async def check(self) -> ProviderStatus:
        return ProviderStatus(True, "", "It follows a script.")


def _call(identity: str, tool: str, given: Mapping[str, Any] | str) -> ToolCall:
    if isinstance(given, str):
        return ToolCall(identity, tool, None, given)
    return ToolCall(identity, tool, given, orjson.dumps(given).decode())
