"""The inputs of tools: one table of the operations and fields that models are offered, and the models of questions.

Positions, sizes, routes and locks are left out: placing is the executor's, locking is people's. So are operations that
speak in positions (`move_nodes`, `edit_text`) and whole states (`replace_*`), which only the rewriting tools offer. A
field is described where its name does not say enough. What is accepted is decided by `transform.requests.operations`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from draftsmith.model.fields import EDGE_TEXTS, LOOKS, NODE_TEXTS
from draftsmith.model.ids import NodeId

_SECTION: Final = "heading, with parents if needed: ## Storage ### Orders"
_ADDRESS: Final = {"source": "", "target": "", "label": "", "id": ""}
# Every optional text is offered but the address of an image, since no tool puts one; the technology first, as requests
# name it most often.
_TEXTS: Final = tuple(text for text in dict.fromkeys(("technology", *NODE_TEXTS)) if text != "image")
_NEW_NODE: Final = {
    "id": "redis-cache",
    "type": "",
    "label": "",
    **dict.fromkeys(_TEXTS, ""),
    "properties": "",
    "parent": "id of a group",
    "near": "id of a node",
}
_EDGE: Final = {
    "label": "what flows: order events",
    "kind": "default sync",
    "direction": "",
    **dict.fromkeys(EDGE_TEXTS, ""),
}

Fields = Mapping[str, str]  # field → note, empty where the name says it or an operation before has said it

DIAGRAM_OPERATIONS: Final[Mapping[str, Fields]] = {
    "add_node": _NEW_NODE,
    "update_node": {
        "id": "",
        "type": "",
        "label": "",
        **dict.fromkeys(_TEXTS, ""),
        "properties": "patched by key; null removes one, clears a text",
    },
    "delete_node": {"id": "", "bridge": "joins before to after", "children": "of a group"},
    "delete_nodes": {"ids": "", "bridge": "", "children": ""},
    "add_edge": {"source": "", "target": "", **_EDGE},
    "update_edge": {
        "source": "",
        "target": "",
        "current_label": "if several connect the two",
        "id": "",
        "label": "the new one",
        "kind": "",
        "direction": "",
        **dict.fromkeys(EDGE_TEXTS, ""),
    },
    "delete_edge": _ADDRESS,
    "rewire_edge": {**_ADDRESS, "new_source": "", "new_target": ""},
    "insert_between": {
        "source": "",
        "target": "",
        "label": "of the old edge",
        "node": "id or fields of a new one",
        "in_label": "default the old",
        "out_label": "",
    },
    "group_nodes": {"id": "", "label": "", "ids": "", "description": ""},
    "ungroup_nodes": {"id": ""},
    "move_to_group": {"ids": "", "group": "null: out of every group"},
    "layout_diagram": {"scope": "all: everything, only when asked to tidy", "ids": ""},
    "rename_workspace": {"name": ""},
}
DOCUMENT_OPERATIONS: Final[Mapping[str, Fields]] = {
    "edit_section": {
        "section": f"{_SECTION}; empty: before the first heading",
        "find": "exact, unique quote",
        "replace": "",
        "all": "every occurrence",
    },
    "append_to_section": {"section": "", "text": "before its first subsection"},
    "replace_section": {
        "section": "",
        "text": "without heading",
        "scope": "subtree: with its subsections; default body",
    },
    "insert_section": {
        "title": "without #",
        "text": "",
        "before": "one of before, after, into (as its last subsection), or none: at the end",
        "after": "",
        "into": "",
        "level": "",
    },
    "delete_section": {"section": "with its subsections"},
    "move_section": {"section": "", "before": "", "after": "", "into": ""},
    "rename_section": {"section": "", "title": ""},
}
OPTION_OPERATIONS: Final[Mapping[str, Fields]] = {
    op: fields
    for op, fields in {**DIAGRAM_OPERATIONS, **DOCUMENT_OPERATIONS}.items()
    if op not in ("layout_diagram", "rename_workspace", "move_section", "rename_section", "delete_section")
}
"""What an alternative may hold, diagram and document together: what a decision is about, and no tidying."""
OPTION_TEXTS: Final[Fields] = {
    "title": "what is done, in a few words; the history says it",
    "summary": "how it works here, in two or three sentences",
}
OPTION_LISTS: Final[Fields] = {
    "gains": "what speaks for it, one short sentence each",
    "costs": "what it costs or risks, one short sentence each",
}
CLEARABLE: Final = frozenset(
    {
        *((op, text) for op in ("update_node", "replace_diagram") for text in _TEXTS if text not in LOOKS),
        ("update_edge", "label"),
        ("update_edge", "description"),
        ("move_to_group", "group"),
        ("replace_diagram", "parent"),
    }
)
"""Fields in which null means something, and is not merely the absence of a value; looks are cleared by ''."""
WHOLE_NODE: Final[Fields] = {field: text for field, text in _NEW_NODE.items() if field != "near"} | {
    "id": "keep the ids of what stays",
    "parent": "id of a group; null takes it out of every group",
}
WHOLE_EDGE: Final[Fields] = {"source": "", "target": "", **_EDGE}


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_ID: Final = StringConstraints(min_length=1, max_length=200)
_Id = Annotated[str, _ID]
_Words = Annotated[list[_Id], BeforeValidator(_as_list)]
_NodeIds = Annotated[list[Annotated[NodeId, _ID]], BeforeValidator(_as_list)]


class ToolInput(BaseModel):
    """What a reading tool takes; unknown fields are ignored, numbers may come as texts."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class FindNodesInput(ToolInput):
    """Find nodes by words and filters."""

    text: Annotated[str, Field(max_length=1_000, description="words: a kind of thing, a name, a technology")] = ""
    types: Annotated[_Words, Field(max_length=50, description="node types, any of them")] = []
    technology: Annotated[str, Field(max_length=200, description="words that stand in the technology")] = ""
    group: Annotated[str | None, Field(max_length=200, description="id of a group around them")] = None
    limit: Annotated[int, Field(ge=1, le=200, description="default 20")] = 20


