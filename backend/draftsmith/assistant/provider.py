"""The interface of a provider as the tool loop uses it: one streaming turn, in neutral events.

Adapters implement `AIProvider`; one contract suite (`tests/contracts/test_providers.py`) runs on each. Messages are the
provider's own (`Message`) and opaque to everybody else: they are made by `user` and `results`, come back in `TurnEnd`,
and are handed to the same provider again, verbatim and in order. Histories only grow; system texts and tools never
change within a run, since providers bind their answers to everything before them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from draftsmith.errors import DraftsmithError

Message = Any
Stop = Literal["end", "tools", "pause", "max_tokens", "refusal", "context"]
Effort = Literal["low", "medium", "high"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """The definition of a tool for the model.

    Attributes:
        name: letters, digits and `_`.
        description: what it does and when to use it.
        input_schema: JSON Schema with `type: object` at the top and neither `$ref` nor a union there.
        examples: inputs that fit the schema.
        eager: stream the input as it is generated, for previews.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    examples: Sequence[Mapping[str, Any]] = ()
    eager: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of the model; `input` is None if it was not a JSON object, then `raw` is its text."""

    id: str
    name: str
    input: Mapping[str, Any] | None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a call.

    Attributes:
        call_id: of the `ToolCall`.
        text: for a model.
        is_error: the call did nothing.
        data: the same as JSON values, for providers that are no model.
        failed_batch: it was a batch that did not fit; several in a row end the run.
        is_unknown: there is no such tool.
        why_declined: no person allowed it, in a sentence.
    """

    call_id: str
    text: str
    is_error: bool = False
    data: Any = None
    failed_batch: bool = False
    is_unknown: bool = False
    why_declined: str = ""


@dataclass(slots=True, kw_only=True)
class Usage:
    """Tokens of one turn, filled in as they become known, so that a cancelled turn has them too.

    `input` counts everything sent, `cache_read` and `cache_write` parts of it.
    """

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    thinking: int = 0
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """A piece of the summary of its thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolStart:
    """A tool call begins."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolDelta:
    """A piece of the JSON of a call's input."""

    id: str
    json: str


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The turn is complete: why it stopped, its calls, and the message to put into the history. Comes last, once."""

    stop: Stop
    calls: Sequence[ToolCall]
    message: Message


Event = TextDelta | ThinkingDelta | ToolStart | ToolDelta | TurnEnd


@dataclass(slots=True)
class TurnRequest:
    """The request for one turn.

    Attributes:
        cut_beyond: where its beginning was seen to be lost without a word: a longer request, in tokens of four bytes,
            is not sent. 0 where that is not known.
    """

    system: Sequence[str]
    tools: Sequence[ToolSpec]
    messages: Sequence[Message]
    max_tokens: int
    usage: Usage = field(default_factory=Usage)
    cut_beyond: int = 0


@dataclass(frozen=True, slots=True)
class ProviderStatus:
    """Whether a provider can be used now. `code` is empty where it can, else as in `ProviderError`."""

    ok: bool
    code: str
    detail: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class ProviderError(DraftsmithError):
    """The provider did not answer, or not completely; no call of this turn was executed.

    Codes: `rate_limited`, `overloaded`, `auth`, `billing`, `model_not_found`, `too_large`, `refusal`, `timeout`,
    `network`, `provider_redirects`, `provider_down`, `bad_request`.

    Attributes:
        retry_after: seconds that the provider asks to wait; None where it says nothing.
        request_id: the provider's, for its support.
    """

    def __init__(self, code: str, detail: str, *, retry_after: float | None = None, request_id: str = "") -> None:
        super().__init__(code, detail, extra={"retry_after": retry_after, "provider_request_id": request_id})
        self.retry_after, self.request_id = retry_after, request_id

    @property
    def is_transient(self) -> bool:
        """Whether a second try may help; who did not answer in time is not asked for the same again."""
        return self.code in ("rate_limited", "overloaded", "provider_down", "network")


class AIProvider(Protocol):
    """A provider that answers in turns.

    Attributes:
        name: short and stable: `anthropic`, `openai`, `builtin`.
        label: for people.
        model: which model; empty where there is none.
        reads_context: whether its first message holds the diagram and the outline; else it is the bare request.
    """

    @property
    def reads_context(self) -> bool:
        """Whether its first message holds the diagram and the outline."""
        ...

    @property
    def name(self) -> str:
        """Short and stable."""
        ...

    @property
    def label(self) -> str:
        """For people."""
        ...

    @property
    def model(self) -> str:
        """Which model; empty where there is none."""
        ...

    def user(self, text: str) -> Message:
        """A message of the person."""
        ...

    def results(self, results: Sequence[ToolResult], note: str = "") -> Message:
        """The message that answers every call of the turn before, in order; `note`: said beside them."""
        ...

    def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        """Make one turn; leaving the iterator (or cancelling) closes what is open upstream.

        Raises:
            ProviderError: as it happens, also after some events.
        """
        ...

    async def check(self) -> ProviderStatus:
        """Try the connection with the smallest request there is; never raises ProviderError."""
        ...
