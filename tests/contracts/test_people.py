"""The people of an installation, when two things happen to one of them at the same moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from draftsmith.access.records import User, hash_of
from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.access.people import RedisUsers
from draftsmith.adapters.redis.access.stores import access_stores
from draftsmith.errors import DraftsmithError
from draftsmith.ports.access import AccessStores
from draftsmith.ports.identity import Claims, SignOutNotice
from draftsmith.usecases.access import authenticate, keys, people, sessions, sign_in
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking
from draftsmith.usecases.access.standing import person, stands
from tests.contracts.backends import RedisBackend
from tests.integration.edited_workspaces import SetClock

ANN = User("user:ann", "Ann", "iss|ann", groups=("ops",), is_admin=True)
BEN = User("user:ben", "Ben", "iss|ben", is_admin=True)


@dataclass(frozen=True)
class Interrupted(RedisUsers):
    """The people of a store to whom something happens between reading and writing."""

    between: list[Callable[[], Awaitable[object]]] = field(default_factory=list)

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
        "removed": lambda: users.remove(ANN.id, 1),
        "administrator no more": lambda: users.change(ANN.id, lambda user: replace(user, is_admin=False)),
        "renamed": lambda: users.change(ANN.id, lambda user: replace(user, name="Anna")),
    }[what]
    for one in (ANN, BEN):
        await users.put(one)
    interrupted = Interrupted(redis_backend.connection, between=[between])
    needs = AccessDependencies(stores=replace(stores, users=interrupted), clock=SystemClock())
    coming = people.user_of(needs, Claims(subject=ANN.subject, name="Ann", groups=("ops", "dev")))
    if what == "removed":
        with pytest.raises(DraftsmithError) as refused:
            await coming
        assert refused.value.code == "user_removed"
        assert await users.all() == [BEN]
    else:
        known = await coming
        assert known == await users.of_subject(ANN.subject)
        assert known.groups == ("ops", "dev")
        assert (known.id, known.is_admin, known.name == "Anna") == (ANN.id, what == "renamed", what == "renamed")


# -- what an issuer says of them -------------------------------------------------------------------------------------

AT = 32_503_680_000_000
"""In the year 3000: what the store ends by its own clock does not end here."""
HOUR_MS = 3_600_000


@dataclass
class Issuer:
    """An issuer whose notices say what they are made of."""

    name: str = "Works"

    async def sign_out_notice(self, token: str) -> SignOutNotice:
        id_, session, at_ms = token.split()
        return SignOutNotice(id_, ANN.subject, session.strip("-"), int(at_ms), int(at_ms) + 9_999_000)


@dataclass
class Installation:
    """One with an issuer, at a time that is set."""

    stores: AccessStores
    clock: SetClock = field(default_factory=lambda: SetClock(AT))

    @property
    def needs(self) -> AccessDependencies:
        issuer: Any = Issuer()
        return AccessDependencies(stores=self.stores, clock=self.clock, sign_in=issuer, issuer_session_ms=HOUR_MS)

    async def come(self, issuer_session: str = "", issued_ms: int | None = None) -> User:
        """Ann signs in, or a program shows a token of hers."""
        until_ms = None if issued_ms is None else AT + 99 * HOUR_MS
        claims = Claims(ANN.subject, "Ann", issuer_session=issuer_session, until_ms=until_ms, issued_ms=issued_ms)
        user = await people.user_of(self.needs, claims)
        if issued_ms is None:
            await sessions.begin(self.needs, user, device="", issuer_session=issuer_session)
        return user

    async def key(self) -> str:
        """A key of hers."""
        user = await self.come()
        secret, _ = await keys.create(self.needs, Asking(person(user, "")), name="ci")
        return secret

    async def refused(self, secret: str) -> str:
        """Why a key is; empty where it works."""
        try:
            shown = await authenticate.read(self.needs, authenticate.Credentials(f"Bearer {secret}"))
            known = await authenticate.principal_of(self.needs, shown)
        except DraftsmithError as error:
            return error.code
        assert known.principal.actor.id == (await self.stores.users.of_subject(ANN.subject)).id  # type: ignore[union-attr]
        return ""

    async def notice(self, id_: str, session: str = "-", at_ms: int | None = None) -> None:
        """The issuer says that she has signed out; "-" for everywhere."""
        await sign_in.hear_sign_out(self.needs, f"{id_} {session} {self.clock.now_ms() if at_ms is None else at_ms}")

    async def signed_in(self) -> list[str]:
        """The sessions at the issuer that are open here."""
        user = await self.stores.users.of_subject(ANN.subject)
        assert user is not None
        return [one.issuer_session for one in await self.stores.sessions.of_user(user.id)]


@pytest.fixture
def here(redis_backend: RedisBackend) -> Installation:
    return Installation(access_stores(redis_backend.connection))


async def test_a_key_works_as_long_as_a_session_would_that_the_issuer_gave(here: Installation) -> None:
    """So who is removed there, and can sign in no more, is gone with the last session, by a key, too."""
    secret = await here.key()
    here.clock.ms += HOUR_MS - 1
    assert await here.refused(secret) == ""
    here.clock.ms += 1
    assert await here.refused(secret) == "credential_expired"
    await here.come()
    assert await here.refused(secret) == "", "signing in is all it takes"
    here.clock.ms += HOUR_MS - 1
    await here.come(issued_ms=AT + 1)
    here.clock.ms += 1
    assert await here.refused(secret) == "credential_expired", "a token of long ago vouches for nobody"
    await here.come(issued_ms=here.clock.now_ms())
    assert await here.refused(secret) == "", "a new one does"


async def test_who_has_no_issuer_needs_nobody_who_vouches(here: Installation) -> None:
    ben = replace(BEN, subject="")
    await here.stores.users.put(ben)
    secret, _ = await keys.create(here.needs, Asking(person(ben, "")), name="ci")
    here.clock.ms += 9_999 * HOUR_MS
    found = await here.stores.keys.look(hash_of(secret))
    assert found is not None
    assert stands(here.needs, *found) is None


async def test_a_notice_that_is_sent_again_ends_nothing_that_began_since(here: Installation) -> None:
    secret = await here.key()
    await here.notice("n1")
    assert (await here.signed_in(), await here.refused(secret)) == ([], "credential_expired")
    here.clock.ms += 1_000
    await here.come("s2")
    await here.notice("n1", at_ms=AT)
    assert (await here.signed_in(), await here.refused(secret)) == (["s2"], "")
    await here.notice("n2")
    assert (await here.signed_in(), await here.refused(secret)) == ([], "credential_expired")


async def test_a_notice_of_one_session_leaves_what_another_vouches_for(here: Installation) -> None:
    secret = await here.key()
    await here.notice("n0")
    here.clock.ms += 1_000
    await here.come("s1")
    await here.come("s2")
    await here.notice("n1", "s1")
    assert (await here.signed_in(), await here.refused(secret)) == (["s2"], "")
    await here.notice("n2", "s2")
    assert (await here.signed_in(), await here.refused(secret)) == ([], "credential_expired")


async def test_a_token_of_before_the_notice_is_refused_and_vouches_for_nobody(here: Installation) -> None:
    secret = await here.key()
    await here.notice("n1", at_ms=AT + 5_000)
    here.clock.ms += 90_000
    with pytest.raises(DraftsmithError) as refused:
        await here.come(issued_ms=AT + 5_000)
    assert refused.value.code == "credential_expired"
    assert await here.refused(secret) == "credential_expired"
    await here.come(issued_ms=AT + 6_000)
    assert await here.refused(secret) == ""


async def test_groups_are_those_that_the_issuer_said_last(here: Installation) -> None:
    """An older token, which says others, brings none back."""
    here.clock.ms += 60_000

    async def said(groups: tuple[str, ...], issued_ms: int | None) -> tuple[str, ...]:
        until_ms = None if issued_ms is None else AT + HOUR_MS
        claims = Claims(ANN.subject, "Ann", groups=groups, until_ms=until_ms, issued_ms=issued_ms)
        return (await people.user_of(here.needs, claims)).groups

    assert await said(("ops",), AT) == ("ops",)
    assert await said(("dev",), None) == ("dev",)
    assert await said(("ops",), AT) == ("dev",)
    here.clock.ms += 5_000
    assert await said(("ops", "new"), AT + 62_000) == ("ops", "new")


async def test_a_notice_for_who_was_removed_is_heard(here: Installation) -> None:
    user = await here.come()
    await here.stores.users.remove(user.id, AT)
    await here.notice("n1")


async def test_people_of_before_are_vouched_for_by_when_they_were_seen(here: Installation) -> None:
    """Records of before this was written down."""
    await here.stores.users.put(replace(ANN, seen_ms=AT))
    user = await here.stores.users.of_subject(ANN.subject)
    assert user is not None
    assert user.vouched_until_ms(HOUR_MS) == AT + HOUR_MS
