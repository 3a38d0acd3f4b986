"""Play games on a store of one's own: `python -m tests.simulation.naive --games 100`, or named ones: `… 20261122-17`.

Plays on after a game in which engine and model differ, makes it short, and prints what was sent.
"""

from __future__ import annotations

import argparse
import time

from tests.integration.servers import running
from tests.integration.stores import OwnStore
from tests.seeds import run_seed
from tests.simulation.naive.game import drawn, played, report
from tests.simulation.naive.people import People


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.naive")
    parser.add_argument("names", nargs="*", help="of single games: <seed>-<number>, or <seed>-<number>-restores")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default=run_seed())
    parser.add_argument("--restores", action="store_true", help="restore revisions, too")
    given = parser.parse_args()
    more = "-restores" if given.restores else ""
    names = given.names or [f"{given.seed}-{number}{more}" for number in range(given.games)]
    store = OwnStore()
    store.start()
    try:
        with running(store.url, "w-left", "w-right") as servers:
            people = People([server.url for server in servers])
            begun, failed, settled = time.monotonic(), 0, [0, 0]
            for name in names:
                steps = drawn(name)
                result = played(people, steps)
                settled = [one + another for one, another in zip(settled, result.settled, strict=True)]
                if result.wrong:
                    failed += 1
                    print(report(people, name, steps), flush=True)
            seconds = time.monotonic() - begun
            print(f"{len(names)} games, {people.calls} calls in {seconds:.0f} s, {failed} games differ")
            print(f"{settled[0]} writes led to what was likeliest, {settled[1]} to something else that is allowed")
            people.close()
    finally:
        store.remove()


if __name__ == "__main__":
    main()
