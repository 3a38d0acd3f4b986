"""The people of an installation, when two things happen to one of them at the same moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import pytest

from draftsmith.access.records import User
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.access.people import RedisUsers
from draftsmith.adapters.redis.access.stores import access_stores
from draftsmith.ports.identity import Claims
from draftsmith.usecases.access import people
from draftsmith.usecases.access.dependencies import AccessDependencies
from tests.contracts.backends import RedisBackend

ANN = User("user:ann", "Ann", "iss|ann", groups=("ops",), is_admin=True)
BEN = User("user:ben", "Ben", "iss|ben", is_admin=True)


@dataclass(frozen=True)
class Interrupted(RedisUsers):
    """The people of a store to whom something happens between reading and writing."""

    between: list[Callable[[], Awaitable[object]]]

    async def of_subject(self, subject: str) -> User | None:
        found = await super().of_subject(subject)
        while self.between:
            await self.between.pop()()
        return found


@pytest.mark.parametrize("what", ["removed", "administrator no more", "renamed"])
async def test_who_signs_in_undoes_nothing_that_happens_to_them(redis_backend: RedisBackend, what: str) -> None:
    stores = access_stores(redis_backend.connection)
    users = stores.users
    between = {
        "removed": lambda: users.remove(ANN.id),
        "administrator no more": lambda: users.change(ANN.id, lambda user: replace(user, is_admin=False)),
        "renamed": lambda: users.change(ANN.id, lambda user: replace(user, name="Anna")),
    }[what]
    for one in (ANN, BEN):
        await users.put(one)
    interrupted = Interrupted(redis_backend.connection, [between])
    needs = AccessDependencies(stores=replace(stores, users=interrupted), clock=SystemClock())
    known = await people.user_of(needs, Claims(subject=ANN.subject, name="Ann", groups=("ops", "dev")))
    assert known == await users.of_subject(ANN.subject)
    assert known.groups == ("ops", "dev")
    if what == "removed":
        assert await users.read(ANN.id) is None
        assert (known.id != ANN.id, known.is_admin) == (True, False), "who comes anew is nobody special"
    else:
        assert (known.id, known.is_admin, known.name == "Anna") == (ANN.id, what == "renamed", what == "renamed")
