"""What an issuer says of itself (OpenID Connect Discovery 1.0): fetched when it is needed, and again every hour."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.adapters.identity.issuer_http import IssuerHttp
from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock

_FRESH_S: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of one issuer."""

    shape: dict[str, Any]
    http: IssuerHttp

    def url_of(self, name: str) -> str:
        """One of its addresses.

        Raises:
            DraftsmithError: `identity_unavailable` where it has none, or one that it may not name.
        """
        url = self.url_or_none(name)
        if url is None:
            raise DraftsmithError("identity_unavailable", f"The metadata of the issuer name no usable {name}.")
        return url

    def url_or_none(self, name: str) -> str | None:
        """One of its addresses; None where it has none, or one that it may not name."""
        url = self.shape.get(name)
        return url if isinstance(url, str) and self.http.may_call(url) else None

    def says(self, name: str) -> bool:
        """Whether it says that it does something."""
        return self.shape.get(name) is True

    def list_of(self, name: str, default: str) -> list[Any]:
        """What it lists; `default` where it says nothing."""
        given = self.shape.get(name)
        return given if isinstance(given, list) else [default]


class IssuerMetadata:
    """The metadata of the issuer that the operator has named."""

    def __init__(self, issuer: str, http: IssuerHttp, clock: Clock) -> None:
        self.issuer, self.http, self._clock = issuer, http, clock
        self._metadata: Metadata | None = None
        self._fetched_at = float("-inf")
        self._lock = asyncio.Lock()

    async def now(self) -> Metadata:
        """As it was within the last hour; older while it cannot be asked.

        Raises:
            DraftsmithError: `identity_unavailable`.
        """
        if self._metadata is None or self._clock.monotonic() - self._fetched_at > _FRESH_S:
            async with self._lock:
                if self._metadata is None or self._clock.monotonic() - self._fetched_at > _FRESH_S:
                    await self._fetch()
        assert self._metadata is not None
        return self._metadata

    async def fetch_keys(self) -> dict[str, Any]:
        """The key set that it serves.

        Raises:
            DraftsmithError: `identity_unavailable`.
        """
        return await self.http.get((await self.now()).url_of("jwks_uri"))

    async def _fetch(self) -> None:
        try:
            shape = await self.http.get(f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
        except DraftsmithError:
            if self._metadata is None:
                raise
            return
        if shape.get("issuer") != self.issuer:  # another's metadata would have us trust another's keys
            raise DraftsmithError(
                "identity_unavailable",
                "The metadata at the configured issuer are of another one; the setting has to be exactly what the "
                "issuer calls itself, up to a slash at the end.",
            )
        self._metadata, self._fetched_at = Metadata(shape, self.http), self._clock.monotonic()
