"""Tokens of issuers: what is accepted, and every way to be let in by something that is none."""

from __future__ import annotations

import base64
import hmac
import json
import socket
import threading
import warnings
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpcore2
import pytest
from joserfc import jwt
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, Key, KeySet, OctKey, OKPKey, RSAKey
from joserfc.jws import JWSRegistry

from draftsmith.adapters.identity.issuer_http import IssuerHttp
from draftsmith.adapters.identity.issuer_keys import FetchedKeys, IssuerKeys, read_keys
from draftsmith.adapters.identity.issuer_metadata import IssuerMetadata
from draftsmith.adapters.identity.tokens import TokenOfIssuer, TokenRules
from draftsmith.errors import DraftsmithError
from draftsmith.ports.identity import Claims

ISSUER, AUDIENCE, NOW = "https://issuer.test", "draftsmith", 1_800_000_000
RSA, EC, OKP = RSAKey.generate_key(2048), ECKey.generate_key("P-256"), OKPKey.generate_key("Ed25519")
SECRET = "a shared secret of many characters, forty-four"


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now_ms(self) -> int:
        return int((NOW + self.seconds) * 1000)

    def monotonic(self) -> float:
        return self.seconds

    def new_id(self) -> str:
        raise NotImplementedError

    async def sleep(self, seconds: float) -> None:
        raise NotImplementedError


class Served:
    """A key set that an issuer serves.

    Attributes:
        fetched: how often it was asked for.
        is_away: whether the issuer cannot be asked.
    """

    def __init__(self, *keys: Key) -> None:
        self.keys, self.fetched, self.is_away = list(keys), 0, False

    async def fetch(self) -> dict[str, Any]:
        self.fetched += 1
        if self.is_away:
            raise DraftsmithError("identity_unavailable", "away")
        return dict(KeySet(self.keys).as_dict(private=False))


def claims(**changed: Any) -> dict[str, Any]:
    """Claims that are accepted, but for what is changed; None leaves one out."""
    whole = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "exp": NOW + 600, "iat": NOW, "name": "Ann", **changed}
    return {name: value for name, value in whole.items() if value is not None}


def signed(key: Key, alg: str, said: dict[str, Any] | None = None, **header: Any) -> str:
    """A token."""
    key.ensure_kid()
    with warnings.catch_warnings(action="ignore", category=SecurityWarning):
        return jwt.encode({"alg": alg, "kid": key.kid, **header}, said or claims(), key, algorithms=[alg])


def verifier(keys: IssuerKeys, clock: Clock | None = None) -> TokenOfIssuer:
    """What checks tokens with these keys."""
    return TokenOfIssuer(keys, TokenRules(ISSUER, AUDIENCE, 30), clock or Clock(), "groups")


def pem(key: Key) -> str:
    """A public key as operators write it down."""
    text = key.as_pem(private=False)
    return text.decode()


async def why_refused(checks: TokenOfIssuer, token: str, code: str = "credential_invalid") -> str:
    """What is said of a token that is refused."""
    with pytest.raises(DraftsmithError) as error:
        await checks.verify(token)
    assert error.value.code == code
    assert token[:20] not in error.value.detail if len(token) > 20 else True
    return error.value.detail


class TestKeys:
    @pytest.mark.parametrize(
        "key, alg",
        [(RSA, "RS256"), (RSA, "PS384"), (EC, "ES256"), (OKP, "EdDSA"), (OKP, "Ed25519")],
    )
    async def test_keys_of_every_kind_check_tokens(self, key: Key, alg: str) -> None:
        for keys in (read_keys(pem(key)), read_keys(json.dumps(key.as_dict(private=False))),
                     FetchedKeys(Served(RSA, EC, OKP).fetch, Clock())):  # fmt: skip
            said = await verifier(keys).verify(signed(key, alg, claims(groups=["b", "a", "b"], email="a@b.test")))
            assert said == Claims(f"{ISSUER}|ann", "Ann", "a@b.test", ("a", "b"), "", (NOW + 630) * 1000, NOW * 1000)

    async def test_a_shared_secret_checks_tokens(self) -> None:
        token = signed(OctKey.import_key(SECRET), "HS256")
        assert (await verifier(read_keys(SECRET + "\n")).verify(token)).name == "Ann"
        assert "signature" in await why_refused(verifier(read_keys(SECRET + "x")), token)

    @pytest.mark.parametrize("text", ["", "short", "{", '{"keys": []}', '{"kty": "oct", "k": "c2hvcnQ"}',
                                      "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"])  # fmt: skip
    def test_a_file_without_a_key_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"secret|[kK]ey|oct"):
            read_keys(text)


