"""Recommending: alternatives are proposals of one group, of which one is accepted, whatever happens at that moment."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from draftsmith.assistant.context.focus import Focus
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.model.ids import NodeId
from draftsmith.usecases.proposals.proposal import read_proposal
from draftsmith.usecases.proposals.proposals import Proposals
from tests.builders import Op
from tests.integration.assistant_workers import ANA, BEN, AssistantWorker, assistant_worker, said
from tests.integration.test_many_providers import Several
from tests.standin import Standin, Step, Text, ToolUse, Turn, serve
from tests.standin.kinds import KINDS

NEED = "We need rate limiting."
LIMITER: Op = {
    "title": "Limiter at the edge",
    "summary": "A limiter between the shop page and the API.",
    "gains": ["Overload ends at the edge"],
    "costs": ["One more hop"],
    "operations": [
        {"op": "insert_between", "source": "web", "target": "api",
         "node": {"id": "limiter", "type": "gateway", "label": "Rate limiter"}},
        {"op": "append_to_section", "section": "## Risks", "text": "- The limiter is in the path of every order."},
    ],
}  # fmt: skip
SETTING: Op = {
    "title": "A limit in the API",
    "summary": "The API counts by itself.",
    "gains": ["No new part"],
    "costs": ["Each instance counts for itself"],
    "operations": [{"op": "update_node", "id": "api", "description": "Takes 100 requests a second of each caller."}],
}
BROKEN: Op = {**LIMITER, "operations": [{"op": "add_edge", "source": "web", "target": "no-such-node", "label": "x"}]}
CHOOSE = Turn([Text("Take the limiter.")])
BOTH: Sequence[Step] = [Turn([ToolUse("propose_option", LIMITER), ToolUse("propose_option", SETTING)]), CHOOSE]


async def recommended(one: AssistantWorker, **more: Any) -> list[dict[str, Any]]:
    """The alternatives of a run that recommends."""
    run = await one.ask(NEED, workflow="recommend", **more)
    assert run["status"] == "proposed", run["outcome"]
    assert "proposal" not in run["outcome"]
    return [await one.proposals.get(one.w, each["proposal"]) for each in run["outcome"]["alternatives"]]


async def statuses(one: AssistantWorker) -> list[str]:
    """How the alternatives stand, in their order."""
    listed = await one.proposals.list(one.w)
    return [each["status"] for each in sorted(listed, key=lambda each: each["alternative"]["index"])]


async def test_alternatives_exclude_each_other_and_one_undo_takes_the_accepted_back(redis_url: str) -> None:
    """Nothing changes before the yes; accepting one is one commit and withdraws the other, which cannot be accepted."""
    searched = Turn([ToolUse("search_patterns", {"text": "rate limiting"}), ToolUse("propose_option", BROKEN)])
    standin = Standin([searched, *BOTH])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        before, head = await one.state(), await one.head()
        limiter, setting = await recommended(one)
        assert "# Rate limiter (pattern" in said(standin, 1)
        assert "no-such-node" in said(standin, 1)
        assert await one.state() == before
        assert [each["alternative"]["title"] for each in (limiter, setting)] == [LIMITER["title"], SETTING["title"]]
        assert limiter["alternative"]["costs"] == LIMITER["costs"]
        assert limiter["run"] == setting["run"] == limiter["alternative"]["group"]
        assert (limiter["fit"], setting["fit"]) == ("fits", "fits")
        assert limiter["diff"]["document"]
        (run,) = await one.assistant.runs(one.w, None, 5)
        assert run["outcome"]["tools_used"] == ["search_patterns", "propose_option"]
        assert not run["outcome"].get("refused")

        accepted = await one.proposals.accept(one.w, limiter["id"], BEN, None)
        assert accepted["revision"] == await one.head() == head + 1
        assert await statuses(one) == ["accepted", "withdrawn"]
        withdrawn = await one.proposals.get(one.w, setting["id"])
        assert withdrawn["outcome"] == {"by": BEN.to_json(), "instead": limiter["id"]}
        for refused in (
            one.proposals.accept(one.w, setting["id"], ANA, None),
            one.proposals.reject(one.w, setting["id"], ANA),
        ):
            with pytest.raises(DraftsmithError, match="another of the alternatives") as error:
                await refused
            assert error.value.code == "proposal_closed"
        assert (await one.proposals.accept(one.w, limiter["id"], ANA, None))["replayed"]
        assert (await one.undo(BEN))["changed"]
        assert await one.state() == before


async def test_two_people_on_two_workers_cannot_both_succeed(redis_url: str) -> None:
    """Of twelve accepts at once, of either alternative on either worker, those of one succeed and the others do not."""
    standin = Standin(BOTH)
    async with (
        serve(standin) as url,
        assistant_worker(redis_url, url) as one,
        assistant_worker(redis_url, url, worker="w1") as two,
    ):
        two.w = await one.make_shop()
        ids = [each["id"] for each in await recommended(one)]
        head = await one.head()
        tries = [
            (chosen, worker.proposals.accept(one.w, chosen, actor, None))
            for worker, actor in ((one, ANA), (two, BEN))
            for chosen in (ids if worker is one else ids[::-1]) * 3
        ]
        results = await asyncio.gather(*(each for _, each in tries), return_exceptions=True)
        took = {chosen for (chosen, _), result in zip(tries, results, strict=True) if isinstance(result, dict)}
        refused = [
            (chosen, each) for (chosen, _), each in zip(tries, results, strict=True) if not isinstance(each, dict)
        ]
        assert len(took) == 1
        assert [each for _, each in refused if getattr(each, "code", "") != "proposal_closed"] == []
        (other,) = set(ids) - took
        assert [chosen for chosen, _ in refused] == [other] * 6
        assert await one.head() == head + 1
        assert sorted(await statuses(two)) == ["accepted", "withdrawn"]


async def test_one_that_is_being_accepted_and_may_fail_withdraws_no_other(redis_url: str) -> None:
    """The other waits until it is known, and is accepted where that one was not."""
    async with serve(Standin(BOTH)) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        first, second = [each["id"] for each in await recommended(one)]
        row = await one.proposals.store.proposal(one.w, first)
        assert row is not None
        proposal = read_proposal(row.content)
        # As where the commit of the first one waits for the store.
        in_flight = one.workspaces.writer(one.w)._in_flight
        waiting: Any = SimpleNamespace(txid=proposal.txid, fingerprint=proposal.commit_fingerprint, can_repeat=True)
        assert in_flight.take(waiting)
        accepting = asyncio.create_task(one.proposals.accept(one.w, second, BEN, None))
        await asyncio.sleep(0.2)
        assert not accepting.done()
        assert await statuses(one) == ["open", "open"]
        in_flight.give_back(waiting)
        assert (await accepting)["changed"]
        assert await statuses(one) == ["withdrawn", "accepted"]


class Dying:
    """A store at which a worker ends instead of closing a proposal, after having closed some."""

    def __init__(self, inner: Any, closes: int) -> None:
        self._inner, self._left = inner, closes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def close_proposal(self, *given: Any) -> bool:
        self._left -= 1
        if self._left < 0:
            raise StorageError("The worker ended here.")
        return bool(await self._inner.close_proposal(*given))


@pytest.mark.parametrize("closes", [0, 1])
async def test_a_worker_that_ends_in_between_leaves_one_choice(redis_url: str, closes: int) -> None:
    """After the commit, and after it was noted: whoever reads next finds the others withdrawn, and so do accepts."""
    standin = Standin(BOTH)
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        limiter, setting = await recommended(one)
        head = await one.head()
        doomed = Proposals(one.workspaces, Dying(one.proposals.store, closes), one.workspaces.limits)
        with pytest.raises(StorageError):
            await doomed.accept(one.w, limiter["id"], BEN, None)
        with pytest.raises(DraftsmithError, match="another of the alternatives"):
            await one.proposals.accept(one.w, setting["id"], ANA, None)
        assert await statuses(one) == ["accepted", "withdrawn"]
        assert await one.head() == head + 1
        assert (await one.proposals.get(one.w, setting["id"]))["outcome"]["instead"] == limiter["id"]
        assert (await one.proposals.get(one.w, limiter["id"]))["outcome"]["by"]["id"] == BEN.id


async def test_a_choice_that_changes_nothing_withdraws_the_others(redis_url: str) -> None:
    """Parts of an alternative that come to nothing make no commit; accepting them is a choice all the same."""
    back = [{"op": "update_node", "id": "web", "notes": note} for note in ("Look.", None)]
    there_and_back = {**SETTING, "operations": [*back, *SETTING["operations"]]}
    standin = Standin([Turn([ToolUse("propose_option", LIMITER), ToolUse("propose_option", there_and_back)]), CHOOSE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        limiter, setting = await recommended(one)
        head = await one.head()
        doomed = Proposals(one.workspaces, Dying(one.proposals.store, 0), one.workspaces.limits)
        with pytest.raises(StorageError):
            await doomed.accept(one.w, setting["id"], BEN, [0, 1])
        with pytest.raises(DraftsmithError, match="another of the alternatives"):
            await one.proposals.accept(one.w, limiter["id"], ANA, None)
        assert not (await one.proposals.accept(one.w, setting["id"], BEN, [0, 1]))["changed"]
        assert await one.head() == head
        assert await statuses(one) == ["withdrawn", "accepted"]


async def test_each_says_whether_it_still_fits_and_one_may_be_rejected_alone(redis_url: str) -> None:
    """A change by hand is a conflict of the alternative that it concerns; the other can be rejected and stays so."""
    standin = Standin(BOTH)
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        limiter, setting = await recommended(one)
        await one.edit(BEN, {"op": "update_node", "id": "api", "description": "By hand."})
        assert (await one.proposals.get(one.w, setting["id"]))["fit"] == "conflicts"
        assert (await one.proposals.get(one.w, limiter["id"]))["fit"] == "fits"
        await one.proposals.reject(one.w, setting["id"], ANA)
        await one.proposals.accept(one.w, limiter["id"], ANA, None)
        assert await statuses(one) == ["accepted", "rejected"]


async def test_there_are_two_or_three_alternatives(redis_url: str) -> None:
    """One is asked for another, once; the same title replaces; a fourth is refused with the titles that there are."""
    options = [{**SETTING, "title": f"Way {number}"} for number in range(4)]
    same = {**LIMITER, "title": "way 0"}
    empty = {**SETTING, "costs": []}
    turns = [
        Turn([ToolUse("propose_option", options[0])]), CHOOSE,
        Turn([ToolUse("propose_option", empty), *(ToolUse("propose_option", each) for each in options[1:])]),
        Turn([ToolUse("propose_option", same)]), CHOOSE,
    ]  # fmt: skip
    standin = Standin(turns)
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        found = await recommended(one)
        assert "only alternative so far" in said(standin, 2)
        assert "costs is a list of one sentence or more" in said(standin, 3)
        assert "There are 3 alternatives already: “Way 0”, “Way 1”, “Way 2”" in said(standin, 3)
        assert [each["alternative"]["title"] for each in found] == ["way 0", "Way 1", "Way 2"]
        assert found[0]["alternative"]["of"] == 3
        assert found[0]["count"] == 2


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_every_provider_recommends(redis_url: str, kind: str) -> None:
    """Over each SDK, also where schemas have no choices: two alternatives."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(assistant_worker(redis_url))
        several = Several(stack)
        await several.add(one, kind, brain=BOTH)
        await one.make_shop()
        assert len(await recommended(one, provider=KINDS[kind].info.name)) == 2


async def test_built_in_commands_find_patterns_and_say_that_they_recommend_nothing(redis_url: str) -> None:
    """With a selection the patterns that have its words; without one, or without a word, their names; no guess."""
    async with assistant_worker(redis_url, choice="builtin") as one:
        await one.make_shop()
        before = await one.state()
        named = await one.ask("reads are slow", workflow="recommend")
        assert named["status"] == "answered"
        assert "cannot recommend" in named["outcome"]["summary"]
        assert "Cache-aside" in named["outcome"]["summary"]
        nothing = await one.ask("please improve everything", workflow="recommend")
        assert "None has a word" in nothing["outcome"]["summary"]
        focus = Focus(nodes=[NodeId("api"), NodeId("db")])
        run = await one.ask("reads are slow", workflow="recommend", focus=focus)
        assert "cannot recommend" in run["outcome"]["summary"]
        titles = [each["title"] for each in run["outcome"]["alternatives"]]
        assert titles == ["Cache-aside", "Read replica (CQRS)"]
        assert await one.state() == before
        await one.proposals.accept(one.w, run["outcome"]["alternatives"][0]["proposal"], ANA, None)
        assert ("api", "cache") in await one.edges()
        assert await statuses(one) == ["accepted", "withdrawn"]
