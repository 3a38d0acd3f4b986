"""What agents read: a workspace once, what of it has changed since, and patterns."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from draftsmith.history.commit import Entry
from draftsmith.usecases.agents.reading import read_since
from draftsmith.usecases.replicas.log_reader import LogReader
from tests.integration.agents import agent, block_of, text_of
from tests.integration.assistant_workers import ANA, BEN, assistant_worker
from tests.integration.client import Api, edge, edit, label, node
from tests.integration.servers import Server
from tests.integration.test_api_history import keep_state, trim

TEXT = "# Shop\n\n## Orders\n\nTimeout is 30 s.\nRetries twice.\n\n## Storage\n\nPostgres 15.\n\n## Old\n\nGone soon.\n"


def shop(api: Api) -> str:
    """A workspace with two nodes and a short document, revision 2; people go on as Ana."""
    w = api.create(name="Shop", document={"text": TEXT})
    api.batch(w, node("orders"), node("db", technology="Postgres"), edge("orders", "db"))
    api.become("Ana")
    return w


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_workspace_is_sent_once(server: Server, api: Api, mode: str) -> None:
    """As text; beside it only facts, no second copy of diagram and document."""
    w = shop(api)
    async with agent(server.url, mode=mode) as one:
        read = await one.raw("read_workspace", workspace=w)
    assert read.structured_content is None
    assert "Postgres 15." in text_of(read)
    facts = (read.meta or {})["draftsmith/answer"]
    assert (facts["workspace"], facts["revision"], facts["role"], facts["nodes"]) == (w, 2, "owner", 2)
    assert (facts["document"], facts["next_cursor"]) == ({"characters": len(TEXT), "form": "whole"}, None)
    assert read.model_dump_json().count("Postgres 15.") == 1
    assert read.model_dump_json().count("[Postgres]") == 1


async def test_patterns_are_found(server: Server, api: Api) -> None:
    """Complete in the JSON and in the text, since programs hand on one of the two."""
    w = shop(api)
    async with agent(server.url) as one:
        found = await one.raw("find", workspace=w, text="cache-aside", within="patterns")
        listed = await one.call("find", workspace=w, text="no such thing", within="patterns")
    text = text_of(found)
    assert "# Cache-aside" in text
    assert '"op": "add_node"' in text
    assert (found.structured_content or {})["patterns"] == text
    assert "There are:" in listed["patterns"]


class TestChangesSince:
    """`read_workspace` with `since`."""

    async def test_only_what_changed_is_shown_as_it_is_now_and_counts_as_read(self, server: Server, api: Api) -> None:
        w = shop(api)
        api.batch(w, node("mail"), node("logs"))
        async with agent(server.url) as one:
            await one.call("read_workspace", workspace=w)
            api.batch(w, label("db", "Store"), {"op": "delete_node", "id": "mail"}, edge("orders", "logs"))
            api.batch(w, {"op": "update_node", "id": "logs", "notes": "Kept for a week"})
            api.batch(w, label("db", "Stores"), {"op": "delete_section", "section": "## Old"})
            api.batch(w, edit("## Orders", "30 s", "10 s"))
            api.batch(w, {"op": "move_nodes", "positions": {"logs": {"x": 900, "y": 900}}})
            news = await one.call("read_workspace", workspace=w, since=3)
            text = news["text"]
            assert block_of(text, "diagram")[1:] == [
                'db database "Stores" [Postgres]'.replace("database", "service"),
                'logs service "Logs"',
                'orders service "Orders" -> db(calls), logs(calls)',
            ]
            assert block_of(text, "section")[0] == "[# Shop ## Orders, from line 3]"
            assert "Timeout is 10 s." in text
            assert "read_nodes shows more that changed: logs" in text
            assert block_of(text, "gone") == ["node mail", "## Old"]
            assert "since revision 3, by" in text
            assert '"Ana"' in text
            assert (news["revision"], news["document"]["form"], news["nodes"]) == (8, "changes", 3)
            mine = [label("db", "Mine"), edit("## Orders", "10 s", "5 s")]
            assert (await one.edit(w, 8, *mine))["status"] == "applied"

    async def test_the_line_of_a_node_is_shown_when_what_it_points_to_changed(self, server: Server, api: Api) -> None:
        """An edge that was relabelled, one that begins elsewhere, one that went; a description is named only."""
        w = api.create(name="Edges")
        names = ("a", "b", "c", "d", "e", "f")
        pairs = (("a", "f"), ("b", "f"), ("c", "f"), ("d", "f"))
        api.batch(w, *map(node, names), *(edge(*pair) for pair in pairs))
        async with agent(server.url) as one:
            api.batch(w, {"op": "update_edge", "source": "a", "target": "f", "label": "orders"})
            api.batch(w, {"op": "rewire_edge", "source": "b", "target": "f", "new_source": "e"})
            api.batch(w, {"op": "delete_edge", "source": "c", "target": "f"})
            api.batch(w, {"op": "update_edge", "source": "d", "target": "f", "description": "At night"})
            text = (await one.call("read_workspace", workspace=w, since=2))["text"]
        lines = block_of(text, "diagram")[1:]
        assert [line.partition(" service ")[::2] for line in lines] == [
            ("a", '"A" -> f(orders)'), ("b", '"B"'), ("c", '"C"'), ("d", '"D" -> f(calls)'), ("e", '"E" -> f(calls)'),
        ]  # fmt: skip
        assert "read_nodes shows more that changed: d\n" in f"{text}\n"

    async def test_where_nothing_that_is_shown_changed_it_says_so(self, server: Server, api: Api) -> None:
        """Also where a change was taken back, and of moves in the drawing."""
        w = shop(api)
        async with agent(server.url) as one:
            assert "Nothing that these tools show" in (await one.call("read_workspace", workspace=w, since=2))["text"]
            api.batch(w, label("db", "Store"))
            api.batch(w, edit("## Orders", "30 s", "40 s"))
            api.batch(w, {"op": "move_nodes", "positions": {"db": {"x": 900, "y": 900}}})
            api.batch(w, label("db", "Db"))
            api.batch(w, edit("## Orders", "40 s", "30 s"))
            same = await one.call("read_workspace", workspace=w, since=2)
            assert "Nothing that these tools show" in same["text"]
            assert same["revision"] == 7
            await one.refused("invalid_request", "read_workspace", workspace=w, since=8)

    async def test_what_there_is_no_room_for_is_named_and_does_not_count_as_read(
        self, server: Server, api: Api
    ) -> None:
        w = api.create(name="Large", document={"text": f"# A\n\n## Long\n\n{'Words. ' * 2_000}\n\n## Short\n\nOne.\n"})
        long = "A service with a long name " * 4
        for start in (0, 100):
            api.batch(w, *(node(f"n{at:03}", label=f"{long}{at}") for at in range(start, start + 100)))
        async with agent(server.url) as one:
            api.batch(
                w, edit("## Short", "One.", "Two."), {"op": "append_to_section", "section": "## Long", "text": "x"}
            )
            news = await one.call("read_workspace", workspace=w, since=1)
            shown = block_of(news["text"], "diagram")[1:]
            assert 0 < len(shown) < 200
            assert len(news["text"]) < 30_000
            assert f"read_nodes shows more that changed: n{len(shown):03}" in news["text"]
            assert "read_sections shows more that changed: # A ## Long" in news["text"]
            await one.edit(w, 4, label("n000", "Read"), edit("## Short", "Two.", "Three."))
            for unread in (label("n199", "Unread"), {"op": "replace_section", "section": "## Long", "text": "y"}):
                await one.refused("unread_change", "edit", workspace=w, base_revision=5, operations=[unread])

    async def test_where_the_log_was_folded_it_says_what_is_gone_and_shows_all(
        self, api: Api, two: list[Api], redis_url: str
    ) -> None:
        w = shop(api)
        await keep_state(redis_url, w)
        api.batch(w, label("db", "Store"))
        await keep_state(redis_url, w)
        await trim(redis_url, w, 2)
        api.batch(w, label("db", "Stores"))
        async with agent(str(two[0].base_url)) as one:  # a worker that has nothing of it in memory
            folded = await one.call("read_workspace", workspace=w, since=1)
            assert (
                "right after revision 1 is no longer kept: who changed what then is gone. Here is all" in folded["text"]
            )
            assert block_of(folded["text"], "document")[0] == "# Shop"
            kept = await one.call("read_workspace", workspace=w, since=3)
            assert block_of(kept["text"], "diagram")[1:] == ['db service "Stores" [Postgres]']
            assert block_of(kept["text"], "document") == []


async def test_what_changed_is_read_at_the_revision_that_is_told_of(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody writes while it is put together: places in the text are not those of a newer one."""
    async with assistant_worker(redis_url) as one:
        w = await one.make_shop((), "# A\n\nOne.\n\n## B\n\nTwo.\n")
        await one.edit(ANA, edit("## B", "Two.", "Twofold."))
        following = LogReader.following

        async def then_written(log: LogReader, *given: Any) -> Sequence[Entry]:
            entries = await following(log, *given)
            smileys = "😀" * 40  # two UTF-16 units each
            await one.edit(BEN, edit("# A", "One.", f"One, {smileys}{smileys}."))
            return entries

        with monkeypatch.context() as patch:
            patch.setattr(LogReader, "following", then_written)
            needs, call = SimpleNamespace(workspaces=one.workspaces), SimpleNamespace(workspace_id=w)
            found = await read_since(needs, call, 1)  # type: ignore[arg-type]  # it needs nothing else of both
        assert not isinstance(found, str), found
        head, answer = found
        assert head.revision == 2
        assert block_of(answer.text, "section") == ["[# A ## B, from line 5]", "## B", "", "Twofold."]
