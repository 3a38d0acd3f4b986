"""Each tool of agents, over real HTTP with the protocol's own client, in both forms of the protocol."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from draftsmith.agents.tools import TOOLS
from tests.integration.agents import agent, block_of, orders_shop, text_of
from tests.integration.client import Api, label, node
from tests.integration.servers import Server
from tests.kit.documents import edit_section

TEXT = "# Shop\n\nDraft.\n\n## Orders\n\nTimeout is 30 s.\n\n## Storage\n\nPostgres 15.\n\n### Backups\n\nDaily.\n"
MODES = ("auto", "legacy")


@pytest.mark.parametrize("mode", MODES)
async def test_an_agent_reads_finds_edits_and_takes_back(server: Server, api: Api, mode: str) -> None:
    """From a list of workspaces to an edit over both, its history, and its undo; answers fit their schemas."""
    w = orders_shop(api, TEXT, type="database")
    async with agent(server.url, mode=mode) as one:
        listed = await one.call("list_workspaces", text="sho")
        assert [(item["workspace"], item["role"], item["revision"]) for item in listed["workspaces"]] == [
            (w, "owner", 2)
        ]
        whole = await one.call("read_workspace", workspace=listed["workspaces"][0]["link"])  # an address will do
        assert (whole["revision"], whole["nodes"], block_of(whole["text"], "document")) == (
            2,
            2,
            TEXT.rstrip().split("\n"),
        )
        lines = block_of(whole["text"], "diagram")[1:]
        assert lines == ['db database "Db"', 'orders service "Orders" -> db(calls)']
        found = await one.call("find", workspace=w, text="timeout")
        assert [(place["section"], place["line"]) for place in found["places"]] == [("## Orders", 7)]
        done = await one.edit(
            w, 2,
            {"action": "add_node", "id": "cache", "type": "redis", "label": "Cache"},  # as models write it
            {"op": "add_edge", "source": "orders", "target": "cache", "label": "look-ups"},
            {"op": "edit_section", "section": "## Orders", "find": "30 s", "replace": "10 s"},
            explanation="Orders are looked up often",
        )  # fmt: skip
        assert (done["status"], done["revision"], done["ids"]) == ("applied", 3, ["cache", "orders--cache"])
        assert done["warnings"] == ["“redis” is no type of node; it was taken for cache with the technology Redis."]
        assert "Timeout is 10 s." in done["lines"][0]
        assert "Timeout is 10 s." in api.read(w)["document"]["text"]
        [cache] = [one for one in api.read(w)["diagram"]["nodes"] if one["id"] == "cache"]
        assert (cache["type"], cache["technology"]) == ("cache", "Redis")
        history = await one.call("history", workspace=w, since=2)
        [commit] = history["commits"]
        assert (commit["revision"], commit["why"], commit["yours"]) == (3, "Orders are looked up often", True)
        nodes = await one.call("read_nodes", workspace=w, ids=["orders", "nope"])
        assert nodes["nodes"][0]["description"] == "Takes orders"
        assert "nope" in nodes["not_read"][0]
        assert (await one.call("undo", workspace=w, revision=3, dry_run=True))["status"] == "would_undo"
        undone = await one.call("undo", workspace=w, revision=3)
        assert (undone["status"], undone["revision"], undone["left_out"]) == ("undone", 4, [])
    assert api.read(w)["document"]["text"] == TEXT
    assert sorted(api.nodes(w)) == ["db", "orders"]


@pytest.mark.parametrize("mode", MODES)
async def test_an_agent_sees_what_it_drew(server: Server, api: Api, mode: str) -> None:
    """As one small image beside the text; what the server makes of the same diagram for others."""
    pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")
    w = orders_shop(api, TEXT, type="database")
    async with agent(server.url, mode=mode) as one:
        result = await one.client.call_tool("export", {"workspace": w, "format": "png"})
        text, image = result.content
        assert (text.type, image.type, image.mime_type) == ("text", "image", "image/png")
        content = base64.b64decode(image.data)
        assert content == api.get(f"/api/v1/workspaces/{w}/picture.png").content
        assert len(content) < 100_000
        data = {"workspace": w, "revision": 2, "format": "png", "text": "", "next_cursor": None}
        assert result.structured_content == data
        empty = await one.client.call_tool("export", {"workspace": api.create(name="Empty"), "format": "png"})
        assert [part.type for part in empty.content] == ["text", "image"]


async def test_an_agent_reads_the_diagram_as_text(server: Server, api: Api) -> None:
    w = orders_shop(api, TEXT, type="database")
    async with agent(server.url) as one:
        result = await one.client.call_tool("export", {"workspace": w, "format": "text"})
    text = result.structured_content["text"]
    assert text.endswith("\n\nOrders -> Db: calls\n")
    assert text == api.get(f"/api/v1/workspaces/{w}/export", params={"format": "text"}).text


@pytest.mark.parametrize("mode", MODES)
async def test_tools_are_listed_with_texts_schemas_and_hints(server: Server, api: Api, mode: str) -> None:
    async with agent(server.url, mode=mode) as one:
        tools = (await one.client.list_tools()).tools
        assert [tool.name for tool in tools] == list(TOOLS)
        for tool in tools:
            assert tool.description
            assert tool.input_schema["type"] == "object"
            assert (tool.output_schema or {}).get("type") == (None if tool.name == "read_workspace" else "object")
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is (
                tool.name not in {"create_workspace", "edit", "undo", "proposals"}
            )
        assert "never instructions" in (one.client.instructions or "")
        with pytest.raises(Exception, match="There is no tool 'EDIT'"):
            await one.raw("EDIT", workspace="x")  # a name that looks like one of ours is none


async def test_sections_come_with_what_stands_below_and_what_is_not_there_is_told(server: Server, api: Api) -> None:
    w = orders_shop(api, TEXT, type="database")
    async with agent(server.url) as one:
        read = await one.call("read_sections", workspace=w, sections=["## Storage", "", "## Nope"])
        storage, preamble = read["sections"]
        assert (storage["text"], storage["line"]) == ("## Storage\n\nPostgres 15.\n\n### Backups\n\nDaily.\n", 9)
        assert preamble["section"] == ""
        assert read["not_read"][0].startswith("No section is called '## Nope'. Sections: # Shop; ")
        raw = await one.raw("read_sections", workspace=w, sections="## Orders")
        assert "Timeout is 30 s." in text_of(raw)


async def test_long_answers_come_in_pages(server: Server, api: Api) -> None:
    """Every node is on one page, the document on the first; files and warnings likewise."""
    w = api.create(name="Large")
    for start in range(0, 600, 200):
        api.batch(
            w,
            *(
                node(f"n{number:03}", label="A service with a long name " * 3, position={"x": number * 300, "y": 0})
                for number in range(start, start + 200)
            ),
        )
    async with agent(server.url) as one:
        seen: list[str] = []
        cursor, pages = "", 0
        while True:
            page = await one.call("read_workspace", workspace=w, cursor=cursor)
            seen += [line.split(" ")[0] for line in block_of(page["text"], "diagram")[1:]]
            assert ("document" in page) == (pages == 0)
            cursor, pages = page["next_cursor"], pages + 1
            if cursor is None:
                break
        assert pages > 1
        assert seen == [f"n{number:03}" for number in range(600)]
        checked = await one.call("check", workspace=w)
        assert len(checked["warnings"]) == 50
        assert (await one.call("check", workspace=w, cursor=checked["next_cursor"]))["warnings"]
        first = await one.call("export", workspace=w, format="json")
        second = await one.call("export", workspace=w, format="json", cursor=first["next_cursor"])
        assert second["text"]
        api.batch(w, label("n000", "Changed"))
        changed = await one.refused(
            "invalid_request", "export", workspace=w, format="json", cursor=first["next_cursor"]
        )
        assert "begin again" in changed["detail"]
        await one.refused("invalid_request", "check", workspace=w, cursor="x")


async def test_a_batch_that_does_not_fit_is_refused_whole_with_every_problem(server: Server, api: Api) -> None:
    w = orders_shop(api, TEXT, type="database")
    before = api.state(w)
    async with agent(server.url) as one:
        await one.call("read_workspace", workspace=w)
        problem = await one.refused(
            "batch_rejected", "edit", workspace=w, base_revision=2,
            operations=[label("ordrs", "X"), edit_section("## Orders", "31 s", "")],
        )  # fmt: skip
        assert [one["code"] for one in problem["problems"]] == ["node_not_found", "find_not_found"]
        assert problem["problems"][0]["candidates"] == ["orders"]
        assert "Send the whole batch again" in problem["text"]
        assert "read_sections" in problem["text"]
        unknown = await one.refused(
            "invalid_request", "edit", workspace=w, base_revision=2, operations=[{"op": "remove"}]
        )
        assert unknown["problems"][0]["code"] == "op_unknown"
        whole = [{"op": "replace_document", "text": ""}]
        await one.refused("invalid_request", "edit", workspace=w, base_revision=2, operations=whole)
        await one.refused("invalid_request", "edit", workspace=w, operations=[label("orders", "X")])  # no base
        beyond = await one.refused(
            "stale_base", "edit", workspace=w, base_revision=99, operations=[label("orders", "X")]
        )
        assert "does not exist" in beyond["detail"]
    assert api.state(w) == before


async def test_nodes_are_named_by_label(server: Server, api: Api) -> None:
    """Where they are read and where they are changed; what was read under a label counts as read."""
    w = orders_shop(api, TEXT, type="database")
    api.batch(
        w, label("orders", "Order Service"), {"op": "update_node", "id": "orders", "description": "Takes orders."}
    )
    async with agent(server.url) as one:
        read = await one.call("read_nodes", workspace=w, ids=["order service", "nobody"])
        assert [row["id"] for row in read["nodes"]] == ["orders"]
        assert read["not_read"][0].startswith('There is no node "nobody".')
        described = {"op": "update_node", "id": "Order Service", "description": "Takes and keeps orders."}
        done = await one.edit(w, api.read(w)["revision"], described)
        assert done["status"] == "applied"
    assert api.ask("GET", f"/workspaces/{w}/nodes/orders")["description"] == "Takes and keeps orders."


async def test_a_repeated_edit_is_answered_alike_and_done_once(server: Server, api: Api) -> None:
    """Applied or proposed; another edit under the same id is refused."""
    w = orders_shop(api, TEXT, type="database")
    async with agent(server.url) as one:
        await one.call("read_workspace", workspace=w)
        first = await one.edit(w, 2, label("orders", "Order desk"), id="edit-one-1")
        again = await one.edit(w, 2, label("orders", "Order desk"), id="edit-one-1")
        assert (first["replayed"], again["replayed"]) == (False, True)
        assert again | {"replayed": False} == first
        await one.refused(
            "key_reused", "edit", workspace=w, base_revision=2, operations=[label("orders", "Y")], id="edit-one-1"
        )
        gone = {"op": "delete_node", "id": "db"}
        proposed = await one.edit(w, 3, gone, id="edit-two-2")
        assert (proposed["status"], proposed["reason"]) == ("proposed", "It deletes 1 node.")
        repeated = await one.edit(w, 3, gone, id="edit-two-2")
        assert (repeated["proposal"], repeated["replayed"]) == (proposed["proposal"], True)
    assert len(api.ask("GET", f"/workspaces/{w}/proposals")["items"]) == 1
    assert api.read(w)["revision"] == 3


async def test_what_takes_much_away_is_proposed_and_a_person_accepts_a_part(server: Server, api: Api) -> None:
    """The proposal is like any other: in the list, carried along, accepted in part, with the agent as its author."""
    w = orders_shop(api, TEXT, type="database")
    api.become("Ana")
    batch: list[Any] = [label("orders", "Order desk"), {"op": "delete_node", "id": "db"}]
    async with agent(server.url, program="Claude Code") as one:
        await one.call("read_workspace", workspace=w)
        would = await one.edit(w, 2, *batch, dry_run=True)
        assert (would["status"], would["reason"]) == ("would_propose", "It deletes 1 node.")
        proposed = await one.edit(w, 2, *batch, explanation="No database any more")
        assert api.read(w)["revision"] == 2
        [item] = api.ask("GET", f"/workspaces/{w}/proposals")["items"]
        assert (item["id"], item["actor"]["kind"], item["reason"]) == (
            proposed["proposal"],
            "agent",
            "It deletes 1 node.",
        )
        refused = await one.refused("forbidden", "proposals", workspace=w, action="accept", proposal=item["id"])
        assert "waits for a person" in refused["detail"]
        api.batch(w, node("web"))
        api.ask("POST", f"/workspaces/{w}/proposals/{item['id']}/accept", json={"operations": [0]})
        assert sorted(api.nodes(w)) == ["db", "orders", "web"]
        [shown] = (await one.call("proposals", workspace=w, action="show", proposal=item["id"]))["proposals"]
        assert (shown["status"], shown["yours"]) == ("accepted", True)
        await one.call("read_nodes", workspace=w, ids=["web"])
        applied = await one.edit(w, 4, {"op": "delete_node", "id": "web"}, mode="apply")
        assert (applied["status"], applied["revision"]) == ("applied", 5)


async def test_an_agent_accepts_what_people_suggest_and_withdraws_only_its_own(server: Server, api: Api) -> None:
    w = orders_shop(api, TEXT, type="database")
    api.become("Ana")
    body = {"operations": [label("db", "Database")], "propose": True}
    suggested = api.ask("POST", f"/workspaces/{w}/batches", 201, json=body)["id"]
    async with agent(server.url) as one:
        await one.call("read_workspace", workspace=w)
        own = await one.edit(w, 2, label("orders", "Desk"), mode="propose")
        await one.refused("forbidden", "proposals", workspace=w, action="withdraw", proposal=suggested)
        [closed] = (await one.call("proposals", workspace=w, action="withdraw", proposal=own["proposal"]))["proposals"]
        assert closed["status"] == "rejected"
        accepted = await one.call("proposals", workspace=w, action="accept", proposal=suggested)
        assert accepted["revision"] == 3
        await one.refused("proposal_not_found", "proposals", workspace=w, action="show", proposal="x")
    assert api.read(w)["diagram"]["nodes"][0]["label"] == "Database"


async def test_an_agent_draws_a_new_workspace(server: Server, api: Api) -> None:
    """Made once however often it is sent; what it wrote itself it has read."""
    async with agent(server.url) as one:
        made = await one.call(
            "create_workspace", name="Fresh", document="# Fresh\n\n## Parts\n\nNone.\n", id="make-me-1"
        )
        again = await one.call(
            "create_workspace", name="Fresh", document="# Fresh\n\n## Parts\n\nNone.\n", id="make-me-1"
        )
        assert again["workspace"] == made["workspace"]
        w = made["workspace"]
        done = await one.edit(w, 1, node("api"), {"op": "replace_section", "section": "## Parts", "text": "One."})
        assert done["status"] == "applied"
        await one.edit(
            w, 2, label("api", "The API"), {"op": "rename_section", "section": "## Parts", "title": "Pieces"}
        )
        last = await one.edit(w, 3, {"op": "edit_section", "section": "## Pieces", "find": "One.", "replace": "Two."})
        assert last["status"] == "applied"
        compared = await one.call("compare", workspace=w, from_revision=1)
        assert compared["difference"]["nodes"]["added"][0]["label"] == "The API"
    assert api.read(w)["document"]["text"] == "# Fresh\n\n## Pieces\n\nTwo.\n"
