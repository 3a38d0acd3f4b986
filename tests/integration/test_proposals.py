"""Proposals: when they come about and why, how they follow the workspace, partly accepted, twice accepted, rejected."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from draftsmith.errors import DraftsmithError
from tests.integration.assistant_workers import ANA, BEN, AssistantWorker, assistant_worker
from tests.integration.test_runs_with_a_model import CACHE, DONE, SAY_SO
from tests.standin import Standin, ToolUse, Turn, serve

MIXED = {
    "operations": [
        {"op": "add_node", "id": "search", "type": "search", "label": "Search"},
        {"op": "add_edge", "source": "api", "target": "search", "label": "queries"},
        {"op": "update_node", "id": "worker", "label": "Postman"},
        {"op": "update_node", "id": "search", "technology": "OpenSearch"},
    ]
}


async def proposed(one: AssistantWorker, **more: Any) -> dict[str, Any]:
    """A run that ends as a proposal; the proposal."""
    run = await one.ask("Please.", **more)
    assert run["status"] == "proposed", run["outcome"]
    assert run["outcome"]["reason"]
    return await one.proposals.get(one.w, run["outcome"]["proposal"])


@pytest.mark.parametrize(
    "operation, reason",
    [
        ({"op": "delete_node", "id": "worker"}, "deletes 1 node"),
        ({"op": "delete_section", "section": "## Risks"}, "deletes a section"),
        ({"op": "replace_section", "section": "# Shop", "scope": "subtree", "text": "Short."}, "deletes 3 sections"),
    ],
)
async def test_auto_waits_before_it_deletes(redis_url: str, operation: dict[str, Any], reason: str) -> None:
    """In mode auto, deletions become a proposal that says so; nothing is changed before the yes."""
    tool = "edit_diagram" if "node" in operation["op"] else "edit_document"
    standin = Standin([Turn([ToolUse(tool, {"operations": [operation]})]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        before = await one.state()
        proposal = await proposed(one)
        assert reason in proposal["reason"]
        assert await one.state() == before


async def test_auto_waits_before_it_changes_much(redis_url: str) -> None:
    """More than twenty things at once wait, too; twenty do not."""
    many = [{"op": "add_node", "id": f"n{k}", "type": "service", "label": f"Service {k}"} for k in range(21)]
    turns = [Turn([ToolUse("edit_diagram", {"operations": many})]), DONE]
    turns += [Turn([ToolUse("edit_diagram", {"operations": many[:20]})]), DONE]
    standin = Standin(turns)
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        assert "21 things" in (await proposed(one))["reason"]
        assert (await one.ask("Please."))["status"] == "applied"


async def test_a_proposal_shows_what_each_operation_needs(redis_url: str) -> None:
    """Taking an edge takes its new node along and shows it first; the rest is left."""
    standin = Standin([Turn([ToolUse("edit_diagram", MIXED)]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        proposal = await proposed(one, mode="propose")
        assert [op["depends_on"] for op in proposal["operations"]] == [[], [0], [], [0]]
        assert all(op["fits"] and op["what"] and op["steps"] for op in proposal["operations"])
        dry = await one.proposals.accept(one.w, proposal["id"], BEN, [1], dry_run=True)
        assert dry["operations"] == [0, 1]
        assert dry["dry_run"]
        assert "search" not in await one.nodes()
        answer = await one.proposals.accept(one.w, proposal["id"], BEN, [1])
        assert answer["operations"] == [0, 1]
        assert ("api", "search") in await one.edges()
        node = await one.look(lambda replica: dict(replica.workspace.diagram.node("worker")))
        assert node["label"] == "Mailer"
        settled = await one.proposals.get(one.w, proposal["id"])
        assert settled["status"] == "accepted"
        assert settled["outcome"]["operations"] == [0, 1]
        # It stands on the stack of who accepted, not of who asked.
        assert (await one.undo(BEN))["changed"]
        assert "search" not in await one.nodes()


async def test_two_accepts_give_one_commit(redis_url: str) -> None:
    """At the same time, one after the other, from two workers and with another choice: one commit."""
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE), ToolUse("edit_document", SAY_SO)]), DONE])
    async with (
        serve(standin) as url,
        assistant_worker(redis_url, url) as one,
        assistant_worker(redis_url, url, worker="w1") as two,
    ):
        two.w = await one.make_shop()
        proposal = await proposed(one, mode="propose")
        head = await one.head()
        answers = await asyncio.gather(
            one.proposals.accept(one.w, proposal["id"], ANA, None),
            two.proposals.accept(one.w, proposal["id"], ANA, None),
            one.proposals.accept(one.w, proposal["id"], BEN, [0]),
        )
        assert await one.head() == head + 1
        assert {answer["revision"] for answer in answers} == {head + 1}
        again = await two.proposals.accept(one.w, proposal["id"], ANA, None)
        assert again["replayed"]
        assert again["revision"] == head + 1
        with pytest.raises(DraftsmithError) as error:
            await one.proposals.reject(one.w, proposal["id"], ANA)
        assert error.value.code == "proposal_closed"


async def test_conflicts_are_found_as_the_base_moves_and_go_with_it(redis_url: str) -> None:
    """An edit of the same field is a conflict of that operation alone; undoing that edit makes it fit again."""
    standin = Standin([Turn([ToolUse("edit_diagram", MIXED)]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        proposal = await proposed(one, mode="propose")
        assert proposal["fit"] == "fits"
        await one.edit(BEN, {"op": "update_node", "id": "worker", "label": "Letters"})
        moved = await one.proposals.get(one.w, proposal["id"])
        assert moved["fit"] == "conflicts"
        assert [op["fits"] for op in moved["operations"]] == [True, True, False, True]
        assert "changed since" in moved["operations"][2]["why"]
        before = await one.state()
        with pytest.raises(DraftsmithError) as error:
            await one.proposals.accept(one.w, proposal["id"], ANA, None)
        assert error.value.code == "proposal_conflict"
        assert error.value.extra["conflicts"][0]["index"] == 2
        assert await one.state() == before
        assert (await one.proposals.list(one.w))[0]["fit"] == "conflicts"
        await one.undo(BEN)
        assert (await one.proposals.get(one.w, proposal["id"]))["fit"] == "fits"
        answer = await one.proposals.accept(one.w, proposal["id"], ANA, None)
        assert answer["changed"]


async def test_what_fits_can_be_taken_without_what_does_not(redis_url: str) -> None:
    """A partial yes leaves the conflict aside."""
    standin = Standin([Turn([ToolUse("edit_diagram", MIXED)]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        proposal = await proposed(one, mode="propose")
        await one.edit(BEN, {"op": "delete_node", "id": "worker"})
        answer = await one.proposals.accept(one.w, proposal["id"], ANA, [0, 1, 3])
        assert answer["changed"]
        assert "search" in await one.nodes()


async def test_a_rejected_proposal_changes_nothing_and_stays_rejected(redis_url: str) -> None:
    """Rejecting twice is rejecting once; accepting afterwards is refused."""
    standin = Standin([Turn([ToolUse("edit_diagram", MIXED)]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        before = await one.state()
        proposal = await proposed(one, mode="propose")
        assert (await one.proposals.reject(one.w, proposal["id"], BEN))["status"] == "rejected"
        assert (await one.proposals.reject(one.w, proposal["id"], BEN))["status"] == "rejected"
        with pytest.raises(DraftsmithError) as error:
            await one.proposals.accept(one.w, proposal["id"], ANA, None)
        assert error.value.code == "proposal_closed"
        assert await one.state() == before


@pytest.mark.parametrize("operations", [[], [9], [-1]])
async def test_wrong_choices_are_refused(redis_url: str, operations: list[int]) -> None:
    """An index that there is not, or none at all, is a clear refusal."""
    standin = Standin([Turn([ToolUse("edit_diagram", MIXED)]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        proposal = await proposed(one, mode="propose")
        with pytest.raises(DraftsmithError) as error:
            await one.proposals.accept(one.w, proposal["id"], ANA, operations)
        assert error.value.code == "invalid_request"


async def test_a_rewrite_waits_and_a_large_loss_waits_even_in_apply(redis_url: str) -> None:
    """With EDIT_MODE=regenerate the whole is compared; what removes much waits whatever the mode."""
    short = {"text": "# Shop\n\nShort.\n"}
    same = "# Shop\n\nOrders come in through the API.\n"
    standin = Standin(
        [Turn([ToolUse("rewrite_document", short)]), DONE, Turn([ToolUse("rewrite_document", {"text": same})]), DONE]
    )
    async with serve(standin) as url, assistant_worker(redis_url, url, regenerate=True) as one:
        await one.make_shop()
        assert "30 %" in (await proposed(one, mode="apply"))["reason"]
        await one.edit(ANA, {"op": "replace_document", "text": "# Shop\n\nOrders come in through the page.\n"})
        assert "whole" in (await proposed(one, mode="auto"))["reason"]
        tools = {tool["name"] for tool in standin.asked[0].body["tools"]}
        assert tools == {"rewrite_diagram", "rewrite_document", "read_section"}