class TestAlgorithms:
    @pytest.mark.parametrize("keys", [read_keys(pem(RSA)), FetchedKeys(Served(RSA).fetch, Clock())])
    async def test_a_public_key_is_no_shared_secret(self, keys: IssuerKeys) -> None:
        for known in (pem(RSA), json.dumps(RSA.as_dict(private=False))):
            said = f"{_part({'alg': 'HS256', 'kid': RSA.kid})}.{_part(claims())}"
            signature = hmac.digest(known.encode(), said.encode(), "sha256")
            assert "algorithm" in await why_refused(verifier(keys), f"{said}.{_encoded(signature)}")

    @pytest.mark.parametrize("alg", ["none", "None", "NONE", "nOnE"])
    @pytest.mark.parametrize("keys", [read_keys(pem(RSA)), read_keys(SECRET)])
    async def test_a_token_without_signature_is_none(self, keys: IssuerKeys, alg: str) -> None:
        for tail in ("", signed(RSA, "RS256").split(".")[2]):
            await why_refused(verifier(keys), f"{_part({'alg': alg})}.{_part(claims())}.{tail}")

    async def test_a_secret_in_a_served_set_counts_for_nothing(self) -> None:
        secret = OctKey.import_key(SECRET)
        shape = {"keys": [secret.as_dict(), RSA.as_dict(private=False)]}

        async def fetch() -> dict[str, Any]:
            return shape

        await why_refused(verifier(FetchedKeys(fetch, Clock())), signed(secret, "HS256"))

    async def test_a_key_that_comes_in_the_token_counts_for_nothing(self) -> None:
        other = RSAKey.generate_key(2048)
        token = signed(other, "RS256", jwk=other.as_dict(private=False), jku="https://evil.test/keys")
        served = Served(RSA)
        await why_refused(verifier(FetchedKeys(served.fetch, Clock())), token)
        assert "signature" in await why_refused(
            verifier(read_keys(pem(RSA))), jwt.encode({"alg": "RS256"}, claims(), other)
        )

    @pytest.mark.parametrize("key", [RSA, EC])
    async def test_a_key_of_another_kind_is_refused(self, key: Key) -> None:
        keys = FetchedKeys(Served(OKP).fetch, Clock())
        OKP.ensure_kid()
        token = jwt.encode({"alg": "RS256" if key is RSA else "ES256", "kid": OKP.kid}, claims(), key)
        await why_refused(verifier(keys), token)

    @pytest.mark.parametrize("header", [{"crit": ["exp"]}, {"b64": False, "crit": ["b64"]}, {"typ": "logout+jwt"},
                                        {"typ": "secevent+jwt"}])  # fmt: skip
    async def test_a_token_for_something_else_is_refused(self, header: dict[str, Any]) -> None:
        said = _part({"alg": "RS256", "kid": RSA.kid, **header})
        body = _part(claims())
        signature = JWSRegistry.algorithms["RS256"].sign(f"{said}.{body}".encode(), RSA)
        token = f"{said}.{body}.{_encoded(signature)}"
        await why_refused(verifier(read_keys(pem(RSA))), token)


