"""The suites of local mode once more, on a server on which one has to show who one is.

Everybody is a script with a key until they say who they are, and every workspace is open to all who are signed in: what
is different then is the way in, and nothing else.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from draftsmith.access.records import KEY_PREFIX, ApiKey, User, hash_of
from draftsmith.adapters.process.system import SystemClock
from draftsmith.usecases.access.dependencies import AccessDependencies
from tests.integration.client import Api
from tests.integration.conftest import NOBODY_THERE
from tests.integration.people import on_store
from tests.integration.servers import Server, running

OFTEN = {"DRAFTSMITH_MODE": "token", "WRITES_PER_MINUTE": "0", "TRIES_PER_MINUTE": "0"}


class ByStore:
    """Gets everybody in by keys that it writes into the store."""

    settings = OFTEN

    def __init__(self, store_url: str) -> None:
        self._store_url = store_url
        self._api = ""

    def enter(self, caller: Api) -> None:
        """With the key of a program of nobody in particular, the same for all."""
        self._api = self._api or self._made(ApiKey("api", "API"))
        caller.headers["Authorization"] = f"Bearer {self._api}"

    def become(self, caller: Api, name: str) -> None:
        """With a key of a new person."""
        id_ = SystemClock().new_id()
        user = User(f"user:{id_}", name)
        secret = self._made(ApiKey(f"of-{id_}", "mine", user.id), user)
        caller.headers["Authorization"] = f"Bearer {secret}"

    def made(self, caller: Api, w: str) -> None:
        """For everybody, to edit and to see what others ask."""
        caller.ask("PATCH", f"/workspaces/{w}/access", json={"everyone": "editor", "shows_runs": True})

    def _made(self, key: ApiKey, user: User | None = None) -> str:
        secret = f"{KEY_PREFIX}{secrets.token_hex(16)}"

        async def make(needs: AccessDependencies) -> None:
            if user is not None:
                await needs.stores.users.put(user)
            await needs.stores.keys.put(hash_of(secret), key)

        on_store(self._store_url, make)
        return secret


@pytest.fixture(scope="session")
def server(redis_server: str) -> Iterator[Server]:
    """One worker in token mode."""
    with running(redis_server, "t-one", ANTHROPIC_BASE_URL=NOBODY_THERE, **OFTEN) as servers:
        yield servers[0]


@pytest.fixture(scope="session")
def two_servers(redis_server: str) -> Iterator[list[Server]]:
    """Two workers on one store."""
    with running(redis_server, "t-left", "t-right", **OFTEN) as servers:
        yield servers


@pytest.fixture(autouse=True)
def token_mode(redis_url: str) -> Iterator[None]:
    """Every caller of a test gets in by the same store."""
    Api.token_mode = ByStore(redis_url)
    yield
    Api.token_mode = None
