"""Tokens of an issuer that a server takes without asking it, by its public key in a file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey


class TokenIssuer:
    """An issuer with a key of its own, and the audience its tokens are for."""

    def __init__(self, url: str, audience: str) -> None:
        self.url, self.audience = url, audience
        self._key = ECKey.generate_key("P-256")

    def settings(self, folder: Path) -> dict[str, str]:
        """The environment of a server that takes its tokens; the key is written into the folder."""
        file = folder / "key.pem"
        file.write_bytes(self._key.as_pem(private=False))
        return {"JWT_AUDIENCE": self.audience, "JWT_ISSUER": self.url, "JWT_KEY_FILE": str(file)}

    def token(self, subject: str, **claims: Any) -> str:
        """A token for somebody, by default of now and for ten minutes."""
        now = int(time.time())
        body = {"iss": self.url, "sub": subject, "aud": self.audience, "iat": now - 5, "exp": now + 600, **claims}
        return jwt.encode({"alg": "ES256", "typ": "at+jwt"}, body, self._key)
