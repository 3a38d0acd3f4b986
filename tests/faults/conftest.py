"""A seed for every test here, printed, so that a failure can be run again."""

from __future__ import annotations

import random

import pytest

from tests.seeds import seed_named


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """`FAULT_SEED`, or that of the whole run; shown with the output of a failed test."""
    print(f"\npytest '{request.node.nodeid}'")
    return seed_named("FAULT_SEED")


@pytest.fixture
def rng(seed: str, request: pytest.FixtureRequest) -> random.Random:
    """Chance from the seed, another for each test."""
    return random.Random(f"{seed}/{request.node.name}")
