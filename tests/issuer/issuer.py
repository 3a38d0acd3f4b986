"""An issuer that nobody here wrote (oidc-provider, certified), and a browser that signs in with it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import secrets
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import httpx

from tests.timeouts import TIMEOUT_SECONDS

AUDIENCE = "https://draftsmith.test/api"
"""The audience of the issuer's tokens for programs."""
CLIENT_ID, CLIENT_SECRET = "draftsmith", "a secret: of/the client+"
_HERE = Path(__file__).parent
_PROGRAM_URI = "http://127.0.0.1:9/program"
_FORM = re.compile(r'<form[^>]*action="([^"]+)"')
_FIELD = re.compile(r'<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"')


class Issuer:
    """The issuer in a process of its own.

    Attributes:
        url: what it calls itself.
    """

    def __init__(self, accounts: dict[str, dict[str, Any]]) -> None:
        assert (_HERE.parents[1] / "frontend/node_modules/oidc-provider").exists(), "run `make setup` first"
        self._process = subprocess.Popen(
            ["node", str(_HERE / "issuer.mjs")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # it warns that its memory is for development
            text=True,
        )
        self.url: str = self._do("start", accounts=accounts)["issuer"]

    @property
    def settings(self) -> dict[str, str]:
        """The environment of a server that signs in with it and takes its tokens."""
        return {
            "OIDC_ISSUER": self.url,
            "OIDC_CLIENT_ID": CLIENT_ID,
            "OIDC_CLIENT_SECRET": CLIENT_SECRET,
            "OIDC_SCOPES": "openid profile email groups",
            "OIDC_NAME": "Works",
            "JWT_AUDIENCE": AUDIENCE,
        }

    def register(self, server: str) -> None:
        """Have it know a server, and programs that ask for tokens."""
        ours = {
            "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET,
            "redirect_uris": [f"{server}/api/v1/sign-in/callback"],
            "post_logout_redirect_uris": [f"{server}/"],
            "backchannel_logout_uri": f"{server}/api/v1/sign-in/notice",
            "backchannel_logout_session_required": True,
        }
        program = {"client_id": "program", "redirect_uris": [_PROGRAM_URI], "token_endpoint_auth_method": "none",
                   "application_type": "native"}  # fmt: skip
        self._do("register", clients=[ours, program])

    def remove(self, login: str) -> None:
        """Remove an account."""
        self._do("remove", login=login)

    def rotate(self) -> None:
        """Sign with a new key from now on."""
        self._do("rotate")

    def end(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(TIMEOUT_SECONDS)
        self._process.stdout.close()

    def token_for(self, login: str) -> str:
        """A token for the API, as a program gets it for somebody who signs in."""
        verifier = secrets.token_urlsafe(32)
        digest = hashlib.sha256(verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": "program",
            "redirect_uri": _PROGRAM_URI,
            "scope": "openid profile groups edit",
            "resource": AUDIENCE,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        with WebBrowser() as browser:
            back = browser.sign_in(f"{self.url}/auth?{urlencode(asked)}", login, until=_PROGRAM_URI)
            form = {
                "grant_type": "authorization_code",
                "client_id": "program",
                "code": parse_qs(urlsplit(back).query)["code"][0],
                "redirect_uri": _PROGRAM_URI,
                "resource": AUDIENCE,
                "code_verifier": verifier,
            }
            answer = browser.post(f"{self.url}/token", data=form)
        token: str = answer.json()["access_token"]
        return token

    def _do(self, what: str, **order: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": what, **order}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the issuer has ended; does this Node.js run it?"
        found: dict[str, Any] = json.loads(line)
        return found


class WebBrowser(httpx.Client):
    """Goes where it is sent, and fills in the forms of the issuer."""

    def __init__(self) -> None:
        super().__init__(timeout=TIMEOUT_SECONDS, headers={"User-Agent": "A browser of tests"})

    def sign_in(self, url: str, login: str, *, until: str) -> str:
        """Follow an address through the issuer's forms up to one that begins with `until`; which that is."""
        deadline, answer = time.monotonic() + TIMEOUT_SECONDS, self.get(url)
        while time.monotonic() < deadline:
            if "location" in answer.headers:
                url = urljoin(str(answer.url), answer.headers["location"])
                if url.startswith(until):
                    return url
                answer = self.get(url)
                continue
            form = _FORM.search(answer.text)
            assert form is not None, f"{answer.url}: {answer.status_code} {answer.text[:3000]}"
            fields = {name: html.unescape(value) for name, value in _FIELD.findall(answer.text)}
            action = urljoin(str(answer.url), html.unescape(form[1]))
            answer = self.post(action, data={**fields, "login": login, "password": "any", "logout": "yes"})
        raise AssertionError("the sign-in did not end")


@contextmanager
def issuer(**accounts: dict[str, Any]) -> Iterator[Issuer]:
    """Start it."""
    found = Issuer(accounts)
    try:
        yield found
    finally:
        found.end()
