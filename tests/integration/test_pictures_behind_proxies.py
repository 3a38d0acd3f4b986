"""Links to pictures and previews behind Caddy, below a path: each address that is told leads through it."""

from __future__ import annotations

import html
import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.client import node
from tests.integration.people import town
from tests.integration.test_proxies import Front, Proxy, certificate, program, proxied

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")

PATH, HOST = "/drafts", "drafts.example.org"
BY_REQUEST = {"ROOT_PATH": PATH, "TRUSTED_PROXIES": "127.0.0.1,::1"}
BY_SETTING = {"PUBLIC_URL": f"https://{HOST}{PATH}"}


def below(directive: str) -> Proxy:
    """Caddy that passes on what is below the path, and nothing else."""

    def caddy(folder: Path, port: int, upstream: str) -> tuple[list[str], dict[str, str]]:
        pem, key = certificate(folder)
        config = f"""{{
            admin off
            grace_period 1s
            skip_install_trust
            auto_https disable_redirects
        }}
        https://localhost:{port}, https://{HOST}:{port} {{
            tls {pem} {key}
            {directive} {PATH}/* {{
                reverse_proxy {upstream.removeprefix("http://")}
            }}
            respond 404
        }}
        """
        (folder / "Caddyfile").write_text(config)
        environment = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        return [program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], environment

    return caddy


@dataclass
class Reader:
    """Somebody without a credential, who opens what is told.

    Attributes:
        public: the address that people are told.
    """

    front: Front
    public: str

    def open(self, address: str) -> httpx.Response:
        """What is there; the name that people open leads to the proxy."""
        assert address.startswith(f"{self.public}/"), address
        host = {} if self.public == self.front.url else {"Host": HOST}
        with self.front.client() as client:
            answer = client.get(self.front.url + address.removeprefix(self.public), headers=host)
        assert answer.status_code == 200, (address, answer.status_code)
        return answer


@pytest.fixture(
    scope="module",
    params=[("handle_path", BY_REQUEST), ("handle", BY_REQUEST), ("handle_path", BY_SETTING), ("handle", BY_SETTING)],
    ids=["stripped", "left", "public-stripped", "public-left"],
)
def reader(
    request: pytest.FixtureRequest, redis_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Reader]:
    directive, settings = request.param
    folder = tmp_path_factory.mktemp("below")
    with (
        town(redis_server, f"below-{os.urandom(3).hex()}", **settings) as place,
        proxied(below(directive), folder, place, place.servers[0].url, PATH) as front,
    ):
        yield Reader(front, settings.get("PUBLIC_URL", front.url))


@pytest.fixture
def made(reader: Reader) -> Any:
    """A link to the picture of a workspace, made through the proxy; with the workspace's id."""
    admin = reader.front.place.admin
    w = admin.create(name="Shop")
    admin.batch(w, node("api", label="Payroll"))
    host = {"Host": HOST} if reader.public != reader.front.url else {}
    with reader.front.client() as client:
        key = {"Authorization": f"Bearer {reader.front.place.key()}"}
        body = {"role": "viewer", "picture": {}}
        answer = client.post(f"{reader.front.url}/api/v1/workspaces/{w}/shares", json=body, headers={**key, **host})
    assert answer.status_code == 201, answer.text
    return {**answer.json(), "w": w}


def test_a_link_to_a_picture_leads_through_the_proxy(reader: Reader, made: Any) -> None:
    shown = reader.open(made["url"])
    assert (shown.headers["content-type"], "Payroll" in shown.text) == ("image/svg+xml", True)
    assert shown.headers["cross-origin-resource-policy"] == "cross-origin"


def test_a_preview_leads_through_the_proxy(reader: Reader, made: Any) -> None:
    """The picture of OpenGraph, the answer of oEmbed that the page names, and the picture that this names."""
    page = reader.open(f"{reader.public}/w/{made['w']}?link={made['token']}").text
    [image] = re.findall(r'property="og:image" content="([^"]*)"', page)
    assert reader.open(html.unescape(image)).headers["content-type"] == "image/png"
    [found] = re.findall(r'type="application/json\+oembed" href="([^"]*)"', page)
    answer = reader.open(html.unescape(found)).json()
    assert (answer["title"], answer["provider_url"]) == ("Shop", reader.public)
    shown = reader.open(answer["url"])
    assert struct.unpack(">II", shown.content[16:24]) == (answer["width"], answer["height"])
