"""Cost of the page's model under Node: what a step and a prediction cost must not hang on the size of the workspace."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import orjson
import pytest

from bench.conftest import Report

SCRIPT = Path(__file__).parents[1] / "tests" / "node" / "steps-speed.mjs"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_steps_and_predictions_are_flat(report: Report) -> None:
    """Applying a step, and predicting a drag, at 4,900 nodes against 100; in a document of 200 KB, for scale."""
    run = subprocess.run(["node", SCRIPT], capture_output=True, text=True, check=True)
    found = orjson.loads(run.stdout)
    for name in found["4900"]:
        print(f"{name}: {found['4900'][name]:.1f} µs at 4,900 nodes, {found['100'][name]:.1f} µs at 100")
    for name, bar in (("apply a step", 2.0), ("predict a drag and take it back", 3.0)):
        report(f"page: {name}, 4,900 nodes / 100", found["4900"][name] / found["100"][name], "<=", bar)
