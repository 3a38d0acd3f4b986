"""Check a whole workspace before it is installed, and derive its meta. Shared by every store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.history.commit import GENESIS, Entry, Head, chain_hash
from draftsmith.ports import Blob, Meta


def meta_of_replacement(blob: Blob, entries: Sequence[Entry], meta: Mapping[str, Any]) -> Meta:
    """The meta of a workspace that consists of a state and a log.

    `meta` may hold `summary`, `created_ms`, `updated_ms` and `deleted_ms`; times it leaves out are those of the state
    and of the last entry.

    Raises:
        ValueError: the entries have a gap or a broken chain, begin after the state's next revision, end before the
            state, or led to another state.
    """
    base = min(entries[0].revision - 1, blob.revision) if entries else blob.revision
    head = _verified_head(blob, entries, base)
    newest = entries[-1].ms if entries else blob.ms
    return Meta(
        head=head,
        base=base,
        snap=blob.revision,
        snap_prev=blob.revision,
        summary=meta.get("summary", {}),
        created_ms=meta.get("created_ms", blob.ms),
        updated_ms=meta.get("updated_ms", newest),
        deleted_ms=meta.get("deleted_ms"),
        log_bytes=sum(len(entry.body) for entry in entries),
        snap_bytes=sum(len(entry.body) for entry in entries if entry.revision <= blob.revision),
    )


def _verified_head(blob: Blob, entries: Sequence[Entry], base: int) -> Head:
    """Verify that the entries form one hash chain with the state; return the head of the log. Pure.

    The hash before the first entry is known only at revision 0 or at the state's own revision. Otherwise the first
    entry's hash is trusted, and the state's hash, which a later entry has to reach, confirms it.

    Raises:
        ValueError: the entries have a gap, a hash differs, or the log ends before the state.
    """
    revision, chain = base, blob.chain if base == blob.revision else GENESIS if base == 0 else ""
    for entry in entries:
        revision, chain = revision + 1, chain_hash(chain, entry) if chain else entry.chain
        if (entry.revision, entry.chain) != (revision, chain):
            raise ValueError(f"entry {entry.revision} does not continue revision {revision - 1}")
        if revision == blob.revision and chain != blob.chain:
            raise ValueError(f"the state of revision {revision} does not belong to this log")
    if revision < blob.revision:
        raise ValueError(f"the log ends at revision {revision}, before its state of revision {blob.revision}")
    return Head(blob.epoch, revision, chain)
