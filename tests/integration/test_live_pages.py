"""Pages over real sockets: catching up, writing, answers, undo, presence, runs; every frame inside the schema."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.client import Api, check_problem, label, node
from tests.integration.servers import running
from tests.integration.sockets import Message, Page, forget_the_past, new_id, page, seated
from tests.kit.documents import edit_section
from tests.kit.fixtures import workspace_fixture

TEXT = "# Shop\n\nSells things.\n"


w = workspace_fixture(name="Shop", document={"text": TEXT})


@pytest.fixture
def ben(api: Api) -> Iterator[Api]:
    """Another person on the same worker."""
    with Api(str(api.base_url)) as other:
        other.become("Ben")
        yield other


@pytest.fixture
def own_api(redis_url: str) -> Iterator[Api]:
    """A client of a worker of the test's own."""
    with running(redis_url, "w-own") as (server,), Api(server.url) as api:
        yield api


def token_of_place(place: Message | None) -> str:
    """Where a page stands, as ETags have it."""
    assert place is not None
    return f"{place['epoch']}.{place['rev']}.{place['h'][:8]}"


def kinds_heard(one: Page) -> list[str]:
    return [message["t"] for message in one.heard]


class TestCatchingUp:
    async def test_a_new_page_is_given_everything(self, api: Api, w: str) -> None:
        api.become("Ada")
        api.batch(w, node("api"), node("db"), {"op": "add_edge", "source": "api", "target": "db", "label": "reads"})
        async with seated(api, w) as one:
            assert kinds_heard(one)[:3] == ["welcome", "state", "roster"]
            welcome, state, roster = one.heard[:3]
            assert (welcome["v"], welcome["w"], welcome["resumed"]) == (1, w, False)
            assert (welcome["me"]["name"], welcome["me"]["kind"]) == ("Ada", "person")
            assert (welcome["role"], welcome["frozen"]) == (api.read(w)["role"], None)
            assert welcome["limits"] == {"operations": 500, "batch_bytes": 1_000_000, "document_chars": 2_000_000}
            whole, content = api.read(w), state["workspace"]
            assert (state["rev"], state["why"], content["name"], content["text"]) == (2, "fresh", "Shop", TEXT)
            assert [name for name, _ in content["nodes"]] == ["api", "db"]
            assert [(source, target) for _, source, target, _ in content["edges"]] == [("api", "db")]
            assert all(fields["birth"] == 2 for _, fields in content["nodes"])
            assert whole["revision"] == 2
            assert [(m["member"], m["id"]) for m in roster["members"]] == [(welcome["member"], welcome["me"]["id"])]

    async def test_a_page_that_comes_back_is_given_what_it_missed(self, api: Api, w: str) -> None:
        """In order, each commit once; nothing where it missed nothing."""
        async with seated(api, w) as one:
            place = one.place
        async with page(api, w, resume=place) as one:
            assert (await one.next("welcome"))["resumed"]
            await one.next("roster")
            assert not {"state", "commit"} & set(kinds_heard(one))
        for number in range(30):
            api.batch(w, node(f"n{number}"))
        async with page(api, w, resume=place) as one:
            assert (await one.next("welcome"))["resumed"]
            await one.at(31)
            assert [commit["rev"] for commit in one.commits] == list(range(2, 32))
            assert "state" not in kinds_heard(one)

    async def test_a_page_of_another_history_is_given_the_whole(self, api: Api, w: str) -> None:
        """Another epoch, another hash, or ahead of the log."""
        async with seated(api, w) as one:
            place = one.place
            assert place is not None
        api.batch(w, node("a"))
        for more in ({"epoch": "another"}, {"h": "0123456789abcdef"}, {"rev": 7}):
            async with page(api, w, resume={**place, **more}) as one:
                assert not (await one.next("welcome"))["resumed"]
                state = await one.next("state")
                assert (state["why"], state["rev"]) == ("diverged", 2)

    async def test_a_page_that_slept_too_long_is_given_the_whole(self, redis_url: str, own_api: Api) -> None:
        """What it missed is no longer kept; a worker that has just started knows no more than the log."""
        w = own_api.create(name="Shop")
        async with seated(own_api, w) as one:
            place = one.place
        for number in range(5):
            own_api.batch(w, node(f"n{number}"))
        await forget_the_past(redis_url, w)
        with running(redis_url, "w-later") as (server,), Api(server.url) as later:
            async with page(later, w, resume=place) as one:
                assert not (await one.next("welcome"))["resumed"]
                state = await one.next("state")
                assert (state["why"], state["rev"], len(state["workspace"]["nodes"])) == ("trimmed", 6, 5)
            response = later.send_to("GET", f"/workspaces/{w}/commits/events", params={"after": 2})
            check_problem(response, 410, "trimmed")
            response = later.send_to(
                "GET", f"/workspaces/{w}/commits/events", headers={"Last-Event-ID": token_of_place(place)}
            )
            check_problem(response, 410, "trimmed")

    async def test_a_page_may_ask_for_the_whole(self, api: Api, w: str) -> None:
        async with seated(api, w) as one:
            await one.say("resync", why="A step did not fit.")
            assert (await one.next("state", why="asked"))["rev"] == 1
            await one.say("ping", n=2**53 - 1)
            assert await one.next("pong", n=2**53 - 1)


