"""Agents and people in one workspace at random, and what must hold at the end.

People are pages of the live simulation, which check that everything of theirs arrived exactly once and that all pages
equal the log. For agents, the log is read independently of the server's own marks: whatever a commit of an agent takes
away that somebody else wrote, that agent was shown before.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx

from draftsmith.history.commit import Entry
from draftsmith.history.record import Record, decode_record
from draftsmith.history.replica import Replica
from draftsmith.model.document import from_units
from tests.integration.agents import agent
from tests.simulation.agents.crowd_agent import CrowdAgent, Json
from tests.simulation.live.deployment import Deployment
from tests.simulation.live.full_log import FullLog, open_full_log
from tests.simulation.live.node import node_host
from tests.simulation.live.simulation import Participant, Simulation, make_participant
from tests.simulation.live.users import DOCUMENT, MARKS, Behaviour
from tests.timeouts import TIMEOUT_SECONDS

PEOPLE = Behaviour(drop=0.01, reload=0.005, pause=0.5)
FIELDS = ("label", "description", "technology")


@dataclass
class Seat:
    """An agent with its key.

    Attributes:
        actor: as its commits must name it.
        person: whose key it is.
    """

    agent: CrowdAgent
    url: str
    key: str
    mode: str
    actor: str
    person: str


async def play(deployment: Deployment, seed: str, *, agents: int, people: int, acts: int, seconds: float) -> Json:
    """Let everybody work, check everything; what happened, for the printed line.

    Args:
        deployment: workers, without a sign-in.
        seed: decides what everybody does, not when.
        agents: half of them in each form of the protocol.
        people: each with a page.
        acts: the least that each agent does.
        seconds: everybody goes on for so long, if that is longer.
    """
    rng = random.Random(seed)
    async with AsyncExitStack() as stack:
        w = await deployment.create(f"Crowd {seed}", DOCUMENT)
        full_log = await stack.enter_async_context(open_full_log(deployment.store_url, w))
        one = Simulation(deployment, rng, full_log)
        host = await stack.enter_async_context(node_host())
        profiles = [await deployment.profile(f"P{number}") for number in range(people)]
        for number in range(people):
            one.participants.append(await make_participant(one, stack, host, seed, number, profiles))
            one.participants[-1].user.behaviour = PEOPLE
        seats = [await _seat(deployment, w, number, seed, profiles) for number in range(agents)]
        until = asyncio.get_running_loop().time() + seconds
        async with asyncio.TaskGroup() as group:
            for participant in one.participants:
                group.create_task(_keep_acting(participant, one.is_over))
            workers = [group.create_task(_work(seat, acts, until, partial(deployment.batch, w))) for seat in seats]
            await asyncio.gather(*workers)
            one.is_over.set()
        await one.check()
        found = _check_agents(full_log, seats)
        refused = sum((seat.agent.refused for seat in seats), Counter[str]())
        done = sum((seat.agent.done for seat in seats), Counter[str]())
        return {"revisions": full_log.rev, "kinds": dict(full_log.kinds), **found, "done": dict(done),
                "refused": dict(refused)}  # fmt: skip


async def _seat(deployment: Deployment, w: str, number: int, seed: str, profiles: list[tuple[str, Json]]) -> Seat:
    """An agent with a key of one of the people."""
    person, headers = profiles[number % len(profiles)]
    worker = deployment.workers[number % len(deployment.workers)]
    async with httpx.AsyncClient(base_url=worker.url, timeout=TIMEOUT_SECONDS, headers=headers) as client:
        made = await client.post("/api/v1/keys", json={"name": f"Agent {number}", "role": "editor"})
        assert made.status_code == 201, made.text
    key = made.json()
    crowd_agent = CrowdAgent(number, w, random.Random(f"{seed}/agent/{number}"))
    return Seat(crowd_agent, worker.url, key["key"], ("auto", "legacy")[number % 2], f"agent:key:{key['id']}", person)


async def _keep_acting(participant: Participant, is_over: asyncio.Event) -> None:
    while not is_over.is_set():
        await participant.run(is_over)


async def _work(seat: Seat, acts: int, until: float, change: Callable[[Json], Awaitable[None]]) -> None:
    loop = asyncio.get_running_loop()
    async with agent(seat.url, seat.key, mode=seat.mode) as caller:
        done = 0
        while done < acts or loop.time() < until:
            await seat.agent.act(caller)
            done += 1
            await asyncio.sleep(seat.agent.rng.uniform(0, 0.4))
        await seat.agent.overlook(caller, change)


# -- what must hold ----------------------------------------------------------------------------------------------------


def _check_agents(full_log: FullLog, seats: list[Seat]) -> Json:
    """Nothing acknowledged is lost, each commit has its agent and person, nothing of others went unseen."""
    by_actor = {seat.actor: seat for seat in seats}
    explained = {revision: why for why, revisions in full_log.explained.items() for revision in revisions}
    for seat in seats:
        assert not seat.agent.untold, f"not told who, when or what: {seat.agent.untold[:3]}"
        for why, revision in seat.agent.acknowledged.items():
            found = full_log.explained.get(why)
            assert found == [revision], f"{why}: it was told {revision}, and the log has {found}"
    commits = overwritten = 0
    for entry, record, text, writers, marks in _folded(full_log):
        actor = json.loads(entry.actor)
        if actor["kind"] != "agent":
            continue
        commits += 1
        seat = by_actor[actor["id"]]
        assert entry.scope == seat.person, f"revision {entry.revision} stands on another stack than its person's"
        assert actor["name"].startswith(f"Agent {seat.agent.number} · for "), actor
        shown = seat.agent.shown_before(entry.revision)
        for what, old in _taken_away(actor["id"], record, text, writers, marks):
            overwritten += 1
            where = f"revision {entry.revision} ({explained.get(entry.revision)}) by agent {seat.agent.number}"
            assert _is_in(old, shown), (
                f"{where} took away {what}, {old!r}, which it was never shown:\n{_history(full_log, old)}"
            )
    return {"agent_commits": commits, "overwritten_after_reading": overwritten}


def _folded(full_log: FullLog) -> Iterator[tuple[Entry, Record, str, dict[tuple[str, str], str], dict[str, str]]]:
    """Each commit with the text before it, and by whom each field of a node and each mark of the text was written."""
    entries = sorted(full_log.entries.values(), key=lambda entry: entry.revision)
    replica = Replica(full_log.replica.head.epoch)
    writers: dict[tuple[str, str], str] = {}
    marks: dict[str, str] = {}
    for entry in entries:
        record = decode_record(entry.body)
        text = replica.workspace.document.text
        yield entry, record, text, writers, marks
        replica.advance(entry)
        who = json.loads(entry.actor)["id"]
        for step in record.steps:
            shape: dict[str, Any] = step.to_json()
            fields = {"node+": "n", "node=": "v"}.get(shape["k"])
            if fields is not None:
                writers |= {(shape["id"], name): who for name in shape[fields] if name in FIELDS}
        for mark in set(replica.workspace.document.text) - set(text):
            if ord(mark) >= MARKS:
                marks[mark] = who


def _taken_away(
    who: str, record: Record, text: str, writers: dict[tuple[str, str], str], marks: dict[str, str]
) -> Iterator[tuple[str, str]]:
    """What of others a commit takes away: where, and what stood there."""
    for step in record.steps:
        shape: dict[str, Any] = step.to_json()
        gone = {}
        if shape["k"] == "node=":
            gone = {name: pair[0] for name, pair in shape["v"].items()}
        elif shape["k"] == "node-":
            gone = shape["n"]
        for name, old in gone.items():
            if name in FIELDS and old and writers.get((shape["id"], name), who) != who:
                yield f"{name} of {shape['id']}", old
    step = record.text_step
    if step is None:
        return
    point = from_units(text)
    removed: Counter[str] = Counter()
    for change in step.changes.changes():
        removed.update(one for one in text[point(change.start) : point(change.end)] if ord(one) >= MARKS)
        removed.subtract(one for one in change.inserted if ord(one) >= MARKS)
    for mark, count in removed.items():
        if count > 0 and marks.get(mark, who) != who:
            yield "words", mark


def _history(full_log: FullLog, text: str) -> str:
    """The commits that speak of a text, for the message of a failed trial."""
    told = (full_log.tell(revision) for revision in range(1, full_log.rev + 1))
    return "\n".join(one for one in told if text in one)


def _is_in(old: str, shown: str) -> bool:
    """Whether a text was shown; `c1 1` is not shown by `c1 12`."""
    return re.search(rf"{re.escape(old)}(?!\d)", shown) is not None
