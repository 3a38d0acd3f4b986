"""Sign-in with an issuer by OpenID Connect: the code flow with PKCE; implements `ports.identity.SignIn`.

Sources: OpenID Connect Core 1.0, Discovery 1.0, RP-Initiated Logout 1.0 and Back-Channel Logout 1.0; RFC 7636 (PKCE);
RFC 9207 (which issuer answered); RFC 9700 (current practice). Signatures are joserfc's, connections httpx2's.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, quote_plus, urlencode

import orjson

from draftsmith.adapters.identity.issuer_keys import FetchedKeys
from draftsmith.adapters.identity.issuer_metadata import IssuerMetadata
from draftsmith.adapters.identity.tokens import ClaimRules, TokenRefused, TokenRules, claims_of, read_claims
from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock
from draftsmith.ports.identity import Claims, SignInBegun, SignOutNotice

_NOTICE_S: Final = 120
"""How old a notice of a sign-out may be: an old one, sent again, would end sessions that began after it."""
_LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
_ERROR_CODE: Final = re.compile(r"[a-z_]{1,64}\Z")


@dataclass(frozen=True, slots=True)
class OpenIdClient:
    """What the issuer knows this server as.

    Attributes:
        secret: empty for a public client.
        name: of the issuer, on the button that signs in.
        scopes: what it is asked for.
    """

    id: str
    secret: str
    name: str
    scopes: str


class OpenIdConnect:
    """Sign-in with one issuer."""

    def __init__(self, metadata: IssuerMetadata, client: OpenIdClient, claims: ClaimRules, clock: Clock) -> None:
        self._metadata, self._client, self._claims, self._clock = metadata, client, claims, clock
        self._keys = FetchedKeys(metadata.fetch_keys, clock)
        self.name = client.name

    async def begin(self, redirect_uri: str) -> SignInBegun:
        """Begin one; see the port."""
        metadata = await self._metadata.now()
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        digest = hashlib.sha256(verifier.encode()).digest()
        query = urlencode(
            {
                "response_type": "code",
                "client_id": self._client.id,
                "redirect_uri": redirect_uri,
                "scope": self._client.scopes,
                "state": state,
                "nonce": nonce,
                "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
                "code_challenge_method": "S256",
            }
        )
        where = metadata.url_of("authorization_endpoint")
        url = f"{where}{'&' if '?' in where else '?'}{query}"
        return SignInBegun(url, state, orjson.dumps({"nonce": nonce, "verifier": verifier}).decode())

    async def finish(self, redirect_uri: str, query: str, kept: str) -> Claims:
        """Who came back; see the port."""
        kept_shape: dict[str, str] = orjson.loads(kept)
        answer = dict(parse_qsl(query, max_num_fields=20))
        metadata = await self._metadata.now()
        self._check_sender(answer, metadata.says("authorization_response_iss_parameter_supported"))
        if "error" in answer:
            raise _sign_in_error(f"the issuer refused it{_code(answer['error'])}")
        if not answer.get("code"):
            raise _sign_in_error("the issuer's answer holds no code")
        token = await self._redeem(answer["code"], redirect_uri, kept_shape["verifier"])
        claims = await self._identity(token, kept_shape["nonce"])
        about = await self._about(token, claims["sub"])
        return claims_of({**about, **claims}, self._claims.groups_claim)

    async def sign_out_notice(self, token: str) -> SignOutNotice:
        """Whose sessions end; see the port."""
        try:
            claims, type_ = await read_claims(token, self._keys, self._rules("iat", "jti"), self._clock)
        except TokenRefused as refused:
            raise _sign_in_error(refused.why) from None
        events = claims.get("events")
        is_notice = isinstance(events, dict) and isinstance(events.get(_LOGOUT_EVENT), dict) and "nonce" not in claims
        if not is_notice or type_ not in ("jwt", "logout+jwt"):
            raise _sign_in_error("it is no notice of a sign-out")
        until_s = claims["iat"] + _NOTICE_S + self._claims.skew_s
        if self._clock.now_ms() > until_s * 1000:
            raise _sign_in_error("the notice is old")
        if not isinstance(claims["jti"], str):
            raise _sign_in_error("the notice has no name of its own")
        if not isinstance(claims.get("sub"), str):
            raise _sign_in_error("the notice names nobody; have the issuer send `sub`")
        session = claims.get("sid")
        return SignOutNotice(
            claims["jti"],
            f"{claims['iss']}|{claims['sub']}",
            session if isinstance(session, str) else "",
            at_ms=int(claims["iat"] * 1000),
            until_ms=int(until_s * 1000),
        )

    async def sign_out_url(self, return_url: str) -> str | None:
        """Where a browser ends its session at the issuer; see the port."""
        try:
            where = (await self._metadata.now()).url_or_none("end_session_endpoint")
        except DraftsmithError:
            return None  # signed out here it is all the same
        if where is None:
            return None
        query = urlencode({"client_id": self._client.id, "post_logout_redirect_uri": return_url})
        return f"{where}{'&' if '?' in where else '?'}{query}"

    def _rules(self, *needs: str) -> TokenRules:
        return TokenRules(self._metadata.issuer, self._client.id, self._claims.skew_s, needs)

    def _check_sender(self, answer: dict[str, str], is_promised: bool) -> None:
        """Refuse the answer of another issuer to the question that was asked of this one (a mix-up)."""
        sender = answer.get("iss")
        if sender is None and is_promised:
            raise _sign_in_error("the answer does not say which issuer it is of")
        if sender is not None and sender != self._metadata.issuer:
            raise _sign_in_error("the answer is of another issuer")

    async def _redeem(self, code: str, redirect_uri: str, verifier: str) -> dict[str, Any]:
        """What the issuer gives for a code."""
        metadata, client = await self._metadata.now(), self._client
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        auth = None
        if not client.secret:
            form["client_id"] = client.id
        elif "client_secret_basic" in metadata.list_of(
            "token_endpoint_auth_methods_supported", default="client_secret_basic"
        ):
            auth = (quote_plus(client.id), quote_plus(client.secret))  # RFC 6749, section 2.3.1
        else:
            form |= {"client_id": client.id, "client_secret": client.secret}
        status, token = await self._metadata.http.post(metadata.url_of("token_endpoint"), form, auth)
        if status != 200:
            raise _sign_in_error(f"the issuer gave no token{_code(token.get('error'))}")
        return token

    async def _identity(self, token: dict[str, Any], nonce: str) -> dict[str, Any]:
        """The claims of the ID token."""
        id_token = token.get("id_token")
        if not isinstance(id_token, str):
            raise _sign_in_error("the issuer gave no ID token; OIDC_SCOPES has to hold openid")
        try:
            claims, _ = await read_claims(id_token, self._keys, self._rules("sub", "exp", "iat"), self._clock)
        except TokenRefused as refused:
            raise _sign_in_error(refused.why) from None
        given = claims.get("nonce")
        if not isinstance(given, str) or not hmac.compare_digest(given.encode(), nonce.encode()):
            raise _sign_in_error("the ID token is of another sign-in")
        if claims.get("azp", self._client.id) != self._client.id:
            raise _sign_in_error("the ID token was made for another client")
        return claims

    async def _about(self, token: dict[str, Any], subject: str) -> dict[str, Any]:
        """What the issuer says of the person besides; nothing where it has no such address."""
        where = (await self._metadata.now()).url_or_none("userinfo_endpoint")
        access = token.get("access_token")
        if where is None or not isinstance(access, str):
            return {}
        about = await self._metadata.http.get(where, bearer=access)
        if about.get("sub") != subject:
            raise _sign_in_error("the issuer speaks of somebody else")
        return about


def _code(answer: Any) -> str:
    """The error code of an issuer in brackets; whatever else it says comes through the browser of anybody."""
    return f" ({answer})" if isinstance(answer, str) and _ERROR_CODE.match(answer) else ""


def _sign_in_error(why: str) -> DraftsmithError:
    return DraftsmithError("sign_in_failed", f"Signing in did not work: {why}.")
