"""Requests that wait for the writer of a workspace: as they are, or prepared for a head.

Not here: the order in which they wait (`commits.writer`), which of them are deferred (`deferred_requests`).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from draftsmith.errors import DraftsmithError
from draftsmith.usecases.requests.client import NOBODY, Client
from draftsmith.usecases.requests.request import PreparedRequest, Request
from draftsmith.usecases.requests.shapes import WriteAnswer

Answer = WriteAnswer
_UNKNOWN = "The store did not confirm in time; whether this was applied is unknown. Send the same request again."


@dataclass(slots=True, eq=False)
class QueuedRequest:
    """A request that waits for its answer.

    Attributes:
        request: what is asked for.
        future: its answer to come.
        client: who waits.
        is_sent: it was sent to the log and nothing was heard, so the log may hold it.
        is_known: its id is in the log, so its answer stands there and there is nothing to prepare.
        prepared: what it has become in another process; None while the writer is to prepare it.
    """

    request: Request[Any]
    future: asyncio.Future[Answer]
    client: Client = NOBODY
    is_sent: bool = False
    is_known: bool = False
    prepared: PreparedRequest | None = None

    @property
    def must_run_alone(self) -> bool:
        """Whether no uncommitted transaction may come before it."""
        return self.request.must_run_alone or self.prepared is not None

    def answer(self, answer: Answer) -> None:
        """Give the answer, unless the caller has gone."""
        if not self.future.done():
            self.future.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Refuse, unless the caller has gone."""
        if not self.future.done():
            self.future.set_exception(error)

    def give_up(self, error: Exception) -> None:
        """Refuse what will not be tried again; if the log may hold it, the caller is told so instead."""
        if self.is_sent:
            error = DraftsmithError("outcome_unknown", _UNKNOWN, extra={"batch_id": self.request.batch_id})
        self.fail(error)


class IdsInFlight:
    """The transaction ids that are queued or being committed on this worker, and for which requests.

    What has been committed is compared by the log; this is for requests of one id that are here at the same time, of
    which the second would otherwise be carried out where the first is refused.
    """

    def __init__(self) -> None:
        self._ids: dict[str, tuple[str, int]] = {}

    def take(self, request: Request[Any]) -> bool:
        """Count a request in; False, and nothing is counted, if another request is in flight under its id."""
        fingerprint, count = self._ids.get(request.txid, (request.fingerprint, 0))
        if not request.can_repeat:
            return True
        if fingerprint != request.fingerprint:
            return False
        self._ids[request.txid] = (fingerprint, count + 1)
        return True

    def give_back(self, request: Request[Any]) -> None:
        """Count a request out that was counted in."""
        if not request.can_repeat:
            return
        fingerprint, count = self._ids.pop(request.txid)
        if count > 1:
            self._ids[request.txid] = (fingerprint, count - 1)
