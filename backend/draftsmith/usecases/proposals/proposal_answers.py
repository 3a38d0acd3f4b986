"""What is told of a proposal."""

from __future__ import annotations

from typing import cast

from draftsmith.history.times import iso
from draftsmith.ports.proposal_shapes import DecisionOut, ProposalOut, ProposalStatus
from draftsmith.ports.proposals import ProposalRow
from draftsmith.transform.undo.dependencies import dependencies
from draftsmith.usecases.proposals.fit import Fit
from draftsmith.usecases.proposals.proposal import Proposal
from draftsmith.usecases.proposals.shapes import ProposedOperation


def operations_of(proposal: Proposal, fit: Fit | None) -> list[ProposedOperation]:
    """Every operation, with its steps and whether it fits."""
    reasons = {one["index"]: one["why"] for one in fit.conflicts} if fit is not None else {}
    needs = dependencies(proposal.staged)
    return [
        {
            "index": index,
            "op": one.op,
            "what": one.what,
            "asked": one.asked,
            "steps": [step.to_json() for step in one.steps],
            "depends_on": sorted(needs[index]),
            "fits": index not in reasons,
            "why": reasons.get(index, ""),
        }
        for index, one in enumerate(proposal.staged)
    ]


def summary_of(row: ProposalRow, proposal: Proposal, fit: Fit | None) -> ProposalOut:
    """A proposal without its steps."""
    conflicts = [] if fit is None else list(fit.conflicts)
    return {
        "id": row.id,
        "run": _run_of(proposal),
        "origin": proposal.origin,
        "status": cast(ProposalStatus, row.status),
        "fit": "" if fit is None else ("conflicts" if conflicts else "fits"),
        "conflicts": conflicts,
        "reason": proposal.reason,
        "prompt": proposal.request,
        "explanation": proposal.explanation,
        "summary": proposal.summary,
        "actor": proposal.author.to_json(),
        "count": len(proposal.staged),
        "what": [one.what for one in proposal.staged],
        "base_revision": proposal.base.revision,
        "outcome": cast(DecisionOut, row.outcome) if row.outcome else None,
        "created_at": iso(row.created_ms),
        "expires_at": iso(row.expires_ms),
        "alternative": None if proposal.alternative is None else proposal.alternative.to_json(),
    }


def _run_of(proposal: Proposal) -> str:
    if proposal.alternative is not None:
        return proposal.alternative.group
    return proposal.id if proposal.origin == "assistant" else ""
