"""What issuers say about people, in tokens of programs and at sign-ins; implemented by `adapters.identity`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Claims:
    """What an issuer says about a person, after everything was checked.

    Attributes:
        subject: `iss|sub`.
        name: as they are called; empty for unknown.
        email: empty for unknown or not verified.
        groups: as the configured claim lists them.
        issuer_session: `sid`; empty for none.
        until_ms: when the token ends, milliseconds since 1970; None at a sign-in.
        issued_ms: when the token was issued; None where it does not say, and at a sign-in.
    """

    subject: str
    name: str
    email: str = ""
    groups: tuple[str, ...] = ()
    issuer_session: str = ""
    until_ms: int | None = None
    issued_ms: int | None = None


class TokenVerifier(Protocol):
    """Checks tokens that programs send as `Authorization: Bearer`."""

    async def verify(self, token: str) -> Claims:
        """What it says.

        Raises:
            DraftsmithError: `credential_invalid`, `credential_expired`; `identity_unavailable` where the issuer's keys
                cannot be had now.
        """


@dataclass(frozen=True, slots=True)
class SignInBegun:
    """A sign-in under way.

    Attributes:
        url: where the browser goes.
        state: what comes back with it; the key under which `kept` is kept, in this browser's cookie too.
        kept: what `finish` needs, as text; a secret.
    """

    url: str
    state: str
    kept: str


@dataclass(frozen=True, slots=True)
class SignOutNotice:
    """What an issuer sends when somebody signs out there.

    Attributes:
        id: its own, by which one that is sent again is known.
        subject: `iss|sub`.
        issuer_session: `sid`; empty for all of them.
        at_ms: when it was issued.
        until_ms: when it is taken no longer.
    """

    id: str
    subject: str
    issuer_session: str
    at_ms: int
    until_ms: int


class SignIn(Protocol):
    """Sign-in with an issuer, in a browser (OpenID Connect, code flow with PKCE)."""

    name: str

    async def begin(self, redirect_uri: str) -> SignInBegun:
        """Begin one.

        Raises:
            DraftsmithError: `identity_unavailable`.
        """

    async def finish(self, redirect_uri: str, query: str, kept: str) -> Claims:
        """Who came back; `query` is that of the redirect, `kept` what `begin` gave.

        Raises:
            DraftsmithError: `sign_in_failed` for anything that does not fit; `identity_unavailable`.
        """

    async def sign_out_notice(self, token: str) -> SignOutNotice:
        """Read what the issuer sends when somebody signs out there.

        Raises:
            DraftsmithError: `sign_in_failed`; `identity_unavailable`.
        """

    async def sign_out_url(self, return_url: str) -> str | None:
        """Where a browser ends its session at the issuer; None where the issuer has none."""
