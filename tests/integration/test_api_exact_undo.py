"""Undo, redo, revert and restore over HTTP are exact: no text stands twice, and what is so already is not changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.client import Api, check_problem, edge, edit, label, node
from tests.integration.servers import Server, running
from tests.integration.test_api_history import keep_state, trim
from tests.integration.typists import ADA, BOB, Typist, new_workspace, workers
from tests.kit.fixtures import workspace_fixture

TEXT = "# Plan\n\nWe use one queue.\n\n## Risks\n\nNone known.\n"
BACK = "that text is already back"
GONE = "that text is already gone"
DELETE = {"op": "delete_section", "section": "Risks"}


w = workspace_fixture(name="Past", document={"text": TEXT})


def text(api: Api, w: str) -> str:
    found: str = api.read(w)["document"]["text"]
    return found


def revert(api: Api, w: str, revision: int, **body: Any) -> Any:
    return api.ask("POST", f"/workspaces/{w}/commits/{revision}/revert", json=body)


def whys(answer: Any) -> list[str]:
    return [left["why"] for left in answer["left_out"]]


class TestText:
    @pytest.mark.parametrize("section", ["Risks", "Plan"])
    def test_of_a_deletion_that_was_undone_is_not_doubled(self, two: list[Api], section: str) -> None:
        """On two workers, with and without force: 200, what is left out and why, and no commit."""
        left, right = two
        w = left.create(name="Past", document={"text": TEXT})
        gone = left.batch(w, {"op": "delete_section", "section": section})["revision"]
        head = right.ask("POST", f"/workspaces/{w}/undo")["revision"]
        for api in two:
            for force in (False, True):
                answer = revert(api, w, gone, force=force)
                assert whys(answer) == [BACK]
                assert answer["left_out"][0]["what"].startswith("bringing back “#")
                assert (answer["changed"], answer["revision"]) == (False, head)
        assert text(left, w) == text(right, w) == TEXT

    def test_of_an_undo_that_somebody_reverted_is_not_redone_again(self, api: Api, w: str) -> None:
        api.batch(w, edit("Risks", "None known.", "None known. Really."))
        after = text(api, w)
        undone = api.ask("POST", f"/workspaces/{w}/undo")["revision"]
        with Api(str(api.base_url)) as person:
            person.become("Ada")
            assert revert(person, w, undone)["changed"]
        answer = api.ask("POST", f"/workspaces/{w}/redo")
        assert whys(answer) == [BACK]
        assert text(api, w) == after
        assert not api.ask("POST", f"/workspaces/{w}/redo")["changed"]

    def test_that_a_restore_brought_back_is_not_brought_back_again(self, api: Api, w: str) -> None:
        """The restored revision is followed by one that did not change the text; words of the section came and went."""
        kept = api.batch(w, node("a"))["revision"]
        api.batch(w, node("b"))
        api.batch(w, edit("Risks", "None known.", "None at all known."))
        api.batch(w, edit("Risks", "None at all k", "K"))
        gone = api.batch(w, DELETE)["revision"]
        head = api.ask("POST", f"/workspaces/{w}/revisions/{kept}/restore")["revision"]
        assert text(api, w) == TEXT
        answer = revert(api, w, gone)
        assert whys(answer) == [BACK]
        assert (answer["changed"], answer["revision"]) == (False, head)
        assert text(api, w) == TEXT

    def test_of_an_insertion_that_was_taken_out_is_not_taken_out_again(self, api: Api, w: str) -> None:
        made = api.batch(w, {"op": "insert_section", "title": "New", "text": "Words."})["revision"]
        assert revert(api, w, made)["changed"]
        answer = revert(api, w, made, force=True)
        assert (answer["changed"], whys(answer)) == (False, [GONE])
        assert text(api, w) == TEXT

    def test_that_a_restored_revision_brought_back_is_there(self, api: Api, w: str) -> None:
        gone = api.batch(w, DELETE)["revision"]
        assert api.ask("POST", f"/workspaces/{w}/revisions/1/restore")["changed"]
        assert whys(revert(api, w, gone)) == [BACK]
        assert text(api, w) == TEXT

    def test_that_a_restore_brought_back_and_its_redo_is_not_brought_back_again(self, api: Api) -> None:
        """Sections went and one came back; a restore of then, undone and redone: each section stands there once."""
        sections = "# Plan\n\n## Risks\n\nFew of old.\n\n## Costs\n\nLow as yet.\n\n## Dates\n\nSoon enough.\n"
        w = api.create(name="Past", document={"text": sections})
        first = api.batch(w, DELETE)["revision"]
        assert revert(api, w, first)["changed"]
        api.batch(w, {**DELETE, "section": "Costs"})
        gone = api.batch(w, {**DELETE, "section": "Dates"})["revision"]
        api.ask("POST", f"/workspaces/{w}/revisions/{first}/restore")
        restored = text(api, w)
        assert api.ask("POST", f"/workspaces/{w}/undo")["changed"]
        assert api.ask("POST", f"/workspaces/{w}/redo")["changed"]
        assert text(api, w) == restored
        assert whys(revert(api, w, gone)) == [BACK]
        assert text(api, w) == restored

    async def test_is_known_from_a_snapshot_and_where_older_commits_are_dropped(
        self, api: Api, two: list[Api], redis_url: str, w: str
    ) -> None:
        """Two deletions of one text; the first one brought it back and is no longer kept."""
        first = api.batch(w, DELETE)["revision"]
        api.ask("POST", f"/workspaces/{w}/undo")
        await keep_state(redis_url, w)
        second = api.batch(w, DELETE)["revision"]
        assert revert(api, w, first)["changed"]
        await keep_state(redis_url, w)
        await trim(redis_url, w, first)
        fresh = two[0]  # a worker that has nothing of it in memory
        check_problem(fresh.send_to("POST", f"/workspaces/{w}/commits/{first}/revert"), 410, "trimmed")
        assert whys(revert(fresh, w, second)) == [BACK]
        assert text(fresh, w) == TEXT


class TestTyping:
    async def test_of_a_range_that_was_taken_back_is_not_taken_back_again(self, redis_url: str) -> None:
        """Typed, deleted and written over, next to others' words; the range, and one push of it alone."""
        async with workers(redis_url, "left", "right") as [left, right]:
            w = await new_workspace(left, "one two three four\n")
            ada, bob = Typist(left, w, ADA), Typist(right, w, BOB)
            first = await ada.erase("two ")
            await ada.write("one ", "2 ")
            await bob.write("four", " five")
            last = await ada.erase("three ")
            assert await ada.look() == "one 2 four five\n"
            await bob.revert(first, last)
            assert await bob.look() == "one two three four five\n"
            again = await ada.revert(first, last)
            assert (again["changed"], {left["why"] for left in again["left_out"]}) == (False, {BACK})
            for revision in (first, last):
                assert whys(await bob.revert(revision)) == [BACK]
            assert await ada.look() == "one two three four five\n"


