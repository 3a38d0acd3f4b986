"""Anthropic's models as a provider of the tool loop.

Streams every turn and never retries: the loop does, so that the person sees it. Importing the SDK takes most of a
second, so it is done in a thread: ahead of the first turn where there is a key (`load_sdk`), never without one. Not
here: the body (`request`), the stream (`stream`), errors in words (`errors`).
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from draftsmith.adapters.anthropic.request import (
    Abilities,
    assumed_abilities,
    reported_abilities,
    results_message,
    turn_body,
    user_message,
)
from draftsmith.adapters.anthropic.stream import Answer
from draftsmith.assistant.provider import (
    Check,
    Effort,
    Event,
    Message,
    ModelProvider,
    ProviderError,
    ToolResult,
    TurnRequest,
)

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import ModelInfo

DEFAULT_BASE_URL: Final = "https://api.anthropic.com"
_CONNECT_SECONDS: Final = 10.0
_CHECK_SECONDS: Final = 10.0


def load_sdk() -> None:
    """Import the SDK and all that it imports as a client is made; again it costs little."""
    _new_client("none", DEFAULT_BASE_URL, _CONNECT_SECONDS)


def _new_client(key: str, base_url: str, timeout_seconds: float) -> AsyncAnthropic:
    """Make a client, which has opened nothing yet; not in the thread of the event loop, for it imports much."""
    import httpx2
    from anthropic import AsyncAnthropic

    import draftsmith.adapters.anthropic.errors  # noqa: F401

    # httpx2 logs whole URLs, passwords included, and anthropic logs whole prompts at level debug.
    for name in ("httpx2", "anthropic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    client = AsyncAnthropic(
        api_key=key,
        base_url=base_url,
        timeout=httpx2.Timeout(timeout_seconds, connect=min(_CONNECT_SECONDS, timeout_seconds)),
        max_retries=0,
    )
    _ = client.messages, client.models  # imported on first access
    return client


class AnthropicConnection:
    """One client for a key and an address, opened when it is first needed and shared by providers of several models.

    It belongs to one event loop.

    Attributes:
        base_url: where the API is.
        key: never shown, not even where the provider quotes it.
        known: what checks have found out about models, by id: their abilities and names.
    """

    def __init__(self, key: str, base_url: str | None = None, timeout_seconds: float = 120.0) -> None:
        """Open nothing yet; `timeout_seconds` is how long the provider may be silent."""
        # Never None, or the SDK would read the environment and profile files.
        self.base_url = base_url or DEFAULT_BASE_URL
        self.known: dict[str, tuple[Abilities, str]] = {}
        self.key = key.strip()
        self._timeout = timeout_seconds
        self._client: AsyncAnthropic | None = None
        self._lock = threading.Lock()

    async def client(self) -> AsyncAnthropic:
        """Give the client.

        Raises:
            ProviderError: `auth` where the key cannot be one.
        """
        if not self.key or not self.key.isascii() or not self.key.isprintable() or " " in self.key:
            raise ProviderError("auth", "The API key is empty or holds characters that no key has. Enter it again.")
        if self._client is not None:
            return self._client
        return await asyncio.to_thread(self._open)

    def _open(self) -> AsyncAnthropic:
        with self._lock:
            if self._client is None:
                self._client = _new_client(self.key, self.base_url, self._timeout)
            return self._client

    async def close(self) -> None:
        """Close the client, if there is one; the next turn opens another."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


