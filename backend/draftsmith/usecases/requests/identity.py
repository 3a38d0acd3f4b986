"""Ids: of requests, so that a repeat is known, and of workspaces and runs that follow from a request."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Clock

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LETTERS = frozenset(_ALPHABET)


@dataclass(frozen=True, slots=True)
class RequestIdentity:
    """What makes one request of one principal the same request when it comes again.

    Attributes:
        batch_id: shown in the answer.
        txid: hash of the principal and the id that the caller gave; a fresh one where none was given.
        is_given: whether the caller gave an id.
        connection: over which a page has sent it; empty for none.
    """

    batch_id: str
    txid: str
    is_given: bool
    connection: str = ""


def identify(actor: Actor, key: str | None, clock: Clock, connection: str = "") -> RequestIdentity:
    """Make the identity of a request."""
    batch_id = key if key is not None else clock.new_id()
    digest = hashlib.sha256(f"{len(actor.id)}:{actor.id}{batch_id}".encode()).hexdigest()
    return RequestIdentity(batch_id, digest[:32], key is not None, connection)


def fingerprint(content: Any) -> str:
    """Hash of a request body, the same for equal JSON."""
    raw = orjson.dumps(content, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return hashlib.sha256(raw).hexdigest()[:16]


def check_id(text: str) -> WorkspaceId:
    """Give the id that a text is; refuse what cannot be one, before it becomes part of a key."""
    if not is_id(text):
        raise DraftsmithError("workspace_not_found", "There is no such workspace.")
    return WorkspaceId(text)


def is_id(text: str) -> bool:
    """Whether a text can be the id of a workspace, a folder or a run."""
    return len(text) == 26 and _LETTERS.issuperset(text)


def derived_id(kind: str, txid: str) -> str:
    """An id of a workspace, a folder or a run (its kind) that is the same whenever the same request asks for it."""
    number = int(hashlib.sha256(f"{kind}:{txid}".encode()).hexdigest()[:32], 16)
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))
