"""HTTP to one source: its own hosts alone, no private address that was not allowed, bounded in bytes and redirects.

A host is resolved here and the address that was checked is the one that is connected to, so that a name cannot point
elsewhere in between. There is no proxy. Time is bounded by the caller.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import urljoin

import httpx2

from draftsmith.plugin import PluginError
from draftsmith.plugin.addresses import is_public, resolve_host
from draftsmith_versions.settings import Source

_PORTS: Final = {"https": 443, "http": 80}
_REDIRECTS: Final = {301, 302, 303, 307, 308}
_MOST_REDIRECTS: Final = 5
_MOST_ADDRESSES: Final = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """What a source answered; `url` is the one that answered, after redirects."""

    status: int
    headers: httpx2.Headers
    body: bytes
    url: str


class Fetcher:
    """Fetches from one source during one look-up.

    Attributes:
        source: what may be asked.
    """

    def __init__(self, source: Source, most_bytes: int) -> None:
        self.source = source
        self._bytes_left, self._most_bytes = most_bytes, most_bytes
        own = httpx2.URL(source.address)
        self._own = _place(own)
        self._hosts = {self._own, *(_with_port(host) for host in source.hosts)}

    async def get(self, url: str, *, accept: str = "*/*", authorization: str = "") -> Answer:
        """Fetch; redirects are followed to hosts of this source, and `authorization` stays with the host it is for.

        Raises:
            PluginError: `refused_host`, `private_address`, `source_away`, `too_large`, `unreadable` or `rate_limited`.
        """
        first = ""
        for _ in range(_MOST_REDIRECTS + 1):
            parsed = self._checked(url)
            first = first or _place(parsed)
            headers = {"Accept": accept, "Accept-Encoding": "identity", "User-Agent": "draftsmith-versions"}
            if authorization and _place(parsed) == first:
                headers["Authorization"] = authorization
            answer = await self._exchange(parsed, headers)
            if answer.status not in _REDIRECTS or "Location" not in answer.headers:
                return _usable(answer)
            url = joined(url, answer.headers["Location"])
        raise PluginError("unreadable", f"{first} redirects more than {_MOST_REDIRECTS} times.")

    def _checked(self, url: str) -> httpx2.URL:
        try:
            parsed = httpx2.URL(url)
        except httpx2.InvalidURL:
            raise PluginError("refused_host", f"'{url[:200]}' is no URL.") from None
        place = _place(parsed)
        if not any(_fits(place, host) for host in self._hosts) or parsed.userinfo:
            message = (
                f"'{place}' is none of the hosts of the source '{self.source.name}'. Whoever runs the plugin may add it"
                " to 'hosts' there."
            )
            raise PluginError("refused_host", message)
        if parsed.scheme not in _PORTS or (parsed.scheme == "http" and not self.source.private):
            raise PluginError("refused_host", f"'{place}' would be asked without TLS, which is for private sources.")
        return parsed

    async def _exchange(self, url: httpx2.URL, headers: dict[str, str]) -> Answer:
        addresses = await self._addresses(url)
        for number, address in enumerate(addresses):
            try:
                return await self._ask(url, address, headers)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                if number + 1 == len(addresses):
                    raise _away(url, error) from None
            except httpx2.HTTPError as error:
                raise _away(url, error) from None
        raise AssertionError("there is an address")

    async def _addresses(self, url: httpx2.URL) -> list[str]:
        port = url.port or _PORTS[url.scheme]
        try:
            addresses = await resolve_host(url.host, port)
        except (OSError, UnicodeError) as error:
            raise _away(url, error) from None
        if not self.source.private and not all(is_public(address) for address in addresses):
            message = (
                f"'{url.host}' has an address in a private network, and '{self.source.name}' is not set to be there."
            )
            raise PluginError("private_address", message)
        return addresses[:_MOST_ADDRESSES]

    async def _ask(self, url: httpx2.URL, address: str, headers: dict[str, str]) -> Answer:
        there = url.copy_with(host=address)
        named = {**headers, "Host": url.netloc.decode()}
        client = httpx2.AsyncClient(timeout=None, follow_redirects=False, trust_env=False, verify=_trusted())
        extensions = {"sni_hostname": url.host}
        async with client, client.stream("GET", there, headers=named, extensions=extensions) as response:
            if response.headers.get("Content-Encoding", "identity") != "identity":
                raise PluginError("unreadable", f"'{url.host}' sends compressed what was asked for as it is.")
            body = bytearray()
            async for piece in response.aiter_raw():
                body += piece
                self._bytes_left -= len(piece)
                if self._bytes_left < 0:
                    message = f"'{self.source.name}' sends more than {self._most_bytes:,} bytes for one look-up."
                    raise PluginError("too_large", message)
            return Answer(response.status_code, response.headers, bytes(body), str(url))


def joined(url: str, reference: str) -> str:
    """The URL that a `Location` or `Link` names.

    Raises:
        PluginError: it names none, `unreadable`.
    """
    try:
        return urljoin(url, reference)
    except ValueError:
        raise PluginError("unreadable", f"'{reference[:200]}', to which a source sends, is no URL.") from None


def _usable(answer: Answer) -> Answer:
    host = httpx2.URL(answer.url).host
    if answer.status == 429:
        after = answer.headers.get("Retry-After", "")
        message = f"'{host}' takes no more requests now" + (f"; again in {after[:40]} seconds." if after else ".")
        raise PluginError("rate_limited", message)
    if answer.status >= 500:
        raise PluginError("source_away", f"'{host}' answers with status {answer.status}.")
    return answer


def _away(url: httpx2.URL, error: Exception) -> PluginError:
    return PluginError("source_away", f"'{url.host}' cannot be reached ({type(error).__name__}).")


def _place(url: httpx2.URL) -> str:
    """Host and port, with the port of the scheme where none is named."""
    return f"{url.host}:{url.port or _PORTS.get(url.scheme, 0)}"


def _with_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return f"{name.strip('[]')}:{port}" if colon and port.isdigit() else f"{host.strip('[]')}:443"


def _fits(place: str, host: str) -> bool:
    return place.endswith(host[1:]) if host.startswith("*.") else place == host


@cache
def _trusted() -> ssl.SSLContext:
    """The system's authorities, or those of SSL_CERT_FILE; reading them takes long."""
    return ssl.create_default_context()
