"""The real application on the real store: one worker, two workers on one store, and clients that speak to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.contracts.backends import RedisBackend, open_redis
from tests.integration.client import Api
from tests.integration.model_beside import Model
from tests.integration.processes import own_folder
from tests.integration.servers import Server, running
from tests.kit.fixtures import api_fixture, model_fixture

NOBODY_THERE = "http://127.0.0.1:9"
"""Where keys that tests enter are tried: not at the model provider."""


@pytest.fixture(scope="session")
def server(redis_server: str) -> Iterator[Server]:
    """One worker; what an earlier test left may still be in its store."""
    with running(redis_server, "w-one", ANTHROPIC_BASE_URL=NOBODY_THERE) as servers:
        yield servers[0]


@pytest.fixture(scope="session")
def two_servers(redis_server: str) -> Iterator[list[Server]]:
    """Two workers on one store, each on a port of its own."""
    with running(redis_server, "w-left", "w-right") as servers:
        yield servers


model = model_fixture()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of servers of this file."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def ana(asked: Server, model: Model, redis_url: str) -> Iterator[Api]:
    """A person at the worker with a model, `asked` of the file; the store is empty, and the model says nothing yet."""
    model.script.clear()
    with Api(asked.url) as api:
        api.become("Ana")
        yield api


api = api_fixture("server")


@pytest.fixture
def two(two_servers: list[Server], redis_url: str) -> Iterator[list[Api]]:
    """A script's client of each of two workers; the store is empty."""
    with Api(two_servers[0].url) as left, Api(two_servers[1].url) as right:
        yield [left, right]


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[RedisBackend]:
    """The adapters of a worker, on an empty store."""
    async with open_redis(redis_url) as backend:
        yield backend


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder that does not exist yet; afterwards no process may be left on it."""
    with own_folder() as folder:
        yield folder / "data"
