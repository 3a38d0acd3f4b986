"""The real application in processes of its own, each a worker as the launcher starts it, on a free port."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests import patient
from tests.forking import Popen
from tests.integration.client import Api
from tests.timeouts import TIMEOUT_SECONDS

BACKEND = Path(__file__).parents[2] / "backend"
WITH_TESTS = f"{BACKEND}{os.pathsep}{BACKEND.parent}"
"""The PYTHONPATH of a process that finds the tests' modules beside the product's."""
APP = "draftsmith.main:create_app"
DRAIN_SECONDS = 5


def _is_whole(line: str) -> bool:
    return line.startswith("{") and line.endswith("}\n")


class Server:
    """One worker process, forked unless `start` starts it in another way.

    Attributes:
        url: where it answers, without a slash at the end.
    """

    def __init__(
        self,
        store_url: str,
        name: str,
        folder: Path,
        app: str = APP,
        start: type[subprocess.Popen[Any]] = Popen,
        **environment: str,
    ) -> None:
        self._log = folder / f"{name}.log"
        with socket.socket() as listener, self._log.open("wb") as log:
            listener.bind(("127.0.0.1", 0))
            listener.listen(512)
            self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            environment = {"DATA_DIR": str(folder / "data"), "LOG_FORMAT": "json", **environment}
            environment = _environment(REDIS_URL=store_url, DRAFTSMITH_WORKER=name, **environment)
            command = [sys.executable, "-P", "-m", "draftsmith.adapters.server.worker", str(os.getpid())]
            self.process = start(
                [*command, str(listener.fileno()), app, str(DRAIN_SECONDS)],
                env=environment, pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def wait_until_up(self) -> None:
        """Return when it answers; fail with what it said where it does not."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        with patient.client(base_url=self.url) as client:
            while self.process.poll() is None and time.monotonic() < deadline:
                try:
                    client.get("/healthz")
                except httpx.TransportError:
                    time.sleep(0.05)
                else:
                    return
        raise AssertionError(f"the server did not start:\n{self.log}")

    @property
    def log(self) -> str:
        """Everything it has said so far."""
        return self._log.read_text(errors="replace")

    def logged(self, **facts: Any) -> list[dict[str, Any]]:
        """The lines of its log so far that carry these facts."""
        lines = [json.loads(line) for line in self.log.splitlines(keepends=True) if _is_whole(line)]
        return [line for line in lines if all(line.get(name) == value for name, value in facts.items())]

    def log_lines(self, **facts: Any) -> list[dict[str, Any]]:
        """The lines of its log that carry these facts; waits for the first, which is written after the answer."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not (found := self.logged(**facts)) and time.monotonic() < deadline:
            time.sleep(0.01)
        return found

    def stop(self) -> None:
        """End it, and wait for its end, which must come by itself."""
        self.process.terminate()
        try:
            self.process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the server did not end:\n{self.log}") from None


def _environment(**more: str) -> dict[str, str]:
    """This process's environment without settings of the product, and some more."""
    ours = ("REDIS_URL", "DRAFTSMITH_", "ALLOWED_", "FRAME_", "TRUSTED_", "ROOT_PATH", "PUBLIC_URL", "LOG_", "MAX_",
            "DATA_DIR", "PROMETHEUS_", "HOST", "PORT", "ANTHROPIC_", "ASSISTANT_", "EDIT_MODE", "MODE", "OIDC_",
            "JWT_", "WRITES_", "TRIES_", "AGENT_", "OPENAI_", "AZURE_", "GOOGLE_", "BEDROCK_", "VERTEX_",
            "PLUGIN")  # fmt: skip
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    # Processes that no test of a server asks anything would be started for nothing.
    return {**kept, "PYTHONPATH": str(BACKEND), "PREPARERS_START": "needed", **more}


@contextmanager
def running(
    store_url: str,
    *names: str,
    app: str = APP,
    start: type[subprocess.Popen[Any]] = Popen,
    **environment: str,
) -> Iterator[list[Server]]:
    """Worker processes on one store, up; ended whatever happens. With several, their metrics are shared."""
    if Api.token_mode is not None:
        environment = {**Api.token_mode.settings, **environment}
    with tempfile.TemporaryDirectory(prefix="ds-") as name:
        folder = Path(name)
        if len(names) > 1:
            (folder / "metrics").mkdir()
            environment["PROMETHEUS_MULTIPROC_DIR"] = str(folder / "metrics")
        servers: list[Server] = []
        try:
            servers += [Server(store_url, name, folder, app, start, **environment) for name in names]
            for server in servers:
                server.wait_until_up()
            yield servers
        finally:
            for server in servers:
                server.process.terminate()  # all at once: each may have something to finish
            for server in servers:
                server.stop()
        for server in servers:
            told = server.logged(logger="asyncio")
            assert not told, f"a worker forgot what it had begun: {told}"
