"""Trials of agents: a coding agent that is not ours, and a crowd of agents and people.

python -m tests.simulation.agents coding [--folder .make/agents]
python -m tests.simulation.agents draw --repository /folder [--folder .make/agents]
python -m tests.simulation.agents crowd [--seconds 300] [--agents 10] [--people 3] [--seed 1]
python -m tests.simulation.agents tokens [COMMAND ARGUMENT ...]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

import mcp_types as types

from tests import patient
from tests.conftest import running_store
from tests.integration.agents import agent
from tests.integration.client import edge, node
from tests.integration.people import Town, town
from tests.kit.documents import edit_section
from tests.simulation.agents import coding_agent
from tests.simulation.agents.coding_session import AFTER, BEFORE, DOCUMENT, OF_THE_PERSON, PROMPT, Session
from tests.simulation.agents.crowd import play
from tests.simulation.agents.drawing_session import Drawing
from tests.simulation.agents.tokens import tell
from tests.simulation.live.deployment import deployment
from tests.standin import Standin, serve


async def coding(folder: Path) -> None:
    """The session of `coding_session`, played by opencode against a server where everybody signs in."""
    program = await asyncio.to_thread(coding_agent.install, folder)
    with running_store() as store, town(store, "coding") as place:
        w, key = _shop(place)
        ben = place.person("Ben")
        place.admin.ask("PUT", f"/workspaces/{w}/members/{ben.id}", json={"role": "editor"})
        session = Session(w, lambda: ben.batch(w, edit_section("## Orders", BEFORE, AFTER)))
        standin = Standin(session)
        async with serve(standin) as model_url:
            with tempfile.TemporaryDirectory() as home:
                calls = await asyncio.to_thread(
                    coding_agent.run, program, Path(home), model_url=model_url, server_url=place.url, key=key,
                    errand=coding_agent.Errand(PROMPT),
                )  # fmt: skip
        _check(place, w, session, standin)
        for call in calls:
            print(f"{call['tool']} ({call['status']}): {' '.join(call['output'].split())[:200]}")


def _shop(place: Town) -> tuple[str, str]:
    """A workspace of the administrator, and a key of theirs."""
    w = place.admin.create(name="Shop", document={"text": DOCUMENT})
    database = node("orders-db", type="database", label="Orders DB", technology="PostgreSQL 15")
    place.admin.batch(w, node("orders", label="Orders"), database, edge("orders", "orders-db", label="order rows"))
    key = place.admin.ask("POST", "/keys", 201, json={"name": "opencode on this machine", "role": "editor"})["key"]
    return w, key


def _check(place: Town, w: str, session: Session, standin: Standin) -> None:
    """What the agent handed to its model, and what is in the workspace."""
    assert not standin.refused, standin.refused
    assert len(session.offered) == 13, session.offered
    assert "base_revision" in session.system, "the server's instructions do not reach the model"
    assert [is_error for _, is_error in session.seen] == [False, True, True, False, False, False], session.seen
    stale = session.seen[1][0]
    assert "stale_base" in stale, stale
    assert "Ben" in stale, stale
    assert "one year" in stale, stale
    raised = session.seen[2][0]
    assert "unread_change" in raised, raised
    assert "read_sections: # Shop ## Orders" in raised, raised
    whole = place.admin.read(w)
    assert whole["document"]["text"] == OF_THE_PERSON
    assert {one["id"]: one["technology"] for one in whole["diagram"]["nodes"]}["orders-db"] == "PostgreSQL 15"
    commits = place.admin.ask("GET", f"/workspaces/{w}/commits")["items"]
    by = [(one["kind"], one["actor"]["name"], one["actor"]["kind"]) for one in commits[:3]]
    mine = "opencode on this machine · for Ada"
    assert by == [("revert", mine, "agent"), ("edit", mine, "agent"), ("edit", "Ben", "person")], by


async def draw(folder: Path, repository: Path) -> None:
    """The session of `drawing_session`: opencode, with the prompt and the skill, draws a repository that is given."""
    program = await asyncio.to_thread(coding_agent.install, folder)
    with running_store() as store, town(store, "drawing") as place, tempfile.TemporaryDirectory() as home:
        key = place.admin.ask("POST", "/keys", 201, json={"name": "opencode on this machine", "role": "editor"})["key"]
        session = Drawing(f"{home}/work", repository.name)
        standin = Standin(session)
        skill = patient.get(f"{place.url}/mcp/SKILL.md").text
        async with agent(place.url, key) as caller:
            filled = await caller.client.get_prompt("draw-repository", {"name": repository.name})
        [message] = filled.messages
        assert isinstance(message.content, types.TextContent)
        errand = coding_agent.Errand(message.content.text, repository, skill)
        async with serve(standin) as model_url:
            calls = await asyncio.to_thread(
                coding_agent.run, program, Path(home), model_url=model_url, server_url=place.url, key=key, errand=errand
            )
        for call in calls:
            print(f"{call['tool']} ({call['status']}): {' '.join(call['output'].split())[:300]}")
        _check_drawing(place, session, standin, skill)


def _check_drawing(place: Town, session: Drawing, standin: Standin, skill: str) -> None:
    """What the agent handed to its model, and that what was drawn is what the files say."""
    assert not standin.refused, standin.refused
    assert {"skill", "draftsmith_edit"} <= set(session.offered), session.offered
    assert not any(is_error for _, is_error in session.seen), session.seen
    assert "Answer with the link to the workspace, the counts" in session.asked, "the prompt reaches the model"
    assert "## The four rules" in session.seen[0][0], "the skill reaches the model"
    assert skill.partition("description: ")[2].partition("\n")[0] in session.asked, "it is offered with its description"
    assert '"media_type": "image/png"' in session.asked, "the picture reaches the model"
    whole = place.admin.read(session.workspace)
    edges = {(one["source"], one["target"]) for one in whole["diagram"]["edges"]}
    assert {one["id"] for one in whole["diagram"]["nodes"]} == {*session.services, "built-here"}
    assert edges == {(one.source, one.target) for one in session.calls}
    assert all(one.place in whole["document"]["text"] for one in session.calls)
    print(f"{len(session.services)} services, {len(edges)} edges, {len(whole['document']['text'])} characters")
    print("\n".join(f"{one.source} -> {one.target}: {one.place}" for one in session.calls))


async def crowd(seed: str, agents: int, people: int, seconds: float) -> None:
    """`tests.simulation.agents.crowd` at length."""
    with running_store() as store:
        async with deployment(store) as workers:
            found = await play(workers, seed, agents=agents, people=people, acts=1, seconds=seconds)
    for name, value in found.items():
        print(f"{name}: {value}")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.agents")
    parser.add_argument("what", choices=("coding", "draw", "crowd", "tokens"))
    parser.add_argument("--folder", type=Path, default=Path(".make/agents"))
    parser.add_argument("--repository", type=Path, help="of which a copy is drawn")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--agents", type=int, default=10)
    parser.add_argument("--people", type=int, default=3)
    parser.add_argument("--seed", default="1")
    parser.add_argument("command", nargs="*", help="of another server, whose tools are counted")
    given = parser.parse_args()
    print(f"seed {given.seed}")
    if given.what == "coding":
        asyncio.run(coding(given.folder.resolve()))
    elif given.what == "draw":
        if given.repository is None:
            parser.error("draw needs --repository")
        asyncio.run(draw(given.folder.resolve(), given.repository.resolve()))
    elif given.what == "crowd":
        asyncio.run(crowd(given.seed, given.agents, given.people, given.seconds))
    else:
        asyncio.run(tell(given.command))


if __name__ == "__main__":
    main()
