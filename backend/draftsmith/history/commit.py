"""A commit as it stands in the log: who, when, what kind, which steps, and the hash that chains it to the one before.

Pure values and the byte format of a log entry's body. Not here: what a body says (`history.record`), how an entry
reaches the log (`ports`, `adapters`), what undo makes of it (`transform.undo.compensate`, `history.undo_stacks`).

The chain hash covers, length-prefixed, everything that decides what an entry means: transaction id, fingerprint,
actor, scope, kind, reference and body. Two heads with equal epoch, revision and hash have equal logs. The same
formula runs inside the store (`adapters/redis/lua/append.lua`); `tests/contracts` compares the two.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson

Kind = Literal["create", "edit", "text", "undo", "redo", "revert", "restore", "checkpoint"]
SCHEMA_VERSION = 1
GENESIS = "0"
_COMPRESS_ABOVE = 1024
_PLAIN, _ZLIB = b"j", b"z"


@dataclass(frozen=True, slots=True)
class Head:
    """Where a log ends: equal heads mean equal logs.

    Attributes:
        epoch: changes only when a log is restored, imported or repaired.
        revision: number of entries ever appended in this epoch's line.
        chain: 16 hex digits, `GENESIS` for an empty log.
    """

    epoch: str
    revision: int
    chain: str

    @property
    def token(self) -> str:
        """The revision token of ETags: `<epoch>.<revision>.<first 8 of the hash>`."""
        return f"{self.epoch}.{self.revision}.{self.chain[:8]}"


@dataclass(frozen=True, slots=True)
class Draft:
    """A transaction on its way into the log.

    Attributes:
        txid: names the transaction for ever; a second append with it changes nothing.
        fingerprint: hash of the request; tells a repeat from another request under the same id.
        actor: JSON text `{"id","name","kind"}`.
        scope: whose undo stack it counts on; empty for none.
        kind: what sort of commit.
        ref: revision that an undo, redo, revert, restore or checkpoint speaks of; empty for none.
        body: encoded by `encode_body`.
    """

    txid: str
    fingerprint: str
    actor: str
    scope: str
    kind: Kind
    ref: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One log entry: a `Draft` that has become durable."""

    revision: int
    chain: str
    ms: int
    txid: str
    fingerprint: str
    actor: str
    scope: str
    kind: Kind
    ref: str
    body: bytes

    @property
    def ref_revision(self) -> int | None:
        """The revision this entry speaks of, if any."""
        return int(self.ref) if self.ref else None


def entry_of(draft: Draft, revision: int, chain: str, ms: int) -> Entry:
    """Make the entry that a draft became."""
    return Entry(
        revision,
        chain,
        ms,
        draft.txid,
        draft.fingerprint,
        draft.actor,
        draft.scope,
        draft.kind,
        draft.ref,
        draft.body,
    )


def chain_hash(before: str, draft: Draft | Entry) -> str:
    """Hash an entry onto the chain: first 16 hex digits of SHA-1 over length-prefixed parts.

    SHA-1 because it is what the store's script engine offers; it guards against accidents, not against somebody who
    can write to the store.
    """
    digest = hashlib.sha1(usedforsecurity=False)
    parts = (draft.txid, draft.fingerprint, draft.actor, draft.scope, draft.kind, draft.ref)
    for part in (before, *parts):
        raw = part.encode()
        digest.update(b"%d:" % len(raw))
        digest.update(raw)
    digest.update(b"%d:" % len(draft.body))
    digest.update(draft.body)
    return digest.hexdigest()[:16]


def encode_body(content: Mapping[str, object]) -> bytes:
    """Encode a body: one byte that names the format, then JSON, compressed above 1 KiB."""
    raw = orjson.dumps({"sv": SCHEMA_VERSION, **content})
    if len(raw) <= _COMPRESS_ABOVE:
        return _PLAIN + raw
    return _ZLIB + zlib.compress(raw, 1)


def body_json(body: bytes) -> bytes:
    """The JSON of what `encode_body` made, not parsed.

    Raises:
        ValueError: the bytes are damaged.
    """
    try:
        return zlib.decompress(body[1:]) if body[:1] == _ZLIB else body[1:]
    except zlib.error as error:
        raise ValueError(f"damaged body: {error!r}") from error


def decode_body(body: bytes) -> dict[str, Any]:
    """Decode what `encode_body` made.

    Raises:
        ValueError: the bytes are damaged, or written by a newer release than this one.
    """
    kind, raw = body[:1], body[1:]
    try:
        if kind == _ZLIB:
            raw = zlib.decompress(raw)
        elif kind != _PLAIN:
            raise ValueError(f"unknown body format {kind!r}")
        content: dict[str, Any] = orjson.loads(raw)
        is_newer = content["sv"] > SCHEMA_VERSION
    except (zlib.error, KeyError, TypeError) as error:
        raise ValueError(f"damaged body: {error!r}") from error
    if is_newer:
        raise ValueError(f"body of schema {content['sv']}; this release reads up to {SCHEMA_VERSION}")
    return content
