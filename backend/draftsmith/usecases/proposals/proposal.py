"""A proposal as a value: resolved operations that wait for a yes.

Alternatives are proposals of one group, of which one can be accepted. All of a group are committed under one
transaction id, and the fingerprint of the commit says which one it was. So the log decides between them in the one step
in which it takes a commit, also between workers.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from draftsmith.history.actor import Actor, actor_from_json
from draftsmith.model.ids import ProposalId
from draftsmith.ports.proposal_shapes import AlternativeOut, ProposalOrigin
from draftsmith.transform.staged_operations import StagedOperation, staged_from_json
from draftsmith.usecases.commits.at_head import Base
from draftsmith.usecases.commits.staged_request import transaction_id_of
from draftsmith.usecases.requests.identity import derived_id, fingerprint


@dataclass(frozen=True, slots=True)
class Alternative:
    """What makes a proposal one of a group of which one can be accepted.

    Attributes:
        group: the run that recommends them.
        index: its place among them, from 0.
        of: how many there are.
        title: what is done, in a few words.
        gains: what speaks for it.
        costs: what speaks against it.
    """

    group: str
    index: int
    of: int
    title: str
    gains: Sequence[str]
    costs: Sequence[str]

    def to_json(self) -> AlternativeOut:
        """The JSON form."""
        return {
            "group": self.group,
            "index": self.index,
            "of": self.of,
            "title": self.title,
            "gains": list(self.gains),
            "costs": list(self.costs),
        }

    @property
    def ids(self) -> list[ProposalId]:
        """The ids of all alternatives of the group."""
        return [alternative_id(self.group, index) for index in range(self.of)]


def alternative_id(group: str, index: int) -> ProposalId:
    """The id of an alternative, which follows from its run and its place."""
    return ProposalId(derived_id("alternative", f"{group}:{index}"))


def _alternative_fingerprint(proposal_id: ProposalId) -> str:
    return fingerprint([proposal_id])


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
        alternative: its place in a group of which one can be accepted; None where it stands alone.
    """

    id: ProposalId
    author: Actor
    request: str
    reason: str
    explanation: str
    summary: str
    base: Base
    staged: Sequence[StagedOperation]
    origin: ProposalOrigin = "assistant"
    fingerprint: str = ""
    alternative: Alternative | None = None

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
            **({} if self.alternative is None else {"alternative": self.alternative.to_json()}),
        }
        return zlib.compress(orjson.dumps(shape), 1)

    def is_repeat_of(self, other: Proposal) -> bool:
        """Whether both were made for the same person, request and base; for suggestions, by the same request."""
        if self.fingerprint or other.fingerprint:
            return (self.author.id, self.fingerprint) == (other.author.id, other.fingerprint)
        return (self.author.id, self.request, self.base) == (other.author.id, other.request, other.base)

    @property
    def txid(self) -> str:
        """The transaction id of its commit, which it shares with the alternatives to it."""
        if self.alternative is None:
            return transaction_id_of("proposal", self.id)
        return transaction_id_of("alternatives", self.alternative.group)

    @property
    def commit_fingerprint(self) -> str:
        """The fingerprint that tells its commit from that of an alternative; empty where there are no alternatives."""
        return "" if self.alternative is None else _alternative_fingerprint(self.id)

    def is_accepted_by(self, commit_fingerprint: str) -> bool:
        """Whether a commit under its transaction id is its own and not that of an alternative."""
        return self.alternative is None or commit_fingerprint == self.commit_fingerprint

    def alternative_of(self, commit_fingerprint: str) -> ProposalId | None:
        """Return the alternative that a commit of its group was made from, or None if that is not known."""
        ids = [] if self.alternative is None else self.alternative.ids
        return next((one for one in ids if _alternative_fingerprint(one) == commit_fingerprint), None)

    @property
    def other_ids(self) -> list[ProposalId]:
        """The ids of the alternatives to it."""
        return [] if self.alternative is None else [one for one in self.alternative.ids if one != self.id]


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
            alternative=Alternative(**shape["alternative"]) if "alternative" in shape else None,
        )
    except (zlib.error, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged proposal: {error!r}") from error
