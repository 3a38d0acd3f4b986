"""HTTP that connects only to IP addresses that were judged, for servers whose address somebody has entered.

A name is looked up for each request, every address that it stands for is judged, and what was judged is what is
connected to, so that a name cannot be made to point elsewhere in between. There is no proxy. Redirects are the client's
matter: it must not follow them.
"""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable
from typing import Final

import httpx2

from draftsmith.addresses import resolve_host

_PORTS: Final = {"https": 443, "http": 80}
_MOST_ADDRESSES: Final = 3


class AddressRefused(httpx2.ConnectError):
    """A host stands for an address that may not be connected to; nothing was sent."""


class JudgedTransport(httpx2.AsyncHTTPTransport):
    """A transport that asks of each address whether it may be connected to."""

    def __init__(
        self,
        may_connect: Callable[[str], bool],
        *,
        is_plain: bool = False,
        resolve: Callable[[str, int], Awaitable[list[str]]] = resolve_host,
    ) -> None:
        """Open nothing yet.

        Args:
            may_connect: judges an IP address.
            is_plain: nothing is asked over TLS, so that no authorities are read, which takes long.
            resolve: gives the IP addresses of a host and a port.
        """
        trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain else ssl.create_default_context()
        super().__init__(verify=trusted, trust_env=False)
        self._may_connect, self._resolve = may_connect, resolve

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request to the first address of its host that can be connected to."""
        url = request.url
        addresses = await self._judged_addresses(url)
        request.extensions = {**request.extensions, "sni_hostname": url.host}  # whose certificate is checked
        for number, address in enumerate(addresses):
            request.url = url.copy_with(host=address)
            try:
                return await super().handle_async_request(request)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                if number + 1 == len(addresses):
                    raise
            finally:
                request.url = url
        raise AssertionError("there is an address")

    async def _judged_addresses(self, url: httpx2.URL) -> list[str]:
        try:
            found = await self._resolve(url.host, url.port or _PORTS[url.scheme])
        except (OSError, UnicodeError) as problem:
            raise httpx2.ConnectError(f"{url.host} is not found") from problem
        for address in found:
            if not self._may_connect(address):
                raise AddressRefused(f"{url.host} stands for {address}, where nothing is sent")
        return found[:_MOST_ADDRESSES]