class TestBatches:
    def test_leave_no_step_of_what_cancels_inside(self, api: Api, w: str) -> None:
        """An edge that never was outside its batch is not left out by the undo."""
        api.batch(w, node("a"), node("b"))
        api.batch(w, edge("a", "b"), {"op": "delete_node", "id": "b"})
        api.batch(w, node("b"))
        revert_of_it = revert(api, w, 3)
        assert [left["ids"] for left in revert_of_it["left_out"]] == [["b"]]


class TestForce:
    def test_makes_no_commit_of_what_is_so_already(self, api: Api, w: str) -> None:
        """A name, a label and a text that are as they were: nothing is committed, however often it is asked for."""
        api.batch(w, node("a"))
        renamed = api.ask("PATCH", f"/workspaces/{w}", json={"name": "After"})["revision"]
        labelled = api.batch(w, label("a", "Front"))["revision"]
        api.ask("PATCH", f"/workspaces/{w}", json={"name": "Past"})
        head = api.batch(w, label("a", "A"))["revision"]
        for revision in (renamed, labelled):
            for _ in range(2):
                answer = revert(api, w, revision, force=True)
                assert (answer["changed"], answer["revision"]) == (False, head)
        assert (api.read(w)["name"], api.read(w)["revision"]) == ("Past", head)


@pytest.fixture(scope="module")
def small(redis_server: str) -> Iterator[Server]:
    """A worker of small workspaces."""
    limits = {"MAX_NODES": "5", "MAX_EDGES": "2", "MAX_DOCUMENT_CHARS": "80"}
    with running(redis_server, "w-undo-limits", **limits) as servers:
        yield servers[0]


class TestLimits:
    @pytest.fixture
    def api(self, small: Server, redis_url: str) -> Iterator[Api]:
        with Api(small.url) as client:
            yield client

    @pytest.mark.parametrize("path", ["undo", "commits/3/revert"])
    def test_of_nodes_hold_for_what_comes_back(self, api: Api, path: str) -> None:
        w = api.create(name="Small")
        api.batch(w, *[node(f"n{number}") for number in range(5)])
        api.batch(w, {"op": "delete_nodes", "ids": ["n0", "n1", "n2"]})
        with Api(str(api.base_url)) as person:
            person.become("Ada")
            person.batch(w, node("m0"), node("m1"))
        self.refused(api, w, path, "limit_nodes")

    def test_hold_for_a_restored_revision_from_before_they_were_lowered(self, api: Api, two: list[Api]) -> None:
        w = two[0].create(name="Large")
        two[0].batch(w, *[node(f"n{number}") for number in range(6)])
        two[0].batch(w, {"op": "delete_nodes", "ids": ["n0", "n1"]})
        self.refused(api, w, "revisions/2/restore", "limit_nodes")
        assert two[0].ask("POST", f"/workspaces/{w}/revisions/2/restore")["changed"]

    def test_of_edges_hold_for_what_comes_back(self, api: Api) -> None:
        w = api.create(name="Small")
        api.batch(w, node("a"), node("b"), node("c"), edge("a", "b", id="ab"), edge("b", "c", id="bc"))
        api.batch(w, {"op": "delete_edge", "id": "ab"})
        api.batch(w, edge("a", "c"))
        self.refused(api, w, "commits/3/revert", "limit_edges")

    def test_of_the_document_hold_for_what_comes_back(self, api: Api) -> None:
        w = api.create(name="Small", document={"text": TEXT})
        api.batch(w, DELETE)
        api.batch(w, edit("Plan", "one queue", "one queue and a very long list of other things"))
        self.refused(api, w, "commits/2/revert", "limit_document")

    def refused(self, api: Api, w: str, path: str, code: str) -> None:
        """Nothing is applied, and the refusal says which limit."""
        before = api.state(w)
        for _ in range(2):
            found = check_problem(api.send_to("POST", f"/workspaces/{w}/{path}"), 422, code)
            assert found["problems"][0]["code"] == code
            assert api.state(w) == before
