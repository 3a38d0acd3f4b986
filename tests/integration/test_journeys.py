"""The files that docs/architecture.md names on a way through the product are those that are passed, in that order."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

import draftsmith
from draftsmith.main import create_app
from draftsmith.settings import Settings
from draftsmith.usecases.commits.workspaces import Workspaces
from tests.integration.layout_workers import worker
from tests.integration.typists import ADA, Typist, new_workspace

ROOT = Path(__file__).parents[2]
PACKAGE = str(Path(draftsmith.__file__).parent) + "/"
PAGE = ROOT / "frontend" / "src"
HOST = "127.0.0.1"


def steps_of(journey: str) -> str:
    """The numbered steps of a way, in at most 20 lines."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = re.split(r"^## ", page.split(f"## {journey}, file by file", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    steps = "\n".join(re.findall(r"^\d+\. .+(?:\n {3,}.+)*", section, re.MULTILINE))
    assert len(steps.splitlines()) <= 20
    return steps


def named_files(journey: str, kind: str = "py") -> list[str]:
    """The files of a kind that the page names on the way, in its order; at most 20."""
    files = re.findall(rf"`([\w/]+\.{kind})`", steps_of(journey))
    assert len(set(files)) <= 20
    return files


def check_journey(journey: str, calls: list[str]) -> None:
    """Each file that the page names is called after the one before; what the server does besides may come between."""
    named = named_files(journey)
    assert len(named) > 10
    later = iter(calls)
    for file in named:
        assert file in later, f"{file} is not called after those that stand before it"


def noting(calls: list[str]) -> Callable[[FrameType, str, Any], None]:
    """A profile that adds each of the product's files that is called after another one."""

    def note(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE) and calls[-1:] != [file.removeprefix(PACKAGE)]:
            calls.append(file.removeprefix(PACKAGE))

    return note


@contextmanager
def calls_meanwhile(client: TestClient) -> Iterator[list[str]]:
    """Which of the product's files the server's loop calls meanwhile, in order."""
    calls: list[str] = []

    assert client.portal is not None
    client.portal.call(sys.setprofile, noting(calls))
    try:
        yield calls
    finally:
        client.portal.call(sys.setprofile, None)


@pytest.fixture
def test_client(redis_url: str, tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(Settings(draftsmith_store_url=redis_url, data_dir=tmp_path))
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield client


@pytest.fixture
def path(test_client: TestClient) -> str:
    """The path of a workspace that is written already, so that nothing is opened on the way."""
    path = f"/api/v1/workspaces/{test_client.post('/api/v1/workspaces', json={'name': 'Shop'}).json()['id']}"
    first = test_client.post(f"{path}/batches", json={"operations": [{"op": "rename_workspace", "name": "Opened"}]})
    assert first.status_code == 200
    return path


def test_a_batch_passes_the_files_that_the_page_names(test_client: TestClient, path: str) -> None:
    batch = {"operations": [{"op": "add_node", "id": "shop", "type": "service", "label": "Shop"}]}
    with calls_meanwhile(test_client) as calls:
        answer = test_client.post(f"{path}/batches", json=batch)
    assert answer.status_code == 200, answer.text
    check_journey("A batch", calls)


def test_a_request_to_the_assistant_passes_the_files_that_the_page_names(test_client: TestClient, path: str) -> None:
    def ask(name: str) -> None:
        prompt = {"prompt": f"add a worker called {name}"}
        run = test_client.post(f"{path}/runs", json=prompt, headers={"Prefer": "wait=60"}).json()
        assert run["status"] == "applied"

    ask("Mailer")
    with calls_meanwhile(test_client) as calls:
        ask("Shipping")
    check_journey("A request to the assistant", calls)


def test_a_keystroke_passes_the_files_that_the_page_names(test_client: TestClient, path: str) -> None:
    def join(socket: WebSocketTestSession) -> Any:
        socket.send_json({"t": "hello", "v": 2, "resume": None, "pending": []})
        return next(message for message in socket.receive_json() if message["t"] == "state")

    def follow(socket: WebSocketTestSession) -> None:
        """Reads until a typed commit has come, which is the one message that is an array."""
        while not any(isinstance(message, list) for message in socket.receive_json()):
            pass

    live = f"ws://{HOST}{path}/live"
    with test_client.websocket_connect(live) as ada, test_client.websocket_connect(live) as bob:
        state = join(ada)
        join(bob)

        def type_letter(typed: int) -> None:
            length = len(state["workspace"]["text"]) + typed
            position = {"epoch": state["epoch"], "base": state["rev"] + typed}
            changes = [[0, "x"], *([length] if length else [])]
            ada.send_json({"t": "type", "id": f"letter-{typed}", **position, "changes": changes})
            follow(ada)
            follow(bob)

        type_letter(0)
        with calls_meanwhile(test_client) as calls:
            type_letter(1)
    check_journey("A keystroke", calls)
    assert all((PAGE / file).is_file() for file in named_files("A keystroke", "ts"))


WRITE_PATH = ("usecases/", "adapters/redis/commit_log.py")
"""What of the product is the way of a write; what it does to a workspace and the connection to the store are not."""


@pytest.fixture
async def small_worker(redis_url: str) -> AsyncIterator[Workspaces]:
    """A worker with what prepares long requests, of which a small write needs nothing."""
    async with worker(redis_url, ROOT / "never-run.js") as one:
        yield one


async def test_a_write_passes_the_files_that_the_page_names_and_no_others(small_worker: Workspaces) -> None:
    """At most twenty; and every name on the way is defined in one of them."""
    typist = Typist(small_worker, await new_workspace(small_worker, ""), ADA)
    await typist.edit({"op": "rename_workspace", "name": "Opened"})
    calls: list[str] = []
    sys.setprofile(noting(calls))
    try:
        await typist.edit({"op": "add_node", "id": "shop", "type": "service", "label": "Shop"})
    finally:
        sys.setprofile(None)
    write = calls[calls.index("usecases/commits/workspaces.py") :]
    check_journey("A write", write)
    named = set(named_files("A write"))
    assert {file for file in write if file.startswith(WRITE_PATH)} == named
    code = "\n".join((Path(PACKAGE) / file).read_text("utf-8") for file in named)
    names = [name for words in re.findall(r"`(\w+(?:\.\w+)?)`", steps_of("A write")) for name in words.split(".")]
    assert len(names) > 10
    for name in names:
        assert re.search(rf"^ *(?:async def|def|class) {name}\b|^{name}\b", code, re.MULTILINE), name
