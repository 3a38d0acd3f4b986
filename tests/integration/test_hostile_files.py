"""Hostile files over HTTP: each is refused in words or harmless, and the server goes on."""

from __future__ import annotations

import pytest

from tests.hostile.files import HOSTILE_FILES, MADE, HostileFiles
from tests.hostile.findings import tracebacks
from tests.integration.client import Api
from tests.integration.servers import Server

_RUNS = ("<script", "onerror", "javascript:")


@pytest.mark.parametrize("hostile", HOSTILE_FILES, ids=lambda one: one.name)
def test_a_hostile_file_is_refused_or_harmless(server: Server, api: Api, hostile: HostileFiles) -> None:
    """What becomes of it is said with a code, nothing of it is a fault of the server, and nothing in it can run."""
    headers = {"Content-Type": "application/json"}
    answer = api.post("/api/v1/workspaces", content=hostile.body(), headers=headers)
    assert f"{answer.status_code} {answer.json().get('code', '')}".strip() == hostile.answer
    if hostile.answer == MADE:
        kept = api.ask("GET", f"/workspaces/{answer.json()['id']}/export?format=json")
        labels = [node["label"] for node in kept["diagram"]["nodes"]]
        assert not [label for label in labels for word in _RUNS if word in label]
    assert api.get("/readyz").status_code == 200
    assert not tracebacks(server.log)
