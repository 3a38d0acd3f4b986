"""Convert the stream of one turn: raw events become neutral ones and the message for the history.

Accumulates by itself, because the SDK's helper fails on broken JSON of a tool call and parses the whole input again at
every delta. Numbers may be missing: gateways leave out what the SDK's types call required.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import orjson

from draftsmith.adapters.whole_text import repair_surrogates
from draftsmith.assistant.provider import (
    Event,
    Stop,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolDelta,
    ToolStart,
    TurnEnd,
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


class Answer:
    """One turn that is being streamed.

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
        """Take the next raw event; the neutral events it stands for.

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
        """The end of the turn. It has calls only if the model stopped for them; else the last one is incomplete."""
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
        """More text; a second block of its kind begins a new paragraph."""
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
