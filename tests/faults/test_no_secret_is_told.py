"""No key, password, ticket or cookie is in anything that the server writes or answers, whatever breaks when.

Secrets go in through every door that takes one; connections are cut in the middle of requests, the provider fails, the
store goes away. Then every byte of logs, metrics, usage, debug records, exports and a backup is searched.
"""

from __future__ import annotations

import os
import random
import re
import socket
import sys
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import redis

from tests import patient
from tests.forking import run
from tests.integration.client import Api, node
from tests.integration.model_beside import Model
from tests.integration.servers import BACKEND, Server, running
from tests.integration.stores import OwnStore
from tests.kit.fixtures import model_fixture
from tests.standin import Break, HttpError, Step, Text, Turn
from tests.timeouts import TIMEOUT_SECONDS

STORE_PASSWORD = "store-password-not-to-be-told"
WRONG = "sk-standin-of-somebody-else"
PROMPT = "a prompt that is nobody else's business"
MARK = "mark-of-what-is-not-told"
CUTS = 12
STEPS: Sequence[Step] = [
    Turn([Text("fine")]),
    HttpError("api_error", "x"),
    Turn([Text("fine")], breaks=Break(3, "cut")),
]


model = model_fixture()


@pytest.fixture
def store_url(own_store: OwnStore) -> str:
    """The URL of a store that asks for a password."""
    with redis.Redis.from_url(own_store.url) as client:
        client.config_set("requirepass", STORE_PASSWORD)
    return own_store.url.replace("unix://", f"unix://:{STORE_PASSWORD}@")


