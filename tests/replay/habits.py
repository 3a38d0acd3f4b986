"""Habits of models, as scripted answers: how they write operations, and what they say of what was refused.

`habits.json` lists them. Each is played through the real SDK, loop and store with the stand-in in place of a model, on
the shop of the replay set; `checks` and `guards` are conditions as in `cases`. No key is needed, so all of them are
played by the tests, and by hand with `python -m tests.replay --habits`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from draftsmith.history.record import decode_record
from draftsmith.model.document import Document
from draftsmith.model.workspace import Workspace, diagram_json
from tests.builders import run as run_batch
from tests.integration.assistant_workers import AssistantWorker, assistant_worker
from tests.replay.cases import STARTS
from tests.replay.conditions import After, holds
from tests.standin import Standin, Step, Text, ToolUse, Turn, serve


@dataclass(frozen=True)
class Habit:
    """One habit.

    Attributes:
        id: short and unique.
        says: what the model does, in a sentence.
        turns: its answers in their order: `calls`, pairs of tool and input, or a `text`.
        checks, guards: conditions on what it comes to.
        status: of the run.
        repaired: how many attempts were refused on the way, and shown as such.
        offered: what the model is told on the way, each somewhere in what it is sent.
        never: what it is not pointed to there.
        parts: how many batches were done, of how many; empty where all were.
        explanation: what the history says.
    """

    id: str
    says: str
    turns: Sequence[Mapping[str, Any]]
    checks: Sequence[Mapping[str, Any]]
    guards: Sequence[Mapping[str, Any]] = ()
    status: str = "applied"
    repaired: int = 0
    offered: Sequence[str] = ()
    never: Sequence[str] = ()
    parts: Sequence[int] = ()
    explanation: str = ""

    def script(self) -> list[Step]:
        """What the stand-in plays."""
        return [
            Turn([ToolUse(name, given) for name, given in turn.get("calls", ())] or [Text(turn["text"])])
            for turn in self.turns
        ]


@dataclass
class Played:
    """What came of a habit: what is not as it has to be."""

    habit: Habit
    wrong: list[str] = field(default_factory=list)

    def need(self, holds_: bool, what: str) -> None:
        """Note what does not hold."""
        if not holds_:
            self.wrong.append(what)


def habits() -> list[Habit]:
    """All habits, in the order of the file."""
    return [Habit(**one) for one in json.loads((Path(__file__).parent / "habits.json").read_text("utf-8"))]


class Stage:
    """A stand-in that plays one habit after the other."""

    def __init__(self) -> None:
        self.standin = Standin(self._answer)
        self._steps: list[Step] = []

    def _answer(self, body: Mapping[str, Any]) -> Step:
        return self._steps.pop(0)

    async def play(self, habit: Habit, worker: AssistantWorker) -> Played:
        """Play a habit on a workspace of its own."""
        start = STARTS["shop"]()
        await worker.make_shop([{"op": "replace_diagram", **diagram_json(start.diagram)}], start.document.text)
        self._steps, first = habit.script(), len(self.standin.asked)
        done = await worker.ask(f"Play {habit.id}.", mode="apply")
        outcome, events = done["outcome"], await worker.events(done["id"])
        after = After(start, await worker.look(lambda replica: _copy(replica.workspace)), str(outcome.get("summary")))
        played = Played(habit)
        for condition in (*habit.checks, *habit.guards):
            played.need(holds(condition, after), f"does not hold: {condition}")
        played.need(done["status"] == habit.status, f"{done['status']}, not {habit.status}")
        refused = sum(event["type"] == "refused" for event in events)
        played.need(refused == habit.repaired, f"{refused} attempts refused, not {habit.repaired}")
        told = json.dumps([asked.body["messages"][1:] for asked in self.standin.asked[first:]], ensure_ascii=False)
        results = " ".join(_results(asked.body["messages"]) for asked in self.standin.asked[first:])
        played.need(all(word in told for word in habit.offered), f"not told: {habit.offered}")
        played.need(not any(word in results for word in habit.never), f"pointed to one of {habit.never}")
        parts = outcome.get("parts") or {}
        played.need([*parts.values()] == [*habit.parts], f"parts are {parts}")
        played.need(bool(outcome.get("refused")) == bool(habit.parts), f"refused is {outcome.get('refused')}")
        said = await _why(worker)
        played.need(habit.explanation in said, f"the history says {said!r}")
        played.need(not self._steps and not self.standin.refused, f"left {self._steps}, {self.standin.refused}")
        return played


def play_and_report(only: Collection[str] | None = None) -> int:
    """Play all habits, or some by their ids, and say what came of each; the number of those that are wrong."""
    from tests.conftest import running_store  # of pytest, which the tests of habits do without

    with running_store() as url:
        played = asyncio.run(play_all(url, [one for one in habits() if only is None or one.id in only]))
    for one in played:
        print(f"{'WRONG' if one.wrong else 'right'}  {one.habit.id:<26} {one.habit.says}", *one.wrong, sep="\n       ")
    wrong = sum(bool(one.wrong) for one in played)
    print(f"\n{len(played) - wrong} of {len(played)} habits come to what was meant")
    return min(wrong, 1)


async def play_all(redis_url: str, some: Sequence[Habit]) -> list[Played]:
    """Play habits one after the other, with the stand-in in place of a model."""
    stage = Stage()
    async with serve(stage.standin) as url, assistant_worker(redis_url, url) as worker:
        return [await stage.play(habit, worker) for habit in some]


def _results(messages: Sequence[Mapping[str, Any]]) -> str:
    """What the tools have answered."""
    blocks = [block for message in messages[1:] if isinstance(message["content"], list) for block in message["content"]]
    return " ".join(str(block.get("content")) for block in blocks if block["type"] == "tool_result")


async def _why(worker: AssistantWorker) -> str:
    """The explanation of the newest commit."""
    [newest] = await worker.workspaces.log.entries_before(worker.w, await worker.head() + 1, 1)
    return decode_record(newest.body).explanation


def _copy(workspace: Workspace) -> Workspace:
    copy = Workspace(workspace.name)
    run_batch(copy, {"op": "replace_diagram", **diagram_json(workspace.diagram)})
    copy.document = Document(workspace.document.text, workspace.document.eol)
    return copy
