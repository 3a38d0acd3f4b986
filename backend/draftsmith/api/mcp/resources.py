"""Workspaces as resources of the protocol: listed in pages, read, completed. Not here: changes of them (`listening`).

Reading one takes what reading the workspace by a tool takes, counts as a call, and as having been shown what is in it.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import mcp_types as types
import orjson
from mcp.shared.exceptions import MCPError
from starlette.requests import Request

from draftsmith.agents import inputs
from draftsmith.agents.resources import TEMPLATES, Resource, resource_or_none, section_paths
from draftsmith.api.access.gate import entered_of
from draftsmith.api.context import Context
from draftsmith.api.http.proxies import base_of
from draftsmith.api.mcp import installation
from draftsmith.api.mcp.actions import RESOURCES
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.agents import reading
from draftsmith.usecases.agents.agent import Agent
from draftsmith.usecases.agents.dependencies import Call
from draftsmith.usecases.requests.client import Client, set_client
from draftsmith.usecases.requests.identity import check_id
from draftsmith.usecases.upkeep.node_images import DrawnImages

_MOST_COMPLETIONS: Final = 100


def protocol_error(error: DraftsmithError, **data: Any) -> MCPError:
    """A refusal as an error of the protocol."""
    told = {"code": error.code, **data}
    return MCPError(types.INVALID_PARAMS, f"Refused ({error.code}): {error.detail}", told)


async def list_resources(
    context: Context, request: Request, agent: Agent, cursor: str | None
) -> types.ListResourcesResult:
    """Diagram and document of each workspace that one may see, newest change first."""
    await context.gate.count_call(entered_of(request), agent.id)
    await context.gate.enter(request, RESOURCES["resources/list"])
    asked = inputs.ListWorkspacesArguments(cursor=cursor or "")
    answer = await installation.TOOLS["list_workspaces"](context, request, agent, asked)
    listed = []
    for one in answer.data["workspaces"]:
        for part in ("diagram", "document"):
            title = f"{one['name']} · {TEMPLATES[f'draftsmith://w/{{id}}/{part}'][0]}"
            listed.append(
                types.Resource(
                    uri=Resource(one["workspace"], part).uri,
                    name=f"{one['workspace']}/{part}",
                    title=title,
                    mime_type="text/plain",
                    annotations=types.Annotations(last_modified=one["updated_at"]),
                )
            )
    return types.ListResourcesResult(resources=listed, next_cursor=answer.data["next_cursor"])


def list_templates() -> types.ListResourceTemplatesResult:
    """The addresses with variables."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                uri_template=uri, name=title.lower(), title=title, description=about, mime_type="text/plain"
            )
            for uri, (title, about) in TEMPLATES.items()
        ]
    )


async def read(context: Context, request: Request, agent: Agent, uri: str) -> types.ReadResourceResult:
    """What an address holds.

    Raises:
        DraftsmithError: `not_found` for an address of nothing; as the gate and reads.
    """
    await context.gate.count_call(entered_of(request), agent.id)
    asked = resource_or_none(uri)
    if asked is None:
        there = ", ".join(TEMPLATES)
        raise DraftsmithError("not_found", f"There is no resource {uri[:200]!r}. The addresses are: {there}.")
    workspace_id = await entered_for(context, request, agent, asked.workspace)
    role = entered_of(request).role
    assert role is not None
    call = Call(agent, workspace_id, role, f"{base_of(request)}/w/{workspace_id}")
    answer = await reading.resource(context.agents, call, asked)
    context.agents.presence.note(workspace_id, agent)
    missing = answer.data.get("not_read")
    if missing:
        raise DraftsmithError("not_found", str(missing[0]))
    about = {"draftsmith/revision": answer.data["revision"], "draftsmith/link": call.link}
    content = types.TextResourceContents(uri=uri, mime_type="text/plain", text=answer.text, meta=about)
    return types.ReadResourceResult(contents=[content])


async def read_images(
    context: Context, request: Request, agent: Agent, uri: str, workspace: str
) -> types.ReadResourceResult:
    """What the page of a program shows on cards: `{images, icons}`, as a picture has them; none where none are drawn.

    Raises:
        DraftsmithError: as the gate; `storage_down`.
    """
    await context.gate.count_call(entered_of(request), agent.id)
    workspace_id = await entered_for(context, request, agent, workspace)
    drawn = DrawnImages({}) if context.pictures is None else await context.pictures.images_of(workspace_id)
    text = orjson.dumps({"images": drawn.embedded, "icons": drawn.icons}).decode()
    content = types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
    return types.ReadResourceResult(contents=[content])


async def entered_for(context: Context, request: Request, agent: Agent, workspace: str) -> WorkspaceId:
    """Let an agent pass to what it wants to read; raises as the gate."""
    set_client(Client(entered_of(request).address, agent.id))
    workspace_id = check_id(workspace)
    await context.gate.enter(request, RESOURCES["resources/read"], workspace_id)
    return workspace_id


async def complete(
    context: Context, request: Request, agent: Agent, name: str, value: str, known_values: dict[str, str]
) -> types.CompleteResult:
    """Values for a variable of an address or an argument of a prompt: ids of workspaces, or headings of one.

    Args:
        context: the use cases.
        request: has passed the gate as an agent.
        agent: who asks.
        name: of the variable or argument.
        value: what is there of it already.
        known_values: the values of the others.
    """
    await context.gate.count_call(entered_of(request), agent.id)
    values: list[str] = []
    if name in ("id", "workspace"):
        await context.gate.enter(request, RESOURCES["resources/list"])
        text = "" if inputs.workspace_in(value) else value
        answer = await installation.TOOLS["list_workspaces"](
            context, request, agent, inputs.ListWorkspacesArguments(text=text[:200])
        )
        values = [one["workspace"] for one in answer.data["workspaces"]]
    elif name == "path" and known_values.get("id"):
        workspace_id = await entered_for(context, request, agent, inputs.workspace_in(known_values["id"]))
        _, content = await context.agents.workspaces.compute(workspace_id, partial(section_paths, value))
        values = orjson.loads(content)
    found = types.Completion(values=values[:_MOST_COMPLETIONS], has_more=len(values) > _MOST_COMPLETIONS)
    return types.CompleteResult(completion=found)
