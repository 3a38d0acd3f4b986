"""The models that the stand-in knows, with what they take; the shape is that of `GET /v1/models/{id}`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

_ALL_EFFORTS = ("low", "medium", "high", "xhigh", "max")


@dataclass(frozen=True)
class KnownModel:
    """A model and what it takes.

    Attributes:
        id: as in a request.
        display_name: for people.
        thinking: kinds of thinking that a request may ask for.
        efforts: levels of effort that a request may ask for.
        takes_forced_tools: `tool_choice` may be `any` or `tool`.
        max_input_tokens: of a request.
        max_tokens: of an answer.
        lifecycle: active, deprecated or retired.
    """

    id: str
    display_name: str
    thinking: Collection[str] = ("adaptive",)
    efforts: Collection[str] = _ALL_EFFORTS
    takes_forced_tools: bool = False
    max_input_tokens: int = 1_000_000
    max_tokens: int = 128_000
    lifecycle: str = "active"

    def to_json(self) -> dict[str, Any]:
        """Give the shape of the API."""

        def supported(yes: bool) -> dict[str, bool]:
            return {"supported": yes}

        kinds = ("adaptive", "between_tools", "disabled", "enabled")
        return {
            "type": "model",
            "id": self.id,
            "display_name": self.display_name,
            "created_at": "2026-10-21T00:00:00Z",
            "deprecated_at": None,
            "retires_at": None,
            "lifecycle": self.lifecycle,
            "line": self.id.split("-")[1],
            "max_input_tokens": self.max_input_tokens,
            "max_tokens": self.max_tokens,
            "capabilities": {
                **{name: supported(True) for name in ("batch", "citations", "image_input", "pdf_input")},
                **{name: supported(True) for name in ("code_execution", "structured_outputs")},
                "server_tools": supported(True),
                "context_management": supported(True),
                "effort": {
                    **supported(bool(self.efforts)),
                    **{level: supported(level in self.efforts) for level in _ALL_EFFORTS},
                },
                "thinking": {
                    **supported(bool(self.thinking)),
                    "types": {kind: supported(kind in self.thinking) for kind in kinds},
                },
            },
        }


MODELS = {
    model.id: model
    for model in (
        KnownModel("claude-sonnet-5-5", "Claude Sonnet 5.5", thinking=("adaptive", "between_tools")),
        KnownModel("claude-opus-5-5", "Claude Opus 5.5"),
        KnownModel("claude-haiku-5-5", "Claude Haiku 5.5", thinking=("adaptive", "disabled"), takes_forced_tools=True),
        KnownModel(
            "claude-haiku-4-5",
            "Claude Haiku 4.5",
            thinking=("enabled", "disabled"),
            efforts=(),
            takes_forced_tools=True,
            max_input_tokens=200_000,
            max_tokens=8_000,
            lifecycle="deprecated",
        ),
        KnownModel("claude-sonnet-4-5", "Claude Sonnet 4.5", lifecycle="retired"),
    )
}
