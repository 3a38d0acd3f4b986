"""Writes over HTTP: sustained, against floors that never change; of one hot workspace, against one at a time."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.conftest import Report
from bench.sides import (
    Figures,
    Running,
    Side,
    administrator_key,
    load,
    measured,
    running,
    wait_until_up,
    workspaces,
)

_SECONDS = float(os.environ.get("BENCH_SECONDS", "3"))
_ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
# Alternately there and back again, so that the diagram stays as it is and every batch is a commit.
_THERE = [
    {"op": "add_node", "id": "c@", "type": "cache", "label": "Redis Cache"},
    {"op": "add_edge", "source": "a", "target": "c@", "label": "reads"},
    {"op": "update_node", "id": "b", "description": "Behind a cache."},
]
_BACK = [{"op": "delete_node", "id": "c@"}, {"op": "update_node", "id": "b", "description": None}]
_HOT = [{"op": "add_node", "id": "c@", "type": "cache", "label": "Redis Cache"}]
_HOT_BACK = [{"op": "delete_node", "id": "c@"}]
_OURS = "bench.servers:ours"
_FROZEN, _BARE = (Side(name, f"bench.floors:{name}") for name in ("frozen", "bare"))


_ready, _workspaces = wait_until_up, workspaces


@contextmanager
def _server(factory: str, url: str, folder: str = ".") -> Iterator[int]:
    """The port of the product, of this checkout or of another, made by a factory of `servers`."""
    settings = {"MAX_OPEN": "0"}  # one client is all the pages here
    with running(Side(factory, f"bench.servers:{factory}", Path(folder).resolve(), settings=settings), url) as server:
        yield server.port


def _products(store_url: str) -> list[Side]:
    """The product, with credentials and without, and that of another checkout if BENCH_TREE names one."""
    key = administrator_key(store_url)
    settings = {"DRAFTSMITH_MODE": "token", "WRITES_PER_MINUTE": "1000000000"}  # counted all the same
    sides = [
        Side("ours", _OURS),
        Side("ours, with a key", _OURS, settings=settings, headers=[f"Authorization: Bearer {key}"]),
    ]
    if "BENCH_TREE" in os.environ:
        tree = Path(os.environ["BENCH_TREE"]).resolve()
        is_old = not (tree / "backend/draftsmith/adapters/server").exists()  # 0.1.0
        worker = "draftsmith.adapters.worker" if is_old else "draftsmith.adapters.server.worker"
        sides.append(Side(tree.name, _OURS, tree, worker))
        if not is_old:
            sides.append(Side(f"{tree.name}, with a key", _OURS, tree, worker, settings, sides[1].headers))
    return sides


def test_sustained_writes(redis_url: str, report: Report) -> None:
    """As many writes as a server of 0.1.0 could take that validated and appended and did nothing else."""
    with ExitStack() as stack:
        products = [stack.enter_context(running(side, redis_url)) for side in _products(redis_url)]
        floors = [stack.enter_context(running(side, redis_url)) for side in (_FROZEN, _BARE)]
        for connections in (16, 64):
            # The same all through, since logs that grow, stacks and snapshots are part of what a write costs.
            ids = {one.side.name: workspaces(one.port, connections, one.side.headers) for one in products}
            own = {one.side.name: ids.get(one.side.name, ids["ours"]) for one in [*products, *floors]}
            found = _alternately([*products, *floors], connections, own)
            print(f"\n{connections} connections")
            for one in (*products, *floors):
                _tell(one, found[one.side.name], found["frozen"], connections, report)


def _alternately(sides: list[Running], connections: int, ids: dict[str, list[str]]) -> dict[str, list[Figures]]:
    found: dict[str, list[Figures]] = {one.side.name: [] for one in sides}
    for number in range(_ROUNDS + 1):
        for one in sides:
            figures = measured(one, connections, _SECONDS, ids[one.side.name], [_THERE, _BACK])
            if number:  # before that, everything is done for the first time
                found[one.side.name].append(figures)
    return found


def _tell(one: Running, own: list[Figures], floor: list[Figures], connections: int, report: Report) -> None:
    name = one.side.name
    middle = {part: statistics.median(getattr(each, part) for each in own) for part in Figures.__slots__}
    print(f"  {name:<20} {' '.join(f'{part} {value:,.1f}' for part, value in middle.items())}")
    if name.startswith("ours"):
        writes = statistics.median(a.rps / b.rps for a, b in zip(own, floor, strict=True))
        report(f"sustained writes / frozen floor, {connections} connections, {name}", writes, ">=", 0.95)
        time = statistics.median(b.cpu_us / a.cpu_us for a, b in zip(own, floor, strict=True))
        report(f"the same by processor time, {connections} connections, {name}", time, ">=", 0.95)


def test_one_hot_workspace(redis_url: str, report: Report) -> None:
    """Group commit: waiting transactions go in one append."""
    with _server("ours", redis_url) as ours, _server("one_at_a_time", redis_url) as single:
        ratios = []
        for _ in range(_ROUNDS):
            grouped, alone = (
                load(port, 64, _SECONDS, _workspaces(port, 1), [_HOT, _HOT_BACK]) for port in (ours, single)
            )
            ratios.append(grouped["rps"] / alone["rps"])
        print(f"\none workspace, 64 connections: grouped {grouped}, one at a time {alone}")
        report("one hot workspace, 64 connections / one commit at a time", statistics.median(ratios), ">=", 1.5)
