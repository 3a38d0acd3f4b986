"""Map errors of the Anthropic SDK to the codes of `ProviderError`, with a sentence for people.

The SDK's classes are not enough: an `error` event inside a stream is a status error with status 200, a spending
limit is a `RateLimitError`, and what breaks while a body is read comes raw from the HTTP library. So the type of the
answer decides first, then its status, then the class. Importing this module imports the SDK, which takes its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

import anthropic
import httpx2

from draftsmith.adapters.model_errors import CUT, RequestTarget, by_status, provider_error, retry_after
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
    # Exceptions inside the streams of Bedrock.
    "throttlingException": "rate_limited",
    "modelTimeoutException": "timeout",
    "modelStreamErrorException": "provider_down",
    "serviceUnavailableException": "overloaded",
    "internalServerException": "provider_down",
    "validationException": "bad_request",
}
_BILLING: Final = ("spend_limit_reached", "billing_unavailable", "not_billable", "billing_not_authorized")


@contextmanager
def translate_errors(
    asked: RequestTarget, *, reading: bool = False, refused: tuple[type[Exception], ...] = ()
) -> Iterator[None]:
    """Turn what the SDK raises inside into `ProviderError`.

    Args:
        asked: what was asked where.
        reading: whether this is inside the body of an answer.
        refused: what is raised where credentials are not found or not taken.
    """
    try:
        yield
    except (anthropic.APIError, httpx2.HTTPError, httpx2.StreamError) as error:
        raise explain(error, asked) from error
    except refused as error:
        raise provider_error("auth", asked, said=str(error)) from error
    except ValueError as error:
        if not reading:
            raise
        # The answer is neither JSON nor UTF-8: a proxy in between has damaged it.
        raise ProviderError("network", CUT) from error


def explain(error: Exception, asked: RequestTarget) -> ProviderError:
    """The `ProviderError` for an error of the SDK or its HTTP library."""
    if isinstance(error, anthropic.APIStatusError):
        return _error_of_status(error, asked)
    if isinstance(error, (anthropic.APITimeoutError, httpx2.TimeoutException)):
        return provider_error("timeout", asked)
    if isinstance(error, anthropic.APIResponseValidationError):
        return provider_error("provider_down", asked)
    if isinstance(error, anthropic.APIConnectionError):
        return provider_error("network", asked)
    return ProviderError("network", CUT)


def code_of(error: anthropic.APIStatusError) -> str:
    """The code of `ProviderError` for an answer."""
    named = error.error_code or ""
    said = (error.api_message or "").lower()
    if named.endswith(_BILLING) or "credit balance" in said:
        return "billing"
    if "prompt is too long" in said or "input is too long" in said:
        return "too_large"
    if "model identifier is invalid" in said:
        return "model_not_found"
    return _BY_TYPE.get(str(error.type), by_status(error.status_code))


def _error_of_status(error: anthropic.APIStatusError, asked: RequestTarget) -> ProviderError:
    return provider_error(
        code_of(error),
        asked,
        said=error.api_message or "",
        wait=retry_after(error.response.headers, datetime.now(UTC)),
        request_id=error.request_id or "",
    )
