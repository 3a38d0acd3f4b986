"""The tool loop: turns with a provider until it calls no more tools, or a single turn whose calls are executed.

Which provider, which tools and what a call does are given. Histories only grow. A turn is tried again after a failure
that may pass. Every other failure is raised, and nothing that a call did outlives it, since calls only stage. Not here:
staging, commits, the form of events.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import orjson

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
    ToolStart,
    TurnEnd,
    TurnRequest,
    Usage,
)
from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock

FAILED_IN_A_ROW: Final = 3
_SMALL_CONTEXT: Final = 12_000
"""Tokens below which a whole prompt, what is read on the way and the answers do not fit together."""
_LEAST_ANSWER: Final = 1_000
"""Tokens of an answer, also where a model was found to read less than four times as much: it may only repeat little."""
_TRIES: Final = 3
_LONGEST_WAIT: Final = 60.0  # seconds; a provider that asks for more is not waited for
_INPUT_CHARS: Final = 500
_RESULT_CHARS: Final = 300
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
class Withdrawn:
    """A turn broke off and is tried again; the events of it do not count.

    Attributes:
        text, thinking: how many UTF-16 units of each came.
        calls: the ids of the calls that had begun.
    """

    text: int
    thinking: int
    calls: Sequence[str]


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Where a run is stopped.

    Attributes:
        turns: how many turns it may take.
        seconds: how long it may take.
        tokens: how many tokens it may use, in and out together; 0 for any number.
        answer_tokens: how many tokens one answer may have.
        pause: seconds before a turn is tried a second time, where the provider asks for none; doubled for the third.
        approval_seconds: how long a call waits for a person's yes, which does not count as time of the run.
        provider_seconds: `seconds` for runs with some providers, by name.
        provider_context: how many tokens models of some providers can read, by name.
        context_tokens: how many tokens the model of this run can read; 0 where that is not known.
        cut_beyond: as in `TurnRequest`.
    """

    turns: int = 12
    seconds: float = 300.0
    tokens: int = 400_000
    answer_tokens: int = 16_000
    pause: float = 1.0
    approval_seconds: float = 120.0
    provider_seconds: Mapping[str, float] = field(default_factory=dict)
    provider_context: Mapping[str, int] = field(default_factory=dict)
    context_tokens: int = 0
    cut_beyond: int = 0

    def of_provider(self, name: str, measured_context: int = 0, cut_beyond: int = 0) -> RunLimits:
        """The limits of a run with a provider; an answer may fill a quarter of what its model can read, at least 1,000.

        `measured_context`: how many tokens it was found to read, which counts where nothing is set; 0 if not known.
        """
        context = self.provider_context.get(name, 0) or measured_context
        answer = min(self.answer_tokens, max(context // 4, _LEAST_ANSWER)) if context else self.answer_tokens
        seconds = self.provider_seconds.get(name, self.seconds)
        return replace(self, seconds=seconds, context_tokens=context, answer_tokens=answer, cut_beyond=cut_beyond)

    @property
    def is_small(self) -> bool:
        """Whether the model can read so little that it is sent less."""
        return 0 < self.context_tokens < _SMALL_CONTEXT


@dataclass(frozen=True, slots=True)
class ExecutedCall:
    """A call that was executed, with the beginnings of its input and of its result, and how long it took.

    A call did nothing if its tool is not known, its input cannot be read or its batch does not fit.
    """

    tool: str
    input: str
    result: str
    status: Literal["ok", "refused", "unknown_tool"]
    seconds: float = 0.0


@dataclass(slots=True, kw_only=True)
class LoopResult:
    """What the turns have come to so far; the caller holds it, so that a run that fails has one, too.

    Attributes:
        text: of the newest turn that had any; what came before a note of ours does not count.
        iterations: how many turns were begun.
        executed: the calls, in order.
        input_tokens: of all turns.
        output_tokens: of all turns.
        last_message: the newest one of the model.
    """

    text: str = ""
    iterations: int = 0
    executed: list[ExecutedCall] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    last_message: Message = None

    @property
    def tools_used(self) -> list[str]:
        """The tools that did something, in the order of their first use."""
        return list(dict.fromkeys(one.tool for one in self.executed if one.status == "ok"))


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
        on_event: called with every event of the provider, where a turn is withdrawn, and before every wait.
        on_turn: called with the report of every attempt at a turn.
        extension: seconds by which it may last longer than its limit, since a person was waited for.
        on_done: called when the model has finished; None ends the loop, a text is sent to the model.
    """

    provider: AIProvider
    system: Sequence[str]
    tools: Sequence[ToolSpec]
    execute: Callable[[ToolCall], Awaitable[ToolResult]]
    on_event: Callable[[Event | RetryWait | Withdrawn], Awaitable[None]]
    on_turn: Callable[[TurnReport], Awaitable[None]]
    on_done: Callable[[], Awaitable[str | None]]
    clock: Clock
    limits: RunLimits = RunLimits()
    result: LoopResult = field(default_factory=LoopResult)
    extension: float = 0.0


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
        _check_limits(context, deadline + context.extension)
        end = await _make_turn(context, messages, deadline + context.extension)
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
            context.result.text, failures = "", 0
            messages.append(context.provider.user(note))
            continue
        results = [await _execute(context, call) for call in end.calls]
        failures = failures + 1 if any(result.failed_batch for result in results) else 0
        if failures >= FAILED_IN_A_ROW:
            message = f"{failures} batches in a row did not fit, so the assistant was stopped."
            raise DraftsmithError("too_many_failures", message)
        messages.append(context.provider.results(results))


async def run_once(context: LoopContext, first: str) -> LoopResult:
    """Make one turn and execute each of its calls once; the model is not told what came of them.

    Raises:
        ProviderError: the provider failed.
        DraftsmithError: `refusal`, `max_tokens`, `context`; no call was executed.
    """
    end = await _make_turn(context, [context.provider.user(first)], context.clock.monotonic() + context.limits.seconds)
    context.result.last_message = end.message
    if end.stop in _STOPS:
        raise DraftsmithError(end.stop, _STOPS[end.stop])
    for call in end.calls:
        await _execute(context, call)
    return context.result


def _check_limits(context: LoopContext, deadline: float) -> None:
    result, limits = context.result, context.limits
    if result.iterations >= limits.turns:
        message = f"The assistant did not finish within {limits.turns} rounds. Ask for a smaller step."
        raise DraftsmithError("max_turns", message)
    if _has_used_up(context):
        message = f"This run used {limits.tokens:,} tokens, the limit for one (ASSISTANT_RUN_TOKENS)."
        raise DraftsmithError("run_tokens", message)
    if context.clock.monotonic() > deadline:
        raise _too_late(context)


async def _execute(context: LoopContext, call: ToolCall) -> ToolResult:
    """Execute a call, and add it to the result of the run."""
    began = context.clock.monotonic()
    result = await context.execute(call)
    seconds = round(context.clock.monotonic() - began, 3)
    status: Literal["ok", "refused", "unknown_tool"] = "refused" if result.is_error else "ok"
    given = call.raw if call.input is None else _compact_json(call.input)
    context.result.executed.append(
        ExecutedCall(
            call.name,
            _beginning(given, _INPUT_CHARS),
            _beginning(result.text, _RESULT_CHARS),
            "unknown_tool" if result.is_unknown else status,
            seconds,
        )
    )
    return result


def _compact_json(value: Mapping[str, object]) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # half a surrogate pair
        return json.dumps(value, separators=(",", ":"))


def _beginning(text: str, most: int) -> str:
    text = _without_lone_surrogates(text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _has_used_up(context: LoopContext) -> bool:
    """Whether a run has used the tokens that it may."""
    result, limits = context.result, context.limits
    return limits.tokens > 0 and result.input_tokens + result.output_tokens >= limits.tokens


def _too_late(context: LoopContext) -> DraftsmithError:
    """Return the error of a run that takes too long."""
    message = f"The assistant did not finish within {context.limits.seconds:.0f} seconds. Ask for a smaller step."
    return DraftsmithError("deadline", message)


async def _make_turn(context: LoopContext, messages: Sequence[Message], deadline: float) -> TurnEnd:
    """Make one turn; try again after a failure that may pass, since no call is executed before a turn is complete."""
    context.result.iterations += 1
    text = context.result.text
    for tried in range(_TRIES):
        attempt = _Attempt(context, messages, tried)
        try:
            return await attempt.make(deadline)
        except ProviderError as error:
            context.result.text = text
            pause = error.retry_after if error.retry_after is not None else context.limits.pause * 2**tried
            is_last = tried == _TRIES - 1 or pause > _LONGEST_WAIT or context.clock.monotonic() + pause > deadline
            if not error.is_transient or is_last or _has_used_up(context):
                raise
            if attempt.is_shown:
                await context.on_event(attempt.withdrawn())
            await context.on_event(RetryWait(pause, error.code))
            await context.clock.sleep(pause)
    raise AssertionError("the last attempt returns or raises")


class _Attempt:
    """One attempt at a turn, reported however it ends."""

    def __init__(self, context: LoopContext, messages: Sequence[Message], tried: int) -> None:
        self._context, self._tried = context, tried
        limits = context.limits
        self._request = TurnRequest(
            context.system, context.tools, messages, limits.answer_tokens, cut_beyond=limits.cut_beyond
        )
        self._began = context.clock.monotonic()
        self._text = ""
        self._thinking = ""
        self._calls: list[str] = []
        self._first_ms: int | None = None

    @property
    def is_shown(self) -> bool:
        """Whether an event of it was passed on."""
        return bool(self._text or self._thinking or self._calls)

    def withdrawn(self) -> Withdrawn:
        """Return what of it was passed on and does not count."""
        return Withdrawn(_units(self._text), _units(self._thinking), list(self._calls))

    async def make(self, deadline: float) -> TurnEnd:
        end: TurnEnd | None = None
        status = "cancelled"
        try:
            async with aclosing(self._context.provider.turn(self._request)) as events:  # type: ignore[type-var]
                async for event in events:
                    if self._first_ms is None:
                        self._first_ms = self._elapsed_ms()
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
        elif isinstance(event, ThinkingDelta):
            self._thinking += event.text
        elif isinstance(event, ToolStart):
            self._calls.append(event.id)
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
                duration_ms=self._elapsed_ms(),
                retries=self._tried,
            )
        )

    def _elapsed_ms(self) -> int:
        return round(1000 * (self._context.clock.monotonic() - self._began))


def _without_lone_surrogates(text: str) -> str:
    """The text without halves of surrogate pairs, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _units(text: str) -> int:
    """How many UTF-16 code units a text has: pages count so."""
    return len(text.encode("utf-16-le")) // 2
