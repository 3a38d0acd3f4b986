"""Building what speaks with issuers, from what the operator has set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from draftsmith.adapters.identity.issuer_http import IssuerHttp
from draftsmith.adapters.identity.issuer_keys import FetchedKeys, FixedKeys, IssuerKeys, read_keys
from draftsmith.adapters.identity.issuer_metadata import IssuerMetadata
from draftsmith.adapters.identity.open_id import OpenIdClient, OpenIdConnect
from draftsmith.adapters.identity.tokens import ClaimRules, TokenOfIssuer, TokenRules
from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock


@dataclass(frozen=True, kw_only=True)
class TokenOptions:
    """Which tokens programs may send.

    Attributes:
        issuer, audience: what `iss` and `aud` have to be.
        keys_file: a file with the keys (`issuer_keys.read_keys`).
        keys_url: where the issuer serves its keys; without both, its metadata say where.
    """

    issuer: str
    audience: str
    keys_file: Path | None = None
    keys_url: str | None = None


@dataclass(frozen=True, kw_only=True)
class IssuerClients:
    """What speaks with issuers; each None where it is not configured."""

    verifier: TokenOfIssuer | None = None
    sign_in: OpenIdConnect | None = None


def identity_of(
    clock: Clock,
    *,
    issuer: str | None,
    client: OpenIdClient | None,
    tokens: TokenOptions | None,
    claims: ClaimRules,
) -> IssuerClients:
    """Build it; nothing is fetched before it is needed, so that an issuer that is away does not stop the start.

    Raises:
        DraftsmithError: `identity_misconfigured` for a file of keys that is none.
    """

    @cache  # mostly sign-in and tokens are of the same issuer
    def metadata_of(url: str) -> IssuerMetadata:
        return IssuerMetadata(url, IssuerHttp(url), clock)

    def keys_of(options: TokenOptions) -> IssuerKeys:
        if options.keys_file is not None:
            return keys_in(options.keys_file)
        if options.keys_url is not None:
            http, url = IssuerHttp(options.keys_url), options.keys_url
            return FetchedKeys(lambda: http.get(url), clock)
        return FetchedKeys(metadata_of(options.issuer).fetch_keys, clock)

    sign_in = OpenIdConnect(metadata_of(issuer), client, claims, clock) if issuer and client else None
    verifier = None
    if tokens is not None:
        rules = TokenRules(tokens.issuer, tokens.audience, claims.skew_s)
        verifier = TokenOfIssuer(keys_of(tokens), rules, clock, claims.groups_claim)
    return IssuerClients(verifier=verifier, sign_in=sign_in)


def keys_in(file: Path) -> FixedKeys:
    """The keys in a file.

    Raises:
        DraftsmithError: `identity_misconfigured`.
    """
    try:
        return read_keys(file.read_text("utf-8"))
    except (OSError, ValueError) as problem:
        why = str(problem) if isinstance(problem, ValueError) else type(problem).__name__
        raise DraftsmithError("identity_misconfigured", f"JWT_KEY_FILE cannot be used: {why}.") from None
