"""Answers to agents about the history: commits, differences, the outcome of an undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.differences import difference_lines, difference_of
from draftsmith.assistant.tools.lines import one_line, quote_line
from draftsmith.history.shapes import CommitOut


def history_answer(
    workspace_id: str, revision: int, found: Sequence[CommitOut], following: str | None, actor_id: str
) -> ToolAnswer:
    """A page of commits; `actor_id`: who asks."""
    rows = [_commit(one, actor_id) for one in found]
    lines = [
        f"{row['revision']} {row['at']} {quote_line(row['by'])}: {quote_line(row['what'])}"
        + (f" because {quote_line(row['why'])}" if row["why"] else "")
        + (" (yours)" if row.get("yours") else "")
        for row in rows
    ]
    text = "\n".join(lines) or "(nothing)"
    said = [f"Revision {revision} is the newest.", text_block("history", mark_of([text]), text), NOT_INSTRUCTIONS]
    said += [f"There is more: cursor {following}"] if following else []
    data = {"workspace": workspace_id, "revision": revision, "commits": rows, "next_cursor": following}
    return ToolAnswer(data, "\n".join(said))


def _commit(one: CommitOut, actor_id: str) -> dict[str, Any]:
    actor = one["actor"]
    row: dict[str, Any] = {
        "revision": one["revision"], "at": one["at"], "by": actor["name"], "kind": one["kind"], "what": one["what"],
        "why": one["why"],
    }  # fmt: skip
    if actor["kind"] == "agent":
        row["agent"] = actor["id"]
        row["yours"] = actor["id"] == actor_id
    return row


def comparison_answer(workspace_id: str, found: Mapping[str, Any]) -> ToolAnswer:
    """What differs between two revisions."""
    difference = difference_of(found["diff"])
    data = {
        "workspace": workspace_id, "from_revision": found["from_revision"], "to_revision": found["to_revision"],
        "what": found["what"], "difference": difference,
    }  # fmt: skip
    text = "\n".join([one_line(found["what"]), *difference_lines(difference)])
    said = [
        f"From revision {found['from_revision']} to {found['to_revision']}:",
        text_block("difference", mark_of([text]), text),
        NOT_INSTRUCTIONS,
    ]
    return ToolAnswer(data, "\n".join(said))


def undo_answer(workspace_id: str, revision: int, answer: Mapping[str, Any]) -> ToolAnswer:
    """What became of undoing a commit."""
    left_out = [f"{one['what']}: {one['why']}" for one in answer["left_out"]]
    status = "would_undo" if answer["dry_run"] else "undone" if answer["changed"] else "unchanged"
    difference = difference_of(answer["diff"])
    data = {
        "workspace": workspace_id, "status": status, "revision": answer["revision"], "replayed": answer["replayed"],
        "difference": difference, "left_out": left_out,
    }  # fmt: skip
    heads = {
        "undone": f"Revision {revision} is taken back, as revision {answer['revision']}.",
        "would_undo": f"Revision {revision} would be taken back. Nothing was changed.",
        "unchanged": f"Nothing changed: nothing of revision {revision} is there any more.",
    }
    kept = ["Left as it is, since somebody has changed it since:", *(f"- {one_line(one)}" for one in left_out)]
    text = "\n".join([*difference_lines(difference), *(kept if left_out else [])]) or "(nothing)"
    said = [heads[status], text_block("difference", mark_of([text]), text), NOT_INSTRUCTIONS]
    return ToolAnswer(data, "\n".join(said))
