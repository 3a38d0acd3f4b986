"""How an answer goes over the wire: the message as JSON, and as a stream of events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.standin.prefix import count_tokens, sign, turns_of
from tests.standin.script import Text, Thinking, ToolUse, Turn

Event = tuple[str, dict[str, Any]]


def message_of(turn: Turn, body: Mapping[str, Any], usage: Mapping[str, int], number: int) -> dict[str, Any]:
    """Give a turn as the API's message; thoughts are signed, and shown where the request asks for it."""
    is_shown = (body.get("thinking") or {}).get("display") == "summarized"
    turns = turns_of(body["messages"])
    content: list[dict[str, Any]] = []
    thinking = 0
    for place, block in enumerate(turn.blocks):
        match block:
            case Text(text):
                content.append({"type": "text", "text": text, "citations": None})
            case Thinking(text):
                shown = text if is_shown else ""
                thinking += count_tokens(text)
                signature = sign(body, turns, _echoed(content), shown)
                content.append({"type": "thinking", "thinking": shown, "signature": signature})
            case ToolUse(name, given, call_id):
                call_id = call_id or f"toolu_{number:06d}{place:02d}"
                content.append({"type": "tool_use", "id": call_id, "name": name, "input": given})
    output = turn.output_tokens if turn.output_tokens is not None else count_tokens(content) + thinking
    return {
        "id": f"msg_{number:08d}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "container": None,
        "stop_reason": turn.stop_reason,
        "stop_sequence": None,
        "stop_details": turn.stop_details,
        "usage": {
            **usage,
            "cache_creation": {
                "ephemeral_5m_input_tokens": usage["cache_creation_input_tokens"],
                "ephemeral_1h_input_tokens": 0,
            },
            "output_tokens": output,
            "output_tokens_details": {"thinking_tokens": thinking},
            "service_tier": "standard",
        },
    }


def _echoed(content: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give blocks as they come back in a history."""
    return [
        {**block, "input": _as_object(block["input"])} if block["type"] == "tool_use" else block for block in content
    ]


def _as_object(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        value = json.loads(given)
    except ValueError:
        return {"INVALID_JSON": given}
    return value if isinstance(value, dict) else {"INVALID_JSON": given}


def events_of(turn: Turn, message: dict[str, Any]) -> Iterator[Event]:
    """Give a message as the events of a stream, in their order."""
    usage = message["usage"]
    begun = {
        **message,
        "content": [],
        "stop_reason": None,
        "stop_details": None,
        "usage": {**usage, "output_tokens": 1},
    }
    begun["usage"]["output_tokens_details"] = None
    yield "message_start", {"message": begun}
    for index, block in enumerate(message["content"]):
        empty, deltas = _block_events(block, turn.chunk)
        yield "content_block_start", {"index": index, "content_block": empty}
        if index == 0:
            yield "ping", {}
        for delta in deltas:
            yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    # Cumulative, and null where nothing has changed since the start.
    final = dict.fromkeys(("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"))
    counted = {name: usage[name] for name in ("output_tokens", "output_tokens_details")}
    ending = {name: message[name] for name in ("stop_reason", "stop_sequence", "stop_details", "container")}
    yield "message_delta", {"delta": ending, "usage": {**final, **counted}}
    yield "message_stop", {}


def _block_events(block: dict[str, Any], chunk: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    def cut(text: str) -> list[str]:
        return [text[at : at + chunk] for at in range(0, len(text), chunk)]

    match block["type"]:
        case "text":
            return {**block, "text": ""}, [{"type": "text_delta", "text": part} for part in cut(block["text"])]
        case "thinking":
            deltas = [{"type": "thinking_delta", "thinking": part} for part in cut(block["thinking"])]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
            return {"type": "thinking", "thinking": "", "signature": ""}, deltas
        case _:
            given = block["input"]
            text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
            parts = ["", *cut(text)]
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": part} for part in parts]


def encode(event: Event) -> bytes:
    """Give an event as bytes of a stream; its type is in the data, too."""
    name, data = event
    return f"event: {name}\ndata: {json.dumps({'type': name, **data}, ensure_ascii=False)}\n\n".encode()
