"""Clients of the Anthropic SDK: for Anthropic's own API, and for its models at Amazon Bedrock and Google Vertex AI.

Importing the SDK takes most of a second, so it is done in a thread: ahead of the first turn where a provider can be
asked (`load_sdk`), never without. What the clouds need beside it is imported by their clients alone.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from draftsmith.adapters.anthropic.request import Abilities
from draftsmith.adapters.model_errors import RequestTarget, could_be_key, no_key

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

Where = Literal["anthropic", "bedrock", "vertex"]
DEFAULT_BASE_URL: Final = "https://api.anthropic.com"
_CONNECT_SECONDS: Final = 10.0


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
