"""Count the open sockets and streams of each principal, and check again whether they may stay open.

When something is taken from somebody (a link revoked, a key, a role, a session ended), every worker is told and asks
the gate again for the sockets that it concerns; what ends at a time is asked then. So is, a moment after it was opened,
every new one, since what was taken between the gate and here was told too early, and whatever could not be asked
because the store was away. A socket that may no longer be open,
or whose role has changed, is closed with a reason; a page then connects anew, and is told its role or what it lacks.

Each costs memory for as long as it is open, whether or not it is read, so one principal has so many and no more.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

import structlog

from draftsmith.access.actions import Action
from draftsmith.access.policy import refusal
from draftsmith.access.records import AccessChange
from draftsmith.api.access.gate import AuthorizedCaller, Gate
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId

ROLE_CHANGED: Final = "role_changed"
AGAIN_SECONDS: Final = 30
"""When whoever has too many open may try again; nobody tells them when one has ended."""
_TICK_S: Final = 0.5
_log = structlog.get_logger("draftsmith.access")


@dataclass(eq=False)
class Admission:
    """One socket or stream that is open.

    Attributes:
        entered: who has it open.
        ended: set once with why it has to end.
    """

    entered: AuthorizedCaller
    workspace_id: WorkspaceId
    action: Action
    ended: asyncio.Future[DraftsmithError] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def refusal(self, action: Action) -> DraftsmithError | None:
        """Why they may not do this over it; None where they may."""
        return refusal(self.entered.principal, action, self.entered.role)

    def end(self, why: DraftsmithError) -> None:
        """Have it end."""
        if not self.ended.done():
            self.ended.set_result(why)

    def concerns(self, news: AccessChange) -> bool:
        """Whether something that was taken may have been theirs."""
        principal = self.entered.principal
        match news.kind:
            case "workspace":
                return news.id == self.workspace_id
            case "folder":
                return any(folder.id == news.id for folder in self.entered.folders)
            case "principal":
                return news.id in (principal.actor.id, principal.made_by, self.entered.rests_on)
            case "key":
                rests_on = self.entered.rests_on.partition("/")[0]
                return principal.credential == f"key {news.id}" or rests_on in (f"key:{news.id}", f"app:{news.id}")
            case "session":
                return principal.credential == f"session {news.id}"


class Admissions:
    """The open sockets and streams of this worker."""

    def __init__(self, gate: Gate, most: int = 0) -> None:
        """`most`: sockets and streams of one principal on this worker; 0 for no limit."""
        self._gate, self._most = gate, most
        self._count_of: Counter[str] = Counter()
        self._open: set[Admission] = set()
        self._unsure: set[Admission] = set()
        self._tasks: list[asyncio.Task[None]] = []

    @contextmanager
    def count_open(self, entered: AuthorizedCaller) -> Iterator[None]:
        """Count one of a principal, for as long as it is open.

        Raises:
            DraftsmithError: `too_many_open`.
        """
        who = entered.principal.actor.id
        if self._most and self._count_of[who] >= self._most:
            message = f"{self._most:,} pages and streams of yours are open on this server; close some first."
            raise DraftsmithError("too_many_open", message, extra={"retry_after": AGAIN_SECONDS})
        self._count_of[who] += 1
        try:
            yield
        finally:
            self._count_of[who] -= 1
            if not self._count_of[who]:
                del self._count_of[who]

    @contextmanager
    def admit(self, entered: AuthorizedCaller, workspace_id: WorkspaceId, action: Action) -> Iterator[Admission]:
        """Count one and keep an eye on it, for as long as it is open.

        Raises:
            DraftsmithError: `too_many_open`.
        """
        with self.count_open(entered), self.watch(entered, workspace_id, action) as admission:
            yield admission

    @contextmanager
    def watch(self, entered: AuthorizedCaller, workspace_id: WorkspaceId, action: Action) -> Iterator[Admission]:
        """Keep an eye on one workspace of a stream, for as long as it is open."""
        admission = Admission(entered, workspace_id, action)
        if self._gate.mode == "local":  # nothing can be taken from anybody
            yield admission
            return
        self._open.add(admission)
        self._unsure.add(admission)
        try:
            yield admission
        finally:
            self._open.discard(admission)
            self._unsure.discard(admission)

    def start(self) -> None:
        """Begin to watch."""
        if self._gate.mode == "token":
            self._tasks = [
                asyncio.create_task(self._hear(), name="hear of access"),
                asyncio.create_task(self._expire(), name="end what has expired"),
            ]

    async def close(self) -> None:
        """Stop watching."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def _hear(self) -> None:
        while True:
            try:
                async for news in self._gate.needs.stores.news.listen():
                    await self._look_again([one for one in self._open if news is None or one.concerns(news)])
            except DraftsmithError as error:
                _log.warning("access_news_lost", detail=error.detail)
            await self._gate.needs.clock.sleep(_TICK_S)

    async def _expire(self) -> None:
        while True:
            await self._gate.needs.clock.sleep(_TICK_S)
            now_ms = self._gate.needs.clock.now_ms()
            unsure, self._unsure = self._unsure, set()
            ended = {one for one in self._open if one.entered.until_ms is not None and one.entered.until_ms <= now_ms}
            await self._look_again(unsure | ended)

    async def _look_again(self, admissions: Iterable[Admission]) -> None:
        await asyncio.gather(*(self._recheck(one) for one in admissions))

    async def _recheck(self, admission: Admission) -> None:
        before = admission.entered
        try:
            now = await self._gate.recheck(before.credential, admission.action, admission.workspace_id)
        except DraftsmithError as error:
            if not error.code.startswith("storage_"):
                admission.end(error)
            elif admission in self._open:  # it stays as it was until it can be looked up
                self._unsure.add(admission)
            return
        if now.role != before.role or now.principal.actor.id != before.principal.actor.id:
            admission.end(DraftsmithError(ROLE_CHANGED, f"You are {now.role} of this workspace now."))
            return
        admission.entered = now
