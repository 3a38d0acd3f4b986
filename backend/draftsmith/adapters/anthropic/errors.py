"""Map errors of the Anthropic SDK to the codes of `ProviderError`, with a sentence for people.

The SDK's classes are not enough: an `error` event inside a stream is a status error with status 200, a spending
limit is a `RateLimitError`, and what breaks while a body is read comes raw from the HTTP library. So the type of the
answer decides first, then its status, then the class. Importing this module imports the SDK, which takes its time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

import anthropic
import httpx2

from draftsmith.assistant.provider import ProviderError

_BY_TYPE: Final = {
    "invalid_request_error": "bad_request",
    "authentication_error": "auth",
    "billing_error": "billing",
    "permission_error": "auth",
    "not_found_error": "model_not_found",
    "request_too_large": "too_large",
    "rate_limit_error": "rate_limited",
    "timeout_error": "timeout",
    "api_error": "provider_down",
    "overloaded_error": "overloaded",
}
_BY_STATUS: Final = {
    400: "bad_request",
    401: "auth",
    402: "billing",
    403: "auth",
    404: "model_not_found",
    408: "timeout",
    413: "too_large",
    422: "bad_request",
    429: "rate_limited",
    504: "timeout",
    529: "overloaded",
}
_BILLING: Final = ("spend_limit_reached", "billing_unavailable", "not_billable", "billing_not_authorized")
_LONGEST_QUOTE: Final = 300

_SENTENCES: Final = {
    "rate_limited": "The model provider accepts no more requests at the moment.{wait}",
    "overloaded": "The model provider is overloaded.{wait}",
    "auth": "The model provider refused the API key.{quote} Check the key in the settings of the assistant, or "
    "ANTHROPIC_API_KEY.",
    "billing": "The account at the model provider has no credit left, or has reached its spending limit. Add credit or "
    "raise the limit there, then ask again.",
    "model_not_found": "The model provider knows no model {model}, or this API key may not use it. Check "
    "ASSISTANT_MODEL and ASSISTANT_ASK_MODEL.",
    "too_large": "Diagram, document and request together are too large for the model. Ask about a part of them.",
    "timeout": "The model provider did not answer in time. Try again.",
    "network": "The model provider cannot be reached at {host}. Check the network of this server, and "
    "ANTHROPIC_BASE_URL if it is set.",
    "provider_down": "The model provider reports a failure of its own.{wait}",
    "bad_request": "The model provider refused the request.{quote} That is a defect of Draftsmith, not yours; please "
    "report it with the request id {request}.",
}
CUT = "The connection to the model provider broke before the answer was complete. Try again."


@contextmanager
def explained(model: str, base_url: str, *, key: str = "", reading: bool = False) -> Iterator[None]:
    """Turn what the SDK raises inside into `ProviderError`.

    Args:
        model, base_url: what was asked where.
        key: is left out of what the provider says, which is stored and shown.
        reading: whether this is inside the body of an answer.
    """
    try:
        yield
    except (anthropic.APIError, httpx2.HTTPError, httpx2.StreamError) as error:
        raise explain(error, model, base_url, key) from error
    except ValueError as error:
        if not reading:
            raise
        # The answer is neither JSON nor UTF-8: a proxy in between has damaged it.
        raise ProviderError("network", CUT) from error


def explain(error: Exception, model: str, base_url: str, key: str = "") -> ProviderError:
    """The `ProviderError` for an error of the SDK or its HTTP library."""
    if isinstance(error, anthropic.APIStatusError):
        return _answered(error, model, key)
    if isinstance(error, (anthropic.APITimeoutError, httpx2.TimeoutException)):
        return ProviderError("timeout", _SENTENCES["timeout"])
    if isinstance(error, anthropic.APIResponseValidationError):
        return ProviderError("provider_down", _SENTENCES["provider_down"].format(wait=_wait(None)))
    if isinstance(error, anthropic.APIConnectionError):
        return ProviderError("network", _SENTENCES["network"].format(host=_host(base_url)))
    return ProviderError("network", CUT)


def code_of(error: anthropic.APIStatusError) -> str:
    """The code of `ProviderError` for an answer."""
    named = error.error_code or ""
    said = (error.api_message or "").lower()
    if named.endswith(_BILLING) or "credit balance" in said:
        return "billing"
    if "prompt is too long" in said:
        return "too_large"
    by_status = _BY_STATUS.get(error.status_code, "provider_down" if error.status_code >= 500 else "bad_request")
    if error.status_code == 200:
        by_status = "provider_down"
    return _BY_TYPE.get(str(error.type), by_status)


def retry_after(headers: httpx2.Headers, now: datetime) -> float | None:
    """The seconds that the provider asks to wait; None if it names none that can be parsed."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / scale
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        at = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds())


def _answered(error: anthropic.APIStatusError, model: str, key: str) -> ProviderError:
    code = code_of(error)
    wait = retry_after(error.response.headers, datetime.now(UTC))
    request_id = error.request_id or ""
    said = " ".join((error.api_message or "").split())
    said = (said.replace(key, "…") if key else said)[:_LONGEST_QUOTE]
    detail = _SENTENCES[code].format(
        wait=_wait(wait),
        quote=f" It says: “{said}”." if said else "",
        model=model,
        request=request_id or "(none)",
    )
    return ProviderError(code, detail, retry_after=wait, request_id=request_id)


def _wait(seconds: float | None) -> str:
    if seconds is None:
        return " Try again in a moment."
    rounded = max(1, math.ceil(seconds))
    return f" Try again in {rounded} second{'s' if rounded != 1 else ''}."


def _host(base_url: str) -> str:
    """The host only; the rest may contain a password."""
    try:
        url = httpx2.URL(base_url)
    except httpx2.InvalidURL:
        return "its address"
    return f"{url.host}:{url.port}" if url.port else url.host
