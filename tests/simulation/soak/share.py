"""A plugin of pytest that keeps the tests of one slice: `SOAK_SLICE=3 pytest -p tests.simulation.soak.share`.

A test is in the slice that its name gives, and stays there when others are added. Over ten slices each is run once.
"""

from __future__ import annotations

import os
import zlib
from typing import Final

import pytest

from tests.simulation.soak.record import SLICES

VARIABLE: Final = "SOAK_SLICE"
IN_EACH: Final = ("tests/integration/test_naive_model.py", "tests/faults/test_live_fuzz.py")
"""Files of which each slice plays games of its own."""


def is_in_slice(name: str, number: int) -> bool:
    """Whether the test of this name is run in a slice."""
    return name.startswith(IN_EACH) or zlib.crc32(name.encode()) % SLICES + 1 == number


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of other slices."""
    number = int(os.environ[VARIABLE])
    others = [item for item in items if not is_in_slice(item.nodeid, number)]
    items[:] = [item for item in items if is_in_slice(item.nodeid, number)]
    config.hook.pytest_deselected(items=others)
