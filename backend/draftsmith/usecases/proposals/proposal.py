"""A proposal as a value: resolved operations that wait for a yes."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from draftsmith.history.actor import Actor, actor_from_json
from draftsmith.model.ids import ProposalId
from draftsmith.ports.proposal_shapes import ProposalOrigin
from draftsmith.transform.staged import Staged, staged_from_json
from draftsmith.usecases.commits.at_head import Base


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Operations that somebody may accept or reject.

    Its JSON names `author` `asker`, `request` `prompt` and `staged` `operations`; a suggestion alone has `origin` and
    `fingerprint`.

    Attributes:
        id: chosen by whoever makes it; that of the run if a run made it.
        author: the person for whom it was made.
        request: what that person asked for, in their words.
        reason: why it was not committed at once.
        explanation: what the history says if it is accepted.
        summary: what was said about it when it was made.
        base: the revision that the operations were resolved at.
        staged: the operations, in order.
        origin: `assistant` for what a run has made, `person` for what somebody suggests themselves.
        fingerprint: of the request that suggested it; empty for that of a run.
    """

    id: ProposalId
    author: Actor
    request: str
    reason: str
    explanation: str
    summary: str
    base: Base
    staged: Sequence[Staged]
    origin: ProposalOrigin = "assistant"
    fingerprint: str = ""

    def encode(self) -> bytes:
        """The bytes for the store."""
        shape = {
            "id": self.id,
            "asker": self.author.to_json(),
            "prompt": self.request,
            "reason": self.reason,
            "explanation": self.explanation,
            "summary": self.summary,
            "base": self.base.to_json(),
            "operations": [one.to_json() for one in self.staged],
            **({} if self.origin == "assistant" else {"origin": self.origin, "fingerprint": self.fingerprint}),
        }
        return zlib.compress(orjson.dumps(shape), 1)

    def is_repeat_of(self, other: Proposal) -> bool:
        """Whether both were made for the same person, request and base; for suggestions, by the same request."""
        if self.fingerprint or other.fingerprint:
            return (self.author.id, self.fingerprint) == (other.author.id, other.fingerprint)
        return (self.author.id, self.request, self.base) == (other.author.id, other.request, other.base)


def read_proposal(content: bytes) -> Proposal:
    """Read what `Proposal.encode` wrote.

    Raises:
        ValueError: it is damaged or of a newer release.
    """
    try:
        shape = orjson.loads(zlib.decompress(content))
        return Proposal(
            id=shape["id"],
            author=actor_from_json(shape["asker"]),
            request=shape["prompt"],
            reason=shape["reason"],
            explanation=shape["explanation"],
            summary=shape["summary"],
            base=Base(*shape["base"]),
            staged=[staged_from_json(one) for one in shape["operations"]],
            origin="assistant" if shape.get("origin", "assistant") == "assistant" else "person",
            fingerprint=shape.get("fingerprint", ""),
        )
    except (zlib.error, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged proposal: {error!r}") from error
