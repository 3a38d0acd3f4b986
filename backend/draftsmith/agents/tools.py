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
from draftsmith.assistant.tools.tools import batch_schema, compact_schema


@dataclass(frozen=True, slots=True)
class _Facts:
    title: str
    takes: type[ToolInput]
    answers: Any
    is_reading: bool = True
    is_destructive: bool = False


TOOLS: Final[Mapping[str, _Facts]] = {
    "list_workspaces": _Facts("List workspaces", inputs.ListWorkspaces, outputs.WorkspaceList),
    "create_workspace": _Facts("Create a workspace", inputs.CreateWorkspace, outputs.Created, is_reading=False),
    "read_workspace": _Facts("Read a workspace", inputs.ReadWorkspace, outputs.WorkspaceRead),
    "read_sections": _Facts("Read sections of the document", inputs.ReadSections, outputs.SectionsRead),
    "read_nodes": _Facts("Read nodes whole", inputs.ReadNodes, outputs.NodesRead),
    "find": _Facts("Find words in diagram and document", inputs.Find, outputs.Found),
    "check": _Facts("Check what looks wrong", inputs.Check, outputs.Checked),
    "history": _Facts("See what was changed, by whom", inputs.History, outputs.HistoryRead),
    "compare": _Facts("Compare two revisions", inputs.Compare, outputs.Compared),
    "export": _Facts("Export a workspace", inputs.Export, outputs.Exported),
    "edit": _Facts("Edit diagram and document", inputs.Edit, outputs.Edited, is_reading=False, is_destructive=True),
    "undo": _Facts("Undo a commit of one's own", inputs.Undo, outputs.Undone, is_reading=False, is_destructive=True),
    "proposals": _Facts(
        "See, accept or withdraw proposals", inputs.Proposals, outputs.ProposalsRead, is_reading=False,
        is_destructive=True,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AgentTool:
    """One tool.

    Attributes:
        is_reading: it changes nothing.
        is_destructive: it may take something away; undo brings it back.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
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
            name, facts.title, texts.tools[name], _input_schema(name), _output_schema(name),
            facts.is_reading, facts.is_destructive,
        )
        for name, facts in TOOLS.items()
    ]  # fmt: skip


@lru_cache
def _input_schema(name: str) -> Mapping[str, Any]:
    schema = compact_schema(TOOLS[name].takes.model_json_schema())
    properties = dict(schema["properties"])
    required = list(schema.get("required", []))
    if name == "edit":
        batch = batch_schema({**DIAGRAM_OPERATIONS, **DOCUMENT_OPERATIONS})
        properties = {"workspace": properties.pop("workspace"), **batch["properties"], **properties}
        required.append("operations")
    shape = {"type": "object", "properties": properties}
    return {**shape, "required": required} if required else shape


@lru_cache
def _output_schema(name: str) -> Mapping[str, Any]:
    schema: dict[str, Any] = TypeAdapter(TOOLS[name].answers).json_schema()
    return {word: _untitled(part) for word, part in schema.items() if word not in ("title", "description")}


def _untitled(shape: Any) -> Any:
    """A schema without titles and the docstrings of our own code."""
    if isinstance(shape, list):
        return [_untitled(part) for part in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        word: {name: _untitled(part) for name, part in inner.items()} if word in ("properties", "$defs") else
        _untitled(inner)
        for word, inner in shape.items()
        if word not in ("title", "description")
    }  # fmt: skip
