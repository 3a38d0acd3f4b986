"""Keys of a profile, in local mode: how little they allow, and when they end. The rest: `test_mcp_access.py`."""

from __future__ import annotations

import pytest

from tests.integration.agents import agent
from tests.integration.client import Api, node
from tests.integration.servers import Server


async def test_a_key_of_a_smaller_role_does_no_more_here_than_anywhere(server: Server, api: Api) -> None:
    api.become("Ada")
    w = api.create(name="Shop")
    secret = api.ask("POST", "/keys", 201, json={"name": "Reader", "role": "viewer"})["key"]
    async with agent(server.url, secret) as one:
        read = await one.call("read_workspace", workspace=w)
        operation = {"op": "add_node", "id": "cache", "type": "cache", "label": "Cache"}
        await one.refused("forbidden", "edit", workspace=w, base_revision=read["revision"], operations=[operation])
    assert api.nodes(w) == []


@pytest.mark.parametrize("how", ["revoked", "profile forgotten"])
async def test_a_key_of_a_profile_ends_at_once(server: Server, api: Api, how: str) -> None:
    """By the person, or with the profile, whose keys nobody could list afterwards."""
    api.become("Ada")
    w = api.create(name="Shop")
    api.batch(w, node("orders"))
    made = api.ask("POST", "/keys", 201, json={"name": "Claude Code"})
    async with agent(server.url, made["key"]) as one:
        await one.call("read_workspace", workspace=w)
    if how == "revoked":
        api.ask("DELETE", f"/keys/{made['id']}", 204)
    else:
        api.ask("DELETE", "/session", 204)
    refused = api.post("/mcp", json={}, headers={"Authorization": f"Bearer {made['key']}"})
    assert (refused.status_code, refused.json()["code"]) == (401, "credential_invalid")
