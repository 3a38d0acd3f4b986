"""Registries as the plugin `versions` meets them: answers written by hand, over TLS, with tokens, pages and redirects.

One server under two names: `localhost`, and `127.0.0.1`, which redirects and tokens lead to. What it serves is in
plugins/versions/tests/handwritten, made from the specifications that the plugin's modules name.
"""

from __future__ import annotations

import base64
import json
import ssl
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.integration.plugin_servers import PluginProcess, plugin_process

PACKAGE = Path(__file__).parents[2] / "plugins" / "versions"
ANSWERS = PACKAGE / "tests" / "handwritten"
PAGE = 25
PASSWORD = "p:äss"
TAGS = {
    "library/redis": "redis-tags.json",
    "library/postgres": "postgres-tags.json",
    "bitnamicharts/redis": "redis-chart-tags.json",
    "team/api": "redis-tags.json",
    "moved/api": "postgres-tags.json",
}
REDIRECTS = {
    "/metadata/index.yaml": "http://169.254.169.254/latest/meta-data/",
    "/elsewhere/index.yaml": "https://localhost:1/index.yaml",
    "/plain/index.yaml": "http://localhost/index.yaml",
    "/circle/index.yaml": "/circle/index.yaml",
}


@dataclass
class Registries:
    """What is served, and what was asked for.

    Attributes:
        certificate: the authority's, as PEM.
        asked: `host path` of every request, with what it sent as Authorization.
        is_failing: whether everything is answered with 503.
    """

    port: int
    certificate: Path
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    is_failing: bool = False

    def settings(self, folder: Path, **more: Any) -> Path:
        """Write settings of the plugin with these sources."""
        here, there = f"localhost:{self.port}", f"127.0.0.1:{self.port}"
        (folder / "password").write_text(f"{PASSWORD}\n", "utf-8")
        lines = [f"{key} = {json.dumps(value)}" for key, value in more.items()]
        kinds = {
            "nginx": "handwritten",
            **{path.split("/")[1]: path.split("/")[1] for path in REDIRECTS},
            "broken": "broken",
        }
        kinds |= {"endless": "endless"}
        for name, path in kinds.items():
            lines += ["[[charts]]", f'name = "{name}"', f'url = "https://{here}/{path}/"', "private = true"]
        lines += [
            "[[charts]]",
            'name = "oci"',
            f'url = "oci://{here}/bitnamicharts"',
            f'hosts = ["{there}"]',
            "private = true",
        ]
        lines += ["[[charts]]", 'name = "public"', f'url = "https://{here}/handwritten"']
        lines += [
            "[[images]]",
            'name = "docker.io"',
            f'url = "https://{here}"',
            f'hosts = ["{there}"]',
            "private = true",
        ]
        lines += ["[[images]]", 'name = "ghcr.io"', f'url = "https://{here}"', "private = true"]
        lines += ["[[images]]", f'name = "{here}"', f'url = "https://{here}"', f'hosts = ["{there}"]', "private = true"]
        lines += ['username = "reader"', f"password_file = {json.dumps(str(folder / 'password'))}"]
        lines += ["[kubernetes]", f'url = "https://{here}"', f'hosts = ["{there}"]', "private = true"]
        lines += ["[artifact_hub]", f'url = "https://{here}/hub"', "private = true"]
        file = folder / "versions.toml"
        file.write_text("\n".join(lines), "utf-8")
        return file


