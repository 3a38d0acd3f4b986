"""Runs while people work on: carried over, clashing, told once, never damaging; and undo among others' edits."""

from __future__ import annotations

from typing import Any

from tests.integration.assistant_workers import ANA, BEN, AssistantWorker, assistant_worker, said
from tests.integration.test_runs_with_a_model import CACHE, DONE, SAY_SO
from tests.kit.documents import edit_section
from tests.standin import Standin, Text, ToolUse, Turn, serve

LABEL = {"operations": [{"op": "update_node", "id": "db", "label": "Ledger"}]}
RETENTION = {
    "operations": [
        {"op": "edit_section", "section": "## Storage", "find": "is 30 days.", "replace": "is a year."}
    ]
}  # fmt: skip


async def test_what_others_do_elsewhere_is_carried_over(redis_url: str) -> None:
    """Edits of other fields and paragraphs, before and after the assistant's, stay; the run still is one commit."""
    standin = Standin([Turn([ToolUse("edit_diagram", LABEL)]), Turn([ToolUse("edit_document", RETENTION)]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()

        async def others(turn: int) -> None:
            if turn == 2:
                await one.edit(BEN, {"op": "update_node", "id": "db", "technology": "CockroachDB"})
                await one.edit(BEN, edit_section("## Caching", "no cache", "no 🚀 cache"))
            if turn == 3:
                await one.edit(BEN, edit_section("## Storage", "Postgres holds", "Cockroach holds"))
                await one.edit(BEN, {"op": "add_node", "id": "cdn", "type": "cdn", "label": "CDN"})

        one.before_turn(others)
        head = await one.head()
        run = await one.ask("Call the database Ledger and keep orders for a year.")
        assert run["status"] == "applied", run["outcome"]
        assert await one.head() == head + 5
        text = await one.text()
        assert "There is no 🚀 cache yet." in text
        assert "Cockroach holds all orders. Retention is a year." in text
        node = await one.look(lambda replica: dict(replica.workspace.diagram.node("db")))
        assert (node["label"], node["technology"]) == ("Ledger", "CockroachDB")

        # Undo of the run leaves the others' later edits alone …
        await one.edit(BEN, {"op": "update_node", "id": "worker", "label": "Postman"})
        await one.edit(BEN, edit_section("## Risks", "one machine", "one big machine"))
        answer = await one.undo(ANA)
        assert answer["changed"]
        assert not answer["left_out"]
        text = await one.text()
        assert "Cockroach holds all orders. Retention is 30 days." in text
        assert "one big machine" in text
        node = await one.look(lambda replica: dict(replica.workspace.diagram.node("db")))
        assert (node["label"], node["technology"]) == ("Orders database", "CockroachDB")


async def test_undo_of_an_earlier_edit_leaves_the_run_alone(redis_url: str) -> None:
    """The other way round: a person's own undo takes back what they did before, not a run of somebody else."""
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE), ToolUse("edit_document", SAY_SO)]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        await one.edit(BEN, {"op": "update_node", "id": "db", "technology": "MySQL"})
        run = await one.ask("Add a cache.")
        assert run["status"] == "applied"
        answer = await one.undo(BEN)
        assert answer["changed"]
        assert "order-cache" in await one.nodes()
        node = await one.look(lambda replica: dict(replica.workspace.diagram.node("db")))
        assert node["technology"] == "PostgreSQL"


async def clash(redis_url: str, happens: Any, *script: Turn) -> tuple[dict[str, Any], Standin, AssistantWorker, bytes]:
    """A run among whose turns something happens; its end, the stand-in, and the state just before the end."""
    standin = Standin(list(script))
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()

        async def others(turn: int) -> None:
            await happens(one, turn)

        one.before_turn(others)
        run = await one.ask("Please.")
        return run, standin, one, await one.state()


async def test_a_clash_is_told_once_and_the_model_goes_on(redis_url: str) -> None:
    """What was deleted and made anew is another thing; the model hears it and sends what is still wanted."""

    async def happens(one: AssistantWorker, turn: int) -> None:
        if turn == 2:
            await one.edit(BEN, {"op": "delete_node", "id": "db"})
            await one.edit(BEN, {"op": "add_node", "id": "db", "type": "database", "label": "New database"})

    again = Turn([ToolUse("edit_diagram", {"operations": [{"op": "update_node", "id": "db", "label": "Ledger 2"}]})])
    run, standin, _, state = await clash(
        redis_url, happens, Turn([ToolUse("edit_diagram", LABEL)]), DONE, again, Turn([Text("Renamed the new one.")])
    )
    assert standin.refused == []
    assert run["status"] == "applied", run["outcome"]
    assert b"Ledger 2" in state
    note = said(standin, 2)
    assert "no longer fit" in note
    assert "Ledger" in note


async def test_a_paragraph_that_was_deleted_and_came_back_as_it_was_still_fits(redis_url: str) -> None:
    """Where in the end nothing of it has changed, the staged edit meets the text that it was made for."""

    async def happens(one: AssistantWorker, turn: int) -> None:
        if turn == 2:
            await one.edit(BEN, {"op": "replace_section", "section": "## Storage", "text": "Gone."})
            text = "Postgres holds all orders. Retention is 30 days."
            await one.edit(BEN, {"op": "replace_section", "section": "## Storage", "text": f"{text}\n\nReally."})

    run, _, _, state = await clash(redis_url, happens, Turn([ToolUse("edit_document", RETENTION)]), DONE)
    assert run["status"] == "applied"
    assert b"Postgres holds all orders. Retention is a year.\\n\\nReally." in state


async def test_a_paragraph_that_was_written_anew_elsewhere_is_another_one(redis_url: str) -> None:
    """The staged edit does not follow the same words into another section, nor does it land where they were."""

    async def happens(one: AssistantWorker, turn: int) -> None:
        if turn == 2:
            await one.edit(BEN, {"op": "replace_section", "section": "## Storage", "text": "See Risks."})
            text = "Postgres holds all orders. Retention is 30 days."
            await one.edit(BEN, {"op": "append_to_section", "section": "## Risks", "text": text})

    run, standin, _, state = await clash(
        redis_url, happens, Turn([ToolUse("edit_document", RETENTION)]), DONE, Turn([Text("Leave it then.")])
    )
    assert run["status"] == "answered", "what clashed was taken back, and nothing else was staged"
    assert "no longer fit" in said(standin, 2)
    assert b"a year" not in state


async def test_a_clash_says_what_is_left(redis_url: str) -> None:
    """The event has what still stands ready, numbered anew, and where it stands now in the document."""
    standin = Standin([Turn([ToolUse("edit_diagram", LABEL), ToolUse("edit_document", RETENTION)]), DONE, DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()

        async def others(turn: int) -> None:
            if turn == 2:
                await one.edit(BEN, {"op": "update_node", "id": "db", "label": "Ben's"})
                await one.edit(BEN, {"op": "insert_section", "title": "First", "text": "x", "before": "## Caching"})

        one.before_turn(others)
        run = await one.ask("Please.")
        assert run["status"] == "applied"
        events = await one.events(run["id"])
        (clash,) = [event for event in events if event["type"] == "clash"]
        assert [fallen["index"] for fallen in clash["operations"]] == [0]
        assert [(left["index"], left["op"]) for left in clash["left"]] == [(0, "edit_section")]
        staged = [event for event in events if event["type"] == "staged"]
        assert clash["revision"] == staged[-1]["revision"] + 2
        assert clash["document"][0]["from_line"] == staged[-1]["document"][0]["from_line"] + 4
        assert clash["document"][0]["old"] == staged[-1]["document"][0]["old"]


async def test_a_second_clash_is_reported(redis_url: str) -> None:
    """A run that is overtaken twice ends, changes nothing and says why."""
    label = [{"operations": [{"op": "update_node", "id": "db", "label": f"Ledger {n}"}]} for n in range(2)]

    async def happens(one: AssistantWorker, turn: int) -> None:
        if turn in (2, 4):
            await one.edit(BEN, {"op": "update_node", "id": "db", "label": f"Ben's {turn}"})

    run, _, _, state = await clash(
        redis_url,
        happens,
        *(step for one in label for step in (Turn([ToolUse("edit_diagram", one)]), DONE)),
    )
    assert run["status"] == "failed"
    error = run["outcome"]["error"]
    assert error["code"] == "run_conflict"
    assert error["conflicts"][0]["what"]
    assert b"Ben's 4" in state
    assert b"Ledger" not in state


async def test_a_lock_that_comes_meanwhile_holds(redis_url: str) -> None:
    """A node that a person locks during the run is not changed."""

    async def happens(one: AssistantWorker, turn: int) -> None:
        if turn == 2:
            await one.edit(BEN, {"op": "update_node", "id": "db", "locked": True})

    run, standin, _, state = await clash(
        redis_url, happens, Turn([ToolUse("edit_diagram", LABEL)]), DONE, Turn([Text("It is locked now.")])
    )
    assert run["status"] == "answered"
    assert b"Ledger" not in state
    assert "locked" in said(standin, 2)


async def test_the_assistant_neither_locks_nor_unlocks(redis_url: str) -> None:
    """Locks are for people; the refusal says so."""
    lock = {"operations": [{"op": "update_node", "id": "db", "locked": True}]}
    standin = Standin([Turn([ToolUse("edit_diagram", lock)]), *[Turn([Text("I may not.")])] * 2])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        before = await one.state()
        run = await one.ask("Lock the database.")
        assert run["status"] == "answered"
        assert await one.state() == before
        assert "lock" in said(standin)


async def test_a_dragged_node_may_still_be_deleted(redis_url: str) -> None:
    """That somebody moved a node keeps nobody from deleting it; undo brings it back to where it was moved."""
    delete = {"operations": [{"op": "delete_node", "id": "worker"}]}

    standin = Standin([Turn([ToolUse("edit_diagram", delete)]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()

        async def others(turn: int) -> None:
            if turn == 2:
                await one.edit(BEN, {"op": "update_node", "id": "worker", "position": {"x": 900, "y": 500}})

        one.before_turn(others)
        run = await one.ask("Remove the mailer.", mode="apply")
        assert run["status"] == "applied", run["outcome"]
        assert "worker" not in await one.nodes()
        await one.undo(ANA)
        node = await one.look(lambda replica: dict(replica.workspace.diagram.node("worker")))
        assert node["position"] == {"x": 900, "y": 500}