class TestWriting:
    async def test_everybody_is_told_and_who_asked_is_answered(self, api: Api, ben: Api, w: str) -> None:
        """The answer stands directly before the commit, as every page of these tests checks, and says what it did."""
        api.become("Ada")
        async with seated(api, w) as ada, seated(ben, w) as other:
            done = await ada.submit(node("cache"), edit_section("Shop", "things", "books"), explanation="Faster.")
            assert (done["rev"], done["changed"], done["replayed"], done["kind"]) == (2, True, False, "edit")
            assert [result["op"] for result in done["results"]] == ["add_node", "edit_section"]
            for one in (ada, other):
                commit = await one.next("commit")
                assert (commit["rev"], commit["by"]["name"], commit["why"]) == (2, "Ada", "Faster.")
                assert [step["k"] for step in commit["steps"]] == ["node+", "text"]
                assert commit["source"] == "page"
            assert "committed" not in kinds_heard(other)

    async def test_a_repeat_is_answered_alike_and_done_once(self, api: Api, w: str) -> None:
        """Over the same connection, over another, over HTTP and back."""
        write = new_id()
        body: dict[str, Any] = {"operations": [node("cache")], "explanation": ""}
        async with seated(api, w) as one:
            for replayed in (False, True, True):
                await one.say("submit", id=write, **body)
                assert (await one.next("committed", id=write))["replayed"] == replayed
            place = one.place
        headers = {"Idempotency-Key": write}
        again = api.ask("POST", f"/workspaces/{w}/batches", json={"operations": body["operations"]}, headers=headers)
        assert (again["revision"], again["replayed"]) == (2, True)
        over_http = api.batch(w, node("db"), headers={"Idempotency-Key": "made-over-http"})
        async with page(api, w, resume=place, pending=["made-over-http"]) as one:
            told = await one.next("committed", id="made-over-http")
            assert told["rev"] == over_http["revision"] == 3
            await one.say("submit", id=write, operations=[node("other")])
            assert (await one.next("rejected", id=write))["code"] == "key_reused"
            assert api.nodes(w) == ["cache", "db"]

    async def test_what_does_not_fit_is_refused_with_every_reason(self, api: Api, w: str) -> None:
        """And what does fit after it goes on; nothing to do is an answer, too."""
        async with seated(api, w) as one:
            await one.say("submit", id="refused-1", operations=[label("nobody", "x"), {"op": "dance"}])
            refusal = await one.next("rejected", id="refused-1")
            assert (refusal["code"], refusal["retry"]) == ("invalid_request", False)
            await one.say(
                "submit", id="refused-2", operations=[label("nobody", "x"), edit_section("Nowhere", "a", "b")]
            )
            refusal = await one.next("rejected", id="refused-2")
            assert (refusal["code"], len(refusal["problems"])) == ("batch_rejected", 2)
            assert {problem["index"] for problem in refusal["problems"]} == {0, 1}
            await one.submit(node("a"))
            done = await one.submit(label("a", "A"))
            assert (done["changed"], done["rev"]) == (False, 2)

    @pytest.mark.parametrize(
        "operation",
        [
            {"op": "add_node", "type": "service", "label": "x", "properties": {"deep": [[]]}},
            {"op": "add_node", "type": "service", "label": "a\x00b"},
            {"op": "add_node", "type": "service", "label": "x" * 121},
            {"op": "append_to_section", "section": "Shop", "text": "x" * 2_000_001},
            {"op": 7},
            {},
        ],
    )
    async def test_wrong_operations_are_refused_and_close_nothing(self, api: Api, w: str, operation: Any) -> None:
        async with seated(api, w) as one:
            write = await one.say("submit", id=new_id(), operations=[operation])
            refusal = await one.next("rejected", id=write)
            assert not refusal["retry"], refusal
            assert (await one.submit(node("after")))["changed"]

    async def test_what_is_nested_too_deep_is_refused_for_good(self, api: Api, w: str) -> None:
        """Not as something that may pass, which a page would send again for ever."""
        deep = "[" * 300 + "]" * 300
        async with seated(api, w) as one:
            await one.socket.send(f'{{"t":"submit","id":"deep-0001","operations":[{{"op":"add_node","x":{deep}}}]}}')
            close, _ = await one.closed()
            bye = one.heard[-1]
            assert (close, bye["t"], bye["id"]) == (4400, "bye", "deep-0001"), "by its id the page knows what to drop"

    async def test_undo_redo_and_revert(self, api: Api, ben: Api, w: str) -> None:
        """One's own newest; what others built on stays, and what is left out is told."""
        api.become("Ada")
        async with seated(api, w) as ada, seated(ben, w) as other:
            mine = await ada.submit(node("a"))
            await other.submit(node("b"), {"op": "add_edge", "source": "a", "target": "b", "label": "calls"})

            async def ask(one: Page, kind: str, **more: Any) -> Message:
                write = await one.say(kind, id=new_id(kind), **more)
                found: Message = await one.until(lambda: next((m for m in one.heard if m.get("id") == write), None))
                return found

            undone = await ask(ada, "undo")
            assert (undone["kind"], undone["changed"], len(undone["left_out"])) == ("undo", False, 1)
            assert (await ask(other, "undo"))["changed"]
            assert (await ask(other, "redo"))["changed"]
            assert (await ask(other, "revert", rev=3))["kind"] == "revert"
            assert (await ask(ada, "revert", rev=mine["rev"]))["t"] in ("committed", "rejected")
            assert (await ask(ada, "undo", expect=1))["code"] == "undo_moved"
            head = api.read(w)["revision"]
            for one in (ada, other):
                await one.at(head)
            assert ada.place == other.place

    async def test_a_page_that_is_opened_later_goes_on_with_undo_and_redo(self, api: Api, ben: Api, w: str) -> None:
        """What can be taken back and done again is the person's, whichever page asks, whatever others do meanwhile."""
        api.become("Ada")
        async with seated(api, w) as one:
            await one.submit(node("web", label="Web"))
            mine = (await one.submit(label("web", "Shop")))["rev"]
        ben.batch(w, node("db"))

        async def take(way: str) -> Message:
            """Ask what the next one is, as a page does that was just opened, and take it there."""
            top = api.ask("GET", f"/workspaces/{w}/undo")[way]
            async with seated(api, w) as opened:
                write = await opened.say(way, id=new_id(way), expect=top["rev"])
                found: Message = await opened.until(
                    lambda: next((m for m in opened.heard if m.get("id") == write), None)
                )
            assert (found["t"], found["kind"], found["changed"], found["left_out"]) == ("committed", way, True, [])
            return top

        def label_of() -> str:
            return next(one["label"] for one in api.read(w)["diagram"]["nodes"] if one["id"] == "web")

        assert (await take("undo"))["rev"] == mine
        assert label_of() == "Web"
        ben.batch(w, label("db", "Store"))
        assert "Shop" in (await take("redo"))["label"]
        assert label_of() == "Shop"
        assert api.ask("GET", f"/workspaces/{w}/undo")["redo"] is None


