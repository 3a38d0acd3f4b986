"""Commits without end while everything is killed: `python -m bench.soak --commits 1000000 --kills 20`.

A server as people start it, on a fresh data folder (`--cluster`: on a cluster of three nodes), is sent small batches
by up to 120 clients. At random moments its launcher, workers, store, snapshotter and preparers (a node of the cluster,
too) are killed as by `kill -9` and started again; clients send again what was not answered. At the end, and after one
more kill, each acknowledged commit must be in the log once, where it was said to be, and each workspace as it would be
if every batch had happened once.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import time

import uvloop

from bench.soak.outcome import Outcome
from bench.soak.places import started
from bench.soak.run import Plan, Soak
from tests.seeds import run_seed


async def _stoppable(soak: Soak) -> Outcome:
    """Run until the end or SIGTERM, after which the server ends, too."""
    task = asyncio.ensure_future(soak.run())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description="Commits while all is killed.")
    parser.add_argument("--commits", type=int, default=1_000_000)
    parser.add_argument("--workspaces", type=int, default=20)
    parser.add_argument("--kills", type=int, default=20, help="on the way; one more comes at the end")
    parser.add_argument("--seed", default=run_seed())
    parser.add_argument("--minutes", type=float, default=120.0, help="after which no more is sent")
    parser.add_argument(
        "--cluster", action="store_true", help="on a cluster of three nodes, one of which is killed, too"
    )
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    plan = Plan(given.commits, given.workspaces, given.kills, given.seed, given.minutes * 60)
    begin = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - begin:6.0f} s  {line}", flush=True)

    say(f"seed {plan.seed}: {plan.commits} commits, {plan.workspaces} workspaces, {plan.kills} kills")
    with started(on_cluster=given.cluster, WORKERS=str(given.workers)) as place:
        outcome = uvloop.run(_stoppable(Soak(plan, place, say)))
    print("\n".join(outcome.lines()))
    print("\n".join([f"FOUND: {one}" for one in outcome.findings[:50]]) or "nothing lost, nothing twice")
    return 1 if outcome.findings else 0


if __name__ == "__main__":
    sys.exit(main())
