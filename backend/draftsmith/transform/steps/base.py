"""The base class of steps, and readers for JSON parts. Each kind is in a module of its own, their union in `steps`.

The base class defines every method and property with a default for kinds that it does not concern; a kind overrides
only those that apply to it.
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
"""The values that equal edges share: source, target, label, kind, births of the ends; None if a step lacks it."""


class BaseStep:
    """One change: how it is checked and applied, and what it touches."""

    __slots__ = ()

    def conflict(self, workspace: Workspace) -> str | None:
        """Return the reason why the step does not fit the workspace, as a sentence; None if it fits."""
        raise NotImplementedError

    def write(self, workspace: Workspace) -> None:
        """Apply the step; the caller has checked that it fits."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        raise NotImplementedError

    # -- what it touches ---------------------------------------------------------------------------------------------

    @property
    def ids(self) -> tuple[str, ...]:
        """The node or edge that it changes; empty for the document, the name and the line ends."""
        return ()

    def writes(self) -> Iterator[Cell]:
        """Cells that it writes, except those of the document."""
        return iter(())

    def needs(self) -> Iterator[Cell]:
        """Nodes and edges that must exist, as cells."""
        return iter(())

    def frees(self) -> Iterator[Cell]:
        """Nodes that lose an edge and groups that lose a child, as cells; others may depend on this."""
        return iter(())

    @property
    def new_parent(self) -> NodeId | None:
        """The group that it puts a node into."""
        return None

    @property
    def moved_node(self) -> NodeId | None:
        """The node whose position it sets."""
        return None

    @property
    def placed_edge(self) -> EdgeId | None:
        """The edge that it inserts or gives a route."""
        return None

    @property
    def node_growth(self) -> int:
        """The change in the number of nodes."""
        return 0

    def identity_made(self) -> EdgeIdentity | None:
        """The identity that an edge gets, as far as the step contains it; None if it does not change."""
        return None

    def identity_given_up(self) -> EdgeIdentity | None:
        """The identity that an edge loses, as far as the step contains it; None if it does not change."""
        return None

    @property
    def only_drops_route(self) -> bool:
        """Whether it only drops a route, as a consequence of a step that moved an end of the edge."""
        return False

    # -- locks -------------------------------------------------------------------------------------------------------

    def touched_nodes(self, diagram: Diagram) -> list[NodeId]:
        """Nodes that it changes, without their ancestors; some may not be in the diagram."""
        return []

    def guarding_nodes(self, diagram: Diagram) -> list[NodeId]:
        """Nodes that must not be covered by a lock; some may not be in the diagram."""
        return self.touched_nodes(diagram)

    def lock_put_on(self) -> Incarnation | None:
        """The lock that it sets."""
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
    """Check values that the diagram computes with, so that a damaged step is found before it is applied."""
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
    """The pairs with old and new swapped."""
    return {field: (new, old) for field, (old, new) in fields.items()}
