"""A worker as a process of its own, with clients inside, to be killed at any moment.

Reads one JSON line from standard input: `{url, w, seed, clients, repeat: [asked, …]}`. Writes one JSON line for
each thing that happens: `["sent", asked]`, `["told", txid, revision, is_commit]`, `["refused", txid, code]`. What is
not a whole line has not been said. Ends in good order when its standard input is closed, so it never outlives the test,
and says `["held", revision, chain, digest]`, what it has in memory then.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from typing import Any

import uvloop

from tests.faults.checks import digest
from tests.faults.load import Asked, Client, Load
from tests.faults.servers import workers
from tests.timeouts import TIMEOUT_SECONDS


def say(*parts: Any) -> None:
    """Write a line at once: a pipe takes it whole or not at all."""
    os.write(1, json.dumps(parts).encode() + b"\n")


def pass_on(what: str, asked: Asked, more: Any) -> None:
    """Say what a client has heard."""
    if what == "sent":
        say("sent", asked.to_json())
    elif what == "told":
        say("told", asked.txid, *more)
    else:
        say("refused", asked.txid, more)


async def main() -> None:
    given = json.loads(sys.stdin.readline())
    load = Load(given["w"], given["seed"], heard=pass_on)
    end = asyncio.Event()
    loop = asyncio.get_running_loop()

    def finish() -> None:
        if not os.read(0, 1):
            loop.remove_reader(0)
            end.set()
            # Where the store is gone too, clients would ask for ever.
            loop.call_later(TIMEOUT_SECONDS, os._exit, 1)

    loop.add_reader(0, finish)
    async with workers(given["url"]) as mine:
        rng = random.Random(given["seed"])
        again = Client("again", given["seed"], rng, load, mine)
        await asyncio.gather(*(again.settle(Asked(**asked)) for asked in given["repeat"]))
        await load.run(mine, given["clients"], lambda: not end.is_set())
        head, content = await mine[0].read(load.w, lambda replica: (replica.head, replica.dump()))
        say("held", head.revision, head.chain, digest(content))


if __name__ == "__main__":
    # The event loop that the product's workers run on.
    uvloop.run(main())
