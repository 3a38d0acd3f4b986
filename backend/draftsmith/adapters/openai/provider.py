"""Models behind the protocol of OpenAI as a provider of the tool loop: OpenAI, servers that speak as it does, Azure.

At OpenAI itself turns are made by the Responses API, which carries the reasoning of its models; everywhere else by Chat
Completions, which is what Ollama, vLLM, LM Studio, llama.cpp and OpenRouter have in common (`OPENAI_API` says
otherwise). Streams every turn and never retries: the loop does. Importing the SDK takes its time, so it is done in a
thread, and never where the provider cannot be asked. Not here: bodies and streams (`chat`, `responses`), errors in
words (`errors`, which imports the SDK).
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, cast
from urllib.parse import urlsplit

import orjson

from draftsmith.adapters.keyed_connections import KeyedConnections
from draftsmith.adapters.model_errors import (
    CUT,
    RequestTarget,
    could_be_key,
    host_of,
    no_key,
    provider_error,
    request_cut,
    request_too_long,
)
from draftsmith.adapters.openai.chat import ChatAnswer, chat_body, chat_results, chat_user, tokens_of
from draftsmith.adapters.openai.responses import (
    ResponsesAnswer,
    reasons,
    responses_body,
    responses_results,
    responses_user,
)
from draftsmith.adapters.tool_dialects import Dialect
from draftsmith.assistant.model_provider import Capabilities, ModelProvider, Reach
from draftsmith.assistant.provider import Event, Message, ProviderError, ProviderStatus, ToolResult, TurnRequest

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Timeout
    from openai import AsyncOpenAI

Where = Literal["openai", "azure", "own"]
DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
_CONNECT_SECONDS: Final = 10.0
_SILENCE: Final = 120.0
"""Seconds that a vendor may be silent."""
_NO_KEY: Final = "none"  # the SDK insists on one; servers on one's own machine ignore it
_CHECK_SECONDS: Final = 20.0  # a server on one's own machine may have to load the model first
_CHECK_TOKENS: Final = 16
_SHOWN_MODELS: Final = 5
_LABELS: Final = {"openai": "OpenAI", "azure": "Azure OpenAI", "own": "A server of your own"}
_MOST_LISTED: Final = 200
_LONGEST_NAME: Final = 200


def is_openai(base_url: str) -> bool:
    """Whether an address is OpenAI's own; what others call the protocol of OpenAI is less than that."""
    host = urlsplit(base_url).hostname or ""
    return host == "openai.com" or host.endswith(".openai.com")


def load_sdk() -> None:
    """Import the SDK and all that it imports as a client is made; again it costs little."""
    client = _new_client("openai", _NO_KEY, Reach(base_url=DEFAULT_BASE_URL), _CONNECT_SECONDS)
    _ = client.chat.completions, client.responses, client.models


def _new_client(where: Where, key: str, reach: Reach, timeout_seconds: float) -> AsyncOpenAI:
    """Make a client, which has opened nothing yet; not in the thread of the event loop, for it imports much."""
    import httpx2
    import openai

    import draftsmith.adapters.openai.errors  # noqa: F401

    # httpx2 logs whole URLs, passwords included, and openai logs whole prompts at level debug.
    for name in ("httpx2", "openai"):
        logging.getLogger(name).setLevel(logging.WARNING)
    timeout = httpx2.Timeout(timeout_seconds, connect=min(_CONNECT_SECONDS, timeout_seconds))
    common: dict[str, Any] = {
        "api_key": key or _NO_KEY,
        "timeout": timeout,
        "max_retries": 0,
        "http_client": _new_http_client(reach, timeout),
    }
    if where == "azure":
        return openai.AsyncAzureOpenAI(
            azure_endpoint=reach.base_url, api_version=reach.options["api_version"], **common
        )
    client = openai.AsyncOpenAI(base_url=reach.base_url, **common)
    client.organization = client.project = None  # which the SDK has read from the environment
    return client


def _new_http_client(reach: Reach, timeout: Timeout) -> AsyncClient:
    """Make a client that follows no redirect: the SDK would send key and prompt on to whatever address one names."""
    import openai

    if reach.may_connect is None:
        return openai.DefaultAsyncHttpxClient(follow_redirects=False, timeout=timeout)
    from draftsmith.adapters.judged_transport import JudgedTransport

    transport = JudgedTransport(reach.may_connect, is_plain=reach.base_url.startswith("http://"))
    return openai.DefaultAsyncHttpxClient(follow_redirects=False, timeout=timeout, transport=transport, trust_env=False)


