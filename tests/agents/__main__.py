"""Trials of agents: a coding agent that is not ours, and a crowd of agents and people.

python -m tests.agents coding [--folder .make/agents]
python -m tests.agents crowd [--seconds 300] [--agents 10] [--people 3] [--seed 1]
python -m tests.agents tokens [COMMAND ARGUMENT ...]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from tests.agents import coding_agent
from tests.agents.coding_session import AFTER, BEFORE, DOCUMENT, OF_THE_PERSON, PROMPT, Session
from tests.agents.crowd import play
from tests.agents.tokens import tell
from tests.conftest import running_store
from tests.integration.client import edge, edit, node
from tests.integration.people import Town, town
from tests.live.deployment import deployment
from tests.standin import Standin, serve


async def coding(folder: Path) -> None:
    """The session of `coding_session`, played by opencode against a server where everybody signs in."""
    program = await asyncio.to_thread(coding_agent.install, folder)
    with running_store() as store, town(store, "coding") as place:
        w, key = _shop(place)
        ben = place.person("Ben")
        place.admin.ask("PUT", f"/workspaces/{w}/members/{ben.id}", json={"role": "editor"})
        session = Session(w, lambda: ben.batch(w, edit("## Orders", BEFORE, AFTER)))
        standin = Standin(session)
        async with serve(standin) as model_url:
            with tempfile.TemporaryDirectory() as home:
                calls = await asyncio.to_thread(
                    coding_agent.run, program, Path(home), model_url=model_url, server_url=place.url, key=key,
                    prompt=PROMPT,
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


async def crowd(seed: str, agents: int, people: int, seconds: float) -> None:
    """`tests.agents.crowd` at length."""
    with running_store() as store:
        async with deployment(store) as workers:
            found = await play(workers, seed, agents=agents, people=people, acts=1, seconds=seconds)
    for name, value in found.items():
        print(f"{name}: {value}")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.agents")
    parser.add_argument("what", choices=("coding", "crowd", "tokens"))
    parser.add_argument("--folder", type=Path, default=Path(".make/agents"))
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--agents", type=int, default=10)
    parser.add_argument("--people", type=int, default=3)
    parser.add_argument("--seed", default="1")
    parser.add_argument("command", nargs="*", help="of another server, whose tools are counted")
    given = parser.parse_args()
    print(f"seed {given.seed}")
    if given.what == "coding":
        asyncio.run(coding(given.folder.resolve()))
    elif given.what == "crowd":
        asyncio.run(crowd(given.seed, given.agents, given.people, given.seconds))
    else:
        asyncio.run(tell(given.command))


if __name__ == "__main__":
    main()
