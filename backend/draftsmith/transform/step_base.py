"""What is asked of every step, and how its parts are read from JSON. The kinds: `steps_*`; their union: `steps`.

A question has one name and one answer for each kind of step, beside its fields. The answers here are those of a kind
that the question does not concern, so a kind states only what is true of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.workspace import Workspace

Pair = tuple[Any, Any]  # (old, new); None where the field is absent
Cell = tuple[str, str, str]  # part, id, field; field "" is existence, "*" every field
Incarnation = tuple[NodeId, int]  # id and birth
EdgeIdentity = tuple[NodeId | None, NodeId | None, str | None, str | None, int | None, int | None]
"""What two equal edges share: source, target, label, kind, births of the ends; None for what a step does not say."""


class BaseStep:
    """One applied change: how it is checked and written, and what it touches."""

    __slots__ = ()

    def conflict(self, workspace: Workspace) -> str | None:
        """Why it does not fit the workspace, as a sentence; None if it does."""
        raise NotImplementedError

    def write(self, workspace: Workspace) -> None:
        """Change the workspace; the step has been checked to fit."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        raise NotImplementedError

    # -- what it touches ---------------------------------------------------------------------------------------------

    @property
    def ids(self) -> tuple[str, ...]:
        """The node or edge that it changes; none for what belongs to the workspace as a whole."""
        return ()

    def writes(self) -> Iterator[Cell]:
        """Cells that it writes, those of the document aside."""
        return iter(())

    def needs(self) -> Iterator[Cell]:
        """Existences that it relies on."""
        return iter(())

    def frees(self) -> Iterator[Cell]:
        """Where something else can come or go afterwards: nodes that lose edges, groups that are left."""
        return iter(())

    @property
    def new_parent(self) -> NodeId | None:
        """The group that it puts a node into."""
        return None

    @property
    def moved_node(self) -> NodeId | None:
        """The node whose place it sets."""
        return None

    @property
    def placed_edge(self) -> EdgeId | None:
        """The edge that it puts in or gives a route."""
        return None

    @property
    def node_growth(self) -> int:
        """How many nodes there are more afterwards."""
        return 0

    def identity_made(self) -> EdgeIdentity | None:
        """What an edge is like from this step on, as far as the step says; None where that does not change."""
        return None

    def identity_given_up(self) -> EdgeIdentity | None:
        """What no edge need be like after this step, as far as the step says; None where that does not change."""
        return None

    @property
    def only_drops_route(self) -> bool:
        """Whether it follows from another step, which moved an end of the edge."""
        return False

    # -- locks -------------------------------------------------------------------------------------------------------

    def touched_nodes(self, diagram: Diagram) -> list[NodeId]:
        """Nodes that are changed with it, those around them aside; some may not be in the diagram."""
        return []

    def guarding_nodes(self, diagram: Diagram) -> list[NodeId]:
        """Nodes whose locks forbid it, and those around them; some may not be in the diagram."""
        return self.touched_nodes(diagram)

    def lock_put_on(self) -> Incarnation | None:
        """The lock that it puts on."""
        return None


def pairs_from_json(shape: Mapping[str, Any]) -> dict[str, Pair]:
    """Read `{field: [old, new]}`."""
    pairs = {field: (pair[0], pair[1]) for field, pair in shape.items()}
    for field, pair in pairs.items():
        for value in pair:
            _check_value(field, value)
    return pairs


def fields_from_json(shape: Mapping[str, Any]) -> Mapping[str, Any]:
    """Read `{field: value}`."""
    for field, value in shape.items():
        _check_value(field, value)
    return shape


def node_id_from_json(shape: Any) -> NodeId:
    """Read the id of a node."""
    if not isinstance(shape, str):
        raise TypeError("an id is a text")
    return NodeId(shape)


def edge_id_from_json(shape: Any) -> EdgeId:
    """Read the id of an edge."""
    if not isinstance(shape, str):
        raise TypeError("an id is a text")
    return EdgeId(shape)


def birth_from_json(shape: Any) -> int:
    """Read a birth."""
    if not isinstance(shape, int):
        raise TypeError("a birth is a revision")
    return shape


_NUMBERS = {"position": ("x", "y"), "size": ("width", "height")}


def _check_value(field: str, value: Any) -> None:
    """What the diagram computes with must be what it says, or a damaged step would be found half way through it."""
    if field in _NUMBERS:
        fits = value is None or all(isinstance(value[name], int | float) for name in _NUMBERS[field])
    elif field in ("source", "target"):
        fits = isinstance(value, str)
    elif field == "parent":
        fits = value is None or isinstance(value, str)
    else:
        fits = field != "properties" or value is None or isinstance(value, dict)
    if not fits:
        raise TypeError(f"'{field}' cannot be {value!r}")


def swapped(fields: Mapping[str, Pair]) -> dict[str, Pair]:
    """Old and new exchanged."""
    return {field: (new, old) for field, (old, new) in fields.items()}
