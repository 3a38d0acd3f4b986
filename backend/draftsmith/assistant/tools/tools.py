"""The tools of each workflow as models see them: names, texts, schemas, examples; always the same bytes.

Schemas are made from the Pydantic models of the operations, so they cannot speak of fields that there are not: what is
offered is listed in `tool_inputs`, references are written out, and what only the validator needs (lengths, patterns,
defaults) is left out. What the reading tools answer is in `readers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from draftsmith.assistant.prompts import PromptSet
from draftsmith.assistant.provider import ToolSpec
from draftsmith.assistant.tools.investigation_inputs import HISTORY_TOOL_INPUTS, REPORT, ReportedFinding
from draftsmith.assistant.tools.readers import READERS, ReadAnswer
from draftsmith.assistant.tools.tool_arguments import ToolFault
from draftsmith.assistant.tools.tool_inputs import (
    CLEARABLE,
    DIAGRAM_OPERATIONS,
    DOCUMENT_OPERATIONS,
    OPTION_LISTS,
    OPTION_OPERATIONS,
    OPTION_TEXTS,
    TOOL_INPUTS,
    WHOLE_EDGE,
    WHOLE_NODE,
    Fields,
    ToolInput,
)
from draftsmith.transform.requests.batch import OPERATION_MODELS
from draftsmith.transform.requests.operation_fields import EdgeFields, NodeFields, Shape

__all__ = [
    "BATCH_TOOLS",
    "EDIT_TOOLS",
    "PROPOSE_OPTION",
    "READERS",
    "SEARCH_PATTERNS",
    "ReadAnswer",
    "ToolFault",
    "batch_schema",
    "compact_schema",
    "tool_names",
    "tools_of",
]

EDIT_TOOLS: Final = frozenset({"edit_diagram", "edit_document", "rewrite_diagram", "rewrite_document"})
"""Tools whose calls are batches of operations; every other one only reads."""
PROPOSE_OPTION: Final = "propose_option"
"""The tool whose calls are alternatives: each a batch that becomes a proposal of its own."""
SEARCH_PATTERNS: Final = "search_patterns"
"""The one reading tool that looks at no workspace."""
BATCH_TOOLS: Final = EDIT_TOOLS | {PROPOSE_OPTION}
_EDITING: Final = (
    "edit_diagram",
    "edit_document",
    "find_nodes",
    "find_text",
    "read_nodes",
    "read_section",
    SEARCH_PATTERNS,
)
# A first draft begins with an empty document: there is nothing to find.
_DRAFTING: Final = tuple(name for name in _EDITING if name not in ("find_text", "search_patterns"))
_REWRITING: Final = ("read_section", "rewrite_diagram", "rewrite_document")
_ASKING: Final = tuple(sorted([*READERS, REPORT, SEARCH_PATTERNS]))
_RECOMMENDING: Final = tuple(sorted({*READERS, SEARCH_PATTERNS, PROPOSE_OPTION} - {"check_diagram"}))
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "ask": _ASKING,
    "edit": _EDITING,
    "generate": _DRAFTING,
    "investigate": tuple(sorted([*_ASKING, *HISTORY_TOOL_INPUTS])),
    "recommend": _RECOMMENDING,
    "regenerate": _REWRITING,
    "summary": (),
}
_EXPLANATION: Final = {"type": "string", "description": "why, in one sentence; stands in the history"}
_DROPPED_TEXT: Final = (
    "title default discriminator minLength maxLength minItems maxItems maxProperties propertyNames pattern"
)
_DROPPED: Final = frozenset(_DROPPED_TEXT.split())


def tool_names(workflow: str, *, regenerate: bool = False) -> tuple[str, ...]:
    """The names of a workflow's tools, sorted; `regenerate` exchanges the editing tools of `edit`.

    Raises:
        ValueError: there is no such workflow.
    """
    name = "regenerate" if workflow == "edit" and regenerate else workflow
    if name not in _NAMES:
        raise ValueError(f"there is no workflow '{workflow}'")
    return _NAMES[name]


def tools_of(workflow: str, prompts: PromptSet, *, regenerate: bool = False) -> list[ToolSpec]:
    """The tools of a workflow, sorted by name.

    Raises:
        ValueError: there is no such workflow, or the prompts lack the text of a tool.
    """
    names = tool_names(workflow, regenerate=regenerate)
    missing = [name for name in names if not prompts.tools.get(name)]
    if missing:
        raise ValueError(f"the prompts of '{prompts.workflow}' lack the texts of {', '.join(missing)}")
    return [
        ToolSpec(
            name=name,
            description=prompts.tools[name],
            input_schema=_schema_of(name),
            examples=tuple(prompts.examples.get(name, ())),
            eager=name in EDIT_TOOLS,
        )
        for name in names
    ]


@lru_cache
def _schema_of(name: str) -> Mapping[str, Any]:
    if name == "edit_diagram":
        return batch_schema(DIAGRAM_OPERATIONS)
    if name == "edit_document":
        return batch_schema(DOCUMENT_OPERATIONS)
    if name == PROPOSE_OPTION:
        return _option_schema()
    if name == "rewrite_diagram":
        nodes = _offered_schema(NodeFields, WHOLE_NODE, of="replace_diagram")
        edges = _offered_schema(EdgeFields, WHOLE_EDGE, of="replace_diagram")
        whole = {"nodes": {"type": "array", "items": nodes}, "edges": {"type": "array", "items": edges}}
        return _closed_object({**whole, "explanation": _EXPLANATION}, ["nodes", "edges"])
    if name == "rewrite_document":
        text = {"type": "string", "description": "the whole document in Markdown"}
        return _closed_object({"text": text, "explanation": _EXPLANATION}, ["text"])
    if name == REPORT:
        return _closed_object({"findings": {"type": "array", "items": _input_of(ReportedFinding)}}, ["findings"])
    return _input_of(TOOL_INPUTS.get(name) or HISTORY_TOOL_INPUTS[name])


def _option_schema() -> dict[str, Any]:
    texts = {field: {"type": "string", "description": text} for field, text in OPTION_TEXTS.items()}
    sentences = {"type": "array", "items": {"type": "string"}}
    lists = {field: {**sentences, "description": text} for field, text in OPTION_LISTS.items()}
    operations = batch_schema(OPTION_OPERATIONS)["properties"]["operations"]
    return _closed_object({**texts, **lists, "operations": operations}, [*texts, *lists, "operations"])


def _input_of(model: type[ToolInput]) -> dict[str, Any]:
    schema: dict[str, Any] = compact_schema(model.model_json_schema())
    schema.pop("description", None)
    return _closed_object(schema.get("properties", {}), schema.get("required", []))


def batch_schema(offered: Mapping[str, Fields]) -> dict[str, Any]:
    """The schema of `{operations: [one of the offered], explanation?}`."""
    options = [_offered_schema(OPERATION_MODELS[op], fields, of=op, named=True) for op, fields in offered.items()]
    operations = {"type": "array", "minItems": 1, "items": {"anyOf": options}}
    return _closed_object({"operations": operations, "explanation": _EXPLANATION}, ["operations"])


def _offered_schema(model: type[Shape], fields: Fields, *, of: str, named: bool = False) -> dict[str, Any]:
    """The schema of an operation, or of a part of one, with only the fields that are offered, in their order.

    `of`: the operation; `named`: whether its name is a field.
    """
    full = model.model_json_schema()
    properties: dict[str, Any] = {"op": {"const": of}} if named else {}
    for field, text in fields.items():
        schema = _node_or_id() if (of, field) == ("insert_between", "node") else _field(full, of, field)
        properties[field] = {**schema, "description": text} if text else schema
    needed = [field for field in full.get("required", []) if field in properties]
    return _closed_object(properties, needed)


def _field(full: Mapping[str, Any], op: str, field: str) -> dict[str, Any]:
    schema: dict[str, Any] = compact_schema(full["properties"][field], may_be_null=(op, field) in CLEARABLE)
    return schema


def _node_or_id() -> dict[str, Any]:
    fields = dict.fromkeys(("id", "type", "label", "technology", "description", "parent"), "")
    return {"anyOf": [{"type": "string"}, _offered_schema(NodeFields, fields, of="add_node")]}


def _closed_object(properties: Mapping[str, object], required: list[str]) -> dict[str, Any]:
    shape: dict[str, Any] = {"type": "object", "properties": dict(properties)}
    if required:
        shape["required"] = required
    return {**shape, "additionalProperties": False}


def compact_schema(schema: Any, *, may_be_null: bool = False) -> Any:
    """Make a schema without what only a validator needs; null goes unless it means something."""
    if isinstance(schema, list):
        return [compact_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    options = schema.get("anyOf", ())
    rest = [option for option in options if option != {"type": "null"}]
    if len(rest) == 1 and len(options) == 2:
        said = {word: part for word, part in schema.items() if word != "anyOf"}
        one = compact_schema({**rest[0], **said})
        return {**one, "type": [one["type"], "null"]} if may_be_null else one
    kept: dict[str, Any] = {}
    for word, part in schema.items():
        if word == "properties":
            kept[word] = {name: compact_schema(inner) for name, inner in part.items()}
        elif word not in _DROPPED:
            kept[word] = compact_schema(
                part, may_be_null=word == "additionalProperties"
            )  # there, null takes a key away
    return kept
