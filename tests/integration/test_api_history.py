"""History over HTTP: commits, old revisions, comparisons, checkpoints, undo and redo."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.adapters.redis.commit_log import RedisCommitLog
from draftsmith.adapters.redis.connection import connect
from draftsmith.ports import Blob
from draftsmith.usecases.replicas.log_reader import load_replica
from tests.integration.client import Api, check_problem, edge, label, node
from tests.kit.documents import edit_section

TEXT = "# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known.\n"


@pytest.fixture
def w(api: Api) -> str:
    """A workspace with three commits: made, two nodes, another label and another word."""
    w = api.create(name="Past", document={"text": TEXT})
    api.batch(w, node("api"), node("db"), edge("api", "db", id="reads"))
    api.batch(w, label("api", "Front"), edit_section("Risks", "None", "Few"), explanation="Because.")
    return w


def content(api: Api, w: str) -> Any:
    """What a workspace holds, without its revision."""
    whole = api.read(w)
    return whole["name"], whole["diagram"], whole["document"]


class TestCommits:
    def test_say_who_what_why_and_how_much(self, api: Api, w: str) -> None:
        newest, _, first = api.ask("GET", f"/workspaces/{w}/commits")["items"]
        assert newest["actor"] == {"id": api.ask("GET", "/me")["id"], "name": "API", "kind": "script"}
        assert (newest["kind"], newest["source"], newest["why"]) == ("edit", "api", "Because.")
        assert newest["counts"] == {"added": 0, "changed": 1, "removed": 0, "text": 1}
        assert "Front" in newest["what"] or "Api" in newest["what"]
        assert (first["kind"], first["revision"]) == ("create", 1)

    def test_say_whether_they_stand(self, api: Api, w: str) -> None:
        """Undone, redone, taken back in part, and by force: `undone` follows."""

        def undone(revision: int) -> Any:
            return api.ask("GET", f"/workspaces/{w}/commits/{revision}")["undone"]

        assert undone(3) is None
        api.ask("POST", f"/workspaces/{w}/undo", json={})
        assert undone(3) == {"revision": 4, "left_out": 0, "of": 2}
        api.ask("POST", f"/workspaces/{w}/redo", json={})
        assert undone(3) is None
        assert undone(4) == {"revision": 5, "left_out": 0, "of": 2}
        api.batch(w, label("api", "Door"))
        api.ask("POST", f"/workspaces/{w}/commits/3/revert", json={})
        assert undone(3) == {"revision": 7, "left_out": 1, "of": 2}
        api.ask("POST", f"/workspaces/{w}/commits/3/revert", json={"force": True})
        assert undone(3) == {"revision": 8, "left_out": 0, "of": 2}
        assert undone(1) is None

    def test_are_paged_by_cursor_and_by_revision(self, api: Api, w: str) -> None:
        for number in range(9):
            api.batch(w, node(f"n{number}"))
        found: list[int] = []
        cursor = None
        while True:
            query: dict[str, Any] = {"limit": 5, **({"cursor": cursor} if cursor else {})}
            page = api.ask("GET", f"/workspaces/{w}/commits", params=query)
            found += [item["revision"] for item in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
            api.batch(w, label("db", f"Moved on {len(found)}"))  # newer commits do not shift older pages
        assert found == list(range(12, 0, -1))
        before = api.ask("GET", f"/workspaces/{w}/commits", params={"before": 4, "limit": 2})["items"]
        assert [item["revision"] for item in before] == [3, 2]
        for bad in ("before=0", "limit=0", "limit=x", "cursor=Wy01XQ", "cursor=WzBd", "cursor=%C3%A9", "grouped=2"):
            check_problem(api.get(f"/api/v1/workspaces/{w}/commits?{bad}"), 422, "invalid_request")

    def test_grouped_join_neighbours_of_one_person(self, api: Api, w: str) -> None:
        for number in range(3):
            api.batch(w, node(f"n{number}"))
        with Api(str(api.base_url)) as person:
            person.become("Ada")
            person.batch(w, node("hers"))
        items = api.ask("GET", f"/workspaces/{w}/commits", params={"grouped": True})["items"]
        assert [item["revisions"] for item in items] == [[7], [6, 5, 4], [3], [2], [1]]
        assert items[1]["counts"]["added"] == 3

    def test_can_be_asked_for_by_who_and_where(self, api: Api, w: str) -> None:
        """By person, kind of person, node and section, alone and together, as commits and as rows."""
        with Api(str(api.base_url)) as person:
            person.become("Ada")
            person.batch(w, label("db", "Hers"), edit_section("Plan", "one queue", "two queues"))
            ada = person.ask("GET", "/me")["id"]
        api.batch(w, {"op": "update_edge", "id": "reads", "label": "reads"})

        def found(**query: Any) -> list[int]:
            both = [
                [
                    item["revision"]
                    for item in api.ask("GET", f"/workspaces/{w}/commits", params={**query, **more})["items"]
                ]
                for more in ({}, {"grouped": True})
            ]
            assert both[0] == both[1]
            return both[0]

        assert found() == [5, 4, 3, 2, 1]
        assert found(actor=ada) == found(by="person") == [4]
        assert found(by="script", node="api") == [3, 2]
        assert found(node="db") == [4, 2]
        assert found(section="# Plan") == [4, 3]
        assert found(section="# Plan ## Risks") == [3]
        assert found(section="# Plan ## Risks", actor=ada) == found(node="nobody") == found(by="assistant") == []
        for bad in ("by=robot", "node=" + "x" * 65):
            check_problem(api.get(f"/api/v1/workspaces/{w}/commits?{bad}"), 422, "invalid_request")

    def test_one_shows_all_it_changed(self, api: Api, w: str) -> None:
        commit = api.ask("GET", f"/workspaces/{w}/commits/3")
        assert commit["diff"]["nodes"]["changed"] == [{"id": "api", "fields": {"label": ["Api", "Front"]}}]
        assert len(commit["steps"]) == 2
        assert [result["op"] for result in commit["results"]] == ["update_node", "edit_section"]
        for revision in (0, -1, 4, 10**20):
            check_problem(api.get(f"/api/v1/workspaces/{w}/commits/{revision}"), 404, "revision_unknown")
        check_problem(api.get(f"/api/v1/workspaces/{w}/commits/x"), 422, "invalid_request")


class TestRevisions:
    def test_can_be_viewed_as_they_were(self, api: Api, w: str) -> None:
        second = api.ask("GET", f"/workspaces/{w}/revisions/2")
        assert (second["revision"], second["document"]["text"]) == (2, TEXT)
        assert [one["label"] for one in second["diagram"]["nodes"]] == ["Api", "Db"]
        newest = api.ask("GET", f"/workspaces/{w}/revisions/3")
        assert newest == api.read(w)
        for revision in (0, 4, 10**20):
            check_problem(api.get(f"/api/v1/workspaces/{w}/revisions/{revision}"), 404, "revision_unknown")

    def test_can_be_compared_both_ways(self, api: Api, w: str) -> None:
        there = api.ask("GET", f"/workspaces/{w}/compare", params={"from": 1, "to": 2})
        assert [one["id"] for one in there["diff"]["nodes"]["added"]] == ["api", "db"]
        assert there["counts"] == {"added": 3, "changed": 0, "removed": 0, "text": 0}
        back = api.ask("GET", f"/workspaces/{w}/compare", params={"from": 2, "to": 1})
        assert sorted(back["diff"]["nodes"]["removed"]) == ["api", "db"]
        newest = api.ask("GET", f"/workspaces/{w}/compare", params={"from": 2})
        assert (newest["to_revision"], newest["counts"]["changed"], newest["counts"]["text"]) == (3, 1, 1)
        nothing = api.ask("GET", f"/workspaces/{w}/compare", params={"from": 3, "to": 3})
        assert set(nothing["counts"].values()) == {0}
        check_problem(api.get(f"/api/v1/workspaces/{w}/compare?from=4"), 404, "revision_unknown")
        check_problem(api.get(f"/api/v1/workspaces/{w}/compare?from=1&to=9"), 404, "revision_unknown")
        check_problem(api.get(f"/api/v1/workspaces/{w}/compare?from=0"), 422, "invalid_request")
        check_problem(api.get(f"/api/v1/workspaces/{w}/compare"), 422, "invalid_request")

    def test_can_be_restored_and_that_undone(self, api: Api, w: str) -> None:
        now, path = content(api, w), f"/workspaces/{w}/revisions/1/restore"
        dry = api.ask("POST", path, json={"dry_run": True})
        assert (dry["dry_run"], content(api, w)) == (True, now)
        answer = api.ask("POST", path)
        assert (answer["revision"], answer["kind"], answer["ref"]) == (4, "restore", 1)
        assert dry["diff"] == answer["diff"]
        assert content(api, w)[1] == {"nodes": [], "edges": []}
        api.ask("POST", f"/workspaces/{w}/undo")
        assert content(api, w) == now
        assert api.ask("POST", f"/workspaces/{w}/revisions/5/restore")["changed"] is False
        check_problem(api.send_to("POST", f"/workspaces/{w}/revisions/9/restore"), 404, "revision_unknown")
        check_problem(api.send_to("POST", path, json={"force": True}), 422, "invalid_request")


class TestUndo:
    def test_goes_back_and_forth_to_the_same_bytes(self, api: Api, w: str) -> None:
        seen = [content(api, w)]
        for revision in (3, 2):
            assert api.ask("GET", f"/workspaces/{w}/undo")["undo"]["rev"] == revision
            answer = api.ask("POST", f"/workspaces/{w}/undo")
            assert (answer["kind"], answer["ref"], answer["left_out"]) == ("undo", revision, [])
            seen.append(content(api, w))
        assert api.ask("GET", f"/workspaces/{w}/undo")["undo"] is None  # what made the workspace is on no stack
        for earlier in (seen[1], seen[0]):
            assert api.ask("POST", f"/workspaces/{w}/redo")["kind"] == "redo"
            assert content(api, w) == earlier
        assert api.ask("GET", f"/workspaces/{w}/undo")["redo"] is None

    def test_with_nothing_to_undo_changes_nothing(self, api: Api) -> None:
        w = api.create(name="Empty")
        before = api.state(w)
        for way in ("undo", "redo"):
            answer = api.ask("POST", f"/workspaces/{w}/{way}")
            assert (answer["changed"], answer["revision"]) == (False, 1)
        assert api.ask("GET", f"/workspaces/{w}/undo") == dict.fromkeys(
            ("undo", "redo", "undo_document", "undo_typing", "redo_document", "undo_all")
        )
        assert api.state(w) == before

    def test_expects_what_the_caller_saw(self, api: Api, w: str) -> None:
        before = api.state(w)
        moved = api.send_to("POST", f"/workspaces/{w}/undo", json={"expect": 2})
        found = check_problem(moved, 409, "undo_moved")
        assert (found["expected"], found["next"]) == (2, 3)
        check_problem(api.send_to("POST", f"/workspaces/{w}/redo", json={"expect": 3}), 409, "undo_moved")
        assert api.state(w) == before
        assert api.ask("POST", f"/workspaces/{w}/undo", json={"expect": 3})["ref"] == 3
        top = api.ask("GET", f"/workspaces/{w}/undo")["redo"]["rev"]
        assert api.ask("POST", f"/workspaces/{w}/redo", json={"expect": top})["changed"]

    def test_dry_run_shows_what_would_happen(self, api: Api, w: str) -> None:
        before = api.state(w)
        dry = api.ask("POST", f"/workspaces/{w}/undo", json={"dry_run": True})
        assert api.state(w) == before
        real = api.ask("POST", f"/workspaces/{w}/undo")
        assert dry["diff"] == real["diff"]
        assert (dry["dry_run"], dry["changed"], real["dry_run"]) == (True, True, False)

    def test_leaves_out_what_was_changed_since_and_force_does_not(self, api: Api, w: str) -> None:
        with Api(str(api.base_url)) as person:
            person.become("Ada")
            person.batch(w, label("api", "Hers"))
        forced = api.ask("POST", f"/workspaces/{w}/undo", json={"dry_run": True, "force": True})
        assert forced["diff"]["nodes"]["changed"] == [{"id": "api", "fields": {"label": ["Hers", "Api"]}}]
        answer = api.ask("POST", f"/workspaces/{w}/undo")
        assert len(answer["left_out"]) == 1
        assert answer["left_out"][0] == {"what": "label of “Hers”", "why": "it has been changed since", "ids": ["api"]}
        whole = api.read(w)
        assert whole["diagram"]["nodes"][0]["label"] == "Hers"
        assert whole["document"]["text"] == TEXT

    def test_of_the_document_leaves_newer_others_alone(self, api: Api, w: str) -> None:
        """With the document in focus the newest of one's own that changed it is taken, and brought back."""
        api.batch(w, node("later"))
        now, path = content(api, w), f"/workspaces/{w}/undo"
        state = api.ask("GET", path)
        assert (state["undo"]["rev"], state["undo_document"]["rev"]) == (4, 3)
        of_document = {"touching": "document", "expect": 3}
        dry = api.ask("POST", path, json={**of_document, "dry_run": True})
        assert (dry["ref"], content(api, w)) == (3, now)
        check_problem(api.send_to("POST", path, json={"touching": "document", "expect": 4}), 409, "undo_moved")
        assert api.ask("POST", path, json=of_document)["ref"] == 3
        assert api.read(w)["document"]["text"] == TEXT
        assert api.nodes(w) == ["api", "db", "later"]
        api.ask("POST", path)  # the newest of all, which is above the document's in the redo stack by then
        state = api.ask("GET", path)
        assert (state["undo"]["rev"], state["undo_document"]) == (2, None)
        assert (state["redo"]["rev"], state["redo_document"]["rev"]) == (6, 5)
        again = {"touching": "document", "expect": 5}
        assert api.ask("POST", f"/workspaces/{w}/redo", json=again)["ref"] == 5
        assert "Few known." in api.read(w)["document"]["text"]
        api.ask("POST", f"/workspaces/{w}/redo")
        assert content(api, w) == now

    @pytest.mark.parametrize(
        "body",
        [{"scope": "theirs"}, {"expect": 0}, {"expect": "3"}, {"force": 1}, {"steps": 2}, {"touching": "diagram"}, []],
    )
    def test_refuses_what_it_does_not_know(self, api: Api, w: str, body: Any) -> None:
        before = api.state(w)
        check_problem(api.send_to("POST", f"/workspaces/{w}/undo", json=body), 422, "invalid_request")
        assert api.state(w) == before


