"""Claude as a provider of the tool loop: at Anthropic, at Amazon Bedrock and at Google Vertex AI.

Streams every turn and never retries: the loop does, so that the person sees it. Importing the SDK takes most of a
second, so it is done in a thread: ahead of the first turn where a provider can be asked (`load_sdk`), never without.
What the clouds need beside it is imported by their clients alone. Not here: body and stream of a turn (`messages`),
errors in words (`errors`, which imports the SDK).
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from draftsmith.adapters.anthropic.messages import (
    Abilities,
    Answer,
    assumed_abilities,
    reported_abilities,
    results_message,
    turn_body,
    user_message,
)
from draftsmith.adapters.keyed_connections import KeyedConnections
from draftsmith.adapters.model_errors import CUT, RequestTarget, could_be_key, no_key
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
    from anthropic import AsyncAnthropic
    from anthropic.types import ModelInfo

Where = Literal["anthropic", "bedrock", "vertex"]
DEFAULT_BASE_URL: Final = "https://api.anthropic.com"
_CONNECT_SECONDS: Final = 10.0
_CHECK_SECONDS: Final = 10.0
_CHECK_TOKENS: Final = 16
_LABELS: Final = {"anthropic": "Anthropic", "bedrock": "Amazon Bedrock", "vertex": "Google Vertex AI"}


def load_sdk(where: Where = "anthropic") -> None:
    """Import the SDK and all that it imports as a client is made; again it costs little."""
    options = {"region": "us-east-1", "project": "none"} if where != "anthropic" else {}
    _new_client(where, "none", DEFAULT_BASE_URL, _CONNECT_SECONDS, options)


def _new_client(
    where: Where, key: str, base_url: str, timeout_seconds: float, options: Mapping[str, str]
) -> AsyncAnthropic:
    """Make a client, which has opened nothing yet; not in the thread of the event loop, for it imports much."""
    import anthropic
    import httpx2

    import draftsmith.adapters.anthropic.errors  # noqa: F401

    # httpx2 logs whole URLs, passwords included, and anthropic logs whole prompts at level debug.
    for name in ("httpx2", "anthropic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    timeout = httpx2.Timeout(timeout_seconds, connect=min(_CONNECT_SECONDS, timeout_seconds))
    common: dict[str, Any] = {
        "base_url": base_url,
        "timeout": timeout,
        "max_retries": 0,
        # Left to itself the SDK sends key and prompt on to whatever address an answer names.
        "http_client": anthropic.DefaultAsyncHttpxClient(follow_redirects=False, timeout=timeout),
    }
    client: Any
    match where:
        case "anthropic":
            client = anthropic.AsyncAnthropic(api_key=key, **common)
            _ = client.messages, client.models  # imported on first access
        case "bedrock":
            import boto3  # noqa: F401  # so that a missing one is noticed here and not inside a turn

            logging.getLogger("botocore").setLevel(logging.WARNING)
            client = anthropic.AsyncAnthropicBedrock(api_key=key or None, aws_region=options["region"], **common)
        case "vertex":
            import google.auth  # noqa: F401

            client = anthropic.AsyncAnthropicVertex(
                access_token=key or None, project_id=options["project"], region=options["region"], **common
            )
    return client  # type: ignore[no-any-return]  # the three have in common what is used of them


class AnthropicConnection:
    """One client for a key and an address, opened when it is first needed and shared by providers of several models.

    It belongs to one event loop.

    Attributes:
        base_url: where the API is.
        key: never shown, not even where the provider quotes it.
        where: whose API it is; at the clouds the key may be empty, and their own credentials are used.
        known: what checks have found out about models, by id: their abilities and names.
    """

    def __init__(
        self,
        key: str,
        base_url: str | None = None,
        timeout_seconds: float = 120.0,
        *,
        where: Where = "anthropic",
        options: Mapping[str, str] | None = None,
    ) -> None:
        """Open nothing yet; `timeout_seconds` is how long the provider may be silent."""
        # Never None, or the SDK would read the environment and profile files.
        self.base_url = base_url or DEFAULT_BASE_URL
        self.known: dict[str, tuple[Abilities, str]] = {}
        self.key, self.where = key.strip(), where
        self._timeout, self._options = timeout_seconds, options or {}
        self._client: AsyncAnthropic | None = None
        self._lock = threading.Lock()

    def target_of(self, model: str) -> RequestTarget:
        """What is asked here, for errors in words."""
        return RequestTarget.of(self.where, model, self.base_url, self.key)

    async def client(self) -> AsyncAnthropic:
        """Give the client.

        Raises:
            ProviderError: `auth` where the key cannot be one.
        """
        if not could_be_key(self.key) and (self.key or self.where == "anthropic"):
            raise no_key()
        if self._client is not None:
            return self._client
        return await asyncio.to_thread(self._open)

    def _open(self) -> AsyncAnthropic:
        with self._lock:
            if self._client is None:
                self._client = _new_client(self.where, self.key, self.base_url, self._timeout, self._options)
            return self._client

    def credential_errors(self) -> tuple[type[Exception], ...]:
        """What is raised where a cloud's own credentials are not found; after the client was opened."""
        if self.where == "bedrock":
            from botocore.exceptions import BotoCoreError

            return BotoCoreError, RuntimeError
        if self.where == "vertex":
            from google.auth.exceptions import GoogleAuthError

            return GoogleAuthError, RuntimeError
        return ()

    async def close(self) -> None:
        """Close the client, if there is one; the next turn opens another."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


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
