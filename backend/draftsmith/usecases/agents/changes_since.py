"""Reading what has changed since a revision: of at most so many commits, and never from a rebuilt old state."""

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

_TRIES: Final = 3
_COMMITS: Final = 1_000  # of which it is told; as many as are in memory
_AUTHORS: Final = 10


async def read_since(needs: AgentDependencies, call: Call, since: int) -> tuple[Head, ToolAnswer] | str:
    """What has changed since a revision, as it is now; or why that is not known.

    Raises:
        ToolFault: there is no such revision yet.
    """
    for _ in range(_TRIES):
        replica, log = await needs.workspaces.log_reader(call.workspace_id)
        newest = replica.head.revision
        if since > newest:
            raise ToolFault(f"There is no revision {since}; the newest is {newest}.")
        if newest - since > _COMMITS:
            return f"There are {newest - since:,} commits after revision {since}; what changed is told of {_COMMITS:,}."
        try:
            entries = await log.following(since, _COMMITS)
        except DraftsmithError as error:
            if error.code != "trimmed":
                raise
            return f"What came right after revision {since} is no longer kept: who changed what then is gone."
        parts = await in_thread_if_many(len(entries), partial(_changed_parts, entries))
        head, content = await needs.workspaces.compute(call.workspace_id, partial(read_changes, parts))
        if head.revision == since + len(entries):
            answer = unpack_answer(content)
            return head, replace(answer, text=f"{_heading(since, entries)}\n{answer.text}")
    return "It is being changed all the time."


def _changed_parts(entries: Sequence[Entry]) -> ChangedParts:
    return changed_parts([step for entry in entries for step in decode_record(entry.body).steps])


def _heading(since: int, entries: Sequence[Entry]) -> str:
    authors = list(dict.fromkeys(quote_line(actor_json(entry.actor)["name"]) for entry in entries))
    more = f" and {len(authors) - _AUTHORS} more" if len(authors) > _AUTHORS else ""
    by = f", by {', '.join(authors[:_AUTHORS])}{more}" if authors else ""
    return f"What has changed since revision {since}{by}, as it is now; all else is as you have read it."
