"""The stores that the contract suites run on: memory, a real server, and a real cluster."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from draftsmith.adapters.redis.assistant.runs import RedisRuns
from draftsmith.adapters.redis.assistant.usage import RedisUsage
from draftsmith.ports import CommitLog
from draftsmith.ports.runs import RunStore, UsageStore
from tests.contracts.backends import Backend, RedisBackend, open_redis
from tests.contracts.cluster import flush, running_cluster
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.fakes.memory_runs import MemoryRuns
from tests.fakes.memory_usage import MemoryUsage


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


@pytest.fixture
async def run_stores(backend: Backend) -> AsyncIterator[tuple[RunStore, RunStore]]:
    """What two workers have of the same store, on connections of their own; every store, one after the other."""
    if not isinstance(backend, RedisBackend):
        shared = MemoryRuns()
        yield shared, shared
        return
    async with open_redis(backend.url) as other:
        yield RedisRuns(backend.connection), RedisRuns(other.connection)


@pytest.fixture
def runs(run_stores: tuple[RunStore, RunStore]) -> RunStore:
    """The run store of every store, one after the other."""
    return run_stores[0]


@pytest.fixture
def usage(backend: Backend) -> UsageStore:
    """The usage store of every store, one after the other."""
    return RedisUsage(backend.connection) if isinstance(backend, RedisBackend) else MemoryUsage()
