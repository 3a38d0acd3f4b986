"""Hostile clients beside a well-behaved one, on a server of their own: `python -m tests.hostile --minutes 10 --seed 1`.

`--scene 1/0/17` plays one scene of a run alone and says what each of its steps cost another client. The requests of the
last minutes with their bodies, the server's log and what was made small are in the folder that is named.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.hostile.drawing import FULL, SMALL
from tests.hostile.run import Outcome, attack, replay
from tests.seeds import run_seed


async def _stoppable(running: Coroutine[Any, Any, Outcome]) -> Outcome:
    """Run until the end or SIGTERM, after which the server ends, too."""
    task = asyncio.ensure_future(running)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description="Hostile requests from a grammar.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", default=run_seed())
    parser.add_argument("--clients", type=int, default=1, help="hostile ones")
    parser.add_argument("--small", action="store_true", help="small requests, as in the suite")
    parser.add_argument("--folder", type=Path, default=Path("build/hostile"), help="for what was sent, and findings")
    parser.add_argument("--scene", help="play one scene alone")
    given = parser.parse_args()
    scale = SMALL if given.small else FULL
    if given.scene:
        print("\n".join(asyncio.run(replay(given.scene, scale))))
        return 0
    given.folder.mkdir(parents=True, exist_ok=True)
    print(f"seed {given.seed}, {given.minutes:g} minutes, {given.clients} hostile clients", flush=True)
    outcome = asyncio.run(_stoppable(attack(given.minutes * 60, given.seed, given.clients, given.folder, scale)))
    print("\n".join(outcome.lines))
    print("\n".join([f"BELOW THE BAR: {one}" for one in outcome.below]))
    print("\n".join([f"FOUND: {one}" for one in outcome.findings]) or "nothing found")
    return 1 if outcome.findings else 0


if __name__ == "__main__":
    sys.exit(main())
