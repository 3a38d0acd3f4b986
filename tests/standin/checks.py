"""What the API refuses: each check gives the first thing that is wrong with a request, in the API's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jsonschema_rs

from tests.standin.catalogue import KnownModel
from tests.standin.prefix import count_tokens, fingerprint, turns_of, wrong_signature_or_none

Json = Mapping[str, Any]

_PARAMETERS = {
    *("model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "output_config"),
    *("cache_control", "container", "diagnostics", "inference_geo", "metadata", "service_tier", "speed"),
    *("stop_sequences", "stream"),
}
_REMOVED = ("temperature", "top_p", "top_k")
_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_TOOL_FIELDS = {
    *("name", "description", "input_schema", "type", "strict", "eager_input_streaming", "input_examples"),
    *("cache_control", "defer_loading", "allowed_callers"),
}
_STRICT_KEYWORDS = {
    *("type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "allOf", "$ref"),
    *("$defs", "description", "title", "format", "minItems", "default", "pattern"),
}
_BLOCKS = {"user": {"text", "tool_result"}, "assistant": {"text", "tool_use", "thinking", "redacted_thinking"}}
_MOST_MARKS = 4


class Refused(Exception):
    """The API refuses a request with 400."""


def check_request(body: Json, model: KnownModel, *, counts_only: bool, paused: set[str]) -> None:
    """Check a whole request; `paused`: fingerprints of turns that the model paused in, which may come last.

    Raises:
        Refused: with the first thing that is wrong.
    """
    _check_parameters(body, model, counts_only=counts_only)
    _check_tools(body.get("tools") or [])
    _check_messages(body["messages"], {tool["name"] for tool in body.get("tools") or []}, paused)
    _need(_marks(body) <= _MOST_MARKS, "A maximum of 4 blocks with cache_control may be provided.")
    wrong = wrong_signature_or_none(body)
    _need(wrong is None, wrong or "")
    size = count_tokens(body.get("tools"), body.get("system"), body["messages"])
    most = model.max_input_tokens
    _need(size <= most, f"prompt is too long: {size} tokens > {most} maximum")


def _need(holds: bool, message: str) -> None:
    if not holds:
        raise Refused(message)


def _check_parameters(body: Json, model: KnownModel, *, counts_only: bool) -> None:
    for name in ("model", "messages") if counts_only else ("model", "max_tokens", "messages"):
        _need(name in body, f"{name}: Field required")
    for name in _REMOVED:
        _need(name not in body, f"{name}: this parameter was removed in 2026-10-21")
    for name in body:
        _need(name in _PARAMETERS, f"{name}: Extra inputs are not permitted")
    if not counts_only:
        most = body["max_tokens"]
        _need(isinstance(most, int) and most >= 0, "max_tokens: must be a non-negative integer")
        _need(most <= model.max_tokens, f"max_tokens: {most} > {model.max_tokens}, the maximum of {model.id}")
    choice = (body.get("tool_choice") or {}).get("type", "auto")
    _need(
        choice in ("auto", "none") or model.takes_forced_tools,
        "tool_choice: forced tool use is not supported for this model",
    )
    kind = (body.get("thinking") or {}).get("type")
    _need(kind is None or kind in model.thinking, f"thinking.type: '{kind}' is not supported for this model")
    effort = (body.get("output_config") or {}).get("effort")
    _need(effort is None or effort in model.efforts, f"output_config.effort: '{effort}' is not supported")


def _check_tools(tools: Sequence[Json]) -> None:
    names: set[str] = set()
    for i, tool in enumerate(tools):
        at = f"tools.{i}.custom"
        for name in tool:
            _need(name in _TOOL_FIELDS, f"{at}.{name}: Extra inputs are not permitted")
        name = tool.get("name")
        _need(isinstance(name, str) and _TOOL_NAME.fullmatch(name) is not None, f"{at}.name: bad name")
        _need(name not in names, "tools: Tool names must be unique.")
        names.add(str(name))
        _check_schema(tool, at)


def _check_schema(tool: Json, at: str) -> None:
    schema = tool.get("input_schema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise Refused(f"{at}.input_schema.type: Input should be 'object'")
    _need(
        not {"oneOf", "anyOf", "allOf"} & schema.keys(),
        f"{at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    )
    try:
        validator = jsonschema_rs.Draft202012Validator(schema)
    except (ValueError, jsonschema_rs.ValidationError) as wrong:
        raise Refused(f"{at}.input_schema: JSON schema is invalid: {wrong}") from wrong
    for example in tool.get("input_examples") or []:
        _need(validator.is_valid(example), f"{at}.input_examples: example does not fit the schema")
    if tool.get("strict"):
        for part, path in _parts(schema, f"{at}.input_schema"):
            unknown = sorted(part.keys() - _STRICT_KEYWORDS)
            _need(not unknown, f"{path}: unsupported for strict: {unknown}")
            if part.get("type") == "object":
                _need(part.get("additionalProperties") is False, f"{path}.additionalProperties: must be false")
            _need(part.get("minItems", 0) in (0, 1), f"{path}.minItems: must be 0 or 1")


def _parts(schema: Any, path: str) -> Iterator[tuple[dict[str, Any], str]]:
    if not isinstance(schema, dict):
        return
    yield schema, path
    for key in ("properties", "$defs"):
        for name, part in (schema.get(key) or {}).items():
            yield from _parts(part, f"{path}.{key}.{name}")
    for key in ("anyOf", "oneOf", "allOf"):
        for i, part in enumerate(schema.get(key) or []):
            yield from _parts(part, f"{path}.{key}.{i}")
    yield from _parts(schema.get("items"), f"{path}.items")


def _check_messages(messages: Sequence[Json], tools: set[str], paused: set[str]) -> None:
    _need(bool(messages), "messages: at least one message is required")
    for i, message in enumerate(messages):
        _need(message.get("role") in ("user", "assistant", "system"), f"messages.{i}.role: unknown role")
        _need(bool(message.get("content")), f"messages.{i}: all messages must have non-empty content")
    turns = turns_of(messages)
    _need(bool(turns) and turns[0]["role"] == "user", "messages: first message must use the user role")
    may_end = turns[-1]["role"] == "user" or fingerprint(turns[-1]["content"]) in paused
    _need(may_end, "This model does not support assistant message prefill.")
    ids: set[str] = set()
    for i, turn in enumerate(turns):
        _check_blocks(turn, i)
        if turn["role"] == "assistant":
            _check_calls(turns, i, ids, tools)
        else:
            _check_results(turns, i)


def _check_blocks(turn: Json, i: int) -> None:
    for j, block in enumerate(turn["content"]):
        at, kind = f"messages.{i}.content.{j}", block.get("type")
        _need(kind in _BLOCKS[turn["role"]], f"{at}: {kind} blocks cannot be in {turn['role']} messages")
        if kind == "text":
            _need(bool(block["text"].strip()), f"{at}: text content blocks must contain non-whitespace text")
        if kind in ("thinking", "redacted_thinking"):
            _need("cache_control" not in block, f"{at}: cache_control cannot be set on thinking blocks")


def _check_calls(turns: Sequence[Json], i: int, ids: set[str], tools: set[str]) -> None:
    calls = [block for block in turns[i]["content"] if block["type"] == "tool_use"]
    for call in calls:
        _need(isinstance(call["input"], dict), f"messages.{i}: tool_use.input: Input should be a valid dictionary")
        _need(call["id"] not in ids, f"messages.{i}: `tool_use` ids must be unique")
        ids.add(call["id"])
    if not calls:
        return
    _need(bool(tools), f"messages.{i}: Requests which include `tool_use` blocks must define tools.")
    answered = {block.get("tool_use_id") for block in turns[i + 1]["content"]} if i + 1 < len(turns) else set()
    missing = [call["id"] for call in calls if call["id"] not in answered]
    _need(
        not missing,
        f"messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(missing)}",
    )


def _check_results(turns: Sequence[Json], i: int) -> None:
    blocks = turns[i]["content"]
    asked = {block["id"] for block in turns[i - 1]["content"] if block["type"] == "tool_use"} if i else set()
    given = [block for block in blocks if block["type"] == "tool_result"]
    for result in given:
        _need(
            result["tool_use_id"] in asked,
            f"messages.{i}: unexpected `tool_use_id` found in `tool_result` blocks: {result['tool_use_id']}",
        )
        _need(
            bool(result.get("content")) or not result.get("is_error"),
            f"messages.{i}: tool_result: content cannot be empty if `is_error` is true",
        )
    _need(len({one["tool_use_id"] for one in given}) == len(given), f"messages.{i}: duplicate tool_result")
    are_results = [block["type"] == "tool_result" for block in blocks]
    _need(are_results == sorted(are_results, reverse=True), f"messages.{i}: tool_result blocks must come first")


def _marks(body: Json) -> int:
    """Count the cache marks, wherever they are."""

    def inside(value: Any) -> int:
        if isinstance(value, Mapping):
            return bool(value.get("cache_control")) + sum(inside(one) for one in value.values())
        return sum(inside(one) for one in value) if isinstance(value, list) else 0

    return bool(body.get("cache_control")) + sum(inside(body.get(name)) for name in ("tools", "system", "messages"))
