"""The tool loop: turns with a provider until it calls no more tools, or a single turn without a loop.

Which provider, which tools and what a call does are given. Histories only grow. Every failure is raised, and nothing
that a call did outlives it, since calls only stage. Not here: staging, commits, the form of events.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Final

from draftsmith.assistant.provider import (
    AIProvider,
    Event,
    Message,
    ProviderError,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
    TurnEnd,
    TurnRequest,
    Usage,
)
from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock

FAILED_IN_A_ROW: Final = 3
_TRIES: Final = 3
_LONGEST_WAIT: Final = 60.0  # seconds; a provider that asks for more is not waited for
_FIRST_PAUSE: Final = 1.0
_STOPS: Final = {
    "max_tokens": "The answer was longer than one turn may be, so it was cut off. Ask for less at once.",
    "refusal": "The model declined this request.",
    "context": "The conversation grew longer than the model can read. Ask for a smaller part.",
}


@dataclass(frozen=True, slots=True)
class RetryWait:
    """The loop waits before it tries a turn again; `code` is that of the failure."""

    seconds: float
    code: str


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Where a run is stopped: turns, seconds, tokens in and out together (0: never for these), tokens of one answer."""

    turns: int = 12
    seconds: float = 300.0
    tokens: int = 400_000
    answer_tokens: int = 16_000


@dataclass(frozen=True, slots=True)
class ExecutedCall:
    """A call that was executed."""

    tool: str
    is_error: bool


@dataclass(slots=True, kw_only=True)
class LoopResult:
    """What the turns have come to so far; held by the caller, so that a run that fails has one, too.

    `text` is the text of the newest turn that had any.
    """

    text: str = ""
    iterations: int = 0
    executed: list[ExecutedCall] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    last_message: Message = None

    @property
    def tools_used(self) -> list[str]:
        """The tools that ran, in the order of their first use."""
        return list(dict.fromkeys(one.tool for one in self.executed))


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReport:
    """How one turn went, for metrics; `status` is `ok`, `cancelled` or the code of the failure."""

    turn: int
    status: str
    stop: str
    usage: Usage
    calls: int
    first_ms: int | None
    duration_ms: int
    retries: int


@dataclass(slots=True, kw_only=True)
class LoopContext:
    """What the loop works with.

    Attributes:
        execute: executes one call; never raises for what the model did wrong.
        on_event: called with every event of the provider, and before every wait.
        on_turn: called with the report of every attempt at a turn.
        on_done: called when the model has finished; None ends the loop, a text is sent to the model.
    """

    provider: AIProvider
    system: Sequence[str]
    tools: Sequence[ToolSpec]
    execute: Callable[[ToolCall], Awaitable[ToolResult]]
    on_event: Callable[[Event | RetryWait], Awaitable[None]]
    on_turn: Callable[[TurnReport], Awaitable[None]]
    on_done: Callable[[], Awaitable[str | None]]
    clock: Clock
    limits: RunLimits = RunLimits()
    result: LoopResult = field(default_factory=LoopResult)


async def run_loop(context: LoopContext, first: str) -> LoopResult:
    """Make turns until the model has finished and `on_done` agrees.

    Raises:
        ProviderError: the provider failed.
        DraftsmithError: `refusal`, `max_tokens`, `context`, `max_turns`, `too_many_failures`, `deadline`, `run_tokens`.
    """
    messages: list[Message] = [context.provider.user(first)]
    deadline = context.clock.monotonic() + context.limits.seconds
    failures = 0
    while True:
        _check_limits(context, deadline)
        end = await _turn(context, messages, deadline)
        messages.append(end.message)
        context.result.last_message = end.message
        if end.stop in _STOPS:
            raise DraftsmithError(end.stop, _STOPS[end.stop])
        if end.stop == "pause":
            continue
        if not end.calls:
            note = await context.on_done()
            if note is None:
                return context.result
            messages.append(context.provider.user(note))
            continue
        results = [await _run(context, call) for call in end.calls]
        failures = failures + 1 if any(result.failed_batch for result in results) else 0
        if failures >= FAILED_IN_A_ROW:
            message = f"{failures} batches in a row did not fit, so the assistant was stopped."
            raise DraftsmithError("too_many_failures", message)
        messages.append(context.provider.results(results))


