"""Checking a JSON Web Token (RFC 7519) by the keys of its issuer, as RFC 8725 asks; what it says, as `Claims`."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import BadSignatureError, ExpiredTokenError, InvalidKeyIdError, JoseError, SecurityWarning
from joserfc.jwk import Key, KeySet
from joserfc.jws import JWSRegistry
from joserfc.jwt import ClaimsOption, JWTClaimsRegistry

from draftsmith.adapters.identity.issuer_keys import IssuerKeys
from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock
from draftsmith.ports.identity import Claims

_MAX_TOKEN: Final = 16_000
_MAX_HEADER: Final = 4_096
_MAX_GROUPS, _MAX_TEXT = 1_000, 200
_ACCESS_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt", "application/jwt"})
"""A logout token or a security event is signed by the same issuer for the same audience and lets nobody in."""


class TokenRefused(Exception):
    """A token that is worth nothing, and why, without anything of the token."""

    def __init__(self, why: str, *, is_expired: bool = False) -> None:
        super().__init__(why)
        self.why, self.is_expired = why, is_expired


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRules:
    """How claims are read.

    Attributes:
        groups_claim: the claim that lists the groups of a person.
        skew_s: by how many seconds the clocks may differ.
    """

    groups_claim: str
    skew_s: int


@dataclass(frozen=True, slots=True)
class TokenRules:
    """What a token has to say.

    Attributes:
        issuer, audience: `iss`, and one of `aud`.
        skew_s: by how many seconds the clocks may differ.
        needs: further claims that have to be there.
    """

    issuer: str
    audience: str
    skew_s: int
    needs: tuple[str, ...] = ("sub", "exp")


async def read_claims(token: str, keys: IssuerKeys, rules: TokenRules, clock: Clock) -> tuple[dict[str, Any], str]:
    """The claims of a token, and its `typ` in lower case, after everything was checked.

    Raises:
        TokenRefused: with what does not fit.
        DraftsmithError: `identity_unavailable` where the keys cannot be had.
    """
    if len(token) > _MAX_TOKEN:
        raise TokenRefused("the token is too long")
    try:
        decoded = await _decode(token, keys)
    except BadSignatureError:
        raise TokenRefused("its signature is not of the issuer") from None
    except InvalidKeyIdError:
        raise TokenRefused("it is signed with a key that the issuer does not have") from None
    except (JoseError, ValueError, TypeError, RecursionError) as problem:
        raise TokenRefused(f"it cannot be read or its algorithm is not allowed ({type(problem).__name__})") from None
    _check_claims(decoded.claims, rules, clock)
    return decoded.claims, str(decoded.header.get("typ", "jwt")).lower()


async def _decode(token: str, keys: IssuerKeys) -> jwt.Token:
    registry = JWSRegistry(algorithms=keys.algorithms, strict_check_header=False)
    registry.max_header_length = _MAX_HEADER

    def decode(key_set: KeySet | Key) -> jwt.Token:
        # Its warning that EdDSA has a newer name helps nobody who runs this server: issuers use either.
        with warnings.catch_warnings(action="ignore", category=SecurityWarning):
            return jwt.decode(token, key_set, algorithms=list(keys.algorithms), registry=registry)

    try:
        return decode(await keys.now())
    except InvalidKeyIdError:
        renewed = await keys.renew()
        if renewed is None:
            raise
        return decode(renewed)


def _check_claims(claims: dict[str, Any], rules: TokenRules, clock: Clock) -> None:
    options: dict[str, ClaimsOption] = {name: {"essential": True} for name in rules.needs}
    options["iss"] = {"essential": True, "value": rules.issuer}
    options["aud"] = {"essential": True, "value": rules.audience}
    registry = JWTClaimsRegistry(clock.now_ms() // 1000, rules.skew_s, **options)
    try:
        registry.validate(claims)
    except ExpiredTokenError:
        raise TokenRefused("it has expired", is_expired=True) from None
    except JoseError as problem:
        raise TokenRefused(f"a claim is missing or does not fit ({problem.description or problem.error})") from None


class TokenOfIssuer:
    """Tokens that programs send, of one issuer for one audience; implements `ports.identity.TokenVerifier`."""

    def __init__(self, keys: IssuerKeys, rules: TokenRules, clock: Clock, groups_claim: str) -> None:
        self._keys, self._rules, self._clock, self._groups_claim = keys, rules, clock, groups_claim

    async def verify(self, token: str) -> Claims:
        """What a token says; see the port."""
        try:
            claims, type_ = await read_claims(token, self._keys, self._rules, self._clock)
            if type_ not in _ACCESS_TYPES:
                raise TokenRefused("it is not a token for access")
        except TokenRefused as refused:
            code = "credential_expired" if refused.is_expired else "credential_invalid"
            raise DraftsmithError(code, f"This token is not accepted: {refused.why}.") from None
        said = claims_of(claims, self._groups_claim)
        issued = claims.get("iat")
        return replace(
            said,
            until_ms=int((claims["exp"] + self._rules.skew_s) * 1000),
            issued_ms=int(issued * 1000) if isinstance(issued, int | float) else None,
        )


def claims_of(claims: dict[str, Any], groups_claim: str) -> Claims:
    """What an issuer says about a person, of claims that were checked."""
    verified = claims.get("email_verified") is not False
    return Claims(
        subject=f"{claims['iss']}|{claims['sub']}",
        name=next(filter(None, (_text(claims.get(name)) for name in ("name", "preferred_username", "nickname"))), ""),
        email=_text(claims.get("email")) if verified else "",
        groups=_groups(claims.get(groups_claim)),
        issuer_session=_text(claims.get("sid")),
    )


def _text(value: Any) -> str:
    """A text that can be shown; empty for anything else."""
    text = " ".join(value.split())[:_MAX_TEXT] if isinstance(value, str) else ""
    return text if text.isprintable() else ""


def _groups(value: Any) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(sorted({text for one in listed[:_MAX_GROUPS] if (text := _text(one))}))
