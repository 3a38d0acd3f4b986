"""A proposal as a value: resolved operations of the assistant that wait for a yes."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from draftsmith.history.actor import Actor, actor_from_json
from draftsmith.model.ids import ProposalId
from draftsmith.transform.staged import Staged, staged_from_json
from draftsmith.usecases.commits.at_head import Base


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a run has left to be decided.

    Attributes:
        id: that of the run.
        asker: who asked for it.
        prompt: in which words.
        reason: why it was not applied at once.
        explanation: why it changes what it changes.
        summary: what the assistant said.
        base: what the operations were staged on.
        staged: the operations, in order.
    """

    id: ProposalId
    asker: Actor
    prompt: str
    reason: str
    explanation: str
    summary: str
    base: Base
    staged: Sequence[Staged]

    def encode(self) -> bytes:
        """The bytes for the store."""
        shape = {
            "id": self.id,
            "asker": self.asker.to_json(),
            "prompt": self.prompt,
            "reason": self.reason,
            "explanation": self.explanation,
            "summary": self.summary,
            "base": self.base.to_json(),
            "operations": [one.to_json() for one in self.staged],
        }
        return zlib.compress(orjson.dumps(shape), 1)


def read_proposal(content: bytes) -> Proposal:
    """Read what `Proposal.encode` wrote.

    Raises:
        ValueError: it is damaged or of a newer release.
    """
    try:
        shape = orjson.loads(zlib.decompress(content))
        asker = actor_from_json(shape["asker"])
        words = (shape["prompt"], shape["reason"], shape["explanation"], shape["summary"])
        staged = [staged_from_json(one) for one in shape["operations"]]
        return Proposal(shape["id"], asker, *words, Base(*shape["base"]), staged)
    except (zlib.error, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged proposal: {error!r}") from error
