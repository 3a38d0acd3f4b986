"""The embedded store: it starts, keeps everything, refuses what would destroy data, and leaves nothing behind."""

from __future__ import annotations

import fcntl
import json
import os
import re
import resource
import subprocess
import threading
from pathlib import Path

import pytest
import redis

from draftsmith.adapters.embedded import server as embedded_server
from draftsmith.adapters.embedded.binary import Binary, check_may_open, find_binary
from draftsmith.adapters.embedded.folder import DataFolder
from draftsmith.adapters.embedded.server import EmbeddedServer, connect
from draftsmith.adapters.process.supervise import SupervisedChild
from draftsmith.cli.store import open_store
from draftsmith.errors import DraftsmithError
from tests.integration.processes import processes_of, wait_for
from tests.timeouts import NEVER_SECONDS, TIMEOUT_SECONDS


def write_key(url: str, key: str, value: str) -> None:
    with connect(url) as client:
        client.set(key, value)


def read_key(url: str, key: str) -> object:
    with connect(url) as client:
        return client.get(key)


def put_marker(data: Path, product: str, version: str) -> str:
    DataFolder(data).prepare()
    text = json.dumps({"product": product, "version": version})
    (data / "SERVER").write_text(text)
    return text


def test_it_keeps_what_it_was_told_over_a_stop(data: Path) -> None:
    with EmbeddedServer(data) as server:
        write_key(server.url, "a", "1")
    assert processes_of(data) == []
    with EmbeddedServer(data) as server:
        assert read_key(server.url, "a") == "1"


def test_it_answers_only_what_is_on_disk_and_never_drops_data(data: Path) -> None:
    with EmbeddedServer(data) as server, connect(server.url) as client:
        settings = dict(client.config_get("appendonly", "appendfsync", "maxmemory-policy", "save", "port"))
    assert settings == {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "save": "",
        "port": "0",
    }


def test_the_folder_is_for_its_owner_alone(data: Path) -> None:
    with EmbeddedServer(data) as server:
        write_key(server.url, "a", "1")
        loose = [p for p in [data, *data.rglob("*")] if p.stat().st_mode & 0o077 and p.parent != data]
    assert loose == []
    assert data.stat().st_mode & 0o777 == 0o700


def test_a_folder_full_of_other_files_keeps_its_mode(data: Path) -> None:
    """DATA_DIR may name a home folder by mistake; closing it to others would break what is in it."""
    data.mkdir()
    data.chmod(0o755)
    (data / "letter.txt").write_text("Dear Ada")
    DataFolder(data).prepare()
    assert data.stat().st_mode & 0o777 == 0o755
    assert (data / "store").stat().st_mode & 0o777 == 0o700


def test_other_processes_find_it_by_the_published_file(data: Path) -> None:
    with EmbeddedServer(data) as server:
        said = json.loads((data / "server.json").read_text())
        assert said == {"pid": server.child.pid if server.child else 0, "url": server.url}
    assert not (data / "server.json").exists()


def test_a_second_launcher_is_refused_and_told_where_the_first_one_is(data: Path) -> None:
    with EmbeddedServer(data) as server:
        server.folder.announce("http://127.0.0.1:8123")
        with pytest.raises(DraftsmithError) as refusal:
            EmbeddedServer(data).start()
        write_key(server.url, "still", "here")
    assert refusal.value.code == "data_folder_in_use"
    assert f"pid {os.getpid()}" in refusal.value.detail
    assert "http://127.0.0.1:8123" in refusal.value.detail


@pytest.mark.parametrize("product, version", [("valkey", "99.0.0"), ("redis", "7.4.1")])
def test_a_folder_of_a_newer_or_other_server_is_refused_untouched(product: str, version: str, data: Path) -> None:
    """Some servers start empty on such a folder, without an error."""
    marker = put_marker(data, product, version)
    with pytest.raises(DraftsmithError) as refusal:
        EmbeddedServer(data).start()
    assert refusal.value.code == "data_folder_refused"
    assert f"{product} {version}" in refusal.value.detail
    assert (data / "SERVER").read_text() == marker
    assert not any((data / "store").iterdir())
    assert DataFolder(data).holder_or_none() is None


def test_a_folder_of_an_older_server_is_taken_over_and_marked(data: Path) -> None:
    put_marker(data, "redis", "7.0.15")
    with EmbeddedServer(data):
        marker = json.loads((data / "SERVER").read_text())
    assert marker["product"] == "valkey"


def test_an_old_server_does_not_open_a_newer_folder_that_lost_its_marker(data: Path) -> None:
    with EmbeddedServer(data):
        pass
    (data / "SERVER").unlink()
    assert "newer server" in (DataFolder(data).refusal_or_none(Binary(Path("r"), "redis", (6, 2, 14))) or "")


