"""The Messages API as Amazon Bedrock and Google Vertex AI serve it: the model in the path, other frames at Bedrock."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.standin.catalogue import MODELS
from tests.standin.checks import Refused, check_request
from tests.standin.script import HttpError
from tests.standin.server import Asked, Standin, Stream, broken_by
from tests.standin.wire import encode, events_of, message_of

_UNKNOWN = ("cache_control",)
"""What only Anthropic's own API takes, at the top of a request."""


class CloudStandin(Standin):
    """A stand-in for Claude at a cloud; it takes the key as a bearer token."""

    def __init__(self, script: Any, *, is_bedrock: bool, key: str = "sk-standin") -> None:
        self._is_bedrock = is_bedrock
        path = "/model/{model}/{verb}" if is_bedrock else "/projects/p/locations/r/publishers/anthropic/models/{model}"
        super().__init__(script, key=key, routes=[Route(path, self._invoke, methods=["POST"])])

    async def _invoke(self, request: Request) -> Response:
        name, _, verb = request.path_params["model"].partition(":")
        verb = request.path_params.get("verb", verb)
        if request.headers.get("authorization") != f"Bearer {self.key}":
            return self.error(HttpError("authentication_error", "The security token is invalid"))
        body = {**json.loads(await request.body()), "model": name.removeprefix("anthropic.")}
        if body.pop("anthropic_version", None) is None:
            return self.error(HttpError("invalid_request_error", "anthropic_version: Field required"))
        body["stream"] = verb in ("invoke-with-response-stream", "streamRawPredict")
        model = MODELS.get(body["model"])
        if model is None:
            return self.error(HttpError("not_found_error", f"model: {body['model']}"))
        try:
            for field in _UNKNOWN:
                if field in body:
                    raise Refused(f"{field}: Extra inputs are not permitted")
            if any("input_examples" in tool for tool in body.get("tools", ())):
                raise Refused("tools.0.custom.input_examples: Extra inputs are not permitted")
            check_request(body, model, counts_only=False, paused=set())
        except Refused as why:
            self.refused.append(str(why))
            return self.error(HttpError("invalid_request_error", str(why)))
        if not body["stream"]:
            self.checked.append(body["model"])
            return JSONResponse({"id": "msg", "type": "message", "role": "assistant", "content": [], "usage": {}})
        self.asked.append(Asked(body, dict(request.headers)))
        self.note()
        step = self.next_step(body)
        if isinstance(step, HttpError):
            return self.error(step)
        message = message_of(step, body, self.usage(body), self.next_number())
        events = list(events_of(step, message))
        if not self._is_bedrock:
            frames = [(name, encode((name, data))) for name, data in events]
            return Stream(self, step, frames, broken_by(step), {"request-id": "req_vertex"})
        frames = [(name, _chunk({"type": name, **data})) for name, data in events if name != "ping"]
        headers = {"x-amzn-requestid": "req_bedrock"}
        return Stream(self, step, frames, _broken(step), headers, "application/vnd.amazon.eventstream")


def _broken(step: Any) -> bytes:
    breaks = step.breaks
    if breaks is None or breaks.how not in ("error", "garbage"):
        return b""
    if breaks.how == "garbage":
        return _message({":message-type": "event", ":event-type": "chunk"}, b'{"bytes": "e30')
    names = {"rate_limit_error": "throttlingException", "overloaded_error": "serviceUnavailableException"}
    kind = names.get(breaks.type, "internalServerException")
    payload = json.dumps({"message": breaks.message}).encode()
    return _message({":message-type": "exception", ":exception-type": kind}, payload)


def _chunk(data: Mapping[str, Any]) -> bytes:
    payload = {"bytes": base64.b64encode(json.dumps(data, ensure_ascii=False).encode()).decode()}
    headers = {":event-type": "chunk", ":content-type": "application/json", ":message-type": "event"}
    return _message(headers, json.dumps(payload).encode())


def _message(headers: Mapping[str, str], payload: bytes) -> bytes:
    """A message of AWS's event stream: lengths, their checksum, headers, payload, checksum of all."""
    packed = b"".join(
        struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
        for name, value in headers.items()
    )
    prelude = struct.pack("!II", 16 + len(packed) + len(payload), len(packed))
    message = prelude + struct.pack("!I", zlib.crc32(prelude)) + packed + payload
    return message + struct.pack("!I", zlib.crc32(message))
