"""Claude as a provider of the tool loop: at Anthropic, at Amazon Bedrock and at Google Vertex AI.

Streams every turn and never retries: the loop does, so that the person sees it. Not here: clients (`connection`), the
body (`request`), the stream (`stream`), errors in words (`errors`).
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from draftsmith.adapters.anthropic.connection import DEFAULT_BASE_URL, AnthropicConnection, Where, load_sdk
from draftsmith.adapters.anthropic.request import (
    assumed_abilities,
    reported_abilities,
    results_message,
    turn_body,
    user_message,
)
from draftsmith.adapters.anthropic.stream import Answer
from draftsmith.adapters.keyed_connections import KeyedConnections
from draftsmith.adapters.model_errors import CUT
from draftsmith.assistant.model_provider import Capabilities, ModelProvider, Reach
from draftsmith.assistant.provider import (
    Effort,
    Event,
    Message,
    ProviderError,
    ProviderStatus,
    ToolResult,
    TurnRequest,
)

if TYPE_CHECKING:
    from anthropic.types import ModelInfo

_CHECK_SECONDS: Final = 10.0
_CHECK_TOKENS: Final = 16
_LABELS: Final = {"anthropic": "Anthropic", "bedrock": "Amazon Bedrock", "vertex": "Google Vertex AI"}


class AnthropicProvider:
    """A model of Anthropic, wherever it is asked; implements `assistant.provider.AIProvider`.

    Messages are those of the Messages API, and the model's own are handed back verbatim, thoughts and signatures
    included.
    """

    reads_context: bool = True

    def __init__(
        self,
        key: str,
        model: str,
        *,
        base_url: str | None = None,
        effort: Effort = "medium",
        timeout_seconds: float = 120.0,
        connection: AnthropicConnection | None = None,
    ) -> None:
        """Send nothing yet. With `connection`, its key, address and timeout are used."""
        self.model: str = model
        self._effort: Effort = effort
        self.connection = connection or AnthropicConnection(key, base_url, timeout_seconds)
        self.name: str = self.connection.where
        # Read once: what is sent must not change within a run, even if the connection is checked meanwhile.
        assumed = replace(assumed_abilities(model), is_direct=self.name == "anthropic")
        self._able, self._display_name = self.connection.known.get(model, (assumed, ""))

    @property
    def label(self) -> str:
        """For people: `Claude Sonnet 5.5 (Anthropic)` once it is known, else with the model's id."""
        return f"{self._display_name or self.model} ({_LABELS[self.name]})"

    def user(self, text: str) -> Message:
        """A message of the person."""
        return user_message(text)

    def results(self, results: Sequence[ToolResult], note: str = "") -> Message:
        """The message that answers every call of the turn before, in order; `note`: said beside them."""
        return results_message(results, note)

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        """Make one turn; see `AIProvider.turn`. Leave it through `contextlib.aclosing`."""
        client = await self.connection.client()
        from draftsmith.adapters.anthropic.errors import translate_errors

        body = turn_body(self.model, self._effort, self._able, request)
        answer = Answer(request.usage)
        asked, refused = self.connection.target_of(self.model), self.connection.credential_errors()
        with translate_errors(asked, refused=refused):
            stream = await client.messages.create(**body, stream=True)
        # Leaving the block closes the socket, by which the provider learns that the turn is cancelled.
        async with stream:
            headers = stream.response.headers
            request_id = headers.get("request-id", headers.get("x-amzn-requestid", ""))
            request.usage.request_id = request_id if asked.is_free(request_id) else ""
            with translate_errors(asked, reading=True):
                async for event in stream:
                    for neutral in answer.convert(event):
                        yield neutral
        if not answer.is_complete:
            raise ProviderError("network", CUT, request_id=request.usage.request_id)
        yield answer.end()

    async def check(self) -> ProviderStatus:
        """Ask the provider about the model, and keep its abilities for later runs; at a cloud, ask it for a word.

        Facts: `display_name`, `max_tokens`, `max_input_tokens`, `lifecycle`, `latency_ms`.
        """
        if not self._able.is_direct:
            return await self._say_hello()
        try:
            info, seconds = await self._retrieve()
        except ProviderError as problem:
            return ProviderStatus(False, problem.code, problem.detail, {"request_id": problem.request_id})
        facts: dict[str, Any] = {
            "display_name": getattr(info, "display_name", self.model),
            "max_tokens": getattr(info, "max_tokens", None),
            "max_input_tokens": getattr(info, "max_input_tokens", None),
            "lifecycle": getattr(info, "lifecycle", None),
            "latency_ms": round(seconds * 1000),
        }
        if facts["lifecycle"] == "retired":
            detail = f"The model {self.model} has been retired by its provider. Set ASSISTANT_MODEL to another."
            return ProviderStatus(False, "model_not_found", detail, facts)
        self._able, self._display_name = reported_abilities(self.model, info), str(facts["display_name"])
        self.connection.known[self.model] = self._able, self._display_name
        return ProviderStatus(True, "", f"{self.label} answers.", facts)

    async def _retrieve(self) -> tuple[ModelInfo, float]:
        """Ask for the model; what it is and how many seconds that took."""
        client = await self.connection.client()
        from draftsmith.adapters.anthropic.errors import translate_errors

        began = time.monotonic()
        with translate_errors(self.connection.target_of(self.model), reading=True):
            info = await client.models.retrieve(self.model, timeout=_CHECK_SECONDS)
        return info, time.monotonic() - began

    async def _say_hello(self) -> ProviderStatus:
        """Have the model answer with a few tokens: the clouds cannot be asked for a model by these clients."""
        began = time.monotonic()
        try:
            client = await self.connection.client()
            from draftsmith.adapters.anthropic.errors import translate_errors

            asked, refused = self.connection.target_of(self.model), self.connection.credential_errors()
            with translate_errors(asked, reading=True, refused=refused):
                await client.messages.create(
                    model=self.model,
                    max_tokens=_CHECK_TOKENS,
                    messages=[{"role": "user", "content": "Say yes."}],
                    timeout=_CHECK_SECONDS,
                )
        except ProviderError as problem:
            return ProviderStatus(False, problem.code, problem.detail, {"request_id": problem.request_id})
        facts = {"lifecycle": None, "latency_ms": round((time.monotonic() - began) * 1000)}
        return ProviderStatus(True, "", f"{self.label} answers.", facts)

    async def close(self) -> None:
        """Close the connection, also for the providers that share it."""
        await self.connection.close()


