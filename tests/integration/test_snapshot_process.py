"""Snapshots made by a process beside the worker: started, ended, never left behind."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from structlog.testing import capture_logs

from draftsmith.adapters.server.snapshot_process import SnapshotStarter
from draftsmith.snapshotter import FAILED, FROZEN, WRONG_USE
from tests import forking
from tests.contracts.backends import RedisBackend
from tests.integration.edited_workspaces import EditedWorkspace, meta_of
from tests.integration.processes import BACKEND
from tests.timeouts import until

# A worker that starts a snapshotter and stays.
PARENT = """
import asyncio, sys
from tests.fakes.memory_log import MemoryCommitLog, MemoryStore
from draftsmith.adapters.server.snapshot_process import SnapshotStarter

async def main():
    SnapshotStarter(MemoryCommitLog(MemoryStore()), "w", sys.argv[1]).start(sys.argv[2])
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def _forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have snapshotters forked; where a worker is killed, it has started its own."""
    monkeypatch.setattr(asyncio, "create_subprocess_exec", forking.create_subprocess_exec)


@pytest.fixture
def deaf_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of something that takes connections and never answers."""
    path = tmp_path_factory.mktemp("d") / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        yield f"unix://{path}"


async def idle(starter: SnapshotStarter) -> None:
    await until(lambda: starter.is_idle)


def snapshotters(w: str) -> list[psutil.Process]:
    """Every live process that makes a snapshot of `w`."""
    found = []
    for process in psutil.process_iter():
        try:
            line = process.cmdline()
            if "draftsmith.snapshotter" in line and w in line and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


async def test_a_snapshot_is_made_beside_the_worker(store: RedisBackend, life: EditedWorkspace) -> None:
    """Started without waiting; asking again meanwhile starts nothing more, nor does asking shortly after."""
    await life.grow(10)
    before = await life.dump()
    starter = SnapshotStarter(store.log, "w", store.url, now=lambda: 0.0)
    for _ in range(5):
        starter.start(life.w)
    await idle(starter)
    meta = await meta_of(life)
    assert (meta.snap, starter.made, starter.failed) == (meta.head.revision, 1, 0)
    assert await life.dump() == before
    starter.start(life.w)
    assert starter.is_idle
    await starter.close()


async def test_workers_agree_on_who_makes_it(store: RedisBackend, life: EditedWorkspace) -> None:
    """By the lock in the store: of two that start at once one makes it."""
    await life.grow(3)
    starters = [SnapshotStarter(store.log, name, store.url) for name in ("a", "b")]
    for starter in starters:
        starter.start(life.w)
    for starter in starters:
        await idle(starter)
    assert sorted(starter.made for starter in starters) == [0, 1]
    assert sum(starter.failed for starter in starters) == 0


async def test_workspaces_that_wait_share_a_process(store: RedisBackend) -> None:
    """Starting one costs more than most snapshots; one that is frozen keeps the others from nothing."""
    lives = []
    for _ in range(3):
        life = EditedWorkspace(store.log, store.index)
        await life.begin()
        lives.append(life)
    await lives[1].poison()
    starter = SnapshotStarter(store.log, "w", store.url)
    with capture_logs() as logs:
        for life in lives:
            starter.start(life.w)
        await idle(starter)
    assert [(await meta_of(life)).snap for life in lives] == [1, 0, 1]
    assert (starter.processes, starter.made, starter.failed) == (1, 2, 1)
    [failed] = [entry for entry in logs if entry["event"] == "snapshot_failed"]
    assert (failed["workspace"], failed["reason"]) == (lives[1].w, f"exit code {FROZEN}")
    assert lives[0].w not in failed["said"]


async def test_failures_are_logged_and_not_repeated_at_once(store: RedisBackend, life: EditedWorkspace) -> None:
    """A frozen workspace, one that is gone, a store that does not answer: each is said and left alone for a while."""
    await life.grow(2)
    await life.poison()
    starter = SnapshotStarter(store.log, "w", store.url)
    with capture_logs() as logs:
        for w in (life.w, "0" * 26):
            starter.start(w)
        await idle(starter)
        starter.start(life.w)
        assert starter.is_idle
    assert (starter.made, starter.failed) == (0, 2)
    assert [(entry["event"], entry["workspace"]) for entry in logs] == [
        ("snapshot_failed", life.w),
        ("snapshot_failed", "0" * 26),
    ]
    assert [entry["reason"] for entry in logs] == [f"exit code {FROZEN}", f"exit code {FAILED}"]
    assert "revision 4 cannot be applied" in logs[0]["said"]
    assert "workspace_not_found" in logs[1]["said"]


async def test_one_that_does_not_end_is_ended(store: RedisBackend, life: EditedWorkspace, deaf_url: str) -> None:
    starter = SnapshotStarter(store.log, "w", deaf_url, timeout_s=0.3)
    with capture_logs() as logs:
        starter.start(life.w)
        await idle(starter)
    assert [entry["reason"] for entry in logs] == ["no end after 0.3 s"]
    assert snapshotters(life.w) == []


async def test_closing_ends_what_runs(store: RedisBackend, life: EditedWorkspace, deaf_url: str) -> None:
    """And forgets what waits; nothing is started afterwards."""
    starter = SnapshotStarter(store.log, "w", deaf_url)
    starter.start(life.w)
    starter.start("0" * 26)
    await until(lambda: bool(snapshotters(life.w)))
    await starter.close()
    assert snapshotters(life.w) == []
    starter.start("1" * 26)
    assert starter.is_idle


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only this kernel ends children with their parent")
async def test_a_killed_worker_leaves_no_snapshotter(life: EditedWorkspace, deaf_url: str) -> None:
    """Not even by `kill -9`."""
    parent = await asyncio.create_subprocess_exec(
        *[sys.executable, "-c", PARENT, deaf_url, life.w], env={**os.environ, "PYTHONPATH": str(BACKEND)}
    )
    try:
        await until(lambda: bool(snapshotters(life.w)))
    finally:
        parent.kill()
        await parent.wait()

    await until(lambda: not snapshotters(life.w))


def run_by_hand(*arguments: str, **environment: str) -> tuple[int, list[dict[str, Any]]]:
    """Run a snapshotter to its end; its exit code and what it logged."""
    clean = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "DRAFTSMITH_STORE_URL")}
    done = forking.run(
        [sys.executable, "-m", "draftsmith.snapshotter", *arguments],
        env={**clean, "PYTHONPATH": str(BACKEND), "LOG_FORMAT": "json", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, [json.loads(line) for line in done.stderr.splitlines()]


async def test_a_snapshotter_can_be_started_by_hand(store: RedisBackend, life: EditedWorkspace, tmp_path: Path) -> None:
    """It takes the rules from the environment and says what it did."""
    await life.grow(9)
    code, said = await asyncio.to_thread(run_by_hand, life.w, DRAFTSMITH_STORE_URL=store.url)
    assert (code, said[-1]["event"], said[-1]["stored"], said[-1]["revision"]) == (0, "done", "ok", 10)
    await life.grow(9)
    rules = {"RETAIN_MIN_ENTRIES": "2", "RETAIN_MAX_ENTRIES": "3"}
    code, said = await asyncio.to_thread(run_by_hand, life.w, REDIS_URL=store.url, **rules)
    assert (code, said[-1]["stored"], said[-1]["base"]) == (0, "ok", 10)
    assert run_by_hand()[0] == WRONG_USE
    assert run_by_hand(life.w)[0] == WRONG_USE
    assert run_by_hand(life.w, REDIS_URL=f"unix://{tmp_path}/nobody")[0] == FAILED
