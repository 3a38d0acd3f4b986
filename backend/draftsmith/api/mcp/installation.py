"""Tools that concern no single workspace: list the workspaces, create one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from starlette.requests import Request

from draftsmith.access.roles import Role, is_at_least
from draftsmith.agents import inputs
from draftsmith.agents.answer import NOT_INSTRUCTIONS, ToolAnswer
from draftsmith.agents.marks import LINES, TEXT
from draftsmith.api.access.gate import entered_of
from draftsmith.api.context import Context
from draftsmith.api.forms.responses import cursor, read_cursor
from draftsmith.api.http.proxies import base_of
from draftsmith.api.shared.creation import Start, reserve_workspace
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import quote_line
from draftsmith.errors import DraftsmithError
from draftsmith.history.times import iso
from draftsmith.model.name_search import searched_words
from draftsmith.model.workspace import WorkspaceContent
from draftsmith.ports import Meta
from draftsmith.ports.listing import Key, ListQuery
from draftsmith.usecases.access import members
from draftsmith.usecases.agents.agent import Agent
from draftsmith.usecases.requests.identity import fingerprint, identify

_PAGE: Final = 50
_LEAST_ID: Final = 8


async def _list_workspaces(
    context: Context, request: Request, agent: Agent, asked: inputs.ListWorkspacesArguments
) -> ToolAnswer:
    """Those that one may see, newest change first."""
    after = read_cursor(asked.cursor or None, int, str)
    found: list[tuple[Key, Meta, Role | None]] = []
    begin = None if after is None else (after[0], after[1])
    async for chunk in context.listing.walk(ListQuery(words=searched_words(asked.text)), begin, _PAGE + 1):
        roles = await context.gate.roles(entered_of(request), [workspace_id for _, workspace_id, _ in chunk])
        found += [
            (key, meta, role) for (key, _, meta), role in zip(chunk, roles, strict=True) if is_at_least(role, "viewer")
        ]
        if len(found) > _PAGE:
            break
    page = found[:_PAGE]
    items = [_item(base_of(request), key[1], meta, role) for key, meta, role in page if role is not None]
    following = cursor(*page[-1][0]) if len(found) > _PAGE else None
    lines = [
        f"{one['workspace']} {quote_line(one['name'])} {one['role']} revision {one['revision']}, {one['nodes']} nodes, "
        f"{one['characters']} characters, changed {one['updated_at']}"
        for one in items
    ]
    text = "\n".join(lines) or "(none)"
    said = [text_block("workspaces", mark_of([text]), text), NOT_INSTRUCTIONS]
    return ToolAnswer({"workspaces": items, "next_cursor": following}, "\n".join(said))


async def _create_workspace(
    context: Context, request: Request, agent: Agent, asked: inputs.CreateWorkspaceArguments
) -> ToolAnswer:
    """A new one, which belongs to whom the agent works for."""
    entered = entered_of(request)
    if asked.id and len(asked.id) < _LEAST_ID:
        raise DraftsmithError("invalid_request", f"An id has {_LEAST_ID} to 128 characters; use a fresh one.")
    if asked.template and asked.document:
        raise DraftsmithError("invalid_request", "Give a template or a document, not both.")
    content = context.template(asked.template) if asked.template else _content(asked.document)
    identity = identify(agent.actor, asked.id or None, context.clock)
    facts = ["create", asked.name, asked.template, asked.document]
    async with reserve_workspace(context, entered, context.workspaces.id_for(identity)) as place:
        workspace_id, answer = await context.workspaces.create(
            identity,
            agent.actor,
            name=asked.name,
            content=Start(content, "template" if asked.template else "mcp").content_for(asked.name),
            source="mcp",
            fingerprint=fingerprint(facts),
            workspace_id=place.workspace_id,
        )
        if context.gate.mode == "token":
            await members.claim(context.access, entered.asking, workspace_id)
    head = await context.workspaces.read(workspace_id, lambda replica: replica.head)
    if not answer["replayed"] and not asked.template:  # whose content the agent has not seen
        await context.agents.store.add_marks(agent.id, workspace_id, head.epoch, [LINES, TEXT], answer["revision"])
    link = f"{base_of(request)}/w/{workspace_id}"
    data = {"workspace": workspace_id, "name": asked.name, "revision": head.revision, "link": link}
    return ToolAnswer(
        data, f"Made {quote_line(asked.name)}: workspace {workspace_id}, revision {head.revision}. {link}"
    )


def _content(document: str) -> WorkspaceContent:
    return {"document": {"text": document}} if document else {}


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
TOOLS: Final[Mapping[str, Tool]] = {
    "list_workspaces": _list_workspaces,
    "create_workspace": _create_workspace,
}
