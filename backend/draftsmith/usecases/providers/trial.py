"""Try a model before it is relied on: whether it answers, calls tools, and how much of a long text it reads.

Each step is one request, bounded in time and tokens, and holds nothing of a workspace. How much a model reads is not
what its server says: many cut what is too long without a word. So marks stand in a long text at eight depths, and those
count that come back.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final, Literal

from draftsmith.assistant.provider import (
    AIProvider,
    ProviderError,
    ProviderStatus,
    TextDelta,
    ThinkingDelta,
    ToolSpec,
    TurnEnd,
    TurnRequest,
    Usage,
)
from draftsmith.ports.runs import TrialResult

TrialStep = Literal["answers", "tools", "reads_4k", "reads_16k", "reads_32k"]
STEP_SECONDS: Final = 90.0
"""How long a step may take; a model that reads more slowly is of no use in a conversation either."""
STATUS_WORD: Final = "ready"
STATUS_TOOL: Final = ToolSpec(
    "report_status",
    "Report the status word that the person asks for. Call it once, and write nothing else.",
    {
        "type": "object",
        "properties": {"word": {"type": "string", "description": "the word"}},
        "required": ["word"],
        "additionalProperties": False,
    },
    examples=[{"word": "waiting"}],
    eager=True,
)
MARKS: Final = (
    *("anvil", "birch", "comet", "dagger", "ember", "falcon", "garnet", "heron", "island", "jasmine", "kettle"),
    *("lantern", "magnet", "nectar", "opal", "pepper", "quartz", "raven", "saddle", "thistle", "umbrella", "velvet"),
)
MARK_COUNT: Final = 8
_READS: Final = {"reads_4k": 4_000, "reads_16k": 16_000, "reads_32k": 32_000}
FINDINGS: Final = ("no_answer", "no_tools", "cut")
"""Codes of what a model that has answered cannot do; every other one says that it did not answer."""
_BYTES_PER_TOKEN: Final = 4
_ANSWER_TOKENS: Final = 1_000
_SYSTEM: Final = "This is a test of the connection. Do exactly what you are asked, and nothing else."
_COUNT: Final = "Write the numbers from 1 to 40, separated by blanks, and nothing else."
_QUESTION: Final = (
    "Some of the lines above are of the form: The code word is … . Write every code word that you have seen, in their "
    "order, separated by commas, and nothing else."
)
_READ_MORE: Final = (
    "Let it read more: set OLLAMA_CONTEXT_LENGTH=32768 where Ollama is started; elsewhere it is the length of the "
    "context (vLLM --max-model-len, llama.cpp -c, LM Studio: as the model is loaded)."
)


@dataclass(slots=True)
class _Heard:
    """What came of one turn: its text, thoughts included, in how many pieces, and when."""

    text: str = ""
    piece_count: int = 0
    first_s: float = 0.0
    last_s: float = 0.0
    end: TurnEnd | None = None


async def run_trial(
    provider: AIProvider,
    step: TrialStep,
    usage: Usage,
    *,
    now: Callable[[], float] = time.monotonic,
    seconds: float = STEP_SECONDS,
) -> ProviderStatus:
    """Make one step, and fill in the tokens that it takes; what fails is told in words, never raised."""
    try:
        async with asyncio.timeout(seconds):
            if step == "answers":
                return await _answers(provider, usage, now)
            if step == "tools":
                return await _tools(provider, usage)
            return await _reads(provider, _READS[step], usage, now)
    except ProviderError as problem:
        return ProviderStatus(False, problem.code, problem.detail)
    except TimeoutError:
        what = "was not through with it" if step.startswith("reads") else "had not answered"
        detail = f"After {seconds:.0f} seconds it {what}. Choose a smaller model, or a faster machine for it."
        return ProviderStatus(False, "timeout", detail)


def measured_context(trials: Mapping[str, TrialResult]) -> int:
    """How many tokens a model was found to read before it cuts or refuses; 0 where it was not seen to do so."""
    read = 0
    for step, tokens in _READS.items():
        result = trials.get(step)
        if result is None:
            return 0
        if not result["ok"]:
            is_cut = result["code"] in ("cut", "too_large")
            return max(read, int(result["facts"].get("read_tokens") or 0)) if is_cut else 0
        read = tokens
    return 0


def cut_beyond(trials: Mapping[str, TrialResult]) -> int:
    """Above how many tokens a request loses its beginning; 0 where that was not seen.

    It was seen where the last marks came back and the first did not. A model that leaves out others has read all, and
    repeats little.
    """
    for step in _READS:
        facts = trials[step]["facts"] if step in trials else {}
        if facts.get("is_beginning_lost"):
            return int(facts.get("read_tokens") or 0) + int(facts.get("sent_tokens") or 0) // MARK_COUNT
    return 0


async def calls_the_tool(provider: AIProvider, request: TurnRequest) -> bool:
    """Whether a model calls the tool of the test with the word it was given."""
    heard = await _listen(provider, request, time.monotonic)
    calls = [] if heard.end is None else heard.end.calls
    return any(call.name == STATUS_TOOL.name and (call.input or {}).get("word") for call in calls)


async def _answers(provider: AIProvider, usage: Usage, now: Callable[[], float]) -> ProviderStatus:
    request = TurnRequest([_SYSTEM], [], [provider.user(_COUNT)], _ANSWER_TOKENS, usage)
    heard = await _listen(provider, request, now)
    if not heard.text.strip():
        return ProviderStatus(False, "no_answer", "It answered without a word. Choose another model.")
    is_streamed, writing_s = heard.piece_count > 1, heard.last_s - heard.first_s
    speed = round(request.usage.output / writing_s, 1) if is_streamed and writing_s > 0 else None
    facts = {"is_streamed": is_streamed, "first_word_s": round(heard.first_s, 1), "tokens_per_second": speed}
    how = "word by word" if is_streamed else "in one piece: nothing is shown while it writes"
    pace = "" if speed is None else f", about {speed:,.0f} tokens in a second" if speed >= 1 else ", very slowly"
    detail = f"It answers {how}{pace}; its first word came after {heard.first_s:.1f} seconds."
    return ProviderStatus(True, "", detail, facts)


async def _tools(provider: AIProvider, usage: Usage) -> ProviderStatus:
    prompt = provider.user(f"Report the status word: {STATUS_WORD}")
    if await calls_the_tool(provider, TurnRequest([_SYSTEM], [STATUS_TOOL], [prompt], _ANSWER_TOKENS, usage)):
        return ProviderStatus(True, "", "It calls tools, so it can edit.")
    detail = (
        "It answered without calling the tool: it can be asked, but it cannot edit. Choose a model that calls tools."
    )
    return ProviderStatus(False, "no_tools", detail)


async def _reads(provider: AIProvider, tokens: int, usage: Usage, now: Callable[[], float]) -> ProviderStatus:
    marks = random.SystemRandom().sample(MARKS, MARK_COUNT)  # others each time: no cache and no guess knows them
    request = TurnRequest([_SYSTEM], [], [provider.user(marked_text(tokens, marks))], _ANSWER_TOKENS, usage)
    heard = await _listen(provider, request, now)
    words = set(re.findall(r"[a-z]+", heard.text.lower()))
    seen = sum(mark in words for mark in marks)
    read = tokens * seen // MARK_COUNT
    facts = {
        "sent_tokens": tokens,
        "read_tokens": read,
        "first_word_s": round(heard.first_s, 1),
        "is_beginning_lost": 1 < seen < MARK_COUNT
        and words.issuperset(marks[-seen:]),  # who knows one has read it last
    }
    if seen == MARK_COUNT:
        detail = f"It reads {tokens:,} tokens; its first word came after {heard.first_s:.1f} seconds."
        return ProviderStatus(True, "", detail, facts)
    if seen == 0:
        detail = f"Of {tokens:,} tokens it repeated none of {MARK_COUNT} marks: it read little, or did not do as asked."
    else:
        detail = f"Of {tokens:,} tokens it read about {read:,}: {seen} of {MARK_COUNT} marks came back."
    return ProviderStatus(False, "cut", f"{detail} {_READ_MORE}", facts)


def marked_text(tokens: int, marks: Sequence[str]) -> str:
    """A text of about so many tokens in which the marks stand at equal distances, the first at its beginning."""
    most, size, placed = tokens * _BYTES_PER_TOKEN - len(_QUESTION), 0, 0
    lines: list[str] = []
    while size < most:
        if placed < len(marks) and size >= most * placed // len(marks):
            line = f"The code word is {marks[placed]}."
            placed += 1
        else:
            line = f"Line {len(lines) + 1}: orders are kept in the order in which they came, until they are sent."
        lines.append(line)
        size += len(line) + 1
    return "\n".join([*lines, "", _QUESTION])


async def _listen(provider: AIProvider, request: TurnRequest, now: Callable[[], float]) -> _Heard:
    heard, began = _Heard(), now()
    turn: Any = provider.turn(request)
    async with aclosing(turn) as events:
        async for event in events:
            if isinstance(event, TurnEnd):
                heard.end = event
            elif isinstance(event, (TextDelta, ThinkingDelta)):
                heard.last_s = now() - began
                heard.first_s = heard.first_s if heard.piece_count else heard.last_s
                heard.piece_count += 1
                heard.text += event.text
    return heard
