"""What a write costs beside the frozen floor, in instructions of Python: the same however fast the machine is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from bench.floors import frozen
from draftsmith.main import create_app
from draftsmith.settings import Settings

MOST_TO_FLOOR = 2.0
"""What a write may cost, in writes of the floor (`bench.floors.frozen`). `bench/test_http.py` measures their time."""
WRITES = 10


@contextmanager
def counted_instructions(client: TestClient) -> Iterator[list[int]]:
    """How many instructions of Python the server's loop executes meanwhile; what runs on already is not counted."""
    found = [0]

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            found[0] += 1
        return trace

    assert client.portal is not None
    client.portal.call(sys.settrace, trace)
    try:
        yield found
    finally:
        client.portal.call(sys.settrace, None)


def instructions_of_a_write(app: ASGIApp) -> int:
    """Those of the cheapest of several equal batches: what is done now and then is in none of them."""
    with TestClient(app, base_url="http://127.0.0.1") as client:
        created = client.post("/api/v1/workspaces", json={"name": "Shop"})
        path = f"/api/v1/workspaces/{created.json()['id'] if created.is_success else 'floor'}/batches"
        ids = count()

        def write() -> None:
            node = {"op": "add_node", "id": f"n{next(ids):04}", "type": "cache", "label": "Redis Cache"}
            there = client.post(path, json={"operations": [node]})
            assert there.status_code == 200, there.text

        for _ in range(3):  # what is done once
            write()
        costs = []
        for _ in range(WRITES):
            with counted_instructions(client) as found:
                write()
            costs += found
        return min(costs)


def test_a_write_costs_no_more_beside_the_frozen_floor(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAFTSMITH_STORE_URL", redis_url)
    product = instructions_of_a_write(create_app(Settings(draftsmith_store_url=redis_url, data_dir=tmp_path)))
    floor = instructions_of_a_write(frozen())
    print(f"a write {product:,}, the floor {floor:,} instructions")
    assert product <= MOST_TO_FLOOR * floor
