"""Requests that wait for a workspace's owner, and which of them go together."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Draft
from draftsmith.usecases.commits.request import Prepared, Request

Answer = dict[str, Any]


@dataclass(slots=True, eq=False)
class QueuedRequest:
    """A request that waits, and what came of it in the current round.

    `is_sent`: it went to the log once and no answer came, so the log may hold it.
    """

    request: Request
    future: asyncio.Future[Answer]
    prepared: Prepared | None = None
    failure: DraftsmithError | None = None
    draft: Draft | None = None
    is_sent: bool = False

    def settle(self, answer: Answer) -> None:
        """Answer, unless the caller has gone."""
        if not self.future.done():
            self.future.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Refuse, unless the caller has gone."""
        if not self.future.done():
            self.future.set_exception(error)


@dataclass(slots=True)
class Counters:
    """What happened, for metrics."""

    commits: int = 0
    groups: int = 0
    conflicts: int = 0
    repeats: int = 0
    reloads: int = 0
    unknown: int = 0


@dataclass(slots=True)
class Group:
    """One group on its way, over all its tries."""

    waiting: deque[QueuedRequest]
    deadline: float
    losses: int = 0
    pause: float = 0.01


def next_requests(waiting: Sequence[QueuedRequest]) -> list[QueuedRequest]:
    """The requests of the next try: those up to the first that must stand alone, and no transaction id twice."""
    front: list[QueuedRequest] = []
    seen: set[str] = set()
    for ticket in waiting:
        txid = ticket.request.txid
        if front and (ticket.request.must_run_alone or (txid and txid in seen)):
            break
        front.append(ticket)
        seen.add(txid)
        if ticket.request.must_run_alone:
            break
    return front