@pytest.mark.parametrize(
    "product, version, last_product, last_version, may",
    [
        ("valkey", (9, 1, 2), "valkey", (9, 1, 2), True),
        ("valkey", (9, 1, 2), "valkey", (9, 1, 3), False),
        ("valkey", (9, 1), "redis", (7, 2, 4), True),
        ("valkey", (9, 1), "redis", (8, 0), False),
        ("redis", (8, 2), "valkey", (8, 0), False),
        ("redis", (8, 2), "redis", (7, 0, 15), True),
        ("redis", (6, 2, 14), "redis", (7, 0), False),
    ],
)
def test_which_server_may_follow_which(
    product: str, version: tuple[int, ...], last_product: str, last_version: tuple[int, ...], may: bool
) -> None:
    binary = Binary(Path("server"), "valkey" if product == "valkey" else "redis", version)
    assert (check_may_open(binary, last_product, last_version) is None) == may


def test_a_path_too_long_for_a_socket_still_works(data: Path) -> None:
    """A socket path holds about 100 bytes; the folder may be anywhere."""
    deep = data / ("d" * 120) / ("e" * 120)
    with EmbeddedServer(deep) as server:
        write_key(server.url, "a", "1")
        running = server.folder.running_or_none()
        assert running is not None
        assert len(str(running.socket)) < 100
        assert running.socket.parent.stat().st_mode & 0o777 == 0o700
    assert not running.socket.parent.exists()
    with EmbeddedServer(deep) as server:
        assert read_key(server.url, "a") == "1"


def test_a_killed_run_leaves_no_socket_folder_behind_for_long(data: Path) -> None:
    """The next start on the same folder removes it."""
    deep = data / ("d" * 120)
    with EmbeddedServer(deep) as server:
        left = server.folder.running_or_none()
        said = (deep / "server.json").read_text()
    assert left is not None
    left.socket.parent.mkdir()
    (deep / "server.json").write_text(said)
    with EmbeddedServer(deep):
        assert not left.socket.parent.exists()


def test_spaces_quotes_and_umlauts_in_the_path_are_fine(data: Path) -> None:
    with EmbeddedServer(data / 'Größe "2" 100%') as server:
        write_key(server.url, "a", "1")
        assert read_key(server.url, "a") == "1"


def test_the_server_itself_holds_the_folder_as_long_as_it_lives(data: Path) -> None:
    """Its launcher may be gone while it still writes; a second server on the folder would destroy entries."""
    server = EmbeddedServer(data)
    server.start()
    child = server.child
    assert child is not None
    # What the kernel does when the launcher is killed.
    server.folder.release()
    assert DataFolder(data).holder_or_none() is None
    assert DataFolder(data).has_server()
    child.kill()
    child.wait()
    assert not DataFolder(data).has_server()
    server.stop()


def test_a_server_left_by_a_killed_launcher_is_ended_and_its_data_kept(data: Path) -> None:
    """Where the kernel cannot tie it to its launcher, it outlives it and holds on to the folder."""
    with EmbeddedServer(data):
        pass
    lock = os.open(data / "server.lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    orphan = subprocess.Popen(
        [find_binary().path, data / "server.conf"], pass_fds=[lock], stdout=subprocess.DEVNULL, cwd=data
    )
    os.close(lock)
    url = DataFolder(data).publish(orphan.pid, data / "run" / "s")
    wait_for(lambda: embedded_server.answers(url))
    write_key(url, "a", "1")

    said: list[str] = []
    server = EmbeddedServer(data, on_progress=said.append)
    try:
        server.start()
        assert orphan.wait(TIMEOUT_SECONDS) == 0
        assert read_key(server.url, "a") == "1"
        assert any("left behind" in message for message in said)
    finally:
        server.stop()


