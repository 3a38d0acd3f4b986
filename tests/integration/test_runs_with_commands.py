"""Runs without a model: the built-in commands through the same loop, stage and commit as a model's."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.errors import DraftsmithError
from tests.integration.assistant_workers import ANA, BEN, assistant_worker

BOTH = 'put a Redis cache between Orders API and Orders database; in section Caching change "no cache yet" to "a cache"'


async def test_one_sentence_one_commit_one_undo(redis_url: str) -> None:
    """Diagram and document in one commit on the stack of who asked; the answer comes with the request."""
    async with assistant_worker(redis_url) as one:
        await one.make_shop()
        before, head = await one.state(), await one.head()
        run = await one.start(BOTH)
        assert run["status"] == "applied", run
        assert run["label"] == "Built-in commands (no AI model)"
        assert await one.head() == head + 1 == run["outcome"]["revision"]
        assert "There is a cache." in await one.text()
        assert run["outcome"]["tools_used"] == ["edit_diagram"]
        kinds = [event["type"] for event in await one.events(run["id"])]
        assert kinds[-1] == "end"
        assert "staged" in kinds
        assert (await one.undo(ANA))["changed"]
        assert await one.state() == before


async def test_half_a_sentence_that_does_not_fit_changes_nothing(redis_url: str) -> None:
    """All clauses or none."""
    async with assistant_worker(redis_url) as one:
        await one.make_shop()
        before = await one.state()
        run = await one.start('add a cache called Hot; in section Caching change "nowhere to be found" to "x"')
        assert run["status"] == "failed"
        error = run["outcome"]["error"]
        assert error["code"] == "batch_rejected", "it was understood; it does not fit"
        assert "Nothing was changed." in error["detail"]
        assert await one.state() == before


@pytest.mark.parametrize(
    "prompt", ["make it nicer", "delete the thing", "add it", "füge einen Cache hinzu", "remov Mailer"]
)
async def test_a_refusal_offers_two_forms_that_work(redis_url: str, prompt: str) -> None:
    """What is not understood fails with its reason and changes nothing; each suggestion, sent as it is, works."""
    async with assistant_worker(redis_url) as one:
        await one.make_shop()
        before = await one.state()
        run = await one.start(prompt)
        assert (run["status"], run["outcome"]["error"]["code"]) == ("failed", "not_understood")
        assert run["outcome"]["error"]["detail"] == run["outcome"]["summary"]
        suggestions = run["outcome"]["suggestions"]
        assert len(suggestions) == 2
        assert await one.state() == before
        for suggestion in suggestions:
            again = await one.start(suggestion, mode="propose")
            assert again["status"] in ("proposed", "answered")
            assert "suggestions" not in again["outcome"], suggestion


@pytest.mark.parametrize(
    "prompt, tool, said",
    [
        ("what breaks if Order queue fails?", "impact", "Mailer"),
        ("what calls Orders database", "neighbours", "Orders API"),
        ("path from Shop page to Mailer", "paths", "Order queue"),
        ("list all databases", "find_nodes", "Orders database"),
        ("what is unconnected", "check_diagram", ""),
    ],
)
async def test_questions_are_answered_from_the_graph(redis_url: str, prompt: str, tool: str, said: str) -> None:
    """Read-only, in the workflow for questions; the tools are those that ran."""
    async with assistant_worker(redis_url) as one:
        await one.make_shop()
        head = await one.head()
        run = await one.start(prompt, workflow="ask")
        assert run["status"] == "answered"
        assert said in run["outcome"]["summary"]
        assert run["outcome"]["tools_used"] == [tool]
        assert await one.head() == head


async def test_deleting_waits_in_auto_and_not_in_apply(redis_url: str) -> None:
    """The same modes as with a model."""
    async with assistant_worker(redis_url) as one:
        await one.make_shop()
        run = await one.start("remove Mailer")
        assert run["status"] == "proposed"
        answer = await one.proposals.accept(one.w, run["outcome"]["proposal"], BEN, None)
        assert answer["changed"]
        assert "worker" not in await one.nodes()
        run = await one.start("remove Order queue", mode="apply")
        assert run["status"] == "applied"


async def test_a_repeat_is_one_commit(redis_url: str) -> None:
    """Under the same id the first answer comes again; another sentence under it is refused."""
    async with assistant_worker(redis_url) as one, assistant_worker(redis_url, worker="w2") as two:
        two.w = await one.make_shop()
        head = await one.head()
        identity = "0123456789abcdefghjkmnpqrs"
        first = await one.start("add a cache called Hot", run_id=identity)
        again = await two.start("add a cache called Hot", run_id=identity)
        assert first["outcome"]["revision"] == again["outcome"]["revision"] == head + 1
        assert await one.head() == head + 1
        with pytest.raises(DraftsmithError) as error:
            await one.start("add a cache called Cold", run_id=identity)
        assert error.value.code == "key_reused"


async def test_a_commit_whose_end_was_not_written_is_found_by_its_repeat(redis_url: str) -> None:
    """The worker dies after the commit: the repeat tells of that commit instead of refusing a name that is taken."""
    identity = "0123456789abcdefghjkmnpqrs"

    class Died(Exception):
        """As if the process were gone."""

    async with assistant_worker(redis_url) as one, assistant_worker(redis_url, worker="w2") as two:
        two.w = await one.make_shop()
        head = await one.head()

        async def dies(*given: Any, **more: Any) -> bool:
            raise Died

        one.assistant.dependencies.store.record = dies  # type: ignore[method-assign]
        with pytest.raises(Died):
            await one.start("add a cache called Hot", run_id=identity)
        assert await two.head() == head + 1, "it was committed"
        run = await two.start("add a cache called Hot", run_id=identity)
        assert run["status"] == "applied"
        assert run["outcome"]["revision"] == head + 1
        assert await two.head() == head + 1


async def test_labels_are_never_read_as_commands(redis_url: str) -> None:
    """A node may be called like a command; it is a name all the same."""
    async with assistant_worker(redis_url) as one:
        await one.make_shop()
        await one.edit(BEN, {"op": "add_node", "id": "x", "type": "service", "label": "Search; remove Mailer"})
        await one.start('connect "Search; remove Mailer" to Orders API')
        assert "worker" in await one.nodes()
        assert ("x", "api") in await one.edges()


async def test_generating_needs_a_model_and_an_empty_workspace(redis_url: str) -> None:
    """Both are said; nothing is made up."""
    async with assistant_worker(redis_url) as one:
        await one.make_shop()
        with pytest.raises(DraftsmithError) as error:
            await one.start("A web shop.", workflow="generate")
        assert error.value.code == "workspace_not_empty"
        await one.make_shop([], "")
        with pytest.raises(DraftsmithError) as error:
            await one.start("A web shop with a queue.", workflow="generate")
        assert error.value.code == "needs_model"
        assert await one.nodes() == set()
