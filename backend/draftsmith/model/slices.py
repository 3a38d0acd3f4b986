"""Long work that can be interrupted: a generator that yields after each slice and returns its result.

Whoever runs it decides what happens in between; nothing here waits.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


def run_slices(work: Generator[None, None, T]) -> T:
    """Run work in slices without a pause; what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: T = done.value
            return result
