"""The body of a turn for the Messages API, and which parameters a model takes.

The order on the wire is tools, system, messages. One cache mark at the end of the system texts covers what never
changes within a run; a second, automatic one moves with the last message. Both must find the same bytes again, so
nothing here depends on anything but its arguments. Not here: sending it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.adapters.tool_dialects import description_of
from draftsmith.adapters.whole_text import repair_surrogates
from draftsmith.assistant.provider import Effort, ToolResult, ToolSpec, TurnRequest

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
