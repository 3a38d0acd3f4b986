"""Run a preparer as a child process of a worker; implements `Preparer`.

Both sides are of one release and of one user, so what they send is pickled. What the process does is not here:
`draftsmith.preparer`; how it is started, asked and ended: `question_process`.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any, Final, Literal

import structlog

from draftsmith.adapters.process import without_gc
from draftsmith.adapters.server.child_environment import child_environment
from draftsmith.adapters.server.question_process import ProcessLost, QuestionProcess
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.prepare.preparation import Preparation
from draftsmith.usecases.prepare.preparer_pool import PreparerLost
from draftsmith.usecases.requests.request import Request

IDLE_SECONDS: Final = 300.0
_MOST_KIB: Final = 400 * 1024
"""A process that has ever used more is replaced by a fresh one, so that memory is given back."""

Reply = tuple[Literal["done", "refused", "failed"], Any, int]
"""What came of it, the value or the error, and the most memory the process has used so far, KiB."""

_log = structlog.get_logger("draftsmith.preparers")


class PreparerProcess:
    """One process, or none while it is not needed."""

    def __init__(self, store_url: str, environment: Mapping[str, str] | None = None) -> None:
        """Start nothing yet; `environment`: its own, this process's if not given."""
        command = without_gc.command("draftsmith.preparer")
        self._process = QuestionProcess(command, child_environment(store_url, environment), IDLE_SECONDS)

    async def start(self) -> None:
        """Start the process before it is needed; see `Preparer.start`."""
        try:
            await self._process.start()
        except ProcessLost as lost:
            _log.warning("preparer_not_started", reason=str(lost))

    async def prepare(self, workspace_id: WorkspaceId, request: Request[Any], epoch: str = "") -> Preparation:
        """Prepare a request; see `Preparer.prepare`."""
        question = pickle.dumps((workspace_id, request, epoch), pickle.HIGHEST_PROTOCOL)
        try:
            reply: Reply = pickle.loads(await self._process.ask(question))  # noqa: S301  # our own process
        except ProcessLost as lost:
            _log.warning("preparer_lost", workspace=workspace_id, reason=str(lost))
            if lost.has_used_all:
                message = "This would take too much processor time. Nothing was applied; ask for less at a time."
                raise DraftsmithError("too_costly", message) from lost
            raise PreparerLost from lost
        kind, value, most_kib = reply
        if most_kib > _MOST_KIB or kind == "failed":
            await self._process.end()
        if kind == "done":
            preparation: Preparation = value
            return preparation
        if kind == "refused":
            raise DraftsmithError(*value)
        _log.error("preparer_failed", workspace=workspace_id, reason=value)
        raise DraftsmithError("internal", "Something went wrong here; the server's log says what.")

    async def close(self) -> None:
        """End the process and wait for it."""
        await self._process.end()
