"""Answers to requests that made no commit in this try: refusals, dry runs, what changes nothing, and repeats."""

from __future__ import annotations

from collections.abc import Sequence

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import KeptAnswer
from draftsmith.usecases.commits.answers import answer_to, answer_to_repeat
from draftsmith.usecases.prepare.queue import Attempt, QueuedRequest
from draftsmith.usecases.replicas.dependencies import WriterDependencies
from draftsmith.usecases.replicas.local_replica import LocalReplica


class UncommittedAnswers:
    """Answers requests to one workspace that made no commit."""

    def __init__(self, dependencies: WriterDependencies, workspace_id: WorkspaceId, local: LocalReplica) -> None:
        self._log, self._counters = dependencies.log, dependencies.counters
        self._workspace_id, self._local = workspace_id, local

    async def answer(self, attempt: Attempt, revision: int) -> None:
        """Answer a request that made no commit now; if it was run before, what came of that is its answer.

        A repeat may well not fit any more (its node is there already), so the id decides, not the fit.
        """
        queued, prepared = attempt.queued, attempt.prepared
        request = queued.request
        if request.txid and not request.dry_run and attempt.kept_answer is None:  # the append has looked for those kept
            made = await self._log.find(self._workspace_id, request.txid) or (
                await self._log.find_answer(self._workspace_id, request.txid) if request.can_repeat else None
            )
            if made is not None:
                self._counters.repeats += 1
                await self.answer_repeat(queued, made)
                return
        if attempt.failure is not None or prepared is None:
            queued.fail(attempt.failure or DraftsmithError("internal", "The request was not run."))
            return
        changed = request.dry_run and bool(prepared.steps)
        queued.answer(answer_to(request, prepared, revision, changed=changed, dry_run=request.dry_run))

    async def answer_repeat(self, queued: QueuedRequest, original: int | KeptAnswer) -> None:
        """Answer from the entry that a transaction id became, or from the answer that was kept."""
        found: Sequence[Entry | KeptAnswer] = (
            [original]
            if isinstance(original, KeptAnswer)
            else await self._log.entries(self._workspace_id, original - 1, original, 1)
        )
        try:
            if not found:
                raise DraftsmithError("trimmed", "This request was carried out, longer ago than is kept.")
            queued.answer(answer_to_repeat(queued.request, found[0]))
        except DraftsmithError as error:
            queued.fail(error)
        except ValueError:  # a newer release has carried it out
            queued.fail(self._local.frozen_error())
