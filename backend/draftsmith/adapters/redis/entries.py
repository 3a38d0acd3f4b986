"""How entries, drafts, kept answers and metas stand in Redis, as bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import orjson

from draftsmith.history.commit import Draft, Entry, Head, Kind
from draftsmith.ports import KeptAnswer, Meta

META_FIELDS = (
    *("ep", "v", "h", "base", "snap", "snap_prev", "sum", "created", "updated", "deleted"),
    *("bytes", "snap_bytes"),
)


def draft_arguments(draft: Draft) -> list[bytes]:
    """The arguments of a draft as the scripts expect them (`lua/prelude.lua`).

    Raises:
        ValueError: a text holds half of a surrogate pair and has no bytes.
    """
    texts = (draft.txid, draft.fingerprint, draft.actor, draft.scope, draft.kind, draft.ref)
    return [*(text.encode() for text in texts), draft.body]


def entry_fields(entry: Entry) -> list[str | bytes | int]:
    """The fields of an entry's stream entry."""
    pairs: dict[str, str | bytes | int] = {
        "t": entry.txid,
        "f": entry.fingerprint,
        "a": entry.actor,
        "s": entry.scope,
        "k": entry.kind,
        "r": entry.ref,
        "h": entry.chain,
        "ms": entry.ms,
        "b": entry.body,
    }
    return [part for pair in pairs.items() for part in pair]


def entry_of_stream(stream_id: bytes, fields: Mapping[bytes, bytes]) -> Entry:
    """Read an entry from its stream entry."""
    return Entry(
        revision=int(stream_id.partition(b"-")[0]),
        chain=fields[b"h"].decode(),
        ms=int(fields[b"ms"]),
        txid=fields[b"t"].decode(),
        fingerprint=fields[b"f"].decode(),
        actor=fields[b"a"].decode(),
        scope=fields[b"s"].decode(),
        kind=cast(Kind, fields[b"k"].decode()),
        ref=fields[b"r"].decode(),
        body=fields[b"b"],
    )


def entry_of_script(stream_id: bytes, flat: Sequence[bytes]) -> Entry:
    """Read an entry as a script returns it: names and values in one flat list."""
    return entry_of_stream(stream_id, dict(zip(flat[::2], flat[1::2], strict=True)))


def kept_answer_of(flat: Sequence[bytes]) -> KeptAnswer:
    """Read a kept answer from the fields of its stream entry, names and values in one flat list."""
    fields = dict(zip(flat[::2], flat[1::2], strict=True))
    return KeptAnswer(fields[b"t"].decode(), fields[b"f"].decode(), fields[b"b"])


def head_of(epoch: bytes, version: bytes, chain: bytes) -> Head:
    """Read a head."""
    return Head(epoch.decode(), int(version), chain.decode())


def meta_of(values: Sequence[bytes | None]) -> Meta | None:
    """Read a meta from the values of `META_FIELDS`; None if there is none."""
    if values[0] is None:
        return None
    present: Sequence[Any] = values
    epoch, version, chain, base, snap, snap_prev, summary, created, updated, deleted, size, covered = present
    return Meta(
        head=head_of(epoch, version, chain),
        base=int(base),
        snap=int(snap),
        snap_prev=int(snap_prev),
        summary=orjson.loads(summary),
        created_ms=int(created),
        updated_ms=int(updated),
        deleted_ms=None if deleted is None else int(deleted),
        log_bytes=int(size),
        snap_bytes=int(covered or 0),
    )
