"""Start Draftsmith's processes for a test, wait for what they do, and find those that are left."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import psutil  # type: ignore[import-untyped]  # ships no types

from tests.timeouts import TIMEOUT_SECONDS

BACKEND = Path(__file__).parents[2] / "backend"

Found = TypeVar("Found")

# What the workers of these tests serve.
TINY_APP = """
import asyncio, json, os

made = {}

def answer(scope, headers):
    where = scope["method"], scope["path"]
    if where == ("GET", "/readyz"):
        return 200, {}
    if where == ("GET", "/api/v1/workspaces"):
        return 200, {"items": [{"id": w} for w, there in made.values() if there]}
    if where == ("POST", "/api/v1/workspaces"):
        key = headers[b"idempotency-key"].decode()
        made.setdefault(key, ("w%d" % len(made), True))
        return 201, {"id": made[key][0]}
    if where == ("DELETE", "/all"):
        for key, (w, _) in made.items():
            made[key] = (w, False)
        return 200, {}
    if scope["path"].startswith("/api/v1/workspaces/"):
        return (200 if (scope["path"].rsplit("/", 1)[1], True) in made.values() else 404), {}
    return 200, {"pid": os.getpid(), "environment": dict(os.environ)}

def create_app():
    async def app(scope, receive, send):
        if scope["type"] == "lifespan":
            while True:
                kind = (await receive())["type"]
                await send({"type": kind + ".complete"})
                if kind == "lifespan.shutdown":
                    return
        if scope["path"] == "/slow":
            print("slow request came", flush=True)
            await asyncio.sleep(float(scope["query_string"]))
        status, body = answer(scope, dict(scope["headers"]))
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(body).encode()})
    return app
"""

# Whoever runs the tests in the background of a script hands down an interrupt that is ignored, and the launcher minds.
DRIVER = """
import json, signal, sys
from pathlib import Path
for number in (signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
from draftsmith.adapters.server.launcher import Launcher, Options
from draftsmith.errors import DraftsmithError
given = json.loads(sys.argv[1])
given["data_dir"] = Path(given["data_dir"])
try:
    sys.exit(Launcher(Options(**given), lambda message: print(message, flush=True)).run())
except DraftsmithError as problem:
    sys.exit(f"{problem.code}: {problem.detail}")
"""


def wait_for(what: Callable[[], Found | None], why: Callable[[], str] = lambda: "") -> Found:
    """Ask until the answer is truthy, and give it; fail after the time in which anything happens."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        found = what()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain. {why()}")


def processes_of(folder: Path) -> list[psutil.Process]:
    """Find every live process that works on the data folder, by its command line, environment or current folder."""
    mine = []
    for process in psutil.process_iter():
        try:
            if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                continue
            told = " ".join(process.cmdline()) + process.environ().get("DATA_DIR", "") + process.cwd()
        except (psutil.NoSuchProcess, psutil.AccessDenied, OSError):
            continue
        if str(folder) in told:
            mine.append(process)
    return mine


@contextmanager
def own_folder() -> Iterator[Path]:
    """A new folder with a short path, since sockets lie in it; afterwards no process may be left on it."""
    folder = Path(tempfile.mkdtemp(prefix="ds-"))
    yield folder
    left = processes_of(folder)
    for process in left:
        process.kill()
    shutil.rmtree(folder, ignore_errors=True)
    assert left == []


def is_alive(pid: int) -> bool:
    """Whether the process is there, be it as a zombie."""
    return bool(psutil.pid_exists(pid))


def get(url: str, method: str = "GET") -> Any:
    """Ask over HTTP on a connection of its own, closed also when it is cut off; the decoded answer."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request(method, f"{parts.path or '/'}?{parts.query}")
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


class Run:
    """One launcher process with the tiny application."""

    def __init__(self, data: Path, scratch: Path, app: str = "tiny_app:create_app", **options: Any) -> None:
        (scratch / "tiny_app.py").write_text(TINY_APP)
        self.data = data
        given = {"host": "127.0.0.1", "port": 0, "workers": 1, "data_dir": str(data), "app": app, **options}
        self._out = scratch / f"out-{time.monotonic_ns()}"
        with self._out.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-c", DRIVER, json.dumps(given)],
                env={**os.environ, "PYTHONPATH": f"{BACKEND}{os.pathsep}{scratch}"},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    @property
    def output(self) -> str:
        return self._out.read_text()

    def url(self) -> str:
        """Wait until it says that it is ready; its URL."""

        def ready() -> str | None:
            assert self.process.poll() is None, self.output
            said = self.output.partition("is ready: ")[2]
            return said.split()[0] if "\n" in said else None

        return wait_for(ready, lambda: self.output)

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send it a signal and wait for its end; the return code."""
        self.process.send_signal(number)
        return self.process.wait(TIMEOUT_SECONDS)