class TestClaims:
    @pytest.mark.parametrize(
        "changed",
        [{"iss": "https://other.test"}, {"iss": f"{ISSUER}/"}, {"iss": None}, {"aud": "another"}, {"aud": None},
         {"aud": []}, {"aud": [["draftsmith"]]}, {"sub": None}, {"sub": ""}, {"sub": 7}, {"exp": None},
         {"exp": "never"}, {"exp": True}, {"nbf": NOW + 31}, {"iat": NOW + 31}],
    )  # fmt: skip
    async def test_a_claim_that_does_not_fit_is_refused(self, changed: dict[str, Any]) -> None:
        await why_refused(verifier(read_keys(pem(RSA))), signed(RSA, "RS256", claims(**changed)))

    async def test_clocks_may_differ_by_what_is_set(self) -> None:
        clock = Clock()
        checks = verifier(read_keys(pem(RSA)), clock)
        ends, begins = signed(RSA, "RS256", claims(exp=NOW)), signed(RSA, "RS256", claims(nbf=NOW, iat=NOW))
        clock.seconds = 29
        assert (await checks.verify(ends)).name == "Ann"
        clock.seconds = 30
        assert "expired" in await why_refused(checks, ends, "credential_expired")
        clock.seconds = -30
        assert (await checks.verify(begins)).name == "Ann"
        clock.seconds = -31
        await why_refused(checks, begins)

    async def test_names_and_addresses_that_cannot_be_shown_or_are_not_verified_are_left_out(self) -> None:
        said = claims(name="A\u202enn", preferred_username="  ann  lee ", email="x@y.test", email_verified=False,
                      groups=["ok", 7, None, "a\x00b", {"x": 1}])  # fmt: skip
        found = await verifier(read_keys(pem(RSA))).verify(signed(RSA, "RS256", said))
        assert (found.name, found.email, found.groups) == ("ann lee", "", ("ok",))

    @pytest.mark.parametrize("token", ["", ".", "..", "a.b.c", "é.é.é", "x" * 20_000, "e30.e30.e30",
                                       "eyJhbGciOiJSUzI1NiJ9." + "W1tbW1tbW1tbW1tb" * 900 + ".x"])  # fmt: skip
    async def test_what_is_no_token_is_refused(self, token: str) -> None:
        await why_refused(verifier(read_keys(pem(RSA))), token)


class TestRotation:
    async def test_a_new_key_is_fetched_when_it_is_first_seen_and_not_for_every_unknown_one(self) -> None:
        clock, served, second = Clock(), Served(RSA), RSAKey.generate_key(2048)
        checks = verifier(FetchedKeys(served.fetch, clock), clock)
        await checks.verify(signed(RSA, "RS256"))
        served.keys.append(second)
        await checks.verify(signed(second, "RS256"))
        for number in range(50):
            await why_refused(checks, signed(RSA, "RS256", kid=f"unknown-{number}"))
        assert served.fetched == 2, "what anybody can send does not make this server call the issuer"

    async def test_a_key_that_is_withdrawn_counts_no_longer_than_ten_minutes(self) -> None:
        clock, served = Clock(), Served(RSA, EC)
        checks = verifier(FetchedKeys(served.fetch, clock), clock)
        token = signed(RSA, "RS256", claims(exp=NOW + 100_000))
        await checks.verify(token)
        served.keys = [EC]
        clock.seconds = 601
        await why_refused(checks, token)

    async def test_an_issuer_that_is_away_is_waited_for_an_hour(self) -> None:
        clock, served = Clock(), Served(RSA)
        checks = verifier(FetchedKeys(served.fetch, clock), clock)
        token = signed(RSA, "RS256", claims(exp=NOW + 100_000))
        await checks.verify(token)
        served.is_away = True
        clock.seconds = 3_599
        assert (await checks.verify(token)).name == "Ann"
        clock.seconds = 3_601
        await why_refused(checks, token, "identity_unavailable")
        served.is_away = False
        clock.seconds = 3_640
        assert (await checks.verify(token)).name == "Ann"

    async def test_an_issuer_that_is_away_from_the_start_is_said(self) -> None:
        served = Served(RSA)
        served.is_away = True
        await why_refused(verifier(FetchedKeys(served.fetch, Clock())), signed(RSA, "RS256"), "identity_unavailable")


