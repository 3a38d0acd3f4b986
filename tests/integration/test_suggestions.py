"""Suggestions: `POST /batches` with `propose` keeps a batch as a proposal, by anyone who may propose, without a run."""

from __future__ import annotations

import asyncio
from typing import Any

from draftsmith.usecases.proposals.proposals import MOST_OPEN_OF_ONE
from tests.integration.client import Api, check_problem, edge, edit, label, node
from tests.integration.people import Caller, Town
from tests.integration.sockets import new_id, seated
from tests.kit.fixtures import admin_workspace_fixture, town_fixture, workspace_fixture

START = {"name": "Shop", "document": {"text": "# Shop\n\n## Orders\n\nThey are kept.\n"}}


w = workspace_fixture([node("api", label="API"), node("db", label="Orders"), edge("api", "db")], **START)


def suggest(caller: Api, w: str, *operations: Any, expected: int = 201, **fields: Any) -> Any:
    return caller.batch(w, *operations, expected=expected, propose=True, **fields)


def of(w: str, proposal: Any, what: str = "") -> str:
    return f"/workspaces/{w}/proposals/{proposal['id']}{what}"


class TestASuggestion:
    def test_changes_nothing_and_is_accepted_as_one_commit(self, api: Api, w: str) -> None:
        before = api.state(w)
        made = suggest(
            api, w, node("cache", label="Cache"), edge("api", "cache"), edit("Orders", "kept", "kept for a year"),
            explanation="Reads are slow.",
        )  # fmt: skip
        assert (made["origin"], made["run"], made["status"], made["fit"]) == ("person", "", "open", "fits")
        assert (made["count"], made["explanation"], made["prompt"]) == (3, "Reads are slow.", "")
        assert made["operations"][1]["depends_on"] == [0]
        assert api.state(w) == before
        assert api.ask("GET", of(w, made)) == made
        answer = api.ask("POST", of(w, made, "/accept"))
        assert answer["changed"]
        assert "cache" in api.nodes(w)
        assert "kept for a year" in api.read(w)["document"]["text"]
        api.ask("POST", f"/workspaces/{w}/undo")
        assert "cache" not in api.nodes(w)
        assert "kept for a year" not in api.read(w)["document"]["text"]

    def test_is_carried_over_what_others_do_and_taken_in_part(self, api: Api, w: str) -> None:
        made = suggest(api, w, label("api", "Front door"), label("db", "Order store"))
        api.batch(w, node("new"), label("db", "Archive"))
        now = api.ask("GET", of(w, made))
        assert (now["fit"], [one["fits"] for one in now["operations"]]) == ("conflicts", [True, False])
        check_problem(api.send_to("POST", of(w, made, "/accept")), 409, "proposal_conflict")
        api.ask("POST", of(w, made, "/accept"), json={"operations": [0]})
        assert {one["label"] for one in api.read(w)["diagram"]["nodes"]} >= {"Front door", "Archive"}

    def test_that_does_not_fit_is_refused_with_every_reason(self, api: Api, w: str) -> None:
        problems = suggest(api, w, label("no", "x"), edge("api", "db"), expected=422)["problems"]
        assert {one["index"] for one in problems} == {0, 1}
        typed = {"op": "edit_text", "base_revision": 1, "changes": [1]}
        assert suggest(api, w, typed, expected=422)["problems"][0]["path"].startswith("/operations/0")
        same = suggest(api, w, label("api", "API"), expected=422)
        assert "nothing to propose" in same["detail"]
        assert api.ask("GET", f"/workspaces/{w}/proposals")["items"] == []

    def test_for_a_state_that_is_gone_is_refused(self, api: Api, w: str) -> None:
        seen = api.read(w)["revision"]
        api.batch(w, label("api", "Front door"))
        check_problem(
            api.send_to("POST", f"/workspaces/{w}/batches",
                        json={"operations": [label("api", "Gate")], "base_revision": seen, "propose": True}),
            409, "stale_base",
        )  # fmt: skip
        assert suggest(api, w, label("db", "Store"), base_revision=seen)["fit"] == "fits"

    def test_that_is_sent_again_is_the_same(self, api: Api, w: str) -> None:
        given = new_id()
        made = suggest(api, w, node("a"), id=given)
        api.batch(w, node("b"))
        again = suggest(api, w, node("a"), id=given)
        assert again["id"] == made["id"]
        assert len(api.ask("GET", f"/workspaces/{w}/proposals")["items"]) == 1
        assert suggest(api, w, node("c"), id=given, expected=422)["code"] == "key_reused"
        api.ask("POST", of(w, made, "/accept"))
        assert suggest(api, w, node("a"), id=given)["status"] == "accepted"

    def test_is_tried_without_being_kept(self, api: Api, w: str) -> None:
        tried = suggest(api, w, node("a"), dry_run=True, expected=200)
        assert (tried["dry_run"], [one["id"] for one in tried["diff"]["nodes"]["added"]]) == (True, ["a"])
        assert api.ask("GET", f"/workspaces/{w}/proposals")["items"] == []

    def test_is_one_of_few(self, api: Api, w: str) -> None:
        made = [suggest(api, w, node(f"n{number}")) for number in range(MOST_OPEN_OF_ONE)]
        refusal = suggest(api, w, node("more"), expected=409)
        assert refusal["code"] == "too_many_proposals"
        api.ask("POST", of(w, made[0], "/reject"))
        suggest(api, w, node("more"))


