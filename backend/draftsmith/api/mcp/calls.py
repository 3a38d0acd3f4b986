"""A call of a tool: who asks, by which action of the gate, and what becomes of refusals. Nothing of any protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
from starlette.requests import Request

from draftsmith.agents import inputs
from draftsmith.agents.answer import ToolAnswer
from draftsmith.agents.refusal_texts import refusal_text
from draftsmith.agents.tools import TOOLS as FACTS
from draftsmith.api.access.gate import entered_of
from draftsmith.api.context import Context
from draftsmith.api.forms.problems import problem_document
from draftsmith.api.http.guard import note
from draftsmith.api.http.proxies import base_of
from draftsmith.api.mcp import installation
from draftsmith.api.mcp.actions import TOOLS
from draftsmith.assistant.tools.tool_arguments import ToolFault
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.agents import history_tools, proposing, reading, refusals
from draftsmith.usecases.agents.agent import Agent, agent_of
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call
from draftsmith.usecases.agents.editing import edit
from draftsmith.usecases.agents.loops import MOST_REFUSALS, RefusedCalls
from draftsmith.usecases.requests.client import Client, set_client
from draftsmith.usecases.requests.identity import check_id

Tool = Callable[[AgentDependencies, Call, Any], Awaitable[ToolAnswer]]
OF_WORKSPACE: Final[Mapping[str, Tool]] = {
    "read_workspace": reading.read_workspace,
    "read_sections": reading.read_sections,
    "read_nodes": reading.read_nodes,
    "find": reading.find,
    "check": reading.check,
    "history": history_tools.history,
    "compare": history_tools.compare,
    "export": reading.export,
    "query": reading.query,
    "undo": history_tools.undo,
    "proposals": proposing.proposals,
}
"""By name, the tools about one workspace; `edit` is given its operations as they came, too."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call answers, perhaps with a PNG; `is_error` where it was refused, with a problem document as `data`."""

    data: Mapping[str, Any]
    text: str
    is_error: bool = False
    picture: bytes = b""


async def call_tool(
    context: Context, request: Request, program: str, name: str, arguments: Mapping[str, object]
) -> Outcome:
    """Run a tool.

    Args:
        context: the use cases.
        request: has passed the gate as an agent.
        program: as the calling program names itself.
        name: one of `agents.tools.TOOLS`.
        arguments: its arguments as they came.
    """
    note(request.scope, tool=name)
    agent = agent_of(entered_of(request).principal, program)
    try:
        await context.gate.count_call(entered_of(request), agent.id)
        _check_text(arguments)
    except DraftsmithError as error:
        return _refusal_result(error, request)
    calls = RefusedCalls(context.agents.store, agent.id, name, arguments)
    try:
        await calls.check()
        answer = await _answer(context, request, agent, name, arguments)
    except (ToolFault, DraftsmithError) as fault:
        refusal = fault if isinstance(fault, DraftsmithError) else DraftsmithError("invalid_request", str(fault))
        if refusal.code != "agent_looping" and await calls.count_refusal(refusal):
            await _tell_stopped(context, request, agent, name, refusal, arguments)
        return _refusal_result(refusal, request)
    if not FACTS[name].is_reading:
        await calls.clear_refusals()
    return Outcome(answer.data, answer.text, picture=answer.picture)


async def _answer(
    context: Context, request: Request, agent: Agent, name: str, arguments: Mapping[str, object]
) -> ToolAnswer:
    asked = inputs.read_input(FACTS[name].takes, arguments)
    set_client(Client(entered_of(request).address, agent.id))
    if not isinstance(asked, inputs.WorkspaceArguments):
        await context.gate.enter(request, TOOLS[name])
        return await installation.TOOLS[name](context, request, agent, asked)
    entered = await context.gate.enter(request, TOOLS[name], asked.workspace)
    assert entered.role is not None
    workspace_id = check_id(asked.workspace)
    call = Call(agent, workspace_id, entered.role, f"{base_of(request)}/w/{workspace_id}")
    try:
        if isinstance(asked, inputs.EditArguments):
            answer = await edit(context.agents, call, asked, arguments)
        else:
            answer = await OF_WORKSPACE[name](context.agents, call, asked)
    except DraftsmithError as error:
        if error.code != "workspace_not_found":
            context.agents.presence.note(workspace_id, agent)
        raise await refusals.explain_refusal(context.agents, call, error) from None
    context.agents.presence.note(workspace_id, agent)
    return answer


def _check_text(arguments: Mapping[str, object]) -> None:
    """Refuse what the log and parsers of Markdown do not carry.

    Raises:
        DraftsmithError: `invalid_request` for half of a surrogate pair, or a NUL character.
    """
    try:
        raw = orjson.dumps(arguments)
    except TypeError:
        raise DraftsmithError("invalid_request", "The arguments hold half of a surrogate pair.") from None
    if b"\\u0000" in raw and b"\\u0000" in raw.replace(b"\\\\", b""):
        raise DraftsmithError("invalid_request", "The arguments hold a NUL character.")


async def _tell_stopped(
    context: Context, request: Request, agent: Agent, name: str, error: DraftsmithError, arguments: Mapping[str, object]
) -> None:
    """Tell people that an agent was stopped: in the audit, and among those who are here."""
    entered = entered_of(request)
    detail = f"{agent.actor.name}: {name} was refused {MOST_REFUSALS} times in a row ({error.code})"
    workspace_id = inputs.workspace_in(str(arguments.get("workspace", ""))) if entered.role is not None else ""
    await context.access.note(entered.asking, "agent.stopped", detail, workspace_id)
    if workspace_id:
        context.agents.presence.note(WorkspaceId(workspace_id), agent, is_stopped=True)


def _refusal_result(error: DraftsmithError, request: Request) -> Outcome:
    """A refusal as the problem document that the API would answer with, and in words."""
    document = problem_document(error, str(getattr(request.state, "request_id", "")))
    return Outcome(document, refusal_text(error), is_error=True)
