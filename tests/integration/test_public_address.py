"""PUBLIC_URL: the address that people open is in every link and in what the issuer is sent, however a request came."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from draftsmith.cli.group import main
from tests import patient
from tests.integration.client import check_problem
from tests.integration.people import Town, town
from tests.integration.processes import BACKEND, wait_for
from tests.issuer.issuer import Issuer, WebBrowser, issuer
from tests.timeouts import TIMEOUT_SECONDS

PUBLIC = "https://drafts.example.org/team"
HOST = {"Host": "drafts.example.org"}
BEGIN, CALLBACK = "/api/v1/sign-in/begin", "/api/v1/sign-in/callback"


@pytest.fixture(scope="module")
def works() -> Iterator[Issuer]:
    with issuer(ann={"name": "Ann Lee"}) as found:
        found.register(PUBLIC)
        yield found


@pytest.fixture(scope="module")
def public_town(redis_server: str, works: Issuer) -> Iterator[Town]:
    """A server that is told its address and nothing else of its surroundings: no host name, no path, no proxy."""
    with town(redis_server, "public", PUBLIC_URL=f"{PUBLIC}/", **works.settings) as found:
        yield found


def test_links_that_the_server_makes_lead_there(public_town: Town) -> None:
    """A share link, a workspace as agents are told of it, and where they find the metadata of the issuer."""
    w = public_town.admin.ask("POST", "/workspaces", 201, json={"name": "Shop"})["id"]
    share = public_town.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer"})
    assert share["url"].startswith(f"{PUBLIC}/s#dss_")
    refused = patient.post(f"{public_town.url}/mcp", json={}, headers={"Authorization": "Bearer dsk_no"})
    assert f'"{PUBLIC}/.well-known/oauth-protected-resource/mcp"' in refused.headers["www-authenticate"]


def test_its_host_and_its_path_need_no_settings_of_their_own(public_town: Town) -> None:
    for address in (public_town.url, public_town.url.removesuffix("/team")):
        assert patient.get(f"{address}/healthz", headers=HOST).status_code == 200
    check_problem(patient.get(f"{public_town.url}/healthz", headers={"Host": "other.example.org"}), 400, "bad_host")
    assert public_town.stranger().send_to("GET", "/me").status_code == 200, "this machine's own names stay"


def test_the_issuer_sends_people_back_there(public_town: Town, works: Issuer) -> None:
    """The whole way, with a proxy that says nothing of HTTPS; the redirect address is that of PUBLIC_URL."""
    with WebBrowser() as browser:
        begun = browser.get(f"{public_town.url}{BEGIN}?next=/w/shop", headers=HOST)
        asked = parse_qs(urlsplit(begun.headers["location"]).query)
        assert asked["redirect_uri"] == [f"{PUBLIC}{CALLBACK}"]
        back = browser.sign_in(begun.headers["location"], "ann", until=f"{PUBLIC}{CALLBACK}")
        cookie = begun.headers["set-cookie"].partition(";")[0]
        address = f"{public_town.url}{CALLBACK}?{urlsplit(back).query}"
        arrived = patient.get(address, headers={**HOST, "Cookie": cookie})
    assert (arrived.status_code, arrived.headers["location"]) == (302, "/team/w/shop"), arrived.text


def test_signing_in_begins_there(public_town: Town) -> None:
    """Who begins elsewhere is sent there, since the answer of the issuer belongs to the browser's cookie; once."""
    with patient.client(base_url=public_town.url) as client:
        moved = client.get(BEGIN, params={"next": "/w/shop?tab=history"})
        assert (moved.status_code, "set-cookie" in moved.headers) == (302, False)
        address, _, query = moved.headers["location"].partition("?")
        assert (address, parse_qs(query)["next"]) == (f"{PUBLIC}{BEGIN}", ["/w/shop?tab=history"])
        again = client.get(f"{BEGIN}?{query}")  # by a proxy that sends another host than it was asked for
        assert "redirect_uri=" in again.headers["location"], "and not round and round"


def test_the_printed_links_lead_there(redis_server: str, data: Path) -> None:
    """That of a first administrator, as the log of a container has it, and that of the command line."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(BACKEND), "PUBLIC_URL": PUBLIC}
    command = [sys.executable, "-m", "draftsmith.cli", "serve", "--port", "0", "--data-dir", str(data)]
    said = data.parent / "said"
    with said.open("wb") as out:
        server = subprocess.Popen(command, env={**environment, "DRAFTSMITH_MODE": "token"}, stdout=out, stderr=out)
    try:
        wait_for(lambda: re.search(r"/sign-in#dsl_\S+\n", said.read_text()), said.read_text)
        assert re.search(rf" {PUBLIC}/sign-in#dsl_\S+\n", said.read_text())
        assert re.search(r"is ready: http://127\.0\.0\.1:\d+\n", said.read_text()), "where it listens, as ever"
        assert f"People open it at {PUBLIC}\n" in said.read_text()
    finally:
        server.terminate()
        server.wait(TIMEOUT_SECONDS)
    made = CliRunner().invoke(main, ["token", "create", "--admin"], env={"REDIS_URL": redis_server, **environment})
    assert f" {PUBLIC}/sign-in#dsl_" in made.stderr
