"""The address of a server of models as an administrator enters it, and which hosts may be entered. Pure.

Not here: to which IP addresses a host may lead (`addresses.may_serve`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from draftsmith.errors import DraftsmithError

_PORTS: Final = {"http": 80, "https": 443}
_USUAL_PATH: Final = "/v1"
"""Where all of these servers have their API, and where it is meant if somebody enters a host alone."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """An address that was read.

    Attributes:
        url: in one form: scheme, host in lower case, port if it is not the scheme's own, path.
        host: as it stands in the address, without brackets.
        port: also where the address does not say it.
    """

    url: str
    host: str
    port: int


def read_address(text: str) -> ServerAddress:
    """Read what somebody entered: `localhost:11434` means `http://localhost:11434/v1`.

    Raises:
        DraftsmithError: `server_address_refused`.
    """
    text = text.strip()
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        raise _refusal("it cannot be read") from None
    if parts.scheme not in _PORTS:
        raise _refusal("it has to begin with http:// or https://")
    if not host or not host.isascii() or not host.isprintable() or " " in host or "%" in host:
        raise _refusal("it names no host")
    if parts.username is not None or parts.password is not None:
        raise _refusal("a name or a password does not belong there; a key has a field of its own")
    if parts.query or parts.fragment:
        raise _refusal("it ends with its path, without ? and #")
    usual = _PORTS[parts.scheme]
    shown = f"[{host}]" if ":" in host else host
    place = shown if port in (None, usual) else f"{shown}:{port}"
    path = parts.path.rstrip("/") or _USUAL_PATH
    return ServerAddress(f"{parts.scheme}://{place}{path}", host, port or usual)


def is_listed(address: ServerAddress, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns is for the address: `host`, `host:port`, or `*.domain` for all below a domain."""
    return any(_fits(address, one) for one in patterns)


def _fits(address: ServerAddress, pattern: str) -> bool:
    parts = urlsplit(f"//{pattern}")
    host = parts.hostname or ""
    if parts.port not in (None, address.port):
        return False
    return address.host.endswith(host[1:]) if host.startswith("*.") else address.host == host


def _refusal(why: str) -> DraftsmithError:
    return DraftsmithError("server_address_refused", f"No server of models can be asked at this address: {why}.")
