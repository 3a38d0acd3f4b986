"""Commits and answers to writes as the messages that pages are told, encoded once however many pages there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.collab.protocol import encode
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry, decode_body

RETRY: Final = frozenset({"storage_down", "storage_full", "outcome_unknown", "busy", "frozen", "internal"})
"""Refusals that pass: the same may be sent again under the same id."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A log entry as pages are told it.

    Attributes:
        commit: the encoded `commit` message.
        outcome: the members of the `committed` message beside its id.
    """

    revision: int
    chain: str
    txid: str
    commit: bytes
    outcome: Json

    def committed(self, write_id: str, *, replayed: bool) -> bytes:
        """The encoded `committed` for whoever asked for it."""
        return encode({"t": "committed", "id": write_id, "replayed": replayed, **self.outcome})


def told(entry: Entry) -> Told:
    """Make the messages of a log entry that is known to be sound."""
    content = decode_body(entry.body)
    left_out = content.get("lo", [])
    commit = {
        "t": "commit",
        "rev": entry.revision,
        "h": entry.chain,
        "at_ms": entry.ms,
        "by": actor_json(entry.actor),
        "kind": entry.kind,
        "ref": entry.ref_revision,
        "what": content["w"],
        "why": content.get("x", ""),
        "source": content.get("src", ""),
        "steps": content["f"],
        "left_out": left_out,
    }
    outcome = {
        "rev": entry.revision,
        "changed": bool(content["f"]) or entry.kind in ("create", "checkpoint"),
        "kind": entry.kind,
        "results": content.get("r", []),
        "warnings": content.get("wa", []),
        "left_out": left_out,
    }
    return Told(entry.revision, entry.chain, entry.txid, encode(commit), outcome)


def committed(write_id: str, answer: Json) -> bytes:
    """The encoded `committed` for a write that was answered otherwise than by its commit coming along."""
    kept = {name: answer[name] for name in ("changed", "replayed", "kind", "results", "warnings", "left_out")}
    return encode({"t": "committed", "id": write_id, "rev": answer["revision"], **kept})


def rejected(write_id: str, error: DraftsmithError) -> bytes:
    """The encoded `rejected` for a refusal."""
    problems: Sequence[Json] = [problem.to_json() for problem in error.problems]
    shape = {"t": "rejected", "id": write_id, "code": error.code, "detail": error.detail, "problems": problems}
    return encode({**shape, "retry": error.code in RETRY})
