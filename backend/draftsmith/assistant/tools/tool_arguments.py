"""Read the input of a reading tool: fields by name or alias, nodes by id or label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from draftsmith.assistant.tools.lines import quote_line
from draftsmith.assistant.tools.tool_inputs import ToolInput
from draftsmith.model.custom_types import CustomTypes, custom_type_named
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.type_words import types_meant
from draftsmith.model.vocabulary import NODE_TYPES
from draftsmith.transform.matching.node_names import nearest_nodes, nodes_meant, several_nodes

_Q = TypeVar("_Q", bound=ToolInput)


class ToolFault(Exception):
    """A question that cannot be answered; the message says why and what to ask instead."""


def read_tool_input(model: type[_Q], arguments: Mapping[str, object]) -> _Q:
    """Read the input of a tool.

    Raises:
        ToolFault: it does not fit; the message names what is wrong and which fields there are.
    """
    try:
        return model.model_validate(_with_aliases(model, arguments))
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors(include_url=False)]
        fields = ", ".join(model.model_fields)
        raise ToolFault(f"The input does not fit ({'; '.join(faults[:5])}). Fields: {fields or 'none'}.") from None


_ALIASES: Final = (
    ("node_id", "id"),
    ("node", "id"),
    ("node_ids", "ids"),
    ("path", "section"),
    ("section_path", "section"),
    ("heading", "section"),
    ("from", "source"),
    ("from", "from_revision"),
    ("since", "from_revision"),
    ("to", "target"),
    ("to", "to_revision"),
    ("query", "text"),
    ("words", "text"),
    ("phrase", "text"),
    ("type", "types"),
    ("group_id", "group"),
    ("edge_id", "edge"),
    ("commit", "revision"),
    ("rev", "revision"),
)
"""A name that models write, and the field that it means where there is no field of that name."""


def _with_aliases(model: type[ToolInput], arguments: Mapping[str, object]) -> dict[str, Any]:
    """The input under the names of the fields; absent and null are the same."""
    fields = {name: value for name, value in arguments.items() if value is not None}
    for alias, name in _ALIASES:
        if alias in fields and alias not in model.model_fields and name in model.model_fields:
            fields.setdefault(name, fields.pop(alias))
    if "ids" in model.model_fields and "id" in fields:
        fields.setdefault("ids", fields["id"])
    return fields


def named_node(diagram: Diagram, wanted: str) -> NodeId:
    """The id of a node that is named by its id, or by a label that only one has.

    Raises:
        ToolFault: none or several have this name; the message lists them, or similar ones.
    """
    found = nodes_meant(diagram, wanted)
    if len(found) == 1:
        return found[0]
    if found:
        raise ToolFault(several_nodes(wanted, found).message)
    raise ToolFault(f"There is no node {quote_line(wanted)}.{nearest(diagram, wanted)}")


def named_nodes(diagram: Diagram, wanted: Iterable[str]) -> tuple[list[NodeId], dict[str, str]]:
    """The ids of the nodes that names mean, as `named_node`, each once; and what is wrong with which names."""
    found: dict[NodeId, None] = {}
    faults: dict[str, str] = {}
    for name in wanted:
        try:
            found[named_node(diagram, name)] = None
        except ToolFault as fault:
            faults[name] = str(fault)
    return list(found), faults


def named_group(diagram: Diagram, wanted: str) -> NodeId:
    """The id of a group, as `named_node`.

    Raises:
        ToolFault: there is no such node, or it is no group.
    """
    node_id = named_node(diagram, wanted)
    if not diagram.is_group(node_id):
        groups = sorted(diagram.groups())
        there = f"The groups are: {', '.join(groups[:20])}." if groups else "There are no groups."
        raise ToolFault(f"'{node_id}' is not a group. {there}")
    return node_id


def named_types(wanted: str, own: CustomTypes) -> tuple[str, ...]:
    """The node types that a word names: "Load Balancer" one, "messaging" two, one of the workspace's own by its name.

    Raises:
        ToolFault: it names none; the message lists them.
    """
    custom = custom_type_named(wanted.strip(), own) or custom_type_named(wanted.strip().removesuffix("s"), own)
    if custom is not None:
        return (custom,)
    plain = wanted.strip().casefold().replace(" ", "_").replace("-", "_")
    found = types_meant(plain) or types_meant(plain.removesuffix("s"))
    if plain in NODE_TYPES or not found:
        found = (plain,) if plain in NODE_TYPES else ()
    if not found:
        raise ToolFault(f"There is no node type {quote_line(wanted)}. The types are: {', '.join([*NODE_TYPES, *own])}.")
    return found


def nearest(diagram: Diagram, wanted: str) -> str:
    """` Closest: a, b.` with the ids of nodes of similar names; empty if there are none."""
    near = nearest_nodes(diagram, wanted)
    return f" Closest: {', '.join(near)}." if near else ""
