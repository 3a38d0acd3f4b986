"""Sockets and streams that are open end when what they were opened with is taken away, whenever that happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

from draftsmith.access.actions import Action
from draftsmith.access.principal import Principal
from draftsmith.access.records import AccessChange
from draftsmith.adapters.process.system import SystemClock
from draftsmith.api.access.admissions import Admissions
from draftsmith.api.access.gate import AuthorizedCaller
from draftsmith.errors import DraftsmithError, StorageError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access.credentials import Credential
from tests.timeouts import timeout

W = WorkspaceId("0" * 26)
ANN = AuthorizedCaller(Principal(Actor("user:ann", "Ann", "person"), "user"), Credential(), role="viewer")
GONE = DraftsmithError("workspace_not_found", "There is no such workspace.")


class Door:
    """The gate of a worker whose store says what it is told to; it hears nothing by itself."""

    mode = "token"

    def __init__(self, *answers: DraftsmithError | AuthorizedCaller) -> None:
        self.answers, self.asked = list(answers), 0
        self.heard: asyncio.Queue[AccessChange | None] = asyncio.Queue()
        self.needs = SimpleNamespace(stores=SimpleNamespace(news=self), clock=SystemClock())

    async def listen(self) -> AsyncIterator[AccessChange | None]:
        while True:
            yield await self.heard.get()

    async def recheck(self, *_: Any) -> AuthorizedCaller:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.asked += 1
        if isinstance(answer, DraftsmithError):
            raise answer
        return answer


@asynccontextmanager
async def watched(door: Door) -> AsyncIterator[Admissions]:
    gate: Any = door
    admissions = Admissions(gate)
    admissions.start()
    try:
        async with timeout():
            yield admissions
    finally:
        await admissions.close()


async def test_what_was_taken_before_anybody_looked_ends_it() -> None:
    """The news came between the gate and the socket."""
    async with watched(Door(GONE)) as admissions:
        with admissions.admit(ANN, W, Action.READ) as one:
            assert await one.ended is GONE


async def test_what_could_not_be_asked_is_asked_when_the_store_is_back() -> None:
    door = Door(ANN, StorageError("It is away."), GONE)
    async with watched(door) as admissions:
        with admissions.admit(ANN, W, Action.READ) as one:
            while door.asked == 0:  # noqa: ASYNC110  # the first look has no event
                await asyncio.sleep(0.01)
            assert not one.ended.done()
            door.heard.put_nowait(AccessChange("workspace", W))
            assert await one.ended is GONE


async def test_who_may_stay_stays_and_is_not_asked_again_for_nothing() -> None:
    door = Door(ANN)
    async with watched(door) as admissions:
        with admissions.admit(ANN, W, Action.READ) as one:
            while door.asked == 0:  # noqa: ASYNC110  # as above
                await asyncio.sleep(0.01)
            door.heard.put_nowait(AccessChange("workspace", WorkspaceId("1" * 26)))
            door.heard.put_nowait(AccessChange("workspace", W))
            while door.asked == 1:  # noqa: ASYNC110  # as above
                await asyncio.sleep(0.01)
            assert (door.asked, one.ended.done()) == (2, False)
        assert not admissions._open | admissions._unsure
