"""A turn of Gemini's API: its configuration, its messages, and its stream.

A message of the tool loop is the JSON of a `Content`. Calls arrive whole, mostly without an id, and are answered by
name; so the id of a call is made of its name and of the provider's id or one of ours. Thoughts are signed, and the
signatures have to come back at the part they came with, so the parts of a model are kept as they are.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from draftsmith.adapters.model_errors import RequestTarget, provider_error
from draftsmith.adapters.tool_dialects import description_of, schema_of
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
    ToolStart,
    TurnEnd,
    TurnRequest,
    Usage,
)

_OURS: Final = ".#"
_THINKS: Final = re.compile(r"gemini-(?:2\.5|[3-9]|\d\d)")
_HAS_LEVELS: Final = re.compile(r"gemini-(?:[3-9]|\d\d)")
_STOPS: Final[dict[str, Stop]] = {"STOP": "end", "MAX_TOKENS": "max_tokens"}
_DECLINED: Final = frozenset(
    {"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "ESCALATION"}
)
_BROKEN: Final = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE", "OTHER"})
"""The model said what its provider could not read; another try may do better."""
_OUR_FAULT: Final = frozenset({"MISSING_THOUGHT_SIGNATURE", "TOO_MANY_TOOL_CALLS"})


def configuration(model: str, effort: Effort, request: TurnRequest) -> dict[str, Any]:
    """The configuration of a request, as the SDK takes it."""
    config: dict[str, Any] = {
        "max_output_tokens": request.max_tokens,
        "automatic_function_calling": {"disable": True},
    }
    if system := [repair_surrogates(text) for text in request.system if text.strip()]:
        config["system_instruction"] = {"parts": [{"text": text} for text in system]}
    if request.tools:
        declarations = [
            {"name": tool.name, "description": description_of(tool), "parameters_json_schema": schema_of(tool)}
            for tool in request.tools
        ]
        config["tools"] = [{"function_declarations": declarations}]
    if _THINKS.match(model):
        config["thinking_config"] = {"include_thoughts": True}
        if effort != "medium" and _HAS_LEVELS.match(model):  # what some of them call it, and the default of others
            config["thinking_config"]["thinking_level"] = effort.upper()
    return config


def user_content(text: str) -> dict[str, Any]:
    """Give a message of the person."""
    return {"role": "user", "parts": [{"text": repair_surrogates(text)}]}


def results_content(results: Sequence[ToolResult], note: str) -> dict[str, Any]:
    """Give the message that answers calls, and a note after the results."""
    parts: list[dict[str, Any]] = []
    for result in results:
        name, _, given = result.call_id.partition(".")
        text = repair_surrogates(result.text) if result.text.strip() else "(nothing)"
        response: dict[str, Any] = {"name": name, "response": {"error" if result.is_error else "output": text}}
        if not result.call_id.startswith(name + _OURS):
            response["id"] = given
        parts.append({"functionResponse": response})
    if note.strip():
        parts.append({"text": repair_surrogates(note)})
    return {"role": "user", "parts": parts}


class ContentAnswer:
    """One turn that is being streamed.

    Attributes:
        is_complete: the provider has said why it stopped; without that the stream was cut.
    """

    def __init__(self, usage: Usage, asked: RequestTarget) -> None:
        """Begin; `usage` is filled in as it becomes known."""
        self._usage, self._asked = usage, asked
        self._parts: list[dict[str, Any]] = []
        self._calls: list[ToolCall] = []
        self._stop = ""
        self._why = ""

    @property
    def is_complete(self) -> bool:
        """Whether the provider has said why it stopped."""
        return bool(self._stop)

    def convert(self, chunk: Any) -> Iterator[Event]:
        """Take the next chunk; the neutral events it stands for."""
        self._count(chunk.usage_metadata)
        blocked = getattr(chunk.prompt_feedback, "block_reason", None)
        if blocked is not None:
            self._stop = "SAFETY"
            reason = (
                getattr(chunk.prompt_feedback, "block_reason_message", None)
                or f"The prompt was blocked: {_name(blocked)}."
            )
            yield TextDelta(repair_surrogates(reason))
        for candidate in (chunk.candidates or ())[:1]:
            for part in (candidate.content.parts if candidate.content else None) or ():
                yield from self._take(part)
            if candidate.finish_reason is not None:
                self._stop, self._why = _name(candidate.finish_reason), candidate.finish_message or ""

    def end(self) -> TurnEnd:
        """The end of the turn. It has calls only if the model stopped for them.

        Raises:
            ProviderError: the provider could not read what its model said, or our history.
        """
        if self._stop in _BROKEN:
            raise provider_error("provider_down", self._asked)
        if self._stop in _OUR_FAULT:
            raise provider_error("bad_request", self._asked, said=self._why or self._stop)
        stop = "refusal" if self._stop in _DECLINED else _STOPS.get(self._stop, "end")  # names are added there
        if stop == "end" and self._calls:
            stop = "tools"
        message = {"role": "model", "parts": self._parts}
        return TurnEnd(stop, self._calls if stop == "tools" else [], message)

    def _take(self, part: Any) -> Iterator[Event]:
        sent: dict[str, Any] = json.loads(part.model_dump_json(exclude_none=True, by_alias=True))
        if part.function_call is not None:
            yield from self._call(part.function_call, sent)
        elif part.text:
            yield (
                ThinkingDelta(repair_surrogates(part.text)) if part.thought else TextDelta(repair_surrogates(part.text))
            )
        self._keep(sent)

    def _call(self, call: Any, part_json: dict[str, Any]) -> Iterator[Event]:
        """A call, which comes whole."""
        name = str(call.name or "")
        call_id = f"{name}.{call.id}" if call.id else f"{name}{_OURS}{uuid.uuid4().hex[:12]}"
        given: Mapping[str, Any] = part_json["functionCall"].get("args") or {}
        raw = json.dumps(given, ensure_ascii=False)
        self._calls.append(ToolCall(call_id, name, given, repair_surrogates(raw)))
        yield ToolStart(call_id, name)
        yield ToolDelta(call_id, repair_surrogates(raw))

    def _keep(self, part_json: dict[str, Any]) -> None:
        """Keep a part for the history; pieces of one text are one part, unless a signature marks its end."""
        last = self._parts[-1] if self._parts else {}
        joins = "text" in part_json and "text" in last and part_json.get("thought") == last.get("thought")
        if joins and "thoughtSignature" not in last:
            self._parts[-1] = {**last, **part_json, "text": last["text"] + part_json["text"]}
        elif part_json and part_json != {"text": ""}:
            self._parts.append(part_json)

    def _count(self, usage: Any) -> None:
        """Update the counts, which are cumulative; what is not there is as it was."""
        if usage is None:
            return
        ours = self._usage
        sent = (usage.prompt_token_count or 0) + (usage.tool_use_prompt_token_count or 0)
        ours.input = sent or ours.input
        ours.cache_read = min(usage.cached_content_token_count or ours.cache_read, ours.input)
        ours.thinking = usage.thoughts_token_count or ours.thinking
        ours.output = max((usage.candidates_token_count or 0) + ours.thinking, ours.output)


def _name(value: Any) -> str:
    """The name of an enum's value, also of one that the SDK does not know."""
    return str(getattr(value, "value", value))
