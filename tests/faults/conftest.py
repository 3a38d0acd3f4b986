"""A seed for every test here, printed, so that a failure can be run again."""

from __future__ import annotations

import os
import random

import pytest


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """`FAULT_SEED`, or a fresh one; shown with the output of a failed test."""
    chosen = os.environ.get("FAULT_SEED") or str(random.SystemRandom().randrange(10**6))
    print(f"\nFAULT_SEED={chosen} pytest '{request.node.nodeid}'")
    return chosen


@pytest.fixture
def rng(seed: str, request: pytest.FixtureRequest) -> random.Random:
    """Chance from the seed, another for each test."""
    return random.Random(f"{seed}/{request.node.name}")