class TestTyping:
    async def test_two_people_type_into_one_text(self, api: Api, ben: Api, w: str) -> None:
        """Each for the text as they know it; what came first at a place stands first."""
        async with seated(api, w) as ada, seated(ben, w) as other:
            assert ada.place is not None
            base = {"epoch": ada.place["epoch"], "base": 1}
            await ada.say("type", id=new_id(), **base, changes=[len(TEXT), [0, "Ada 🗄"]])
            await ada.next("committed")
            await other.say("type", id=new_id(), **base, changes=[len(TEXT), [0, "Ben"]])
            await other.next("committed")
            assert api.read(w)["document"]["text"] == TEXT + "Ada 🗄Ben"
            await other.at(3)
            assert [(commit["kind"], commit["steps"][0]["k"]) for commit in other.commits] == [("text", "text")] * 2

    @pytest.mark.parametrize(
        "more, code",
        [
            ({"epoch": "another"}, "base_gone"),
            ({"base": 99}, "base_gone"),
            ({"changes": [3]}, "invalid_request"),
            ({"changes": [len(TEXT), [0, "a\rb"]]}, "invalid_request"),
            ({"changes": ["x"]}, "invalid_request"),
            ({"changes": [len(TEXT), [0, "x" * 2_000_001]]}, "limit_document"),
        ],
    )
    async def test_what_cannot_be_typed_is_refused(self, api: Api, w: str, more: dict[str, Any], code: str) -> None:
        async with seated(api, w) as one:
            assert one.place is not None
            said = {"epoch": one.place["epoch"], "base": 1, "changes": [len(TEXT), [0, "x"]], **more}
            write = await one.say("type", id=new_id(), **said)
            refusal = await one.next("rejected", id=write)
            assert (refusal["code"], refusal["retry"]) == (code, False)
        assert api.read(w)["document"]["text"] == TEXT