class OpenAIConnection:
    """One client for a key and an address, opened when it is first needed and shared by providers of several models.

    It belongs to one event loop.

    Attributes:
        key: never shown, not even where the provider quotes it; empty for servers that want none.
        where: whose API it is.
        reach: how it is reached.
    """

    def __init__(self, key: str, reach: Reach, where: Where = "openai", timeout_seconds: float | None = None) -> None:
        """Open nothing yet; `timeout_seconds` is how long the provider may be silent, by default as settings say.

        A model of one's own may read for minutes before its first word: it is waited for as long as a run may take.
        """
        self.key, self.reach, self.where = key.strip(), reach, where
        set_seconds = float(reach.options.get("silence_seconds", 0))
        self._timeout = timeout_seconds or set_seconds or (_SILENCE if self.needs_key else reach.run_seconds)
        self._client: AsyncOpenAI | None = None
        self._lock = threading.Lock()

    @property
    def is_openai(self) -> bool:
        """Whether it is asked at OpenAI itself."""
        return self.where == "openai" and is_openai(self.reach.base_url)

    @property
    def needs_key(self) -> bool:
        """Whether nothing is answered there without a key."""
        return self.where == "azure" or self.is_openai

    def target_of(self, model: str) -> RequestTarget:
        """What is asked here, for errors in words."""
        return RequestTarget.of(self.where, model, self.reach.base_url, self.key)

    async def client(self) -> AsyncOpenAI:
        """Give the client.

        Raises:
            ProviderError: `auth` where the key cannot be one.
        """
        if not could_be_key(self.key) and (self.key or self.needs_key):
            raise no_key()
        if self._client is not None:
            return self._client
        return await asyncio.to_thread(self._open)

    def _open(self) -> AsyncOpenAI:
        with self._lock:
            if self._client is None:
                self._client = _new_client(self.where, self.key, self.reach, self._timeout)
            return self._client

    async def close(self) -> None:
        """Close the client, if there is one; the next turn opens another."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


class OpenAIProvider:
    """A model behind the protocol of OpenAI; implements `assistant.provider.AIProvider`."""

    reads_context: bool = True

    def __init__(self, model: str, connection: OpenAIConnection) -> None:
        """Send nothing yet."""
        self.model: str = model
        self.connection = connection
        self.name: str = connection.where
        options = connection.reach.options
        api = options.get("api", "auto")
        self._by_responses = api == "responses" or (api == "auto" and connection.is_openai)
        self._dialect = cast(Dialect, options.get("schemas", "full"))
        self._previous_answer: ChatAnswer | None = None

    @property
    def label(self) -> str:
        """For people: the model, and whose it is; at another address that is its host."""
        where = _LABELS[self.name]
        if self.name != "azure" and not self.connection.is_openai:
            where = host_of(self.connection.reach.base_url)
        return f"{self.model} ({where})"

    def user(self, text: str) -> Message:
        """A message of the person."""
        return responses_user(text) if self._by_responses else chat_user(text)

    def results(self, results: Sequence[ToolResult], note: str = "") -> Message:
        """The message that answers every call of the turn before, in order; `note`: said beside them."""
        return responses_results(results, note) if self._by_responses else chat_results(results, note)

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        """Make one turn; see `AIProvider.turn`. Leave it through `contextlib.aclosing`."""
        client = await self.connection.client()
        from draftsmith.adapters.openai.errors import translate_errors

        asked = self.connection.target_of(self.model)
        with translate_errors(asked):
            stream, sent_tokens = await self._create(client, request)
        answer = ResponsesAnswer(request.usage, asked) if self._by_responses else ChatAnswer(request.usage, sent_tokens)
        # Leaving the block closes the socket, by which the provider learns that the turn is cancelled.
        async with stream:
            request_id = stream.response.headers.get("x-request-id", "")
            request.usage.request_id = request_id if asked.is_free(request_id) else ""
            with translate_errors(asked, reading=True):
                async for event in stream:
                    for neutral in answer.convert(event):
                        yield neutral
        if not answer.is_complete:
            raise ProviderError("network", CUT, request_id=request.usage.request_id)
        if isinstance(answer, ChatAnswer) and not self.connection.needs_key:
            if answer.is_cut or answer.has_lost(self._previous_answer):
                raise request_cut(asked, request.usage.input, answer.sent_tokens)
            self._previous_answer = answer
        yield answer.end()

    async def _create(self, client: AsyncOpenAI, request: TurnRequest) -> tuple[Any, int]:
        """The stream of a turn, and about how many tokens of text and schemas were sent for it."""
        if self._by_responses:
            body = responses_body(self.model, self.connection.reach.effort, request, self._dialect)
            return await client.responses.create(**body, stream=True), 0
        is_told = self.connection.is_openai and reasons(self.model)
        effort = self.connection.reach.effort if is_told else None
        body = chat_body(self.model, request, effort=effort, is_new=self.connection.needs_key, dialect=self._dialect)
        sent_tokens = tokens_of(orjson.dumps([body["messages"], body.get("tools")]))
        if 0 < request.cut_beyond < sent_tokens:
            raise request_too_long(self.connection.target_of(self.model), sent_tokens, request.cut_beyond)
        return await client.chat.completions.create(**body, stream=True), sent_tokens

    async def check(self) -> ProviderStatus:
        """Ask for the model. Elsewhere than at OpenAI its list says what there is, and a key is tried with a word.

        Lists may be open to everybody, and a server without a list may answer all the same. Facts: `display_name`,
        `lifecycle`, `latency_ms`.
        """
        began = time.monotonic()
        try:
            client = await self.connection.client()
            from draftsmith.adapters.openai.errors import translate_errors

            with translate_errors(self.connection.target_of(self.model), reading=True):
                await self._find(client)
        except ProviderError as problem:
            return ProviderStatus(False, problem.code, problem.detail, {"request_id": problem.request_id})
        facts = {
            "display_name": self.model,
            "lifecycle": None,
            "latency_ms": round((time.monotonic() - began) * 1000),
        }
        return ProviderStatus(True, "", f"{self.label} answers.", facts)

    async def _find(self, client: AsyncOpenAI) -> None:
        if self.connection.is_openai:
            await client.models.retrieve(self.model, timeout=_CHECK_SECONDS)
            return
        is_listed = self.name != "azure" and await self._is_listed(client)
        if self.connection.key or not is_listed:
            await self._say_hello(client)

    async def _is_listed(self, client: AsyncOpenAI) -> bool:
        """Whether the server lists the model.

        Raises:
            ProviderError: `model_not_found`, with what it lists.
        """
        import openai

        try:
            found = [one.id for one in (await client.models.list(timeout=_CHECK_SECONDS)).data]
        except openai.NotFoundError:
            return False
        if self.model in found or f"{self.model}:latest" in found:
            return True
        if not found:
            return False
        asked = self.connection.target_of(self.model)
        shown = ", ".join(found[:_SHOWN_MODELS]) + (" …" if len(found) > _SHOWN_MODELS else "")
        error = provider_error("model_not_found", asked)
        raise ProviderError(error.code, f"{error.detail} There are: {shown}." if asked.is_free(shown) else error.detail)

    async def _say_hello(self, client: AsyncOpenAI) -> None:
        if self._by_responses:
            await client.responses.create(
                model=self.model,
                input="Say yes.",
                max_output_tokens=_CHECK_TOKENS,
                store=False,
                timeout=_CHECK_SECONDS,
            )
            return
        tokens = "max_completion_tokens" if self.connection.needs_key else "max_tokens"
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "user", "content": "Say yes."}],
            tokens: _CHECK_TOKENS,
        }
        await client.chat.completions.create(**body, timeout=_CHECK_SECONDS)

    async def close(self) -> None:
        """Close the connection, also for the providers that share it."""
        await self.connection.close()


async def list_models(reach: Reach, key: str) -> list[str]:
    """The names of the models that a server lists, in its own order; empty where it has no list.

    Raises:
        ProviderError: it does not answer, or refuses the key.
    """
    connection = OpenAIConnection(key, reach, "own", _CHECK_SECONDS)
    try:
        client = await connection.client()
        import openai

        from draftsmith.adapters.openai.errors import translate_errors

        asked = connection.target_of("")
        with translate_errors(asked, reading=True):
            try:
                found = (await client.models.list()).data or []
            except openai.NotFoundError:
                return []
            names = [one.id for one in found]
    finally:
        await connection.close()
    return [one for one in names if one and len(one) <= _LONGEST_NAME and asked.is_free(one)][:_MOST_LISTED]


def _connections(reach: Reach, where: Where = "openai") -> KeyedConnections[OpenAIConnection]:
    return KeyedConnections(lambda key: OpenAIConnection(key, reach, where), OpenAIProvider)


OPENAI: Final = ModelProvider(
    name="openai",
    label=_LABELS["openai"],
    base_url=DEFAULT_BASE_URL,
    key_file="assistant-key-openai",
    connect=_connections,
    capabilities=Capabilities(
        strict_schemas=True, parallel_calls=True, carries_reasoning=True, cache="automatic", streams_calls=True
    ),
    models=("gpt-6-sol", "gpt-6-luna"),
    key_need="at_home",
    options=("api", "schemas", "silence_seconds"),
    package="openai",
    extra="openai",
    load=load_sdk,
)
AZURE: Final = ModelProvider(
    name="azure",
    label=_LABELS["azure"],
    base_url="",
    key_file="assistant-key-azure",
    connect=partial(_connections, where="azure"),
    capabilities=Capabilities(
        strict_schemas=True, parallel_calls=True, carries_reasoning=False, cache="automatic", streams_calls=True
    ),
    options=("api_version",),
    needs=("base_url", "model"),
    package="openai",
    extra="azure",
    load=load_sdk,
)
OWN: Final = ModelProvider(
    name="own",
    label=_LABELS["own"],
    base_url="",
    key_file="assistant-key-own",
    connect=partial(_connections, where="own"),
    capabilities=Capabilities(
        strict_schemas=False, parallel_calls=True, carries_reasoning=False, cache="unknown", streams_calls=True
    ),
    key_need="never",
    package="openai",
    extra="openai",
    load=load_sdk,
)
"""A server whose address an administrator enters in the page; settings know nothing of it."""
