"""Commits and answers to writes as messages for pages; a commit is encoded once, however many pages receive it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from draftsmith.collab.protocol import encode
from draftsmith.collab.typed_commits import TypedCommits
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry, decode_body

RETRYABLE: Final = frozenset(
    {"storage_down", "storage_full", "store_emptied", "outcome_unknown", "busy", "frozen", "internal"}
)
"""Codes of temporary refusals: the client may send the same write again under the same id."""


@dataclass(slots=True)
class CommitMessage:
    """A log entry as it is sent to pages.

    Attributes:
        commit: the encoded `commit` message.
        typed: the same in few bytes, for pages that have its template; None where there is none.
        outcome: the members of the `committed` message other than `id` and `replayed`.
    """

    revision: int
    chain: str
    txid: str
    commit: bytes
    outcome: Mapping[str, object]
    typed: bytes | None = None

    def form(self, *, is_typed: bool) -> bytes:
        """The encoded commit, as a typed one where that is taken and there is one."""
        return self.typed if is_typed and self.typed is not None else self.commit

    def committed_message(self, write_id: str, *, replayed: bool) -> bytes:
        """Encode the `committed` message for the page that sent the write."""
        return encode({"t": "committed", "id": write_id, "replayed": replayed, **self.outcome})


def commit_message(entry: Entry, typed: TypedCommits | None = None) -> CommitMessage:
    """Encode a log entry that has been verified; as a typed commit, too, where there are templates."""
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
    short = None if typed is None else typed.encode(commit)
    return CommitMessage(entry.revision, entry.chain, entry.txid, encode(commit), outcome, short)


def encode_committed(write_id: str, answer: Mapping[str, object]) -> bytes:
    """Encode `committed` from the writer's answer, for a write whose commit is not sent over this connection."""
    kept = {name: answer[name] for name in ("changed", "replayed", "kind", "results", "warnings", "left_out")}
    return encode({"t": "committed", "id": write_id, "rev": answer["revision"], **kept})


def encode_rejected(write_id: str, error: DraftsmithError) -> bytes:
    """Encode `rejected` for a refused write."""
    problems: Sequence[Mapping[str, object]] = [problem.to_json() for problem in error.problems]
    shape = {"t": "rejected", "id": write_id, "code": error.code, "detail": error.detail, "problems": problems}
    return encode({**shape, "retry": error.code in RETRYABLE})
