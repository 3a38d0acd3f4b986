"""The tool about proposals: see them, accept those of people by role, withdraw one's own."""

from __future__ import annotations

import re
from typing import Final

from draftsmith.access.roles import is_at_least
from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.agents.inputs import ProposalsArguments
from draftsmith.agents.outputs import ProposalRead
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import quote_line
from draftsmith.assistant.tools.tool_arguments import ToolFault
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import ProposalId
from draftsmith.ports.proposal_shapes import ProposalBase
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call

_ID: Final = re.compile(r"[0-9a-hjkmnp-tv-z]{26}")
_MOST: Final = 50


async def proposals(needs: AgentDependencies, call: Call, asked: ProposalsArguments) -> ToolAnswer:
    """List, show, accept or withdraw.

    Raises:
        DraftsmithError: `forbidden` where the role, or who made it, does not allow it; as the use case.
    """
    if asked.action == "list":
        found = await needs.proposals.list(call.workspace_id)
        return _answer(call, [_row(call, one) for one in found if one["status"] == "open"][:_MOST])
    if not _ID.fullmatch(asked.proposal):
        if not asked.proposal:
            raise ToolFault("Which proposal? Give its id; action list names them.")
        raise DraftsmithError("proposal_not_found", "There is no such proposal.")
    proposal_id = ProposalId(asked.proposal)
    if asked.action == "show":
        return _answer(call, [_row(call, await needs.proposals.get(call.workspace_id, proposal_id))])
    author = (await needs.proposals.get(call.workspace_id, proposal_id))["actor"]
    if asked.action == "withdraw":
        return await _withdraw(needs, call, proposal_id, author["id"])
    return await _accept(needs, call, asked, proposal_id, author["kind"])


async def _withdraw(needs: AgentDependencies, call: Call, proposal_id: ProposalId, author_id: str) -> ToolAnswer:
    if author_id != call.agent.actor.id:
        raise DraftsmithError("forbidden", "You may withdraw only what you have proposed with this key.")
    if not is_at_least(call.role, "commenter"):
        raise DraftsmithError("forbidden", f"As {call.role} of this workspace one may not withdraw proposals.")
    closed = await needs.proposals.reject(call.workspace_id, proposal_id, call.agent.actor)
    needs.suggestions.on_made(call.workspace_id)
    return _answer(call, [_row(call, closed)])


async def _accept(
    needs: AgentDependencies, call: Call, asked: ProposalsArguments, proposal_id: ProposalId, kind: str
) -> ToolAnswer:
    """Accept what people suggest; what a machine has proposed waits for a person's yes, not for another machine's."""
    if not is_at_least(call.role, "editor"):
        raise DraftsmithError("forbidden", f"As {call.role} of this workspace one may not accept proposals.")
    if kind in ("agent", "assistant") or await _is_of_assistant(needs, call, proposal_id):
        message = "What agents and the assistant propose waits for a person, who accepts it in the editor."
        raise DraftsmithError("forbidden", f"{message} {call.link_of(proposal_id)}")
    answer = await needs.proposals.accept(
        call.workspace_id, proposal_id, call.agent.actor, asked.operations, scope=call.agent.person.id
    )
    shown = await needs.proposals.get(call.workspace_id, proposal_id)
    return _answer(call, [_row(call, shown)], answer["revision"])


async def _is_of_assistant(needs: AgentDependencies, call: Call, proposal_id: ProposalId) -> bool:
    return (await needs.proposals.get(call.workspace_id, proposal_id))["origin"] == "assistant"


def _row(call: Call, one: ProposalBase) -> ProposalRead:
    row: ProposalRead = {
        "proposal": one["id"],
        "status": one["status"],
        "by": one["actor"]["name"],
        "yours": one["actor"]["id"] == call.agent.actor.id,
        "reason": one["reason"],
        "explanation": one["explanation"],
        "fits": one["fit"] == "fits",
        "what": list(one["what"]),
        "conflicts": [f"{clash['what'] or clash['op']}: {clash['why']}" for clash in one["conflicts"]],
        "link": call.link_of(one["id"]),
    }
    if one["alternative"] is not None:
        row["alternative"] = one["alternative"]
    return row


def _answer(call: Call, rows: list[ProposalRead], revision: int | None = None) -> ToolAnswer:
    lines: list[str] = []
    for row in rows:
        fits = "" if row["status"] != "open" else ", fits" if row["fits"] else ", does not fit any more"
        mine = " (yours)" if row["yours"] else ""
        by, why = quote_line(row["by"]), quote_line(row["explanation"])
        lines.append(f"{row['proposal']} {row['status']}{fits}, by {by}{mine}: {why}")
        lines += _alternative_lines(row)
        lines += [f"  {index} {quote_line(what)}" for index, what in enumerate(row["what"])]
        lines += [f"  clash: {quote_line(clash)}" for clash in row["conflicts"]]
    text = "\n".join(lines) or "(none)"
    said = [text_block("proposals", mark_of([text]), text), NOT_INSTRUCTIONS]
    data: dict[str, object] = {"workspace": call.workspace_id, "proposals": rows}
    if revision is not None:
        data["revision"] = revision
        said.insert(0, f"Accepted, as revision {revision}.")
    return ToolAnswer(data, "\n".join(said))


def _alternative_lines(row: ProposalRead) -> list[str]:
    """What an alternative is called, of how many it is one, and what speaks for and against it."""
    one = row.get("alternative")
    if one is None:
        return []
    head = f"  alternative {one['index'] + 1} of {one['of']}, of which one is accepted: {quote_line(one['title'])}"
    return [
        head,
        *(f"  for: {quote_line(gain)}" for gain in one["gains"]),
        *(f"  against: {quote_line(cost)}" for cost in one["costs"]),
    ]
