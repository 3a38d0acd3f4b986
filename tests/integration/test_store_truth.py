"""What a store may lose is told by the server that runs on it: in its log, by `/readyz` and to pages."""

from __future__ import annotations

import pytest
import redis

from tests.integration.client import Api, node
from tests.integration.servers import running
from tests.integration.sockets import seated
from tests.integration.stores import OwnStore


@pytest.mark.parametrize("accepted", ["", "appendfsync"])
async def test_a_store_that_may_lose_is_told_of(own_store: OwnStore, accepted: str) -> None:
    """It serves and saves all the same; pages are not told of what whoever runs the server has accepted."""
    with redis.Redis.from_url(own_store.url) as client:
        client.config_set("appendfsync", "everysec")
    with running(own_store.url, "w-risky", STORE_RISKS_ACCEPTED=accepted) as (server,), Api(server.url) as api:
        ready = api.get("/readyz")
        assert (ready.status_code, ready.json()["status"], ready.json()["code"]) == (200, "degraded", "appendfsync")
        [risk] = ready.json()["risks"]
        assert risk["accepted"] == bool(accepted)
        assert "appendfsync always" in risk["remedy"]
        level = "info" if accepted else "warning"
        assert server.log_lines(event="store_may_lose", risk="appendfsync", level=level)
        async with seated(api, api.create(name="Shop")) as page:
            told = [message for message in page.heard if message["t"] == "store"]
            codes = [[one["code"] for one in message["risks"]] for message in told]
            assert codes == ([] if accepted else [["appendfsync"]])
            assert (await page.submit(node("saved")))["t"] == "committed"
