"""A turn of the Messages API: which parameters a model takes, the body, its messages, and its stream.

The order on the wire is tools, system, messages. One cache mark at the end of the system texts covers what never
changes within a run; a second, automatic one moves with the last message. Both must find the same bytes again, so
nothing here depends on anything but its arguments.

The stream is accumulated here, because the SDK's helper fails on broken JSON of a tool call and parses the whole input
again at every delta. Numbers may be missing: gateways leave out what the SDK's types call required.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import orjson

from draftsmith.adapters.tool_dialects import description_of
from draftsmith.adapters.whole_text import repair_surrogates
from draftsmith.assistant.provider import (
    Effort,
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
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tools",
    "pause_turn": "pause",
    "max_tokens": "max_tokens",
    "refusal": "refusal",
    "model_context_window_exceeded": "context",
}
_PARAGRAPH: Final = "\n\n"
_CACHED: Final = {"type": "ephemeral"}
# Up to 4.5, thinking needs a budget of tokens and effort is not known.
_OLD = re.compile(r"claude-(?:instant|\d)|-4-(?:[0-5](?!\d)|20\d{6})")
_EFFORTS: Final = frozenset({"low", "medium", "high"})


@dataclass(frozen=True, slots=True)
class Abilities:
    """Which parameters a model takes.

    Attributes:
        adaptive: it decides itself how much to think.
        efforts: the levels of effort that may be asked for.
        most_tokens: how long an answer may be; None where that is not known.
        is_direct: it is asked at Anthropic's own API, which sets cache marks by itself and takes examples of inputs.
    """

    adaptive: bool
    efforts: frozenset[str]
    most_tokens: int | None = None
    is_direct: bool = True


def assumed_abilities(model: str) -> Abilities:
    """The abilities of a model guessed from its name, used until a check has been made."""
    is_old = _OLD.search(model) is not None
    return Abilities(adaptive=not is_old, efforts=frozenset() if is_old else _EFFORTS)


def reported_abilities(model: str, info: Any) -> Abilities:
    """The abilities of a model as the provider reports them (`ModelInfo`); assumed where it reports none."""
    known = getattr(info, "capabilities", None)
    assumed = assumed_abilities(model)
    most = getattr(info, "max_tokens", None)
    if known is None:
        return Abilities(assumed.adaptive, assumed.efforts, most)
    effort = getattr(known, "effort", None)
    efforts = {level for level in _EFFORTS if _is_supported(effort, level)} if _is_supported(known, "effort") else set()
    kinds = getattr(getattr(known, "thinking", None), "types", None)
    return Abilities(_is_supported(kinds, "adaptive"), frozenset(efforts), most)


def _is_supported(parent: Any, name: str) -> bool:
    return getattr(getattr(parent, name, None), "supported", False) is True


def turn_body(model: str, effort: Effort, able: Abilities, request: TurnRequest) -> dict[str, Any]:
    """The body of a request; empty messages are left out."""
    system: list[dict[str, Any]] = [
        {"type": "text", "text": repair_surrogates(text)} for text in request.system if text.strip()
    ]
    tools = [tool_body(tool, takes_examples=able.is_direct) for tool in request.tools]
    if system or tools:
        (system or tools)[-1]["cache_control"] = _CACHED
    # A turn may have been empty, and the API refuses empty messages.
    messages = [message for message in request.messages if message["content"]]
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": min(request.max_tokens, able.most_tokens or request.max_tokens),
        "messages": messages if able.is_direct else _with_cache_mark(messages),
    }
    if able.is_direct:
        body["cache_control"] = _CACHED
    if system:
        body["system"] = system
    if tools:
        body["tools"] = tools
    if able.adaptive:
        # Without this, newer models stream nothing between two calls: their thinking is omitted by default.
        body["thinking"] = {"type": "adaptive", "display": "summarized"}
    if effort in able.efforts:
        body["output_config"] = {"effort": effort}
    return body


def _with_cache_mark(messages: Sequence[Any]) -> list[Any]:
    """The messages with a cache mark at the end of the last one; what is handed in stays as it is."""
    if not messages or messages[-1]["role"] != "user":  # thoughts take no mark
        return list(messages)
    last = messages[-1]
    content = [*last["content"][:-1], {**last["content"][-1], "cache_control": _CACHED}]
    return [*messages[:-1], {**last, "content": content}]


def tool_body(tool: ToolSpec, *, takes_examples: bool = True) -> dict[str, Any]:
    """Give a tool as the API takes it; its examples in its text where there is no field for them."""
    body: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description if takes_examples else description_of(tool),
        "input_schema": dict(tool.input_schema),
    }
    if tool.examples and takes_examples:
        body["input_examples"] = [dict(example) for example in tool.examples]
    if tool.eager:
        body["eager_input_streaming"] = True
    return body


def user_message(text: str) -> Mapping[str, Any]:
    """Give a message of the person."""
    return {"role": "user", "content": [{"type": "text", "text": repair_surrogates(text)}]}


def results_message(results: Sequence[ToolResult], note: str) -> Mapping[str, Any]:
    """Give the message that answers calls: the results first, as the API demands."""
    content: list[dict[str, Any]] = []
    for result in results:
        answer: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": result.call_id,
            "content": repair_surrogates(result.text) if result.text.strip() else "(nothing)",
        }
        if result.is_error:
            answer["is_error"] = True
        content.append(answer)
    if note.strip():
        content.append({"type": "text", "text": repair_surrogates(note)})
    return {"role": "user", "content": content}


class Answer:
    """The answer of one turn, while it is being streamed: raw events in, neutral events out.

    Attributes:
        is_complete: the provider has said why it stopped; without that the stream was cut.
    """

    def __init__(self, usage: Usage) -> None:
        """Begin; `usage` is filled in as it becomes known."""
        self._usage = usage
        self._inputs = {"input_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._json: dict[int, list[str]] = {}
        self._has_said: set[str] = set()
        self._is_fresh = False
        self._stop = ""

    @property
    def is_complete(self) -> bool:
        """Whether the provider has said why it stopped."""
        return bool(self._stop)

    def convert(self, event: Any) -> Iterator[Event]:
        """Take the next raw event, and yield the neutral events that it stands for.

        Raises:
            ValueError: it belongs to a block that has not begun.
        """
        match getattr(event, "type", ""):
            case "message_start":
                self._count(getattr(getattr(event, "message", None), "usage", None))
            case "content_block_start":
                yield from self._begin(event.index, event.content_block.to_dict())
            case "content_block_delta":
                if event.index not in self._blocks:
                    raise ValueError("a block goes on that has not begun")
                yield from self._grow(event.index, event.delta)
            case "message_delta":
                self._count(getattr(event, "usage", None))
                self._stop = str(getattr(event.delta, "stop_reason", None) or self._stop)
                yield from self._refusal(getattr(event.delta, "stop_details", None))
            case _:
                pass

    def end(self) -> TurnEnd:
        """Return the end of the turn.

        It has calls only if the model stopped for them; else the last one is incomplete.
        """
        calls = [self._finish_call(index) for index in self._json]
        stop = _STOPS.get(self._stop, "end")
        if stop in ("end", "tools"):
            stop = "tools" if calls else "end"
        content = [_as_sent(block) for block in self._blocks.values() if not _is_blank(block)]
        return TurnEnd(stop, calls if stop == "tools" else [], {"role": "assistant", "content": content})

    def _begin(self, index: int, block: dict[str, Any]) -> Iterator[Event]:
        self._blocks[index] = block = {name: value for name, value in block.items() if value is not None}
        self._is_fresh = True
        match block.get("type"):
            case "tool_use":
                self._json[index] = []
                yield ToolStart(block["id"], block["name"])
            case "text":
                yield from self._say("text", block.get("text", ""))
            case "thinking":
                yield from self._say("thinking", block.get("thinking", ""))
            case _:
                pass

    def _grow(self, index: int, delta: Any) -> Iterator[Event]:
        block = self._blocks[index]
        match getattr(delta, "type", ""):
            case "text_delta":
                block["text"] = block.get("text", "") + delta.text
                yield from self._say("text", delta.text)
            case "thinking_delta":
                block["thinking"] = block.get("thinking", "") + delta.thinking
                yield from self._say("thinking", delta.thinking)
            case "signature_delta":
                block["signature"] = delta.signature
            case "input_json_delta" if index in self._json:
                if delta.partial_json:
                    self._json[index].append(delta.partial_json)
                    yield ToolDelta(block["id"], repair_surrogates(delta.partial_json))
            case _:
                pass

    def _say(self, kind: str, text: str) -> Iterator[Event]:
        """Yield more text; a second block of its kind begins a new paragraph."""
        if not text:
            return
        if self._is_fresh and kind in self._has_said:
            text = _PARAGRAPH + text
        self._is_fresh = False
        self._has_said.add(kind)
        yield TextDelta(repair_surrogates(text)) if kind == "text" else ThinkingDelta(repair_surrogates(text))

    def _refusal(self, details: Any) -> Iterator[Event]:
        reason = getattr(details, "explanation", None)
        if reason:
            self._is_fresh = True
            yield from self._say("text", str(reason))

    def _finish_call(self, index: int) -> ToolCall:
        """Parse the input of a call; anything but a JSON object is kept as it came."""
        block = self._blocks[index]
        raw = repair_surrogates("".join(self._json[index]))
        value: Any = None
        # Also refuses what could not be sent back: NaN, lone surrogates, deep nesting.
        with suppress(orjson.JSONDecodeError):
            value = orjson.loads(raw) if raw.strip() else (block.get("input") or {})
        is_object = isinstance(value, dict)
        block["input"] = value if is_object else {"INVALID_JSON": raw}
        return ToolCall(block["id"], block["name"], value if is_object else None, raw)

    def _count(self, usage: Any) -> None:
        """Update the counts: they are cumulative, and null where they have not changed."""
        for name in self._inputs:
            self._inputs[name] = _number(usage, name, self._inputs[name])
        ours = self._usage
        ours.input = sum(self._inputs.values())
        ours.cache_read = self._inputs["cache_read_input_tokens"]
        ours.cache_write = self._inputs["cache_creation_input_tokens"]
        ours.output = _number(usage, "output_tokens", ours.output)
        ours.thinking = _number(getattr(usage, "output_tokens_details", None), "thinking_tokens", ours.thinking)


def _number(source: Any, name: str, before: int) -> int:
    value = getattr(source, name, None)
    return value if isinstance(value, int) else before


def _as_sent(block: dict[str, Any]) -> dict[str, Any]:
    return {name: repair_surrogates(value) if isinstance(value, str) else value for name, value in block.items()}


def _is_blank(block: dict[str, Any]) -> bool:
    """Whether it is an empty text block: the API sends such blocks and refuses them in a request."""
    return block.get("type") == "text" and not block.get("text", "").strip()
