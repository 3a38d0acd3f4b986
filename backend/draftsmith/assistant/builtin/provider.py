"""The built-in commands as a provider: the first turn plans and calls, the second reports the results.

Messages are plain dictionaries. If nothing was done, the message of the last turn holds
`{"refused": {kind, reason, suggestions: [text, text]}}`. Nothing is sent anywhere and no tokens are counted.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from draftsmith.assistant.builtin.planning import Plan, plan, refuse
from draftsmith.assistant.builtin.questions import answer, ids_in
from draftsmith.assistant.builtin.refusal import Refusal
from draftsmith.assistant.provider import (
    Event,
    Message,
    ProviderStatus,
    TextDelta,
    ToolCall,
    ToolDelta,
    ToolResult,
    ToolStart,
    TurnEnd,
    TurnRequest,
)
from draftsmith.model.ids import NodeId
from draftsmith.model.workspace import Workspace

T = TypeVar("T")
_PIECE: Final = 400  # characters of a call's JSON in one event
_CHANGED: Final = "The diagram or the document changed meanwhile, so nothing was done. Send the command again."


class WorkspaceReader(Protocol):
    """Calls a function with the workspace as it is now; the function must not change it or keep a reference to it.

    It may be called in another process: it is one of a module, or a partial one.
    """

    def __call__(self, work: Callable[[Workspace], T], /) -> Awaitable[T]:
        """The result of the function."""
        ...


class BuiltinProvider:
    """Commands in fixed sentences. Implements `AIProvider`; one object serves one run."""

    name = "builtin"
    label = "Built-in commands (no AI model)"
    model = ""
    reads_context = False

    def __init__(self, read_workspace: WorkspaceReader) -> None:
        self._read_workspace = read_workspace

    def user(self, text: str) -> Message:
        """A message of the person."""
        return {"role": "user", "text": text}

    def results(self, results: Sequence[ToolResult], note: str = "") -> Message:
        """The message that answers every call of the turn before."""
        return {"role": "results", "results": [asdict(result) for result in results]}

    async def check(self) -> ProviderStatus:
        """Always succeeds."""
        return ProviderStatus(True, "", "Built-in commands need no model and no key.")

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        """Make one turn: plan and call, or report the results of the calls."""
        messages = request.messages
        tools = {tool.name for tool in request.tools}
        command = next(str(message["text"]) for message in messages if message["role"] == "user")
        planned = next((m for m in reversed(messages) if m["role"] == "assistant" and m["calls"]), None)
        if messages[-1]["role"] == "results" and planned is not None:
            events = await self._finish(command, planned, messages[-1]["results"], tools)
        elif planned is not None:
            events = ending(_CHANGED, await self._refusal("changed", _CHANGED, command, tools))
        else:
            events = await self._begin(command, tools)
        for event in events:
            yield event

    async def _begin(self, command: str, tools: set[str]) -> list[Event]:
        may_edit = "edit_diagram" in tools
        made = await self._read_workspace(partial(plan, command, may_edit=may_edit))
        refusal = made.refusal
        if refusal is None and not tools.issuperset(name for name, _ in made.calls):
            reason = "These commands cannot be carried out here, since the tools they need are switched off."
            refusal = Refusal("unavailable", reason)
        if refusal is not None:
            return ending(_refused_text(refusal), refusal)
        return _call(made)

    async def _finish(
        self, command: str, planned: Mapping[str, Any], results: Sequence[Mapping[str, Any]], tools: set[str]
    ) -> list[Event]:
        failed = [result for result in results if result["is_error"]]
        if failed:
            reason = _problem_sentence(failed[0]) + ("" if planned["questions"] else " Nothing was changed.")
            refusal = await self._refusal("misfit", reason, command, tools)
            return ending(_refused_text(refusal), refusal)
        if planned["sentences"]:
            return ending(" ".join(planned["sentences"]))
        wanted = set().union(*(ids_in(result["data"]) for result in results))
        labels = await self._read_workspace(partial(_labels, wanted))
        asked = zip(planned["questions"], results, strict=True)
        return ending("\n\n".join(answer(form, about, result["data"], labels) for (form, about), result in asked))

    async def _refusal(self, kind: str, reason: str, command: str, tools: set[str]) -> Refusal:
        return await self._read_workspace(partial(refuse, kind, reason, command, "edit_diagram" in tools))


def _labels(wanted: set[str], workspace: Workspace) -> dict[str, str]:
    diagram = workspace.diagram
    return {node_id: diagram.label(node_id) for node_id in map(NodeId, wanted) if node_id in diagram}


def _call(plan: Plan) -> list[Event]:
    """The turn that calls what was planned."""
    calls = [ToolCall(f"call_{number}", name, given) for number, (name, given) in enumerate(plan.calls, 1)]
    count = sum(len(call.input["operations"]) for call in calls if call.input and "operations" in call.input)
    text = "Looking it up.\n\n" if plan.questions else f"{count} change{'' if count == 1 else 's'}.\n\n"
    questions = [(question.form, question.about) for question in plan.questions]
    return calling(calls, text, sentences=list(plan.sentences), questions=questions)


def calling(calls: Sequence[ToolCall], text: str = "", **kept: Any) -> list[Event]:
    """A turn that calls: a short text, then each call with its input in pieces; what is kept goes into the message."""
    events: list[Event] = [TextDelta(text)] if text else []
    for call in calls:
        events.append(ToolStart(call.id, call.name))
        written = json.dumps(call.input, ensure_ascii=False)
        events += [ToolDelta(call.id, written[at : at + _PIECE]) for at in range(0, len(written), _PIECE)]
    named = [{"id": call.id, "name": call.name, "input": call.input} for call in calls]
    return [*events, TurnEnd("tools", calls, {"role": "assistant", "text": text, "calls": named, **kept})]


def ending(text: str, refusal: Refusal | None = None) -> list[Event]:
    """A turn that ends with words: an answer, or why nothing was done."""
    message: dict[str, object] = {"role": "assistant", "text": text, "calls": []}
    if refusal is not None:
        message["refused"] = refusal.to_json()
    return [TextDelta(text), TurnEnd("end", (), message)]


def _refused_text(refusal: Refusal) -> str:
    if not refusal.suggestions:
        return refusal.reason
    return "\n".join([refusal.reason, "", "What I would understand:", *(f"- {one}" for one in refusal.suggestions)])


def _problem_sentence(result: Mapping[str, object]) -> str:
    """The first problem of a refused batch in one sentence."""
    data = result["data"] if isinstance(result["data"], Mapping) else {}
    problems = data.get("problems") or ()
    if not problems:
        return str(data.get("error") or "That did not fit.")
    message = str(problems[0].get("message") or "That did not fit.")
    near = [str(one) for one in problems[0].get("candidates") or () if str(one) not in message]
    return message + (f" Near to it: {'; '.join(near[:3])}." if near else "")
