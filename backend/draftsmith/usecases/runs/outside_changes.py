"""Changes that a run made outside of its workspace: no ending of the run undoes them, so each ending says so."""

from __future__ import annotations

from typing import Final

from draftsmith.model.ids import RunId, WorkspaceId
from draftsmith.ports.runs import RunStore

_MOST_EVENTS: Final = 20_000
_MOST_NAMED: Final = 5


async def outside_note(store: RunStore, workspace_id: WorkspaceId, run_id: RunId) -> str:
    """A sentence about calls that were allowed and made, or were about to be; empty where there were none.

    Raises:
        StorageError: the events could not be read.
    """
    events = [event for _, event in await store.events(workspace_id, run_id, "0", _MOST_EVENTS)]
    allowed = [event["approval"] for event in events if event["type"] == "approval" and event["state"] == "yes"]
    if not allowed:
        return ""
    names = [f"{one['tool']} of {one['plugin']}" for one in allowed]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"Outside of this workspace was called, after a yes, and stays: {', '.join(names[:_MOST_NAMED])}{more}."
