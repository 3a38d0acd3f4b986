"""What a start costs and what an idle server holds: `draftsmith serve` with its own store and one worker, nobody there.

Processor time is that of the launcher with all that it has waited for, and of the worker until it has answered; memory
is the proportional set size (PSS): pages that several processes share count once. Linux only.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # ships no types
import pytest

from bench.conftest import Report
from draftsmith.adapters.server.http_client import answers_ready
from tests.timeouts import TIMEOUT_SECONDS

ROUNDS = 5
_SETTLED_S = 2.0  # what is imported after the start has been imported
_IMPORTING = """
import gc, resource
gc.disable()  # as a worker does
import draftsmith.main
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def test_importing_the_application(report: Report) -> None:
    rounds = []
    for _ in range(ROUNDS):
        said = subprocess.check_output([sys.executable, "-P", "-c", _IMPORTING], text=True, timeout=TIMEOUT_SECONDS)
        rounds.append([float(one) for one in said.split()])
    seconds, resident = (statistics.median(column) for column in zip(*rounds, strict=True))
    report("importing the application, processor s", seconds, "<=", 1.0)
    report("importing the application, resident MB", resident, "<=", 85)


def test_an_idle_server(tmp_path: Path, report: Report) -> None:
    rounds = [_idle(tmp_path / str(number)) for number in range(ROUNDS)]
    bars = {
        "from start to /readyz, s": 1.5,
        "from start to idle, processor s": 1.5,
        "idle launcher, MB": 20,
        "idle store, MB": 6,
        "idle worker, MB": 60,
        "idle server in all, MB": 60,
    }
    for name, bar in bars.items():
        report(name, statistics.median(one[name] for one in rounds), "<=", bar)


def _idle(data: Path) -> dict[str, float]:
    """Start a server, wait until it is idle, measure, end it."""
    command = [sys.executable, "-P", "-m", "draftsmith.cli", "serve", "--port", "0", "--data-dir", str(data)]
    environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    started = time.monotonic()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().rpartition(" ")[2].strip()
            assert answers_ready(url)
            ready = time.monotonic() - started
            time.sleep(_SETTLED_S)
            launcher = psutil.Process(process.pid)
            children = {("store" if "valkey" in one.name() else "worker"): one for one in launcher.children()}
            held = {"launcher": _pss(launcher), **{name: _pss(one) for name, one in children.items()}}
            times = [launcher.cpu_times(), *(one.cpu_times() for one in children.values())]
            used = times[0].children_user + times[0].children_system + sum(one.user + one.system for one in times)
        finally:
            process.terminate()
    return {
        "from start to /readyz, s": ready,
        "from start to idle, processor s": used,
        **{f"idle {name}, MB": value for name, value in held.items()},
        "idle server in all, MB": sum(held.values()),
    }


def _pss(process: psutil.Process) -> float:
    return float(process.memory_full_info().pss) / 2**20