def _connections(reach: Reach, where: Where = "anthropic") -> KeyedConnections[AnthropicConnection]:
    return KeyedConnections(
        lambda key: AnthropicConnection(key, reach.base_url, where=where, options=reach.options),
        lambda model, connection: AnthropicProvider(connection.key, model, effort=reach.effort, connection=connection),
    )


def _vertex_address(region: str) -> str:
    """The address of a region; three of them are several places together."""
    together = {"global": "aiplatform", "us": "aiplatform.us.rep", "eu": "aiplatform.eu.rep"}
    return f"https://{together.get(region, f'{region}-aiplatform')}.googleapis.com/v1"


_CAPABILITIES: Final = Capabilities(
    strict_schemas=True, parallel_calls=True, carries_reasoning=True, cache="marks", streams_calls=True
)

ANTHROPIC: Final = ModelProvider(
    name="anthropic",
    label=_LABELS["anthropic"],
    base_url=DEFAULT_BASE_URL,
    key_file="assistant-key",
    connect=_connections,
    capabilities=_CAPABILITIES,
    models=("claude-sonnet-5-5", "claude-haiku-5-5"),
    package="anthropic",
    load=load_sdk,
)
BEDROCK: Final = ModelProvider(
    name="bedrock",
    label=_LABELS["bedrock"],
    base_url="",
    key_file="assistant-key-bedrock",
    connect=partial(_connections, where="bedrock"),
    capabilities=_CAPABILITIES,
    key_need="never",
    options=("region",),
    needs=("region", "model"),
    package="boto3",
    extra="aws",
    locate=lambda options: f"https://bedrock-runtime.{options['region']}.amazonaws.com",
    load=partial(load_sdk, "bedrock"),
)
VERTEX: Final = ModelProvider(
    name="vertex",
    label=_LABELS["vertex"],
    base_url="",
    key_file="assistant-key-vertex",
    takes_entered_key=False,
    connect=partial(_connections, where="vertex"),
    capabilities=_CAPABILITIES,
    key_need="never",
    options=("project", "region"),
    needs=("project", "region", "model"),
    package="google.auth",
    extra="google",
    locate=lambda options: _vertex_address(options["region"]),
    load=partial(load_sdk, "vertex"),
)
