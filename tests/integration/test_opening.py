"""What a worker opens it closes, also where it does not get to serve."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis
from starlette.testclient import TestClient

from draftsmith.main import create_app
from draftsmith.settings import Settings
from draftsmith.usecases.upkeep.store_watch import StoreWatch
from tests.integration.stores import OwnStore


def _connections(url: str) -> int:
    with redis.Redis.from_url(url) as client:
        return len(client.client_list()) - 1


def test_a_start_that_fails_midway_closes_what_it_has_opened(
    own_store: OwnStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is that of the start, and no connection to the store is left."""

    async def fail(watch: StoreWatch) -> None:
        raise OSError("no start")

    monkeypatch.setattr(StoreWatch, "start", fail)
    app = create_app(Settings(draftsmith_store_url=own_store.url, data_dir=tmp_path))
    with pytest.raises(OSError, match="no start"), TestClient(app):
        pass
    assert _connections(own_store.url) == 0
