"""`draftsmith doctor`: it finds what would go wrong, says what to do, and changes nothing."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from draftsmith.adapters.doctor.doctor import (
    DoctorCheck,
    ServerSetup,
    check_durability,
    check_eviction,
    check_features,
    check_folder,
    check_python,
    examine,
    judge_space,
)
from draftsmith.adapters.embedded.binary import Binary, find_binary
from draftsmith.adapters.embedded.folder import DataFolder
from draftsmith.adapters.embedded.server import EmbeddedServer, connect
from draftsmith.cli import group as cli
from tests.integration.processes import own_folder
from tests.integration.stores import OwnStore

EDITOR = Path(__file__).parents[1] / "fixtures"
"""Has a layout engine, what draws pictures and what reads charts, whether or not the editor is built."""


@pytest.fixture
def data(clean_environment: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder that does not exist yet, and no setting from outside; afterwards no process may be left on it."""
    monkeypatch.setenv("EDITOR_DIR", str(EDITOR))
    with own_folder() as folder:
        yield folder / "data"


def checks_by_name(data: Path, **other: object) -> dict[str, DoctorCheck]:
    """Run all checks with a free port; by name."""
    given = {
        "host": "127.0.0.1",
        "port": 0,
        "data_dir": data,
        "redis_url": None,
        "mode": "local",
        "editor_dir": EDITOR,
    }
    return {check.name: check for check in examine(ServerSetup(**{**given, **other}))}  # type: ignore[arg-type]


def failing(checks: dict[str, DoctorCheck]) -> dict[str, str]:
    return {name: check.status for name, check in checks.items() if check.status != "ok"}


def test_all_is_well_on_a_fresh_machine_and_nothing_is_made(data: Path) -> None:
    done = CliRunner().invoke(cli.main, ["doctor", "--data-dir", str(data), "--port", "0"])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert all(line.startswith("ok  ") for line in lines), done.output
    assert [line[4:].strip().partition(":")[0] for line in lines] == [
        *("python", "store server", "data folder", "lock", "disk space", "agents", "layout engine", "pictures"),
        *("charts", "store answers", "features", "eviction", "durability", "store writes", "port", "assistant"),
    ]
    assert not data.exists()


def test_json_says_the_same(data: Path) -> None:
    done = CliRunner().invoke(cli.main, ["doctor", "--data-dir", str(data), "--port", "0", "--json"])
    said = json.loads(done.output)
    assert said["ok"] is True
    assert all(set(check) == {"name", "status", "detail", "remedy"} for check in said["checks"])