def test_a_server_that_cannot_start_says_why_and_lets_go_of_the_folder(data: Path) -> None:
    with EmbeddedServer(data):
        pass
    (data / "store" / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(DraftsmithError) as failure:
        EmbeddedServer(data).start()
    assert failure.value.code == "server_failed"
    assert "manifest" in failure.value.detail.lower()
    assert processes_of(data) == []
    assert DataFolder(data).holder_or_none() is None


def test_a_file_in_place_of_the_folder_is_a_clear_refusal(data: Path) -> None:
    data.write_text("")
    with pytest.raises(DraftsmithError, match="data_folder_unusable"):
        EmbeddedServer(data).start()


def test_without_any_server_the_refusal_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(DraftsmithError) as missing:
        find_binary(packaged=False, search_path=str(tmp_path))
    assert missing.value.code == "server_missing"
    for hint in ("draftsmith[embedded]", "apt install valkey-server", "brew install valkey", "REDIS_URL"):
        assert hint in missing.value.detail


def test_a_server_that_is_too_old_is_passed_over_and_named(tmp_path: Path) -> None:
    old = tmp_path / "redis-server"
    old.write_text("#!/bin/sh\necho 'Redis server v=5.0.7 sha=00000000:0 malloc=libc bits=64'\n")
    old.chmod(0o755)
    with pytest.raises(DraftsmithError, match=r"redis 5\.0\.7, older than 6\.2"):
        find_binary(packaged=False, search_path=str(tmp_path))


def test_a_server_on_the_path_is_taken_where_the_package_is_missing(tmp_path: Path) -> None:
    packaged = find_binary()
    (tmp_path / "valkey-server").symlink_to(packaged.path)
    found = find_binary(packaged=False, search_path=str(tmp_path))
    assert (found.path, found.version) == (tmp_path / "valkey-server", packaged.version)


def test_a_full_disk_ends_the_server_and_it_comes_back_with_everything_answered(data: Path) -> None:
    """With `appendfsync always` a server that cannot write ends itself; what it had answered must be there after."""
    with EmbeddedServer(data) as server:
        assert server.child is not None
        kept = SupervisedChild("store", server.respawn, server.exit_reason)
        kept.adopt(server.child)
        write_key(server.url, "before", "1")
        first = server.child.pid
        resource.prlimit(first, resource.RLIMIT_FSIZE, (20_000, 20_000))
        with pytest.raises(redis.ConnectionError):
            write_key(server.url, "big", "x" * 30_000)
        wait_for(lambda: server.poll() is not None)
        reason = server.exit_reason(server.poll() or 0)
        wait_for(lambda: kept.tick() is None and embedded_server.answers(server.url))
        assert server.child.pid != first
        assert (read_key(server.url, "before"), read_key(server.url, "big")) == ("1", None)
    assert kept.deaths == 1
    assert "exit code 1" in reason
    assert "AOF" in reason


def test_it_is_restarted_also_where_the_full_disk_takes_no_file_of_ours(data: Path) -> None:
    with EmbeddedServer(data) as server:
        (data / "server.json.new").mkdir()
        assert server.child is not None
        server.child.kill()
        server.child.wait()
        server.respawn()
        wait_for(lambda: embedded_server.answers(server.url))
        running = DataFolder(data).running_or_none()
        assert running is not None
        assert running.url == server.url


def test_a_server_tied_to_a_thread_is_refused(data: Path) -> None:
    """The kernel would kill it as soon as that thread ends."""
    caught: list[BaseException] = []

    def start() -> None:
        try:
            EmbeddedServer(data).start()
        except RuntimeError as problem:
            caught.append(problem)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert len(caught) == 1
    assert DataFolder(data).holder_or_none() is None


def test_a_long_load_is_waited_for_and_its_progress_told(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_server, "_PROGRESS_EVERY_S", 0.05)
    found = find_binary()
    # The real server, made to take a while for each entry that it loads.
    slow = tmp_path / "server"
    slow.write_text(f'#!/bin/sh\nexec {found.path} "$1" --key-load-delay 40\n')
    slow.chmod(0o755)
    with EmbeddedServer(data) as server, connect(server.url) as client:
        pipe = client.pipeline(transaction=False)
        for number in range(20_000):
            pipe.set(f"key {number}", "x")
        pipe.execute()
    said: list[str] = []
    server = EmbeddedServer(data, Binary(slow, found.product, found.version), said.append)
    try:
        server.start()
        assert read_key(server.url, "key 19999") == "x"
    finally:
        server.stop()
    assert any(re.fullmatch(r"Loading stored workspaces … \d+ %", message) for message in said), said


def test_a_start_can_be_called_off(data: Path) -> None:
    server = EmbeddedServer(data)
    server.start(cancelled=lambda: True)
    assert server.child is None
    assert DataFolder(data).holder_or_none() is None


def test_a_command_starts_a_store_of_its_own_where_none_runs(data: Path) -> None:
    with open_store(data) as url:
        write_key(url, "a", "1")
    assert processes_of(data) == []
    with open_store(data) as url:
        assert read_key(url, "a") == "1"


def test_a_command_uses_the_store_that_runs_and_leaves_it_running(data: Path) -> None:
    with EmbeddedServer(data) as server:
        with open_store(data) as url:
            assert url == server.url
            write_key(url, "a", "1")
        assert read_key(server.url, "a") == "1"


def test_a_store_is_stopped_when_its_command_fails(data: Path) -> None:
    with pytest.raises(ZeroDivisionError), open_store(data):
        raise ZeroDivisionError
    assert processes_of(data) == []
    assert DataFolder(data).holder_or_none() is None


def test_stopping_takes_a_moment_not_a_timeout(data: Path) -> None:
    server = EmbeddedServer(data)
    server.start()
    child = server.child
    assert child is not None
    server.stop(NEVER_SECONDS)
    server.stop(NEVER_SECONDS)
    assert child.poll() == 0, "it was not killed, so it ended by itself"
