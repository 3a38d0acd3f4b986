"""The registered plugins as administrators see them: how each is, its tools, and why some are not offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NotRequired

from fastapi import APIRouter
from starlette.responses import Response
from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.access.actions import Action
from draftsmith.api.context import API, Ctx
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms.responses import json_response
from draftsmith.api.shared.disclosure import host_of
from draftsmith.history.times import iso

if TYPE_CHECKING:  # nothing of plugins is imported where none is registered
    from draftsmith.usecases.plugins.plugins import PluginHealth

router = APIRouter(route_class=Route, prefix=API, tags=["assistant"])


class PluginToolOut(TypedDict):
    """A tool that is offered, as models call it; each call of one that `writes` waits for a person's yes."""

    name: str
    writes: bool


class PluginOut(TypedDict):
    """A registered plugin.

    `status`: it was not asked yet, it answers, or it is away, since then; `detail` says why it is away. `describes`:
    the name and version that it gives itself, null until it answered once. `refused`: why tools of it are not offered.
    `sends_to`: the host that arguments of its tools go to. `workflows`: where it is offered; null: in all that may.
    """

    name: str
    sends_to: str
    status: Literal["starting", "ready", "away"]
    since: str | None
    checked_at: str | None
    detail: str
    describes: str | None
    tools: list[PluginToolOut]
    refused: list[str]
    workflows: list[str] | None


class PluginList(TypedDict):
    """All registered plugins; there is no next page."""

    items: list[PluginOut]
    next_cursor: NotRequired[None]


@router.get("/plugins", dependencies=[requires(Action.SETTINGS_READ)], response_model=PluginList)
async def list_plugins(context: Ctx) -> Response:
    """List the registered plugins with their health, as this worker sees it."""
    plugins = context.assistant.dependencies.plugins
    if plugins is None:
        return json_response(PluginList(items=[], next_cursor=None))
    left_out = plugins.left_out()
    items = [_plugin(one, left_out) for one in plugins.health]
    return json_response(PluginList(items=items, next_cursor=None))


def _plugin(one: PluginHealth, left_out: Mapping[str, int]) -> PluginOut:
    from draftsmith.assistant.tools.plugin_tools import tool_name

    name, described = one.registered.name, one.description
    refused = list(one.refusal_reasons)
    if beyond := left_out[name]:
        refused.append(f"the last {beyond} of its tools: all plugins together have more than a run may be offered")
    workflows = one.registered.workflows
    return {
        "name": name,
        "sends_to": host_of(one.registered.url),
        "status": one.status,
        "since": iso(one.since_ms) if one.since_ms else None,
        "checked_at": iso(one.checked_ms) if one.checked_ms else None,
        "detail": one.detail,
        "describes": None if described is None else f"{described.name} {described.version}".strip(),
        "tools": [{"name": tool_name(name, tool.name), "writes": one.writes(tool)} for tool in one.tools],
        "refused": refused,
        "workflows": None if workflows is None else list(workflows),
    }
