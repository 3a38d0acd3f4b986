"""What goes wrong with a provider of models, in words: one sentence for each code of `ProviderError`.

The adapters of the providers find out the code; the words are the same whoever answers, but for the names of the
settings that may be at fault. Not here: the errors of any SDK.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

from draftsmith.adapters.repeated_secrets import repeats
from draftsmith.assistant.provider import ProviderError

BY_STATUS: Final = {
    400: "bad_request",
    401: "auth",
    402: "billing",
    403: "auth",
    404: "model_not_found",
    408: "timeout",
    413: "too_large",
    422: "bad_request",
    424: "provider_down",
    429: "rate_limited",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
"""The code of an answer by its HTTP status alone."""
_LONGEST_QUOTE: Final = 300
_LONGEST_READ: Final = 2_000
_WITHHELD: Final = " What it says repeats the key, so it is not shown."
_SENTENCES: Final = {
    "rate_limited": "The model provider accepts no more requests at the moment.{wait}",
    "overloaded": "The model provider is overloaded.{wait}",
    "auth": "The model provider refused the API key.{quote} Check the key in the settings of the assistant, or "
    "{key_setting}.",
    "billing": "The account at the model provider has no credit left, or has reached its spending limit. Add credit or "
    "raise the limit there, then ask again.",
    "model_not_found": "The model provider knows no model {model}, or this API key may not use it.{quote}{remedy} "
    "Check {model_settings}.",
    "too_large": "Diagram, document and request together are too large for the model.{quote} Ask about a part of them, "
    "or let the server read more if it is your own.",
    "refusal": "The model provider declined this request.{quote} Ask differently.",
    "timeout": "The model provider did not answer in time. Try again.",
    "network": "The model provider cannot be reached at {host}. Check the network of this server, and "
    "{url_setting} if it is set.",
    "provider_redirects": "The model provider at {host} sends to another address, where neither key nor request was "
    "sent. Set {url_setting} to the address where it is.",
    "provider_down": "The model provider reports a failure of its own.{quote}{remedy}{wait}",
    "bad_request": "The model provider at {host} refused the request.{quote}{remedy} Its request id is {request}.",
}
_OWN_SENTENCES: Final = {
    **_SENTENCES,
    "auth": "The server at {host} refused the key, or wants one.{quote} Enter the key that it was started with.",
    "model_not_found": "The server at {host} has no model {model}, or no such address.{quote}{remedy} Choose a "
    "model that it lists, or enter another address.",
    "timeout": "The server at {host} did not answer in time; it may still be loading the model. Try again in a minute.",
    "network": "The server at {host} cannot be reached. Check that it runs, and that it listens for this machine "
    "(Ollama listens for its own alone unless OLLAMA_HOST=0.0.0.0 is set).",
    "provider_redirects": "The server at {host} sends to another address, where neither key nor request was sent. "
    "Enter the address where it is.",
    "provider_down": "The server at {host} reports a failure of its own.{quote}{remedy}{wait}",
    "bad_request": "The server at {host} refused the request.{quote}{remedy}",
}
"""Where a server's address was entered in the page: no setting is at fault."""
_REMEDIES: Final[Mapping[str, str]] = {
    "does not support tools": "Editing needs a model that can call tools: choose another.",
    "tool use is not supported": "Editing needs a model that can call tools: choose another.",
    "support tool use": "Editing needs a model that can call tools: choose another.",
    "enable-auto-tool-choice": "Start that server with --enable-auto-tool-choice and the model's --tool-call-parser.",
    "tool-call-parser": "Start that server with --enable-auto-tool-choice and the model's --tool-call-parser.",
    "--jinja": "Start that server with --jinja, so that its models can call tools.",
    "try pulling it": "Fetch it there: ollama pull {model}.",
    "requires more system memory": "Choose a smaller model, or give that machine more memory.",
}
"""What to do, by words that servers of one's own say: none of them has codes for these."""
_READ_MORE: Final = (
    "Let it read more: set OLLAMA_CONTEXT_LENGTH=32768 where Ollama is started; elsewhere it is the length of the "
    "context (vLLM --max-model-len, llama.cpp -c)."
)
CUT: Final = "The connection to the model provider broke before the answer was complete. Try again."


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestTarget:
    """The model and the address that a request went to, for messages about its failure.

    Attributes:
        key: the provider may repeat it in what it says, which is stored and shown; such words are left out.
        key_setting, url_setting, model_settings: the settings that may be at fault.
        is_entered: its address was entered in the page.
    """

    model: str
    base_url: str
    key: str = ""
    key_setting: str
    url_setting: str
    model_settings: str
    is_entered: bool = False

    def is_free(self, said: str) -> bool:
        """Whether words of the provider repeat neither the key nor a password in its address."""
        return not (repeats(said, self.key) or repeats(said, _password_of(self.base_url)))

    @classmethod
    def of(cls, name: str, model: str, base_url: str, key: str = "") -> RequestTarget:
        """What was asked of a provider whose settings begin with its name."""
        is_entered, name = name == "own", name.upper()
        return cls(
            model=model,
            base_url=base_url,
            key=key,
            key_setting=f"{name}_API_KEY",
            url_setting=f"{name}_BASE_URL",
            model_settings=f"ASSISTANT_MODEL and ASSISTANT_ASK_MODEL, or {name}_MODEL and {name}_ASK_MODEL",
            is_entered=is_entered,
        )


