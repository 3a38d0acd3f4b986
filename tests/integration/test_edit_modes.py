"""How a model edits, per request, workspace and server; and that writing anew as a whole is offered, never silent."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.errors import DraftsmithError
from tests.integration.assistant_workers import ANA, BEN, AssistantWorker, assistant_worker, last_results
from tests.standin import Standin, Text, ToolUse, Turn, serve

DONE = Turn([Text("Done.")])
WHOLE = "# Shop\n\nOrders come in through the API.\n\n## Caching\n\nThere is a cache.\n"
BAD = Turn([ToolUse("edit_diagram", {"operations": [{"op": "delete_node", "id": "nothing"}]})])
REWRITING = {"read_section", "rewrite_diagram", "rewrite_document"}


def offered(standin: Standin, request: int = -1) -> set[str]:
    return {tool["name"] for tool in standin.asked[request].body["tools"]}


@pytest.mark.parametrize("server", ["tools", "regenerate"])
async def test_the_request_comes_before_the_workspace_and_that_before_the_server(redis_url: str, server: str) -> None:
    """Which tools a model is offered follows from the first of them that says something; the run says which it was."""
    standin = Standin([DONE] * 7)
    async with serve(standin) as url, assistant_worker(redis_url, url, regenerate=server == "regenerate") as one:
        await one.make_shop()
        for workspace, asked, used in (
            (None, None, server),
            ("regenerate", None, "regenerate"),
            ("tools", None, "tools"),
            ("tools", "regenerate", "regenerate"),
            ("regenerate", "tools", "tools"),
            (None, "regenerate", "regenerate"),
        ):
            await one.assistant.set_edit_mode(one.w, workspace)  # type: ignore[arg-type]  # of a list of cases
            run = await one.ask("Add a cache.", edit_mode=asked)
            assert run["edit_mode"] == used
            assert (offered(standin) == REWRITING) is (used == "regenerate")
        run = await one.ask("What is there?", workflow="ask", edit_mode="regenerate")
        assert run["edit_mode"] == "tools"
        assert not offered(standin) & {"rewrite_diagram", "rewrite_document"}


async def test_the_same_id_with_another_edit_mode_is_another_request(redis_url: str) -> None:
    """What was asked decides, so a repeat stays one where the workspace was set otherwise meanwhile."""
    standin = Standin([DONE, DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        run_id = one.workspaces.clock.new_id()
        await one.ask("Add a cache.", run_id=run_id)
        await one.assistant.set_edit_mode(one.w, "regenerate")
        assert (await one.ask("Add a cache.", run_id=run_id))["edit_mode"] == "tools"
        for other in ("regenerate", "tools"):
            with pytest.raises(DraftsmithError) as error:
                await one.ask("Add a cache.", run_id=run_id, edit_mode=other)
            assert error.value.code == "key_reused"
        assert len(standin.asked) == 1


@pytest.mark.parametrize(
    "tool, operation, instead",
    [
        ("edit_document", {"op": "replace_document", "text": "Nonsense."}, "replace_section"),
        (
            "edit_diagram",
            {"op": "replace_document", "text": "Nonsense."},
            "The document is edited by the tool edit_document",
        ),
        ("edit_diagram", {"op": "replace_diagram", "nodes": [], "edges": []}, "update_node"),
    ],
)
async def test_a_whole_is_not_replaced_where_that_is_not_offered(
    redis_url: str, tool: str, operation: dict[str, Any], instead: str
) -> None:
    """The batch is refused, also what else is in it, and the model is told what to use instead."""
    rename = {"op": "update_node", "id": "api", "label": "Shop API"}
    standin = Standin([Turn([ToolUse(tool, {"operations": [rename, operation]})]), DONE, DONE, DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        before = await one.state()
        run = await one.ask("Tidy it up.", mode="apply")
        assert run["status"] != "applied"
        assert await one.state() == before
        problem = next(event for event in await one.events(run["id"]) if event["type"] == "refused")["problems"][0]
        assert (problem["code"], problem["index"], problem["op"]) == ("op_unknown", 1, operation["op"])
        assert instead in (*problem["candidates"], problem["message"].partition(". ")[2].removesuffix("."))
        results = [block for asked in standin.asked[1:] for block in last_results_of(asked)]
        assert f"'{operation['op']}' is not offered here" in str(results[0]["content"])


def last_results_of(asked: Any) -> list[dict[str, Any]]:
    content = asked.body["messages"][-1]["content"]
    return [block for block in content if isinstance(block, dict) and block["type"] == "tool_result"]


async def test_where_models_write_anew_a_whole_is_taken(redis_url: str) -> None:
    """By the tools that are there for it."""
    standin = Standin([Turn([ToolUse("rewrite_document", {"text": WHOLE})]), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        run = await one.ask("Say that there is a cache.", mode="propose", edit_mode="regenerate")
        assert run["status"] == "proposed"
        assert not last_results(standin)[0].get("is_error")


async def fallbacks(one: AssistantWorker) -> int:
    return (await one.assistant.dependencies.metering.totals(1))["quality"]["total"]["fallbacks"]


async def test_a_fallback_is_counted_where_somebody_took_the_offer(redis_url: str) -> None:
    """Never silent: the run that failed stays as it is, until the same person asks for writing anew."""
    standin = Standin([BAD, BAD, BAD, DONE, DONE, DONE, DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        run = await one.ask("Remove the nothing.")
        assert run["outcome"]["error"]["code"] == "too_many_failures"
        assert len(standin.asked) == 3
        await one.ask("Remove the nothing.", edit_mode="regenerate", actor=BEN)
        assert await fallbacks(one) == 0, "somebody else's request"
        await one.ask("Remove the nothing.", edit_mode="regenerate", actor=ANA)
        assert await fallbacks(one) == 1
        await one.ask("Now something else.", edit_mode="regenerate", actor=ANA)
        assert await fallbacks(one) == 1, "nothing had failed before it"
