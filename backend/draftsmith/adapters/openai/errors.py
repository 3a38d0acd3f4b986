"""Map errors of the OpenAI SDK to the codes of `ProviderError`.

Servers that speak the protocol of OpenAI agree on the status and little else, so the code of the answer decides where
it is one that OpenAI names, then what is said about length, then the status. An error inside a stream has no status.
Importing this module imports the SDK.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

import httpx2
import openai

from draftsmith.adapters.judged_transport import AddressRefused
from draftsmith.adapters.model_errors import CUT, RequestTarget, by_status, provider_error, retry_after
from draftsmith.assistant.provider import ProviderError

_BY_CODE: Final = {
    "insufficient_quota": "billing",
    "billing_hard_limit_reached": "billing",
    "billing_not_active": "billing",
    "invalid_api_key": "auth",
    "account_deactivated": "auth",
    "model_not_found": "model_not_found",
    "deploymentnotfound": "model_not_found",
    "context_length_exceeded": "too_large",
    "string_above_max_length": "too_large",
    "exceed_context_size_error": "too_large",  # llama.cpp
    "content_filter": "refusal",
    "content_policy_violation": "refusal",
    "invalid_prompt": "refusal",
    "cyber_policy": "refusal",
    "rate_limit_exceeded": "rate_limited",
    "rate_limit_error": "rate_limited",
    "server_is_overloaded": "overloaded",
    "slow_down": "overloaded",
    "server_error": "provider_down",
    "service_unavailable": "overloaded",
}
_TOO_LONG: Final = ("maximum context length", "context window", "context size", "too many tokens", "prompt is too long")


@contextmanager
def translate_errors(asked: RequestTarget, *, reading: bool = False) -> Iterator[None]:
    """Turn what the SDK raises inside into `ProviderError`; `reading`: inside the body of an answer."""
    try:
        yield
    except (openai.APIError, httpx2.HTTPError, httpx2.StreamError) as error:
        raise explain(error, asked, reading=reading) from error
    except ValueError as error:
        if not reading:
            raise
        raise ProviderError("network", CUT) from error


def explain(error: Exception, asked: RequestTarget, *, reading: bool = False) -> ProviderError:
    """The `ProviderError` for an error of the SDK or its HTTP library."""
    if isinstance(error, openai.APIStatusError):
        return provider_error(
            code_of(error.status_code, error.code, error.type, error.message),
            asked,
            said=_provider_message(error),
            wait=retry_after(error.response.headers, datetime.now(UTC)),
            request_id=error.request_id or "",
        )
    if isinstance(error, (openai.APITimeoutError, httpx2.TimeoutException)):
        return provider_error("timeout", asked)
    if isinstance(error, openai.APIConnectionError):
        if isinstance(error.__cause__, AddressRefused):
            return ProviderError("network", f"The server of your own was not asked: {error.__cause__}.")
        is_cut = reading and not isinstance(error.__cause__, httpx2.ConnectError)
        return ProviderError("network", CUT) if is_cut else provider_error("network", asked)
    if isinstance(error, openai.APIResponseValidationError):
        return provider_error("provider_down", asked)
    if isinstance(error, openai.APIError):  # inside a stream
        return stream_error(asked, error.code, error.type, error.message)
    return ProviderError("network", CUT)


def stream_error(asked: RequestTarget, code: str | None, kind: str | None, said: str) -> ProviderError:
    """The error of an answer that had begun: its code, its type and its words."""
    return provider_error(code_of(200, code, kind, said), asked, said=said)


def code_of(status: int, code: str | int | None, kind: str | None, said: str) -> str:
    """The code of `ProviderError` for an answer."""
    is_too_long = any(words in said.lower() for words in _TOO_LONG)
    for name in (code, kind):
        found = _BY_CODE.get(str(name).lower())
        if found == "provider_down" and is_too_long:  # servers of one's own have no code for it
            break
        if found is not None:
            return found
    if is_too_long:
        return "too_large"
    if isinstance(code, int) and status == 200:  # OpenRouter puts the status there
        return by_status(code)
    return by_status(status)


def _provider_message(error: openai.APIStatusError) -> str:
    """What the provider says, without what the SDK puts around it."""
    body: Any = error.body
    if isinstance(body, dict):
        return str(body.get("message") or "")
    return ""
