"""The debug record of a run: everything a provider was sent and answered, in neutral terms, without its keys.

A provider is wrapped; what it does stays the same. Messages only grow within a run, so each is written once: with the
request that sends it first, or with the answer that it is. Not here: where records are kept, how large and how long
(`ports.runs.DebugLog`).
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, is_dataclass
from typing import Any, Final, NotRequired, TypedDict

import orjson

from draftsmith.assistant.provider import (
    AIProvider,
    Event,
    Message,
    ProviderError,
    ProviderStatus,
    TextDelta,
    ThinkingDelta,
    ToolDelta,
    ToolResult,
    ToolStart,
    TurnEnd,
    TurnRequest,
)
from draftsmith.ports.runs import DebugRecord

_HIDDEN: Final = "…"
_DEPTH: Final = 3  # of JSON within JSON: a line, the input of a call, a text in it
_SHORTEST_BEGINNING: Final = 8
"""The beginning of a key at the end of an answer that was cut off is hidden from so many characters on."""


class RecordedProvider:
    """A provider whose turns are recorded; implements `assistant.provider.AIProvider`."""

    def __init__(self, provider: AIProvider, record: DebugRecord, secrets: Callable[[], Sequence[str]]) -> None:
        """`secrets`: the keys that are in use at that moment; one that was in use before stays hidden."""
        self._provider, self._record, self._secrets = provider, record, secrets
        self._secret_texts: dict[str, None] = {}
        self._sent_count = 0
        self._frame: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """As the provider's."""
        return self._provider.name

    @property
    def label(self) -> str:
        """As the provider's."""
        return self._provider.label

    @property
    def model(self) -> str:
        """As the provider's."""
        return self._provider.model

    @property
    def reads_context(self) -> bool:
        """As the provider's."""
        return self._provider.reads_context

    def user(self, text: str) -> Message:
        """A message of the person."""
        return self._provider.user(text)

    def results(self, results: Sequence[ToolResult], note: str = "") -> Message:
        """The message that answers every call of the turn before."""
        return self._provider.results(results, note)

    async def check(self) -> ProviderStatus:
        """Try the connection; not recorded."""
        return await self._provider.check()

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        """Make one turn, and record what was sent and what came, also where it broke off."""
        self._write_request(request)
        answer = _Answer()
        error: BaseException | None = None
        try:
            async with aclosing(self._provider.turn(request)) as events:  # type: ignore[type-var]
                async for event in events:
                    answer.add(event)
                    yield event
        except BaseException as raised:
            error = raised
            raise
        finally:
            if answer.end is not None:
                self._sent_count = len(request.messages) + 1
            self._write({**answer.to_json(error), "usage": asdict(request.usage)})

    def _write_request(self, request: TurnRequest) -> None:
        frame = {
            "system": list(request.system),
            "tools": [asdict(tool) for tool in request.tools],
            "max_tokens": request.max_tokens,
        }
        new = {name: value for name, value in frame.items() if self._frame.get(name) != value}
        self._frame = frame
        messages = list(request.messages[self._sent_count :])
        self._sent_count = len(request.messages)
        self._write({"kind": "request", **new, "messages": messages})

    def _write(self, entry: Mapping[str, object]) -> None:
        self._secret_texts.update(dict.fromkeys(secret for secret in self._secrets() if secret))
        line = orjson.dumps(entry, default=_plain).decode()
        for secret in self._secret_texts:
            line = hide(line, secret)
        self._record.write(line)


class _Piece(TypedDict):
    kind: str
    content: str
    call: NotRequired[str]
    name: NotRequired[str]


class _Answer:
    """What has come of a turn."""

    def __init__(self) -> None:
        self.end: TurnEnd | None = None
        self._parts_by_kind: dict[tuple[str, str], _Piece] = {}

    def add(self, event: Event) -> None:
        """Add an event; successive pieces of a text are joined, so that no key is spread over several."""
        match event:
            case TurnEnd():
                self.end = event
            case TextDelta():
                self._append("text", "", event.text)
            case ThinkingDelta():
                self._append("thinking", "", event.text)
            case ToolStart():
                self._append("tool", event.id, "")["name"] = event.name
            case ToolDelta():
                self._append("tool", event.id, event.json)

    def _append(self, kind: str, call: str, text: str) -> _Piece:
        new: _Piece = {"kind": kind, "content": "", "call": call} if call else {"kind": kind, "content": ""}
        piece = self._parts_by_kind.setdefault((kind, call), new)
        piece["content"] += text
        return piece

    def to_json(self, error: BaseException | None) -> dict[str, object]:
        """The whole answer as the provider gave it; of one that broke off, the pieces that came."""
        if self.end is not None:
            return {"kind": "answer", "stop": self.end.stop, "message": self.end.message}
        why = {"code": error.code, "detail": error.detail} if isinstance(error, ProviderError) else {"code": "left"}
        return {"kind": "broken", **why, "pieces": list(self._parts_by_kind.values())}


def forms_in_json(text: str) -> list[str]:
    """A text as it stands in a record: as it is, and in JSON within JSON."""
    forms = [text]
    for _ in range(_DEPTH):
        forms.append(json.dumps(forms[-1])[1:-1])
    readable = [orjson.dumps(form).decode()[1:-1] for form in forms]  # letters of other scripts as they are
    return list(dict.fromkeys(forms + readable))


def hide(line: str, secret: str) -> str:
    """A line of JSON without a secret, however deep in JSON within JSON it stands, nor the beginning of one cut off."""
    for form in forms_in_json(secret):
        line = line.replace(form, _HIDDEN)
        for length in range(len(form) - 1, _SHORTEST_BEGINNING - 1, -1):
            line = line.replace(f'{form[:length]}"', f'{_HIDDEN}"')
    return line


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return dict(value) if isinstance(value, Mapping) else str(value)
