"""Clients of the OpenAI SDK: for OpenAI, for whoever speaks its protocol at another address, and for Azure.

Importing the SDK takes its time, so it is done in a thread, and never where the provider cannot be asked.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from draftsmith.adapters.model_errors import RequestTarget, could_be_key, no_key
from draftsmith.assistant.model_provider import Reach

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Timeout
    from openai import AsyncOpenAI

Where = Literal["openai", "azure", "own"]
DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"
_CONNECT_SECONDS: Final = 10.0
_SILENCE: Final = 120.0
"""Seconds that a vendor may be silent."""
_NO_KEY: Final = "none"  # the SDK insists on one; servers on one's own machine ignore it


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
