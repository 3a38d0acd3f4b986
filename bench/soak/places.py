"""What is killed and started again: a server on its own store, or one on a cluster of three nodes that lose nothing."""

from __future__ import annotations

import contextlib
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from draftsmith.adapters.embedded.folder import DataFolder
from tests.contracts.cluster import Node, cluster_nodes, wait_until_whole
from tests.hostile.serving import Deployed, deployed, family, resident


class Place:
    """A server with default settings, on its own embedded store.

    Attributes:
        server: its launcher.
    """

    def __init__(self, server: Deployed) -> None:
        self.server = server

    @property
    def store_url(self) -> str:
        """Where the store is now."""
        running = DataFolder(self.server.data).running_or_none()
        assert running is not None
        return running.url

    def kill(self, rng: random.Random) -> dict[int, str]:
        """Kill everything in any order; the processes by their ids."""
        kinds = {pid: kind_of(pid) for pid in family(self.server.pid)}
        killed = self.server.kill(rng)
        return {pid: kinds.get(pid, "just started") for pid in killed}

    def start(self) -> None:
        """Start it again, and return when it says that it is ready."""
        self.server.start()

    def memory(self) -> tuple[int, int]:
        """Bytes that the server's processes hold now, and the store's, without its copy while it rewrites its file."""
        held = Counter[str]()
        for pid in family(self.server.pid):
            held[kind_of(pid)] += resident(pid)
        return held.total() - held["store"] - held["store's rewrite"], held["store"]

    def stored(self) -> int:
        """Bytes of all files of the store."""
        return size_of([self.server.data])


class ClusterPlace(Place):
    """A server on a cluster; with it, one node that is drawn is killed."""

    def __init__(self, server: Deployed, nodes: list[Node]) -> None:
        super().__init__(server)
        self._nodes = nodes
        self._killed = nodes[0]

    @property
    def store_url(self) -> str:
        """Where a node of the cluster is."""
        return self._nodes[0].url

    def kill(self, rng: random.Random) -> dict[int, str]:
        """Kill the server and a node, in any order."""
        self._killed = rng.choice(self._nodes)
        node = {self._killed.pid: "node"}
        if rng.random() < 0.5:
            self._killed.kill()
            return {**super().kill(rng), **node}
        killed = super().kill(rng)
        self._killed.kill()
        return {**killed, **node}

    def start(self) -> None:
        """Start the node, and the server once the cluster serves all: its start fails before, and is repeated."""
        self._killed.start()
        wait_until_whole(self._nodes)
        super().start()

    def memory(self) -> tuple[int, int]:
        """Bytes that the server's processes hold now, and the nodes'."""
        return super().memory()[0], sum(resident(node.pid) for node in self._nodes)

    def stored(self) -> int:
        """Bytes of all files of the nodes."""
        return size_of([node.place for node in self._nodes])


@contextmanager
def started(*, on_cluster: bool, **settings: str) -> Iterator[Place]:
    """A fresh place, up; it and its folders are gone on the way out, whatever happens."""
    if not on_cluster:
        with deployed(**settings) as server:
            yield Place(server)
        return
    with cluster_nodes(durable=True) as nodes, deployed(REDIS_URL=nodes[0].url, **settings) as server:
        yield ClusterPlace(server, nodes)


_KINDS: Mapping[str, str] = {
    "valkey-server": "store",
    "valkey-aof-rewrite": "store's rewrite",
    "draftsmith.adapters.server.worker": "worker",
    "draftsmith.snapshotter": "snapshotter",
    "draftsmith.preparer": "preparer",
    "draftsmith.layouter": "layout engine",
    "draftsmith.cli": "launcher",
    "server.launched": "launcher",  # what it becomes
}


def kind_of(pid: int) -> str:
    """What a process does."""
    with contextlib.suppress(OSError):
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return next((kind for word, kind in _KINDS.items() if word in command), "other")
    return "other"


def size_of(folders: Sequence[Path]) -> int:
    """Bytes of all files in some folders, while they come and go."""
    total = 0
    for folder in folders:
        for where, _, names in os.walk(folder):
            for name in names:
                with contextlib.suppress(OSError):
                    total += Path(where, name).stat().st_size
    return total
