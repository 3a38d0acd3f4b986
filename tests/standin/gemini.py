"""Gemini's API: contents and parts, calls that come whole and mostly without an id, thoughts with signatures."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request

from tests.standin.dialects import KNOWN_MODELS, Json, block_text, check_pairs, check_tools, in_pieces, need, sse
from tests.standin.prefix import count_tokens, fingerprint
from tests.standin.script import Text, Thinking, ToolUse, Turn
from tests.standin.server import Frame

_STOPS = {"max_tokens": "MAX_TOKENS", "refusal": "SAFETY"}
_STATUS_NAMES = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 402: "FAILED_PRECONDITION", 403: "PERMISSION_DENIED",
    404: "NOT_FOUND", 413: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED", 529: "UNAVAILABLE",
}  # fmt: skip
_IN_STREAM = {"rate_limit_error": 429, "overloaded_error": 503}


def _signed(contents: Sequence[Json], parts: Sequence[Json], part: Json) -> str:
    bare = {name: value for name, value in part.items() if name != "thoughtSignature"}
    return base64.b64encode(fingerprint(list(contents), list(parts), bare).encode()).decode()


def _given(declaration: Json) -> Any:
    """The schema of a tool: Google's APIs read field names in both forms, and its SDK sends this one in the other."""
    return declaration.get("parametersJsonSchema", declaration.get("parameters_json_schema"))


def _standard(signature: Any) -> str:
    """A signature in the alphabet of the stand-in; both of base64 mean the same."""
    return str(signature).replace("-", "+").replace("_", "/")


