"""Resolve operations on types of one's own, and the types that operations on nodes name (ADR 0087)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from draftsmith.errors import Existence
from draftsmith.model.custom_types import (
    MAX_TYPE_NAME,
    MOST_TYPES,
    CustomType,
    CustomTypes,
    built_in_meant,
    custom_type_named,
    type_id_for,
    type_key,
)
from draftsmith.model.ids import NodeId, is_id, unique
from draftsmith.model.vocabulary import GROUP, NODE_TYPES
from draftsmith.transform import costs
from draftsmith.transform.refusal import OperationRefused
from draftsmith.transform.requests import operations as ops
from draftsmith.transform.requests.faults import pointer
from draftsmith.transform.requests.operation_fields import TypeDefinition, WholeNode
from draftsmith.transform.resolvers.checks import check_type, need_unlocked, no_type
from draftsmith.transform.set_fields import set_node
from draftsmith.transform.steps.custom_type import SetType
from draftsmith.transform.transaction import Transaction


class ChosenType(NamedTuple):
    """What the name of a type means: a built-in type, and the custom one that is based on it, if it names one."""

    base: str
    custom: str | None


def chosen_type(tx: Transaction, name: str, path: str) -> ChosenType:
    """The type that a name means: a built-in one, or one of the workspace's own by its id or name.

    Raises:
        OperationRefused: `type_unknown`, with the nearest types.
    """
    types = tx.workspace.diagram.types
    custom = None if name in NODE_TYPES else custom_type_named(name, types)
    if custom is None:
        check_type(name, path, types)
        return ChosenType(name, None)
    return ChosenType(types[custom]["base"], custom)


def with_types(tx: Transaction, node_id: NodeId, node: WholeNode, path: str) -> WholeNode:
    """A node of a whole diagram with the built-in type and the custom type that it says.

    One that says the built-in type that it has, and no more, keeps its custom type.

    Raises:
        OperationRefused: `type_unknown`.
    """
    diagram = tx.workspace.diagram
    now = diagram.node(node_id)
    if node.type is not None:
        chosen = chosen_type(tx, node.type, f"{path}/type")
        if chosen.custom is not None:
            return node.model_copy(update={"type": chosen.base, "custom_type": chosen.custom})
        if node.custom_type is None:
            stays = now is None or "custom_type" not in now or now["type"] == node.type
            return node if stays else node.model_copy(update={"custom_type": None})
    if node.custom_type is None or (now is not None and now.get("custom_type") == node.custom_type):
        return node
    definition = diagram.types.get(node.custom_type)
    if definition is None:
        raise no_type(node.custom_type, f"{path}/custom_type", diagram.types, is_own=True)
    if node.type is None:
        return node.model_copy(update={"type": definition["base"]})
    return node if definition["base"] == node.type else node.model_copy(update={"custom_type": None})


def define_type(tx: Transaction, op: ops.DefineType) -> None:
    """Add a type of one's own or replace it; its nodes get its base."""
    types = tx.workspace.diagram.types
    type_id = op.id if op.id is not None else _id_for(op.label, types)
    definition = _definition(op.label, op.type, op.technology, op.color)
    others = {other: one for other, one in types.items() if other != type_id}
    if len(others) >= MOST_TYPES:
        raise _too_many("")
    _check(type_id, definition, others, {"id": "/id", "name": "/label", "base": "/type"})
    _put(tx, type_id, definition)
    tx.result.ids.append(type_id)


def delete_type(tx: Transaction, op: ops.DeleteType) -> None:
    """Delete a type of one's own; its nodes keep its base."""
    types = tx.workspace.diagram.types
    type_id = custom_type_named(op.id, types)
    if type_id is None:
        raise no_type(op.id, "/id", types, is_own=True)
    _remove(tx, type_id, "/id")


def replace_types(tx: Transaction, wanted: Mapping[NodeId, TypeDefinition]) -> None:
    """Make the workspace's own types be these; names are compared as they will be."""
    if len(wanted) > MOST_TYPES:
        raise _too_many("/types")
    defined: dict[str, CustomType] = {}
    for type_id, one in wanted.items():
        path = pointer(["types", type_id])
        definition = _definition(one.name, one.base, one.icon, one.color)
        _check(type_id, definition, defined, {"id": path, "name": f"{path}/name", "base": f"{path}/base"})
        defined[type_id] = definition
    for gone in sorted(tx.workspace.diagram.types.keys() - defined.keys()):
        _remove(tx, gone, "/types")
    for kept, definition in defined.items():
        _put(tx, kept, definition)


def _id_for(name: str, types: CustomTypes) -> str:
    """The id of the type of that name, else a free one made of the name."""
    known = custom_type_named(name, types)
    return known if known is not None else unique(type_id_for(name), types)


def _definition(name: str, base: str, icon: str | None, color: str | None) -> CustomType:
    definition: CustomType = {"name": name, "base": base}
    if icon:
        definition["icon"] = icon
    if color:
        definition["color"] = color
    return definition


def _check(type_id: str, definition: CustomType, others: CustomTypes, paths: Mapping[str, str]) -> None:
    """Refuse a type that cannot be told from others, or whose base is none."""
    if not is_id(type_id):
        near = type_id_for(type_id)
        message = f"'{type_id[:80]}' is no id: lower-case letters, digits, '_' and '-', at most 64, starting with one."
        raise OperationRefused("id_invalid", paths["id"], message, (near,))
    check_type(definition["base"], paths["base"])
    if definition["base"] == GROUP:
        message = "A type of one's own cannot be based on group; base it on what its nodes are."
        raise OperationRefused("type_unknown", paths["base"], message, ("other",))
    for field, name, free in (("name", definition["name"], "Own {}"), ("id", type_id, "own-{}")):
        built_in = built_in_meant(name)
        if built_in is not None:
            message = f"'{name}' means the built-in type {built_in}; a type of one's own needs another {field}."
            raise OperationRefused("type_exists", paths[field], message, (free.format(name)[:MAX_TYPE_NAME],))
        key = type_key(name)
        for other, one in others.items():
            if key in (type_key(other), type_key(one["name"])):
                message = f"'{name}' is the type '{other}' (“{one['name']}”) already; send that id to change it."
                raise OperationRefused("type_exists", paths[field], message, (other,), [Existence("type", other)])


def _too_many(path: str) -> OperationRefused:
    return OperationRefused("limit_types", path, f"A workspace has at most {MOST_TYPES} types of its own; delete one.")


def _put(tx: Transaction, type_id: str, definition: CustomType) -> None:
    old = tx.workspace.diagram.types.get(type_id)
    if old == definition:
        return
    tx.do(SetType(type_id, old, definition))
    if old is None or old["base"] == definition["base"]:
        return
    for node_id in _nodes_of(tx, type_id):
        if tx.workspace.diagram[node_id]["type"] == old["base"]:
            need_unlocked(tx, node_id, "")
            set_node(tx, node_id, {"type": definition["base"]})


def _remove(tx: Transaction, type_id: str, path: str) -> None:
    for node_id in _nodes_of(tx, type_id):
        need_unlocked(tx, node_id, path)
        set_node(tx, node_id, {"custom_type": None})
    tx.do(SetType(type_id, tx.workspace.diagram.types[type_id], None))
    tx.result.removed.append(type_id)


def _nodes_of(tx: Transaction, type_id: str) -> list[NodeId]:
    """The nodes that say they are of a type, by id."""
    diagram = tx.workspace.diagram
    tx.work.spend(diagram.node_count, costs.STEPS)
    return sorted(node_id for node_id, fields in diagram.nodes().items() if fields.get("custom_type") == type_id)
