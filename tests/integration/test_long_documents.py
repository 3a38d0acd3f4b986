"""A model can edit and answer from a document that is too long to be sent whole, over a real socket."""

from __future__ import annotations

from tests.integration.assistant_workers import assistant_worker, last_results, said
from tests.standin import Standin, Text, ToolUse, Turn, serve

_FILLER = "".join(f"## Annex {number}\n\n{'filler text. ' * 60}\n\n" for number in range(20))
_LONG = f"# Handbook\n\n## Orders\n\nThe gateway gives up after 30 seconds.\n\n{_FILLER}## End\n\nIt retries twice.\n"
_EDIT = {
    "operations": [{"op": "edit_section", "section": "## End", "find": "It retries twice.", "replace": "It retries."}]
}


async def test_text_is_found_and_quoted_in_a_long_document(redis_url: str) -> None:
    """What find_text shows can be quoted as it stands; the run is applied without a section having been read."""
    standin = Standin(
        [
            Turn([ToolUse("find_text", {"text": "retries twice"})]),
            Turn([ToolUse("edit_document", _EDIT)]),
            Turn([Text("It just retries now.")]),
        ]
    )
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop(text=_LONG)
        run = await one.ask("How often something is tried should not be said.")
        assert run["status"] == "applied"
        assert run["outcome"]["tools_used"] == ["find_text", "edit_document"]
        assert (await one.text()).endswith("## End\n\nIt retries.\n")
    found = [block["content"] for block in standin.asked[1].body["messages"][-1]["content"]]
    assert found == ["1 place found.\n## End, line 89: It retries twice."]
    assert not last_results(standin)[0].get("is_error")


async def test_a_section_that_the_request_names_is_there_at_once(redis_url: str) -> None:
    """An edit in it needs no reading turn; the rest of the document is an outline."""
    edit = {"op": "edit_section", "section": "## Orders", "find": "after 30 seconds", "replace": "after 10 seconds"}
    standin = Standin([Turn([ToolUse("edit_document", {"operations": [edit]})]), Turn([Text("Done.")])])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop(text=_LONG)
        run = await one.ask("In Orders, the gateway gives up after 10 seconds.")
        assert run["status"] == "applied"
    first = said(standin, 0)
    assert "The gateway gives up after 30 seconds." in first
    assert "filler text" not in first
    assert "## Annex 19 (" in first


async def test_questions_find_text_as_well(redis_url: str) -> None:
    """Where it stands, or that it stands nowhere."""
    asked = [ToolUse("find_text", {"text": "gives up"}), ToolUse("find_text", {"text": "Kubernetes"})]
    standin = Standin([Turn(asked), Turn([Text("After 30 seconds; nothing is said about Kubernetes.")])])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop(text=_LONG)
        run = await one.ask("What is said about giving up, and about Kubernetes?", workflow="ask")
        assert run["status"] == "answered"
    place, nothing = (block["content"] for block in last_results(standin))
    assert place == "1 place found.\n## Orders, line 5: The gateway gives up after 30 seconds."
    assert nothing.startswith('Nothing in the document is like "Kubernetes".')
