"""What the tools take. Unknown fields are ignored and numbers may come as texts, as models write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BeforeValidator, Field, StringConstraints

from draftsmith.assistant.tools.tool_arguments import read_tool_input
from draftsmith.assistant.tools.tool_inputs import ToolInput
from draftsmith.model.ids import NodeId

_WORKSPACE: Final = re.compile(r"(?<![0-9a-z])[0-9a-hjkmnp-tv-z]{26}(?![0-9a-z])")


def _id_in(value: Any) -> Any:
    """The id in a text, which may be the address of a workspace."""
    found = _WORKSPACE.search(value) if isinstance(value, str) else None
    return found[0] if found else value


def workspace_in(text: str) -> str:
    """The id of a workspace in a text; empty where there is none."""
    found = _WORKSPACE.search(text)
    return found[0] if found else ""


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


WorkspaceName = Annotated[str, BeforeValidator(_id_in), StringConstraints(max_length=200)]
Cursor = Annotated[str, Field(max_length=400)]
Revision = Annotated[int, Field(ge=1)]


class WorkspaceArguments(ToolInput):
    """Every tool about one workspace."""

    workspace: WorkspaceName


class ListWorkspacesArguments(ToolInput):
    """Which workspaces there are."""

    text: Annotated[str, Field(max_length=200, description="of the name")] = ""
    cursor: Cursor = ""


class CreateWorkspaceArguments(ToolInput):
    """A new workspace."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    template: Annotated[str, Field(max_length=100, description="its id")] = ""
    document: Annotated[str, Field(description="Markdown to begin with")] = ""
    id: Annotated[str, Field(max_length=128, description="of this call")] = ""


class ReadWorkspaceArguments(WorkspaceArguments):
    """A workspace as a whole, or what of it has changed."""

    cursor: Cursor = ""
    since: Annotated[int | None, Field(ge=0, description="a revision: only what changed")] = None


class ReadSectionsArguments(WorkspaceArguments):
    """Sections of the document."""

    sections: Annotated[
        list[Annotated[str, Field(max_length=2_000)]],
        BeforeValidator(_as_list),
        Field(min_length=1, max_length=30, description="headings"),
    ]


class ReadNodesArguments(WorkspaceArguments):
    """Nodes whole."""

    ids: Annotated[
        list[Annotated[NodeId, StringConstraints(min_length=1, max_length=200)]],
        BeforeValidator(_as_list),
        Field(min_length=1, max_length=50),
    ]


class FindArguments(WorkspaceArguments):
    """Words in both."""

    text: Annotated[str, Field(min_length=1, max_length=1_000, description='words, or a quoted "phrase"')]
    within: Annotated[Literal["both", "diagram", "document", "patterns"], Field(description="default both")] = "both"
    limit: Annotated[int, Field(ge=1, le=50, description="of each; default 10")] = 10


class CheckArguments(WorkspaceArguments):
    """What looks wrong."""

    cursor: Cursor = ""


class HistoryArguments(WorkspaceArguments):
    """What was changed, by whom."""

    since: Annotated[int, Field(ge=0, description="a revision")] = 0
    cursor: Cursor = ""
    limit: Annotated[int, Field(ge=1, le=100, description="default 20")] = 20


class CompareArguments(WorkspaceArguments):
    """What differs between two revisions."""

    from_revision: Revision
    to_revision: Annotated[int | None, Field(ge=1, description="default the newest")] = None


class ExportArguments(WorkspaceArguments):
    """A file."""

    format: Annotated[Literal["json", "markdown", "mermaid", "text", "png"], Field(description="default json")] = "json"
    cursor: Cursor = ""


class QueryArguments(WorkspaceArguments):
    """A question in words."""

    intent: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]


class EditArguments(WorkspaceArguments):
    """A batch over diagram and document; `operations` are read by the assistant's parser, not here."""

    base_revision: Annotated[int, Field(ge=1, description="that you have read")]
    mode: Annotated[
        Literal["auto", "apply", "propose"],
        Field(description="default auto"),
    ] = "auto"
    dry_run: Annotated[bool, Field(description="only say what it would do")] = False
    explanation: Annotated[str, Field(max_length=1_000, description="why, in one sentence")] = ""
    id: Annotated[str, Field(max_length=128, description="of this call, 8 characters or more")] = ""


class UndoArguments(WorkspaceArguments):
    """Take back one commit of one's own."""

    revision: Annotated[int, Field(ge=1, description="of your commit")]
    dry_run: bool = False
    id: Annotated[str, Field(max_length=128, description="of this call")] = ""


class ProposalsArguments(WorkspaceArguments):
    """What waits for a yes."""

    action: Annotated[Literal["list", "show", "accept", "withdraw"], Field(description="default list")] = "list"
    proposal: Annotated[str, Field(max_length=64, description="its id, but for list")] = ""
    operations: Annotated[
        list[Annotated[int, Field(ge=0)]] | None,
        Field(max_length=500, description="indexes to accept; default all"),
    ] = None


Arguments = TypeVar("Arguments", bound=ToolInput)


def read_input(model: type[Arguments], arguments: Mapping[str, object]) -> Arguments:
    """Read the input of a tool.

    Raises:
        ToolFault: it does not fit; the message names what is wrong and which fields there are.
    """
    return read_tool_input(model, arguments)
