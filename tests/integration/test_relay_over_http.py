"""The relay over HTTP with the real store: a script and two people at two workers; see `tests/simulation/relay`."""

from __future__ import annotations

import pytest

from tests.integration.servers import Server
from tests.seeds import run_seed
from tests.simulation.relay.documents import shelf
from tests.simulation.relay.doors import OverHttp
from tests.simulation.relay.relay import Relay
from tests.simulation.relay.tally import Tally

NAMES = ["front matter", "duplicate headings", "crlf, no final newline", "astral characters"]


@pytest.mark.parametrize("trait", NAMES)
async def test_nothing_changes_but_what_is_named(two_servers: list[Server], redis_url: str, trait: str) -> None:
    """Ten pairs of edits, the people at another worker than the model; at the end every byte is what it was."""
    name, text = next(one for one in shelf().generated if trait in one[0])
    tally = Tally()
    door = OverHttp(two_servers[0].url, two_servers[1].url)
    try:
        await Relay(door, name, text, run_seed(), tally).play()
        raw = await door.raw()
    finally:
        await door.close()
    assert not tally.findings, "\n".join(map(str, tally.findings))
    assert tally.counts["relays that ended with the original"] + tally.counts["relays that were told otherwise"] == 1
    assert tally.counts["edits"] >= 15
    if tally.counts["relays that ended with the original"]:
        assert raw == text