class Gemini:
    """The dialect."""

    paths: Sequence[str] = ("/v1/models/{model}",)
    models = "/v1/models"

    def key(self, request: Request) -> str:
        """The key that came."""
        return request.headers.get("x-goog-api-key", "")

    def read(self, body: dict[str, Any], path: Mapping[str, str]) -> dict[str, Any]:
        """The request as one of the Messages API."""
        model, _, verb = path["model"].partition(":")
        declared = [one for tool in body.get("tools", ()) for one in tool["functionDeclarations"]]
        tools = [{"name": one["name"], "input_schema": _given(one)} for one in declared]
        check_tools(tools)
        contents = body["contents"]
        messages: list[dict[str, Any]] = []
        waiting: list[dict[str, Any]] = []
        for at, content in enumerate(contents):
            need(bool(content.get("parts")), "contents: parts must not be empty")
            blocks: list[dict[str, Any]] = []
            for number, part in enumerate(content["parts"]):
                if content["role"] == "model":
                    self._check_signature(contents[:at], content["parts"][:number], part)
                blocks += self._blocks(part, waiting, f"{at}.{number}")
            messages.append({"role": {"model": "assistant"}.get(content["role"], "user"), "content": blocks})
        check_pairs(messages)
        stream = verb == "streamGenerateContent"
        return {"model": model, "tools": tools, "messages": messages, "stream": stream, "contents": contents}

    def _check_signature(self, contents: Sequence[Json], parts: Sequence[Json], part: Json) -> None:
        given = part.get("thoughtSignature")
        first = "functionCall" in part and not any("functionCall" in one for one in parts)
        need(given is not None or not first, "Function call is missing a thought_signature")
        if given is not None:
            need(_standard(given) == _signed(contents, parts, part), "Thought signature is not valid")

    def _blocks(self, part: Json, waiting: list[dict[str, Any]], place: str) -> list[dict[str, Any]]:
        if "functionCall" in part:
            call = part["functionCall"]
            block = {"type": "tool_use", "id": place, "name": call["name"], "input": call.get("args", {})}
            waiting.append(block)
            return [block]
        if "functionResponse" in part:
            response = part["functionResponse"]
            need(bool(waiting) and waiting[0]["name"] == response["name"], f"no call of {response['name']} before")
            need("id" not in response, "the call had no id")
            result = response["response"]
            text = str(result.get("output", result.get("error")))
            found = {"type": "tool_result", "tool_use_id": waiting.pop(0)["id"], "content": text}
            return [{**found, "is_error": True} if "error" in result else found]
        return [] if part.get("thought") else [block_text(part["text"])]

    def frames(self, turn: Turn, asked: Json, usage: Mapping[str, int], number: int) -> list[Frame]:
        """A turn as the frames of a stream."""
        parts: list[dict[str, Any]] = []
        frames: list[Frame] = [("start", self._chunk(asked, [], usage))]
        output, thought = 0, 0
        for block in turn.blocks:
            match block:
                case Text(text):
                    output += count_tokens(text)
                    parts.append({"text": text})
                    frames += [("d", self._chunk(asked, [{"text": one}])) for one in in_pieces(text, turn.chunk)]
                case Thinking(text):
                    thought += count_tokens(text)
                    parts.append({"text": text, "thought": True})
                    pieces = in_pieces(text, turn.chunk)
                    frames += [("d", self._chunk(asked, [{"text": one, "thought": True}])) for one in pieces]
                case ToolUse(name, given, _):
                    need(not isinstance(given, str), "calls come as objects here; stop with MALFORMED_FUNCTION_CALL")
                    part: dict[str, Any] = {"functionCall": {"name": name, "args": given}}
                    output += count_tokens(part)
                    if not any("functionCall" in one for one in parts):
                        part["thoughtSignature"] = _signed(asked["contents"], _joined(parts), part)
                    parts.append(part)
                    frames.append(("d", self._chunk(asked, [part])))
        frames.append(("content_block_stop", self._chunk(asked, [])))
        stop = turn.stop if turn.stop.isupper() else _STOPS.get(turn.stop_reason, "STOP")
        counts = {"candidatesTokenCount": output, "thoughtsTokenCount": thought}
        frames.append(("stop", self._chunk(asked, [{"text": ""}], usage, stop, counts)))
        return frames

    def _chunk(
        self,
        asked: Json,
        parts: Sequence[Json],
        usage: Mapping[str, int] | None = None,
        stop: str = "",
        counts: Mapping[str, int] | None = None,
    ) -> bytes:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
        if stop:
            candidate["finishReason"] = stop
        data: dict[str, Any] = {"candidates": [candidate], "modelVersion": asked["model"]}
        if usage is not None:
            cached = usage["cache_read_input_tokens"]
            known = {"promptTokenCount": sum(usage.values()), "cachedContentTokenCount": cached}
            data["usageMetadata"] = {**known, **(counts or {})}
        return sse(data)

    def whole(self, asked: Json) -> Any:
        """The answer to a request that wants no stream."""
        return {"candidates": [{"content": {"role": "model", "parts": [{"text": "Yes."}]}, "finishReason": "STOP"}]}

    def error(self, kind: str, message: str, status: int) -> Any:
        """The body of an error; a key that is wrong is an invalid argument here."""
        if kind == "authentication_error":
            message = f"API key not valid. Please pass a valid API key. {message}"
        return {"error": {"code": status, "message": message, "status": _STATUS_NAMES.get(status, "UNKNOWN")}}

    def broken(self, how: str, kind: str, message: str) -> bytes:
        """What comes last where a stream breaks."""
        if how == "garbage":
            return b'data: {"candidates": [{"con\r\n\r\n'
        return sse(self.error(kind, message, _IN_STREAM.get(kind, 500))) if how == "error" else b""

    def model(self, name: str) -> Any:
        """A model, or the list of all of them."""
        if name:
            limits = {"inputTokenLimit": 1_000_000, "outputTokenLimit": 65_536}
            return {"name": f"models/{name}", "displayName": name.title(), **limits}
        return {"models": [self.model(one) for one in KNOWN_MODELS]}


def _joined(parts: Sequence[Json]) -> list[dict[str, Any]]:
    """Parts as they come back: pieces of one text are one."""
    joined: list[dict[str, Any]] = []
    for part in parts:
        if joined and "text" in part and "text" in joined[-1] and part.get("thought") == joined[-1].get("thought"):
            joined[-1] = {**joined[-1], "text": joined[-1]["text"] + part["text"]}
        else:
            joined.append(dict(part))
    return joined
