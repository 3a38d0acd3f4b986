"""What becomes of people and roles when workspaces are purged, backed up, recovered, or come from local mode."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import redis
from click.testing import CliRunner, Result

from draftsmith.adapters.process.system import SystemClock
from draftsmith.adapters.redis.access.stores import access_stores
from draftsmith.adapters.redis.assistant.runs import RedisRuns
from draftsmith.cli.group import main
from draftsmith.usecases.upkeep.housekeeping import purge_trash
from draftsmith.usecases.upkeep.retention import DAY_MS
from tests.conftest import running_store
from tests.contracts.backends import open_redis
from tests.integration.client import Api, check_problem, edit, node
from tests.integration.edited_workspaces import SetClock
from tests.integration.people import Town, town
from tests.integration.servers import running
from tests.integration.sockets import seated

START = {"name": "Shop", "document": {"text": "# Shop\n\nWe sell.\n"}}
SECRET = "hunter2-and-more"


@pytest.fixture
def store_url() -> Iterator[str]:
    with running_store() as url:
        yield url


@pytest.fixture
def place(store_url: str) -> Iterator[Town]:
    with town(store_url, "u-one") as found:
        yield found


def draftsmith(url: str, *arguments: object, code: int = 0, said: str = "") -> Result:
    """Run a command on a store; it must end with this exit code."""
    result = CliRunner().invoke(main, [str(one) for one in arguments], env={"REDIS_URL": url}, input=said)
    assert result.exit_code == code, result.output
    return result


def everything(url: str) -> bytes:
    """All that a store holds, unpacked where it is packed."""
    found: list[bytes] = []

    def add(value: Any) -> None:
        if isinstance(value, bytes):
            found.append(value)
            with suppress(zlib.error):
                found.append(zlib.decompress(value))
        elif isinstance(value, dict):
            add(list(value.items()))
        elif isinstance(value, list | tuple | set):
            for one in value:
                add(one)

    with redis.Redis.from_url(url) as client:
        for name in client.scan_iter():
            kind = client.type(name)
            add(name)
            if kind == b"string":
                add(client.get(name))
            elif kind == b"hash":
                add(client.hgetall(name))
            elif kind == b"set":
                add(client.smembers(name))
            elif kind == b"zset":
                add(client.zrange(name, 0, -1))
            elif kind == b"list":
                add(client.lrange(name, 0, -1))
            elif kind == b"stream":
                add(client.xrange(name))
    return b"\n".join(found)


class TestTheTrash:
    async def test_who_might_what_goes_with_a_workspace(self, place: Town, store_url: str) -> None:
        """With its links, its audit, and the name by which an application knew it."""
        application = place.caller(key=place.key(delegate=True, personal=False))
        w = application.create(**START, external_id="order-7")
        application.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer"})
        application.ask("DELETE", f"/workspaces/{w}", 204)
        async with open_redis(store_url) as store:
            stores = access_stores(store.connection)
            later = SetClock(SystemClock().now_ms() + 31 * DAY_MS)
            runs = RedisRuns(store.connection)
            assert await purge_trash(store.log, store.index, later, 30, runs, stores.workspaces) == [w]
            assert await store.keys(w) == set()
        assert application.create(**START, external_id="order-7") != w


class TestABackup:
    def test_brings_people_and_roles_back_but_neither_links_nor_keys(self, place: Town, tmp_path: Path) -> None:
        ben, cleo = place.person("Ben"), place.person("Cleo")
        w = ben.create(**START)
        ben.ask("PUT", f"/workspaces/{w}/members/{cleo.id}", json={"role": "commenter"})
        token = ben.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "editor"})["token"]
        key = ben.ask("POST", "/keys", 201, json={"name": "mine"})["key"]
        draftsmith(place.store_url, "backup", tmp_path / "all.backup")
        with running_store() as url:
            draftsmith(url, "recover", tmp_path / "all.backup")
            with town(url, "u-two") as there:
                again = there.person("Ben")
                assert again.id == ben.id
                assert again.read(w)["role"] == "owner"
                assert there.person("Cleo").read(w)["role"] == "commenter"
                check_problem(there.person("Dora").send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
                check_problem(
                    there.stranger().send_to("POST", "/shares/open", json={"token": token}), 422, "share_invalid"
                )
                check_problem(there.caller(key=key).send_to("GET", "/me"), 401, "credential_invalid")

    def test_brings_every_administrator_back_to_who_knows_nobody(self, place: Town, tmp_path: Path) -> None:
        """Whichever workspace names them; to an installation that knows somebody none."""
        for name in ("Gil", "Hana"):
            place.person(name, admin=True).create(**START)
        draftsmith(place.store_url, "backup", tmp_path / "all.backup")
        with running_store() as url:
            draftsmith(url, "recover", tmp_path / "all.backup")
            listed = draftsmith(url, "user", "list").output
            assert [line.split()[1:3] for line in listed.splitlines()] == [["admin", "Gil"], ["admin", "Hana"]]
        with running_store() as url, town(url, "known"):
            draftsmith(url, "recover", tmp_path / "all.backup")
            listed = draftsmith(url, "user", "list").output
            assert [line.split()[2] for line in listed.splitlines() if line.split()[1] == "admin"] == ["Ada"]

    def test_gives_nobody_back_what_was_taken_since(self, place: Town, tmp_path: Path) -> None:
        ben, cleo, fay = place.person("Ben"), place.person("Cleo"), place.person("Fay", admin=True)
        w = ben.create(**START)
        ben.ask("PUT", f"/workspaces/{w}/members/{cleo.id}", json={"role": "editor"})
        draftsmith(place.store_url, "backup", tmp_path / "all.backup")
        ben.ask("DELETE", f"/workspaces/{w}/members/{cleo.id}")
        place.admin.ask("DELETE", f"/users/{fay.id}", 204)
        ben.batch(w, node("later"))
        draftsmith(place.store_url, "recover", tmp_path / "all.backup", "--force")
        assert "later" not in ben.nodes(w)
        check_problem(cleo.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
        assert fay.id not in {one["id"] for one in place.admin.ask("GET", "/users")["items"]}

    def test_brings_nobody_back_who_was_removed(self, place: Town, tmp_path: Path) -> None:
        """Not even whom a workspace names that is recovered; nor can they sign in by it."""
        ben = place.person("Ben")
        w = ben.create(**START)
        draftsmith(place.store_url, "backup", tmp_path / "all.backup")
        place.admin.ask("DELETE", f"/users/{ben.id}", 204)
        gone = place.admin.ask("GET", "/removed-users")["items"]
        draftsmith(place.store_url, "recover", tmp_path / "all.backup", "--as-copies")
        assert [one["name"] for one in place.admin.ask("GET", "/users")["items"]] == ["Ada"]
        assert place.admin.ask("GET", "/removed-users")["items"] == gone
        check_problem(ben.send_to("GET", f"/workspaces/{w}"), 401, "unauthorized")

    def test_of_a_copy_is_the_owners_too(self, place: Town, tmp_path: Path) -> None:
        ben = place.person("Ben")
        w = ben.create(**START)
        draftsmith(place.store_url, "backup", tmp_path / "all.backup")
        draftsmith(place.store_url, "recover", tmp_path / "all.backup", "--as-copies")
        [copy] = [one["id"] for one in ben.ask("GET", "/workspaces")["items"] if one["id"] != w]
        assert ben.read(copy)["role"] == "owner"

    def test_brings_folders_back_with_their_roles(self, place: Town, tmp_path: Path) -> None:
        """All of them to an installation that has none; else those around what is recovered and not here any more."""
        ben, cleo = place.person("Ben"), place.person("Cleo")
        top = ben.ask("POST", "/folders", 201, json={"name": "Top"})["id"]
        inner = ben.ask("POST", "/folders", 201, json={"name": "Inner", "parent": top})["id"]
        empty = ben.ask("POST", "/folders", 201, json={"name": "Empty"})["id"]
        ben.ask("PUT", f"/folders/{top}/members/{cleo.id}", json={"role": "editor"})
        w = ben.create(**START, folder=inner)
        draftsmith(place.store_url, "backup", tmp_path / "all.backup")
        with running_store() as url:
            draftsmith(url, "recover", tmp_path / "all.backup")
            with town(url, "u-three") as there:
                again, also = there.person("Ben"), there.person("Cleo")
                assert {one["id"]: one["parent"] for one in again.ask("GET", "/folders")["items"]} == {
                    top: None, inner: top, empty: None,
                }  # fmt: skip
                assert (again.id, also.read(w)["role"]) == (ben.id, "editor")
        ben.ask("DELETE", f"/folders/{top}/members/{cleo.id}")
        ben.ask("DELETE", f"/folders/{empty}", 204)
        ben.ask("DELETE", f"/folders/{inner}?contents=move_up", 204)
        draftsmith(place.store_url, "recover", tmp_path / "all.backup", "--as-copies")
        [copy] = [one["id"] for one in ben.ask("GET", "/workspaces")["items"] if one["id"] != w]
        assert {one["id"] for one in ben.ask("GET", "/folders")["items"]} == {top, inner}
        assert [one["id"] for one in ben.ask("GET", f"/workspaces/{copy}/access")["inherited"]] == [inner, top]
        check_problem(cleo.send_to("GET", f"/workspaces/{copy}"), 404, "workspace_not_found")
        assert ben.ask("GET", "/workspaces", params={"folder": top})["items"][0]["id"] == w


class TestFromLocalMode:
    def test_workspaces_are_the_administrators_until_they_are_given_away(self, store_url: str) -> None:
        """What people have done before stays readable, and nobody else sees it."""
        with running(store_url, "local") as [server], Api(server.url) as before:
            before.become("Ann")
            shelf = before.ask("POST", "/folders", 201, json={"name": "Shelf"})["id"]
            w = before.create(**START, folder=shelf)
            before.batch(w, node("a"))
            before.batch(w, node("b"))
            before.ask("POST", f"/workspaces/{w}/undo")
        with town(store_url, "token") as place:
            ben = place.person("Ben")
            check_problem(ben.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
            assert [one["id"] for one in place.admin.ask("GET", "/workspaces")["items"]] == [w]
            assert place.admin.nodes(w) == ["a"]
            commits = place.admin.ask("GET", f"/workspaces/{w}/commits")["items"]
            assert {one["actor"]["name"] for one in commits} == {"Ann"}
            place.admin.ask("POST", f"/workspaces/{w}/undo", json={"scope": "all"})
            assert place.admin.nodes(w) == []
            place.admin.ask("POST", f"/workspaces/{w}/transfer", json={"to": ben.id})
            assert ben.read(w)["role"] == "owner"
            assert ben.ask("GET", "/folders")["items"] == []
            [folder] = place.admin.ask("GET", "/folders")["items"]
            assert (folder["id"], folder["role"]) == (shelf, "owner")


class TestPurgingHistory:
    def test_a_secret_is_gone_from_everything_that_is_kept(self, place: Town, store_url: str) -> None:
        """From the log, undo stacks, kept states, checkpoints, requests, proposals and the conversation."""
        admin = place.admin
        w = admin.create(name="Leaky", document={"text": f"# Keys\n\nThe password is {SECRET}.\n"})
        other = admin.create(name="Other", document={"text": "# Other\n"})
        admin.batch(w, node("a", description=f"uses {SECRET}"))
        admin.ask("POST", f"/workspaces/{w}/checkpoints", 201, json={"name": "Before"})
        admin.ask("POST", f"/workspaces/{w}/runs", json={"prompt": f"add a cache called {SECRET}", "mode": "propose"})
        admin.batch(w, edit("Keys", "sells", "x"), expected=422)
        admin.batch(w, node("b"), propose=True, explanation=f"as {SECRET} says", expected=201)
        refused = draftsmith(store_url, "history", "purge", w, "--check", "--yes", code=1, said=f"{SECRET}\n")
        assert "It still stands in the workspace" in refused.output
        assert SECRET not in refused.output
        admin.batch(w, edit("Keys", SECRET, "in the vault"), {"op": "update_node", "id": "a", "description": None})
        assert SECRET.encode() in everything(store_url)
        state, shown = admin.read(w), admin.ask("GET", f"/workspaces/{w}/diagram")
        done = draftsmith(store_url, "history", "purge", w, "--check", said=f"{SECRET}\ny\n")
        assert f"begins at revision {state['revision']}" in done.output
        assert "draftsmith backup" in done.output
        assert "BGREWRITEAOF" not in done.output
        assert SECRET not in done.output
        assert SECRET.encode() not in everything(store_url)
        assert admin.ask("GET", f"/workspaces/{w}/diagram") == shown
        assert admin.read(w)["document"] == state["document"]
        assert admin.ask("GET", f"/workspaces/{w}/commits")["items"] == []
        check_problem(admin.send_to("GET", f"/workspaces/{w}/revisions/1"), 410, "trimmed")
        assert admin.ask("GET", f"/workspaces/{w}/undo")["undo"] is None
        assert admin.ask("GET", f"/workspaces/{w}/checkpoints")["items"] == []
        assert admin.ask("GET", f"/workspaces/{w}/conversation")["items"] == []
        assert admin.ask("GET", f"/workspaces/{w}/proposals")["items"] == []
        after = admin.batch(w, node("c"))
        assert after["revision"] == state["revision"] + 1
        assert len(admin.ask("GET", f"/workspaces/{other}/commits")["items"]) == 1

    def test_where_else_it_stands_is_cleared_or_named(
        self, place: Town, store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Copies, those in the trash included, by id with what to do; debug records and files of a repair."""
        monkeypatch.setenv("DATA_DIR", str(tmp_path))
        admin = place.admin
        w = admin.create(name="Source", document={"text": f"# Keys\n\nThe password is {SECRET}.\n"})
        standing = admin.create(copy_of=w)
        binned = admin.create(copy_of=w)
        admin.ask("DELETE", f"/workspaces/{binned}", 204)
        cleaned = admin.create(copy_of=w)
        innocent = admin.create(name="Innocent", document={"text": "# Keys\n\nThe password is in the vault.\n"})
        words = " ".join(f"word{number}" for number in range(600))  # so that its commits are compressed
        long = admin.create(name="Long", document={"text": f"# Keys\n\n{words} {SECRET}\n"})
        admin.batch(long, {"op": "replace_document", "text": "# Keys\n"})
        for one in (w, cleaned):
            admin.batch(one, edit("Keys", SECRET, "in the vault"))
        (tmp_path / "debug-runs").mkdir()
        for name, line in (("its", f'"workspace":"{w}"'), ("other", f'"workspace":"{innocent}"')):
            (tmp_path / "debug-runs" / f"run-{name}.jsonl").write_text(f'{{"ts":"2026",{line},"kind":"request"}}\n')
        (tmp_path / "repaired").mkdir()
        rest = tmp_path / "repaired" / f"{w}-3-4-5.jsonl"
        rest.write_text("{}")

        said = draftsmith(store_url, "history", "purge", w, "--check", "--yes", said=f"{SECRET}\n").output
        assert SECRET not in said
        assert "1 debug records" in said
        assert [path.name for path in (tmp_path / "debug-runs").iterdir()] == ["run-other.jsonl"]
        assert f"- the file {rest}: delete it" in said
        lines = {one: [line for line in said.splitlines() if one in line] for one in (standing, binned, cleaned, long)}
        assert "delete it there, then `draftsmith history purge" in lines[standing][0]
        assert "which is in the trash: take it out of the trash, delete it there" in lines[binned][0]
        assert lines[cleaned][0].startswith("- the history of the workspace “Copy of Source”")
        assert lines[long][0].startswith("- the history of the workspace “Long”")
        assert innocent not in said
        assert w not in said.replace(str(rest), "")

        for one in (cleaned, long):
            draftsmith(store_url, "history", "purge", one, "--check", "--yes", said=f"{SECRET}\n")
        admin.ask("POST", f"/workspaces/{binned}/undelete")
        for one in (standing, binned):
            admin.batch(one, edit("Keys", SECRET, "in the vault"))
            draftsmith(store_url, "history", "purge", one, "--check", "--yes", said=f"{SECRET}\n")
        assert SECRET.encode() not in everything(store_url)
        unasked = draftsmith(store_url, "history", "purge", w, "--yes").output
        assert "with --check they are looked for and named" in unasked

    async def test_an_open_page_goes_on_with_the_new_history(self, place: Town, store_url: str) -> None:
        w = place.admin.create(**START)
        place.admin.batch(w, node("a"))
        async with seated(place.admin, w) as one:
            await asyncio.to_thread(draftsmith, store_url, "history", "purge", w, "--yes")
            place.admin.batch(w, node("b"))
            await one.at(3)

    def test_a_wrong_id_and_a_no_change_nothing(self, place: Town, store_url: str) -> None:
        w = place.admin.create(**START)
        assert (
            "There is no such workspace" in draftsmith(store_url, "history", "purge", "0" * 26, "--yes", code=1).output
        )
        draftsmith(store_url, "history", "purge", w, code=1, said="n\n")
        assert len(place.admin.ask("GET", f"/workspaces/{w}/commits")["items"]) == 1