class TestRevert:
    def test_takes_back_one_commit_and_can_be_undone(self, api: Api, w: str) -> None:
        api.batch(w, node("later"))
        now = content(api, w)
        answer = api.ask("POST", f"/workspaces/{w}/commits/3/revert")
        assert (answer["kind"], answer["ref"]) == ("revert", 3)
        assert api.nodes(w) == ["api", "db", "later"]
        assert api.read(w)["document"]["text"] == TEXT
        api.ask("POST", f"/workspaces/{w}/undo")
        assert content(api, w) == now

    def test_of_what_cannot_be_taken_back(self, api: Api, w: str) -> None:
        made = api.ask("POST", f"/workspaces/{w}/checkpoints", 201, json={"name": "Here"})["revision"]
        before = api.state(w)
        check_problem(api.send_to("POST", f"/workspaces/{w}/commits/1/revert"), 422, "not_revertable")
        check_problem(api.send_to("POST", f"/workspaces/{w}/commits/{made}/revert"), 422, "not_revertable")
        check_problem(api.send_to("POST", f"/workspaces/{w}/commits/99/revert"), 404, "revision_unknown")
        assert api.state(w) == before


class TestCheckpoints:
    def test_are_set_listed_and_dropped(self, api: Api, w: str) -> None:
        answer = api.ask("POST", f"/workspaces/{w}/checkpoints", 201, json={"name": " Before the review "})
        (name,) = answer["results"][0]["ids"]
        api.ask("POST", f"/workspaces/{w}/checkpoints", 201, json={"name": "Start", "revision": 1})
        items = api.ask("GET", f"/workspaces/{w}/checkpoints")["items"]
        assert [(item["name"], item["revision"]) for item in items] == [("Before the review", 3), ("Start", 1)]
        assert items[0]["id"] == name
        assert api.ask("DELETE", f"/workspaces/{w}/checkpoints/{name}")["changed"]
        assert [item["name"] for item in api.ask("GET", f"/workspaces/{w}/checkpoints")["items"]] == ["Start"]
        assert api.ask("GET", f"/workspaces/{w}/undo")["undo"]["rev"] == 3  # a checkpoint is on no stack

    def test_of_what_is_not_there(self, api: Api, w: str) -> None:
        before = api.state(w)
        path = f"/workspaces/{w}/checkpoints"
        check_problem(api.send_to("DELETE", f"{path}/nothing"), 404, "checkpoint_not_found")
        check_problem(api.send_to("POST", path, json={"name": "x", "revision": 9}), 404, "revision_unknown")
        for body in ({}, {"name": ""}, {"name": "x" * 121}, {"name": "x", "revision": 0}, {"name": 5}):
            check_problem(api.send_to("POST", path, json=body), 422, "invalid_request")
        assert api.state(w) == before


