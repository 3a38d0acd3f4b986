"""Between the check of an agent's batch and its append there is no window: whoever is first is compared again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from draftsmith.agents.marks import LINES, TEXT
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports import AppendOutcome
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.agents.edit_request import AgentRequest
from draftsmith.usecases.requests.identity import identify
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.edited_workspaces import EditedWorkspace

ROBOT = Actor("agent:key:1", "Robot · for Ada", "agent")


class LogWithAnIntruder(MemoryCommitLog):
    """Lets somebody else commit right before each append, as often as there are intruders."""

    intruders: Sequence[Callable[[], Awaitable[Any]]] = ()

    async def append(self, *given: Any, **more: Any) -> AppendOutcome:
        if self.intruders:
            first, *self.intruders = self.intruders
            await first()
        return await super().append(*given, **more)


class Scene:
    """A workspace with a node and a document on two workers; the agent's loses races."""

    def __init__(self) -> None:
        store = MemoryStore()
        self.log = LogWithAnIntruder(store)
        self.person = EditedWorkspace(MemoryCommitLog(store), MemoryIndex(store))
        self.robot = EditedWorkspace(self.log, MemoryIndex(store))

    async def begin(self) -> None:
        self.robot.w = await self.person.begin()
        await self.person.edit({"op": "add_node", "id": "api", "type": "service", "label": "Api"})

    async def submit(self, base: int, *operations: dict[str, Any]) -> dict[str, Any]:
        """The agent has read everything at revision 2."""
        identity = identify(ROBOT, None, self.person.clock)
        request = AgentRequest(
            batch_id=identity.batch_id, txid=identity.txid, fingerprint="", actor=ROBOT, scope="ada",
            batch=parse_batch(list(operations), WorkspaceLimits()), limits=WorkspaceLimits(), base=base,
            marks={LINES: 2, TEXT: 2}, floor=2, mode="auto",
        )  # fmt: skip
        return dict(await self.robot.workspaces.submit(self.robot.w, request))

    def between(self, *operations: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
        return lambda: self.person.edit(*operations)


@pytest.fixture
async def race() -> Scene:
    found = Scene()
    await found.begin()
    return found


def relabel(text: str) -> dict[str, Any]:
    return {"op": "update_node", "id": "api", "label": text}


async def test_a_person_who_comes_between_check_and_append_is_not_overwritten(race: Scene) -> None:
    """The race is lost, the batch is prepared again on what is there now, and refused."""
    race.log.intruders = [race.between(relabel("The person's"))]
    with pytest.raises(DraftsmithError) as refused:
        await race.submit(2, relabel("The robot's"))
    assert refused.value.code == "stale_base"
    assert race.robot.workspaces.counters.conflicts == 1
    [label] = await race.robot.workspaces.read(
        race.robot.w, lambda replica: [replica.workspace.diagram[one]["label"] for one in ["api"]]
    )
    assert label == "The person's"


async def test_a_person_who_comes_between_and_writes_elsewhere_does_not_matter(race: Scene) -> None:
    race.log.intruders = [
        race.between({"op": "append_to_section", "section": "# Shop", "text": "More."}),
        race.between({"op": "update_node", "id": "api", "description": "By a person"}),
    ]
    answer = await race.submit(2, relabel("The robot's"))
    assert (answer["revision"], race.robot.workspaces.counters.conflicts) == (5, 2)


async def test_what_needs_a_yes_is_decided_where_it_would_be_applied(race: Scene) -> None:
    """Nothing of it is applied; the caller makes a proposal of it."""
    with pytest.raises(DraftsmithError) as waits:
        await race.submit(2, {"op": "delete_node", "id": "api"})
    assert (waits.value.code, waits.value.detail) == ("waits_for_yes", "It deletes 1 node.")
    assert "api" in await race.robot.workspaces.read(
        race.robot.w, lambda replica: list(replica.workspace.diagram.node_ids())
    )
