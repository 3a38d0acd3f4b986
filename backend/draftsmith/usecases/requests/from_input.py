"""Requests made from what was sent, over HTTP or over a live connection.

A write is identified by its sender and the id that it was given (`RequestIdentity`), and by a fingerprint of what it
says. Both are the same however it was sent, so that a repeat over the other connection is recognised. Not here: how
messages are read (`api`, `usecases.live`), and typed text (`typing_request`), which only live connections send.
"""

from __future__ import annotations

from typing import Any, TypedDict

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.history.actor import Actor
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import Batch
from draftsmith.usecases.requests.batch_request import BatchRequest
from draftsmith.usecases.requests.identity import RequestIdentity, fingerprint
from draftsmith.usecases.requests.undo_requests import UndoRequest


def source_of(actor: Actor) -> str:
    """The `source` of a write: `page` for a person, `mcp` for an agent, else `api`."""
    return {"person": "page", "agent": "mcp"}.get(actor.kind, "api")


class RequestFields(TypedDict):
    """What every request has: how it is identified, and who sent it."""

    batch_id: str
    txid: str
    fingerprint: str
    actor: Actor
    scope: str
    source: str
    connection: str


def common(identity: RequestIdentity, actor: Actor, facts: Any) -> RequestFields:
    """The fields that every request has.

    Args:
        facts: all that it says, as JSON; what the fingerprint is made of.
    """
    return {
        "batch_id": identity.batch_id,
        "txid": identity.txid,
        "fingerprint": fingerprint(facts) if identity.is_given else "",
        "actor": actor,
        "scope": actor.id,
        "source": source_of(actor),
        "connection": identity.connection,
    }


def check_size(batch: Batch, size: int, limits: WorkspaceLimits) -> None:
    """Refuse a batch that is too large; only one that replaces a whole diagram or document may be larger.

    Raises:
        DraftsmithError: `invalid_request`.
    """
    if size > limits.batch_bytes and not batch.is_whole_state:
        message = f"A batch may have {limits.batch_bytes:,} bytes, this one {size:,}; split it."
        raise DraftsmithError("invalid_request", message, [Problem(-1, "", "limit_bytes", "/operations", message)])


def edit(
    identity: RequestIdentity,
    actor: Actor,
    *,
    operations: Any,
    batch: Batch,
    limits: WorkspaceLimits,
    base: int | str | None = None,
    base_revision: int | None = None,
    explanation: str = "",
    dry_run: bool = False,
    by_id: bool = False,
) -> BatchRequest:
    """Run a batch of operations.

    Args:
        operations: as they were sent.
        batch: the same, parsed.
        base: the revision that the caller names, as it was sent.
        base_revision: the same as a number.
        by_id: whether nodes are named by their ids alone.
    """
    facts = [operations, base, explanation]
    return BatchRequest(
        **common(identity, actor, facts), explanation=explanation, dry_run=dry_run,
        batch=batch, limits=limits, base=base_revision, by_id=by_id,
    )  # fmt: skip


def undo(
    identity: RequestIdentity,
    actor: Actor,
    *,
    limits: WorkspaceLimits,
    scope: str,
    expect: int | None,
    force: bool,
    touching: str | None = None,
    dry_run: bool = False,
) -> UndoRequest:
    """Undo the newest commit of the sender (`scope` mine) or of anybody (`scope` all); see `UndoRequest`."""
    facts = ["undo", {"scope": scope, "expect": expect, "force": force, "dry_run": dry_run}, *_only(touching)]
    return UndoRequest(
        **common(identity, actor, facts), action="undo", everyone=scope == "all", of_document=touching == "document",
        of_typing=touching == "typing", expect=expect, force=force, dry_run=dry_run, limits=limits,
    )  # fmt: skip


def redo(
    identity: RequestIdentity,
    actor: Actor,
    *,
    limits: WorkspaceLimits,
    expect: int | None,
    force: bool,
    touching: str | None = None,
    dry_run: bool = False,
) -> UndoRequest:
    """Redo what the sender has undone last."""
    facts = ["redo", {"expect": expect, "force": force, "dry_run": dry_run}, *_only(touching)]
    return UndoRequest(
        **common(identity, actor, facts), action="redo", of_document=touching is not None,
        expect=expect, force=force, dry_run=dry_run, limits=limits,
    )  # fmt: skip


def _only(touching: str | None) -> list[str]:
    """The fact, if there is one: without it, the fingerprint is the one that earlier releases made."""
    return [] if touching is None else [touching]


def revert(
    identity: RequestIdentity,
    actor: Actor,
    revision: int,
    *,
    limits: WorkspaceLimits,
    upto: int | None,
    force: bool,
    dry_run: bool = False,
) -> UndoRequest:
    """Revert a commit, as far as it still fits; see `UndoRequest`.

    Args:
        revision: the commit.
        upto: if given, everything that its author typed from there up to here is taken back.
        force: overwrite fields that were changed since; they stay otherwise. Text that was changed since always stays.
    """
    # The revision as text, and no `upto` if there is none: the fingerprint is the one that earlier releases made.
    facts: list[Any] = ["revert", str(revision), force, *([] if upto is None else [upto])]
    return UndoRequest(
        **common(identity, actor, facts), action="revert", target=revision, upto=upto, force=force, dry_run=dry_run,
        limits=limits,
    )  # fmt: skip
