"""Gemini as a provider of the tool loop, by Google's SDK.

Streams every turn and never retries: the loop does. Not here: messages and the stream (`content`), errors (`errors`).
Claude at Google Cloud is in the room of Anthropic.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from draftsmith.adapters.google.content import ContentAnswer, configuration, results_content, user_content
from draftsmith.adapters.keyed_connections import KeyedConnections
from draftsmith.adapters.model_errors import CUT, RequestTarget, could_be_key, no_key
from draftsmith.assistant.model_provider import Capabilities, ModelProvider, Reach
from draftsmith.assistant.provider import Event, Message, ProviderError, ProviderStatus, ToolResult, TurnRequest

if TYPE_CHECKING:
    from google.genai import Client

    from draftsmith.adapters.google.streaming import StreamingClient

DEFAULT_BASE_URL: Final = "https://generativelanguage.googleapis.com"
_CHECK_SECONDS: Final = 10.0
_SILENT_SECONDS: Final = 120.0


def load_sdk() -> None:
    """Import the SDK and all that it imports as a client is made; again it costs little."""
    _new_client("none", Reach(base_url=DEFAULT_BASE_URL))


def _new_client(key: str, reach: Reach) -> tuple[Client, StreamingClient]:
    """Make a client, which has opened nothing yet; not in the thread of the event loop, for it imports much."""
    from google import genai

    import draftsmith.adapters.google.errors  # noqa: F401
    from draftsmith.adapters.google.streaming import StreamingClient

    for name in ("httpx2", "google_genai"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # A client of our own: else aiohttp would be used where it happens to be installed, whose errors are others.
    http = StreamingClient()
    client = genai.Client(
        vertexai=False,  # or the environment would decide
        api_key=key,
        http_options=genai.types.HttpOptions(
            base_url=reach.base_url,
            api_version=reach.options.get("api_version"),
            httpx_async_client=http,
            timeout=round(_SILENT_SECONDS * 1000),
        ),
    )
    _ = client.aio.models
    return client, http


class GoogleConnection:
    """One client for a key and an address, opened when it is first needed; it belongs to one event loop.

    Attributes:
        key: never shown, not even where the provider quotes it.
        reach: how it is reached.
    """

    def __init__(self, key: str, reach: Reach) -> None:
        """Open nothing yet."""
        self.key, self.reach = key.strip(), reach
        self._client: tuple[Client, StreamingClient] | None = None
        self._lock = threading.Lock()

    def target_of(self, model: str) -> RequestTarget:
        """What is asked here, for errors in words."""
        return RequestTarget.of("google", model, self.reach.base_url, self.key)

    async def client(self) -> tuple[Client, StreamingClient]:
        """Give the client, and the HTTP client below it.

        Raises:
            ProviderError: `auth` where the key cannot be one.
        """
        if not could_be_key(self.key):
            raise no_key()
        if self._client is not None:
            return self._client
        return await asyncio.to_thread(self._open)

    def _open(self) -> tuple[Client, StreamingClient]:
        with self._lock:
            if self._client is None:
                self._client = _new_client(self.key, self.reach)
            return self._client

    async def close(self) -> None:
        """Close the client, if there is one; the next turn opens another."""
        clients, self._client = self._client, None
        if clients is not None:
            client, http = clients
            await client.aio.aclose()
            client.close()
            await http.aclose()


class GoogleProvider:
    """A Gemini model; implements `assistant.provider.AIProvider`."""

    name: str = "google"
    reads_context: bool = True

    def __init__(self, model: str, connection: GoogleConnection) -> None:
        """Send nothing yet."""
        self.model: str = model
        self.connection = connection

    @property
    def label(self) -> str:
        """For people."""
        return f"{self.model} (Google)"

    def user(self, text: str) -> Message:
        """A message of the person."""
        return user_content(text)

    def results(self, results: Sequence[ToolResult], note: str = "") -> Message:
        """The message that answers every call of the turn before, in order; `note`: said beside them."""
        return results_content(results, note)

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        """Make one turn; see `AIProvider.turn`. Leave it through `contextlib.aclosing`."""
        client, http = await self.connection.client()
        from draftsmith.adapters.google.errors import translate_errors
        from draftsmith.adapters.google.streaming import open_stream

        asked = self.connection.target_of(self.model)
        answer = ContentAnswer(request.usage, asked)
        config = configuration(self.model, self.connection.reach.effort, request)
        # A turn may have been empty, and the API refuses empty messages.
        contents = [json.dumps(message) for message in request.messages if message["parts"]]
        async with open_stream(client, http, self.model, contents, config) as chunks:
            with translate_errors(asked, reading=True):
                async for chunk in chunks:
                    for neutral in answer.convert(chunk):
                        yield neutral
        if not answer.is_complete:
            raise ProviderError("network", CUT)
        yield answer.end()

    async def check(self) -> ProviderStatus:
        """Ask the provider about the model.

        Facts: `display_name`, `max_tokens`, `max_input_tokens`, `lifecycle`, `latency_ms`.
        """
        began = time.monotonic()
        try:
            client, _ = await self.connection.client()
            from draftsmith.adapters.google.errors import translate_errors

            with translate_errors(self.connection.target_of(self.model), reading=True):
                options: Any = {"http_options": {"timeout": round(_CHECK_SECONDS * 1000)}}
                info = await client.aio.models.get(model=self.model, config=options)
        except ProviderError as problem:
            return ProviderStatus(False, problem.code, problem.detail, {"request_id": problem.request_id})
        facts = {
            "display_name": info.display_name or self.model,
            "max_tokens": info.output_token_limit,
            "max_input_tokens": info.input_token_limit,
            "lifecycle": None,
            "latency_ms": round((time.monotonic() - began) * 1000),
        }
        return ProviderStatus(True, "", f"{self.label} answers.", facts)

    async def close(self) -> None:
        """Close the connection, also for the providers that share it."""
        await self.connection.close()


def _connections(reach: Reach) -> KeyedConnections[GoogleConnection]:
    return KeyedConnections(lambda key: GoogleConnection(key, reach), GoogleProvider)


GOOGLE: Final = ModelProvider(
    name="google",
    label="Google",
    base_url=DEFAULT_BASE_URL,
    key_file="assistant-key-google",
    connect=_connections,
    capabilities=Capabilities(
        strict_schemas=False, parallel_calls=True, carries_reasoning=True, cache="automatic", streams_calls=False
    ),
    models=("gemini-3.8-flash", "gemini-3.8-flash"),
    options=("api_version",),
    package="google.genai",
    extra="google",
    load=load_sdk,
)
