"""Every provider of models with the stand-in that it is tried against, by a short name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from draftsmith.adapters.anthropic.provider import ANTHROPIC, BEDROCK, VERTEX
from draftsmith.adapters.google.provider import GOOGLE
from draftsmith.adapters.openai.provider import AZURE, OPENAI, OWN
from draftsmith.addresses import may_serve
from draftsmith.assistant.model_provider import Connections, ModelProvider, Reach
from draftsmith.assistant.provider import AIProvider
from tests.standin import Standin, Step, serve
from tests.standin.chat import Chat
from tests.standin.clouds import CloudStandin
from tests.standin.dialects import DialectStandin
from tests.standin.gemini import Gemini
from tests.standin.responses import Responses
from tests.standin.script import Brain

Script = Sequence[Step | Brain] | Brain


@dataclass(frozen=True)
class Kind:
    """A provider, a model of it, how it is reached below the address of its stand-in, and that stand-in."""

    info: ModelProvider
    model: str
    standin: Callable[[Script], Standin]
    path: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    may_connect: Callable[[str], bool] | None = None

    def connections(self, url: str, **more: Any) -> Connections:
        """The connections to its stand-in, or to another server there."""
        return self.info.connect(
            Reach(base_url=url + self.path, options=self.options, may_connect=self.may_connect, **more)
        )


def _speaking(dialect: Any, **more: Any) -> Callable[[Script], Standin]:
    return lambda script: DialectStandin(dialect, script, **more)


def _cloud(*, is_bedrock: bool) -> Callable[[Script], Standin]:
    return lambda script: CloudStandin(script, is_bedrock=is_bedrock)


KINDS: Mapping[str, Kind] = {
    "anthropic": Kind(ANTHROPIC, "claude-sonnet-5-5", Standin),
    "chat": Kind(OPENAI, "gpt-6-sol", _speaking(Chat()), "/v1"),
    "loose": Kind(OPENAI, "qwen3", _speaking(Chat(is_loose=True)), "/v1", {"schemas": "flat"}),
    "ollama": Kind(OPENAI, "qwen3", _speaking(Chat(is_ollama=True)), "/v1", {"schemas": "flat"}),
    "own": Kind(OWN, "qwen3", _speaking(Chat(is_ollama=True)), "/v1", {"schemas": "flat"}, may_serve),
    "responses": Kind(OPENAI, "gpt-6-sol", _speaking(Responses()), "/v1", {"api": "responses"}),
    "azure": Kind(AZURE, "gpt-6-sol", _speaking(Chat(is_azure=True)), "", {"api_version": "2024-10-21"}),
    "google": Kind(GOOGLE, "gemini-3.8-flash", _speaking(Gemini())),
    "bedrock": Kind(BEDROCK, "anthropic.claude-sonnet-5-5", _cloud(is_bedrock=True), "", {"region": "us-east-1"}),
    "vertex": Kind(VERTEX, "claude-sonnet-5-5", _cloud(is_bedrock=False), "", {"project": "p", "region": "r"}),
}
"""`chat` is OpenAI's protocol at another address as it is meant; `loose` leaves out what such servers leave out."""


@asynccontextmanager
async def running(kind: Kind, script: Script) -> AsyncIterator[tuple[Standin, AIProvider]]:
    """A stand-in with a script, and a provider that talks to it; both end together."""
    standin = kind.standin(script)
    async with serve(standin) as url:
        connections = kind.connections(url)
        try:
            yield standin, connections.provider(standin.key, kind.model)
        finally:
            await connections.close()
