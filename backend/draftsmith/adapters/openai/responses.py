"""A turn by the Responses API of OpenAI, where the reasoning of a model is carried from turn to turn.

Nothing is kept there (`store` is false): reasoning comes back encrypted and is sent again with the history. A message
of the tool loop is a list of items of the API, and the model's own are handed back verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from draftsmith.adapters.model_errors import RequestTarget
from draftsmith.adapters.openai.chat import as_sent, number, tool_call_of
from draftsmith.adapters.tool_dialects import Dialect, description_of, schema_of
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

_REASONS: Final = re.compile(r"(?:o\d|gpt-(?:[5-9]|\d\d))(?!.*-chat)")
"""Models that reason, by their names, since the API does not say so; others refuse what concerns reasoning."""
_PARAGRAPH: Final = "\n\n"
_UNSENT: Final = frozenset({"status", "created_by"})
"""What the API says of an item and does not need to hear again."""


def reasons(model: str) -> bool:
    """Whether a model of OpenAI is one that reasons."""
    return _REASONS.match(model) is not None


def responses_body(model: str, effort: Effort, request: TurnRequest, dialect: Dialect = "full") -> dict[str, Any]:
    """The body of a request."""
    items: list[Any] = []
    for message in request.messages:
        items.extend(message)
    body: dict[str, Any] = {
        "model": model,
        "input": items,
        "max_output_tokens": request.max_tokens,
        "store": False,
    }
    if system := "\n\n".join(repair_surrogates(text) for text in request.system if text.strip()):
        body["instructions"] = system
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": description_of(tool),
                "parameters": schema_of(tool, dialect),
                "strict": False,
            }
            for tool in request.tools
        ]
    if reasons(model):
        body["include"] = ["reasoning.encrypted_content"]
        body["reasoning"] = {"effort": effort, "summary": "auto"}
    return body


def responses_user(text: str) -> list[dict[str, Any]]:
    """Give a message of the person."""
    return [{"role": "user", "content": [{"type": "input_text", "text": repair_surrogates(text)}]}]


def responses_results(results: Sequence[ToolResult], note: str) -> list[dict[str, Any]]:
    """Give the items that answer calls, and a note after them."""
    items: list[dict[str, Any]] = [
        {
            "type": "function_call_output",
            "call_id": one.call_id,
            "output": repair_surrogates(one.text) if one.text.strip() else "(nothing)",
        }
        for one in results
    ]
    return items + (responses_user(note) if note.strip() else [])


class ResponsesAnswer:
    """One turn that is being streamed.

    Attributes:
        is_complete: the provider has said why it stopped; without that the stream was cut.
    """

    def __init__(self, usage: Usage, asked: RequestTarget) -> None:
        """Begin; `usage` is filled in as it becomes known."""
        self._usage, self._asked = usage, asked
        self._items: dict[int, dict[str, Any]] = {}
        self._argument_parts: dict[int, list[str]] = {}
        self._has_said: set[str] = set()
        self._place: dict[str, Any] = {}
        self._stop: Stop | None = None
        self._refusal = False

    @property
    def is_complete(self) -> bool:
        """Whether the provider has said why it stopped."""
        return self._stop is not None

    def convert(self, event: Any) -> Iterator[Event]:
        """Take the next event; the neutral events it stands for.

        Raises:
            ValueError: it belongs to a call that has not begun.
            ProviderError: the answer has failed.
        """
        match getattr(event, "type", ""):
            case "response.output_item.added":
                yield from self._begin(event.output_index, event.item.to_dict())
            case "response.output_item.done":
                self._items[event.output_index] = event.item.to_dict()
            case "response.output_text.delta":
                yield from self._say("text", (event.output_index, event.content_index), event.delta)
            case "response.refusal.delta":
                self._refusal = True
                yield from self._say("text", (event.output_index, event.content_index), event.delta)
            case "response.reasoning_summary_text.delta":
                yield from self._say("thinking", (event.output_index, event.summary_index), event.delta)
            case "response.function_call_arguments.delta":
                if event.output_index not in self._argument_parts:
                    raise ValueError("a call goes on that has not begun")
                if event.delta:
                    self._argument_parts[event.output_index].append(event.delta)
                    yield ToolDelta(self._items[event.output_index]["call_id"], repair_surrogates(event.delta))
            case "response.completed" | "response.incomplete":
                self._finish(event.response)
            case "response.failed":
                self._fail(getattr(event.response, "error", None))
            case "error":
                self._fail(event)
            case _:
                pass

    def end(self) -> TurnEnd:
        """The end of the turn. It has calls only if the model stopped for them; else the last one is incomplete."""
        calls: list[ToolCall] = []
        sent: list[dict[str, Any]] = []
        for index, came in sorted(self._items.items()):
            item = {name: value for name, value in came.items() if name not in _UNSENT and value is not None}
            if item.get("type") == "function_call":
                raw = "".join(self._argument_parts.get(index, ())) or str(item.get("arguments") or "")
                call = tool_call_of(str(item["call_id"]), str(item["name"]), raw)
                calls.append(call)
                item["arguments"] = as_sent(call)
            sent.append(item)
        stop: Stop = "refusal" if self._refusal else self._stop or "end"
        if stop == "end" and calls:
            stop = "tools"
        return TurnEnd(stop, calls if stop == "tools" else [], sent)

    def _begin(self, index: int, item: dict[str, Any]) -> Iterator[Event]:
        self._items[index] = item
        if item.get("type") == "function_call":
            self._argument_parts[index] = []
            yield ToolStart(item["call_id"], item["name"])

    def _say(self, kind: str, place: tuple[int, int], text: str) -> Iterator[Event]:
        """More text; another part of its kind begins a new paragraph."""
        if not text:
            return
        if self._place.get(kind, place) != place:
            text = _PARAGRAPH + text
        self._place[kind] = place
        yield TextDelta(repair_surrogates(text)) if kind == "text" else ThinkingDelta(repair_surrogates(text))

    def _finish(self, response: Any) -> None:
        reason = getattr(getattr(response, "incomplete_details", None), "reason", None)
        if reason == "content_filter":
            self._stop = "refusal"
        else:
            self._stop = "max_tokens" if reason or getattr(response, "status", "") == "incomplete" else "end"
        usage, ours = getattr(response, "usage", None), self._usage
        ours.input = number(usage, "input_tokens", ours.input)
        ours.output = number(usage, "output_tokens", ours.output)
        details = getattr(usage, "input_tokens_details", None)
        ours.cache_read = min(number(details, "cached_tokens", 0), ours.input)
        ours.cache_write = min(number(details, "cache_write_tokens", 0), ours.input - ours.cache_read)
        thought = number(getattr(usage, "output_tokens_details", None), "reasoning_tokens", 0)
        ours.thinking = min(thought, ours.output)

    def _fail(self, error: Any) -> None:
        from draftsmith.adapters.openai.errors import stream_error

        raise stream_error(
            self._asked, getattr(error, "code", None) or "server_error", None, str(getattr(error, "message", "") or "")
        )
