"""The tool loop: turns with a provider until it has nothing more to call, and a single round without a loop.

Neutral: which provider, which tools and what a call does come from outside. Histories only grow. Whatever goes wrong is
raised, and nothing that a call did outlives it, since calls only stage. Not here: staging, commits, events' form.
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
class Waiting:
    """The loop waits before it asks the provider again."""

    seconds: float
    code: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a run is stopped: turns, seconds, tokens in and out together (0: never for these), tokens of one answer."""

    turns: int = 12
    seconds: float = 300.0
    tokens: int = 400_000
    answer_tokens: int = 16_000


@dataclass(frozen=True, slots=True)
class Executed:
    """A call that was executed."""

    tool: str
    is_error: bool


@dataclass(slots=True)
class Course:
    """What a run has come to so far; kept by the caller, so that a run that fails has one, too.

    `text` is what was said last: the text of the newest turn that had any.
    """

    text: str = ""
    iterations: int = 0
    executed: list[Executed] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    last_message: Message = None

    @property
    def tools_used(self) -> list[str]:
        """The tools that ran, in the order of their first use."""
        return list(dict.fromkeys(one.tool for one in self.executed))


@dataclass(frozen=True, slots=True)
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


@dataclass(slots=True)
class Talk:
    """One conversation with a provider, and everybody who takes part in it.

    Attributes:
        execute: runs one call and says what came of it; never raises for what the model did wrong.
        listen: hears every event, waits included.
        report: hears how each turn went.
        settle: asked when the model has finished; None ends the run, a text goes back to the model.
    """

    provider: AIProvider
    system: Sequence[str]
    tools: Sequence[ToolSpec]
    execute: Callable[[ToolCall], Awaitable[ToolResult]]
    listen: Callable[[Event | Waiting], Awaitable[None]]
    report: Callable[[TurnReport], Awaitable[None]]
    settle: Callable[[], Awaitable[str | None]]
    clock: Clock
    limits: Limits = Limits()
    course: Course = field(default_factory=Course)


async def run_loop(talk: Talk, first: str) -> Course:
    """Talk until the model is done and what it did is settled.

    Raises:
        ProviderError: the provider failed.
        DraftsmithError: `refusal`, `max_tokens`, `context`, `max_turns`, `too_many_failures`, `deadline`, `run_tokens`.
    """
    messages: list[Message] = [talk.provider.user(first)]
    deadline = talk.clock.monotonic() + talk.limits.seconds
    failures = 0
    while True:
        _check_limits(talk, deadline)
        end = await _turn(talk, messages, deadline)
        messages.append(end.message)
        talk.course.last_message = end.message
        if end.stop in _STOPS:
            raise DraftsmithError(end.stop, _STOPS[end.stop])
        if end.stop == "pause":
            continue
        if not end.calls:
            note = await talk.settle()
            if note is None:
                return talk.course
            messages.append(talk.provider.user(note))
            continue
        results = [await _run(talk, call) for call in end.calls]
        failures = failures + 1 if any(result.failed_batch for result in results) else 0
        if failures >= FAILED_IN_A_ROW:
            message = f"{failures} batches in a row did not fit, so the assistant was stopped."
            raise DraftsmithError("too_many_failures", message)
        messages.append(talk.provider.results(results))


async def run_once(talk: Talk, first: str) -> TurnEnd:
    """One round: the answer with its calls, none of them executed.

    Raises:
        ProviderError: the provider failed.
        DraftsmithError: `refusal`, `max_tokens`, `context`.
    """
    end = await _turn(talk, [talk.provider.user(first)], talk.clock.monotonic() + talk.limits.seconds)
    if end.stop in _STOPS:
        raise DraftsmithError(end.stop, _STOPS[end.stop])
    return end


