"""What is asked for through any door, as requests: one form, so that a repeat through another door is the same.

A write is known by the principal and the id it was given (`Identity`) and by a fingerprint of what it says; both come
out alike here whether it was sent over HTTP or over a live connection. Not here: how a door reads it, and typed text
(`typing`), which only live connections send.
"""

from __future__ import annotations

from typing import Any

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.actor import Actor
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.batch import Batch
from draftsmith.usecases.commits.batch_request import BatchRequest
from draftsmith.usecases.commits.identity import Identity, fingerprint
from draftsmith.usecases.commits.undo_requests import UndoRequest


def source_of(actor: Actor) -> str:
    """The door a write came through."""
    return "page" if actor.kind == "person" else "api"


def common(identity: Identity, actor: Actor, facts: Any) -> dict[str, Any]:
    """What every request of somebody carries; `facts`: all that it says, as JSON."""
    return {
        "batch_id": identity.batch_id,
        "txid": identity.txid,
        "fingerprint": fingerprint(facts) if identity.is_given else "",
        "actor": actor,
        "scope": actor.id,
        "source": source_of(actor),
    }


def check_size(batch: Batch, size: int, limits: WorkspaceLimits) -> None:
    """Refuse a batch of more bytes than one may have; one that speaks of a whole state may have more.

    Raises:
        DraftsmithError: `invalid_request`.
    """
    if size > limits.batch_bytes and not batch.is_whole_state:
        message = f"A batch may have {limits.batch_bytes:,} bytes, this one {size:,}; split it."
        raise DraftsmithError("invalid_request", message, [Problem(-1, "", "limit_bytes", "/operations", message)])


def edit(
    identity: Identity,
    actor: Actor,
    operations: Any,
    batch: Batch,
    limits: WorkspaceLimits,
    *,
    base: int | str | None = None,
    base_revision: int | None = None,
    explanation: str = "",
    dry_run: bool = False,
) -> BatchRequest:
    """A batch of operations.

    Args:
        operations: as they were sent.
        batch: the same, read.
        base: the revision that the caller names, as it was sent.
        base_revision: the same as a number.
    """
    facts = [operations, base, explanation]
    return BatchRequest(
        **common(identity, actor, facts), explanation=explanation, dry_run=dry_run,
        batch=batch, limits=limits, base=base_revision,
    )  # fmt: skip


def undo(
    identity: Identity,
    actor: Actor,
    *,
    scope: str,
    expect: int | None,
    force: bool,
    touching: str | None = None,
    dry_run: bool = False,
) -> UndoRequest:
    """Take back the newest commit, of oneself (`scope` mine) or of anybody (all); see `StepBack`."""
    facts = ["undo", {"scope": scope, "expect": expect, "force": force, "dry_run": dry_run}, *_only(touching)]
    return UndoRequest(
        **common(identity, actor, facts), action="undo", everyone=scope == "all", of_document=touching is not None,
        expect=expect, force=force, dry_run=dry_run,
    )  # fmt: skip


def redo(
    identity: Identity,
    actor: Actor,
    *,
    expect: int | None,
    force: bool,
    touching: str | None = None,
    dry_run: bool = False,
) -> UndoRequest:
    """Bring back what was undone last."""
    facts = ["redo", {"expect": expect, "force": force, "dry_run": dry_run}, *_only(touching)]
    return UndoRequest(
        **common(identity, actor, facts), action="redo", of_document=touching is not None,
        expect=expect, force=force, dry_run=dry_run,
    )  # fmt: skip


def _only(touching: str | None) -> list[str]:
    """A fact that is there only where it is asked for: so repeats of what an earlier release was asked are known."""
    return [] if touching is None else [touching]


def revert(
    identity: Identity, actor: Actor, revision: int, *, upto: int | None, force: bool, dry_run: bool = False
) -> UndoRequest:
    """Take back a named commit, or what one person typed from there up to `upto`."""
    # As text, and without an end that is not given: so repeats of what an earlier release was asked are known.
    facts: list[Any] = ["revert", str(revision), force, *([] if upto is None else [upto])]
    return UndoRequest(
        **common(identity, actor, facts), action="revert", target=revision, upto=upto, force=force, dry_run=dry_run
    )
