"""The answer to a write: what it has changed, never the whole workspace.

A repeat of a request is answered from the log entry that it made, and so gets the same answer. A request that changed
nothing made no entry; its answer is kept beside the log (`ports.KeptAnswer`).
"""

from __future__ import annotations

from typing import Any, cast

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, decode_body, encode_body
from draftsmith.history.diff import diff_of, is_nothing
from draftsmith.history.record import decode_record
from draftsmith.ports import KeptAnswer
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
