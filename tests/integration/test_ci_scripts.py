"""`.ci/test`, with a program in place of make."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil

from tests.integration.processes import wait_for
from tests.timeouts import TIMEOUT_SECONDS

ROOT = Path(__file__).parents[2]
# All that runs with the editor's tests is stopped, until somebody lets it go on.
MAKE = """#!/usr/bin/env bash
[[ $2 != test-web ]] || kill -STOP 0
echo "done: $2"
"""


def test_what_is_stopped_for_a_while_has_not_ended(tmp_path: Path) -> None:
    program = tmp_path / "make"
    program.write_text(MAKE, encoding="utf-8")
    program.chmod(0o755)
    environment = {**os.environ, "MAKE": str(program), "TMPDIR": str(tmp_path)}
    with subprocess.Popen([ROOT / ".ci" / "test"], env=environment, stdout=subprocess.PIPE, text=True) as run:
        os.killpg(wait_for(lambda: stopped_group(run)), signal.SIGCONT)
        said, _ = run.communicate(timeout=TIMEOUT_SECONDS)
    assert run.returncode == 0, said
    assert [line for line in said.splitlines() if line.startswith(("done", "The editor"))] == [
        "done: test-web",
        "done: test-e2e",
        "The editor's tests are over; the Python tests go on.",
        "done: test-python",
    ]


def stopped_group(run: subprocess.Popen[str]) -> int | None:
    """The process group of what a run has started and is stopped."""
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(run.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if process.status() == psutil.STATUS_STOPPED:
                    return os.getpgid(process.pid)
    return None