def cut_off(server: Server, key: str, at: int) -> None:
    """Send the request that enters a key, and hang up in the middle of it."""
    place = urlsplit(server.url)
    body = f'{{"api_key": "{key}"}}'.encode()
    head = (
        f"PUT /api/v1/assistant/key HTTP/1.1\r\nHost: {place.netloc}\r\nOrigin: {server.url}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((str(place.hostname), int(place.port or 0))) as connection:
        connection.sendall((head.encode() + body)[: len(head) + at])


def files_below(folder: Path, but: str) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file() and path.name != but:
            yield str(path.relative_to(folder)), path.read_bytes()


def every_route(url: str, ticket: str) -> None:
    """Send secrets where they do not belong to every route: as fields, in the query, in headers and cookies."""
    headers = {"Authorization": f"Bearer {MARK}", "Cookie": f"draftsmith_profile={MARK}", "X-Api-Key": MARK}
    body = {"api_key": MARK, "prompt": MARK, "password": MARK, "operations": [{"op": MARK, "secret": MARK}]}
    with patient.client(base_url=url, params={"ticket": ticket, "q": MARK}, headers=headers) as client:
        for path, methods in client.get("/api/v1/openapi.json").json()["paths"].items():
            for method in methods.keys() & {"get", "put", "post", "patch", "delete"}:
                content = None if method == "get" else body
                with client.stream(method, re.sub(r"\{\w+\}", "none", path), json=content) as answer:  # may be endless
                    assert answer.status_code != 500, (method, path)


class Told:
    """A server that secrets are fed to, and everything that it has said."""

    def __init__(self, api: Api, model: Model, own_store: OwnStore, workspace: str) -> None:
        self.api, self.model, self.own_store, self.w = api, model, own_store, workspace
        self.said: list[tuple[str, bytes]] = []

    def ask(self, method: str, path: str, **options: object) -> httpx.Response:
        answer = self.api.send_to(method, path, **options)
        self.said.append((f"{method} {path}", answer.content))
        return answer

    def run(self, step: Step) -> None:
        self.model.script[:] = [step]
        runs = f"/workspaces/{self.w}/runs"
        run_id = self.ask("POST", runs, json={"prompt": PROMPT, "workflow": "ask"}).json()["id"]
        self.api.ended(self.w, run_id)
        self.ask("GET", f"{runs}/{run_id}")

    def lose_the_store(self) -> None:
        """Ask while it is away, and while it asks for no password, so that ours is refused; then it is back."""
        self.own_store.kill()
        self.ask("GET", f"/workspaces/{self.w}")
        self.ask("POST", f"/workspaces/{self.w}/undo")
        self.ask("POST", f"/workspaces/{self.w}/runs", json={"prompt": PROMPT})
        self.own_store.start()
        self.ask("GET", f"/workspaces/{self.w}")
        with redis.Redis.from_url(self.own_store.url) as client:
            client.config_set("requirepass", STORE_PASSWORD)
        until = time.monotonic() + TIMEOUT_SECONDS
        while self.api.get("/readyz").status_code != 200:
            assert time.monotonic() < until, "it finds back to its store"
            time.sleep(0.05)

    def exported(self) -> None:
        for kind in ("json", "md", "mermaid"):
            self.ask("GET", f"/workspaces/{self.w}/export", params={"format": kind})


def backed_up(store: str, data: Path, to: Path) -> bytes:
    """Make a backup as an operator does; what the command says."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    made = run(
        [sys.executable, "-m", "draftsmith.cli", "backup", str(to)],
        env={**ours, "PYTHONPATH": str(BACKEND), "REDIS_URL": store, "DATA_DIR": str(data)},
        capture_output=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return made.stdout + made.stderr


@pytest.mark.parametrize("form", ["console", "json"])
def test_no_secret_is_told(
    own_store: OwnStore, store_url: str, model: Model, tmp_path: Path, rng: random.Random, form: str
) -> None:
    data, backup = tmp_path / "data", tmp_path / "all.backup"
    environment = {
        "ANTHROPIC_BASE_URL": model.url, "DATA_DIR": str(data), "LOG_LEVEL": "debug", "ASSISTANT_DEBUG_RUNS": "1",
    }  # fmt: skip
    with running(store_url, "w-told", **environment, LOG_FORMAT=form) as (server,), Api(server.url) as api:
        told = Told(api, model, own_store, api.create(name="Plain"))
        size = len(model.key) + 14
        cuts = [partial(cut_off, server, model.key, at) for at in {0, 1, size - 1, *rng.sample(range(2, size), CUTS)}]
        for cut in cuts:
            cut()
        for key in (WRONG, model.key):
            told.ask("PUT", "/assistant/key", json={"api_key": key}, headers=api.own_origin)
        # Of the provider that answers, and in the list of all.
        assert told.said[-1][1].count(b'"source":"page"') == 2, told.said
        api.become("Ada")
        api.batch(told.w, node("a"))
        ticket = api.ask("POST", f"/workspaces/{told.w}/live-tickets", 201)["ticket"]
        patient.get(f"{server.url}/api/v1/workspaces/{told.w}/live?ticket={ticket}")
        actions: list[Callable[[], object]] = [
            *cuts[:3],
            *(
                partial(told.ask, "PUT", "/assistant/key", json=broken, headers=api.own_origin)
                for broken in ({"api_key": [model.key]}, {"key": model.key}, {"api_key": WRONG, "x": WRONG}, model.key)
            ),
            *map(partial(partial, told.run), STEPS),
            partial(told.run, HttpError("authentication_error", f"invalid key {model.key}")),
            partial(every_route, server.url, ticket),
            told.lose_the_store,
            told.exported,
            *(
                partial(told.ask, "GET", path)
                for path in ("/assistant", "/usage", f"/workspaces/{told.w}/runs", f"/workspaces/{told.w}", "/me")
            ),
        ]
        rng.shuffle(actions)
        for action in actions:
            action()
        with redis.Redis.from_url(store_url) as client:
            signing = client.get("draftsmith:cookie-secret").decode()
        told.said.append(("backup", backed_up(store_url, data, backup)))
        operating = [("metrics", patient.get(f"{server.url}/metrics").content)]
        cookie = api.profile_cookie[1]
        server.stop()
        operating.append(("log", server.log.encode()))
    kept = [(name, content) for name, content in files_below(data, but="assistant-key")]
    usage = [(name, content) for name, content in kept if not name.startswith("debug-runs")]
    assert {name.partition("/")[0] for name, _ in kept} >= {"debug-runs", "usage"}, "these are among what is searched"
    everything = [*told.said, *operating, *kept, ("backup file", backup.read_bytes()), *members_of(backup)]
    secrets = [model.key, WRONG, STORE_PASSWORD, signing, ticket, cookie]
    assert found_in(everything, secrets) - {("POST /session", cookie[:12])} == set()
    # What people ask is kept with runs and shown there; a key that was cut off is a beginning of one.
    assert found_in([*operating, *usage], [PROMPT, MARK, "sk-standin"]) == set()
    check_log(operating[-1][1].decode())


def members_of(backup: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(backup) as opened:
        for name in opened.namelist():
            yield f"backup: {name}", opened.read(name)


def found_in(told: Iterable[tuple[str, bytes]], secrets: Sequence[str]) -> set[tuple[str, str]]:
    """Where which secret is, by its first characters."""
    return {(name, secret[:12]) for name, content in told for secret in secrets if secret.encode() in content}


def check_log(log: str) -> None:
    assert "/api/v1/assistant/key" in log, "the requests are logged"
    assert any("499" in line for line in log.splitlines() if "assistant/key" in line), "who goes away is a quiet line"
    assert "ClientDisconnect" not in log
    assert '"event": "defect"' not in log
