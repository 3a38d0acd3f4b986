"""Three people play against a second, naive model of a workspace, over HTTP, through two workers.

The model (`tests/simulation/naive`) shares no code with the engine: whole copies, and characters with identities. After
every write one of the workers is read and must show what the model says, character for character. `NAIVE_CALLS` says
how many requests are sent in all, `NAIVE_SEED` gives other games. In every other game revisions are restored, too.
"""

from __future__ import annotations

import os

import pytest

from tests.integration.servers import Server
from tests.seeds import examples, seed_named
from tests.simulation.naive.game import drawn, played, report
from tests.simulation.naive.people import People

CALLS = int(os.environ.get("NAIVE_CALLS") or examples(20_000))
PARTS = 4  # so that several processes have something to do


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_is_undone_redone_and_reverted_is_as_the_naive_model_has_it(
    two_servers: list[Server], redis_url: str, part: int
) -> None:
    """P19: no text is doubled, whatever is taken back is exact, what is left out is told, the stacks are right."""
    seed = seed_named("NAIVE_SEED")
    people = People([server.url for server in two_servers])
    number = part
    try:
        while people.calls < CALLS // PARTS:
            name = f"{seed}-{number}{'-restores' * (number % 2)}"
            steps = drawn(name)
            if played(people, steps).wrong:
                raise AssertionError(report(people, name, steps))
            number += PARTS
    finally:
        people.close()
    print(f"{people.calls} calls")
