"""The base class of steps, and readers for JSON parts. Each kind is in a module of its own, their union in `steps`.

The base class defines methods and properties with a default for kinds that they do not concern; a kind overrides only
those that apply to it. What has no safe default is in every kind instead, so that mypy names each place that asks a new
kind which lacks it:

* `inverse()`: the step that takes it back.
* `key`: the node, the edge or the workspace that it changes; None for the document.
* `pairs`: the fields that it sets, with their old and new values.
* `named_nodes()`: the nodes that it refers to, besides its own.
* `overwrites()`: the cells whose values it replaces or removes, except those of the document; none that were empty.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.workspace import Workspace
from draftsmith.transform.steps.shapes import AnyStep

Pair = tuple[Any, Any]  # (old, new); None where the field is absent
Cell = tuple[str, str, str]  # part, id, field; field "" is existence, "*" every field
Key = tuple[str, str, int]  # part, id, birth: a node or edge, or the workspace itself
Incarnation = tuple[NodeId, int]  # id and birth
EdgeIdentity = tuple[NodeId | None, NodeId | None, str | None, str | None, int | None, int | None]
"""The values that equal edges share: source, target, label, kind, births of the ends; None if a step lacks it."""


NO_PAIRS: Final[Mapping[str, Pair]] = MappingProxyType({})
"""`pairs` of kinds that set no fields."""


class BaseStep:
    """One change: how it is checked and applied, and what it touches.

    Attributes:
        inserts: whether it makes a node or an edge.
        removes: whether it takes one out.
    """

    __slots__ = ()

    inserts: ClassVar[bool] = False
    removes: ClassVar[bool] = False

    def conflict(self, workspace: Workspace) -> str | None:
        """Return the reason why the step does not fit the workspace, as a sentence; None if it fits."""
        raise NotImplementedError

    def write(self, workspace: Workspace) -> None:
        """Apply the step; the caller has checked that it fits."""
        raise NotImplementedError

    def to_json(self) -> AnyStep:
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
    def removed_node(self) -> Incarnation | None:
        """The node that it removes."""
        return None

    @property
    def placed_node(self) -> NodeId | None:
        """The node that it inserts or gives a position."""
        return None

    def placed_at(self, position: Mapping[str, float]) -> Self:
        """The same step with another position for `placed_node`."""
        raise NotImplementedError

    @property
    def placed_edge(self) -> EdgeId | None:
        """The edge that it inserts or gives a route."""
        return None

    @property
    def routed_edge(self) -> EdgeId | None:
        """The edge whose route it sets or drops, or takes out with it."""
        return None

    def ends_given_up(self) -> tuple[EdgeId, Mapping[str, NodeId]] | None:
        """An edge that it removes or moves, and its ends before, as far as they change, by `source` and `target`."""
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

    def without(self, fields: Container[str]) -> Self | None:
        """The step without some of the fields that it sets; None if it sets no other."""
        return self

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


def pairs_from_json(shape: Mapping[str, Sequence[Any]]) -> dict[str, Pair]:
    """Read `{field: [old, new]}`."""
    pairs = {field: (pair[0], pair[1]) for field, pair in shape.items()}
    for field, pair in pairs.items():
        for value in pair:
            _check_value(field, value)
    return pairs


def check_fields(shape: Mapping[str, object]) -> None:
    """Raise if a value of `{field: value}` is none that its field can have."""
    for field, value in shape.items():
        _check_value(field, value)


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


def replaced_fields(pairs: Mapping[str, Pair]) -> Iterator[str]:
    """The fields whose old value is not empty."""
    return (field for field, (old, _) in pairs.items() if old not in (None, "", {}, []))


def pairs_without(pairs: Mapping[str, Pair], fields: Container[str]) -> Mapping[str, Pair]:
    """The pairs of all other fields."""
    return {field: pair for field, pair in pairs.items() if field not in fields}


def swap_pairs(fields: Mapping[str, Pair]) -> dict[str, Pair]:
    """The pairs with old and new swapped."""
    return {field: (new, old) for field, (old, new) in fields.items()}
