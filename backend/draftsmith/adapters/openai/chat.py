"""A turn by the Chat Completions API, which many servers speak: its body, its messages, and its stream.

A message of the tool loop is a list of messages of the API, since each result of a call is one there. Servers differ in
what they leave out: calls may come without id or index, whole in one piece, with the reason `stop`; thoughts come in
fields that the API does not know; tokens may not be counted at all. Thoughts are shown and never sent back.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from draftsmith.adapters.tool_dialects import Dialect, description_of, schema_of
from draftsmith.adapters.whole_text import repair_surrogates
from draftsmith.assistant.provider import (
    Event,
    Stop,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolDelta,
    ToolResult,
    ToolSpec,
    ToolStart,
    TurnEnd,
    TurnRequest,
    Usage,
)

_STOPS: Final[dict[str, Stop]] = {
    "stop": "end",
    "eos": "end",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "max_tokens",
    "content_filter": "refusal",
}
_THOUGHTS: Final = ("reasoning_content", "reasoning")
"""Where servers put thoughts: vLLM, llama.cpp and DeepSeek in the first, Ollama and OpenRouter in the second."""


def chat_body(
    model: str, request: TurnRequest, *, effort: str | None, is_new: bool, dialect: Dialect = "full"
) -> dict[str, Any]:
    """The body of a request.

    Args:
        model: the model, or the deployment at Azure.
        request: the turn.
        effort: how much effort the model is to make; None where it cannot be told.
        is_new: the server knows `max_completion_tokens`, which replaced `max_tokens` at OpenAI and nowhere else.
        dialect: the form of schemas.
    """
    system = "\n\n".join(repair_surrogates(text) for text in request.system if text.strip())
    messages: list[Any] = [{"role": "system", "content": system}] if system else []
    for message in request.messages:
        messages.extend(message)
    body: dict[str, Any] = {
        "model": model,
        "messages": messages,
        ("max_completion_tokens" if is_new else "max_tokens"): request.max_tokens,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        body["tools"] = [_tool(tool, dialect) for tool in request.tools]
    if effort is not None:
        body["reasoning_effort"] = effort
    return body


def _tool(tool: ToolSpec, dialect: Dialect) -> dict[str, Any]:
    function = {"name": tool.name, "description": description_of(tool), "parameters": schema_of(tool, dialect)}
    return {"type": "function", "function": function}


def chat_user(text: str) -> list[dict[str, Any]]:
    """Give a message of the person."""
    return [{"role": "user", "content": repair_surrogates(text)}]


def chat_results(results: Sequence[ToolResult], note: str) -> list[dict[str, Any]]:
    """Give the messages that answer calls: the results first, as the API demands."""
    messages = [
        {
            "role": "tool",
            "tool_call_id": one.call_id,
            "content": repair_surrogates(one.text) if one.text.strip() else "(nothing)",
        }
        for one in results
    ]
    return messages + (chat_user(note) if note.strip() else [])


@dataclass(slots=True)
class _Call:
    """A call that is being written."""

    id: str
    name: str = ""
    parts: list[str] = field(default_factory=list)

    @property
    def raw(self) -> str:
        return "".join(self.parts)


class ChatAnswer:
    """One turn that is being streamed.

    Attributes:
        is_complete: the provider has said why it stopped; without that the stream was cut.
    """

    def __init__(self, usage: Usage) -> None:
        """Begin; `usage` is filled in as it becomes known."""
        self._usage = usage
        self._text: list[str] = []
        self._refusal = False
        self._calls: dict[int, _Call] = {}
        self._stop = ""

    @property
    def is_complete(self) -> bool:
        """Whether the provider has said why it stopped."""
        return bool(self._stop)

    def convert(self, chunk: Any) -> Iterator[Event]:
        """Take the next chunk; the neutral events it stands for."""
        self._count(getattr(chunk, "usage", None))
        for choice in (getattr(chunk, "choices", None) or ())[:1]:
            delta = choice.delta
            for name in _THOUGHTS:
                thought = getattr(delta, name, None)
                if isinstance(thought, str) and thought:
                    yield ThinkingDelta(repair_surrogates(thought))
                    break
            yield from self._say(getattr(delta, "content", None))
            if refusal := getattr(delta, "refusal", None):
                self._refusal = True
                yield from self._say(refusal)
            for call in getattr(delta, "tool_calls", None) or ():
                yield from self._grow(call)
            self._stop = str(getattr(choice, "finish_reason", None) or self._stop)

    def end(self) -> TurnEnd:
        """The end of the turn. It has calls only if the model stopped for them; else the last one is incomplete."""
        stop = "refusal" if self._refusal else _STOPS.get(self._stop, "end")
        calls = [tool_call_of(call.id, call.name, call.raw) for call in self._calls.values() if call.name]
        if stop in ("end", "tools"):
            stop = "tools" if calls else "end"
        message: dict[str, Any] = {"role": "assistant", "content": repair_surrogates("".join(self._text))}
        if calls and stop == "tools":
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": as_sent(call)}}
                for call in calls
            ]
        is_empty = not message["content"].strip() and "tool_calls" not in message
        return TurnEnd(stop, calls if stop == "tools" else [], [] if is_empty else [message])

    def _say(self, text: Any) -> Iterator[Event]:
        if isinstance(text, str) and text:
            self._text.append(text)
            yield TextDelta(repair_surrogates(text))

    def _grow(self, delta: Any) -> Iterator[Event]:
        """More of a call; a server that counts none begins a new one with each name."""
        function = getattr(delta, "function", None)
        name, piece = getattr(function, "name", None), getattr(function, "arguments", None)
        index = getattr(delta, "index", None)
        if not isinstance(index, int):
            index = len(self._calls) if name else len(self._calls) - 1
        call = self._calls.get(index)
        if call is None:
            call = self._calls[index] = _Call(getattr(delta, "id", None) or f"call_{uuid.uuid4().hex[:24]}")
        if name and not call.name:
            call.name = name
            yield ToolStart(call.id, call.name)
        if isinstance(piece, str) and piece:
            call.parts.append(piece)
            yield ToolDelta(call.id, repair_surrogates(piece))

    def _count(self, usage: Any) -> None:
        """Update the counts; some servers send them with each chunk, and some null."""
        if usage is None:
            return
        ours = self._usage
        ours.input = number(usage, "prompt_tokens", ours.input)
        ours.output = number(usage, "completion_tokens", ours.output)
        details = getattr(usage, "prompt_tokens_details", None)
        ours.cache_read = min(number(details, "cached_tokens", ours.cache_read), ours.input)
        ours.cache_write = min(number(details, "cache_write_tokens", ours.cache_write), ours.input - ours.cache_read)
        thought = number(getattr(usage, "completion_tokens_details", None), "reasoning_tokens", ours.thinking)
        ours.thinking = min(thought, ours.output)


def tool_call_of(call_id: str, name: str, raw: str) -> ToolCall:
    """A call with its input parsed; anything but a JSON object is kept as it came."""
    raw = repair_surrogates(raw)
    value: Any = None
    with suppress(orjson.JSONDecodeError):  # also refuses what could not be sent back: NaN, lone surrogates
        value = orjson.loads(raw) if raw.strip() else {}
    return ToolCall(call_id, name, value if isinstance(value, dict) else None, raw)


def as_sent(call: ToolCall) -> str:
    """The input of a call as text for the history; servers fail on what is no JSON object."""
    value: Mapping[str, Any] = call.input if call.input is not None else {"INVALID_JSON": call.raw}
    return orjson.dumps(value).decode() if call.input is None or not call.raw.strip() else call.raw


def number(source: Any, name: str, before: int) -> int:
    """A count, or the one before where there is none."""
    value = getattr(source, name, None)
    return value if isinstance(value, int) else before
