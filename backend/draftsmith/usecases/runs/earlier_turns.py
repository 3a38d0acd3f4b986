"""What the assistant is told of before: earlier turns of the conversation, and what has changed since the last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.record import decode_record
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.commits.workspaces import Workspaces

Json = Mapping[str, Any]
_LINES: Final = 20
_WORDS: Final = 400
_ENDS: Final = {
    "applied": "applied as revision {revision}",
    "proposed": "left as a proposal",
    "answered": "answered",
    "unchanged": "changed nothing",
    "failed": "failed",
    "cancelled": "stopped",
}


def recap_of(talks: Sequence[Json]) -> list[str]:
    """Earlier turns as plain lines, oldest first; `talks` newest first."""
    return [_line(talk) for talk in reversed(talks)]


def _line(talk: Json) -> str:
    end = _ENDS.get(str(talk["status"]), str(talk["status"])).format(revision=talk.get("revision"))
    said = _short(str(talk.get("summary") or talk.get("detail") or ""))
    name = talk["actor"]["name"]
    return f"{name} ({talk['workflow']}): {_short(str(talk['prompt']))} → {end}{f'; you said: {said}' if said else ''}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _WORDS else f"{flat[: _WORDS - 1]}…"


async def changes_since(workspaces: Workspaces, workspace_id: WorkspaceId, talks: Sequence[Json]) -> list[str]:
    """What was committed since the newest turn, one line each, newest last; nothing without an earlier turn."""
    revision = next((talk["revision"] for talk in talks if talk.get("revision")), None)
    if revision is None:
        return []
    replica, past = await workspaces.log_reader(workspace_id)
    head = replica.head.revision
    try:  # only what is shown is read, however much has happened
        entries = await past.after(max(revision, head - _LINES))
    except DraftsmithError:
        return ["much has changed; the history since your last turn is no longer kept"]
    lines = []
    for entry in entries:
        record = decode_record(entry.body)
        if record.what and not record.hidden:
            lines.append(f"r{entry.revision} {actor_json(entry.actor)['name']}: {record.what}")
    more = head - revision - _LINES
    return [f"{more} earlier changes", *lines] if more > 0 else lines
