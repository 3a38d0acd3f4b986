"""The tool loop: turns with a provider until it calls no more tools, or a single turn whose calls are executed.

Which provider, which tools and what a call does are given. Histories only grow. Every failure is raised, and nothing
that a call did outlives it, since calls only stage. Not here: one turn and its tries (`turn`), staging, commits, the
form of events.
"""

from __future__ import annotations

from typing import Final

from draftsmith.assistant.provider import Message
from draftsmith.assistant.turn import (
    ExecutedCall,
    LoopContext,
    LoopResult,
    RetryWait,
    RunLimits,
    TurnReport,
    Withdrawn,
    execute,
    has_used_up,
    make_turn,
    too_late,
)
from draftsmith.errors import DraftsmithError

__all__ = [
    "ExecutedCall",
    "LoopContext",
    "LoopResult",
    "RetryWait",
    "RunLimits",
    "TurnReport",
    "Withdrawn",
    "run_loop",
    "run_once",
]

FAILED_IN_A_ROW: Final = 3
_STOPS: Final = {
    "max_tokens": "The answer was longer than one turn may be, so it was cut off. Ask for less at once.",
    "refusal": "The model declined this request.",
    "context": "The conversation grew longer than the model can read. Ask for a smaller part.",
}


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
        end = await make_turn(context, messages, deadline + context.extension)
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
        results = [await execute(context, call) for call in end.calls]
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
    end = await make_turn(context, [context.provider.user(first)], context.clock.monotonic() + context.limits.seconds)
    context.result.last_message = end.message
    if end.stop in _STOPS:
        raise DraftsmithError(end.stop, _STOPS[end.stop])
    for call in end.calls:
        await execute(context, call)
    return context.result


def _check_limits(context: LoopContext, deadline: float) -> None:
    result, limits = context.result, context.limits
    if result.iterations >= limits.turns:
        message = f"The assistant did not finish within {limits.turns} rounds. Ask for a smaller step."
        raise DraftsmithError("max_turns", message)
    if has_used_up(context):
        message = f"This run used {limits.tokens:,} tokens, the limit for one (ASSISTANT_RUN_TOKENS)."
        raise DraftsmithError("run_tokens", message)
    if context.clock.monotonic() > deadline:
        raise too_late(context)
