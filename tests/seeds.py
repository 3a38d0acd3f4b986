"""Where the chance of tests comes from: one seed for the whole run, the same each time.

`DRAFTSMITH_TEST_SEED` gives another one, for every test that draws and for their order; `make soak` draws a fresh one.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

T = TypeVar("T")

VARIABLE = "DRAFTSMITH_TEST_SEED"
FIXED = "20261122"
_USUAL_SHARE: Final = 0.3


def run_seed() -> str:
    """The seed of the whole run."""
    return os.environ.get(VARIABLE) or FIXED


def is_chosen() -> bool:
    """Whether the seed is not the usual one."""
    return bool(os.environ.get(VARIABLE))


def examples(full: int) -> int:
    """How often a test draws: `full` times with a seed that was chosen, three tenths of it with the usual one.

    The usual seed draws the same each time, so it finds little that it has not found before; a fresh one does.
    """
    return full if is_chosen() else math.ceil(full * _USUAL_SHARE)


def in_drawn_order(items: Iterable[T], group_of: Callable[[T], object], seed: str) -> list[T]:
    """Groups in an order that the seed draws, and so the items of each; what is of one group stays together."""
    groups: dict[object, list[T]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    drawn, rng = list(groups.values()), random.Random(seed)
    rng.shuffle(drawn)
    return [item for group in drawn for item in rng.sample(group, len(group))]


def seed_named(variable: str) -> str:
    """The seed that an environment variable gives to one kind of test, else that of the whole run; printed."""
    seed = os.environ.get(variable) or run_seed()
    print(f"{variable}={seed}")
    return seed
