"""The files that docs/architecture.md names on a way through the product are those that are passed, in that order."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

import draftsmith
from draftsmith.main import create_app
from draftsmith.settings import Settings

ROOT = Path(__file__).parents[2]
PACKAGE = str(Path(draftsmith.__file__).parent) + "/"
PAGE = ROOT / "frontend" / "src"
HOST = "127.0.0.1"


def named_files(journey: str, kind: str = "py") -> list[str]:
    """The files of a kind that the page names on the way, in its order, from at most 20 lines."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = re.split(r"^## ", page.split(f"## {journey}, file by file", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    steps = "\n".join(re.findall(r"^\d+\. .+(?:\n {3,}.+)*", section, re.MULTILINE))
    assert len(steps.splitlines()) <= 20
    return re.findall(rf"`([\w/]+\.{kind})`", steps)


def check(journey: str, calls: list[str]) -> None:
    """Each file that the page names is called after the one before; what the server does besides may come between."""
    named = named_files(journey)
    assert len(named) > 10
    later = iter(calls)
    for file in named:
        assert file in later, f"{file} is not called after those that stand before it"


@contextmanager
def calls_meanwhile(client: TestClient) -> Iterator[list[str]]:
    """Which of the product's files the server's loop calls meanwhile, in order."""
    calls: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE) and calls[-1:] != [file.removeprefix(PACKAGE)]:
            calls.append(file.removeprefix(PACKAGE))

    assert client.portal is not None
    client.portal.call(sys.setprofile, note)
    try:
        yield calls
    finally:
        client.portal.call(sys.setprofile, None)


@pytest.fixture
def client(redis_url: str, tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(Settings(draftsmith_store_url=redis_url, data_dir=tmp_path))
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield client


@pytest.fixture
def path(client: TestClient) -> str:
    """The path of a workspace that is written already, so that nothing is opened on the way."""
    path = f"/api/v1/workspaces/{client.post('/api/v1/workspaces', json={'name': 'Shop'}).json()['id']}"
    first = client.post(f"{path}/batches", json={"operations": [{"op": "rename_workspace", "name": "Opened"}]})
    assert first.status_code == 200
    return path


def test_a_batch_passes_the_files_that_the_page_names(client: TestClient, path: str) -> None:
    batch = {"operations": [{"op": "add_node", "id": "shop", "type": "service", "label": "Shop"}]}
    with calls_meanwhile(client) as calls:
        answer = client.post(f"{path}/batches", json=batch)
    assert answer.status_code == 200, answer.text
    check("A batch", calls)


def test_a_request_to_the_assistant_passes_the_files_that_the_page_names(client: TestClient, path: str) -> None:
    def ask(name: str) -> None:
        prompt = {"prompt": f"add a worker called {name}"}
        run = client.post(f"{path}/runs", json=prompt, headers={"Prefer": "wait=60"}).json()
        assert run["status"] == "applied"

    ask("Mailer")
    with calls_meanwhile(client) as calls:
        ask("Shipping")
    check("A request to the assistant", calls)


def test_a_keystroke_passes_the_files_that_the_page_names(client: TestClient, path: str) -> None:
    def join(socket: WebSocketTestSession) -> Any:
        socket.send_json({"t": "hello", "v": 2, "resume": None, "pending": []})
        return next(message for message in socket.receive_json() if message["t"] == "state")

    def follow(socket: WebSocketTestSession) -> None:
        """Reads until a typed commit has come, which is the one message that is an array."""
        while not any(isinstance(message, list) for message in socket.receive_json()):
            pass

    live = f"ws://{HOST}{path}/live"
    with client.websocket_connect(live) as ada, client.websocket_connect(live) as bob:
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
        with calls_meanwhile(client) as calls:
            type_letter(1)
    check("A keystroke", calls)
    assert all((PAGE / file).is_file() for file in named_files("A keystroke", "ts"))
