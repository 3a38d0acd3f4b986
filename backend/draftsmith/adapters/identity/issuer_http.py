"""Calls to an issuer: bounded in time and size, never redirected, only to addresses that an issuer may name."""

from __future__ import annotations

import ipaddress
import ssl
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2
import orjson
import structlog

from draftsmith.errors import DraftsmithError

_SECONDS: Final = 10.0
_MAX_BYTES: Final = 512 * 1024
_log = structlog.get_logger("draftsmith.access")


class IssuerHttp:
    """An HTTP client for one issuer.

    An issuer names further addresses in its metadata, and this server then calls them. So that nobody who speaks for an
    issuer reaches into the network behind this server, those addresses have to be HTTPS with a valid certificate, and
    are no literal address of a private network and not this machine, unless the issuer itself is there.
    """

    def __init__(self, origin: str) -> None:
        """`origin` is an address of the issuer that the operator has named."""
        parts = urlsplit(origin)
        self._host, self._is_plain = parts.hostname or "", parts.scheme == "http"
        self._client: httpx2.AsyncClient | None = None

    def may_call(self, url: str) -> bool:
        """Whether an address that the issuer names is one that it may name."""
        try:
            parts = urlsplit(url)
            _ = parts.port
        except ValueError:
            return False
        host = parts.hostname or ""
        if not host or parts.username is not None or parts.password is not None or parts.fragment:
            return False
        if host == self._host:
            return parts.scheme == "https" or (self._is_plain and parts.scheme == "http")
        return parts.scheme == "https" and not _is_inside(host)

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

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()

    async def _send(self, method: str, url: str, **request: Any) -> tuple[int, dict[str, Any] | None]:
        if not self.may_call(url):
            raise _unavailable("its metadata name an address that is not HTTPS or is inside of a network")
        if self._client is None:
            trusted = ssl.create_default_context()  # the system's authorities, or those of SSL_CERT_FILE
            self._client = httpx2.AsyncClient(timeout=_SECONDS, follow_redirects=False, verify=trusted)
        request.setdefault("headers", {})["Accept"] = "application/json"
        try:
            async with self._client.stream(method, url, **request) as response:
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


def _is_inside(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return False


def _unavailable(why: str) -> DraftsmithError:
    _log.warning("issuer_unavailable", reason=why)
    return DraftsmithError("identity_unavailable", f"The issuer cannot be asked now ({why}); try again later.")
