"""What benchmarks share: a table of ratios against their bars, printed at the end and written beside the build.

Servers, stores and the seed are those of the tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
pytest_plugins = ["tests.conftest"]
Report = Callable[[str, float, str, float], None]
_ROWS: list[tuple[str, float, str, float]] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each benchmark its marker."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("bench")


@pytest.fixture
def report() -> Report:
    """Note a ratio: name, value, `<=` or `>=`, bar. A figure below its bar is said, not failed: machines are noisy."""

    def note(name: str, value: float, side: str, bar: float) -> None:
        _ROWS.append((name, value, side, bar))

    return note


@pytest.fixture(scope="session", autouse=True)
def _table() -> Iterator[None]:
    yield
    lines = [f"{'ratio':<66} {'measured':>10} {'bar':>9}"]
    for name, value, side, bar in _ROWS:
        met = value <= bar if side == "<=" else value >= bar
        lines.append(f"{name:<66} {value:>10.2f} {side} {bar:>6.2f}  {'' if met else 'BELOW THE BAR'}")
    print("\n" + "\n".join(lines))
    folder = Path("build")
    folder.mkdir(exist_ok=True)
    rows = [{"name": name, "value": value, "side": side, "bar": bar} for name, value, side, bar in _ROWS]
    (folder / "bench.json").write_text(json.dumps(rows, indent=1), "utf-8")
