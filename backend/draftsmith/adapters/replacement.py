"""A whole workspace about to be installed: checked, and what follows from it. Shared by every store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.history.commit import Entry, Head, chain_hash
from draftsmith.ports import Blob, Meta


def meta_of_replacement(blob: Blob, entries: Sequence[Entry], meta: Mapping[str, Any]) -> Meta:
    """Work out the meta of a workspace that consists of a state and the entries after it.

    `meta` may hold `summary`, `created_ms`, `updated_ms` and `deleted_ms`; times it leaves out are those of the state
    and of the last entry.

    Raises:
        ValueError: the entries do not continue the state, or their chain is broken.
    """
    revision, chain = blob.revision, blob.chain
    for entry in entries:
        revision, chain = revision + 1, chain_hash(chain, entry)
        if (entry.revision, entry.chain) != (revision, chain):
            raise ValueError(f"entry {entry.revision} does not continue revision {revision - 1}")
    newest = entries[-1].ms if entries else blob.ms
    return Meta(
        head=Head(blob.epoch, revision, chain),
        base=blob.revision,
        snap=blob.revision,
        snap_prev=blob.revision,
        summary=meta.get("summary", {}),
        created_ms=meta.get("created_ms", blob.ms),
        updated_ms=meta.get("updated_ms", newest),
        deleted_ms=meta.get("deleted_ms"),
        log_bytes=sum(len(entry.body) for entry in entries),
    )
