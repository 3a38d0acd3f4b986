"""Messages of MCP as the bridge sees them: JSON objects, by which form of the protocol, and answers of its own.

There are two forms. A request of 2026-07-28 names its version in `_meta` and stands alone; a program that shakes hands
(`initialize`) sends none. Over HTTP both repeat in headers what stands in the message. Pure; not here: pipes and HTTP.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Final, Required, TypedDict

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SUBSCRIPTION_KEY: Final = "io.modelcontextprotocol/subscriptionId"
ALONE: Final = "2026-07-28"
"""The version that the bridge itself speaks to the server."""
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INVALID_PARAMS: Final = -32602
NOT_REACHED: Final = -32000
_NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PLAIN: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_ENCODED: Final = re.compile(r"=\?base64\?.*\?=")


class ErrorObject(TypedDict):
    """Why a request failed: one of the protocol's codes, and a text."""

    code: int
    message: str


class RpcMessage(TypedDict, total=False):
    """A message of JSON-RPC 2.0.

    A request has `method` and `id`, a notification `method`, a response `id` and either `result` or `error`.
    What stands in `id`, `params` and `result` is the program's or the server's, so it is checked where it is read.
    """

    jsonrpc: Required[str]
    id: object
    method: str
    params: object
    result: object
    error: ErrorObject


def version_of(message: RpcMessage) -> str | None:
    """The version that a request names; None for a program that shakes hands."""
    meta = params_of(message).get("_meta")
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    return version if isinstance(version, str) else None


def params_of(message: RpcMessage) -> Mapping[str, object]:
    """The parameters of a message; empty without any."""
    params = message.get("params")
    return params if isinstance(params, dict) else {}


def headers_of(message: RpcMessage, negotiated: str | None) -> dict[str, str]:
    """The headers with which a request is sent.

    Args:
        message: the request.
        negotiated: the version of the handshake; None before there was one.
    """
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    version = version_of(message)
    if version is None:
        return headers if negotiated is None else {**headers, "MCP-Protocol-Version": _header(negotiated)}
    method = str(message["method"])
    headers |= {"MCP-Protocol-Version": _header(version), "Mcp-Method": _header(method)}
    name = params_of(message).get(_NAMED.get(method, ""))
    if isinstance(name, str):
        headers["Mcp-Name"] = _header(name)
    return headers


def _header(value: str) -> str:
    """A value as a header can carry it: anything but plain ASCII in Base64, as the protocol says."""
    if _PLAIN.fullmatch(value) and not _ENCODED.fullmatch(value):
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode('ascii')}?="


def refusal(request: RpcMessage, text: str, code: int = NOT_REACHED) -> RpcMessage:
    """An answer in place of the server's: for a call of a tool one that the model reads, else an error."""
    if request.get("method") == "tools/call":
        result: dict[str, object] = {"content": [{"type": "text", "text": text}], "isError": True}
        if version_of(request) is not None:
            result["resultType"] = "complete"
        return {"jsonrpc": "2.0", "id": request.get("id"), "result": result}
    return error(request.get("id"), code, text)


def error(request_id: object, code: int, text: str) -> RpcMessage:
    """An error of JSON-RPC."""
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": text}}


def listen_request(request_id: str, uri: str) -> RpcMessage:
    """The request to be told of changes of one resource."""
    meta = {VERSION_KEY: ALONE, CAPABILITIES_KEY: {}}
    params = {"_meta": meta, "notifications": {"resourceSubscriptions": [uri]}}
    return {"jsonrpc": "2.0", "id": request_id, "method": "subscriptions/listen", "params": params}
