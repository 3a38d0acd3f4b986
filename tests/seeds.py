"""Where the chance of tests comes from: one seed for the whole run, the same each time.

`DRAFTSMITH_TEST_SEED` gives another one, for every test that draws; `make soak` draws a fresh one.
"""

from __future__ import annotations

import os

VARIABLE = "DRAFTSMITH_TEST_SEED"
FIXED = "20261122"


def run_seed() -> str:
    """The seed of the whole run."""
    return os.environ.get(VARIABLE) or FIXED


def seed_named(variable: str) -> str:
    """The seed that an environment variable gives to one kind of test, else that of the whole run; printed."""
    seed = os.environ.get(variable) or run_seed()
    print(f"{variable}={seed}")
    return seed
