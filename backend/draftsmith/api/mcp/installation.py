"""The tools about no workspace in particular: which there are, and a new one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from starlette.requests import Request

from draftsmith.access.roles import Role, is_at_least
from draftsmith.agents import inputs
from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.api.context import Context
from draftsmith.api.gate import entered_of
from draftsmith.api.proxies import base_of
from draftsmith.api.responses import cursor, read_cursor
from draftsmith.assistant.lines import quoted
from draftsmith.assistant.wrapped import mark_of, tagged
from draftsmith.history.times import iso
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports import Meta
from draftsmith.usecases.agents.agent import Agent
from draftsmith.usecases.commits.identity import check_id

_PAGE: Final = 50


def workspace_in(asked: inputs.OfWorkspace) -> WorkspaceId:
    """The workspace that a call is about.

    Raises:
        DraftsmithError: `workspace_not_found` for what cannot be an id.
    """
    return check_id(asked.workspace)


async def _list_workspaces(
    context: Context, request: Request, agent: Agent, asked: inputs.ListWorkspaces
) -> ToolAnswer:
    """Those that one may see, newest change first."""
    after = read_cursor(asked.cursor or None, int, str)
    listed = await context.workspaces.list(asked.text, in_trash=False)
    roles = await context.gate.roles(entered_of(request), [workspace_id for workspace_id, _ in listed])
    keyed = [
        ((-meta.updated_ms, str(workspace_id)), meta, role)
        for (workspace_id, meta), role in zip(listed, roles, strict=True)
        if is_at_least(role, "viewer")
    ]
    found = sorted((one for one in keyed if after is None or one[0] > tuple(after)), key=lambda one: one[0])
    page = found[:_PAGE]
    items = [_item(base_of(request), key[1], meta, role) for key, meta, role in page if role is not None]
    following = cursor(*page[-1][0]) if len(found) > _PAGE else None
    lines = [
        f"{one['workspace']} {quoted(one['name'])} {one['role']} revision {one['revision']}, {one['nodes']} nodes, "
        f"{one['characters']} characters, changed {one['updated_at']}"
        for one in items
    ]
    text = "\n".join(lines) or "(none)"
    said = [tagged("workspaces", mark_of([text]), text), NOT_INSTRUCTIONS]
    return ToolAnswer({"workspaces": items, "next_cursor": following}, "\n".join(said))


def _item(base: str, workspace_id: str, meta: Meta, role: Role) -> Mapping[str, Any]:
    summary = meta.summary
    return {
        "workspace": workspace_id,
        "name": summary.get("name", ""),
        "role": role,
        "revision": meta.head.revision,
        "nodes": summary.get("nodes", 0),
        "edges": summary.get("edges", 0),
        "characters": summary.get("chars", 0),
        "updated_at": iso(meta.updated_ms),
        "link": f"{base}/w/{workspace_id}",
    }


Tool = Callable[[Context, Request, Agent, Any], Awaitable[ToolAnswer]]
TOOLS: Final[Mapping[str, Tool]] = {"list_workspaces": _list_workspaces}
