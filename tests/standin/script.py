"""What the stand-in is to answer: turns of blocks, errors, and ways in which a stream breaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


@dataclass(frozen=True)
class Text:
    """A block of text."""

    text: str


@dataclass(frozen=True)
class Thinking:
    """A block of thinking; its text is shown only where the request asks for summaries."""

    text: str = ""


@dataclass(frozen=True)
class ToolUse:
    """A tool call; `input` is an object, or a text to send instead of one, as it is."""

    name: str
    input: Mapping[str, Any] | str
    id: str = ""


Block = Text | Thinking | ToolUse


@dataclass(frozen=True)
class Break:
    """Something goes wrong after so many events.

    `error`: an error event; `cut`: the connection breaks; `end`: the stream ends as if all had been said; `stall`:
    nothing more comes until the client goes; `garbage`: an event that is no JSON.
    """

    after: int
    how: Literal["error", "cut", "end", "stall", "garbage"]
    type: str = "overloaded_error"
    message: str = "Overloaded"


@dataclass(frozen=True)
class Turn:
    """One answer.

    Attributes:
        blocks: what it is made of.
        stop: the stop reason; by default `tool_use` if there is a call, else `end_turn`.
        stop_details: as the API sends them with a refusal.
        chunk: characters per delta.
        delay: seconds between two events.
        breaks: how the stream goes wrong, if it does.
        holds: where it waits until somebody lets it go on (`Standin.let_go`): before the first block, or before the
            last block ends, when everything but that has been said.
        output_tokens: what is charged; by default counted.
        read_tokens: what a server that speaks as OpenAI does says it has read; by default counted.
    """

    blocks: Sequence[Block]
    stop: str = ""
    stop_details: Mapping[str, Any] | None = None
    chunk: int = 7
    delay: float = 0.0
    breaks: Break | None = None
    holds: Literal["", "start", "end"] = ""
    output_tokens: int | None = None
    read_tokens: int | None = None

    @property
    def stop_reason(self) -> str:
        """Why the model stops."""
        return self.stop or ("tool_use" if any(isinstance(block, ToolUse) for block in self.blocks) else "end_turn")


@dataclass(frozen=True)
class HttpError:
    """An answer with an error status in place of a turn.

    Attributes:
        type: `error.type`.
        message: `error.message`.
        headers: such as `retry-after`.
        code: `error.details.error_code`, if any.
        status: by default the one that belongs to the type.
        body: sent as it is in place of the API's error object, as gateways do.
    """

    type: str = "rate_limit_error"
    message: str = "This request would exceed your rate limit"
    headers: Mapping[str, str] = field(default_factory=dict)
    code: str = ""
    status: int | None = None
    body: str | None = None


Step = Turn | HttpError
Brain = Callable[[Mapping[str, Any]], Step]
"""Decides the answer by the body of the request."""
