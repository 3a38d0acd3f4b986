"""`examples/embed`: the backend of a page of one's own. Its page is opened in `frontend/e2e/embed.test.ts`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests import patient
from tests.forking import Popen
from tests.integration.client import Api, node
from tests.integration.people import town
from tests.integration.processes import Run, processes_of, wait_for
from tests.integration.servers import Server
from tests.timeouts import TIMEOUT_SECONDS

EXAMPLE = Path(__file__).parents[2] / "examples" / "embed" / "embed.py"
ELSEWHERE = "https://pages.example"


class Example:
    """The script in a process of its own.

    Attributes:
        page: where it serves its page, without a slash at the end.
        workspace: the workspace that the page shows.
    """

    def __init__(self, draftsmith: str, folder: Path, *options: str, key: str = "") -> None:
        self._out = folder / "example.out"
        command = [sys.executable, str(EXAMPLE), "--draftsmith", draftsmith, "--port", "0", *options]
        with self._out.open("wb") as out:
            self.process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                env={**os.environ, "DRAFTSMITH_KEY": key},
            )  # fmt: skip
        said = wait_for(self._opening, lambda: self.output)
        self.page, self.workspace = said[1], said[2]

    def _opening(self) -> re.Match[str] | None:
        assert self.process.poll() is None, self.output
        return re.search(r"The page is at (\S+)/ \(workspace (\w+)\)\n", self.output)

    @property
    def output(self) -> str:
        return self._out.read_text()

    def revisions(self) -> list[int]:
        """The revisions of the commits that it has printed, in that order."""
        return [int(number) for number in re.findall(r"^(\d+)\. .+\n", self.output, re.MULTILINE)]

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(TIMEOUT_SECONDS)


class Served(Run):
    """A launcher with the whole application on a data folder, as people start it, but forked."""

    def __init__(self, data: Path, port: int = 0) -> None:
        self.data = data
        self._out = data.with_name(f"served-{time.monotonic_ns()}.out")
        command = [sys.executable, "-P", "-m", "draftsmith.cli", "serve", "--port", str(port), "--data-dir", str(data)]
        with self._out.open("wb") as out:
            self.process = Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)


@pytest.fixture
def example_folder() -> Iterator[Path]:
    """An empty folder; whatever a test started on it is ended."""
    with tempfile.TemporaryDirectory(prefix="ds-") as name:
        yield Path(name)
        left = processes_of(Path(name))
        for process in left:
            process.kill()
            process.wait(TIMEOUT_SECONDS)


@pytest.fixture
def example(server: Server, redis_url: str, example_folder: Path) -> Iterator[Example]:
    """The example beside one worker, with a workspace that it has made itself."""
    running = Example(server.url, example_folder)
    yield running
    running.end()
    assert "Traceback" not in running.output


def test_it_makes_a_workspace_and_serves_a_page_with_the_client_of_this_very_server(
    example: Example, server: Server, api: Api
) -> None:
    """The page, what it must know and the module it imports come from one origin, which is not Draftsmith's."""
    assert example.page != server.url
    assert api.read(example.workspace)["name"] == "Embedded"
    with patient.client(base_url=example.page) as browser:
        page = browser.get("/")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert "./draftsmith-client.js" in page.text
        module = browser.get("/draftsmith-client.js")
        assert module.headers["content-type"] == "text/javascript"
        assert module.content == patient.get(f"{server.url}/client/draftsmith-client.js").content
        assert "LiveClient" in module.text
        assert browser.get("/settings").json() == {"origin": server.url, "workspace": example.workspace}
        assert browser.get("/embed.py").status_code == 404


def test_its_ticket_opens_the_live_protocol_from_another_origin(example: Example, server: Server) -> None:
    """With a ticket a page of any origin is let in; the page of another site gets none."""
    assert patient.post(f"{example.page}/ticket", headers={"Origin": ELSEWHERE}).status_code == 404
    ticket = patient.post(f"{example.page}/ticket", headers={"Origin": example.page}).json()["ticket"]
    url = f"{server.url.replace('http', 'ws', 1)}/api/v1/workspaces/{example.workspace}/live?ticket={ticket}"
    with connect(url, origin=example.page) as socket:  # type: ignore[arg-type]  # any text is an origin
        socket.send(json.dumps({"t": "hello", "v": 1}))
        kinds = [message["t"] for message in json.loads(socket.recv(10))]
    assert kinds[:2] == ["welcome", "state"]


def test_it_takes_a_workspace_that_is_named(server: Server, api: Api, redis_url: str, example_folder: Path) -> None:
    """What had happened before it came is not printed."""
    workspace = api.create(name="Ours")
    api.batch(workspace, node("before"))
    running = Example(server.url, example_folder, "--workspace", workspace)
    assert running.workspace == workspace
    newest = api.batch(workspace, node("after"))["revision"]
    wait_for(lambda: newest in running.revisions(), lambda: running.output)
    running.end()
    assert running.revisions() == [newest]


def test_it_prints_every_commit_once_over_a_restart_of_the_server(example_folder: Path) -> None:
    """Nothing is lost that was committed while nobody was connected, and nothing is told twice."""
    first = Served(example_folder / "data")
    url = first.url()
    running = Example(url, example_folder)
    committed: list[int] = []
    with Api(url) as api:
        committed += [api.batch(running.workspace, node(f"early-{number}"))["revision"] for number in range(3)]
    wait_for(lambda: running.revisions() == committed, lambda: running.output)
    assert first.end() == 0

    second = Served(example_folder / "data", port=int(url.rsplit(":", 1)[1]))
    assert second.url() == url
    with Api(url) as api:
        committed += [api.batch(running.workspace, node(f"late-{number}"))["revision"] for number in range(3)]
    wait_for(lambda: len(running.revisions()) >= len(committed), lambda: running.output)
    running.end()
    assert second.end() == 0
    assert running.revisions() == committed


def test_with_a_key_every_browser_is_a_visitor_of_its_own(redis_server: str, example_folder: Path) -> None:
    """Token mode: the application acts for its visitors; who has no ticket gets nothing."""
    with town(redis_server, "embed") as place:
        draftsmith = place.servers[0].url
        running = Example(draftsmith, example_folder, key=place.key(delegate=True, personal=False))
        live = f"{draftsmith.replace('http', 'ws', 1)}/api/v1/workspaces/{running.workspace}/live"
        seen = []
        with patient.client(base_url=running.page) as one, patient.client(base_url=running.page) as other:
            for browser in (one, other, one):
                browser.get("/")
                ticket = browser.post("/ticket", headers={"Origin": running.page}).json()["ticket"]
                with connect(f"{live}?ticket={ticket}", origin=running.page) as socket:  # type: ignore[arg-type]  # any text is one
                    socket.send(json.dumps({"t": "hello", "v": 1}))
                    welcome = json.loads(socket.recv(10))[0]
                    operation = node(f"of-{len(seen)}")
                    socket.send(json.dumps({"t": "submit", "id": f"visitor-{len(seen)}", "operations": [operation]}))
                    wait_for(lambda: len(running.revisions()) > len(seen), lambda: running.output)
                seen.append((welcome["me"]["id"], welcome["me"]["name"], welcome["role"]))
        assert seen[0] == seen[2]
        assert seen[0][0] != seen[1][0]
        assert {role for _, _, role in seen} == {"editor"}
        assert place.stranger().send_to("GET", f"/workspaces/{running.workspace}").status_code == 401
        running.end()