def by_status(status: int) -> str:
    """The code of an answer by its HTTP status alone."""
    if 300 <= status < 400:
        return "provider_redirects"
    return BY_STATUS.get(status, "provider_down" if status >= 500 or status == 200 else "bad_request")


def provider_error(
    code: str, asked: RequestTarget, *, said: str = "", wait: float | None = None, request_id: str = ""
) -> ProviderError:
    """The error of a code.

    Args:
        code: as in `ProviderError`.
        asked: what was asked where.
        said: the provider's own words, quoted where they help and repeat no secret.
        wait: seconds that it asks to wait.
        request_id: the provider's.
    """
    said = " ".join(said.split())[:_LONGEST_READ]
    is_free = asked.is_free(said)
    request_id = request_id if asked.is_free(request_id) else ""
    detail = (_OWN_SENTENCES if asked.is_entered else _SENTENCES)[code].format(
        wait=_wait_words(wait),
        quote=(f" It says: “{said[:_LONGEST_QUOTE]}”." if said else "") if is_free else _WITHHELD,
        remedy=_remedy(said).format(model=asked.model),
        model=asked.model,
        host=host_of(asked.base_url),
        request=request_id or "(none)",
        key_setting=asked.key_setting,
        url_setting=asked.url_setting,
        model_settings=asked.model_settings,
    )
    return ProviderError(code, detail, retry_after=wait, request_id=request_id)


def request_cut(asked: RequestTarget, read_tokens: int, sent_tokens: int) -> ProviderError:
    """The error of a server that read a part of a request only: what it answers is about that part."""
    rounded = max(1_000, round(sent_tokens, -3))
    less = (
        "Then try it again in “Connect a model”: what it reads is measured there, and it is sent no more."
        if asked.is_entered
        else "Or set OPENAI_CONTEXT to what it reads, to have it sent less."
    )
    detail = (
        f"The server at {host_of(asked.base_url)} read only {read_tokens:,} of about {rounded:,} tokens of a request, "
        f"so its answer was not used. {_READ_MORE} {less}"
    )
    return ProviderError("too_large", detail)


def request_too_long(asked: RequestTarget, tokens: int, most: int) -> ProviderError:
    """The error of a request that is not sent, since its beginning would be lost."""
    detail = (
        f"The request is about {tokens:,} tokens long. Of what is longer than {most:,} the server at "
        f"{host_of(asked.base_url)} was seen to lose the beginning, so nothing was sent. {_READ_MORE} Then try it "
        "again in “Connect a model”. Or ask for less: about a part that you select or name, or without what was pasted."
    )
    return ProviderError("too_large", detail)


def _remedy(message: str) -> str:
    words = message.lower()
    return next((f" {what}" for sign, what in _REMEDIES.items() if sign in words), "")


def no_key() -> ProviderError:
    """The error of a key that cannot be one."""
    return ProviderError("auth", "The API key is empty or holds characters that no key has. Enter it again.")


def could_be_key(key: str) -> bool:
    """Whether a text can be sent in a header as a key."""
    return bool(key) and key.isascii() and key.isprintable() and " " not in key


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds that the provider asks to wait; None if it names none that can be parsed."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        with suppress(ValueError):
            seconds = float(headers.get(name, "")) / scale
            if math.isfinite(seconds) and seconds >= 0:
                return seconds
    try:
        at = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds())


def _wait_words(seconds: float | None) -> str:
    if seconds is None:
        return " Try again in a moment."
    rounded = max(1, math.ceil(seconds))
    return f" Try again in {rounded} second{'s' if rounded != 1 else ''}."


def _password_of(base_url: str) -> str:
    try:
        return urlsplit(base_url).password or ""
    except ValueError:
        return ""


def host_of(base_url: str) -> str:
    """The host only; the rest may contain a password."""
    try:
        url = urlsplit(base_url)
        port = url.port
    except ValueError:
        return "its address"
    return f"{url.hostname or 'its address'}:{port}" if port else url.hostname or "its address"
