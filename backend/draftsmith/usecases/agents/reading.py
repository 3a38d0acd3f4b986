"""The reading tools: what they show counts as seen by the agent, at the revision at which it was read.

An agent reads everything, or what has changed since a revision, where not too much has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from draftsmith.agents import inputs, reading, reading_parts, resources
from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.agents.changed_parts import ChangedParts, changed_parts, read_changes
from draftsmith.agents.reading import unpack_answer
from draftsmith.assistant.patterns.reader import search_patterns
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import quote_line
from draftsmith.assistant.tools.tool_arguments import ToolFault
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import actor_json
from draftsmith.history.commit import Entry, Head
from draftsmith.history.record import decode_record
from draftsmith.history.replica import Replica
from draftsmith.model.formats import LEAST_SCALE
from draftsmith.model.ids import RunId
from draftsmith.model.workspace import Workspace
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call
from draftsmith.usecases.replicas.log_reader import in_thread_if_many
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.upkeep import contents
from draftsmith.usecases.upkeep.pictures import PictureOptions, check_there

_MOST_COMMITS: Final = 1_000  # whose changes are told; as many as are in memory
_MOST_AUTHORS: Final = 10
_MOST_PATTERNS: Final = 2


async def read_workspace(needs: AgentDependencies, call: Call, asked: inputs.ReadWorkspaceArguments) -> ToolAnswer:
    """The diagram as lines, and the document or its outline; or what of both has changed since a revision."""
    more = {"role": call.role, "link": call.link}
    if asked.since is None or asked.cursor:
        return await _read_and_mark(needs, call, partial(reading.read_workspace, asked.cursor), **more)
    found = await read_since(needs, call, asked.since)
    if not isinstance(found, str):
        head, answer = found
        return await _mark(needs, call, head, answer, **more)
    whole = await _read_and_mark(needs, call, partial(reading.read_workspace, ""), **more)
    return replace(whole, text=f"{found} Here is all of it.\n{whole.text}")


async def read_sections(needs: AgentDependencies, call: Call, asked: inputs.ReadSectionsArguments) -> ToolAnswer:
    """Sections of the document."""
    return await _read_and_mark(needs, call, partial(reading_parts.read_sections, tuple(asked.sections)))


async def read_nodes(needs: AgentDependencies, call: Call, asked: inputs.ReadNodesArguments) -> ToolAnswer:
    """Nodes whole."""
    return await _read_and_mark(needs, call, partial(reading_parts.read_nodes, tuple(asked.ids)))


async def find(needs: AgentDependencies, call: Call, asked: inputs.FindArguments) -> ToolAnswer:
    """Words in diagram and document, or in the patterns."""
    if asked.within == "patterns":
        return await _find_patterns(needs, call, asked)
    return await _read_and_mark(needs, call, partial(reading_parts.find, asked.text, asked.within, asked.limit))


async def _find_patterns(needs: AgentDependencies, call: Call, asked: inputs.FindArguments) -> ToolAnswer:
    revision = await needs.workspaces.read(call.workspace_id, lambda replica: replica.head.revision)
    words = {"text": asked.text, "limit": min(asked.limit, _MOST_PATTERNS)}
    text = search_patterns(needs.assistant.dependencies.patterns, words).text
    nothing = {"nodes": [], "nodes_total": 0, "places": [], "places_total": 0}
    return ToolAnswer({"workspace": call.workspace_id, "revision": revision, **nothing, "patterns": text}, text)


async def check(needs: AgentDependencies, call: Call, asked: inputs.CheckArguments) -> ToolAnswer:
    """What looks wrong."""
    return await _read_and_mark(needs, call, partial(reading_parts.check, _number(asked.cursor)))


async def resource(needs: AgentDependencies, call: Call, asked: resources.Resource) -> ToolAnswer:
    """A diagram, a document or a section, by its address."""
    return await _read_and_mark(needs, call, partial(resources.read_resource, asked.part, asked.section))


async def export(needs: AgentDependencies, call: Call, asked: inputs.ExportArguments) -> ToolAnswer:
    """A page of a file; the pages are of one revision. A picture is one page, and no older than the revision.

    Raises:
        ToolFault: the workspace has changed since the first page.
        DraftsmithError: `pictures_unavailable`; as `Pictures.picture`.
    """
    if asked.format == "png":
        return await _picture(needs, call)
    revision, _, start = asked.cursor.rpartition(":")
    head, content = await needs.workspaces.compute(call.workspace_id, partial(contents.export, asked.format))
    if revision and revision != str(head.revision):
        raise ToolFault(f"The workspace is at revision {head.revision} now; begin again without a cursor.")
    page = reading_parts.file_page(asked.format, content.decode(), _number(start))
    following = page.data["next_cursor"]
    data = {"workspace": call.workspace_id, "revision": head.revision, **page.data}
    data["next_cursor"] = following and f"{head.revision}:{following}"
    more = [f"There is more: cursor {data['next_cursor']}"] if following else []
    return ToolAnswer(data, "\n".join([f"Revision {head.revision}.", page.text, *more]))


async def query(needs: AgentDependencies, call: Call, asked: inputs.QueryArguments) -> ToolAnswer:
    """An answer of the assistant, which looks it up; one that fails is an answer as well. Nothing counts as seen.

    Raises:
        DraftsmithError: as `Assistant.start`.
    """
    actor = call.agent.actor
    run_id = RunId(identify(actor, None, needs.clock).batch_id)
    told = await needs.assistant.query(call.workspace_id, actor, run_id, asked.intent, is_given=False)
    text = told["error"]["message"] if "error" in told else told["summary"]
    said = [text_block("answer" if told["success"] else "failure", mark_of([text]), text), NOT_INSTRUCTIONS]
    return ToolAnswer({"workspace": call.workspace_id, **told}, "\n".join(said))


async def _picture(needs: AgentDependencies, call: Call) -> ToolAnswer:
    pictures = check_there(needs.pictures)

    def size(replica: Replica) -> tuple[int, int]:
        return replica.head.revision, replica.workspace.diagram.node_count

    revision, nodes = await needs.workspaces.read(call.workspace_id, size)
    options = PictureOptions("png", scale=_scale_for(nodes))
    picture = await pictures.picture(call.workspace_id, await pictures.tag(call.workspace_id, options), options)
    data = {"workspace": call.workspace_id, "revision": revision, "format": "png", "text": "", "next_cursor": None}
    return ToolAnswer(data, f"Revision {revision}. The diagram as people see it.", picture=picture.content)


def _scale_for(nodes: int) -> float:
    """The scale at which a diagram of so many nodes is some 1,000 pixels wide, so that it costs a model little.

    A node with its margin takes 400 pixels, and nodes stand in about a square.
    """
    return min(1.0, max(LEAST_SCALE, round(2.5 / math.sqrt(max(1, nodes)), 2)))


def _number(cursor: str) -> int:
    """Where a page begins.

    Raises:
        ToolFault: it is no cursor of ours.
    """
    if not cursor:
        return 0
    if not cursor.isascii() or not cursor.isdecimal() or len(cursor) > 10:
        raise ToolFault("This cursor is none; give next_cursor of the answer before as it is, or leave it out.")
    return int(cursor)


async def _read_and_mark(
    needs: AgentDependencies, call: Call, reader: Callable[[Workspace], bytes], **more: Any
) -> ToolAnswer:
    """Read at the newest revision, and note what was shown; `more`: members of the answer besides."""
    head, content = await needs.workspaces.compute(call.workspace_id, reader)
    return await _mark(needs, call, head, reading.unpack_answer(content), **more)


async def _mark(needs: AgentDependencies, call: Call, head: Head, answer: ToolAnswer, **more: Any) -> ToolAnswer:
    """Note what was shown, and say of which revision it is."""
    await note_seen(needs, call, head, answer.marks)
    data = {"workspace": call.workspace_id, "revision": head.revision, **more, **answer.data}
    about = f"Revision {head.revision} (base_revision of your next edit); id {call.workspace_id}."
    if call.role in ("viewer", "commenter"):
        about += f" As {call.role} you may {'only read' if call.role == 'viewer' else 'propose, not apply'}."
    following = data.get("next_cursor")
    said = [about, answer.text, *([f"There is more: cursor {following}"] if following else [])]
    return replace(answer, data=data, text="\n".join(said))


async def note_seen(needs: AgentDependencies, call: Call, head: Head, marks: Sequence[str]) -> None:
    """Note what an agent was shown, before it is."""
    if marks:
        await needs.store.add_marks(call.agent.id, call.workspace_id, head.epoch, marks, head.revision)


async def read_since(needs: AgentDependencies, call: Call, since: int) -> tuple[Head, ToolAnswer] | str:
    """Return what has changed since a revision as it is now, and the revision of that; or why it is not told.

    Raises:
        ToolFault: there is no such revision yet.
    """
    replica, log = await needs.workspaces.log_reader(call.workspace_id)
    head = replica.head
    if since > head.revision:
        raise ToolFault(f"There is no revision {since}; the newest is {head.revision}.")
    if head.revision - since > _MOST_COMMITS:
        commits = f"{head.revision - since:,} commits"
        return f"There are {commits} after revision {since}; what changed is told of {_MOST_COMMITS:,}."
    try:
        entries = await log.following(since, _MOST_COMMITS)
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
    more = f" and {len(authors) - _MOST_AUTHORS} more" if len(authors) > _MOST_AUTHORS else ""
    by = f", by {', '.join(authors[:_MOST_AUTHORS])}{more}" if authors else ""
    return f"What has changed since revision {since}{by}, as it is now; all else is as you have read it."
