"""An agent changes only what it has read as it is now; people edit between its reading and its writing.

Over real HTTP, also with two workers. That nothing comes between the check and the append: `unit/test_agent_races`.
"""

from __future__ import annotations

from tests.integration.agents import agent, orders_shop
from tests.integration.client import Api, edge, label, node
from tests.integration.servers import Server
from tests.kit.documents import edit_section

TEXT = "# Shop\n\n## Orders\n\nTimeout is 30 s. Retries twice.\n\n## Storage\n\nPostgres 15.\n"


async def test_a_persons_edit_of_the_same_field_is_told_and_must_be_read(server: Server, api: Api) -> None:
    """It is refused as stale, with who, when, old and new; what that has shown in full is read."""
    w = orders_shop(api, TEXT, technology="Postgres", then="Ana")
    async with agent(server.url) as one:
        await one.call("read_workspace", workspace=w)
        api.batch(w, {"op": "update_node", "id": "db", "technology": "Postgres 17"}, explanation="We have moved")
        mine = {"op": "update_node", "id": "db", "technology": "Postgres 16"}
        stale = await one.refused("stale_base", "edit", workspace=w, base_revision=2, operations=[mine])
        [change] = stale["changes"]
        assert (change["by"], change["revision"], change["field"]) == ("Ana", 3, "technology")
        assert (change["old"], change["new"], change["why"]) == ("Postgres", "Postgres 17", "We have moved")
        assert "Postgres 17" in stale["text"]
        # What the refusal has shown in full is read.
        done = await one.edit(w, 3, {"op": "update_node", "id": "db", "technology": "Postgres 17.2"})
        assert done["revision"] == 4


async def test_raising_the_base_without_reading_is_refused(server: Server, api: Api) -> None:
    """Also after reading something else; reading the part lets it pass."""
    w = orders_shop(api, TEXT, technology="Postgres", then="Ana")
    long = "Takes orders of people. " * 60
    async with agent(server.url) as one:
        await one.call("read_workspace", workspace=w)
        await one.call("read_nodes", workspace=w, ids=["orders"])
        api.batch(w, {"op": "update_node", "id": "orders", "description": long})
        api.batch(w, edit_section("## Orders", "Timeout is 30 s.", "Timeout is 20 s."))
        describe = {"op": "update_node", "id": "orders", "description": "Takes orders of shops"}
        rewrite = {"op": "replace_section", "section": "## Orders", "text": "Timeout is 10 s."}
        refused = await one.refused(
            "unread_change", "edit", workspace=w, base_revision=4, operations=[describe, rewrite]
        )
        assert {(one["part"], one.get("field"), one.get("section")) for one in refused["unread"]} == {
            ("node", "description", None), ("document", None, "# Shop ## Orders"),
        }  # fmt: skip
        assert refused["read"] == {"nodes": ["orders"], "sections": ["# Shop ## Orders"]}
        assert "Timeout is 20 s." in refused["text"]
        await one.call("read_sections", workspace=w, sections=["## Storage"])
        await one.call("read_nodes", workspace=w, ids=["db"])
        await one.refused("unread_change", "edit", workspace=w, base_revision=4, operations=[describe])
        await one.call("read_nodes", workspace=w, ids=["orders"])
        done = await one.edit(w, 4, describe, rewrite)
        assert done["status"] == "applied"


async def test_what_others_change_elsewhere_never_matters(server: Server, api: Api) -> None:
    """Other nodes, other fields of the same node, other words of the same section, and where things stand."""
    w = orders_shop(api, TEXT, technology="Postgres", then="Ana")
    async with agent(server.url) as one:
        await one.call("read_workspace", workspace=w)
        api.batch(w, label("db", "Database"), {"op": "move_nodes", "positions": {"orders": {"x": 900, "y": 900}}})
        api.batch(w, {"op": "update_node", "id": "orders", "description": "Takes them"})
        api.batch(
            w, edit_section("## Orders", "Retries twice.", "Retries three times."), node("web"), edge("web", "orders")
        )
        batch = [
            label("orders", "Order desk"), edit_section("## Orders", "Timeout is 30 s.", "Timeout is 10 s."),
            node("cache"), edge("orders", "cache"),
        ]  # fmt: skip
        done = await one.edit(w, 2, *batch)
        assert done["status"] == "applied"
    read = api.read(w)
    assert "Timeout is 10 s. Retries three times." in read["document"]["text"]
    assert {one["id"]: one["label"] for one in read["diagram"]["nodes"]}["db"] == "Database"


