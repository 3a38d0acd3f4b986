"""The files of `deploy/` in front of a server in token mode, over TLS: Caddy's and nginx's own programs run them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from tests.integration.people import Town, town
from tests.integration.processes import wait_for
from tests.timeouts import TIMEOUT_SECONDS

DEPLOY = Path(__file__).parents[2] / "deploy"
_SYSTEM = "/usr/sbin"
_TRIES = 5
_PROBE_SECONDS = 5.0
Proxy = Callable[[Path, int, str], tuple[list[str], dict[str, str]]]


@dataclass
class Front:
    """A proxy in front of a server.

    Attributes:
        url: where it answers.
        trusted: checks its certificate.
        said: the file with what it has logged.
        is_for_this_machine: whether its file knows names of this machine, as opposed to one that is public.
    """

    url: str
    trusted: ssl.SSLContext
    place: Town
    said: Path
    is_for_this_machine: bool

    def client(self) -> httpx.Client:
        """A browser before it."""
        return httpx.Client(base_url=self.url, verify=self.trusted, timeout=TIMEOUT_SECONDS)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:{_SYSTEM}")
    if found is None:
        assert "CI" not in os.environ, f"{name} is to be installed there (.ci/run)"
        pytest.skip(f"{name} is not installed; on Debian: apt install {name}")
    return found


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that nobody has signed, and its key."""
    pem, key = folder / "drafts.pem", folder / "drafts.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(pem)],
        check=True, capture_output=True,
    )  # fmt: skip
    return pem, key


def nginx(folder: Path, port: int, upstream: str) -> tuple[list[str], dict[str, str]]:
    """The command, with the file's places changed for these; its own environment."""
    pem, key = certificate(folder)
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for before, after in {
        "listen 80;": f"listen unix:{folder}/plain.sock;",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "drafts.example.org;\n\tssl": "localhost;\n\tssl",
        "/etc/ssl/drafts.pem": str(pem),
        "/etc/ssl/drafts.key": str(key),
        "/var/log/nginx/drafts.log": str(folder / "said.log"),
        "http://127.0.0.1:8000": upstream,
    }.items():
        assert before in text
        text = text.replace(before, after)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in
                        ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))  # fmt: skip
    user = "user root; " if os.geteuid() == 0 else ""  # or its workers may not write into this folder
    (folder / "nginx.conf").write_text(
        f"{user}daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        # But for that of the file, which nobody but root may write where nginx has it by default.
        f"http {{ access_log off; {temporary}\n{text} }}"
    )
    return [program("nginx"), "-p", str(folder), "-e", f"{folder}/error.log", "-c", str(folder / "nginx.conf")], {}


def caddy(folder: Path, port: int, upstream: str) -> tuple[list[str], dict[str, str]]:
    """The command; its environment names the places."""
    pem, key = certificate(folder)
    # Without redirects nothing listens at the port for HTTP.
    quiet = ("admin off", "grace_period 1s", "skip_install_trust", "auto_https disable_redirects")
    options = "{\n" + "".join(f"\t{one}\n" for one in quiet) + "}\n"
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    text = text.replace("{$DOMAIN:localhost} {\n", f"{{$DOMAIN:localhost}} {{\n\ttls {pem} {key}\n")
    (folder / "Caddyfile").write_text(options + text)
    environment = {"DOMAIN": f"localhost:{port}", "UPSTREAM": upstream.removeprefix("http://"), "HOME": str(folder),
                   "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}  # fmt: skip
    return [program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], environment


@pytest.fixture(scope="module", params=[caddy, nginx], ids=["caddy", "nginx"])
def front(
    request: pytest.FixtureRequest, redis_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Front]:
    program(request.param.__name__)
    folder = tmp_path_factory.mktemp("proxy")
    around = {"TRUSTED_PROXIES": "127.0.0.1,::1", "ALLOWED_HOSTS": "drafts.example.org"}
    with town(redis_server, "behind", **around) as place, proxied(request.param, folder, place, place.url) as found:
        yield found


@contextmanager
def proxied(proxy: Proxy, folder: Path, place: Town, upstream: str, path: str = "") -> Iterator[Front]:
    """A proxy that runs, below a path of its own."""
    for _ in range(_TRIES):
        found, process = start_proxy(proxy, folder, place, upstream)
        found.url += path
        try:
            if not is_up(found, process):
                continue  # another program has taken the port in the meantime
            yield found
            return
        finally:
            process.terminate()
            process.wait(TIMEOUT_SECONDS)
    raise AssertionError(said_by(folder))


def start_proxy(proxy: Proxy, folder: Path, place: Town, upstream: str) -> tuple[Front, subprocess.Popen[bytes]]:
    """Start a proxy on a port that was free a moment ago."""
    port = free_port()
    command, environment = proxy(folder, port, upstream)
    with (folder / "out.log").open("wb") as out:
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=out, stderr=out)
    trusted = ssl.create_default_context(cafile=folder / "drafts.pem")
    return Front(f"https://localhost:{port}", trusted, place, folder / "said.log", proxy is caddy), process


def is_up(front: Front, process: subprocess.Popen[bytes]) -> bool:
    """Whether it comes to answer; False where it has ended for want of its port.

    Another program that answers there has no certificate that is trusted here.

    Raises:
        AssertionError: it has ended for another reason, or does not come to answer.
    """
    deadline = time.monotonic() + TIMEOUT_SECONDS
    with front.client() as client:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if client.get("/healthz", timeout=_PROBE_SECONDS).status_code == 200:
                    return True
            except httpx.TransportError:
                time.sleep(0.05)
    told = said_by(front.said.parent)
    if process.poll() is not None and "address already in use" in told.lower():
        return False
    raise AssertionError(told)


