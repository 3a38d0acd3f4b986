"""Map errors of Google's SDK to the codes of `ProviderError`.

The status names of Google's APIs are few and mean much: a key that is wrong is an invalid argument, as is a prompt that
is too long, so what is said decides where the status leaves it open. Importing this module imports the SDK.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

import httpx2
from google.genai import errors

from draftsmith.adapters.model_errors import CUT, RequestTarget, by_status, provider_error, retry_after
from draftsmith.assistant.provider import ProviderError

_BY_STATUS_NAME: Final = {
    "UNAUTHENTICATED": "auth",
    "PERMISSION_DENIED": "auth",
    "NOT_FOUND": "model_not_found",
    "RESOURCE_EXHAUSTED": "rate_limited",
    "UNAVAILABLE": "overloaded",
    "DEADLINE_EXCEEDED": "timeout",
    "CANCELLED": "timeout",
    "INTERNAL": "provider_down",
}
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")
_KEY: Final = ("api key not valid", "api_key_invalid", "api key expired", "api key not found")
_TOO_LONG: Final = ("token count", "exceeds the maximum number of tokens", "request payload size")
_BILLING: Final = ("billing", "prepayment credits", "spending cap", "spend limit")


@contextmanager
def translate_errors(asked: RequestTarget, *, reading: bool = False) -> Iterator[None]:
    """Turn what the SDK raises inside into `ProviderError`; `reading`: inside the body of an answer."""
    try:
        yield
    except (errors.APIError, httpx2.HTTPError, httpx2.StreamError) as error:
        raise explain(error, asked, reading=reading) from error
    except ValueError as error:  # which the SDK also raises for an answer that it cannot parse
        if not reading:
            raise
        raise ProviderError("network", CUT) from error


def explain(error: Exception, asked: RequestTarget, *, reading: bool = False) -> ProviderError:
    """The `ProviderError` for an error of the SDK or its HTTP library."""
    if isinstance(error, errors.APIError):
        headers = getattr(error.response, "headers", None) or {}
        wait = retry_after(headers, datetime.now(UTC))
        return provider_error(
            code_of(error),
            asked,
            said=error.message or "",
            wait=_asked_wait(error.details) if wait is None else wait,
        )
    if isinstance(error, httpx2.TimeoutException):
        return provider_error("timeout", asked)
    is_cut = reading and not isinstance(error, httpx2.ConnectError)
    return ProviderError("network", CUT) if is_cut else provider_error("network", asked)


def code_of(error: errors.APIError) -> str:
    """The code of `ProviderError` for an answer."""
    said = f"{error.message or ''} {error.details if isinstance(error.details, dict) else ''}".lower()
    status = error.code if isinstance(error.code, int) else 0
    if any(words in said for words in _KEY):
        return "auth"
    if any(words in said for words in _BILLING) and status != 403:
        return "billing"
    if status in (400, 413) and any(words in said for words in _TOO_LONG):
        return "too_large"
    return _BY_STATUS_NAME.get(str(error.status), by_status(status))


def _asked_wait(details: Any) -> float | None:
    """The seconds that the provider asks to wait, from the `RetryInfo` of its answer."""
    error = details.get("error", details) if isinstance(details, dict) else {}
    for one in (error.get("details") or ()) if isinstance(error, dict) else ():
        found = _SECONDS.fullmatch(str(one.get("retryDelay", ""))) if isinstance(one, dict) else None
        if found is not None:
            return float(found[1])
    return None
