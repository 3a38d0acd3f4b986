"""What the assistant is told of the past: earlier turns of the conversation, and what was committed since the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.record import decode_record
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.runs import ConversationTurn
from draftsmith.usecases.commits.workspaces import Workspaces

_MOST_COMMITS: Final = 20
_MOST_CHARS: Final = 400
_ENDS: Final = {
    "applied": "applied as revision {revision}",
    "proposed": "left as a proposal",
    "answered": "answered",
    "unchanged": "changed nothing",
    "failed": "failed",
    "cancelled": "stopped",
}


def turn_lines(turns: Sequence[ConversationTurn]) -> list[str]:
    """Earlier turns as plain lines, oldest first; `turns` newest first."""
    return [_line(turn) for turn in reversed(turns)]


def _line(turn: ConversationTurn) -> str:
    """What was asked, how it ended, what the assistant said, and what is to be noted whatever it said.

    That is why it failed or was left to decide, and what was refused.
    """
    status = str(turn["status"])
    end = _ENDS.get(status, status).format(revision=turn.get("revision"))
    said = "" if status == "failed" else _short(str(turn.get("summary") or ""))
    detail = _short(str(turn.get("detail") or ""))
    parts = [end, f"you said: {said}" if said else "", f"note: {detail}" if detail else ""]
    name = turn["actor"]["name"]
    return f"{name} ({turn['workflow']}): {_short(str(turn['prompt']))} → {'; '.join(filter(None, parts))}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MOST_CHARS else f"{flat[: _MOST_CHARS - 1]}…"


async def changes_since(
    workspaces: Workspaces, workspace_id: WorkspaceId, turns: Sequence[ConversationTurn]
) -> list[str]:
    """What was committed since the newest turn, a line for each, newest last; empty without an earlier turn."""
    revision = next((turn["revision"] for turn in turns if turn.get("revision")), None)
    if revision is None:
        return []
    replica, past = await workspaces.log_reader(workspace_id)
    head = replica.head.revision
    try:  # only what is shown is read
        entries = await past.entries_after(max(revision, head - _MOST_COMMITS))
    except DraftsmithError:
        return ["much has changed; the history since your last turn is no longer kept"]
    lines = []
    for entry in entries:
        record = decode_record(entry.body)
        if record.what and not record.hidden:
            lines.append(f"r{entry.revision} {actor_json(entry.actor)['name']}: {record.what}")
    more = head - revision - _MOST_COMMITS
    return [f"{more} earlier changes", *lines] if more > 0 else lines
