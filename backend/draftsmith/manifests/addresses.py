"""Hosts that texts name: in URLs, as `host:port`, as names of Services, and alone where their key is that of a host.

Nothing is guessed here: a word that only looks like a name is no address. What an address stands for is in `services`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from draftsmith.manifests.masking import is_secret_name

_HOST: Final = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?"
_URL: Final = re.compile(
    rf"\b(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{{1,20}})://(?:[^\s/@\"'<>]*@)?(?P<host>{_HOST})(?::(?P<port>\d{{1,5}}))?(?![\w:@-])"
)
_PAIR: Final = re.compile(rf"(?<![\w.$%/:-])(?P<host>{_HOST}):(?P<port>\d{{2,5}})(?![\w.:@-])")
_SERVICE: Final = re.compile(r"(?<![\w.$%/:-])(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)+\.svc(?:\.[a-z0-9-]+)*)(?![\w-]|:\d)")
_ALONE: Final = re.compile(_HOST)
_HOST_KEY: Final = re.compile(
    r"(?:^|[_.\- ])(?:(?:pg)?hosts?|hostnames?|addr|addrs|address|addresses|servers?|urls?|uris?|endpoints?|brokers?|"
    r"upstreams?|peers?|service|svc|proxy)$"
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_COMMENT: Final = re.compile(r"^\s*(#|//|;|<!--|\*|--\s)")
_ENTRY: Final = re.compile(r"^\s*(?:-\s*)?[\"']?(?P<key>[A-Za-z][\w.-]{0,80})[\"']?\s*[:=]\s*(?P<value>\S.*)$")
_HERE: Final = re.compile(r"localhost|127\.|0\.0\.0\.0|.*\.localhost$")
_OF_FORMATS: Final = frozenset(
    {"www.w3.org", "json-schema.org", "schemas.xmlsoap.org", "java.sun.com", "xmlns.jcp.org", "maven.apache.org",
     "www.springframework.org", "logging.apache.org"}
)  # fmt: skip
"""Hosts in the names of formats, which nobody connects to."""
_VARIABLE: Final = re.compile(r"\$\(([A-Za-z_][\w.-]*)\)")
_MOST_EXPANDED: Final = 5
_MOST_CHARACTERS: Final = 20_000
"""Of a value that is written out; a longer one stays as it is, so that no text grows beyond it."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host that a text names.

    Attributes:
        port: None where none stands there.
        scheme: of the URL, in lower case; empty where it is none.
        is_whole: whether the text says that this is an address, by a URL or by being nothing else.
    """

    host: str
    port: int | None = None
    scheme: str = ""
    is_whole: bool = True

    @property
    def text(self) -> str:
        """As it stands in evidence; never with what stands before an `@`."""
        return self.host if self.port is None else f"{self.host}:{self.port}"


def addresses_in(text: str, key: str = "") -> list[Address]:
    """The hosts that a value names, each once.

    Args:
        key: the name of the value, such as `DB_HOST`; where it is that of a host, a name alone is one.
    """
    if "://" not in text and is_secret_name(key):
        return []
    found: dict[tuple[str, int | None], Address] = {}
    for one in _all(text.strip(), key):
        if not _HERE.match(one.host) and one.host not in _OF_FORMATS:
            found.setdefault((one.host, one.port), one)
    return list(found.values())


def addresses_in_file(text: str) -> Iterator[Address]:
    """The hosts that a file of settings names, comments left out."""
    for line in text.splitlines():
        if _COMMENT.match(line) or len(line) > 2000:
            continue
        entry = _ENTRY.match(line)
        key, value = (entry["key"], entry["value"]) if entry else ("", line)
        yield from addresses_in(value.strip().strip("\"',;"), key)


def addresses_in_arguments(arguments: Sequence[str]) -> Iterator[tuple[str, Address]]:
    """The hosts that arguments name, each with its flag; `--flag value` is read as `--flag=value`."""
    flag = ""
    for argument in arguments:
        if argument.startswith("-"):
            flag, sign, value = argument.partition("=")
            if not sign:
                continue
        else:
            value = argument
        for one in addresses_in(value, flag.lstrip("-")):
            yield flag, one
        flag = ""


def expand(value: str, values: Mapping[str, str]) -> str:
    """A value with `$(NAME)` written out, as the kubelet does it for variables that are known."""
    for _ in range(_MOST_EXPANDED):
        names = [found[1] for found in _VARIABLE.finditer(value[:_MOST_CHARACTERS])]
        if not names or len(value) + sum(len(values.get(name, "")) for name in names) > _MOST_CHARACTERS:
            break
        value = _VARIABLE.sub(lambda found: values.get(found[1], found[0]), value)
    return value


def is_host_key(key: str) -> bool:
    """Whether a value of this name is a host or a URL, such as `DB_HOST`, `bootstrapServers`."""
    return bool(_HOST_KEY.search(_CAMEL.sub("_", key).lower()))


def _all(text: str, key: str) -> Iterator[Address]:
    for found in _URL.finditer(text):
        port = _port(found["port"])
        yield Address(found["host"].lower(), port, found["scheme"].lower())
    rest = _URL.sub(" ", text)
    parts = [part for part in re.split(r"[,;\s]+", rest.strip("[]\"'")) if part]
    is_list = bool(parts) and all(_PAIR.fullmatch(part) for part in parts)
    for found in _PAIR.finditer(rest):
        port = _port(found["port"])
        if port is not None and not found["host"].isdigit():
            yield Address(found["host"].lower(), port, "", is_list or is_host_key(key))
    for found in _SERVICE.finditer(rest):
        yield Address(found["host"].lower())
    if is_host_key(key) and all(_ALONE.fullmatch(part) for part in parts):
        for part in parts:
            if not part.isdigit():
                yield Address(part.lower())


def _port(text: str | None) -> int | None:
    return int(text) if text and 0 < int(text) < 65_536 else None