class _Handler(BaseHTTPRequestHandler):
    registries: Registries

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is the base class's
        """Say nothing."""

    def do_GET(self) -> None:
        host, path = self.headers["Host"], urlsplit(self.path).path
        self.registries.asked.append((host, self.path, self.headers.get("Authorization", "")))
        if self.registries.is_failing:
            self.answer(503, b"")
        elif path in REDIRECTS:
            self.answer(302, b"", Location=REDIRECTS[path])
        elif path == "/handwritten/index.yaml":
            self.answer(200, (ANSWERS / "index.yaml").read_bytes())
        elif path == "/broken/index.yaml":
            self.answer(200, b"a: &a [x, x]\nb: &b [*a, *a]\nentries: [*b, *b]\n")
        elif path == "/endless/index.yaml":
            self.trickle(b"# endless\n" * 10_000)
        elif path == "/moved/tags.json":
            self.answer(200, (ANSWERS / TAGS["moved/api"]).read_bytes())
        elif path == "/token":
            self.token()
        elif path.startswith("/release/"):
            self.channel(path)
        elif path == "/hub/api/v1/packages/search":
            self.search()
        elif path.startswith("/hub/api/v1/packages/helm/"):
            packages = json.loads((ANSWERS / "artifact-hub-packages.json").read_text())
            found = packages.get(path.removeprefix("/hub/api/v1/packages/helm/"))
            self.answer(404 if found is None else 200, json.dumps(found or {"message": "not found"}).encode())
        elif path.startswith("/v2/"):
            self.tags(path.removeprefix("/v2/").removesuffix("/tags/list"))
        else:
            self.answer(404, b"")

    def channel(self, path: str) -> None:
        if self.headers["Host"].startswith("localhost"):
            self.answer(302, b"", Location=f"https://127.0.0.1:{self.registries.port}{path}")
            return
        named = json.loads((ANSWERS / "kubernetes.json").read_text()).get(Path(path).stem)
        self.answer(200 if named else 404, (named or "<Error>NoSuchKey</Error>").encode())

    def search(self) -> None:
        """As `searchPackages` says: `facets` is required, `limit` is at most 60, and words match more than names."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        if asked.get("facets") not in ("true", "false") or not 0 < int(asked.get("limit", 20)) <= 60:
            self.answer(400, b'{"message": "invalid"}')
            return
        found = [
            one
            for one in json.loads((ANSWERS / "artifact-hub-search.json").read_text())["packages"]
            if asked["ts_query_web"] in one["name"]
            and asked.get("repo") in (None, one["repository"]["name"])
            and asked.get("kind") in (None, str(one["repository"]["kind"]))
        ]
        headers = {"Content-Type": "application/json", "Pagination-Total-Count": str(len(found))}
        body = b"{}" if asked["ts_query_web"] == "null" else json.dumps({"packages": found}).encode()
        body = b'{"packages": [{"name": 7}]}' if asked["ts_query_web"] == "broken" else body
        self.answer(200, body, **headers)

    def token(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        scope, service = query["scope"][0], query["service"][0]
        repository = scope.removeprefix("repository:").removesuffix(":pull")
        basic = "Basic " + base64.b64encode(f"reader:{PASSWORD}".encode()).decode()
        if repository == "team/api" and self.headers.get("Authorization") != basic:
            self.answer(401, b'{"details": "incorrect username or password"}')
        else:
            token = f"for.{service}.{quote(repository, safe='')}"
            self.answer(200, json.dumps({"token": token, "access_token": token, "expires_in": 300}).encode())

    def tags(self, repository: str) -> None:
        token = f"for.registry.docker.io.{quote(repository, safe='')}"
        if self.headers.get("Authorization") != f"Bearer {token}":
            realm = f"https://127.0.0.1:{self.registries.port}/token"
            scope = f"repository:{repository}:pull"
            challenge = f'Bearer realm="{realm}",service="registry.docker.io",scope="{scope}"'
            self.answer(401, b'{"errors":[{"code":"UNAUTHORIZED"}]}', **{"WWW-Authenticate": challenge})
            return
        if repository == "moved/api":
            self.answer(307, b"", Location=f"https://127.0.0.1:{self.registries.port}/moved/tags.json")
            return
        if repository not in TAGS:
            self.answer(404, b'{"errors":[{"code":"NAME_UNKNOWN"}]}')
            return
        tags = sorted(json.loads((ANSWERS / TAGS[repository]).read_text())["tags"])
        last = parse_qs(urlsplit(self.path).query).get("last", [""])[0]
        rest = [tag for tag in tags if tag > last]
        more = {}
        if len(rest) > PAGE:
            more["Link"] = f'</v2/{repository}/tags/list?last={quote(rest[PAGE - 1])}&n={PAGE}>; rel="next"'
        self.answer(200, json.dumps({"name": repository, "tags": rest[:PAGE]}).encode(), **more)

    def trickle(self, text: bytes) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(text)
        except OSError:
            pass

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: clients that hang up are what is tested."""


@contextmanager
def handwritten_registries(folder: Path) -> Iterator[Registries]:
    """Serve the answers from a thread; its certificate and key are written to the folder."""
    certificate, key = _certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    handler = type("Handler", (_Handler,), {})
    server = _Server(("127.0.0.1", 0), handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    registries = Registries(server.server_port, certificate)
    handler.registries = registries  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield registries
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def versions_plugin(registries: Registries, folder: Path, **settings: Any) -> Iterator[PluginProcess]:
    """Run the plugin with these registries as its sources, in a process of its own."""
    code = f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); from draftsmith_versions.__main__ import main; main()"
    file = registries.settings(folder, **settings)
    environment = {"VERSIONS_SETTINGS": str(file), "SSL_CERT_FILE": str(registries.certificate)}
    with plugin_process(lambda port: [sys.executable, "-c", code, "--port", str(port)], **environment) as process:
        yield process


def _certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for both names, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return certificate, secret
