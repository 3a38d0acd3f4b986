"""A server in token mode for tests, and people of every kind who ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

from draftsmith.access.records import User
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.access.stores import access_stores
from draftsmith.adapters.redis.connection import connect
from draftsmith.usecases.access import sessions
from draftsmith.usecases.access.dependencies import AccessDependencies
from tests.integration.client import Api
from tests.integration.servers import Server, running

T = TypeVar("T")


def on_store(url: str, work: Callable[[AccessDependencies], Awaitable[T]]) -> T:
    """Do something with the use cases of access on a store, as the command line does."""

    async def run() -> T:
        connection = await connect(url)
        try:
            return await work(AccessDependencies(stores=access_stores(connection), clock=SystemClock()))
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as apart:  # also where a loop runs already
        return apart.submit(asyncio.run, run()).result()


class Caller(Api):
    """Somebody who asks, by whatever they show."""

    def __init__(self, url: str, key: str | None = None, acts_for: str | None = None) -> None:
        super().__init__(url)
        if key is not None:
            self.headers["Authorization"] = f"Bearer {key}"
        if acts_for is not None:
            self.headers["Draftsmith-Actor"] = acts_for

    @property
    def id(self) -> str:
        """Their principal's id."""
        found: str = self.ask("GET", "/me")["id"]
        return found


class Town:
    """A server in token mode, or several on one store, with an administrator; whoever comes leaves at the end."""

    def __init__(self, servers: list[Server], store_url: str, root: str = "") -> None:
        self.servers, self.store_url = servers, store_url
        self.url = servers[0].url + root
        self._callers: list[Caller] = []
        self.admin = self.stranger()
        link = on_store(store_url, sessions.administrator_link)
        self.admin.ask("POST", "/sign-in/link", json={"token": link, "name": "Ada"})

    def caller(self, url: str | None = None, key: str | None = None, acts_for: str | None = None) -> Caller:
        """Somebody with a key."""
        caller = Caller(url or self.url, key, acts_for)
        self._callers.append(caller)
        return caller

    def stranger(self, url: str | None = None) -> Caller:
        """Somebody who shows nothing."""
        return self.caller(url)

    def person(self, name: str, url: str | None = None, *, groups: tuple[str, ...] = (), admin: bool = False) -> Caller:
        """Somebody who has signed in; whom another test has removed under this name is let in before."""
        clock = SystemClock()
        user = User(f"user:{clock.new_id()}", name, f"https://issuer|{name}", groups=groups, is_admin=admin,
                    created_ms=clock.now_ms(), seen_ms=clock.now_ms())  # fmt: skip

        async def sign_in(needs: AccessDependencies) -> str:
            for removed in await needs.stores.users.removed_users():
                if removed.name == name:
                    await needs.stores.users.let_in(removed.id)
            known = await needs.stores.users.put(user)
            secret, _ = await sessions.begin(needs, known, device="test")
            return secret

        return self._with_session(on_store(self.store_url, sign_in), url)

    def signed_in(self, user_id: str) -> Caller:
        """Somebody whom the store knows, who has signed in again."""

        async def sign_in(needs: AccessDependencies) -> str:
            known = await needs.stores.users.read(user_id)
            assert known is not None
            secret, _ = await sessions.begin(needs, known, device="test")
            return secret

        return self._with_session(on_store(self.store_url, sign_in))

    def _with_session(self, secret: str, url: str | None = None) -> Caller:
        caller = self.stranger(url)
        caller.cookies.set(self.session_cookie, secret)
        return caller

    @property
    def session_cookie(self) -> str:
        """The name of the cookie of a session."""
        [name] = [name for name in self.admin.cookies if name.startswith("draftsmith_session")]
        return str(name)

    def holder(self, w: str, role: str, url: str | None = None, **more: Any) -> Caller:
        """Somebody with a share link of a workspace of the administrator's."""
        token = self.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": role, **more})["token"]
        return self.opened(token, url)

    def opened(self, token: str, url: str | None = None) -> Caller:
        """Somebody who has opened a share link."""
        caller = self.stranger(url)
        caller.ask("POST", "/shares/open", json={"token": token})
        return caller

    def key(self, **body: Any) -> str:
        """A key that the administrator makes."""
        found: str = self.admin.ask("POST", "/keys", 201, json={"name": "test", **body})["key"]
        return found

    def leave(self) -> None:
        """Everybody leaves."""
        for caller in self._callers:
            caller.close()


@contextmanager
def town(store_url: str, *names: str, **environment: str) -> Iterator[Town]:
    """Start it."""
    with running(store_url, *names, DRAFTSMITH_MODE="token", **environment) as servers:
        public = urlsplit(environment.get("PUBLIC_URL", "")).path.rstrip("/")
        place = Town(servers, store_url, environment.get("ROOT_PATH", public))
        try:
            yield place
        finally:
            place.leave()
