"""What an edit answers: what was done, or what waits for a yes, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import one_line, quote_line
from draftsmith.history.shapes import DiffOut
from draftsmith.transform.results import ResultOut

_MOST: Final = 100  # lines of one kind
_LONGEST: Final = 300


def edit_answer(workspace_id: str, answer: Mapping[str, Any], *, link: str, reason: str | None = None) -> ToolAnswer:
    """The answer to a batch that was run, or would be; `reason`: why it would be proposed."""
    what = [_what(result) for result in answer["results"]][:_MOST]
    data: dict[str, Any] = {
        "workspace": workspace_id,
        "status": _status(answer, reason),
        "revision": answer["revision"],
        "replayed": answer["replayed"],
        "what": what,
        "ids": _new_ids(answer["diff"])[:_MOST],
        "lines": [line for result in answer["results"] for line in _lines(result)][:_MOST],
        "warnings": [str(warning["message"])[:_LONGEST] for warning in answer["warnings"]][:_MOST],
        "link": link,
    }
    if reason is not None:
        data["reason"] = reason
    return ToolAnswer(data, "\n".join(_summary_lines(data)))


def proposal_answer(workspace_id: str, proposal: Mapping[str, Any], *, link: str, replayed: bool) -> ToolAnswer:
    """The answer to a batch that has become a proposal."""
    data = {
        "workspace": workspace_id,
        "status": "proposed",
        "revision": proposal["base_revision"],
        "replayed": replayed,
        "what": list(proposal["what"])[:_MOST],
        "ids": [],
        "lines": [],
        "warnings": [],
        "proposal": proposal["id"],
        "reason": proposal["reason"] or "You asked for a proposal.",
        "link": link,
    }
    text = [
        f"Proposed, not applied: {data['reason']}",
        f"A person accepts it in the editor, whole or in part: {data['link']}",
        f"Proposal {proposal['id']}, kept for 14 days. Withdraw it with `proposals` before you propose another form.",
    ]
    return ToolAnswer(data, "\n".join(text))


def _status(answer: Mapping[str, object], reason: str | None) -> str:
    if not answer["changed"]:
        return "unchanged"
    if answer["dry_run"]:
        return "would_apply" if reason is None else "would_propose"
    return "applied"


def _summary_lines(data: Mapping[str, Any]) -> list[str]:
    revision = data["revision"]
    heads = {
        "applied": f"Applied as revision {revision}, which is the base_revision of your next edit.",
        "unchanged": f"Nothing changed: everything is as this batch wants it already (revision {revision}).",
        "would_apply": f"It fits revision {revision} and would be applied. Nothing was changed.",
        "would_propose": f"It fits revision {revision} and would be proposed. Nothing was changed.",
    }
    said = [heads[data["status"]]]
    said += [f"Why: {data['reason']}"] if "reason" in data else []
    rows = [f"- {one_line(one)}" for one in data["what"]]
    if data["lines"]:
        would = data["status"] in ("would_apply", "would_propose")
        rows += ["As the document would read:" if would else "As the document reads now:", *data["lines"]]
    if data["warnings"]:
        rows += ["Worth a look (fix what you caused, leave the rest):"]
        rows += [f"- {one_line(one)}" for one in data["warnings"]]
    if rows:
        text = "\n".join(rows)
        said += [text_block("done", mark_of([text]), text), NOT_INSTRUCTIONS]
    return said


def _what(result: ResultOut) -> str:
    match = result.get("match")
    where = ", ".join(result["ids"]) or (match["section"] if match else "")
    return f"{result['op']} {where}".rstrip()[:_LONGEST]


def _lines(result: ResultOut) -> list[str]:
    match = result.get("match")
    if not match or not match["snippet"]:
        return []
    first = match["lines"][0] if match["lines"] else 0
    return [f"{match['section']}, line {first}: {quote_line(match['snippet'])}"[:_LONGEST]]


def _new_ids(diff: DiffOut | None) -> list[str]:
    if diff is None:
        return []
    return [one["id"] for one in diff["nodes"]["added"]] + [one["id"] for one in diff["edges"]["added"]]
