"""Alternatives: proposals of one group, of which one can be accepted.

All of a group are committed under one transaction id, and the fingerprint says which one it was. So the log decides, in
the one step in which it takes a commit, also between workers; everything else follows from it and can be done again.
"""

from __future__ import annotations

from draftsmith.model.ids import ProposalId
from draftsmith.usecases.commits.staged_request import transaction_id_of
from draftsmith.usecases.proposals.proposal import Proposal
from draftsmith.usecases.requests.identity import fingerprint


def txid_of(proposal: Proposal) -> str:
    """The transaction id of its commit, which it shares with the alternatives to it."""
    group = None if proposal.alternative is None else proposal.alternative.group
    return transaction_id_of("proposal", proposal.id) if group is None else transaction_id_of("alternatives", group)


def fingerprint_of(proposal: Proposal) -> str:
    """What tells its commit from that of an alternative to it; empty where there are none."""
    return "" if proposal.alternative is None else _fingerprint(proposal.id)


def is_accepted_by(proposal: Proposal, committed: str) -> bool:
    """Whether a commit under its transaction id, with this fingerprint, is its own and not that of an alternative."""
    return proposal.alternative is None or committed == fingerprint_of(proposal)


def chosen_of(proposal: Proposal, committed: str) -> ProposalId | None:
    """Which alternative a commit of its group was made from; None if it is not known."""
    if proposal.alternative is None:
        return None
    return next((one for one in proposal.alternative.ids if _fingerprint(one) == committed), None)


def others_of(proposal: Proposal) -> list[ProposalId]:
    """The alternatives to it."""
    return [] if proposal.alternative is None else [one for one in proposal.alternative.ids if one != proposal.id]


def _fingerprint(proposal_id: ProposalId) -> str:
    return fingerprint([proposal_id])
