"""The compact schema says what the models say."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import orjson
import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import OPERATION_MODELS, operations_schema, parse_batch
from draftsmith.transform.requests.schema import compact_schema

_PLAIN = jsonschema_rs.validator_for(operations_schema())
_COMPACT = jsonschema_rs.validator_for(compact_schema())
_POINT = {"x": 1, "y": 2.5}
_GOOD: list[dict[str, Any]] = [
    {
        "op": "add_node",
        "type": "cache",
        "label": "R",
        "description": None,
        "properties": {"a": "b"},
        "position": _POINT,
    },
    {"op": "update_node", "id": "a", "properties": {"a": None}, "size": None, "locked": True},
    {"op": "move_nodes", "positions": {"a": _POINT}, "sizes": {"a": None}, "routes": {"e": [_POINT], "f": None}},
    {
        "op": "add_edge",
        "source": "a",
        "target": "b",
        "kind": "async",
        "route": [_POINT],
        "route_by": "hand",
        "label_at": 0.5,
    },
    {"op": "update_edge", "id": "e", "label": None, "direction": "both"},
    {"op": "insert_between", "source": "a", "target": "b", "node": "c"},
    {"op": "insert_between", "source": "a", "target": "b", "node": {"type": "cache", "label": "C"}},
    {"op": "move_to_group", "ids": ["a"], "group": None},
    {"op": "insert_section", "title": "T", "level": 3, "after": None},
    {"op": "replace_diagram", "nodes": [{"id": "a", "label": None}], "edges": [{"source": "a", "target": "b"}]},
    {"op": "add_node", "type": "of-our-own", "label": "R"},
    {"op": "define_type", "type": "cache", "label": "R", "color": "red", "technology": None},
    {"op": "replace_diagram", "nodes": [], "edges": [], "types": {"r": {"name": "R", "base": "cache", "icon": None}}},
]
_BAD: list[dict[str, Any]] = [
    {"op": "add_node", "type": "cache"},
    {"op": "define_type", "type": "banana", "label": "R"},
    {"op": "define_type", "type": "group", "label": "R"},
    {"op": "add_node", "type": "cache", "label": "x" * 121},
    {"op": "add_node", "type": "cache", "label": "R", "shade": "red"},
    {"op": "update_node", "id": 3},
    {"op": "move_nodes", "positions": {"a": {"x": 1}}},
    {"op": "update_edge", "id": "e", "kind": "fast"},
    {"op": "delete_nodes", "ids": []},
    {"op": "move_to_group", "ids": ["a"]},
    {"op": "insert_section", "title": "T", "level": 7},
    {"op": "explode"},
]
_BEYOND: list[dict[str, Any]] = [
    {"op": "move_nodes", "positions": {"a": {"x": 1_000_001, "y": 0}}},
    {"op": "move_nodes", "positions": {"a": {"x": 0, "y": -1_000_001}}},
    {"op": "update_node", "id": "a", "size": {"width": 19, "height": 50}},
    {"op": "update_node", "id": "a", "size": {"width": 50, "height": 20_001}},
]


@pytest.mark.parametrize("operation", _GOOD, ids=lambda one: one["op"])
def test_it_accepts_what_the_models_accept(operation: dict[str, Any]) -> None:
    """A good operation is good by both."""
    assert _PLAIN.is_valid([operation])
    assert _COMPACT.is_valid([operation])


@pytest.mark.parametrize("operation", _BAD, ids=lambda one: str(one)[:40])
def test_it_refuses_what_the_models_refuse(operation: dict[str, Any]) -> None:
    """A bad operation is bad by both."""
    assert not _PLAIN.is_valid([operation])
    assert not _COMPACT.is_valid([operation])


@pytest.mark.parametrize("operation", _BEYOND, ids=lambda one: str(one)[:90])
def test_limits_of_places_and_sizes_are_limits_of_the_schema(operation: dict[str, Any]) -> None:
    """Whoever validates by the schema is told as well; a word that is none of JSON Schema would limit nothing."""
    assert not _PLAIN.is_valid([operation])
    assert not _COMPACT.is_valid([operation])
    with pytest.raises(DraftsmithError):
        parse_batch([operation], WorkspaceLimits())


def test_it_is_compact_and_complete() -> None:
    """It has every operation and takes two thirds of the bytes."""
    compact = compact_schema()
    assert len(orjson.dumps(compact)) < 0.67 * len(orjson.dumps(operations_schema()))
    named = {
        part["properties"]["op"]["const"] for part in compact["$defs"].values() if "op" in part.get("properties", {})
    }
    assert named == set(OPERATION_MODELS)
