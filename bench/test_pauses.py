"""How long nobody is answered while a slot of a cluster moves under load, and how long hostile texts take."""

from __future__ import annotations

import random
import time

import pytest

from bench.conftest import Report
from tests.faults.test_moved_slot import longest_pause
from tests.seeds import run_seed
from tests.unit.test_layered_layout import lay_out_thousands
from tests.unit.test_mermaid import HOSTILE, read_hostile


async def test_a_moved_slot_keeps_nobody_waiting(report: Report) -> None:
    seed = run_seed()
    report("longest pause while a slot moves, s", await longest_pause(seed, random.Random(seed)), "<=", 5)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[13:25].strip())
def test_hostile_text_is_read_in_seconds(text: str, report: Report) -> None:
    started = time.perf_counter()
    read_hostile(text)
    report(f"a megabyte of Mermaid, {text[13:25].strip()!r}, s", time.perf_counter() - started, "<=", 20)


def test_thousands_of_nodes_are_laid_out_in_moments(report: Report) -> None:
    started = time.perf_counter()
    lay_out_thousands()
    report("layout of 5,000 nodes, s", time.perf_counter() - started, "<=", 10)
