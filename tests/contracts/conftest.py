"""The stores that the contract suites run on: memory, a real server, and a real cluster."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from draftsmith.adapters.memory import MemoryCommitLog, MemoryIndex, MemoryStore
from draftsmith.ports import CommitLog
from tests.contracts.backends import Backend, RedisBackend, open_redis
from tests.contracts.cluster import flush, running_cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The URL of a real cluster; what an earlier test left is still in it."""
    with running_cluster() as url:
        yield url


@pytest.fixture
def cluster_url(cluster: str) -> str:
    """The URL of a cluster with nothing in it."""
    flush(cluster)
    return cluster


@pytest.fixture(params=["redis_url", "cluster_url"], ids=["server", "cluster"])
async def redis_backend(request: pytest.FixtureRequest) -> AsyncIterator[RedisBackend]:
    """A real server, then a real cluster."""
    async with open_redis(request.getfixturevalue(request.param)) as backend:
        yield backend


@pytest.fixture(params=["memory", "redis_url", "cluster_url"], ids=["memory", "server", "cluster"])
async def backend(request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    """Every store there is, one after the other."""
    if request.param == "memory":
        memory = MemoryStore()
        yield Backend(memory, MemoryCommitLog(memory), MemoryIndex(memory))
        return
    async with open_redis(request.getfixturevalue(request.param)) as redis_backend:
        yield redis_backend


@pytest.fixture
def log(backend: Backend) -> CommitLog:
    """The commit log of every store, one after the other."""
    return backend.log
