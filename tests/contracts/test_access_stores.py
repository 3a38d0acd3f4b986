"""People, sessions, keys, links, roles, tickets, rates, audit and news, as a server and a cluster keep them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, replace

import orjson
import pytest

from draftsmith.access.folders import Folder, FolderId
from draftsmith.access.records import (
    AccessChange,
    ApiKey,
    AuditEntry,
    BrowserSession,
    RemovedUser,
    Share,
    SharedPicture,
    User,
)
from draftsmith.access.workspace_access import WorkspaceAccess
from draftsmith.adapters.redis.access import names
from draftsmith.adapters.redis.access.stores import access_stores
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.errors import DraftsmithError
from draftsmith.ports.access import AccessFacts, AccessQuery, AccessStores, Rate
from tests.contracts.backends import RedisBackend, open_redis
from tests.contracts.lines import new_w
from tests.timeouts import TIMEOUT_SECONDS

AT = 1_700_000_000_000
FAR = 32_503_680_000_000
"""In the year 3000: nothing in these tests ends because the machine is slow."""
ANN = User("user:ann", "Ann", "iss|ann", email="ann@example.org", groups=("ops",), created_ms=AT, seen_ms=AT)
AT_ONCE = 12


@pytest.fixture
async def stores(redis_backend: RedisBackend) -> AccessStores:
    return access_stores(redis_backend.connection)


@pytest.fixture
async def others(redis_backend: RedisBackend) -> AsyncIterator[AccessStores]:
    """Those of another worker."""
    async with open_redis(redis_backend.url) as backend:
        yield access_stores(backend.connection)


class TestPeople:
    async def test_are_found_by_id_and_subject_and_listed_by_age(self, stores: AccessStores) -> None:
        ben = User("user:ben", "Ben", created_ms=AT - 1)
        assert await stores.users.put(ANN) == ANN
        assert await stores.users.put(ben) == ben
        assert await stores.users.read("user:ann") == await stores.users.of_subject("iss|ann") == ANN
        assert await stores.users.of_subject("iss|ben") is None
        assert await stores.users.all() == [ben, ANN]
        renamed = replace(ANN, name="Anna")
        assert await stores.users.put(renamed) == renamed
        assert await stores.users.remove("user:ann", AT)
        assert not await stores.users.remove("user:ann", AT)
        assert await stores.users.read("user:ann") is None

    async def test_who_was_removed_is_known_by_a_hash_alone_until_they_are_let_in(
        self, stores: AccessStores, others: AccessStores, redis_backend: RedisBackend
    ) -> None:
        """On every worker, whatever id they would get; also who has no issuer, as a backup would bring them."""
        await stores.users.put(User("user:boss", "Boss", is_admin=True))
        for user in (ANN, ben := User("user:ben", "Ben")):
            await stores.users.put(user)
            assert await stores.users.remove(user.id, AT)
        comes = [others.users.of_subject("iss|ann"), stores.users.put(replace(ANN, id="user:2")), others.users.put(ben)]
        for refused in await asyncio.gather(*comes, return_exceptions=True):
            assert isinstance(refused, DraftsmithError)
            assert refused.code == "user_removed"
        gone = RemovedUser("user:ann", "Ann", AT)
        assert await others.users.removed_users() == [gone, RemovedUser("user:ben", "Ben", AT)]
        kept = await redis_backend.connection.read.command("HGETALL", names.REMOVED)
        assert b"iss|ann" not in b"".join([*kept.keys(), *kept.values()])
        assert await others.users.let_in("user:ann") == gone
        assert await others.users.let_in("user:ann") is None
        assert await stores.users.of_subject("iss|ann") is None
        again = replace(ANN, id="user:new")
        assert await stores.users.put(again) == again

    async def test_who_signs_in_at_once_on_two_workers_is_one(self, stores: AccessStores, others: AccessStores) -> None:
        tries = [
            (stores if number % 2 else others).users.put(replace(ANN, id=f"user:{number}")) for number in range(AT_ONCE)
        ]
        assert len({user.id for user in await asyncio.gather(*tries)}) == 1
        assert len(await stores.users.all()) == 1

    async def test_nothing_that_others_write_of_a_person_is_lost(
        self, stores: AccessStores, others: AccessStores
    ) -> None:
        await stores.users.put(ANN)
        groups = {f"group-{number}" for number in range(AT_ONCE)}

        def joining(group: str) -> Callable[[User], User]:
            return lambda user: replace(user, groups=tuple(sorted({*user.groups, group})))

        changes = [
            (stores if group < "group-5" else others).users.change("user:ann", joining(group)) for group in groups
        ]
        await asyncio.gather(*changes)
        ann = await stores.users.read("user:ann")
        assert ann is not None
        assert set(ann.groups) == {*ANN.groups, *groups}

    async def test_who_is_removed_is_not_brought_back_by_a_change(self, stores: AccessStores) -> None:
        await stores.users.put(ANN)
        assert await stores.users.remove("user:ann", AT)
        assert await stores.users.change("user:ann", lambda user: replace(user, name="Anna")) is None
        assert await stores.users.all() == []

    async def test_one_administrator_stays_however_many_go_at_once(
        self, stores: AccessStores, others: AccessStores
    ) -> None:
        ids = [f"user:{number}" for number in range(AT_ONCE)]
        for user_id in ids:
            await stores.users.put(User(user_id, "Ann", is_admin=True))
        await stores.users.put(User("user:plain", "Ben"))
        goes = [
            users.remove(user_id, AT)
            if number % 3
            else users.change(user_id, lambda user: replace(user, is_admin=False))
            for number, user_id in enumerate(ids)
            for users in [(stores if number % 2 else others).users]
        ]
        answers = await asyncio.gather(*goes, return_exceptions=True)
        [refused] = [answer for answer in answers if isinstance(answer, BaseException)]
        assert isinstance(refused, DraftsmithError)
        assert refused.code == "last_administrator"
        assert len([user for user in await stores.users.all() if user.is_admin]) == 1
        assert await stores.users.remove("user:plain", AT), "who is none may go"


class TestSessions:
    async def test_end_one_by_one_by_issuer_and_all(self, stores: AccessStores) -> None:
        made = [BrowserSession(f"s{number}", "user:ann", AT + number, FAR, f"sid{number % 2}") for number in range(5)]
        for number, session in enumerate(made):
            await stores.sessions.put(f"hash{number}", session)
        assert await stores.sessions.of_user("user:ann") == made
        assert await stores.sessions.read("hash0") == made[0]
        assert await stores.sessions.end("hash0") == made[0]
        assert await stores.sessions.end("hash0") is await stores.sessions.read("hash0") is None
        assert await stores.sessions.end_of("user:ann", "s1") == made[1]
        assert await stores.sessions.end_of("user:ann", "s1") is None
        assert await stores.sessions.end_all("user:ann", "sid0") == [made[2], made[4]]
        assert await stores.sessions.end_all("user:ann") == [made[3]]
        assert await stores.sessions.of_user("user:ann") == await stores.sessions.of_user("user:ben") == []

    async def test_that_are_over_are_not_there(self, stores: AccessStores) -> None:
        await stores.sessions.put("hash", BrowserSession("s", "user:ann", AT, AT + 1))
        assert await stores.sessions.read("hash") is None
        assert await stores.sessions.of_user("user:ann") == []


class TestKeys:
    async def test_are_read_by_their_secret_and_revoked_by_their_id(self, stores: AccessStores) -> None:
        anns = ApiKey("k1", "mine", "user:ann", limit="editor", created_ms=AT)
        program = ApiKey("k2", "ci", is_delegate=True, created_ms=AT + 1, until_ms=AT + 2)
        await stores.keys.put("hash1", anns)
        await stores.keys.put("hash2", program)
        assert await stores.keys.look("hash1") == await stores.keys.look_by_id("k1") == (anns, None)
        assert await stores.keys.look("hash2") == (program, None), "also one that has ended: it is told so"
        assert await stores.keys.all() == [anns, program]
        assert await stores.keys.all("user:ann") == [anns]
        await stores.keys.note_use("k1", AT + 5)
        await stores.keys.note_use("k1", AT + 6)
        assert [key.used_ms for key in await stores.keys.all()] == [AT + 5, None]
        assert await stores.keys.remove("k1") == anns
        assert await stores.keys.remove("k1") is await stores.keys.look("hash1") is None
        assert await stores.keys.look_by_id("k1") is await stores.keys.look_by_id("none") is None

    async def test_are_read_with_whose_they_are_or_who_made_them(self, stores: AccessStores) -> None:
        anns, program = ApiKey("k1", "mine", "user:ann"), ApiKey("k2", "ci", made_by="user:ann")
        await stores.keys.put("hash1", anns)
        await stores.keys.put("hash2", program)
        await stores.users.put(ANN)
        assert await stores.keys.look("hash1") == (anns, ANN)
        assert await stores.keys.look("hash2") == await stores.keys.look_by_id("k2") == (program, ANN)
        assert await stores.users.remove("user:ann", AT)
        assert await stores.keys.look("hash2") == (program, None)

    async def test_that_are_renewed_have_the_new_secret_alone(self, stores: AccessStores) -> None:
        key = ApiKey("k1", "ci", made_by="user:ann")
        assert not await stores.keys.renew("hash1", key), "one that was revoked meanwhile stays revoked"
        await stores.keys.put("hash1", key)
        taken = replace(key, made_by="user:ben")
        assert await stores.keys.renew("hash2", taken)
        assert await stores.keys.look("hash1") is None
        assert await stores.keys.look("hash2") == await stores.keys.look_by_id("k1") == (taken, None)

    async def test_of_before_it_was_written_down_who_made_them_are_read(
        self, stores: AccessStores, redis_backend: RedisBackend
    ) -> None:
        key = ApiKey("k1", "ci", created_ms=AT)
        await stores.keys.put("hash1", key)
        old = {name: value for name, value in asdict(key).items() if name != "made_by"}
        await redis_backend.connection.write.command("HSET", names.KEYS, "hash1", orjson.dumps(old))
        assert await stores.keys.look("hash1") == (key, None)


class TestLinks:
    async def test_are_read_by_token_and_end_with_who_made_them(self, stores: AccessStores) -> None:
        one, other = new_w(), new_w()
        anns = [Share(f"s{w}", w, "editor", "user:ann", "Ann", AT) for w in (one, other)]
        bens = Share("ben", one, "viewer", "user:ben", "Ben", AT + 1)
        for share in (*anns, bens):
            await stores.shares.put(f"hash {share.id}", share)
        assert await stores.shares.of_token(f"hash s{one}") == await stores.shares.read(one, f"s{one}") == anns[0]
        assert await stores.shares.of_token("hash nothing") is None
        assert await stores.shares.all(one) == [anns[0], bens]
        await stores.shares.note_use(one, "ben", AT + 9)
        assert [share.used_ms for share in await stores.shares.all(one)] == [None, AT + 9]
        revoked = await stores.shares.revoke_made_by("user:ann")
        assert {share.id for share in revoked} == {share.id for share in anns}
        assert await stores.shares.revoke_made_by("user:ann") == []
        assert await stores.shares.all(one) == [replace(bens, used_ms=AT + 9)]
        assert await stores.shares.of_token(f"hash s{other}") is None
        assert await stores.shares.revoke(one, "ben") == bens
        assert await stores.shares.revoke(one, "ben") is await stores.shares.of_token("hash ben") is None

    async def test_to_pictures_are_kept_apart_from_roles(
        self, stores: AccessStores, redis_backend: RedisBackend
    ) -> None:
        """The gate finds none as a role, nor does an older release, which reads the others as before."""
        w = new_w()
        role = Share("role", w, "viewer", "user:ann", "Ann", AT)
        picture = Share(
            "picture", w, "viewer", "user:ann", "Ann", AT + 1, picture=SharedPicture("A > B", ("x", "y"), 7)
        )
        for share in (role, picture):
            await stores.shares.put(f"hash {share.id}", share)
        assert await stores.shares.all(w) == [role, picture]
        assert await stores.shares.of_token("hash picture") == await stores.shares.read(w, "picture") == picture
        assert await stores.workspaces.look(w, "picture") == (None, None)
        kept = await redis_backend.connection.read.command("HGETALL", WorkspaceKeys(w).shares)
        assert kept.keys() == {b"role"}
        fields = {"id", "workspace_id", "role", "made_by", "made_by_name", "created_ms", "until_ms", "used_ms"}
        assert orjson.loads(kept[b"role"]).keys() == fields
        assert await stores.shares.revoke(w, "picture") == picture
        assert await stores.shares.revoke(w, "picture") is await stores.shares.of_token("hash picture") is None
        assert await stores.shares.all(w) == [role]
        await stores.shares.put("hash again", replace(picture, id="again"))
        assert {share.id for share in await stores.shares.revoke_made_by("user:ann")} == {"role", "again"}
        await stores.shares.put("hash last", replace(picture, id="last"))
        await stores.workspaces.drop(w)
        assert await redis_backend.keys(w) == set()

    async def test_that_have_ended_lead_nowhere(self, stores: AccessStores) -> None:
        await stores.shares.put("hash", Share("s", new_w(), "editor", "user:ann", "Ann", AT, until_ms=AT + 1))
        assert await stores.shares.of_token("hash") is None


class TestRoles:
    async def test_no_change_is_lost_among_others(self, stores: AccessStores, others: AccessStores) -> None:
        """Everybody writes where the record is still as they have read it, and reads again where it is not."""
        w = new_w()
        assert await stores.workspaces.put(w, WorkspaceAccess("user:ann"), expected=None)
        assert not await others.workspaces.put(w, WorkspaceAccess("user:eve"), expected=None)

        async def add(store: AccessStores, name: str) -> None:
            while True:
                before = await store.workspaces.read(w)
                assert before is not None
                after = replace(before, members={**before.members, name: "viewer"})
                if await store.workspaces.put(w, after, expected=before):
                    return

        await asyncio.gather(*(add(stores if number % 2 else others, f"user:{number}") for number in range(AT_ONCE)))
        record = await stores.workspaces.read(w)
        assert record is not None
        assert (record.owner, len(record.members)) == ("user:ann", AT_ONCE)

    async def test_are_read_with_a_link_for_many_and_go_with_the_workspace(
        self, stores: AccessStores, redis_backend: RedisBackend
    ) -> None:
        one, other, none = new_w(), new_w(), new_w()
        access = WorkspaceAccess("app:shop/1", application="app:shop", external_id="order 7", everyone="viewer")
        plain = WorkspaceAccess("user:ann", application="app:shop")
        await stores.workspaces.put(one, access, expected=None)
        await stores.workspaces.put(other, plain, expected=None)
        share = Share("s", one, "editor", "user:ann", "Ann", AT)
        await stores.shares.put("hash", share)
        assert await stores.workspaces.look(one, "s") == (access, share)
        assert await stores.workspaces.look(one, "t") == await stores.workspaces.look(one) == (access, None)
        assert await stores.workspaces.look(none, "s") == (None, None)
        assert await stores.workspaces.many([other, none, one]) == [plain, None, access]
        await stores.audit.add(AuditEntry(AT, "user:ann", "Ann", "share.created", "::1", one))
        await stores.workspaces.drop(one)
        assert await redis_backend.keys(one) == set()
        assert await stores.workspaces.read(one) is None
        assert await stores.shares.of_token("hash") is None

    async def test_have_places_among_those_of_an_application(self, stores: AccessStores) -> None:
        workspaces = stores.workspaces
        one, other, third = new_w(), new_w(), new_w()
        assert await workspaces.reserve("app:places", "order 7", one, 2) == one
        assert await workspaces.reserve("app:places", "order 7", other, 2) == one, "the name is taken"
        assert await workspaces.reserve("app:others", "order 7", other, 2) == other, "here it is not"
        assert await workspaces.reserve("app:places", None, other, 2) == other
        assert await workspaces.reserve("app:places", None, third, 2) is None, "there are two"
        assert await workspaces.reserve("app:places", "order 7", third, 2) == one, "who is there needs no place"
        made = WorkspaceAccess("app:places/1", application="app:places", external_id="order 7")
        assert await workspaces.put(one, made, expected=None)
        await workspaces.release("app:places", "order 7", one)
        assert await workspaces.reserve("app:places", None, third, 2) is None, "what was made keeps its place"
        await workspaces.release("app:places", None, other)
        assert await workspaces.reserve("app:places", None, third, 2) == third, "what was not gives it up"
        await workspaces.drop(one)
        assert await workspaces.reserve("app:places", "order 7", other, 2) == other, "the name is free again"


class TestFolders:
    async def test_are_read_whole_or_from_one_outwards_and_go_with_their_audit(self, stores: AccessStores) -> None:
        top, middle, inner = (FolderId(name) for name in ("top", "middle", "inner"))
        folders = [
            Folder(top, "Top", owner="user:ann", members={"user:ben": "viewer"}, names={"user:ann": "Ann"}),
            Folder(middle, "Middle ü", top, groups={"ops": "editor"}, everyone="commenter", created_ms=AT),
            Folder(inner, "Inner", middle, request="f00d"),
        ]
        tree = await stores.folders.all()
        assert (tree.folders, await stores.folders.chain(inner)) == ({}, [])
        assert await stores.folders.write(folders, version=tree.version)
        tree = await stores.folders.all()
        assert tree.folders == {folder.id: folder for folder in folders}
        assert await stores.folders.chain(inner) == folders[::-1] == list(tree.chain(inner))
        await stores.audit.add(AuditEntry(AT, "user:ann", "Ann", "folder.created", "::1", folder_id=middle))
        [entry] = (await stores.audit.read(None, None, 9, middle))[0]
        assert entry.folder_id == middle
        assert (await stores.audit.read(None, None, 9, top))[0] == []
        assert (await stores.audit.read(None, None, 9))[0] == []
        lifted = replace(folders[2], parent=top)
        assert await stores.folders.write([lifted], [middle], version=tree.version)
        assert await stores.folders.chain(inner) == [lifted, folders[0]]
        assert await stores.folders.chain(middle) == []
        assert (await stores.audit.read(None, None, 9, middle))[0] == []

    async def test_are_written_where_none_has_changed_since(self, stores: AccessStores, others: AccessStores) -> None:
        """Of two that were made for the same tree one is refused; who reads again loses nothing."""
        version = (await stores.folders.all()).version
        assert await stores.folders.write([Folder(FolderId("a"), "A")], version=version)
        assert not await others.folders.write([Folder(FolderId("a"), "B")], [FolderId("c")], version=version)

        async def add(store: AccessStores, name: str) -> None:
            while True:
                tree = await store.folders.all()
                if await store.folders.write([Folder(FolderId(name), name)], version=tree.version):
                    return

        await asyncio.gather(*(add(stores if number % 2 else others, f"f{number}") for number in range(AT_ONCE)))
        tree = await others.folders.all()
        assert len(tree.folders) == AT_ONCE + 1
        assert tree.folders[FolderId("a")].name == "A"

    async def test_the_folder_of_a_workspace_is_in_its_record(self, stores: AccessStores) -> None:
        """A record of before there were folders is written as it was, so that it is still as expected."""
        w, plain = new_w(), WorkspaceAccess("user:ann")
        assert await stores.workspaces.put(w, plain, expected=None)
        assert "folder" not in plain.to_json()
        inside = replace(plain, folder=FolderId("a"))
        assert await stores.workspaces.put(w, inside, expected=plain)
        assert await stores.workspaces.read(w) == inside


class TestFacts:
    """What is asked about one request together is what each store says by itself."""

    async def test_of_a_key_are_its_person_and_the_workspace_with_its_folders(self, stores: AccessStores) -> None:
        w, key = new_w(), ApiKey("k1", "ci", "user:ann")
        outer, inner = Folder(FolderId("outer"), "Outer"), Folder(FolderId("inner"), "Inner", FolderId("outer"))
        await stores.users.put(ANN)
        await stores.keys.put("hash1", key)
        assert await stores.folders.write([outer, inner], version=(await stores.folders.all()).version)
        query = AccessQuery(key_hash="hash1", workspace_id=w, share_id="s1")
        assert await stores.facts.read(query) == AccessFacts(query, key=key, user=ANN)
        record = WorkspaceAccess("user:ann", members={"folder": "editor"})
        assert await stores.workspaces.put(w, record, expected=None)
        share = Share("s1", w, "viewer", "user:ann", "Ann", AT)
        await stores.shares.put("token1", share)
        found = AccessFacts(query, key=key, user=ANN, record=record, share=share)
        assert await stores.facts.read(query) == found, "a member that is called so is no folder"
        inside = replace(record, folder=inner.id)
        assert await stores.workspaces.put(w, inside, expected=record)
        assert await stores.facts.read(query) == replace(found, record=inside, folders=(inner, outer))
        assert await stores.users.remove("user:ann", AT)
        assert (await stores.facts.read(query)).user is None

    async def test_of_a_key_of_nobody_are_who_made_it(self, stores: AccessStores) -> None:
        await stores.users.put(ANN)
        for key, person in ((ApiKey("k1", "ci", made_by="user:ann"), ANN), (ApiKey("k2", "ci"), None)):
            await stores.keys.put(f"hash of {key.id}", key)
            query = AccessQuery(key_hash=f"hash of {key.id}")
            assert await stores.facts.read(query) == AccessFacts(query, key=key, user=person)
        nobody = AccessQuery(key_hash="hash of none")
        assert await stores.facts.read(nobody) == AccessFacts(nobody)

    async def test_of_a_session_and_of_a_token_are_the_person(self, stores: AccessStores) -> None:
        session = BrowserSession("s1", "user:ann", AT, FAR, device="Firefox")
        await stores.sessions.put("hash", session)
        by_session, by_token = AccessQuery(session_hash="hash"), AccessQuery(user_id="user:ann")
        assert await stores.facts.read(by_session) == AccessFacts(by_session, session=session)
        assert await stores.facts.read(by_token) == AccessFacts(by_token)
        await stores.users.put(ANN)
        assert await stores.facts.read(by_session) == AccessFacts(by_session, session=session, user=ANN)
        assert await stores.facts.read(by_token) == AccessFacts(by_token, user=ANN)
        await stores.sessions.end("hash")
        assert await stores.facts.read(by_session) == AccessFacts(by_session)

    async def test_count_with_what_is_counted_alone(self, stores: AccessStores, others: AccessStores) -> None:
        """In one window, on all workers; who asks for nothing is told nothing."""
        at = 60_000 * 1_000 + 15_000
        rate = Rate("ann", 2, 60_000, at)
        query = AccessQuery(user_id="user:ann", rate=rate)
        assert (await stores.facts.read(query)).again_ms == await others.rates.spend(rate) == 0
        assert (await others.facts.read(query)).again_ms == 45_000
        assert (await stores.facts.read(replace(query, rate=replace(rate, now_ms=at + 45_000)))).again_ms == 0
        assert await stores.facts.read(AccessQuery()) == AccessFacts(AccessQuery())


class TestOnce:
    async def test_a_value_is_taken_by_one(self, stores: AccessStores, others: AccessStores) -> None:
        await stores.one_time.put("ticket", "value", 3_600_000)
        assert await others.one_time.read("ticket") == "value"
        taken = await asyncio.gather(
            *((stores if number % 2 else others).one_time.take("ticket") for number in range(AT_ONCE))
        )
        assert sorted(taken, key=str) == [None] * (AT_ONCE - 1) + ["value"]
        assert await stores.one_time.read("ticket") is None


class TestRates:
    async def test_as_many_as_allowed_on_all_workers_together(self, stores: AccessStores, others: AccessStores) -> None:
        at = 60_000 * 1_000 + 15_000
        found = await asyncio.gather(
            *((stores if number % 2 else others).rates.spend(Rate("ann", 5, 60_000, at)) for number in range(AT_ONCE))
        )
        assert sorted(found) == [0] * 5 + [45_000] * (AT_ONCE - 5)
        assert await stores.rates.spend(Rate("ben", 5, 60_000, at)) == 0
        assert await stores.rates.spend(Rate("ann", 5, 60_000, at + 45_000)) == 0, "another minute"


class TestAudit:
    async def test_is_read_in_pages_newest_first(self, stores: AccessStores) -> None:
        w = new_w()
        entries = [AuditEntry(AT + number, "user:ann", "Ann", "x", "::1", w, f"{number}") for number in range(5)]
        for entry in entries:
            await stores.audit.add(entry)
        await stores.audit.add(AuditEntry(AT, "user:ann", "Ann", "user.removed", "::1"))
        found, cursor = await stores.audit.read(w, None, 3)
        assert found == entries[:1:-1]
        assert await stores.audit.read(w, cursor, 3) == (entries[1::-1], None)
        assert [entry.what for entry in (await stores.audit.read(None, None, 9))[0]] == ["user.removed"]


class TestNews:
    async def test_reach_every_worker_and_a_gap_is_told(
        self, stores: AccessStores, others: AccessStores, redis_backend: RedisBackend
    ) -> None:
        heard = others.news.listen()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            assert await anext(heard) is None, "whatever was told before may have been missed"
            await stores.news.tell(AccessChange("principal", "user:ann"))
            assert await anext(heard) == AccessChange("principal", "user:ann")
            if not redis_backend.connection.features.cluster:
                await redis_backend.connection.write.client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
                assert await anext(heard) is None
                await stores.news.tell(AccessChange("key", "k1"))
                assert await anext(heard) == AccessChange("key", "k1")
        with contextlib.suppress(asyncio.CancelledError):
            await heard.aclose()  # type: ignore[attr-defined]  # it is a generator
