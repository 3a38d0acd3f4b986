"""Workers and the store, killed at any moment under load, with the settings the product starts them with."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvloop

from draftsmith.usecases.commits.workspaces import Workspaces
from tests.faults.checks import Line, check
from tests.faults.load import Asked, Ledger, Load, new_workspace
from tests.faults.processes import Runner, runners
from tests.faults.servers import store_server, workers
from tests.timeouts import until

_WORKERS = 3
_KILLS = 5


async def test_killed_workers_lose_nothing_they_acknowledged(seed: str, rng: random.Random) -> None:
    """Acknowledged means: the line was written. What a dead worker's clients were waiting for, another one settles."""
    with store_server() as server, runners() as alive:
        async with workers(server.url) as observers:
            w = await new_workspace(observers[0], seed)
            ledger, killed = Ledger(), 0

            def start(repeat: list[Asked]) -> None:
                alive.append(Runner(server.url, w, f"{seed}-{killed}-{len(alive)}", ledger, 4, repeat))

            for _ in range(_WORKERS):
                start([])
            for _ in range(_KILLS):
                await _more(ledger, rng.randint(20, 120))
                victim = alive.pop(rng.randrange(len(alive)))
                killed += 1
                start(victim.kill())
            await _more(ledger, 50)
            for runner in alive:
                runner.finish()
            line = await check(observers[0].log, w, ledger, observers, seed=seed)
            _check_held(alive, line)
            alive.clear()
        assert not ledger.open
        print(f"{killed} workers killed, {len(ledger.made)} commits acknowledged, {len(line.entries)} in the log")


async def _more(ledger: Ledger, count: int) -> None:
    """Wait until so many more requests have been settled."""
    enough = ledger.told + count
    await until(lambda: ledger.told >= enough)


def _check_held(alive: list[Runner], line: Line) -> None:
    """What the survivors had in memory at their end is what the log leads to at that revision."""
    for runner in alive:
        assert runner.held is not None
        revision, chain, content = runner.held
        assert (chain, content) == (line.heads[revision].chain, line.digests[revision])


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_a_killed_store_loses_nothing_acknowledged(
    run: Callable[[Coroutine[Any, Any, None]], None], seed: str, rng: random.Random
) -> None:
    """And is started again on the same folder; clients hear nothing worse than that they have to wait.

    On both event loops: they say in different ways that a connection has gone.
    """
    run(_kill_the_store(seed, rng))


async def _kill_the_store(seed: str, rng: random.Random) -> None:
    with store_server() as server:
        async with workers(server.url, server.url, server.url) as three:
            w = await new_workspace(three[0], seed)
            load, going = Load(w, seed), True
            async with asyncio.TaskGroup() as group:
                group.create_task(load.run(three, 12, lambda: going))
                for _ in range(2 * _KILLS):
                    await _more(load.ledger, rng.randint(5, 40))
                    server.kill()
                    await asyncio.sleep(rng.choice((0.0, 0.0, 0.05, 0.3)))
                    server.restart()
                await _more(load.ledger, 20)
                going = False
            line = await check(three[0].log, w, load.ledger, three, seed=seed)
            assert not set(load.ledger.codes) - {"batch_rejected", "stale_base", "storage_down"}
            assert len(load.ledger.made) > 50
            print(f"{len(line.entries)} commits, {_repeats(three)} found in the log when sent again")


def _repeats(workspaces: list[Workspaces]) -> int:
    return sum(worker.counters.repeats for worker in workspaces)
