"""The tools as agents see them: names, texts, schemas of what they take and answer, hints; always the same bytes.

Which action each is stands in `api.mcp.actions`, what each does in `usecases.agents`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from pydantic import TypeAdapter

from draftsmith.agents import inputs, outputs
from draftsmith.agents.texts import AgentTexts
from draftsmith.assistant.tools.tool_inputs import DIAGRAM_OPERATIONS, DOCUMENT_OPERATIONS, ToolInput
from draftsmith.assistant.tools.tools import batch_schema, compact_schema, with_operations


@dataclass(frozen=True, slots=True)
class _Facts:
    title: str
    takes: type[ToolInput]
    answers: Any  # None: its words are the answer, and are not sent a second time as JSON
    is_reading: bool = True
    is_destructive: bool = False


_OPERATIONS: Final = {**DIAGRAM_OPERATIONS, **DOCUMENT_OPERATIONS}
TOOLS: Final[Mapping[str, _Facts]] = {
    "list_workspaces": _Facts("List workspaces", inputs.ListWorkspacesArguments, outputs.ListWorkspacesResult),
    "create_workspace": _Facts(
        "Create a workspace", inputs.CreateWorkspaceArguments, outputs.CreateWorkspaceResult, is_reading=False
    ),
    "read_workspace": _Facts("Read a workspace", inputs.ReadWorkspaceArguments, None),
    "read_sections": _Facts("Read sections of the document", inputs.ReadSectionsArguments, outputs.ReadSectionsResult),
    "read_nodes": _Facts("Read nodes whole", inputs.ReadNodesArguments, outputs.ReadNodesResult),
    "find": _Facts("Find words in diagram and document", inputs.FindArguments, outputs.FindResult),
    "check": _Facts("Check what looks wrong", inputs.CheckArguments, outputs.CheckResult),
    "history": _Facts("See what was changed, by whom", inputs.HistoryArguments, outputs.HistoryResult),
    "compare": _Facts("Compare two revisions", inputs.CompareArguments, outputs.CompareResult),
    "export": _Facts("Export a workspace", inputs.ExportArguments, outputs.ExportResult),
    "query": _Facts("Ask the assistant about a workspace", inputs.QueryArguments, outputs.QueryResult),
    "edit": _Facts(
        "Edit diagram and document", inputs.EditArguments, outputs.EditResult, is_reading=False, is_destructive=True
    ),
    "undo": _Facts(
        "Undo a commit of one's own", inputs.UndoArguments, outputs.UndoResult, is_reading=False, is_destructive=True
    ),
    "proposals": _Facts(
        "See, accept or withdraw proposals", inputs.ProposalsArguments, outputs.ProposalsResult, is_reading=False,
        is_destructive=True,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AgentTool:
    """One tool.

    Attributes:
        output_schema: of what it answers as JSON; None where its words are the answer.
        is_reading: it changes nothing.
        is_destructive: it may take something away; undo brings it back.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    is_reading: bool
    is_destructive: bool


def agent_tools(texts: AgentTexts) -> Sequence[AgentTool]:
    """All tools, in the order in which they are listed.

    Raises:
        ValueError: a tool has no text, or a text no tool.
    """
    differing = sorted(texts.tools.keys() ^ TOOLS.keys())
    if differing:
        raise ValueError(f"the texts and the tools of agents do not agree on {', '.join(differing)}")
    return [
        AgentTool(
            name, facts.title, _description(name, texts), _input_schema(name), _output_schema(name),
            facts.is_reading, facts.is_destructive,
        )
        for name, facts in TOOLS.items()
    ]  # fmt: skip


def _description(name: str, texts: AgentTexts) -> str:
    return with_operations(texts.tools[name], _OPERATIONS) if name == "edit" else texts.tools[name]


@lru_cache
def _input_schema(name: str) -> Mapping[str, Any]:
    schema = compact_schema(TOOLS[name].takes.model_json_schema())
    properties = dict(schema["properties"])
    required = list(schema.get("required", []))
    if name == "edit":
        batch = batch_schema(_OPERATIONS)
        properties = {"workspace": properties.pop("workspace"), **batch["properties"], **properties}
        required.append("operations")
    shape = {"type": "object", "properties": properties}
    return {**shape, "required": required} if required else shape


@lru_cache
def _output_schema(name: str) -> Mapping[str, Any] | None:
    if TOOLS[name].answers is None:
        return None
    schema: Mapping[str, Any] = _without_titles(TypeAdapter(TOOLS[name].answers).json_schema())
    return schema


def _without_titles(shape: Any) -> Any:
    """A schema without titles, the docstrings of our own code, and the prefix of our classes in its definitions."""
    if isinstance(shape, list):
        return [_without_titles(part) for part in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        word: {name.removeprefix("Agent"): _without_titles(part) for name, part in inner.items()}
        if word in ("properties", "$defs") else
        inner.replace("#/$defs/Agent", "#/$defs/") if word == "$ref" else
        _without_titles(inner)
        for word, inner in shape.items()
        if word not in ("title", "description")
    }  # fmt: skip
