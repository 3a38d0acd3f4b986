"""The keys with which tokens of an issuer are checked: at hand, or fetched and renewed as the issuer changes them."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

import orjson
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import ECKey, Key, KeySet, OctKey, OKPKey, RSAKey

from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock

_FRESH_S: Final = 600.0
"""How long fetched keys are used without asking whether they are still the issuer's."""
_STALE_S: Final = 3_600.0
"""How long they are used while the issuer cannot be asked: a key that it has withdrawn counts no longer than this."""
_RENEW_S: Final = 30.0
"""How often keys are fetched anew for tokens with unknown keys, since anybody can send such; and tried when away."""
_LEAST_SECRET: Final = 32
_ASYMMETRIC: Final[tuple[str, ...]] = (
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
)  # fmt: skip
_SYMMETRIC: Final[tuple[str, ...]] = ("HS256", "HS384", "HS512")


class IssuerKeys(Protocol):
    """Keys, and what may be signed with them.

    Attributes:
        algorithms: of these keys alone. A secret never serves for more than `HS*`, and a public key never for `HS*`:
            who knows a public key could sign with it otherwise.
    """

    algorithms: tuple[str, ...]

    async def now(self) -> KeySet | Key:
        """The keys; one alone serves whatever name a token has for it.

        Raises:
            DraftsmithError: `identity_unavailable`.
        """

    async def renew(self) -> KeySet | None:
        """The keys asked for anew, since a token names one that is not among them; None where that is too soon."""


class FixedKeys:
    """Keys that the operator has written into a file; see `read_keys`."""

    def __init__(self, keys: list[Key]) -> None:
        is_secret = isinstance(keys[0], OctKey)
        self.algorithms = _SYMMETRIC if is_secret else _ASYMMETRIC
        self._keys = keys[0] if len(keys) == 1 else KeySet(keys)

    async def now(self) -> KeySet | Key:
        """The keys."""
        return self._keys

    async def renew(self) -> KeySet | None:
        """None: there are no others."""
        return None


class FetchedKeys:
    """A JSON Web Key Set (RFC 7517) that an issuer serves. Secrets in it are left out: what is served is public."""

    algorithms: tuple[str, ...] = _ASYMMETRIC

    def __init__(self, fetch: Callable[[], Awaitable[dict[str, Any]]], clock: Clock) -> None:
        """`fetch` gets the key set; raises `identity_unavailable`."""
        self._fetch, self._clock = fetch, clock
        self._keys: KeySet | None = None
        self._fetched_at = self._tried_at = self._renewed_at = float("-inf")
        self._lock = asyncio.Lock()

    async def now(self) -> KeySet:
        """The keys, not older than an hour.

        Raises:
            DraftsmithError: `identity_unavailable`.
        """
        if self._keys is None or self._age() > _FRESH_S:
            async with self._lock:
                if self._keys is None or (self._age() > _FRESH_S and self._may_try()):
                    await self._try()
        if self._keys is None or self._age() > _STALE_S:
            raise DraftsmithError("identity_unavailable", "The keys of the issuer cannot be had now; try again later.")
        return self._keys

    async def renew(self) -> KeySet | None:
        """The keys as the issuer has them now; None where it was asked a moment ago."""
        async with self._lock:
            if self._clock.monotonic() - self._renewed_at < _RENEW_S:
                return None
            self._renewed_at = self._clock.monotonic()
            await self._try()
        return self._keys

    async def _try(self) -> None:
        self._tried_at = self._clock.monotonic()
        try:
            self._keys = KeySet(public_keys(await self._fetch()))
        except DraftsmithError:
            if self._keys is None:
                raise
        else:
            self._fetched_at = self._tried_at

    def _age(self) -> float:
        return self._clock.monotonic() - self._fetched_at

    def _may_try(self) -> bool:
        return self._clock.monotonic() - self._tried_at >= _RENEW_S


def public_keys(shape: dict[str, Any]) -> list[Key]:
    """The keys of a JSON Web Key Set that can check signatures; what cannot be read is left out.

    Raises:
        DraftsmithError: `identity_unavailable` where there are none.
    """
    given = shape.get("keys")
    found = [key for one in (given if isinstance(given, list) else []) if (key := _public(one)) is not None]
    if not found:
        raise DraftsmithError("identity_unavailable", "The issuer serves no keys that can be used.")
    return found


def _public(shape: Any) -> Key | None:
    types: dict[str, type[RSAKey | ECKey | OKPKey]] = {"RSA": RSAKey, "EC": ECKey, "OKP": OKPKey}
    if not isinstance(shape, dict) or shape.get("use", "sig") != "sig" or shape.get("kty") not in types:
        return None
    try:
        return types[shape["kty"]].import_key(shape)
    except (JoseError, ValueError, TypeError, KeyError):
        return None


def read_keys(text: str) -> FixedKeys:
    """Keys as an operator writes them down: a public key in PEM, a JSON Web Key or a set of them, or a shared secret.

    Raises:
        ValueError: for anything else, and for a secret that is too short.
    """
    text = text.strip()
    if text.startswith("-----BEGIN"):
        return FixedKeys([_from_pem(text)])
    if text.startswith("{"):
        return _from_json(text)
    if len(text.encode()) < _LEAST_SECRET:
        raise ValueError(f"a shared secret has at least {_LEAST_SECRET} bytes")
    return FixedKeys([OctKey.import_key(text)])


def _from_pem(text: str) -> Key:
    for kind in (RSAKey, ECKey, OKPKey):
        try:
            return kind.import_key(text)
        except (JoseError, ValueError, TypeError):
            continue
    raise ValueError("this is no public key of the kinds RSA, EC or Ed25519")


def _from_json(text: str) -> FixedKeys:
    try:
        shape = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise ValueError("this is no JSON Web Key") from None
    if shape.get("kty") == "oct":
        with warnings.catch_warnings(action="ignore", category=SecurityWarning):  # refused below
            secret = OctKey.import_key(shape)
        if len(secret.raw_value) < _LEAST_SECRET:
            raise ValueError(f"a shared secret has at least {_LEAST_SECRET} bytes")
        return FixedKeys([secret])
    try:
        return FixedKeys(public_keys(shape if "keys" in shape else {"keys": [shape]}))
    except DraftsmithError:
        raise ValueError("there is no public key in this JSON") from None
