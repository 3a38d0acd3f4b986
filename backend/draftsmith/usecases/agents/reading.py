"""The reading tools: what they show counts as seen by the agent, at the revision at which it was read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from draftsmith.agents import inputs, reading
from draftsmith.agents.answer import ToolAnswer
from draftsmith.history.commit import Head
from draftsmith.model.workspace import Workspace
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call


async def read_workspace(needs: AgentDependencies, call: Call, asked: inputs.ReadWorkspace) -> ToolAnswer:
    """The diagram as lines, and the document or its outline."""
    more = {"role": call.role, "link": call.link}
    return await _shown(needs, call, partial(reading.read_workspace, asked.cursor), **more)


async def _shown(needs: AgentDependencies, call: Call, reader: Callable[[Workspace], bytes], **more: Any) -> ToolAnswer:
    """Read at the newest revision, and note what was shown; `more`: members of the answer besides."""
    head, content = await needs.workspaces.compute(call.workspace_id, reader)
    answer = reading.unpacked(content)
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