async def run_once(context: LoopContext, first: str) -> TurnEnd:
    """Make one turn; its calls are not executed.

    Raises:
        ProviderError: the provider failed.
        DraftsmithError: `refusal`, `max_tokens`, `context`.
    """
    end = await _turn(context, [context.provider.user(first)], context.clock.monotonic() + context.limits.seconds)
    if end.stop in _STOPS:
        raise DraftsmithError(end.stop, _STOPS[end.stop])
    return end


def _check_limits(context: LoopContext, deadline: float) -> None:
    result, limits = context.result, context.limits
    if result.iterations >= limits.turns:
        message = f"The assistant did not finish within {limits.turns} rounds. Ask for a smaller step."
        raise DraftsmithError("max_turns", message)
    if limits.tokens and result.input_tokens + result.output_tokens >= limits.tokens:
        message = f"This run used {limits.tokens:,} tokens, the limit for one (ASSISTANT_RUN_TOKENS)."
        raise DraftsmithError("run_tokens", message)
    if context.clock.monotonic() > deadline:
        raise _too_late(context)


def _too_late(context: LoopContext) -> DraftsmithError:
    message = f"The assistant did not finish within {context.limits.seconds:.0f} seconds. Ask for a smaller step."
    return DraftsmithError("deadline", message)


async def _run(context: LoopContext, call: ToolCall) -> ToolResult:
    result = await context.execute(call)
    context.result.executed.append(ExecutedCall(call.name, result.is_error))
    return result


async def _turn(context: LoopContext, messages: Sequence[Message], deadline: float) -> TurnEnd:
    """Make one turn; it is tried again as long as nothing of it was received."""
    context.result.iterations += 1
    for tried in range(_TRIES):
        attempt = _Attempt(context, messages, tried)
        try:
            return await attempt.make(deadline)
        except ProviderError as error:
            pause = error.retry_after if error.retry_after is not None else _FIRST_PAUSE * 2**tried
            is_last = tried == _TRIES - 1 or pause > _LONGEST_WAIT or context.clock.monotonic() + pause > deadline
            if attempt.has_begun or not error.is_transient or is_last:
                raise
            await context.on_event(RetryWait(pause, error.code))
            await context.clock.sleep(pause)
    raise AssertionError("the last attempt returns or raises")


class _Attempt:
    """One attempt at a turn, reported however it ends."""

    def __init__(self, context: LoopContext, messages: Sequence[Message], tried: int) -> None:
        self._context, self._tried = context, tried
        limits = context.limits
        self._request = TurnRequest(context.system, context.tools, messages, limits.answer_tokens)
        self._began = context.clock.monotonic()
        self._text = ""
        self._first_ms: int | None = None

    @property
    def has_begun(self) -> bool:
        """Whether anything was received."""
        return self._first_ms is not None

    async def make(self, deadline: float) -> TurnEnd:
        end: TurnEnd | None = None
        status = "cancelled"
        try:
            async with aclosing(self._context.provider.turn(self._request)) as events:  # type: ignore[type-var]
                async for event in events:
                    if self._first_ms is None:
                        self._first_ms = self._elapsed()
                    if isinstance(event, TurnEnd):
                        end = event
                        continue
                    await self._handle(event)
                    if self._context.clock.monotonic() > deadline:
                        status = "deadline"
                        raise _too_late(self._context)
            if end is None:
                raise ProviderError("network", "The answer was cut off before it was complete.")
            status = "ok"
            return end
        except DraftsmithError as error:
            status = error.code
            raise
        finally:
            await self._report(status, end)

    async def _handle(self, event: Event) -> None:
        if isinstance(event, TextDelta | ThinkingDelta):
            event = replace(event, text=_without_lone_surrogates(event.text))
        if isinstance(event, TextDelta):
            self._text += event.text
            self._context.result.text = self._text.strip() or self._context.result.text
        await self._context.on_event(event)

    async def _report(self, status: str, end: TurnEnd | None) -> None:
        usage = self._request.usage
        result = self._context.result
        result.input_tokens += usage.input
        result.output_tokens += usage.output
        stop, calls = ("", 0) if end is None else (end.stop, len(end.calls))
        await self._context.on_turn(
            TurnReport(
                turn=result.iterations,
                status=status,
                stop=stop,
                usage=usage,
                calls=calls,
                first_ms=self._first_ms,
                duration_ms=self._elapsed(),
                retries=self._tried,
            )
        )

    def _elapsed(self) -> int:
        return round(1000 * (self._context.clock.monotonic() - self._began))


def _without_lone_surrogates(text: str) -> str:
    """The text without halves of surrogate pairs, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode("utf-8")
