"""What a model hears of an edit: the lines as they read now, and the ids of what it has made."""

from __future__ import annotations

from typing import Any

from draftsmith.adapters.files.prompt_files import read_prompts
from draftsmith.assistant.prompts import prompt_set
from draftsmith.assistant.provider import ToolCall
from draftsmith.assistant.tools.tools import tools_of
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.usecases.runs.investigation import Investigation
from draftsmith.usecases.runs.tool_calls import ToolCalls
from draftsmith.usecases.staging.staging import StagingArea
from tests.builders import Op, edge, node
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.edited_workspaces import EditedWorkspace
from tests.kit.documents import edit_section

LONG = "Every order is written " + "and read again " * 40 + "at night."
DOC = (
    "# Shop\n\nSells things.\n\n## Orders\n\n**Timeout:** 30 seconds\n\n- one\n- two\n\n"
    f"## Storage\n\n{LONG}\n\n## Risks\n\nNone.\n"
)


class _Events:
    """Takes a run's events and keeps none."""

    async def add_event(self, event: Any) -> None:
        pass


async def _calls() -> ToolCalls:
    store = MemoryStore()
    life = EditedWorkspace(MemoryCommitLog(store), MemoryIndex(store))
    await life.begin()
    await life.edit({"op": "replace_document", "text": DOC}, node("api"), node("db"), edge("api", "db"))
    staging = StagingArea(life.workspaces, life.w, WorkspaceLimits())
    tools = tools_of("edit", prompt_set("edit", read_prompts("edit")))
    past = Investigation(life.workspaces, life.w, staging)
    return ToolCalls(tools, staging, _Events(), past)  # type: ignore[arg-type]  # of a recorder, only this is used


async def _say(calls: ToolCalls, *operations: Op, tool: str = "edit_document") -> list[str]:
    """What is said of a batch, from its second line on."""
    given = {"operations": list(operations)}
    result = await calls.execute(ToolCall(id="1", name=tool, input=given, raw=""))
    assert not result.is_error, result.text
    return result.text.splitlines()[1:]


async def test_each_edit_shows_its_lines_as_they_read_after_the_batch() -> None:
    """With the numbers they have then, also where a later operation moved them."""
    said = await _say(
        await _calls(),
        edit_section("## Orders", "30 seconds", "10 seconds"),
        edit_section("## Orders", "- two", "- two\n- three\n- four\n- five"),
        {"op": "append_to_section", "section": "# Shop", "text": "And books."},
        {"op": "insert_section", "title": "Costs", "text": "None.", "before": "## Storage"},
    )
    shown = [line for line in said if line.startswith("  ")]
    assert shown == [
        "  9: **Timeout:** 10 seconds",
        "  12: - two",
        "  13: - three",
        "  14: - four",
        "  5: And books.",
        "  17: ## Costs",
        "  19: None.",
    ]


async def test_a_deletion_shows_the_line_that_stands_there_now() -> None:
    """And a long line shows what is around the change."""
    said = await _say(
        await _calls(),
        edit_section("## Orders", "- one\n", ""),
        edit_section("## Storage", " and read again at night", ""),
        {"op": "delete_section", "section": "## Risks"},
    )
    first, second, third = [line for line in said if line.startswith("  ")]
    assert first == "  9: - two"
    assert second.startswith("  13: …")
    assert second.endswith("and read again.")
    assert len(second) < 220
    assert third.startswith("  13: …")


async def test_every_place_of_an_edit_of_all_counts_as_one_edit() -> None:
    """Three lines at most."""
    said = await _say(await _calls(), edit_section("## Orders", "o", "0", all=True))
    shown = [line for line in said if line.startswith("  ")]
    assert shown == ["  7: **Time0ut:** 30 sec0nds", "  9: - 0ne", "  10: - tw0"]


async def test_adding_returns_the_ids_that_were_made() -> None:
    """Made from labels and ends where none were given; bridges, too. What only changes makes none."""
    said = await _say(
        await _calls(),
        {"op": "add_node", "type": "cache", "label": "Orders cache"},
        {"op": "add_edge", "source": "api", "target": "orders-cache", "label": "orders"},
        {"op": "insert_between", "source": "api", "target": "db", "node": {"type": "queue", "label": "Queue"}},
        {"op": "update_node", "id": "api", "label": "API"},
        tool="edit_diagram",
    )
    assert said[0].endswith("(id: orders-cache)")
    assert said[1].endswith("(id: api--orders-cache)")
    assert said[2].endswith("(ids: queue, api--queue, queue--db)")
    assert "(id" not in said[3]


async def test_a_heading_that_was_left_out_is_told() -> None:
    """As a remark, below the lines."""
    said = await _say(await _calls(), {"op": "replace_section", "section": "## Risks", "text": "## Risks\n\nMany."})
    assert "  18: Many." in said
    assert "own heading 'Risks'" in said[-1]
