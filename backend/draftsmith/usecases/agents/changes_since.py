"""Reading what has changed since a revision, of at most so many commits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from draftsmith.agents.answer import ToolAnswer
from draftsmith.agents.changed_parts import ChangedParts, changed_parts, read_changes
from draftsmith.agents.reading import unpack_answer
from draftsmith.assistant.tools.lines import quote_line
from draftsmith.assistant.tools.tool_arguments import ToolFault
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry, Head
from draftsmith.history.record import decode_record
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call
from draftsmith.usecases.replicas.log_reader import in_thread_if_many

_COMMITS: Final = 1_000  # of which it is told; as many as are in memory
_AUTHORS: Final = 10


async def read_since(needs: AgentDependencies, call: Call, since: int) -> tuple[Head, ToolAnswer] | str:
    """What has changed since a revision, as it is now; or why that is not known.

    Raises:
        ToolFault: there is no such revision yet.
    """
    replica, log = await needs.workspaces.log_reader(call.workspace_id)
    head = replica.head
    if since > head.revision:
        raise ToolFault(f"There is no revision {since}; the newest is {head.revision}.")
    if head.revision - since > _COMMITS:
        commits = f"{head.revision - since:,} commits"
        return f"There are {commits} after revision {since}; what changed is told of {_COMMITS:,}."
    try:
        entries = await log.following(since, _COMMITS)
    except DraftsmithError as error:
        if error.code != "trimmed":
            raise
        return f"What came right after revision {since} is no longer kept: who changed what then is gone."
    if entries:
        head = Head(head.epoch, entries[-1].revision, entries[-1].chain)
    parts = await in_thread_if_many(len(entries), partial(_changed_parts, entries))
    # Others may have written meanwhile: places in the text are those of this revision alone.
    content = await needs.workspaces.compute_past(call.workspace_id, partial(read_changes, parts), [head.revision])
    answer = unpack_answer(content)
    return head, replace(answer, text=f"{_heading(since, entries)}\n{answer.text}")


def _changed_parts(entries: Sequence[Entry]) -> ChangedParts:
    return changed_parts([step for entry in entries for step in decode_record(entry.body).steps])


def _heading(since: int, entries: Sequence[Entry]) -> str:
    authors = list(dict.fromkeys(quote_line(actor_json(entry.actor)["name"]) for entry in entries))
    more = f" and {len(authors) - _AUTHORS} more" if len(authors) > _AUTHORS else ""
    by = f", by {', '.join(authors[:_AUTHORS])}{more}" if authors else ""
    return f"What has changed since revision {since}{by}, as it is now; all else is as you have read it."
