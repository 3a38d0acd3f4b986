"""What the processes of a server import, and when.

The SDK of the model provider: once the server is up where there is a key, never where there is none; graphs: once it is
up; the launcher: next to nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from draftsmith.adapters.anthropic.provider import ANTHROPIC
from draftsmith.assistant.model_provider import ModelProvider, Reach
from draftsmith.usecases.providers.providers import ModelAccess, Providers
from tests import patient
from tests.integration.assistant_workers import NoKeys
from tests.integration.servers import BACKEND, WITH_TESTS, Server
from tests.timeouts import TIMEOUT_SECONDS

SDK = "anthropic"
GRAPHS = "networkx"
KEY = "sk-ant-nobodys"


@contextmanager
def server_with_modules(store_url: str, folder: Path, **environment: str) -> Iterator[httpx.Client]:
    """A worker process that says what it has imported."""
    environment |= {"PYTHONPATH": WITH_TESTS}
    app = "tests.integration.server_with_modules:create_app"
    one = Server(store_url, "w", folder, app, subprocess.Popen, **environment)
    try:
        one.wait_until_up()
        with patient.client(base_url=one.url, headers={"X-Requested-With": "test"}) as client:
            yield client
    finally:
        one.stop()


def imported(client: httpx.Client) -> set[str]:
    return set(client.get("/imported").json())


def run_a_command(client: httpx.Client) -> None:
    """A run of the built-in commands, which changes the workspace."""
    workspace = client.post("/api/v1/workspaces", json={"name": "Shop"}).json()["id"]
    body = {"prompt": "add a cache called Sessions", "provider": "builtin"}
    run = client.post(f"/api/v1/workspaces/{workspace}/runs", json=body).json()
    assert run["status"] == "applied", run


def test_without_a_key_the_sdk_is_never_imported(redis_url: str, tmp_path: Path) -> None:
    """Neither by the start, nor by a run of the built-in commands, nor by looking who answers."""
    with server_with_modules(redis_url, tmp_path) as client:
        run_a_command(client)
        assert client.get("/api/v1/assistant").json()["provider"] == "builtin"
        names = imported(client)
        assert "fastapi" in names, "the route tells what is there"
        assert SDK not in names
        assert names.isdisjoint({"mcp", "mcp_types"}), "no agent has called either"


def test_with_a_key_the_sdk_is_imported_without_a_run(redis_url: str, tmp_path: Path) -> None:
    """Once the server is up, and before anybody asks anything."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "assistant-key").write_text(KEY)
    with server_with_modules(redis_url, tmp_path) as client:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while SDK not in imported(client):
            assert time.monotonic() < deadline, "the SDK was not loaded"
            time.sleep(0.02)


def modules_of(program: str) -> set[str]:
    """The modules that a process has after some lines of Python."""
    command = [sys.executable, "-P", "-c", f"import sys\n{program}\nprint(*sys.modules)"]
    environment = {**os.environ, "PYTHONPATH": str(BACKEND)}
    return set(subprocess.check_output(command, env=environment, text=True, timeout=TIMEOUT_SECONDS).split())


def test_graphs_are_not_imported_by_the_start(redis_url: str, tmp_path: Path) -> None:
    """Importing the application leaves networkx out; once the server is up it comes, before anybody opens anything."""
    names = modules_of("import draftsmith.main")
    assert "fastapi" in names, "it is the whole application"
    assert GRAPHS not in names
    with server_with_modules(redis_url, tmp_path) as client:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while GRAPHS not in imported(client):
            assert time.monotonic() < deadline, "networkx was not loaded"
            time.sleep(0.02)


def test_the_launcher_imports_the_standard_library_and_next_to_nothing_else() -> None:
    """It is there for months: neither settings nor the store's client nor what draws logs is held for it."""
    names = modules_of("import draftsmith.adapters.server.launched")
    assert "draftsmith.adapters.server.launcher" in names
    assert names.isdisjoint({"pydantic", "pydantic_settings", "click", "redis", "structlog", "asyncio"})


class Loads:
    """A provider whose loading is counted."""

    def __init__(self, choice: str, key: str = "") -> None:
        self.threads: list[str] = []
        self.done = threading.Event()
        self.keys = NoKeys()
        connections = ANTHROPIC.connect(Reach(base_url=""))
        info = ModelProvider(
            name=SDK,
            label="A",
            base_url="",
            key_file="k",
            connect=ANTHROPIC.connect,
            capabilities=ANTHROPIC.capabilities,
            load=self._load,
        )
        access = ModelAccess(info=info, env_key=key, keys=self.keys, models={}, base_url="", connections=connections)
        self.providers = Providers(choice=choice, available=[access])

    def _load(self) -> None:
        self.threads.append(threading.current_thread().name)
        self.done.set()


def test_a_key_that_comes_later_loads_it_once() -> None:
    """Another worker may have been given the key: it is looked for again and again, and loaded in a thread."""
    loads = Loads("auto")
    loads.providers.load_in_background()
    loads.keys.save(KEY)
    assert not loads.threads
    for _ in range(2):
        loads.providers.load_in_background()
        assert loads.done.wait(TIMEOUT_SECONDS)
    assert loads.threads == [f"load {SDK}"]


@pytest.mark.parametrize("choice", ["builtin", "off"])
def test_where_no_model_answers_a_key_loads_nothing(choice: str) -> None:
    """A key that nobody uses is no reason."""
    loads = Loads(choice, KEY)
    loads.providers.load_in_background()
    for one in threading.enumerate():
        if one.name == f"load {SDK}":
            one.join()
    assert not loads.threads