class TestWhoIsHere:
    async def test_one_is_seen_to_come_move_and_go(self, api: Api, ben: Api, w: str) -> None:
        async with seated(api, w) as one, seated(ben, w) as other:
            await one.until(lambda: [m for m in one.heard if m["t"] == "roster" and len(m["members"]) == 2])
            state = {"view": "split", "cursor": {"x": 1.5, "y": -2}, "selection": ["a"], "editing": "document",
                     "caret": {"rev": 1, "anchor": 0, "head": 3}}  # fmt: skip
            await other.say("presence", state=state)
            member = other.heard[0]["member"]

            def seen() -> Any:
                return [m["members"].get(member) for m in one.heard if m["t"] == "presence"][-1:]

            await one.until(lambda: seen() == [state])
            async with seated(api, w) as late:
                roster = [m for m in late.heard if m["t"] == "roster"][-1]
                assert [m["state"] for m in roster["members"] if m["member"] == member] == [state]
            await other.leave()
            await one.until(lambda: len([m for m in one.heard if m["t"] == "roster"][-1]["members"]) == 1)

    async def test_another_name_is_told_at_once(self, api: Api, ben: Api, w: str) -> None:
        """To everybody; what one does then is in the new name."""
        async with seated(api, w) as one, seated(ben, w) as other:
            ben.ask("PATCH", "/me", json={"name": "Benedict"})
            await one.until(
                lambda: [m for m in one.heard if m["t"] == "roster" and "Benedict" in [n["name"] for n in m["members"]]]
            )
            done = await other.submit(node("a"))
            assert api.ask("GET", f"/workspaces/{w}/commits/{done['rev']}")["actor"]["name"] == "Benedict"


class TestTheAssistant:
    async def test_a_run_is_seen_and_watched(self, api: Api, ben: Api, w: str) -> None:
        """What was asked, by who asked alone; its commit comes like any other."""
        api.become("Ada")
        async with seated(api, w) as ada, seated(ben, w) as other:
            run = api.ask("POST", f"/workspaces/{w}/runs", json={"prompt": "add a cache called Sessions"})
            for one, is_told in ((ada, True), (other, False)):
                shown = await one.until(lambda one=one: [m for m in one.heard if m["t"] == "runs" and m["runs"]])
                (row,) = shown[-1]["runs"]
                assert row["id"] == run["id"]
                assert ("prompt" in row) == is_told
                await one.at(2)
            await other.say("watch", run=run["id"])
            await other.until(lambda: [m for m in other.heard if m["t"] == "run_event" and m["event"]["type"] == "end"])
            await other.say("watch", run="0" * 26)
            assert (await other.next("run_gone"))["run"] == "0" * 26

    async def test_a_proposal_is_shown_until_it_is_answered(self, api: Api, w: str) -> None:
        async with seated(api, w) as one:
            ask = {"prompt": "add a queue called Jobs", "mode": "propose"}
            run = api.ask("POST", f"/workspaces/{w}/runs", json=ask)
            proposal = run["outcome"]["proposal"]
            shown = await one.until(lambda: [m for m in one.heard if m["t"] == "proposals" and m["proposals"]])
            assert [row["id"] for row in shown[-1]["proposals"]] == [proposal]
            api.ask("POST", f"/workspaces/{w}/proposals/{proposal}/accept", json={})
            await one.at(2)
            await one.until(lambda: [m for m in one.heard if m["t"] == "proposals"][-1]["proposals"] == [])


class TestTheEnd:
    async def test_a_workspace_in_the_trash_closes_its_sockets(self, api: Api, ben: Api, w: str) -> None:
        async with seated(api, w) as one, seated(ben, w) as other:
            api.ask("DELETE", f"/workspaces/{w}", 204)
            for each in (one, other):
                assert (await each.closed())[0] == 4410
                assert (each.heard[-1]["code"], each.heard[-1]["again_ms"]) == ("workspace_deleted", None)
        api.ask("POST", f"/workspaces/{w}/undelete")
        async with seated(api, w) as one:
            assert (await one.submit(node("back")))["changed"]

    async def test_many_commits_come_in_few_frames(self, api: Api, w: str) -> None:
        """Everything that waits goes out together."""
        async with seated(api, w) as one, seated(api, w) as other:
            ids = [new_id() for _ in range(150)]
            said = [json.dumps({"t": "submit", "id": name, "operations": [node(name)]}) for name in ids]
            before = other.frames
            await asyncio.gather(*(one.socket.send(text) for text in said))
            await other.at(151)
            await one.at(151)
            assert other.frames - before < 100
            answered = [m["id"] for m in one.heard if m["t"] == "committed"]
            assert answered == ids
