"""A call of a tool: who asks, by which action of the gate, and what becomes of refusals. Nothing of any protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request

from draftsmith.agents import inputs
from draftsmith.agents.answer import ToolAnswer
from draftsmith.agents.refused import in_words
from draftsmith.agents.tools import TOOLS as FACTS
from draftsmith.api.context import Context
from draftsmith.api.gate import entered_of
from draftsmith.api.guard import note
from draftsmith.api.mcp import installation
from draftsmith.api.problems import problem_document
from draftsmith.api.proxies import base_of
from draftsmith.api.route_actions import TOOLS
from draftsmith.assistant.tool_arguments import ToolFault
from draftsmith.errors import DraftsmithError
from draftsmith.usecases.agents import past, proposing, reading, refusals
from draftsmith.usecases.agents.agent import agent_of
from draftsmith.usecases.agents.dependencies import AgentDependencies, Call
from draftsmith.usecases.agents.editing import edit
from draftsmith.usecases.commits.client import Client, set_client

Tool = Callable[[AgentDependencies, Call, Any], Awaitable[ToolAnswer]]
OF_WORKSPACE: Final[Mapping[str, Tool]] = {
    "read_workspace": reading.read_workspace,
    "read_sections": reading.read_sections,
    "read_nodes": reading.read_nodes,
    "find": reading.find,
    "check": reading.check,
    "history": past.history,
    "compare": past.compare,
    "export": reading.export,
    "undo": past.undo,
    "proposals": proposing.proposals,
}
"""By name, the tools about one workspace."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call answers; `is_error` where it was refused, with a problem document as `data`."""

    data: Mapping[str, Any]
    text: str
    is_error: bool = False


async def call_tool(context: Context, request: Request, program: str, name: str, given: Mapping[str, Any]) -> Outcome:
    """Run a tool.

    Args:
        context: the use cases.
        request: has passed the gate as an agent.
        program: as the calling program names itself.
        name: one of `agents.tools.TOOLS`.
        given: its arguments as they came.
    """
    note(request.scope, tool=name)
    try:
        answer = await _answer(context, request, program, name, given)
    except ToolFault as fault:
        return _refused(DraftsmithError("invalid_request", str(fault)), request)
    except DraftsmithError as error:
        return _refused(error, request)
    return Outcome(answer.data, answer.text)


async def _answer(context: Context, request: Request, program: str, name: str, given: Mapping[str, Any]) -> ToolAnswer:
    asked = inputs.read_input(FACTS[name].takes, given)
    agent = agent_of(entered_of(request).principal, program)
    set_client(Client(entered_of(request).address, agent.id))
    if isinstance(asked, inputs.OfWorkspace):
        entered = await context.gate.enter(request, TOOLS[name], asked.workspace)
        assert entered.role is not None
        workspace_id = installation.workspace_in(asked)
        link = f"{base_of(request)}/w/{workspace_id}"
        call = Call(agent, workspace_id, entered.role, link)
        return await _of_workspace(context.agents, call, name, asked, given)
    await context.gate.enter(request, TOOLS[name])
    return await installation.TOOLS[name](context, request, agent, asked)


async def _of_workspace(
    needs: AgentDependencies, call: Call, name: str, asked: inputs.OfWorkspace, given: Mapping[str, Any]
) -> ToolAnswer:
    """Run a tool about one workspace; what somebody else changed first is told with the refusal."""
    if isinstance(asked, inputs.Edit):
        try:
            return await edit(needs, call, asked, given)
        except DraftsmithError as error:
            raise await refusals.told(needs, call, error) from None
    return await OF_WORKSPACE[name](needs, call, asked)


def _refused(error: DraftsmithError, request: Request) -> Outcome:
    """A refusal as the problem document that the API would answer with, and in words."""
    document = problem_document(error, str(getattr(request.state, "request_id", "")))
    return Outcome(document, in_words(error), is_error=True)
