"""`draftsmith serve`: workers share a port, what dies comes back, and no process outlives its parent."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import redis

from draftsmith.adapters.embedded.folder import DataFolder
from draftsmith.adapters.embedded.server import answers, connect
from draftsmith.adapters.process.supervise import Backoff, describe_exit
from draftsmith.adapters.server.http_client import ensure_sample
from draftsmith.adapters.server.listening import listen, url_of
from draftsmith.errors import DraftsmithError
from tests.integration.processes import BACKEND, Run, get, is_alive, processes_of, wait_for
from tests.timeouts import NEVER_SECONDS, TIMEOUT_SECONDS


def store_of(data: Path) -> str:
    running = DataFolder(data).running_or_none()
    assert running is not None
    return running.url


def store_pid(data: Path) -> int:
    running = DataFolder(data).running_or_none()
    return running.pid if running is not None else 0


def workers_seen(url: str, count: int) -> set[int]:
    """Ask until `count` different workers have answered; their process ids."""
    seen: set[int] = set()

    def all_seen() -> bool:
        seen.add(get(url)["pid"])
        return len(seen) >= count

    wait_for(all_seen, lambda: f"only {seen} answered")
    return seen


def test_two_workers_answer_on_one_port_and_a_killed_one_is_replaced(data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path, workers=2)
    url = run.url()
    killed, other = workers_seen(url, 2)
    os.kill(killed, signal.SIGKILL)
    wait_for(lambda: not is_alive(killed))
    after = workers_seen(url, 2)
    assert killed not in after
    assert other in after
    assert run.end() == 0
    assert "SIGKILL" in run.output


def test_each_worker_is_told_its_store_its_place_and_a_name_never_used_before(data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path)
    url = run.url()
    first = get(url)
    os.kill(first["pid"], signal.SIGKILL)
    second = wait_for(lambda: answer if (answer := get(url))["pid"] != first["pid"] else None)
    told = first["environment"]
    assert told["DRAFTSMITH_STORE_URL"] == store_of(data)
    assert (told["HOST"], told["PORT"], told["WORKERS"]) == ("127.0.0.1", url.rpartition(":")[2], "1")
    assert told["DATA_DIR"] == str(data)
    assert told["DRAFTSMITH_WORKER"] != second["environment"]["DRAFTSMITH_WORKER"]
    assert int(told["DRAFTSMITH_STARTED_MS"]) > 0
    assert told["DRAFTSMITH_STARTED_MS"] == second["environment"]["DRAFTSMITH_STARTED_MS"], "the server's, not its own"
    assert run.end() == 0


def test_a_killed_store_comes_back_with_its_data_while_the_workers_stay(data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path)
    url = run.url()
    worker, first = get(url)["pid"], store_pid(data)
    with connect(store_of(data)) as client:
        client.set("a", "1")
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: store_pid(data) != first and answers(store_of(data)))
    with connect(store_of(data)) as client:
        assert client.get("a") == "1"
    assert get(url)["pid"] == worker
    assert run.end() == 0
    assert "killed by SIGKILL" in run.output


def test_kill_9_of_the_launcher_leaves_no_process_and_loses_nothing(data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path, workers=2)
    run.url()
    with connect(store_of(data)) as client:
        client.set("a", "1")
    assert len(processes_of(data)) == 4
    run.end(signal.SIGKILL)
    wait_for(lambda: not processes_of(data))

    again = Run(data, tmp_path)
    again.url()
    with connect(store_of(data)) as client:
        assert client.get("a") == "1"
    assert again.end() == 0


@pytest.mark.parametrize("moment", [0.15, 0.3, 0.5, 0.8])
def test_kill_9_at_any_moment_of_the_start_leaves_no_process(moment: float, data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path, workers=2)
    with pytest.raises(subprocess.TimeoutExpired):
        run.process.wait(moment)
    run.end(signal.SIGKILL)
    wait_for(lambda: not processes_of(data))
    again = Run(data, tmp_path)
    again.url()
    assert again.end() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_lets_running_requests_finish(number: int, data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path)
    url = run.url()
    answered: list[Any] = []
    asking = threading.Thread(target=lambda: answered.append(get(f"{url}/slow?1.0")))
    asking.start()
    wait_for(lambda: "slow request came" in run.output)
    assert run.end(number) == 0
    asking.join()
    assert [set(answer) for answer in answered] == [{"pid", "environment"}]
    assert processes_of(data) == []
    assert DataFolder(data).holder_or_none() is None


def test_a_second_signal_does_not_wait_for_requests(data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path, drain_s=NEVER_SECONDS)
    url = run.url()
    cut: list[str] = []
    asking = ask_in_vain(f"{url}/slow?{NEVER_SECONDS}", cut)
    wait_for(lambda: "slow request came" in run.output)
    run.process.send_signal(signal.SIGTERM)
    # Two equal signals at once count as one: the second is to come after the first was taken.
    wait_for(lambda: not is_open(url))
    assert run.end() == 0
    asking.join()
    assert len(cut) == 1


def ask_in_vain(url: str, cut: list[str]) -> threading.Thread:
    """Ask in a thread; what cut the request off, or that the answer was an error, is put into `cut`."""

    def ask() -> None:
        try:
            get(url)
        except (OSError, ValueError) as problem:
            cut.append(repr(problem))

    asking = threading.Thread(target=ask)
    asking.start()
    return asking


def is_open(url: str) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), timeout=1):
            return True
    except OSError:
        return False


def test_requests_that_never_end_are_cut_off_after_the_drain(data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path, drain_s=1)
    url = run.url()
    cut: list[str] = []
    asking = ask_in_vain(f"{url}/slow?{NEVER_SECONDS}", cut)
    wait_for(lambda: "slow request came" in run.output)
    assert run.end() == 0
    asking.join()
    assert len(cut) == 1


def test_a_stop_in_the_middle_of_the_start_is_a_stop(data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path)
    wait_for(lambda: DataFolder(data).holder_or_none())
    assert run.end() == 0
    assert processes_of(data) == []


def test_a_second_launcher_on_the_folder_is_refused_with_the_address_of_the_first(data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path)
    url = run.url()
    second = Run(data, tmp_path)
    assert second.process.wait(TIMEOUT_SECONDS) == 1
    assert "data_folder_in_use" in second.output
    assert url in second.output
    assert f"pid {run.process.pid}" in second.output
    assert get(url)["pid"]
    assert run.end() == 0


def test_a_port_in_use_is_said_before_anything_is_started(data: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = Run(data, tmp_path, port=port)
        assert run.process.wait(TIMEOUT_SECONDS) == 1
    assert run.output.startswith("port_in_use")
    assert "Try PORT=" in run.output
    assert not data.exists()


def test_an_address_beyond_loopback_is_refused_unless_allowed() -> None:
    with pytest.raises(DraftsmithError) as refusal:
        listen("0.0.0.0", 0)
    assert refusal.value.code == "insecure_bind"
    assert "DRAFTSMITH_MODE=token" in refusal.value.detail
    with listen("0.0.0.0", 0, is_local=False) as listener:
        assert url_of(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_localhost_is_loopback() -> None:
    with listen("localhost", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_a_name_that_is_no_address_is_a_clear_refusal() -> None:
    with pytest.raises(DraftsmithError, match="bind_failed"):
        listen("no-such-host.invalid", 0)


def test_an_application_that_does_not_start_ends_the_launch(data: Path, tmp_path: Path) -> None:
    """Starting it again and again would only hide the reason."""
    run = Run(data, tmp_path, app="no_such_module:create_app")
    assert run.process.wait(TIMEOUT_SECONDS) == 1
    assert "worker_failed" in run.output
    assert "no_such_module" in run.output
    assert processes_of(data) == []


def test_a_named_store_is_used_and_none_is_started(data: Path, tmp_path: Path, redis_url: str) -> None:
    run = Run(data, tmp_path, redis_url=redis_url)
    told = get(run.url())["environment"]
    assert told["DRAFTSMITH_STORE_URL"] == redis_url
    assert {process.name() for process in processes_of(data)}.isdisjoint({"valkey-server", "redis-server"})
    metrics = Path(told["PROMETHEUS_MULTIPROC_DIR"])
    assert metrics.is_dir()
    assert run.end() == 0
    assert not metrics.exists()
    with redis.Redis.from_url(redis_url) as client:
        assert client.ping()


def test_counters_of_a_killed_launcher_are_removed_by_the_next(
    data: Path, tmp_path: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of one that runs stay, and those that were made a moment ago."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))

    def start() -> tuple[Run, Path]:
        run = Run(data, tmp_path, redis_url=redis_url)
        return run, Path(get(run.url())["environment"]["PROMETHEUS_MULTIPROC_DIR"])

    killed, left = start()
    running, kept = start()
    killed.end(signal.SIGKILL)
    new = temporary / "draftsmith-metrics-new"
    new.mkdir()
    for folder in (left, kept):
        os.utime(folder, (0, 0))
    last, own = start()
    assert sorted(temporary.glob("draftsmith-metrics-*")) == sorted([kept, new, own])
    for run in (running, last):
        assert run.end() == 0
    assert list(temporary.glob("draftsmith-metrics-*")) == [new]


def test_counters_begin_at_zero_and_gauges_of_dead_workers_go(data: Path, tmp_path: Path) -> None:
    DataFolder(data).prepare()
    (data / "metrics" / "counter_7.db").touch()
    run = Run(data, tmp_path)
    url = run.url()
    first = get(url)
    metrics = Path(first["environment"]["PROMETHEUS_MULTIPROC_DIR"])
    assert list(metrics.iterdir()) == []
    gauge, counter = metrics / f"gauge_livesum_{first['pid']}.db", metrics / f"counter_{first['pid']}.db"
    gauge.touch()
    counter.touch()
    os.kill(first["pid"], signal.SIGKILL)
    wait_for(lambda: get(url)["pid"] != first["pid"])
    assert (gauge.exists(), counter.exists()) == (False, True)
    assert run.end() == 0


def test_the_sample_is_made_once_and_never_again_after_it_was_deleted(data: Path, tmp_path: Path) -> None:
    run = Run(data, tmp_path)
    url = run.url()
    assert ensure_sample(url) == f"{url}/w/w0"
    assert ensure_sample(url) is None
    get(f"{url}/all", "DELETE")
    assert ensure_sample(url) is None
    assert run.end() == 0


def test_no_sample_and_no_error_where_nothing_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert ensure_sample(f"http://127.0.0.1:{port}") is None


@pytest.mark.parametrize(
    "options, code",
    [
        (["--host", "0.0.0.0"], "insecure_bind"),
        (["--host", "no-such-host.invalid"], "bind_failed"),
        (["--data-dir", "/dev/null/folder"], "data_folder_unusable"),
    ],
)
def test_the_command_line_says_in_one_line_why_it_does_not_start(options: list[str], code: str, data: Path) -> None:
    command = [sys.executable, "-m", "draftsmith.cli", "serve", "--port", "0", "--data-dir", str(data), *options]
    environment = {**os.environ, "PYTHONPATH": str(BACKEND)}
    ended = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("Error: ")
    assert ended.stderr.rstrip().endswith(f"[{code}]")
    assert ended.stderr.count("\n") == 1


def test_delays_double_up_to_a_limit_and_start_anew_after_a_long_run() -> None:
    backoff = Backoff()
    assert [round(backoff.delay_after(0), 1) for _ in range(8)] == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0]
    assert backoff.delay_after(11) == 0.2


@pytest.mark.parametrize("code, words", [(3, "exit code 3"), (-9, "killed by SIGKILL"), (-63, "killed by signal 63")])
def test_an_end_is_described_in_words(code: int, words: str) -> None:
    assert describe_exit(code) == words