async def keep_state(url: str, w: str) -> None:
    """Store a snapshot of the newest state, and keep it for good."""
    connection = await connect(url)
    try:
        log = RedisCommitLog(connection)
        replica = await load_replica(log, w)
        head = replica.head
        blob = Blob(head.epoch, head.revision, head.chain, 0, replica.dump())
        assert await log.put_snapshot(w, blob) == "ok"
        await log.keep(w, blob, "day")
    finally:
        await connection.close()


async def trim(url: str, w: str, upto: int) -> None:
    """Drop the oldest commits, as retention does."""
    connection = await connect(url)
    try:
        log = RedisCommitLog(connection)
        meta = await log.meta(w)
        assert meta is not None
        assert await log.trim(w, meta.head.epoch, upto) == upto
    finally:
        await connection.close()


async def test_what_was_trimmed_is_410_with_the_nearest_that_is_kept(
    api: Api, two: list[Api], redis_url: str, w: str
) -> None:
    key = {"Idempotency-Key": "long-ago-key"}
    api.batch(w, node("old"), headers=key)
    await keep_state(redis_url, w)
    api.batch(w, node("more"))
    await keep_state(redis_url, w)
    await trim(redis_url, w, 4)
    fresh = two[0]  # a worker that has nothing of it in memory
    for path in ("/commits/2", "/revisions/2", "/compare?from=2"):
        found = check_problem(fresh.get(f"/api/v1/workspaces/{w}{path}"), 410, "trimmed")
        assert found["nearest"] == 4, path
    assert fresh.ask("GET", f"/workspaces/{w}/revisions/4")["revision"] == 4
    assert [item["revision"] for item in fresh.ask("GET", f"/workspaces/{w}/commits")["items"]] == [5]
    old_base = fresh.send_to("POST", f"/workspaces/{w}/batches", json={"operations": [node("x")], "base_revision": 2})
    check_problem(old_base, 410, "trimmed")
    for way in ("/commits/2/revert", "/revisions/2/restore"):
        check_problem(fresh.send_to("POST", f"/workspaces/{w}{way}"), 410, "trimmed")
    assert fresh.nodes(w) == ["api", "db", "old", "more"]
    assert fresh.batch(w, node("still"))["revision"] == 6