async def test_what_was_never_shown_is_not_overwritten(server: Server, api: Api) -> None:
    """A description that no line shows, a node that nobody mentioned; adding beside it needs nothing."""
    w = orders_shop(api, TEXT, technology="Postgres", then="Ana")
    async with agent(server.url) as one:
        blind = await one.refused("unread_change", "edit", workspace=w, base_revision=2, operations=[label("db", "X")])
        assert blind["unread"] == [{"part": "node", "id": "db", "field": "label", "node": "db"}]
        added = await one.edit(
            w, 2, node("cache"), {"op": "append_to_section", "section": "## Storage", "text": "A cache."}
        )
        assert added["revision"] == 3
        await one.call("read_workspace", workspace=w)
        describe = {"op": "update_node", "id": "orders", "description": "Takes none"}
        await one.refused("unread_change", "edit", workspace=w, base_revision=3, operations=[describe])
        await one.edit(
            w, 3, label("cache", "Order cache"), {"op": "update_node", "id": "cache", "description": "Of orders"}
        )
        await one.edit(w, 3, {"op": "update_node", "id": "cache", "description": "Of orders, for a minute"})


async def test_what_was_cut_off_was_not_read(server: Server, api: Api) -> None:
    """A long document comes as its outline, which shows no text; a large diagram page by page."""
    # So long that its batches are prepared in another process, with the fence.
    w = api.create(name="Long", document={"text": TEXT + "\n## More\n\n" + "Words and words. " * 15_000})
    async with agent(server.url) as one:
        whole = await one.call("read_workspace", workspace=w)
        assert whole["document"]["form"] == "outline"
        change = edit_section("## Storage", "Postgres 15", "Postgres 17")
        refused = await one.refused("unread_change", "edit", workspace=w, base_revision=1, operations=[change])
        assert refused["read"] == {"sections": ["# Shop ## Storage"]}
        await one.call("read_sections", workspace=w, sections=["## Storage"])
        await one.edit(w, 1, change)
        api.batch(w, edit_section("## Storage", "Postgres 17", "Postgres 18"))
        again = edit_section("## Storage", "Postgres 18", "Postgres 19")
        await one.refused("unread_change", "edit", workspace=w, base_revision=3, operations=[again])


async def test_two_workers_know_the_same_of_an_agent(two: list[Api]) -> None:
    """It reads through one worker and writes through the other; a person edits through either."""
    left, right = two
    w = orders_shop(left, TEXT, technology="Postgres", then="Ana")
    async with agent(str(left.base_url)) as at_left, agent(str(right.base_url)) as at_right:
        await at_left.call("read_workspace", workspace=w)
        assert (await at_right.edit(w, 2, label("db", "Database")))["revision"] == 3
        left.batch(w, label("db", "Store"))
        right.batch(w, edit_section("## Storage", "15", "17"))
        later = [label("db", "DB"), edit_section("## Storage", "Postgres 17", "Postgres 18")]
        await at_right.refused("stale_base", "edit", workspace=w, base_revision=3, operations=[later[0]])
        await at_left.refused("unread_change", "edit", workspace=w, base_revision=5, operations=[later[1]])
        assert (await at_right.edit(w, 5, *later))["revision"] == 6, "both refusals have shown what was changed"
    assert right.read(w)["document"]["text"] == TEXT.replace("15", "18")


async def test_another_agents_reading_is_not_ones_own(server: Server, api: Api) -> None:
    w = orders_shop(api, TEXT, technology="Postgres", then="Ana")
    key = api.ask("POST", "/keys", 201, json={"name": "Claude Code"})["key"]
    async with agent(server.url) as nameless, agent(server.url, key) as ana:
        await nameless.call("read_workspace", workspace=w)
        await ana.refused("unread_change", "edit", workspace=w, base_revision=2, operations=[label("db", "X")])
        await nameless.edit(w, 2, label("db", "Database"))
        await ana.call("read_workspace", workspace=w)
        await ana.edit(w, 3, label("db", "Store"))
        await nameless.refused("stale_base", "edit", workspace=w, base_revision=3, operations=[label("db", "Y")])
