"""Play games on a store of one's own and count what differs: `python -m tests.naive [games] [seed]`."""

from __future__ import annotations

import sys
import time
from collections import Counter

from tests.integration.servers import running
from tests.integration.stores import OwnStore
from tests.naive.game import drawn, failure_of, shortened
from tests.naive.people import People
from tests.seeds import run_seed


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seed = sys.argv[2] if len(sys.argv) > 2 else run_seed()
    store = OwnStore()
    store.start()
    try:
        with running(store.url, "w-left", "w-right") as servers:
            people = People([server.url for server in servers])
            begun = time.monotonic()
            found: Counter[str] = Counter()
            for number in range(games):
                steps = drawn(f"{seed}-{number}")
                failure = failure_of(people, steps)
                if failure is None:
                    continue
                short = shortened(people, steps)
                wrong, told = failure_of(people, short) or failure
                kind = wrong.partition(":")[0]
                found[kind] += 1
                print(f"== game {seed}-{number}, {len(short)} steps\n" + "\n".join(told) + f"\n!! {wrong}\n", flush=True)
            print(f"{games} games, {people.calls} calls, {time.monotonic() - begun:.1f} s; failed: {dict(found)}")
    finally:
        store.remove()


if __name__ == "__main__":
    main()
