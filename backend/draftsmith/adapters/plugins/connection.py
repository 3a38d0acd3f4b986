"""A plugin over HTTP: one route, bounded in time and size, never redirected, through no proxy."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from typing import Any, Final

import httpx2
import orjson

from draftsmith.adapters.repeated_secrets import repeats
from draftsmith.plugin.protocol import Description, read_description
from draftsmith.ports.plugins import PluginFailure, PluginResult, RegisteredPlugin

DESCRIBE_SECONDS: Final = 5.0
MOST_DESCRIBED_BYTES: Final = 1_000_000
MOST_ANSWER_BYTES: Final = 2_000_000
MOST_STATE_BYTES: Final = 64_000
MOST_ARGS_BYTES: Final = 256_000
_MOST_MESSAGE: Final = 1_000
_MOST_DETAILS: Final = 2_000


class HttpPlugin:
    """A connection to one plugin; implements `ports.plugins.PluginConnection`.

    Its address is the one that the administrator has registered, wherever that is; where it would send us on to is not
    followed, so no answer of a plugin chooses an address that this server calls.
    """

    def __init__(self, plugin: RegisteredPlugin) -> None:
        """`plugin`: where it is, its token and the limit of its calls; nothing is sent."""
        self._plugin = plugin
        self._url = f"{plugin.url.rstrip('/')}/execute"
        self._client: httpx2.AsyncClient | None = None

    async def describe(self) -> Description:
        """Ask what it is and which tools it has; see `ports.plugins.PluginConnection`."""
        answer = await self._post({"hook": "describe"}, DESCRIBE_SECONDS, MOST_DESCRIBED_BYTES)
        try:
            return read_description(answer)
        except ValueError as error:
            raise PluginFailure("plugin_unreadable", f"What it describes cannot be read: {error}.") from None

    async def invoke(
        self, session_id: str, tool: str, args: Mapping[str, object], state: Mapping[str, object]
    ) -> PluginResult:
        """Call a tool; see `ports.plugins.PluginConnection`."""
        payload = {"tool": tool, "args": dict(args), "state": dict(state)}
        if len(orjson.dumps(payload["args"])) > MOST_ARGS_BYTES:
            raise PluginFailure("plugin_too_large", f"The arguments are larger than {MOST_ARGS_BYTES:,} bytes.")
        body = {"hook": "invoke", "sessionId": session_id, "payload": payload}
        answer = await self._post(body, self._plugin.seconds, MOST_ANSWER_BYTES)
        if not isinstance(answer, Mapping) or not isinstance(answer.get("success"), bool):
            raise PluginFailure("plugin_unreadable", "Its answer does not say whether it succeeded.")
        if not answer["success"]:
            raise _failure(answer.get("error"), self._plugin.token)
        after = answer.get("state")
        after = {} if after is None else after
        if not isinstance(after, Mapping):
            raise PluginFailure("plugin_unreadable", "Its state is no object.")
        if len(orjson.dumps(after)) > MOST_STATE_BYTES:
            message = f"It wants a state of more than {MOST_STATE_BYTES:,} bytes kept, so its answer is not taken."
            raise PluginFailure("plugin_too_large", message)
        return PluginResult(answer.get("result"), after)

    async def close(self) -> None:
        """Close its connections."""
        if self._client is not None:
            await self._client.aclose()

    async def _post(self, body: Mapping[str, object], seconds: float, most: int) -> Any:
        try:
            async with asyncio.timeout(seconds):  # of all of it: a trickle must not go on for ever
                return await self._exchange(orjson.dumps(body), most)
        except TimeoutError:
            raise PluginFailure("plugin_slow", f"It did not answer within {seconds:g} seconds.") from None
        except httpx2.TransportError as error:
            raise PluginFailure(
                "plugin_away", f"It cannot be reached ({type(error).__name__}).", is_away=True
            ) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise PluginFailure("plugin_unreadable", f"Its answer cannot be read ({type(error).__name__}).") from None

    async def _exchange(self, body: bytes, most: int) -> Any:
        if self._client is None:
            # The system's authorities, or those of SSL_CERT_FILE; reading them takes long, and plain HTTP needs none.
            is_plain = self._url.startswith("http://")
            trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain else ssl.create_default_context()
            self._client = httpx2.AsyncClient(timeout=None, follow_redirects=False, trust_env=False, verify=trusted)
        # Without compression: a few bytes could unpack to any number before they are counted.
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
        if self._plugin.token:
            headers["Authorization"] = f"Bearer {self._plugin.token}"
        async with self._client.stream("POST", self._url, content=body, headers=headers) as response:
            if 300 <= response.status_code < 400:
                message = "It sends to another address, which is not followed; register the address where it is."
                raise PluginFailure("plugin_redirects", message)
            if response.headers.get("Content-Encoding", "identity") != "identity":
                raise PluginFailure("plugin_unreadable", "Its answer is compressed although that was not asked for.")
            text = bytearray()
            async for piece in response.aiter_raw():
                text += piece
                if len(text) > most:
                    raise PluginFailure("plugin_too_large", f"Its answer is larger than {most:,} bytes.")
        try:
            answer = orjson.loads(text)
        except orjson.JSONDecodeError:
            answer = None
        if response.status_code != 200 or answer is None:
            raise _protocol_failure(response.status_code, answer, self._plugin.token)
        return answer


def _protocol_failure(status: int, answer: Any, token: str) -> PluginFailure:
    """The failure of an answer that is none of the protocol."""
    if isinstance(answer, Mapping) and isinstance(answer.get("error"), Mapping):
        return _failure(answer["error"], token)
    what = "no JSON" if status == 200 else f"status {status}"
    # A gateway whose plugin has gone answers for it.
    return PluginFailure("plugin_unreadable", f"It answered with {what}.", is_away=status in (502, 503, 504))


def _failure(error: Any, token: str) -> PluginFailure:
    """What a plugin says of its failure, cut; nothing where that repeats its token, for models are told it."""
    said = error if isinstance(error, Mapping) else {}
    code, message, details = said.get("code"), said.get("message"), said.get("details")
    text = f"{code if isinstance(code, str) else 'failed'}: {message if isinstance(message, str) else 'without a word'}"
    text = text[:_MOST_MESSAGE]
    if isinstance(details, Mapping) and details:
        text = f"{text} {orjson.dumps(details).decode()[:_MOST_DETAILS]}"
    if repeats(text, token):
        text = "failed: What it says repeats its token, so it is not shown."
    return PluginFailure("plugin_failed", text)
