"""The Responses API of OpenAI: items and their events, and reasoning that comes back encrypted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.standin.chat import Chat
from tests.standin.dialects import (
    Json,
    as_object,
    block_text,
    check_pairs,
    check_tools,
    in_pieces,
    need,
    raw_input,
    sse,
)
from tests.standin.prefix import count_tokens, fingerprint
from tests.standin.script import Text, Thinking, ToolUse, Turn
from tests.standin.server import Frame

_PARAMETERS = {
    *("model", "input", "instructions", "tools", "stream", "store", "include", "reasoning", "max_output_tokens"),
}


def _sealed(model: str, instructions: Any, tools: Any, before: Sequence[Json], summary: Any) -> str:
    return fingerprint(model, instructions, tools, list(before), summary)


class Responses(Chat):
    """The dialect."""

    def __init__(self) -> None:
        super().__init__()
        self.paths = ["/v1/responses"]

    def read(self, body: dict[str, Any], path: Mapping[str, str]) -> dict[str, Any]:
        """The request as one of the Messages API."""
        for name in body:
            need(name in _PARAMETERS, f"Unknown parameter: '{name}'")
        need(body.get("store") is False, "the stand-in keeps nothing")
        reasons = not body["model"].startswith("gpt-4")
        need(reasons or "reasoning" not in body, "Unsupported parameter: 'reasoning'")
        need(body.get("tools") != [], "Invalid 'tools': empty array. Expected an array with minimum length 1")
        tools = [{"name": one["name"], "input_schema": one["parameters"]} for one in body.get("tools", ())]
        check_tools(tools)
        messages: list[dict[str, Any]] = []
        items = body["input"]
        if isinstance(items, str):
            items = [{"type": "message", "role": "user", "content": [{"text": items}]}]
        for at, item in enumerate(items):
            role, block = self._block(item)
            if item.get("type") == "reasoning":
                before = items[:at]
                seal = _sealed(body["model"], body.get("instructions"), body.get("tools"), before, item["summary"])
                need(item.get("encrypted_content") == seal, "The encrypted content could not be verified.")
            if messages and messages[-1]["role"] == role:
                messages[-1]["content"] += block
            else:
                messages.append({"role": role, "content": block})
        check_pairs(messages)
        stream = bool(body.get("stream"))
        return {"model": body["model"], "tools": tools, "messages": messages, "stream": stream, "body": body}

    def _block(self, item: Json) -> tuple[str, list[dict[str, Any]]]:
        match item.get("type", "message"):
            case "message" if item["role"] == "user":
                return "user", [block_text(part["text"]) for part in item["content"]]
            case "message":
                return "assistant", [block_text(part["text"]) for part in item["content"]]
            case "reasoning":
                return "assistant", []
            case "function_call":
                value = as_object(item["arguments"])
                return "assistant", [{"type": "tool_use", "id": item["call_id"], "name": item["name"], "input": value}]
            case "function_call_output":
                return "user", [{"type": "tool_result", "tool_use_id": item["call_id"], "content": item["output"]}]
            case kind:
                need(False, f"unknown item {kind}")
                raise AssertionError

    def frames(self, turn: Turn, asked: Json, usage: Mapping[str, int], number: int) -> list[Frame]:
        """A turn as the frames of a stream."""
        body = asked["body"]
        response: dict[str, Any] = {
            "id": f"resp_{number}", "object": "response", "created_at": 1, "model": asked["model"],
            "status": "in_progress", "output": [], "parallel_tool_calls": True, "tools": [], "tool_choice": "auto",
        }  # fmt: skip
        frames: list[Frame] = []

        def tell(kind: str, **data: Any) -> None:
            event = {"type": kind, "sequence_number": len(frames), **data}
            frames.append(("content_block_stop" if kind.endswith("item.done") else kind, sse(event, kind)))

        tell("response.created", response=response)
        output, thought = 0, 0
        items: list[dict[str, Any]] = []
        for index, block in enumerate(turn.blocks):
            place = {"output_index": index, "item_id": f"item_{number}_{index}"}
            item: dict[str, Any] = {"id": place["item_id"], "status": "completed"}
            match block:
                case Text(text):
                    output += count_tokens(text)
                    item |= {"type": "message", "role": "assistant", "content": []}
                    tell("response.output_item.added", output_index=index, item=dict(item))
                    for piece in in_pieces(text, turn.chunk):
                        tell("response.output_text.delta", **place, content_index=0, delta=piece, logprobs=[])
                    item["content"] = [{"type": "output_text", "text": text, "annotations": []}]
                case Thinking(text):
                    thought += count_tokens(text)
                    item = {"id": place["item_id"], "type": "reasoning", "summary": []}
                    tell("response.output_item.added", output_index=index, item=dict(item))
                    for piece in in_pieces(text, turn.chunk):
                        tell("response.reasoning_summary_text.delta", **place, summary_index=0, delta=piece)
                    item["summary"] = [{"type": "summary_text", "text": text}]
                    before = [*body["input"], *(_as_sent(one) for one in items)]
                    seal = _sealed(body["model"], body.get("instructions"), body.get("tools"), before, item["summary"])
                    item["encrypted_content"] = seal
                case ToolUse(name, given, call_id):
                    raw = raw_input(given)
                    output += count_tokens(raw)
                    item |= {"type": "function_call", "call_id": call_id or f"call_{number}_{index}", "name": name}
                    tell("response.output_item.added", output_index=index, item={**item, "arguments": ""})
                    for piece in in_pieces(raw, turn.chunk):
                        tell("response.function_call_arguments.delta", **place, delta=piece)
                    item["arguments"] = raw
            tell("response.output_item.done", output_index=index, item=item)
            items.append(item)
        sent = sum(usage.values())
        response |= {"status": "completed", "output": items}
        response["usage"] = {
            "input_tokens": sent,
            "input_tokens_details": {"cached_tokens": usage["cache_read_input_tokens"], "cache_write_tokens": 0},
            "output_tokens": output + thought, "output_tokens_details": {"reasoning_tokens": thought},
            "total_tokens": sent + output + thought,
        }  # fmt: skip
        reason = {"max_tokens": "max_output_tokens", "refusal": "content_filter"}.get(turn.stop_reason)
        if reason is not None:
            response |= {"status": "incomplete", "incomplete_details": {"reason": reason}}
        tell("response.incomplete" if reason else "response.completed", response=response)
        return frames

    def whole(self, asked: Json) -> Any:
        """The answer to a request that wants no stream."""
        return {"id": "resp", "object": "response", "created_at": 1, "model": asked["model"], "output": []}

    def broken(self, how: str, kind: str, message: str) -> bytes:
        """What comes last where a stream breaks."""
        if how == "garbage":
            return b'event: response.output_text.delta\ndata: {"type": "respon\n\n'
        if how != "error":
            return b""
        error = super().error(kind, message, 200)["error"]
        data = {"type": "error", "sequence_number": 9, "code": error["code"], "message": message, "param": None}
        return sse(data, "error")


def _as_sent(item: Json) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "status"}
