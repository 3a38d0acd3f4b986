"""Chat Completions as OpenAI and Azure serve them, and as servers do that call themselves compatible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request

from tests.standin.dialects import (
    KNOWN_MODELS,
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
from tests.standin.prefix import count_tokens
from tests.standin.script import Text, Thinking, ToolUse, Turn
from tests.standin.server import Frame

_PARAMETERS = {
    *("model", "messages", "tools", "tool_choice", "stream", "stream_options", "parallel_tool_calls"),
    *("max_completion_tokens", "max_tokens", "reasoning_effort"),
}
_STOPS = {"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length", "refusal": "content_filter"}
_CODES = {
    "authentication_error": "invalid_api_key",
    "billing_error": "insufficient_quota",
    "not_found_error": "model_not_found",
    "rate_limit_error": "rate_limit_exceeded",
    "request_too_large": "context_length_exceeded",
    "api_error": "server_error",
    "overloaded_error": "server_is_overloaded",
}


class Chat:
    """The dialect.

    `is_loose`: calls come whole, without id and index, their arguments as an object; the stop is always `stop`.
    `is_ollama`: calls come whole, all with index 0, thoughts stand in `<think>` before the answer, and no tokens are
    counted.
    """

    models = "/v1/models"

    def __init__(self, *, is_azure: bool = False, is_loose: bool = False, is_ollama: bool = False) -> None:
        self._is_azure, self._is_loose, self._is_ollama = is_azure, is_loose, is_ollama
        self.paths: Sequence[str] = (
            ["/openai/deployments/{model}/chat/completions"] if is_azure else ["/v1/chat/completions"]
        )

    def key(self, request: Request) -> str:
        """The key that came."""
        if self._is_azure:
            return request.headers.get("api-key", "")
        return request.headers.get("authorization", "").removeprefix("Bearer ")

    def read(self, body: dict[str, Any], path: Mapping[str, str]) -> dict[str, Any]:
        """The request as one of the Messages API."""
        for name in body:
            need(name in _PARAMETERS, f"Unrecognized request argument supplied: {name}")
        strange = "max_tokens" if self._is_azure else "max_completion_tokens"
        need(not self._is_azure or strange not in body, f"Unsupported parameter: {strange}")
        need(body.get("tools") != [], "Invalid 'tools': empty array. Expected an array with minimum length 1")
        tools = [
            {"name": one["function"]["name"], "input_schema": one["function"]["parameters"]}
            for one in body.get("tools", ())
        ]
        check_tools(tools)
        messages, system = self._messages(body["messages"])
        check_pairs(messages)
        model = path.get("model", body["model"])
        stream = bool(body.get("stream"))
        return {"model": model, "system": system, "tools": tools, "messages": messages, "stream": stream}

    def _messages(self, given: Sequence[Json]) -> tuple[list[dict[str, Any]], str]:
        messages: list[dict[str, Any]] = []
        system = ""
        for one in given:
            match one["role"]:
                case "system":
                    system = one["content"]
                case "tool":
                    result = {"type": "tool_result", "tool_use_id": one["tool_call_id"], "content": one["content"]}
                    if messages[-1]["content"][-1]["type"] == "tool_result":
                        messages[-1]["content"].append(result)
                    else:
                        messages.append({"role": "user", "content": [result]})
                case "user":
                    need(bool(one["content"].strip()), "user message must not be empty")
                    messages.append({"role": "user", "content": [block_text(one["content"])]})
                case "assistant":
                    unknown = one.keys() - {"role", "content", "tool_calls"}
                    need(not unknown, f"unknown fields of an assistant message: {sorted(unknown)}")
                    blocks = [block_text(one["content"])] if one.get("content") else []
                    for call in one.get("tool_calls", ()):
                        value = as_object(call["function"]["arguments"])
                        blocks.append(
                            {"type": "tool_use", "id": call["id"], "name": call["function"]["name"], "input": value}
                        )
                    need(bool(blocks), "assistant message must have content or tool_calls")
                    messages.append({"role": "assistant", "content": blocks})
                case role:
                    need(False, f"unknown role {role}")
        return messages, system

    def frames(self, turn: Turn, asked: Json, usage: Mapping[str, int], number: int) -> list[Frame]:
        """A turn as the frames of a stream."""
        head = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1, "model": asked["model"]}

        def chunk(delta: Json, stop: str | None = None) -> bytes:
            return sse({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]})

        frames: list[Frame] = [("start", chunk({"role": "assistant", "content": ""}))]
        output, calls = 0, 0
        for block in turn.blocks:
            match block:
                case Text(text):
                    output += count_tokens(text)
                    frames += [("delta", chunk({"content": piece})) for piece in in_pieces(text, turn.chunk)]
                case Thinking(text):
                    output += count_tokens(text)
                    name = "reasoning" if self._is_loose else "reasoning_content"
                    if self._is_ollama:
                        name, text = "content", f"<think>\n{text}\n</think>\n\n"
                    frames += [("delta", chunk({name: piece})) for piece in in_pieces(text, turn.chunk)]
                case ToolUse(name, given, call_id):
                    raw = raw_input(given)
                    output += count_tokens(raw)
                    call_id = call_id or f"call_{number}_{calls}"
                    # Some servers of one's own send the object itself.
                    whole = dict(given) if self._is_loose and isinstance(given, Mapping) else raw
                    frames += self._call(chunk, call_id, name, whole, calls, turn.chunk)
                    calls += 1
        frames.append(("content_block_stop", sse({**head, "choices": []})))
        stop = "stop" if self._is_loose else _STOPS.get(turn.stop_reason, "stop")
        frames.append(("stop", chunk({}, stop)))
        sent = sum(usage.values()) if turn.read_tokens is None else turn.read_tokens
        counts = {
            "prompt_tokens": sent,
            "completion_tokens": turn.output_tokens if turn.output_tokens is not None else output,
            "total_tokens": sent + output,
            "prompt_tokens_details": {"cached_tokens": usage["cache_read_input_tokens"]},
        }
        if not self._is_ollama:
            frames.append(("usage", sse({**head, "choices": [], "usage": counts})))
        frames.append(("end", b"data: [DONE]\n\n"))
        return frames

    def _call(self, chunk: Any, call_id: str, name: str, raw: Any, index: int, size: int) -> list[Frame]:
        if self._is_loose:
            return [("delta", chunk({"tool_calls": [{"function": {"name": name, "arguments": raw}}]}))]
        if self._is_ollama:
            function = {"name": name, "arguments": raw}
            return [("delta", chunk({"tool_calls": [{"index": 0, "id": call_id, "function": function}]}))]
        first = {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
        return [
            ("delta", chunk({"tool_calls": [first]})),
            *(
                ("delta", chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}))
                for piece in in_pieces(raw, size)
            ),
        ]

    def whole(self, asked: Json) -> Any:
        """The answer to a request that wants no stream."""
        message = {"role": "assistant", "content": "Yes."}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "c", "object": "chat.completion", "created": 1, "model": asked["model"], "choices": [choice]}

    def error(self, kind: str, message: str, status: int) -> Any:
        """The body of an error."""
        return {"error": {"message": message, "type": kind, "param": None, "code": _CODES.get(kind, kind)}}

    def broken(self, how: str, kind: str, message: str) -> bytes:
        """What comes last where a stream breaks."""
        if how == "garbage":
            return b'data: {"choices": [{"del\n\n'
        return sse(self.error(kind, message, 200)) if how == "error" else b""

    def model(self, name: str) -> Any:
        """A model, or the list of all of them."""
        if name:
            return {"id": name, "object": "model", "created": 1, "owned_by": "standin"}
        return {"object": "list", "data": [self.model(one) for one in KNOWN_MODELS]}
