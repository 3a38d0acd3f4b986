"""Cost of a batch by size of the diagram, against copying it, and of opening a workspace. Ratios taken in one run."""

from __future__ import annotations

import copy
import gc
import statistics
import time
from collections.abc import Callable
from functools import partial

import networkx as nx
import orjson

from bench.conftest import Report
from bench.states import batch_at, workspace_of
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Head
from draftsmith.history.replica import Replica, replica_from
from draftsmith.model.limits import UNLIMITED
from draftsmith.transform.requests.batch import Batch, parse_batch
from draftsmith.usecases.requests.batch_request import BatchEvidence, BatchRequest

_SMALL, _MIDDLING, _LARGE = 10, 1_000, 10_000
_ANN = Actor("guest:ann", "Ann", "person")


def _median(work: Callable[[], object], times: int) -> float:
    took = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def _replica(nodes: int) -> Replica:
    replica = Replica("bench")
    replica.workspace = workspace_of(nodes)
    return replica


def _whole_commit(replica: Replica, batch: Batch) -> None:
    """Everything that a commit does in memory: run, describe, lint, encode, take back, apply again, take back."""
    edit = BatchRequest(
        batch_id="b", txid="t", fingerprint="", actor=_ANN, scope=_ANN.id, batch=batch, limits=UNLIMITED
    )  # fmt: skip
    prepared = edit.prepare(replica, BatchEvidence())
    assert prepared.record is not None
    edit.draft(prepared, prepared.record)
    prepared.applied.roll_back(replica.workspace)
    prepared.applied.apply_again(replica.workspace)
    prepared.applied.roll_back(replica.workspace)


def test_batch_cost_is_flat(report: Report) -> None:
    """A batch costs the same in a diagram of ten nodes and of ten thousand, and far less than copying the latter.

    Ten nodes are one row, the others stand in as many rows as are read around a place: what lies between these two is
    the size alone.
    """
    replicas = [_replica(nodes) for nodes in (_SMALL, _MIDDLING, _LARGE)]
    batches = [parse_batch(batch_at(nodes // 2), UNLIMITED) for nodes in (_SMALL, _MIDDLING, _LARGE)]
    pairs = list(zip(replicas, batches, strict=True))
    for _ in range(200):
        for replica, batch in pairs:
            _whole_commit(replica, batch)
    rounds = [[_median(partial(_whole_commit, replica, batch), 400) for replica, batch in pairs] for _ in range(5)]
    ratio = statistics.median(large / small for small, _, large in rounds)
    by_size = statistics.median(large / middling for _, middling, large in rounds)
    large = replicas[-1]
    copied = _median(lambda: copy.deepcopy(large.workspace.diagram._graph), 3)
    print(
        f"\n5-operation batch: {rounds[0][0] * 1e6:.0f} µs at {_SMALL} nodes, {rounds[0][-1] * 1e6:.0f} µs at {_LARGE}"
    )
    report("5-operation batch at 10,000 nodes / at 10", ratio, "<=", 1.3)
    report("5-operation batch at 10,000 nodes / at 1,000", by_size, "<=", 1.1)
    report("deepcopy of 10,000 nodes / 5-operation batch there", copied / rounds[0][-1], ">=", 500)


def _parse_and_build(raw: bytes) -> nx.MultiDiGraph:
    shape = orjson.loads(raw)["workspace"]
    graph: nx.MultiDiGraph = nx.MultiDiGraph()
    for node_id, attributes in shape["nodes"]:
        graph.add_node(node_id, **attributes)
    for edge_id, source, target, attributes in shape["edges"]:
        graph.add_edge(source, target, edge_id, **attributes)
    return graph


def test_opening_a_large_workspace(report: Report) -> None:
    """Opening is little more than parsing the JSON and building the graph."""
    raw = _replica(_LARGE).dump()
    head = Head("bench", 1, "0" * 16)
    ratios = []
    for _ in range(7):
        gc.collect()
        floor = _median(lambda: _parse_and_build(raw), 1)
        gc.collect()
        ours = _median(lambda: replica_from(raw, head), 1)
        ratios.append(ours / floor)
    print(f"\nopening {len(raw) / 1e6:.1f} MB: {ours * 1e3:.0f} ms, floor {floor * 1e3:.0f} ms")
    report("opening 10,000 nodes, 20,000 edges / parse JSON and build graph", statistics.median(ratios), "<=", 1.5)
