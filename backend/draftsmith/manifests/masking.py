"""Secrets left out of what is told: of objects by where they stand, of texts by what they look like.

Values of Secrets are never told. A value whose name says that it is one (`DB_PASSWORD`), passwords in URLs, keys and
tokens of known forms are masked wherever they stand. In logs and free text that is what can be recognised, no more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

MASK: Final = "(masked)"
LEFT_OUT: Final = "(left out)"
_SECRET_WORD: Final = re.compile(
    r"(^|[-_.]|pg|db|user)pass$|passw(or)?d|passphrase|pwd|secret|token|credential|api[-_.]?key|access[-_.]?key|"
    r"private[-_.]?key|encryption[-_.]?key|signing[-_.]?key|master[-_.]?key|auth[-_.]?key|account[-_.]?key|"
    r"(^|[-_.])salt$|connection[-_.]?string|cookie|webhook[-_.]?url|(^|[-_.])dsn$|"
    r"^(authorization|x-api-key|dockerconfigjson)$",
    re.IGNORECASE,
)
_NOT_A_VALUE: Final = re.compile(
    # What names, places or counts a secret is none itself.
    r"(names?|namespace|refs?|path|file|dir|mount|seconds|ttl|expiry|expiration|type|kind|class|keys?[-_]?size|enabled|"
    r"length|policy|provider|version|count|limit|issuer|audience|(?<!webhook)(?<!webhook[-_.])(url|uri)|endpoint|host|"
    r"port|id)$",
    re.IGNORECASE,
)
_WHOLE_ANNOTATIONS: Final = re.compile(
    r"last-applied-configuration$|^kapp\.k14s\.io/original$|^objectset\.rio\.cattle\.io/|"
    r"^helm\.sh/.*values|^kopf\.zalando\.org/last-handled-configuration$|^banzaicloud\.com/last-applied$",
)
_SECRET_DATA: Final = ("data", "stringData", "encryptedData")
_URL: Final = re.compile(
    r"(?i)\b([a-z][a-z0-9+.-]{1,30}://[^\s:/@\"'<>]*):([^\s\"'<>@/]+|[^\s\"'<>]{1,200}?)@(?=[^\s/])"
)
_FORMS: Final = (
    re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL),
    # Of three parts, which is looked at first, once for a run of characters: any `eyJ` of it may begin the first one.
    re.compile(
        r"(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]++\.[A-Za-z0-9_-]{8,}+\.)"
        r"[A-Za-z0-9_-]*?\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    ),
    re.compile(r"\b(AKIA|ASIA)[A-Z0-9]{16}\b"),
    re.compile(
        r"\b(gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|sk[-_](live[-_]|test[-_]|ant-|proj-)?)[A-Za-z0-9_-]{16,}"
    ),
    re.compile(r"\b[rsp]k_(live|test)_[A-Za-z0-9]{8,}"),
    re.compile(r"\bAIza[A-Za-z0-9_-]{30,}"),
)
_BEARER: Final = re.compile(r"(?i)\b(bearer|basic)\s+(?=[^\s\"']*[\d=._+/-])[A-Za-z0-9+/=._~-]{8,}")
_ASSIGNED_NAME: Final = re.compile(r"(?P<name>[\"']?[A-Za-z_-][\w.-]{0,80}[\"']?)[ \t]*(?:=>|:=|=|:)[ \t]*")
_ASSIGNED_VALUE: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[^\s,;&\"'(){}\[\]]+")
_FLAG: Final = re.compile(r"^--?([A-Za-z][\w.-]*)$")
_DEEPEST: Final = 100


def is_secret_name(name: str) -> bool:
    """Whether what this names is a secret by its name alone, such as `DB_PASSWORD`, but not `secretName`."""
    return bool(_SECRET_WORD.search(name)) and not _NOT_A_VALUE.search(name)


def mask_text(text: str) -> str:
    """A text without what looks like a secret."""
    for form in _FORMS:
        text = form.sub(MASK, text)
    text = _URL.sub(rf"\1:{MASK}@", text)
    text = _BEARER.sub(rf"\1 {MASK}", text)
    return _without_assigned(text)


def _without_assigned(text: str) -> str:
    """A text without values whose name says that they are secret; names in the values of others are looked at, too."""
    pieces: list[str] = []
    at = place = 0
    while (found := _ASSIGNED_NAME.search(text, place)) is not None:
        place = found.end()
        value = _ASSIGNED_VALUE.match(text, place) if is_secret_name(found["name"].strip("\"'")) else None
        if value is not None and _is_hidden(value[0]):
            pieces += [text[at:place], MASK]
            at = place = value.end()
    return "".join([*pieces, text[at:]])


def _is_hidden(assigned: str) -> bool:
    """Whether a value is told by no one: it is no URL, not masked already, not empty, and no word that says nothing."""
    if assigned.startswith(("//", MASK[:-1])) or not assigned.strip("\"'"):
        return False
    return assigned.lower() not in ("true", "false", "null", "none", "|", ">", "<nil>", "<none>")


def without_secrets(value: Any) -> Any:
    """An object of the API without its secrets and its managedFields; the given one is left as it is."""
    return _Masker().read(value, "", 0)


def secrets_of(value: Any) -> set[str]:
    """The texts that `without_secrets` leaves out of an object, line by line, to mask them where kubectl prints it."""
    masker = _Masker()
    masker.read(value, "", 0)
    return {line.strip() for text in masker.found for line in text.splitlines() if len(line.strip()) > 3}


def mask_values(text: str, values: set[str]) -> str:
    """A text without these values, the longest first."""
    for value in sorted(values, key=len, reverse=True):
        text = text.replace(value, MASK)
    return text


class _Masker:
    def __init__(self) -> None:
        self.found: list[str] = []

    def read(self, value: Any, name: str, depth: int) -> Any:
        if depth > _DEEPEST:
            return LEFT_OUT
        if isinstance(value, Mapping):
            return self._mapping(value, name, depth)
        if isinstance(value, list):
            return self._list(value, name, depth)
        if isinstance(value, str):
            return self._hide(value) if is_secret_name(name) and value else self._text(value)
        return self._hide(str(value)) if is_secret_name(name) and _is_number(value) else value

    def _hide(self, value: str) -> str:
        self.found.append(value)
        return MASK

    def _text(self, text: str) -> str:
        if text.lstrip()[:1] in ("{", "[") and len(text) > 10:
            try:
                read = json.loads(text)
            except (ValueError, RecursionError):
                read = None
            if isinstance(read, dict | list):
                inner = self.read(read, "", 1)
                return text if inner == read else json.dumps(inner, ensure_ascii=False)
        told = mask_text(text)
        if told != text:
            self.found.append(text)
        return told

    def _mapping(self, value: Mapping[str, Any], name: str, depth: int) -> dict[str, Any]:
        told: dict[str, Any] = {}
        is_secret = isinstance(value.get("kind"), str) and value["kind"].endswith("Secret")
        is_named = isinstance(value.get("name"), str) and is_secret_name(value["name"])
        for key, part in value.items():
            if name == "metadata" and key == "managedFields":
                continue
            if name == "annotations" and _WHOLE_ANNOTATIONS.search(str(key)):
                told[key] = LEFT_OUT
            elif is_secret and key in _SECRET_DATA:
                told[key] = self._all(part)
            elif is_named and key in ("value", "defaultValue") and isinstance(part, str) and part:
                told[key] = self._hide(part)
            else:
                told[key] = self.read(part, str(key), depth + 1)
        return told

    def _all(self, part: Any) -> Any:
        if isinstance(part, Mapping):
            return {key: self._all(one) for key, one in part.items()}
        if isinstance(part, list):
            return [self._all(one) for one in part]
        return self._hide(str(part)) if part not in (None, "") else part

    def _list(self, value: Sequence[Any], name: str, depth: int) -> list[Any]:
        told: list[Any] = []
        before = ""
        for one in value:
            flag = _FLAG.match(before)
            is_value = isinstance(one, str) and not one.startswith("-")
            if is_value and flag and is_secret_name(flag[1]):
                told.append(self._hide(one))
            else:
                told.append(self.read(one, name, depth + 1))
            before = one if isinstance(one, str) else ""
        return told


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def walk_texts(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Every text in an object with the path to it, such as `spec.bootstrapServers`."""
    if isinstance(value, str):
        yield path, value
    elif depth <= _DEEPEST and isinstance(value, Mapping):
        for key, part in value.items():
            yield from walk_texts(part, f"{path}.{key}" if path else str(key), depth + 1)
    elif depth <= _DEEPEST and isinstance(value, list):
        for index, part in enumerate(value):
            yield from walk_texts(part, f"{path}[{index}]", depth + 1)