class AnthropicProvider:
    """A model of Anthropic; implements `assistant.provider.AIProvider`.

    Messages are those of the Messages API, and the model's own are handed back verbatim, thoughts and signatures
    included.
    """

    name: str = "anthropic"
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
        # Read once: what is sent must not change within a run, even if the connection is checked meanwhile.
        self._able, self._display_name = self.connection.known.get(model, (assumed_abilities(model), ""))

    @property
    def label(self) -> str:
        """For people: `Claude Sonnet 5.5 (Anthropic)` once it is known, else with the model's id."""
        return f"{self._display_name or self.model} (Anthropic)"

    def user(self, text: str) -> Message:
        """A message of the person."""
        return user_message(text)

    def results(self, results: Sequence[ToolResult], note: str = "") -> Message:
        """The message that answers every call of the turn before, in order; `note`: said beside them."""
        return results_message(results, note)

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        """Make one turn; see `AIProvider.turn`. Leave it through `contextlib.aclosing`."""
        client = await self.connection.client()
        from draftsmith.adapters.anthropic.errors import CUT, explained

        body = turn_body(self.model, self._effort, self._able, request)
        answer = Answer(request.usage)
        with explained(self.model, self.connection.base_url, key=self.connection.key):
            stream = await client.messages.create(**body, stream=True)
        # Leaving the block closes the socket, by which the provider learns that the turn is cancelled.
        async with stream:
            request.usage.request_id = stream.response.headers.get("request-id", "")
            with explained(self.model, self.connection.base_url, key=self.connection.key, reading=True):
                async for event in stream:
                    for neutral in answer.convert(event):
                        yield neutral
        if not answer.is_complete:
            raise ProviderError("network", CUT, request_id=request.usage.request_id)
        yield answer.end()

    async def check(self) -> Check:
        """Ask the provider about the model, and keep its abilities for later runs.

        Facts: `display_name`, `max_tokens`, `max_input_tokens`, `lifecycle`, `latency_ms`.
        """
        try:
            info, seconds = await self._retrieve()
        except ProviderError as problem:
            return Check(False, problem.code, problem.detail, {"request_id": problem.request_id})
        facts: dict[str, Any] = {
            "display_name": getattr(info, "display_name", self.model),
            "max_tokens": getattr(info, "max_tokens", None),
            "max_input_tokens": getattr(info, "max_input_tokens", None),
            "lifecycle": getattr(info, "lifecycle", None),
            "latency_ms": round(seconds * 1000),
        }
        if facts["lifecycle"] == "retired":
            detail = f"The model {self.model} has been retired by its provider. Set ASSISTANT_MODEL to another."
            return Check(False, "model_not_found", detail, facts)
        self._able, self._display_name = reported_abilities(self.model, info), str(facts["display_name"])
        self.connection.known[self.model] = self._able, self._display_name
        return Check(True, "", f"{self.label} answers.", facts)

    async def _retrieve(self) -> tuple[ModelInfo, float]:
        """Ask for the model; what it is and how many seconds that took."""
        client = await self.connection.client()
        from draftsmith.adapters.anthropic.errors import explained

        began = time.monotonic()
        with explained(self.model, self.connection.base_url, key=self.connection.key, reading=True):
            info = await client.models.retrieve(self.model, timeout=_CHECK_SECONDS)
        return info, time.monotonic() - began

    async def close(self) -> None:
        """Close the connection, also for the providers that share it."""
        await self.connection.close()


class AnthropicConnections:
    """The connections to one address, one for each key; implements `assistant.provider.Connections`."""

    def __init__(self, base_url: str, effort: Effort) -> None:
        self._base_url, self._effort = base_url, effort
        self._by_key: dict[str, AnthropicConnection] = {}

    def provider(self, key: str, model: str) -> AnthropicProvider:
        """A provider with one model; nothing is sent."""
        if key not in self._by_key:
            self._by_key[key] = AnthropicConnection(key, self._base_url)
        return AnthropicProvider(key, model, effort=self._effort, connection=self._by_key[key])

    async def close(self) -> None:
        """Close every connection; a provider that is used again opens another."""
        for connection in self._by_key.values():
            await connection.close()


ANTHROPIC: Final = ModelProvider(
    name="anthropic",
    label="Anthropic",
    base_url=DEFAULT_BASE_URL,
    key_file="assistant-key",
    connect=AnthropicConnections,
    load=load_sdk,
)
