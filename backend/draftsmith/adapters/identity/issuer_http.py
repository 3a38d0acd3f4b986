"""Calls to an issuer: bounded in time and size, never redirected, only to addresses that an issuer may name."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
import orjson
import structlog

from draftsmith.addresses import literal_or_none, reach, resolve_host
from draftsmith.errors import DraftsmithError

_SECONDS: Final = 10.0
_MAX_BYTES: Final = 512 * 1024
_MOST_ADDRESSES: Final = 3
_log = structlog.get_logger("draftsmith.access")


class IssuerHttp:
    """HTTP to one issuer.

    An issuer names further addresses in its metadata, and this server then calls them. So that nobody who speaks for an
    issuer reaches into the network behind this server, those addresses have to be HTTPS with a valid certificate, and
    lead into the public network, or into a private one where the issuer itself is in one; never to this machine, unless
    they have the issuer's own host. What counts is the address that a name is resolved to, and that is the one that is
    connected to. Where the environment names a proxy, that resolves names, and what it reaches is its matter.
    """

    def __init__(self, origin: str) -> None:
        """`origin` is an address of the issuer that the operator has named."""
        parts = urlsplit(origin)
        self._host, self._is_plain = parts.hostname or "", parts.scheme == "http"
        self._port = parts.port or (80 if self._is_plain else 443)

    def may_call(self, url: str) -> bool:
        """Whether an address that the issuer names is one that it may name, as far as that can be said of its text."""
        try:
            parts = urlsplit(url)
            _ = parts.port
        except ValueError:
            return False
        host = (parts.hostname or "").rstrip(".")
        if not host or parts.username is not None or parts.password is not None or parts.fragment:
            return False
        if parts.hostname == self._host:
            return parts.scheme == "https" or (self._is_plain and parts.scheme == "http")
        address = literal_or_none(host)
        is_here = host == "localhost" or host.endswith(".localhost")
        return parts.scheme == "https" and not is_here and (address is None or reach(address) == "public")

    async def get(self, url: str, bearer: str | None = None) -> dict[str, Any]:
        """The JSON object at an address.

        Raises:
            DraftsmithError: `identity_unavailable`.
        """
        status, body = await self._send(
            "GET", url, headers={} if bearer is None else {"Authorization": f"Bearer {bearer}"}
        )
        if status != 200 or body is None:
            raise _unavailable(f"it answered {status} in place of what was asked for")
        return body

    async def post(
        self, url: str, form: dict[str, str], auth: tuple[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Send a form; the status and the JSON object of the answer.

        Raises:
            DraftsmithError: `identity_unavailable`.
        """
        status, body = await self._send("POST", url, data=form, auth=auth)
        if status >= 500 or status == 429 or body is None:
            raise _unavailable(f"it answered {status}")
        return status, body

    @cached_property
    def _authorities(self) -> ssl.SSLContext:
        """The system's authorities, or those of SSL_CERT_FILE; reading them takes long."""
        return ssl.create_default_context()

    async def _send(self, method: str, url: str, **request: Any) -> tuple[int, dict[str, Any] | None]:
        if not self.may_call(url):
            raise _unreachable()
        request.setdefault("headers", {})["Accept"] = "application/json"
        try:
            async with self._answer(method, httpx2.URL(url), request) as response:
                text = bytearray()
                async for piece in response.aiter_bytes():
                    text += piece
                    if len(text) > _MAX_BYTES:
                        raise _unavailable("its answer is too long")
                status = response.status_code
        except (httpx2.HTTPError, httpx2.InvalidURL) as problem:
            raise _unavailable(type(problem).__name__) from problem
        try:
            body = orjson.loads(text)
        except orjson.JSONDecodeError:
            body = None
        return status, body if isinstance(body, dict) else None

    @asynccontextmanager
    async def _answer(self, method: str, url: httpx2.URL, request: dict[str, Any]) -> AsyncIterator[httpx2.Response]:
        """Ask at the first address of a host that can be connected to."""
        proxy, auth = _proxy_of(url), request.pop("auth", None)
        hosts = [url.host] if proxy is not None or url.host == self._host else await self._addresses(url)
        request["headers"]["Host"] = url.netloc.decode()
        request["extensions"] = {"sni_hostname": url.host}  # whose certificate is checked
        options: dict[str, Any] = {"timeout": _SECONDS, "follow_redirects": False, "trust_env": False}
        async with httpx2.AsyncClient(verify=self._authorities, proxy=proxy, **options) as client:
            for number, host in enumerate(hosts):
                sent = client.build_request(method, url.copy_with(host=host), **request)
                try:
                    response = await client.send(sent, auth=auth, stream=True)
                except (httpx2.ConnectError, httpx2.ConnectTimeout):
                    if number + 1 == len(hosts):
                        raise
                    continue
                try:
                    yield response
                finally:
                    await response.aclose()
                return

    async def _addresses(self, url: httpx2.URL) -> list[str]:
        """What a host stands for now; refused where it leads elsewhere than an issuer may send us."""
        if url.scheme != "https":  # where this parser of addresses reads another host than that of `may_call`
            raise _unreachable()
        found = await _looked_up(url.host, url.port or 443)
        reaches = {reach(address) for address in found}
        if "network" in reaches and "here" not in reaches:
            own = {reach(address) for address in await _looked_up(self._host, self._port)}
            reaches -= own - {"here"}
        if not reaches <= {"public"}:
            raise _unreachable()
        return found[:_MOST_ADDRESSES]


async def _looked_up(host: str, port: int) -> list[str]:
    try:
        async with asyncio.timeout(_SECONDS):
            return await resolve_host(host, port)
    except (OSError, UnicodeError, TimeoutError) as problem:
        raise _unavailable(f"its address is not found, {type(problem).__name__}") from problem


def _proxy_of(url: httpx2.URL) -> str | None:
    """The proxy that the environment names for an address."""
    proxies = getproxies()
    found = proxies.get(url.scheme) or proxies.get("all")
    if not found or proxy_bypass(url.host):
        return None
    return found if "://" in found else f"http://{found}"


def _unreachable() -> DraftsmithError:
    return _unavailable("its metadata name an address that is not HTTPS or is inside of a network")


def _unavailable(why: str) -> DraftsmithError:
    _log.warning("issuer_unavailable", reason=why)
    return DraftsmithError("identity_unavailable", f"The issuer cannot be asked now ({why}); try again later.")
