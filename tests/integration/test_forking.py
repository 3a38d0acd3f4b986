"""A forked process lives and ends as one that was started, as far as tests can see."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]  # ships no types
import pytest
import uvloop

from tests import forking
from tests.timeouts import TIMEOUT_SECONDS

pytestmark = pytest.mark.skipif(not forking.CAN_FORK, reason="forks on Linux alone")

LOOK = [sys.executable, "-P", "-m", "tests.integration.looking"]
"""A program that says how it finds itself, or does what it is told."""
Start = Callable[..., subprocess.CompletedProcess[Any]]


def environment_with_tests(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{forking.BACKEND}{os.pathsep}{forking.ROOT}", **more}


def look_around(start: Start, *words: str, **options: Any) -> dict[str, Any]:
    options = {"env": environment_with_tests(), "capture_output": True, "timeout": TIMEOUT_SECONDS, **options}
    done = start([*LOOK, *words], **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def passed_files(tmp_path: Path) -> Any:
    with (tmp_path / "passed").open("w+") as file:
        yield {"pass_fds": [file.fileno()], "cwd": tmp_path, "start_new_session": True}


def test_it_finds_itself_as_a_started_one_does(passed_files: dict[str, Any]) -> None:
    """Environment, folder, arguments, command line, open files, session, signals, paths, parent, collector and more."""
    options = {**passed_files, "env": environment_with_tests(LOG_LEVEL="debug"), "stdin": subprocess.DEVNULL}
    forked, started = (look_around(start, "a", "b c", **options) for start in (forking.run, subprocess.run))
    assert forked.pop("is_forked")
    assert not started.pop("is_forked")
    for name in ("pid", "drawn"):
        assert forked.pop(name) != started.pop(name)
    assert forked == started


def test_each_draws_its_own() -> None:
    """Random numbers of two processes differ, though they had the same parent."""
    assert look_around(forking.run)["drawn"] != look_around(forking.run)["drawn"]


@pytest.mark.parametrize("word, code", [("exit 3", 3), ("raise", 1), ("kill", -9), ("abort", -6), ("threads", 0)])
def test_its_end_is_told(word: str, code: int) -> None:
    """Its exit code, or the signal; what it has said is whole, and what threads have begun is done."""
    forked, started = (
        start([*LOOK, word], env=environment_with_tests(), capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
        for start in (forking.run, subprocess.run)
    )
    assert forked.returncode == started.returncode == code
    assert forked.stdout == started.stdout
    assert forked.stderr.splitlines()[-1:] == started.stderr.splitlines()[-1:]


def test_it_is_waited_for_and_ended_as_any() -> None:
    """By its input, by signals, with a time limit; and it says nothing twice."""
    with forking.Popen([*LOOK, "echo"], env=environment_with_tests(), stdin=-1, stdout=-1) as process:
        assert process.line is not None
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
        assert process.communicate(b"one", timeout=TIMEOUT_SECONDS)[0] == b"one"
        assert process.returncode == 0
    ends = {signal.SIGTERM: -15, signal.SIGKILL: -9, signal.SIGINT: -2}
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        del ends[signal.SIGINT]  # in the background of a script; a process that is started ignores it as well
    for end, code in ends.items():
        with forking.Popen([*LOOK, "echo"], env=environment_with_tests(), stdin=-1, stdout=-1, stderr=-1) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(b"up\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"up\n"  # past the moment at which it would miss a signal
            process.send_signal(end)
            assert process.wait(TIMEOUT_SECONDS) == code
    for _ in range(5):
        with forking.Popen([*LOOK, "echo"], env=environment_with_tests(), stdin=-1) as process:
            process.terminate()  # at once: it never has the handlers of its parent
            assert process.wait(TIMEOUT_SECONDS) == -15


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_loop_starts_one_as_any(new_loop: Any) -> None:
    """On the loop of the workers too: its output, its end, and the end that it is given."""

    async def play() -> None:
        pipe = asyncio.subprocess.PIPE
        for start in (forking.create_subprocess_exec, asyncio.create_subprocess_exec):
            one = await start(*LOOK, "echo", env=environment_with_tests(), stdin=pipe, stdout=pipe)
            assert await one.communicate(b"one") == (b"one", None)
            assert one.returncode == 0
            one = await start(*LOOK, "echo", env=environment_with_tests(), stdin=pipe, stdout=pipe)
            os.kill(one.pid, signal.SIGKILL)
            assert await one.wait() == -9

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-c", "pass"],
        [sys.executable, "-I", "-m", "draftsmith.cli"],
        ["/bin/true"],
        [sys.executable, "-m"],
    ],
)
def test_what_is_no_module_is_started(command: list[str]) -> None:
    assert forking.command_or_none(command, environment_with_tests()) is None


def test_what_python_reads_is_read() -> None:
    """Options of the interpreter, and modules that lie elsewhere: a new process is started."""
    assert forking.command_or_none(LOOK, environment_with_tests()) == LOOK
    assert forking.command_or_none(LOOK, environment_with_tests(PYTHONHASHSEED="7")) is None
    assert forking.command_or_none(LOOK, environment_with_tests(PYTHONPATH="/elsewhere")) is None
    assert not look_around(forking.run, env=environment_with_tests(PYTHONHASHSEED="7"))["is_forked"]


def test_what_it_starts_of_the_product_is_forked_too() -> None:
    """By `subprocess`, by `asyncio`, as what ends with its parent, and as what it becomes."""
    for way in ("popen", "loop", "wrapped", "becomes"):
        inner = look_around(forking.run, way)
        assert inner["is_forked"], way
        assert inner["arguments"][1:] == ["inner"]


def is_gone(process: psutil.Process) -> bool:
    return not psutil.wait_procs([process], timeout=TIMEOUT_SECONDS)[1]


def test_it_ends_with_whoever_asked_for_it() -> None:
    """A killed process leaves none of those that it had forked, nor those that these had."""
    with forking.Popen([*LOOK, "nest"], env=environment_with_tests(), stdout=-1) as outer:
        assert outer.stdout is not None
        inner = psutil.Process(int(outer.stdout.readline()))
        outer.kill()
        assert is_gone(inner)


def test_nothing_is_left_of_a_run_that_is_killed() -> None:
    """Its parent of processes, the processes, and the folder of the socket end with it, whatever is sent to all."""
    free = {name: value for name, value in environment_with_tests().items() if name != forking.ADDRESS}
    with subprocess.Popen([*LOOK, "nest"], env=free, stdout=-1) as outer:
        assert outer.stdout is not None
        inner = psutil.Process(int(outer.stdout.readline()))
        address = Path(outer.stdout.readline().decode().strip())
        parent = inner.parent()
        assert parent is not None
        assert address.exists()
        assert parent.ppid() == outer.pid
        parent.terminate()
        outer.kill()
        assert is_gone(inner)
        assert is_gone(parent)
        assert not address.parent.exists()


def test_a_command_stands_for_a_forked_process() -> None:
    """For tests that are not in Python: its words, its end, signals to it, and nothing is left when it is killed."""
    command = [sys.executable, "-P", "-m", "tests.forking"]
    free = {name: value for name, value in environment_with_tests().items() if name != forking.ADDRESS}
    with subprocess.Popen(command, env=free, stdin=-1, stdout=-1, text=True) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        address = run.stdout.readline().strip()
        run.send_signal(signal.SIGTERM)  # as to all of a run: it goes on until its input ends
        options: dict[str, Any] = {"env": {**free, forking.ADDRESS: address}, "text": True}
        ends = {"exit 3": 3, "kill": 128 + signal.SIGKILL}
        for word, code in ends.items():
            done = subprocess.run([*command, *LOOK, word], check=False, capture_output=True, **options)
            assert done.returncode == code, done.stderr
        found = json.loads(subprocess.run([*command, *LOOK], capture_output=True, check=True, **options).stdout)
        assert found["is_forked"]
        for end in (signal.SIGTERM, signal.SIGKILL):
            with subprocess.Popen([*command, *LOOK, "nest"], stdout=-1, **options) as standing:
                assert standing.stdout is not None
                inner = psutil.Process(int(standing.stdout.readline()))
                standing.send_signal(end)
                assert standing.wait(TIMEOUT_SECONDS) == (128 + end if end == signal.SIGTERM else -end)
                assert is_gone(inner)
        run.stdin.close()
        assert run.wait(TIMEOUT_SECONDS) == 0
    assert not Path(address).parent.exists()


def test_a_process_is_over_once_its_transport_is_closed() -> None:
    """Also where the loop ends before it could be told."""

    async def start_and_close() -> Any:
        process = await forking.create_subprocess_exec(*LOOK, "echo", env=environment_with_tests(), stdin=-1)
        process._transport.close()  # type: ignore[attr-defined]  # as when a process is dropped
        return process._transport._proc  # type: ignore[attr-defined]  # nothing public has it

    started = asyncio.run(start_and_close())
    assert (started.returncode, started.line.fileno()) == (-signal.SIGKILL, -1)
