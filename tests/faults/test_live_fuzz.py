"""Convergence of all pages in one workspace: seeded simulations of users, faulty networks, killed workers and trims.

The suite runs the same few seeds every time; `LIVE_ROUNDS=n` adds so many, drawn by the seed of the whole run;
`LIVE_SEEDS=a,b` runs given seeds and no others. A seed with which a round failed is appended to live_seeds.json and
runs first from then on. Chance decides what happens, not when the machine gets round to it, so a seed is a likely way
to the same failure and not a certain one.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.seeds import run_seed
from tests.simulation.live.deployment import NAMES, Deployment
from tests.simulation.live.simulation import run
from tests.timeouts import TIMEOUT_SECONDS

SEEDS = Path(__file__).parent / "live_seeds.json"
_GIVEN = [seed for seed in os.environ.get("LIVE_SEEDS", "").split(",") if seed]
_KEPT = [] if _GIVEN else json.loads(SEEDS.read_text("utf-8"))
_ALWAYS = [] if _GIVEN else ["1", "2", "3"]
_ROUNDS = 0 if _GIVEN else int(os.environ.get("LIVE_ROUNDS", "0"))
_CHANCE = random.Random(run_seed())
_MORE = [str(_CHANCE.randrange(10**9)) for _ in range(_ROUNDS)]
_ROUND_SECONDS = 8 * TIMEOUT_SECONDS  # of many waits, each of which has a limit of its own


@pytest.fixture(scope="module")
def deployment(redis_server: str) -> Iterator[Deployment]:
    """Two workers for all rounds; each round has a workspace of its own."""
    with tempfile.TemporaryDirectory(prefix="ds-") as name:
        made = Deployment(redis_server, Path(name))
        try:
            for number in range(len(NAMES)):
                asyncio.run(made.start(number))
            yield made
        finally:
            asyncio.run(made.close())


@pytest.mark.parametrize("seed", [*_GIVEN, *_KEPT, *_ALWAYS, *_MORE])
async def test_everybody_converges(deployment: Deployment, seed: str) -> None:
    """All pages equal the server, what was acknowledged is there exactly once, nothing of anybody's vanishes."""
    await _round(deployment, seed)


async def _round(workers: Deployment, seed: str) -> None:
    print(f"\nLIVE_SEEDS={seed} pytest tests/faults/test_live_fuzz.py")
    try:
        async with asyncio.timeout(_ROUND_SECONDS):
            summary = await run(workers, seed)
    except Exception:
        _keep(seed)
        raise
    print(summary)
    assert summary["revisions"] > 1


def _keep(seed: str) -> None:
    """Remember a seed with which a round failed."""
    known = json.loads(SEEDS.read_text("utf-8"))
    if seed not in known:
        SEEDS.write_text(json.dumps([*known, seed], indent=1) + "\n", "utf-8")
