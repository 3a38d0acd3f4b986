"""The watch of the store: what it finds is logged once, and told as it is now."""

from __future__ import annotations

import asyncio
import ssl
from typing import cast

import pytest
import redis.exceptions as theirs
from structlog.testing import capture_logs

from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.errors import storage_error
from draftsmith.adapters.redis.risks import Durability, risks_of
from draftsmith.errors import StorageError
from draftsmith.ports.store import RISKS, DataLossRisk
from draftsmith.settings import STORE_RISKS
from draftsmith.usecases.upkeep.store_watch import StoreWatch
from tests.fakes.memory_states import MemoryStore
from tests.timeouts import timeout

GOOD = Durability(True, "always", "noeviction")


class ToldStore(MemoryStore):
    """A store that tells what it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.said = [GOOD]
        self.error: StorageError | None = None

    async def risks(self) -> list[DataLossRisk]:
        if self.error is not None:
            raise self.error
        return risks_of(self.said)

    async def check_same(self) -> None:
        if self.error is not None:
            raise self.error


async def test_risks_are_logged_when_they_come_and_go() -> None:
    """Once each; those that are accepted are no warning, and pages are told of the others alone."""
    store = ToldStore()
    watch = StoreWatch(store, store.clock, accepted=("appendfsync",))
    with capture_logs() as logs:
        await watch.look_at_risks()
        assert not logs
        store.said = [GOOD, Durability(True, "everysec", "allkeys-lru")]
        for _ in range(2):
            await watch.look_at_risks()
        told = [(line["risk"], line["log_level"]) for line in logs]
        assert told == [("appendfsync", "info"), ("eviction", "warning")]
        assert [risk.code for risk in watch.notices] == ["eviction"]
        store.error = StorageError("away")
        await watch.look_at_risks()
        assert [risk.code for risk in watch.risks] == ["appendfsync", "eviction"], "what is not known is not better"
        store.error, store.said = None, [GOOD]
        await watch.look_at_risks()
    assert [line["event"] for line in logs[2:]] == ["store_risk_is_over"] * 2
    assert not watch.risks


class NoTime(SystemClock):
    """Nothing is waited for."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


async def test_a_defect_is_logged_and_does_not_end_the_watch() -> None:
    store = ToldStore()
    watch = StoreWatch(store, NoTime())
    with capture_logs() as logs:
        await watch.start()
        store.error = cast(StorageError, ZeroDivisionError())
        async with timeout():
            while sum(line["event"] == "store_watch_failed" for line in logs) < 2:  # noqa: ASYNC110  # a log cannot be waited for
                await asyncio.sleep(0)
        await watch.close()


async def test_a_store_that_was_emptied_is_logged_once_and_when_it_is_back() -> None:
    store = ToldStore()
    watch = StoreWatch(store, store.clock)
    with capture_logs() as logs:
        for error in (StorageError("gone", "store_emptied"), StorageError("away"), None):
            store.error = error
            for _ in range(2):
                await watch.look()
            assert bool(watch.emptied) == (error is not None)
    assert [(line["event"], line["log_level"]) for line in logs] == [
        ("store_emptied", "critical"),
        ("store_is_back", "warning"),
    ]


@pytest.mark.parametrize(
    "said, codes",
    [
        ([GOOD], []),
        ([Durability(False, "always", "noeviction")], ["appendonly"]),
        ([Durability(True, "everysec", "noeviction")], ["appendfsync"]),
        ([Durability(True, "no", "volatile-ttl")], ["appendfsync", "eviction"]),
        ([Durability(True, None, "noeviction")], ["unknown"]),
        ([Durability(None, None, None)], ["unknown"]),
        ([GOOD, Durability(False, None, "noeviction"), GOOD], ["appendonly"]),
    ],
)
def test_what_a_store_may_lose(said: list[Durability], codes: list[str]) -> None:
    """Any node that may lose something does; a store that does not say is none that is safe."""
    found = risks_of(said)
    assert [risk.code for risk in found] == codes
    assert all(risk.detail and risk.remedy for risk in found)


def test_the_setting_knows_every_risk() -> None:
    assert STORE_RISKS == RISKS


def test_what_the_store_refuses_is_told_apart() -> None:
    """A right that is missing is no wrong password, and a certificate is no server that is away."""
    password = storage_error(theirs.AuthenticationError("WRONGPASS invalid username-password pair"))
    right = storage_error(theirs.NoPermissionError("User bob has no permissions to run the 'config|get' command"))
    assert "user and password" in password.detail
    assert "the 'config|get' command" in right.detail
    assert "password" not in right.detail
    assert "bob" not in right.detail
    failed = ssl.SSLCertVerificationError(1, "certificate verify failed")
    failed.verify_message = "self-signed certificate"
    wrapped = theirs.ConnectionError("Error 1 connecting to store:6380.")
    wrapped.__context__ = failed
    assert "self-signed certificate" in storage_error(wrapped).detail
    assert "ssl_ca_certs" in storage_error(wrapped).detail