def _check_limits(talk: Talk, deadline: float) -> None:
    course, limits = talk.course, talk.limits
    if course.iterations >= limits.turns:
        message = f"The assistant did not finish within {limits.turns} rounds. Ask for a smaller step."
        raise DraftsmithError("max_turns", message)
    if limits.tokens and course.input_tokens + course.output_tokens >= limits.tokens:
        message = f"This run used {limits.tokens:,} tokens, the limit for one (ASSISTANT_RUN_TOKENS)."
        raise DraftsmithError("run_tokens", message)
    if talk.clock.monotonic() > deadline:
        raise _too_late(talk)


def _too_late(talk: Talk) -> DraftsmithError:
    message = f"The assistant did not finish within {talk.limits.seconds:.0f} seconds. Ask for a smaller step."
    return DraftsmithError("deadline", message)


async def _run(talk: Talk, call: ToolCall) -> ToolResult:
    result = await talk.execute(call)
    talk.course.executed.append(Executed(call.name, result.is_error))
    return result


async def _turn(talk: Talk, messages: Sequence[Message], deadline: float) -> TurnEnd:
    """One turn, tried again as long as nothing of it has come."""
    talk.course.iterations += 1
    for tried in range(_TRIES):
        attempt = _Attempt(talk, messages, tried)
        try:
            return await attempt.make(deadline)
        except ProviderError as error:
            pause = error.retry_after if error.retry_after is not None else _FIRST_PAUSE * 2**tried
            is_last = tried == _TRIES - 1 or pause > _LONGEST_WAIT or talk.clock.monotonic() + pause > deadline
            if attempt.has_begun or not error.may_pass or is_last:
                raise
            await talk.listen(Waiting(pause, error.code))
            await talk.clock.sleep(pause)
    raise AssertionError("the last try returns or raises")


class _Attempt:
    """One try at a turn, and what is to be reported of it however it ends."""

    def __init__(self, talk: Talk, messages: Sequence[Message], tried: int) -> None:
        self._talk, self._tried = talk, tried
        limits = talk.limits
        self._request = TurnRequest(talk.system, talk.tools, messages, limits.answer_tokens)
        self._began = talk.clock.monotonic()
        self._text = ""
        self._first_ms: int | None = None

    @property
    def has_begun(self) -> bool:
        """Whether anything has come."""
        return self._first_ms is not None

    async def make(self, deadline: float) -> TurnEnd:
        end: TurnEnd | None = None
        status = "cancelled"
        try:
            async with aclosing(self._talk.provider.turn(self._request)) as events:  # type: ignore[type-var]
                async for event in events:
                    if self._first_ms is None:
                        self._first_ms = self._elapsed()
                    if isinstance(event, TurnEnd):
                        end = event
                        continue
                    await self._hear(event)
                    if self._talk.clock.monotonic() > deadline:
                        status = "deadline"
                        raise _too_late(self._talk)
            if end is None:
                raise ProviderError("network", "The answer was cut off before it was complete.")
            status = "ok"
            return end
        except DraftsmithError as error:
            status = error.code
            raise
        finally:
            await self._report(status, end)

    async def _hear(self, event: Event) -> None:
        if isinstance(event, TextDelta | ThinkingDelta):
            event = replace(event, text=_sound(event.text))
        if isinstance(event, TextDelta):
            self._text += event.text
            self._talk.course.text = self._text.strip() or self._talk.course.text
        await self._talk.listen(event)

    async def _report(self, status: str, end: TurnEnd | None) -> None:
        usage = self._request.usage
        course = self._talk.course
        course.input_tokens += usage.input
        course.output_tokens += usage.output
        stop, calls = ("", 0) if end is None else (end.stop, len(end.calls))
        await self._talk.report(
            TurnReport(course.iterations, status, stop, usage, calls, self._first_ms, self._elapsed(), self._tried)
        )

    def _elapsed(self) -> int:
        return round(1000 * (self._talk.clock.monotonic() - self._began))


def _sound(text: str) -> str:
    """The text without halves of surrogate pairs, which no store takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
