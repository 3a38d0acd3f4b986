"""No key, password, ticket or cookie is in anything that the server writes or answers, whatever breaks when.

Secrets go in through every door that takes one; connections are cut in the middle of requests, the provider fails, the
store goes away. Then every byte of logs, metrics, usage, debug records, exports and a backup is searched.
"""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import redis

from tests.integration.client import Api, node
from tests.integration.model_beside import Model, model_beside
from tests.integration.servers import BACKEND, Server, running
from tests.integration.stores import OwnStore
from tests.standin import HttpError, Text, Turn

STORE_PASSWORD = "store-password-not-to-be-told"
WRONG = "sk-standin-of-somebody-else"
CUTS = 12


@pytest.fixture
def model() -> Iterator[Model]:
    with model_beside() as model:
        yield model


@pytest.fixture
def store(own_store: OwnStore) -> str:
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


@pytest.mark.parametrize("form", ["console", "json"])
def test_no_secret_is_told(
    own_store: OwnStore, store: str, model: Model, tmp_path: Path, rng: random.Random, form: str
) -> None:
    data = tmp_path / "data"
    environment = {
        "ANTHROPIC_BASE_URL": model.url, "DATA_DIR": str(data), "LOG_LEVEL": "debug", "ASSISTANT_DEBUG_RUNS": "1",
    }  # fmt: skip
    with running(store, "w-told", **environment, LOG_FORMAT=form) as (server,), Api(server.url) as api:
        said: list[tuple[str, bytes]] = []

        def ask(method: str, path: str, **options: object) -> httpx.Response:
            answer = api.send_to(method, path, **options)
            said.append((f"{method} {path}", answer.content))
            return answer

        size = len(model.key) + 14
        for at in sorted({0, 1, size - 1, *(rng.randrange(size) for _ in range(CUTS))}):
            cut_off(server, model.key, at)
        for key in (WRONG, model.key):
            ask("PUT", "/assistant/key", json={"api_key": key}, headers=api.own_origin)
        assert said[-1][1].count(b'"source":"page"') == 1, said
        for broken in ({"api_key": [model.key]}, {"key": model.key}, {"api_key": model.key, "x": model.key}, model.key):
            ask("PUT", "/assistant/key", json=broken, headers=api.own_origin)
        api.become("Ada")
        w = api.create(name="Plain")
        api.batch(w, node("a"))
        ticket = api.ask("POST", f"/workspaces/{w}/live-tickets", 201)["ticket"]
        httpx.get(f"{server.url}/api/v1/workspaces/{w}/live?ticket={ticket}")
        wait = {"Prefer": "wait=30"}
        script = [
            Turn(Text("fine")),
            HttpError("authentication_error", f"invalid key {model.key}"),
            HttpError("api_error", "x"),
        ]
        for step in script:
            model.script[:] = [step]
            ask("POST", f"/workspaces/{w}/runs", json={"prompt": "hello", "workflow": "ask"}, headers=wait)
        with redis.Redis.from_url(store) as client:
            signing = client.get("draftsmith:cookie-secret").decode()
        backup = tmp_path / "all.backup"
        ours = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
        made = subprocess.run(
            [sys.executable, "-c", "from draftsmith.cli import main; main()", "backup", str(backup)],
            env={**ours, "PYTHONPATH": str(BACKEND), "REDIS_URL": store, "DATA_DIR": str(data)},
            capture_output=True, check=False,
        )  # fmt: skip
        said.append(("backup", made.stdout + made.stderr))
        assert made.returncode == 0, made.stderr
        for path in (
            "/assistant",
            "/usage",
            f"/workspaces/{w}/runs",
            f"/workspaces/{w}/conversation",
            f"/workspaces/{w}",
            "/me",
            "/openapi.json",
        ):
            ask("GET", path)
        for kind in ("json", "md", "mermaid"):
            ask("GET", f"/workspaces/{w}/export", params={"format": kind})
        own_store.kill()
        for method, path in (
            ("GET", f"/workspaces/{w}"),
            ("POST", f"/workspaces/{w}/undo"),
            ("POST", f"/workspaces/{w}/runs"),
        ):
            ask(method, path, json={"prompt": "x"} if path.endswith("runs") else {})
        own_store.start()  # which asks for no password now, so that ours is refused
        for _ in range(3):
            ask("GET", f"/workspaces/{w}")
        said.append(("metrics", httpx.get(f"{server.url}/metrics").content))
        cookie = api.profile_cookie[1]
        server.stop()
        log = server.log
    said += [
        ("log", log.encode()),
        *files_below(data, but="assistant-key"),
        ("backup file", backup.read_bytes()),
    ]
    assert "/api/v1/assistant/key" in log, "the requests are logged"
    assert any(name.startswith("debug-runs") for name, _ in said), "debug records are among what is searched"
    secrets = [model.key, WRONG, STORE_PASSWORD, signing, ticket, cookie]
    told = {(name, secret[:12]) for name, content in said for secret in secrets if secret.encode() in content}
    assert told - {("POST /session", cookie[:12])} == set()
    assert "Traceback" not in log.partition('"event": "store_lost"')[0]
    cuts = [line for line in log.splitlines() if "499" in line and "assistant/key" in line]
    assert cuts, "who goes away is a quiet line"