def said_by(folder: Path) -> str:
    """What a proxy has said of its start."""
    return "".join(log.read_text() for log in (folder / "out.log", folder / "error.log") if log.exists())


def signed_in(front: Front) -> httpx.Client:
    """A browser whose owner has signed in through the proxy."""
    client = front.client()
    client.cookies.set(front.place.session_cookie, front.place.admin.cookies[front.place.session_cookie])
    return client


def test_cookies_are_secure_and_links_lead_through_the_proxy(front: Front) -> None:
    with signed_in(front) as client:
        assert "Secure" in client.post("/api/v1/session", json={}).headers["set-cookie"]
        w = client.post("/api/v1/workspaces", json={"name": "Shop"}).json()["id"]
        share = client.post(f"/api/v1/workspaces/{w}/shares", json={"role": "editor"}).json()
        assert share["url"].startswith(f"{front.url}/s#dss_")


def test_writes_of_its_own_pages_are_taken_and_of_others_refused(front: Front) -> None:
    with signed_in(front) as client:
        plain = front.url.replace("https", "http")
        for origin, expected in ((front.url, 201), ("https://evil.example", 403), (plain, 403)):
            made = client.post("/api/v1/workspaces", json={"name": "Shop"}, headers={"Origin": origin})
            assert made.status_code == expected, origin


def test_browsers_are_told_to_come_by_tls_alone(front: Front) -> None:
    """On every answer, refusals among them; not for names of one's own machine, where Caddy makes its certificates."""
    with front.client() as client:
        for path in ("/", "/healthz", "/api/v1/workspaces"):
            told = client.get(path).headers.get("strict-transport-security")
            assert told == (None if front.is_for_this_machine else "max-age=31536000"), path


def test_caddy_tells_it_of_public_names(front: Front, tmp_path: Path) -> None:
    """Its file as it is, for a public name; without TLS, since nobody here could have a certificate for that."""
    if not front.is_for_this_machine:
        pytest.skip("nginx has a public name")
    for _ in range(_TRIES):
        port = free_port()
        command, environment = caddy(tmp_path, port, front.place.url)
        text = (DEPLOY / "Caddyfile").read_text("utf-8")
        (tmp_path / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{text}")
        environment["DOMAIN"] = f"http://drafts.example.org:{port}"
        with (tmp_path / "out.log").open("wb") as out:
            process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=out, stderr=out)
        public = Front(f"http://127.0.0.1:{port}", front.trusted, front.place, tmp_path / "said.log", False)
        try:
            if is_up(public, process):
                with public.client() as client:
                    told = client.get("/healthz", headers={"Host": f"drafts.example.org:{port}"}).headers
                assert told["strict-transport-security"] == "max-age=31536000"
                return
        finally:
            process.terminate()
            process.wait(TIMEOUT_SECONDS)
    raise AssertionError(said_by(tmp_path))


def test_what_a_client_says_of_itself_is_not_believed(front: Front) -> None:
    with signed_in(front) as client:
        w = client.post("/api/v1/workspaces", json={"name": "Shop"}).json()["id"]
        claimed = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http", "Forwarded": "for=203.0.113.9"}
        share = client.post(f"/api/v1/workspaces/{w}/shares", json={"role": "viewer"}, headers=claimed).json()
        assert share["url"].startswith("https://")
        audit = client.get(f"/api/v1/workspaces/{w}/audit").json()["items"]
        assert {entry["address"] for entry in audit} <= {"127.0.0.1", "::1"}


async def test_pages_are_live_and_streams_arrive_as_they_are_written(front: Front) -> None:
    with signed_in(front) as client:
        w = client.post("/api/v1/workspaces", json={"name": "Shop"}).json()["id"]
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        socket_url = f"{front.url.replace('https', 'wss')}/api/v1/workspaces/{w}/live"
        origin: Any = front.url
        async with websockets.connect(
            socket_url, ssl=front.trusted, origin=origin, additional_headers={"Cookie": cookie}
        ) as live:
            await live.send(json.dumps({"t": "hello", "v": 1}))
            first = json.loads(await asyncio.wait_for(live.recv(), TIMEOUT_SECONDS))
            assert first[0]["t"] == "welcome"
        events = f"/api/v1/workspaces/{w}/commits/events"
        with client.stream("GET", events) as stream:
            assert stream.status_code == 200
            batch = {"operations": [{"op": "add_node", "id": "api", "type": "service", "label": "Api"}]}
            with signed_in(front) as other:
                other.post(f"/api/v1/workspaces/{w}/batches", json=batch)
            found = next(line for line in stream.iter_lines() if "Api" in line)
            assert found


def test_large_documents_pass(front: Front) -> None:
    text = "# Long\n\n" + "A line of a document.\n" * 60_000
    with signed_in(front) as client:
        made = client.post("/api/v1/workspaces", json={"name": "Long", "document": {"text": text}})
        assert made.status_code == 201, made.text


def test_no_query_is_in_the_log_of_nginx(front: Front) -> None:
    if not front.said.exists():
        pytest.skip("Caddy writes no access log unless it is told to")
    with front.client() as client:
        client.get("/api/v1/me", params={"ticket": "a-secret"})
    wait_for(lambda: re.search(r'"GET /api/v1/me" 200', front.said.read_text()), front.said.read_text)
    assert "a-secret" not in front.said.read_text()
