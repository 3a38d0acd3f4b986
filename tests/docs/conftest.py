"""A server as the pages speak of it: `draftsmith serve` with the sample, a data folder of its own, any free port."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.integration.processes import wait_for
from tests.timeouts import TIMEOUT_SECONDS

READY = re.compile(r"Draftsmith is ready: (http://127\.0\.0\.1:\d+)")


class Served(NamedTuple):
    """Where it answers, and where it keeps its data."""

    address: str
    data: Path


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """One for all pages; each makes workspaces of its own."""
    # Not pytest's own folder: the path of a unix socket may hold 104 bytes at most.
    root = Path(tempfile.mkdtemp(prefix="ds-"))
    log = root / "log"
    ours = ("ANTHROPIC_", "ASSISTANT_", "DATA_DIR", "EDIT_MODE", "HOST", "PORT", "REDIS_URL", "WORKERS")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    command = [
        Path(sys.executable).with_name("draftsmith"),
        "serve",
        "--sample",
        "--port",
        "0",
        "--data-dir",
        root / "data",
    ]
    with log.open("wb") as out:
        server = subprocess.Popen(
            [str(part) for part in command], env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out
        )
    try:
        found = wait_for(lambda: READY.search(log.read_text()), log.read_text)
        wait_for(lambda: "A sample to look at" in log.read_text(), log.read_text)  # made once it answers
        yield Served(found[1], root / "data")
    finally:
        server.terminate()
        try:
            server.wait(TIMEOUT_SECONDS)
        finally:
            server.kill()
            server.wait()
            shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where a page's commands find and leave files."""
    with tempfile.TemporaryDirectory(prefix="ds-") as name:
        yield Path(name)
