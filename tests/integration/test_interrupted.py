"""What runs all tests ends with everything it has started, where it is told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # ships no types
import pytest

from tests.integration.processes import wait_for
from tests.timeouts import TIMEOUT_SECONDS

ROOT = Path(__file__).parents[2]
STAND_IN = """#!/bin/sh
# In place of make: a part of the tests, which never ends by itself.
echo $$ >> "$STARTED"
exec sleep 100000
"""


# Who runs these tests in the background of a script has interrupts ignored, and so has all that they start.
IN_FOREGROUND = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_all_tests_end_with_all_their_processes(tmp_path: Path, number: signal.Signals) -> None:
    """Both parts that run at the same time, whoever of them started what."""
    make, started = tmp_path / "make", tmp_path / "started"
    make.write_text(STAND_IN)
    make.chmod(0o755)
    started.touch()
    environment = {**os.environ, "MAKE": str(make), "STARTED": str(started)}
    command = [sys.executable, "-c", IN_FOREGROUND, ROOT / ".ci" / "test"]
    script = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        wait_for(lambda: len(started.read_text().split()) == 2)
        script.send_signal(number)
        assert script.wait(TIMEOUT_SECONDS) == 130
    finally:
        script.kill()
        script.wait()
    wait_for(lambda: not any(psutil.pid_exists(int(pid)) for pid in started.read_text().split()))


HANGS = """
import os, pathlib, signal

def test_hangs(redis_server):
    pathlib.Path(os.environ["STARTED"]).write_text(redis_server)
    while True:
        signal.pause()
"""


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 2), (signal.SIGINT, 2), (signal.SIGKILL, -9)])
def test_a_run_of_pytest_leaves_no_store_behind(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """Also one that was started in the background of a script, which has interrupts ignored, and one that is killed."""
    started = tmp_path / "started"
    (tmp_path / "test_hangs.py").write_text(HANGS)
    ignoring = IN_FOREGROUND.replace("SIG_DFL", "SIG_IGN")
    pytest_itself = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "tests.conftest", "--rootdir", tmp_path]
    process = subprocess.Popen(
        [sys.executable, "-c", ignoring, *pytest_itself, tmp_path / "test_hangs.py"],
        env={**os.environ, "STARTED": str(started)},
        cwd=ROOT,
    )
    try:
        wait_for(lambda: started.is_file() and started.read_text() != "")
        process.send_signal(number)
        assert process.wait(TIMEOUT_SECONDS) == code
    finally:
        process.kill()
        process.wait()
    folder = str(Path(started.read_text().removeprefix("unix://").partition("?")[0]).parent)
    wait_for(lambda: not any(folder in " ".join(one.info["cmdline"] or []) for one in psutil.process_iter(["cmdline"])))