class FindTextInput(ToolInput):
    """Find places in the document."""

    text: Annotated[str, Field(min_length=1, max_length=1_000, description='words, or a "phrase" in quotes')]
    limit: Annotated[int, Field(ge=1, le=50, description="default 10")] = 10


class ReadNodesInput(ToolInput):
    """Read nodes whole."""

    ids: Annotated[_NodeIds, Field(min_length=1, max_length=50)]


class ReadSectionInput(ToolInput):
    """Read a section."""

    section: Annotated[str, Field(max_length=2_000, description=f"{_SECTION}; empty: before the first heading")]


class NeighboursInput(ToolInput):
    """What is connected to a node."""

    id: _Id
    direction: Annotated[Literal["in", "out", "both"], Field(description="in: what points to it; default both")] = (
        "both"
    )
    depth: Annotated[int, Field(ge=1, le=5, description="edges; default 1")] = 1


class PathsInput(ToolInput):
    """Ways from one node to another."""

    source: _Id
    target: _Id
    limit: Annotated[int, Field(ge=1, le=20, description="default 5")] = 5


class ImpactInput(ToolInput):
    """What follows if a node fails."""

    id: _Id


class SearchPatternsInput(ToolInput):
    """Find architecture patterns."""

    text: Annotated[str, Field(max_length=1_000, description="the problem or a pattern's name; empty lists all")] = ""
    limit: Annotated[int, Field(ge=1, le=3, description="how many in full; default 2")] = 2


class CheckDiagramInput(ToolInput):
    """What looks wrong."""


TOOL_INPUTS: Final[Mapping[str, type[ToolInput]]] = {
    "find_nodes": FindNodesInput,
    "find_text": FindTextInput,
    "read_nodes": ReadNodesInput,
    "read_section": ReadSectionInput,
    "neighbours": NeighboursInput,
    "paths": PathsInput,
    "impact": ImpactInput,
    "check_diagram": CheckDiagramInput,
    "search_patterns": SearchPatternsInput,
}