place = town_fixture("s-one", "s-two")


shop = admin_workspace_fixture([node("api", label="API")], **START)


class TestRoles:
    def test_a_commenter_proposes_and_an_editor_decides(self, place: Town, shop: str) -> None:
        cora, vera = place.holder(shop, "commenter"), place.holder(shop, "viewer")
        cora.ask("PATCH", "/me", json={"name": "Cora"})
        check_problem(
            cora.send_to("POST", f"/workspaces/{shop}/batches", json={"operations": [node("a")]}), 403, "forbidden"
        )
        assert suggest(vera, shop, node("a"), expected=403)["code"] == "forbidden"
        made = suggest(cora, shop, node("a"), explanation="We need it.")
        check_problem(cora.send_to("POST", of(shop, made, "/accept")), 403, "forbidden")
        check_problem(vera.send_to("POST", of(shop, made, "/reject")), 403, "forbidden")
        assert vera.ask("GET", of(shop, made))["actor"]["name"] == "Cora"
        revision = place.admin.ask("POST", of(shop, made, "/accept"))["revision"]
        commit = place.admin.ask("GET", f"/workspaces/{shop}/commits/{revision}")
        assert commit["why"] == "Suggested by Cora: We need it."
        assert commit["source"] == "page"

    def test_what_one_has_suggested_one_may_withdraw(self, place: Town, shop: str) -> None:
        cora, carl = place.holder(shop, "commenter"), place.holder(shop, "commenter")
        made = suggest(cora, shop, node("a"))
        check_problem(carl.send_to("POST", of(shop, made, "/reject")), 403, "forbidden")
        assert cora.ask("POST", of(shop, made, "/reject"))["status"] == "rejected"

    async def test_it_is_on_every_page_at_once(self, place: Town, shop: str) -> None:
        cora = place.holder(shop, "commenter", place.servers[1].url)
        async with seated(place.admin, shop) as one:
            made = await asyncio.to_thread(suggest, cora, shop, node("a"))
            told = await one.next("proposals")
            assert [(row["id"], row["origin"]) for row in told["proposals"]] == [(made["id"], "person")]
            await asyncio.to_thread(cora.ask, "POST", of(shop, made, "/reject"))
            await one.next("proposals", proposals=[])


class TestWhatOthersAsk:
    async def test_is_neither_read_nor_watched(self, place: Town, shop: str) -> None:
        """What somebody asks the assistant is theirs, until the owner opens it to all."""
        cora, carl = place.holder(shop, "commenter"), place.holder(shop, "commenter")
        run = cora.ask("POST", f"/workspaces/{shop}/runs", json={"prompt": "add a cache called Sessions"})
        proposal = {"id": run["outcome"]["proposal"]}
        assert cora.ask("GET", of(shop, proposal))["prompt"] == "add a cache called Sessions"
        assert carl.ask("GET", of(shop, proposal))["prompt"] == ""
        assert [one["prompt"] for one in carl.ask("GET", f"/workspaces/{shop}/proposals")["items"]] == [""]
        await self._watches(carl, shop, run["id"], is_seen=False)
        await self._watches(cora, shop, run["id"], is_seen=True)
        place.admin.ask("PATCH", f"/workspaces/{shop}/access", json={"shows_runs": True})
        assert carl.ask("GET", of(shop, proposal))["prompt"] == "add a cache called Sessions"
        await self._watches(carl, shop, run["id"], is_seen=True)

    @staticmethod
    async def _watches(caller: Caller, w: str, run: str, *, is_seen: bool) -> None:
        async with seated(caller, w) as one:
            await one.say("watch", run=run, after="0")
            if is_seen:
                await one.next("run_event")
            else:
                assert (await one.next("run_gone"))["code"] == "run_not_found"