def test_a_failure_is_exit_code_1_with_what_to_do(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(cli.main, ["doctor", "--data-dir", str(data), "--port", port])
    assert done.exit_code == 1
    assert "FAIL  port" in done.output
    assert "→ Port" in done.output


def test_a_wrong_setting_is_exit_code_2(data: Path) -> None:
    done = CliRunner().invoke(cli.main, ["doctor", "--port", "70000"])
    assert done.exit_code == 2
    assert "PORT: " in done.output


def test_a_missing_server(data: Path, tmp_path: Path) -> None:
    def find() -> Binary:
        return find_binary(packaged=False, search_path=str(tmp_path))

    checks = checks_by_name(data, find=find)
    assert failing(checks) == {"store server": "fail"}
    assert "apt install valkey-server" in checks["store server"].remedy


def test_a_server_that_does_not_start(data: Path, tmp_path: Path) -> None:
    broken = tmp_path / "valkey-server"
    broken.write_text("#!/bin/sh\nexit 7\n")
    broken.chmod(0o755)
    checks = checks_by_name(data, find=lambda: Binary(broken, "valkey", (9, 1, 2)))
    assert failing(checks) == {"store answers": "fail"}
    assert "exit code 7" in checks["store answers"].remedy


def test_a_folder_of_a_newer_server(data: Path) -> None:
    DataFolder(data).prepare()
    (data / "SERVER").write_text('{"product": "valkey", "version": "99.0"}')
    checks = checks_by_name(data)
    assert failing(checks) == {"data format": "fail"}
    assert "valkey 99.0" in checks["data format"].remedy


def test_a_file_in_place_of_the_folder(data: Path) -> None:
    data.write_text("")
    assert failing(checks_by_name(data)) == {"data folder": "fail"}


def test_a_folder_that_belongs_to_somebody_else(data: Path) -> None:
    """Judged with a stand-in for the permission, since root may write everywhere."""
    check = check_folder(DataFolder(data), may_write=lambda _folder: False)
    assert check.status == "fail"
    assert "chown" in check.remedy


def test_a_folder_that_others_can_look_into(data: Path) -> None:
    data.mkdir()
    data.chmod(0o755)
    checks = checks_by_name(data)
    assert failing(checks) == {"data folder": "warn"}
    assert "chmod 700" in checks["data folder"].remedy


def test_a_draftsmith_that_runs_is_fine_and_its_store_is_looked_at(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, EmbeddedServer(data) as server:
        port = taken.getsockname()[1]
        server.folder.announce(f"http://127.0.0.1:{port}")
        with connect(server.url) as client:
            client.config_set("maxmemory-policy", "allkeys-lru")
            client.config_set("appendfsync", "everysec")
        checks = checks_by_name(data, port=port)
    assert failing(checks) == {"eviction": "fail", "durability": "warn"}
    assert f"pid {os.getpid()}" in checks["lock"].detail
    assert "noeviction" in checks["eviction"].remedy
    assert "appendfsync always" in checks["durability"].remedy


def test_a_server_that_a_killed_run_left(data: Path) -> None:
    DataFolder(data).prepare()
    lock = os.open(data / "server.lock", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        checks = checks_by_name(data)
    finally:
        os.close(lock)
    assert failing(checks) == {"lock": "warn"}


def test_a_named_store_is_looked_at_in_place_of_the_embedded_one(data: Path, redis_url: str) -> None:
    checks = checks_by_name(data, redis_url=redis_url)
    assert failing(checks) == {}
    assert "store server" not in checks


def test_a_store_that_answers_and_takes_no_writes(data: Path, own_store: OwnStore) -> None:
    """A replica answers everything that only reads."""
    with connect(own_store.url) as client:
        client.execute_command("REPLICAOF", "127.0.0.1", "9")
    checks = checks_by_name(data, redis_url=own_store.url)
    assert failing(checks) == {"store writes": "fail"}
    assert "read-only replica" in checks["store writes"].detail


def test_a_named_store_that_does_not_answer(data: Path, tmp_path: Path) -> None:
    checks = checks_by_name(data, redis_url=f"unix://{tmp_path}/none")
    assert failing(checks) == {"store answers": "fail"}
    assert "REDIS_URL" in checks["store answers"].remedy


def test_an_address_beyond_loopback(data: Path) -> None:
    checks = checks_by_name(data, host="0.0.0.0")
    assert failing(checks) == {"port": "fail"}
    assert "MODE=token" in checks["port"].remedy


@pytest.mark.parametrize("free, status", [(50, "fail"), (500, "warn"), (5_000, "ok")])
def test_room_on_the_disk(free: int, status: str) -> None:
    assert judge_space(free * 1024 * 1024, Path("/")).status == status


@pytest.mark.parametrize(
    "check, status",
    [
        (check_python((3, 10, 4)), "fail"),
        (check_python((3, 11, 0)), "ok"),
        (check_features({"spublish": {}, "waitaof": {}}, "7.2.4"), "ok"),
        (check_features({"xadd": {}}, "6.2.14"), "warn"),
        (check_features({"xadd": {}}, "6.0.16"), "fail"),
        (check_eviction(""), "fail"),
        (check_durability(aof_enabled=False, fsync="always"), "fail"),
        (check_durability(aof_enabled=True, fsync=""), "warn"),
    ],
)
def test_what_is_judged(check: DoctorCheck, status: str) -> None:
    assert check.status == status
    assert (check.remedy == "") == (status == "ok")
