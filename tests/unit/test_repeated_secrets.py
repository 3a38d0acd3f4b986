"""What a provider says is shown only where it repeats no piece of the key, in whatever spelling."""

from __future__ import annotations

import base64
import codecs
import html
import json
import string
from collections.abc import Callable
from random import Random
from urllib.parse import quote

import pytest

from draftsmith.adapters.model_errors import RequestTarget, provider_error
from draftsmith.adapters.plugins.connection import _failure
from draftsmith.adapters.repeated_secrets import PIECE, repeats
from tests.seeds import run_seed

KEY = "sk-ant-api03-Qz7+kW/x9Lm_2RtY4vB8nHc6Jd1Fg5Ps0Ae3Uo-XwYz12AA"
LETTERS = string.ascii_letters + string.digits
"""As vendors make them: letters, digits, and what stands between."""


def each(key: str) -> str:
    return "".join(f"%{byte:02x}" for byte in key.encode())


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "upper case": str.upper,
    "reversed": lambda key: key[::-1],
    "rot13": lambda key: codecs.encode(key, "rot13"),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 for addresses": lambda key: base64.urlsafe_b64encode(key.encode()).decode().rstrip("="),
    "base64 of the header": lambda key: base64.b64encode(f"Bearer {key}".encode()).decode(),
    "base64 of a user": lambda key: base64.b64encode(f"u:{key}".encode()).decode(),
    "base64 of the reversed": lambda key: base64.b64encode(key[::-1].encode()).decode(),
    "base64 twice": lambda key: base64.b64encode(base64.b64encode(key.encode())).decode(),
    "base64 in an address": lambda key: quote(base64.b64encode(key.encode()).decode(), safe=""),
    "base32": lambda key: base64.b32encode(key.encode()).decode(),
    "hex": lambda key: key.encode().hex(),
    "hex, apart": lambda key: key.encode().hex(" "),
    "hex of a language": lambda key: ", ".join(hex(byte) for byte in key.encode()),
    "numbers": lambda key: " ".join(str(byte) for byte in key.encode()),
    "escaped for an address": lambda key: quote(key, safe=""),
    "all escaped for an address": each,
    "escaped twice": lambda key: quote(each(key)),
    "escaped for a page": lambda key: "".join(f"&#{ord(letter)};" for letter in key),
    "escaped for a page in hex": lambda key: html.escape("".join(f"&#x{ord(letter):x};" for letter in key)),
    "escaped for JSON": lambda key: "".join(f"\\u{ord(letter):04x}" for letter in key),
    "escaped by a language": lambda key: "".join(f"\\x{ord(letter):02x}" for letter in key),
    "a text in JSON": lambda key: json.dumps(json.dumps({"key": key})),
    "full width": lambda key: "".join(chr(ord(letter) + 0xFEE0) for letter in key),
    "letters apart": " ".join,
    "zero width between": "\u200b".join,
    "in groups of four": lambda key: " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
    "in lines": lambda key: "\n".join(key[at : at + 6] for at in range(0, len(key), 6)),
    "in sentences": lambda key: ", and then ".join(f"“{key[at : at + 5]}”" for at in range(0, len(key), 5)),
    "its pieces backwards": lambda key: ", and then ".join(key[at : at + 5][::-1] for at in range(0, len(key), 5)),
    "the beginning": lambda key: key[: PIECE + 5],
    "the end": lambda key: key[-PIECE - 3 :],
    "the middle": lambda key: f"{key[5:16]}…",
    "masked in the middle": lambda key: f"{key[:16]}****{key[-10:]}",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_key_is_found_however_it_is_spelled(spelling: str) -> None:
    random = Random(run_seed())
    made = [
        KEY,
        f"sk-proj-{random_text(random, 60)}",
        random_text(random, 32),
        random_text(random, 20),
        f"AIza{random_text(random, 35)}",
    ]
    for key in made:
        said = f"Incorrect API key provided: {SPELLINGS[spelling](key)}. You can find yours in the console."
        assert repeats(said, key), key


def random_text(random: Random, length: int) -> str:
    return "".join(random.choice(LETTERS) for _ in range(length))


@pytest.mark.parametrize(
    "said",
    [
        "Incorrect API key provided: ****12AA. You can find your API key at https://platform.example.com/api-keys.",
        "invalid x-api-key",
        "messages.3.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
        "Request req_011CSHoEeqs5C35K2UUqR7Fy was refused: max_tokens 128000 > 64000 for claude-sonnet-5-5-20260101.",
        "Your country, region, or territory is not supported.",
        "Die Anfrage enthält ungültige Zeichen: “ä” 😀 \\u00e4 %20 &amp; 0x1f.",
        "This request would exceed your organization’s rate limit of 40,000 input tokens per minute (org 9f3c2b1a).",
    ],
)
def test_what_says_something_else_is_free_of_it(said: str) -> None:
    """The last four characters are no piece, as vendors show them; nor are ids, models and patterns."""
    random = Random(run_seed())
    for key in (KEY, *(f"sk-{random_text(random, 48)}" for _ in range(200))):
        assert not repeats(said, key), key


@pytest.mark.parametrize("code", ["auth", "refusal", "bad_request", "model_not_found", "too_large", "provider_down"])
def test_an_error_that_repeats_the_key_says_what_kind_it_was_instead(code: str) -> None:
    asked = RequestTarget.of("openai", "gpt", "https://user:a-long-password@models.test", KEY)
    free = provider_error(code, asked, said="Not in your region", request_id="req-1")
    assert "“Not in your region”" in free.detail
    for secret in (KEY, "a-long-password"):
        encoded = base64.b64encode(secret.encode()).decode()
        error = provider_error(code, asked, said=f"No {encoded} here", request_id=f"req-{encoded}")
        assert encoded not in error.detail
        assert "repeats the key" in error.detail
        assert (error.code, error.request_id) == (code, "")


def test_nothing_is_looked_for_without_a_secret() -> None:
    assert not repeats("whatever", "")
    assert repeats("the key abc is wrong", "abc")


def test_a_plugin_that_repeats_its_token_fails_in_other_words() -> None:
    """Models are told what a plugin says of its failure."""
    encoded = base64.b64encode(KEY.encode()).decode()
    assert _failure({"code": "odd", "message": "No"}, KEY).message == "odd: No"
    for error in ({"message": encoded}, {"message": "No", "details": {"seen": encoded}}):
        assert "repeats its token" in _failure(error, KEY).message
        assert encoded not in _failure(error, KEY).message
