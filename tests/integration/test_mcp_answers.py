"""What agents are told of what they wrote: each thing once, as the batch leaves it, with links that lead there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from draftsmith.agents import inputs
from draftsmith.history.actor import Actor
from draftsmith.usecases.agents.agent import Agent
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call
from draftsmith.usecases.agents.proposing import proposals
from tests.integration.agents import agent, orders_shop, text_of
from tests.integration.assistant_workers import assistant_worker
from tests.integration.client import Api, label
from tests.integration.servers import Server
from tests.integration.test_recommend import BOTH, LIMITER, recommended
from tests.kit.documents import edit_section
from tests.standin import Standin, serve

TEXT = "# Shop\n\n## Orders\n\nTimeout is 30 s.\nRetries twice.\n\n## Storage\n\nPostgres 15.\n\n## Old\n\nGone soon.\n"


async def test_what_is_unread_is_listed_once_however_often_it_was_changed(server: Server, api: Api) -> None:
    """Every change of it is told; what a refusal has shown in full is read."""
    w = orders_shop(api, TEXT, technology="Postgres", then="Ana")
    async with agent(server.url) as one:
        await one.call("read_workspace", workspace=w)
        for number in (1, 2, 3):
            api.batch(w, label("db", f"Store {number}"), edit_section("## Orders", "Retries", f"Retries {number}"))
        batch = [label("db", "Mine"), {"op": "replace_section", "section": "## Orders", "text": "None."}]
        refused = await one.refused("unread_change", "edit", workspace=w, base_revision=5, operations=batch)
        assert refused["unread"] == [
            {"part": "node", "id": "db", "field": "label", "node": "db", "revision": 5},
            {"part": "document", "section": "# Shop ## Orders", "revision": 5},
        ]
        assert refused["detail"].startswith("2 things ")
        assert refused["text"].count("Unread: ") == 2
        told = [(one["revision"], one["part"]) for one in refused["changes"]]
        assert sorted(told) == [(revision, part) for revision in (3, 4, 5) for part in ("document", "node")]
        assert (await one.edit(w, 5, *batch))["status"] == "applied"


async def test_a_dry_run_shows_the_text_as_the_whole_batch_would_leave_it(server: Server, api: Api) -> None:
    """Also where later operations change what stands around, rename the section or move it; as it is when applied."""
    w = orders_shop(api, TEXT, technology="Postgres", then="Ana")
    batch: list[Any] = [
        edit_section("## Orders", "30 s", "20 s"), edit_section("## Orders", "twice", "thrice"),
        {"op": "rename_section", "section": "## Orders", "title": "Desk 🧾"},
        {"op": "append_to_section", "section": "# Shop", "text": "Two\n\nlines."},
    ]  # fmt: skip
    expected = [
        '# Shop ## Desk 🧾, line 9: "## Desk 🧾 Timeout is 20 s. Retries thrice. "',
        '# Shop ## Desk 🧾, line 10: " Timeout is 20 s. Retries thrice. ## Storage "',
    ]
    async with agent(server.url) as one:
        await one.call("read_workspace", workspace=w)
        dry = await one.raw("edit", workspace=w, base_revision=2, operations=batch, dry_run=True)
        would: dict[str, Any] = dry.structured_content or {}
        assert would["lines"][:2] == expected
        assert "As the document would read:" in text_of(dry)
        assert "reads now" not in text_of(dry)
        assert api.read(w)["revision"] == 2
        done = await one.raw("edit", workspace=w, base_revision=2, operations=batch)
        assert (done.structured_content or {})["lines"] == would["lines"]
        assert "As the document reads now:" in text_of(done)
        lines = api.read(w)["document"]["text"].split("\n")
        assert (lines[8], lines[9]) == ("Timeout is 20 s.", "Retries thrice.")
        same = [label("db", "Db")]
        for given in ({"dry_run": True}, {"dry_run": True, "mode": "propose"}):
            nothing = await one.raw("edit", workspace=w, base_revision=3, operations=same, **given)
            assert (nothing.structured_content or {})["status"] == "unchanged", given
            assert "would be" not in text_of(nothing)


async def test_a_proposal_has_a_link_of_its_own(server: Server, api: Api) -> None:
    w = orders_shop(api, TEXT, technology="Postgres", then="Ana")
    async with agent(server.url) as one:
        await one.call("read_workspace", workspace=w)
        proposed = await one.edit(w, 2, label("db", "Store"), mode="propose", id="propose-1")
        link = f"{server.url}/w/{w}#proposal/{proposed['proposal']}"
        assert proposed["link"] == link
        repeated = await one.raw(
            "edit", workspace=w, base_revision=2, operations=[label("db", "Store")], mode="propose", id="propose-1"
        )
        assert link in text_of(repeated)
        [listed] = (await one.call("proposals", workspace=w))["proposals"]
        assert listed["link"] == link
        refused = await one.refused("forbidden", "proposals", workspace=w, action="accept", proposal=listed["proposal"])
        assert link in refused["detail"]


async def test_a_range_is_compared_by_the_names_that_models_give_its_ends(server: Server, api: Api) -> None:
    w = orders_shop(api, TEXT, technology="Postgres", then="Ana")
    for number in (3, 4, 5):
        api.batch(w, label("db", f"Store {number}"))
    async with agent(server.url) as one:
        by_name = await one.call("compare", workspace=w, **{"from": 3, "to": 4})
        plain = await one.call("compare", workspace=w, from_revision=3, to_revision=4)
        since = await one.call("compare", workspace=w, since=4)
    assert by_name == plain
    assert plain["difference"]["nodes"]["changed"] == [{"id": "db", "fields": {"label": ["Store 3", "Store 4"]}}]
    assert (since["from_revision"], since["to_revision"]) == (4, 5)


async def test_alternatives_are_shown_as_such(redis_url: str) -> None:
    """With what speaks for and against each, so that an agent does not take them for changes that go together."""
    async with serve(Standin([*BOTH])) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        await recommended(one)
        who = Agent("local", Actor("agent:local", "Robot", "agent"), Actor("ada", "Ada", "person"))
        call = Call(who, one.w, "editor", f"http://here/w/{one.w}")
        needs = cast(AgentDependencies, SimpleNamespace(proposals=one.proposals))
        answer = await proposals(needs, call, inputs.ProposalsArguments(workspace=one.w))
    assert [row["alternative"]["of"] for row in answer.data["proposals"]] == [2, 2]
    [limiter] = [row for row in answer.data["proposals"] if row["alternative"]["title"] == LIMITER["title"]]
    assert limiter["alternative"]["gains"] == LIMITER["gains"]
    assert 'alternative 1 of 2, of which one is accepted: "Limiter at the edge"' in answer.text
    assert 'against: "One more hop"' in answer.text
