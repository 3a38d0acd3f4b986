"""The answer to a write: what it has changed, never the whole workspace.

A repeat of a request is answered from the log entry that it made, and so gets the same answer. A request that changed
nothing made no entry; its answer is kept beside the log (`ports.KeptAnswer`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, decode_body, encode_body
from draftsmith.history.diff import diff_of, is_nothing
from draftsmith.history.record import decode_record
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import KeptAnswer
from draftsmith.usecases.commits.attempts import Attempt
from draftsmith.usecases.prepare.queue import QueuedRequest
from draftsmith.usecases.replicas.dependencies import WriterDependencies
from draftsmith.usecases.replicas.local_replica import LocalReplica
from draftsmith.usecases.requests.request import PreparedTransaction, Request
from draftsmith.usecases.requests.shapes import WriteAnswer


def answer_to(
    request: Request[Any], prepared: PreparedTransaction, revision: int, *, changed: bool, dry_run: bool = False
) -> WriteAnswer:
    """Build the answer to a request that was run in this try."""
    return {
        "batch_id": request.batch_id,
        "revision": revision,
        "changed": changed,
        "dry_run": dry_run,
        "replayed": False,
        "kind": prepared.kind,
        "ref": int(prepared.ref) if prepared.ref else None,
        "results": list(prepared.results),
        "diff": prepared.diff,
        "warnings": list(prepared.warnings),
        "left_out": list(prepared.left_out),
    }


def answer_to_keep(request: Request[Any], prepared: PreparedTransaction, revision: int) -> KeptAnswer:
    """The answer to a request that changes nothing, as it is kept for repeats."""
    answer = answer_to(request, prepared, revision, changed=False)
    return KeptAnswer(request.txid, request.fingerprint, encode_body({"answer": answer}))


def answer_to_repeat(request: Request[Any], original: Entry | KeptAnswer) -> WriteAnswer:
    """The answer to a request that had been run before, from the entry it made or the answer that was kept.

    Raises:
        DraftsmithError: `key_reused`, if it was another request.
        ValueError: a newer release has carried it out.
    """
    if original.fingerprint != request.fingerprint:
        raise key_reused()
    if isinstance(original, Entry):
        return _answer_of_entry(request, original)
    return {**cast(WriteAnswer, decode_body(original.body)["answer"]), "replayed": True}


def _answer_of_entry(request: Request[Any], entry: Entry) -> WriteAnswer:
    record = decode_record(entry.body)
    diff = diff_of(record.steps, record.places)
    return {
        "batch_id": request.batch_id,
        "revision": entry.revision,
        "changed": not is_nothing(diff) or entry.kind in ("create", "checkpoint"),
        "dry_run": False,
        "replayed": True,
        "kind": entry.kind,
        "ref": entry.ref_revision,
        "results": list(record.results),
        "diff": diff,
        "warnings": list(record.warnings),
        "left_out": list(record.left_out),
    }


def key_reused() -> DraftsmithError:
    """The error for a transaction id that was used for another request."""
    message = "This id or Idempotency-Key was used for another request; take a new one."
    return DraftsmithError("key_reused", message)


class UncommittedAnswers:
    """Answers requests to one workspace that made no commit: refusals, dry runs, what changes nothing, and repeats."""

    def __init__(self, dependencies: WriterDependencies, workspace_id: WorkspaceId, local: LocalReplica) -> None:
        self._log, self._counters = dependencies.log, dependencies.counters
        self._workspace_id, self._local = workspace_id, local

    async def answer(self, attempt: Attempt, revision: int) -> None:
        """Answer a request that made no commit now; if it was run before, what came of that is its answer.

        A repeat may well not fit any more (its node is there already), so the id decides, not the fit.
        """
        queued, transaction = attempt.queued, attempt.transaction
        request = queued.request
        if request.txid and not request.dry_run and attempt.kept_answer is None:  # the append has looked for those kept
            made = await self._log.find(self._workspace_id, request.txid) or (
                await self._log.find_answer(self._workspace_id, request.txid) if request.can_repeat else None
            )
            if made is not None:
                self._counters.repeats += 1
                await self.answer_repeat(queued, made)
                return
        if attempt.failure is not None or transaction is None:
            queued.fail(attempt.failure or DraftsmithError("internal", "The request was not run."))
            return
        changed = request.dry_run and bool(transaction.steps)
        queued.answer(answer_to(request, transaction, revision, changed=changed, dry_run=request.dry_run))

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