class TestWhatIsCalled:
    @pytest.mark.parametrize(
        "url",
        ["http://issuer.test/keys", "https://127.0.0.1/keys", "https://[::1]/keys", "https://10.0.0.8/", "ftp://x.test/",
         "https://169.254.169.254/latest/meta-data", "https://localhost/keys", "https://me.localhost/",
         "https://user:password@x.test/", "https://0.0.0.0/", "https://[::ffff:10.0.0.1]/", "file:///etc/passwd", "//x",
         "https://x.test/#f", "https://x.test:99999/", "", "https://", "https://127.1/keys", "https://2130706433/keys",
         "https://0x7f000001/keys", "https://0x7f.1/keys", "https://0177.0.0.1/keys", "https://017700000001/keys",
         "https://１２７.０.０.１/keys", "https://①②⑦。⓪.0.1/keys", "https://localhost./keys", "https://10.1/keys",
         "https://[::ffff:127.0.0.1]/keys", "https://[::127.0.0.1]/keys", "https://[64:ff9b::7f00:1]/keys",
         "https://[64:ff9b::10.0.0.1]/keys", "https://[64:ff9b:1::7f00:1]/keys", "https://[2002:7f00:1::]/keys",
         "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/keys", "https://[fe80::1%25eth0]/keys", "https://[fd00::1]/",
         "https://100.64.0.1/keys", "https://100.100.100.200/", "https://168.63.129.16/", "https://224.0.0.1/"],
    )  # fmt: skip
    def test_an_issuer_names_no_address_inside_of_a_network(self, url: str) -> None:
        assert not IssuerHttp("https://issuer.test").may_call(url)

    @pytest.mark.parametrize(
        "url", ["https://issuer.test:8443/keys", "https://keys.elsewhere.test/", "https://8.8.8.8/"]
    )
    def test_an_issuer_names_other_public_addresses(self, url: str) -> None:
        assert IssuerHttp("https://issuer.test").may_call(url)

    @pytest.mark.parametrize(
        "issuer_at, named, is_asked",
        [
            ("8.8.8.8", "9.9.9.9", True),
            ("8.8.8.8", "127.0.0.1", False),
            ("8.8.8.8", "10.0.0.1", False),
            ("8.8.8.8", "169.254.169.254", False),
            ("8.8.8.8", "64:ff9b::909:909", True),
            ("8.8.8.8", "64:ff9b::7f00:1", False),
            ("8.8.8.8", "64:ff9b:1::7f00:1", False),
            ("8.8.8.8", "2002:a00:1::", False),
            ("8.8.8.8", "::ffff:10.0.0.1", False),
            ("8.8.8.8", "9.9.9.9 10.0.0.1", False),  # one of several
            ("10.0.0.1", "10.9.9.9", True),  # both inside
            ("10.0.0.1", "fd00::1", True),
            ("10.0.0.1", "9.9.9.9", True),
            ("10.0.0.1", "127.0.0.1", False),
            ("10.0.0.1", "169.254.169.254", False),
            ("10.0.0.1", "100.100.100.200", False),
            ("127.0.0.1", "10.0.0.1", False),
            ("127.0.0.1", "127.0.0.1", False),
        ],
    )
    async def test_a_name_is_judged_by_what_it_is_resolved_to_and_that_is_connected_to(
        self, network: Network, issuer_at: str, named: str, is_asked: bool
    ) -> None:
        """Once: a second look would be answered with another address."""
        network.names |= {"issuer.test": issuer_at.split(), "keys.test": named.split()}
        http = IssuerHttp("https://issuer.test")
        assert http.may_call("https://keys.test/keys")
        with pytest.raises(DraftsmithError) as error:
            await http.get("https://keys.test/keys")
        assert error.value.code == "identity_unavailable"
        assert network.connected == ([named] if is_asked else [])
        assert network.asked.count("keys.test") == 1

    async def test_a_name_with_several_addresses_is_tried_at_each(self, network: Network) -> None:
        network.names["keys.test"] = ["9.9.9.9", "2606:4700::1"]
        with pytest.raises(DraftsmithError):
            await IssuerHttp("https://issuer.test").get("https://keys.test/keys")
        assert network.connected == ["9.9.9.9", "2606:4700::1"]

    async def test_a_proxy_of_the_environment_resolves_names_and_is_sent_no_address_of_this_machine(
        self, network: Network, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("https_proxy", "http://proxy.test:3128")
        monkeypatch.setenv("no_proxy", "direct.test")
        network.names |= {"direct.test": ["127.0.0.1"]}
        for url in ("https://keys.test/keys", "https://127.1/keys", "https://direct.test/keys"):
            with pytest.raises(DraftsmithError):
                await IssuerHttp("https://issuer.test").get(url)
        assert (network.connected, network.asked) == (["proxy.test"], ["direct.test"])

    def test_an_issuer_on_this_machine_names_its_own_addresses_alone(self) -> None:
        http = IssuerHttp("http://127.0.0.1:9000")
        assert http.may_call("http://127.0.0.1:9001/keys")
        assert not http.may_call("http://10.0.0.1/keys")

    async def test_redirects_long_answers_and_other_answers_are_refused(self, issuer_on: Server) -> None:
        for path in ("redirect", "long", "text", "list", "error"):
            http = IssuerHttp(issuer_on.url)
            with pytest.raises(DraftsmithError) as error:
                await http.get(f"{issuer_on.url}/{path}")
            assert error.value.code == "identity_unavailable"
        assert "secret" not in issuer_on.paths

    async def test_metadata_of_another_issuer_are_refused(self, issuer_on: Server) -> None:
        http = IssuerHttp(issuer_on.url)
        with pytest.raises(DraftsmithError, match="of another one"):
            await IssuerMetadata(issuer_on.url, http, Clock()).now()


class Network:
    """Names with the addresses that they stand for at the first look, this machine's afterwards; nothing answers.

    Attributes:
        names: what they stand for.
        asked, connected: which names were looked up, and which addresses were to be connected to.
    """

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = {}
        self.asked: list[str] = []
        self.connected: list[str] = []
        self._resolve = socket.getaddrinfo

    def getaddrinfo(self, host: Any, port: Any, *more: Any, **options: Any) -> list[Any]:
        if options.get("flags", 0) & socket.AI_NUMERICHOST or host not in self.names:
            options["flags"] = options.get("flags", 0) | socket.AI_NUMERICHOST  # no name is asked outside
            return self._resolve(host, port, *more, **options)
        found = ["127.0.0.1"] if host in self.asked else self.names[host]
        self.asked.append(host)
        return [entry for one in found for entry in self._resolve(one, port, type=socket.SOCK_STREAM)]

    async def connect(self, host: str, *_: Any, **__: Any) -> Any:
        self.connected.append(host)
        raise httpcore2.ConnectError("Nothing is there.")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    made = Network()
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", made.getaddrinfo)
    monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", made.connect)
    return made


class Server:
    """A server that answers as an issuer should not.

    Attributes:
        paths: what it was asked for.
    """

    def __init__(self) -> None:
        self.paths: list[str] = []
        self._server = HTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        paths = self.paths

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                paths.append(self.path.lstrip("/"))
                status, headers, body = _ANSWERS[paths[-1]]
                self.send_response(status)
                for header in (headers | {"Content-Length": str(len(body))}).items():
                    self.send_header(*header)
                self.end_headers()
                with suppress(OSError):  # whoever asked had enough
                    self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                return

        return Handler


_ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "redirect": (302, {"Location": "/secret"}, b""),
    "long": (200, {}, b" " * 600_000 + b"{}"),
    "text": (200, {}, b"hello"),
    "list": (200, {}, b"[]"),
    "error": (500, {}, b"{}"),
    ".well-known/openid-configuration": (200, {}, b'{"issuer": "https://other.test"}'),
}


@pytest.fixture
def issuer_on() -> Iterator[Server]:
    server = Server()
    yield server
    server.stop()


def _part(shape: dict[str, Any]) -> str:
    return _encoded(json.dumps(shape).encode())


def _encoded(given: bytes) -> str:
    return base64.urlsafe_b64encode(given).rstrip(b"=").decode()
