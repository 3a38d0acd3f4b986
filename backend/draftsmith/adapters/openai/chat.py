"""A turn by the Chat Completions API, which many servers speak: its body, its messages, and its stream.

A message of the tool loop is a list of messages of the API, since each result of a call is one there. Servers differ in
what they leave out: calls may come without id or index, or all with index 0 (Ollama), whole in one piece, their
arguments as an object, with the reason `stop`; thoughts come in fields that the API does not know, or before the answer
in `<think>`; tokens may not be counted at all. Thoughts are shown and never sent back.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, Final, Literal

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
_OPENING: Final = "<think>"
_CLOSING: Final = "</think>"
_LEAST_CUT: Final = 1_000
_CUT_SHARE: Final = 0.5
_LEAST_GROWTH: Final = 200
_GROWTH_SHARE: Final = 0.25
_BYTES_PER_TOKEN: Final = 4
"""For the estimate where a server counts no tokens: about what tokenizers make of English and of JSON."""


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


class _Thoughts:
    """Tells thoughts from the answer where both come as text: first those, in `<think>`, which may come in pieces."""

    def __init__(self) -> None:
        self._buffer = ""
        self._has_thought = False
        self._stage: Literal["start", "thoughts", "gap", "answer"] = "start"

    def split(self, content: str) -> Iterator[ThinkingDelta | TextDelta]:
        """What a piece of content adds to the thoughts and to the answer; what may be part of a tag is held back."""
        self._buffer += content
        if self._stage == "start":
            begun = self._buffer.lstrip()
            if _OPENING.startswith(begun):  # also while there is nothing but white space
                return
            self._stage = "thoughts" if begun.startswith(_OPENING) else "answer"
            if self._stage == "thoughts":
                self._buffer = begun.removeprefix(_OPENING)
        if self._stage == "thoughts":
            thought, tag, rest = self._buffer.partition(_CLOSING)
            if tag:
                self._stage, self._buffer = "gap", rest
            else:
                kept = _length_of_beginning(self._buffer, _CLOSING)
                thought, self._buffer = (
                    self._buffer[: len(self._buffer) - kept],
                    self._buffer[len(self._buffer) - kept :],
                )
            if not self._has_thought:
                thought = thought.lstrip()
            if thought:
                self._has_thought = True
                yield ThinkingDelta(thought)
        if self._stage == "gap":
            self._buffer = self._buffer.lstrip()
            self._stage = "answer" if self._buffer else "gap"
        if self._stage == "answer":
            yield from self.flush()

    def flush(self) -> Iterator[ThinkingDelta | TextDelta]:
        """What was held back."""
        text, self._buffer = self._buffer, ""
        if text:
            yield ThinkingDelta(text) if self._stage == "thoughts" else TextDelta(text)


def _length_of_beginning(text: str, tag: str) -> int:
    """How many characters at the end of a text may be the beginning of a tag."""
    return next((size for size in range(min(len(tag) - 1, len(text)), 0, -1) if text.endswith(tag[:size])), 0)


class ChatAnswer:
    """One turn that is being streamed.

    Attributes:
        is_complete: the provider has said why it stopped; without that the stream was cut.
        sent_tokens: about how many tokens were sent.
    """

    def __init__(self, usage: Usage, sent_tokens: int) -> None:
        """Begin; `usage` is filled in as it becomes known, and estimated from what is sent and comes until then."""
        self._usage = usage
        self.sent_tokens = sent_tokens
        self._came_bytes = 0
        self._is_counted = False
        self._text: list[str] = []
        self._thoughts = _Thoughts()
        self._refusal = False
        self._calls: list[_Call] = []
        self._at_index: dict[int | None, _Call] = {}
        self._stop = ""

    @property
    def is_complete(self) -> bool:
        """Whether the provider has said why it stopped."""
        return bool(self._stop)

    @property
    def is_cut(self) -> bool:
        """Whether the server counts far fewer tokens than were sent: it has cut the request, without a word.

        Tokenizers and the forms in which servers put tools differ from the estimate by a third, not by half.
        """
        missing = self.sent_tokens - self._usage.input
        return self._is_counted and missing >= _LEAST_CUT and self._usage.input < self.sent_tokens * _CUT_SHARE

    def has_lost(self, previous: ChatAnswer | None) -> bool:
        """Whether the conversation has grown since a turn before and the server counts hardly more: it has cut it.

        Whatever its tokenizer makes of the beginning, what was added has to be counted.
        """
        if previous is None or not (self._is_counted and previous._is_counted):
            return False
        grown = self.sent_tokens - previous.sent_tokens
        return grown >= _LEAST_GROWTH and self._usage.input - previous._usage.input < grown * _GROWTH_SHARE

    def convert(self, chunk: Any) -> Iterator[Event]:
        """Take the next chunk; the neutral events it stands for."""
        for event in self._events(chunk):
            content = event.json if isinstance(event, ToolDelta) else getattr(event, "text", "")
            self._came_bytes += len(content.encode())
            yield event
        self._count(getattr(chunk, "usage", None))

    def _events(self, chunk: Any) -> Iterator[Event]:
        for choice in (getattr(chunk, "choices", None) or ())[:1]:
            delta = choice.delta
            for name in _THOUGHTS:
                thought = getattr(delta, name, None)
                if isinstance(thought, str) and thought:
                    yield ThinkingDelta(repair_surrogates(thought))
                    break
            content = getattr(delta, "content", None)
            if isinstance(content, str) and content:
                yield from self._say(self._thoughts.split(content))
            if refusal := getattr(delta, "refusal", None):
                self._refusal = True
                yield from self._say([TextDelta(refusal)])
            for call in getattr(delta, "tool_calls", None) or ():
                yield from self._grow(call)
            self._stop = str(getattr(choice, "finish_reason", None) or self._stop)
            if self._stop:
                yield from self._say(self._thoughts.flush())

    def end(self) -> TurnEnd:
        """The end of the turn. It has calls only if the model stopped for them; else the last one is incomplete."""
        stop = "refusal" if self._refusal else _STOPS.get(self._stop, "end")
        calls = [tool_call_of(call.id, call.name, call.raw) for call in self._calls if call.name]
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

    def _say(self, parts: Iterable[ThinkingDelta | TextDelta]) -> Iterator[Event]:
        """Parts of the answer; only its text goes into the history."""
        for part in parts:
            if isinstance(part, TextDelta):
                self._text.append(part.text)
            yield replace(part, text=repair_surrogates(part.text))

    def _grow(self, delta: Any) -> Iterator[Event]:
        """Begin a call, or add to one."""
        function = getattr(delta, "function", None)
        name, arguments = getattr(function, "name", None) or "", getattr(function, "arguments", None)
        if isinstance(arguments, Mapping):  # some servers send the object itself
            arguments = orjson.dumps(arguments).decode()
        arguments = arguments if isinstance(arguments, str) else ""
        call_id = getattr(delta, "id", None) or ""
        index = getattr(delta, "index", None)
        call = self._at_index.get(index)
        if not isinstance(index, int):  # a server that counts none begins a new one with each name
            call = None if name or not self._calls else self._calls[-1]
        if call is None or _is_another(call, call_id, name, arguments):
            call = self._at_index[index] = _Call(call_id or f"call_{uuid.uuid4().hex[:24]}")
            self._calls.append(call)
        if name and not call.name:
            call.name = name
            yield ToolStart(call.id, call.name)
        if arguments:
            call.parts.append(arguments)
            yield ToolDelta(call.id, repair_surrogates(arguments))

    def _count(self, usage: Any) -> None:
        """Update the counts; some servers send them with each chunk, some null, and some never: then by an estimate."""
        ours = self._usage
        if usage is None or not number(usage, "prompt_tokens", 0):
            if not self._is_counted:
                ours.input = self.sent_tokens
                ours.output = ceil(self._came_bytes / _BYTES_PER_TOKEN)
            return
        self._is_counted = True
        ours.input = number(usage, "prompt_tokens", ours.input)
        ours.output = number(usage, "completion_tokens", ours.output)
        details = getattr(usage, "prompt_tokens_details", None)
        ours.cache_read = min(number(details, "cached_tokens", ours.cache_read), ours.input)
        ours.cache_write = min(number(details, "cache_write_tokens", ours.cache_write), ours.input - ours.cache_read)
        thought = number(getattr(usage, "completion_tokens_details", None), "reasoning_tokens", ours.thinking)
        ours.thinking = min(thought, ours.output)


def _is_another(call: _Call, call_id: str, name: str, arguments: str) -> bool:
    """Whether a piece begins another call than the one at its index: servers may give all calls the same index.

    A name begins a call. Where it is the same name it is the same call, repeated with each piece, unless its id is
    another or what it wrote is complete.
    """
    if not name or not call.name:
        return False
    if name != call.name or (call_id and call_id != call.id):
        return True
    return not call_id and bool(arguments) and tool_call_of("", name, call.raw).input is not None and bool(call.parts)


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


def tokens_of(content: bytes) -> int:
    """About how many tokens it is."""
    return ceil(len(content) / _BYTES_PER_TOKEN)


def number(source: Any, name: str, before: int) -> int:
    """A count, or the one before where there is none."""
    value = getattr(source, name, None)
    return value if isinstance(value, int) else before
