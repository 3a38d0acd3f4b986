"""The tools of each workflow as models see them: names, texts, schemas, examples; always the same bytes.

Schemas are made from the Pydantic models of the operations, so they cannot speak of fields that there are not: what is
offered is listed in `tool_inputs`, references are written out, and what only the validator needs (lengths, patterns,
defaults) is left out. The fields of each operation stand in the text of its tool, made from the same table. What the
reading tools answer is in `readers`.
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
from draftsmith.transform.requests.json_schema import JsonSchema
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
    "operation_line",
    "operations_text",
    "tool_names",
    "tools_of",
    "with_operations",
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
_EDITING_SMALL: Final = tuple(name for name in _EDITING if name not in ("find_text", SEARCH_PATTERNS))
# A first draft begins with an empty document: there is nothing to find.
_DRAFTING: Final = tuple(name for name in _EDITING if name not in ("find_text", "search_patterns"))
_REWRITING: Final = ("read_section", "rewrite_diagram", "rewrite_document")
_ASKING: Final = tuple(sorted([*READERS, REPORT, SEARCH_PATTERNS]))
_ASKING_SMALL: Final = ("find_nodes", "impact", "neighbours", "read_nodes", "read_section")
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
_SMALLER: Final[Mapping[tuple[str, ...], tuple[str, ...]]] = {_EDITING: _EDITING_SMALL, _ASKING: _ASKING_SMALL}
"""What is offered in place of some tools to a model that can read little."""
_OFFERED: Final[Mapping[str, Mapping[str, Fields]]] = {
    "edit_diagram": DIAGRAM_OPERATIONS,
    "edit_document": DOCUMENT_OPERATIONS,
    PROPOSE_OPTION: OPTION_OPERATIONS,
}
_OPERATIONS: Final = "{{operations}}"
"""Where in the text of a tool the fields of its operations stand."""
_EXPLANATION: Final = {"type": "string", "description": "why, in one sentence"}
_NODE_OR_ID: Final[JsonSchema] = {"type": ["string", "object"]}
_DROPPED_TEXT: Final = (
    "title default discriminator pattern propertyNames "
    "minLength maxLength minItems maxItems maxProperties minimum maximum"
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


def tools_of(workflow: str, prompts: PromptSet, *, regenerate: bool = False, is_small: bool = False) -> list[ToolSpec]:
    """The tools of a workflow, sorted by name; `is_small`: fewer, without examples, for a model that can read little.

    Raises:
        ValueError: there is no such workflow, or the prompts lack the text of a tool.
    """
    names = tool_names(workflow, regenerate=regenerate)
    if is_small:
        names = _SMALLER.get(names, names)
    missing = [name for name in names if not prompts.tools.get(name)]
    if missing:
        raise ValueError(f"the prompts of '{prompts.workflow}' lack the texts of {', '.join(missing)}")
    return [
        ToolSpec(
            name=name,
            description=_description_of(name, prompts.tools[name]),
            input_schema=_schema_of(name),
            examples=() if is_small else tuple(prompts.examples.get(name, ())),
            eager=name in EDIT_TOOLS,
        )
        for name in names
    ]


def _description_of(name: str, text: str) -> str:
    return with_operations(text, _OFFERED[name]) if name in _OFFERED else text


@lru_cache
def _schema_of(name: str) -> Mapping[str, Any]:
    if name == PROPOSE_OPTION:
        return _option_schema()
    if name in _OFFERED:
        return batch_schema(_OFFERED[name])
    if name == "rewrite_diagram":
        nodes = _offered_schema(NodeFields, WHOLE_NODE, of="replace_diagram")
        edges = _offered_schema(EdgeFields, WHOLE_EDGE, of="replace_diagram")
        whole = {"nodes": {"type": "array", "items": nodes}, "edges": {"type": "array", "items": edges}}
        return _object_schema({**whole, "explanation": _EXPLANATION}, ["nodes", "edges"])
    if name == "rewrite_document":
        text = {"type": "string", "description": "the whole document in Markdown"}
        return _object_schema({"text": text, "explanation": _EXPLANATION}, ["text"])
    if name == REPORT:
        return _object_schema({"findings": {"type": "array", "items": _input_of(ReportedFinding)}}, ["findings"])
    return _input_of(TOOL_INPUTS.get(name) or HISTORY_TOOL_INPUTS[name])


def _option_schema() -> dict[str, Any]:
    texts = {field: {"type": "string", "description": text} for field, text in OPTION_TEXTS.items()}
    sentences = {"type": "array", "items": {"type": "string"}}
    lists = {field: {**sentences, "description": text} for field, text in OPTION_LISTS.items()}
    operations = batch_schema(OPTION_OPERATIONS)["properties"]["operations"]
    return _object_schema({**texts, **lists, "operations": operations}, [*texts, *lists, "operations"])


def _input_of(model: type[ToolInput]) -> dict[str, Any]:
    schema: dict[str, Any] = compact_schema(model.model_json_schema())
    schema.pop("description", None)
    return _object_schema(schema.get("properties", {}), schema.get("required", []))


def batch_schema(offered: Mapping[str, Fields]) -> dict[str, Any]:
    """The schema of `{operations: [one of the offered], explanation?}`.

    An operation is one object with the fields of all of them, each once: a choice between operations would repeat
    most fields in each. Which fields an operation has is told by `operations_text`, and checked when it is read.
    """
    properties: dict[str, JsonSchema] = {"op": {"type": "string", "enum": list(offered)}}
    for op, fields in offered.items():
        full = OPERATION_MODELS[op].model_json_schema()
        for field in fields:
            schema = _NODE_OR_ID if field == "node" else _field(full, op, field)
            properties[field] = _joined_field(properties[field], schema) if field in properties else schema
    operation = {"type": "object", "properties": properties, "required": ["op"]}
    operations = {"type": "array", "items": operation}
    return _object_schema({"operations": operations, "explanation": _EXPLANATION}, ["operations"])


def operations_text(offered: Mapping[str, Fields]) -> str:
    """The fields of each offered operation, a line each: `add_edge source target [label (what flows) kind]`."""
    return "\n".join(operation_line(op, fields) for op, fields in offered.items())


def operation_line(op: str, fields: Fields) -> str:
    """The fields of one offered operation: those it needs, then in brackets those it takes."""
    model = OPERATION_MODELS[op].model_fields
    noted = {field: f"{field} ({note})" if note else field for field, note in fields.items()}
    needed = [noted[field] for field in fields if model[field].is_required()]
    optional = [noted[field] for field in fields if not model[field].is_required()]
    return " ".join([op, *needed]) + (f" [{' '.join(optional)}]" if optional else "")


def with_operations(text: str, offered: Mapping[str, Fields]) -> str:
    """The text of a tool with the fields of its operations, at the end where it does not say where."""
    fields = operations_text(offered)
    return text.replace(_OPERATIONS, fields) if _OPERATIONS in text else f"{text}\n\n{fields}"


def _offered_schema(model: type[Shape], fields: Fields, *, of: str) -> dict[str, Any]:
    """The schema of a part of an operation with only the fields that are offered, in their order."""
    full = model.model_json_schema()
    properties: dict[str, Any] = {}
    for field, text in fields.items():
        schema = _field(full, of, field)
        properties[field] = {**schema, "description": text} if text else schema
    return _object_schema(properties, [field for field in full.get("required", []) if field in properties])


def _field(full: Mapping[str, Any], op: str, field: str) -> JsonSchema:
    schema: JsonSchema = compact_schema(full["properties"][field], may_be_null=(op, field) in CLEARABLE)
    return schema


def _joined_field(before: JsonSchema, schema: JsonSchema) -> JsonSchema:
    """The schema of a field that several operations have: all that any of them takes."""
    joined: JsonSchema = {**before, **schema}
    kinds = list(dict.fromkeys([*_kinds(before), *_kinds(schema)]))
    joined["type"] = kinds if len(kinds) > 1 else kinds[0]
    if "enum" in before and "enum" in schema:
        joined["enum"] = list(dict.fromkeys([*before["enum"], *schema["enum"]]))
    one, other = before.get("additionalProperties"), schema.get("additionalProperties")
    if isinstance(one, dict) and isinstance(other, dict):
        joined["additionalProperties"] = _joined_field(one, other)
    return joined


def _kinds(schema: JsonSchema) -> list[str]:
    kind = schema["type"]
    return kind if isinstance(kind, list) else [kind]


def _object_schema(properties: Mapping[str, object], required: list[str]) -> dict[str, Any]:
    shape: dict[str, Any] = {"type": "object", "properties": dict(properties)}
    return {**shape, "required": required} if required else shape


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
