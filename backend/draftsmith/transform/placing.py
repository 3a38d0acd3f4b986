"""Protocols for placing new nodes: a transaction depends neither on the search for places nor on a layout engine.

What fulfils them is in the search for places (`new_nodes`, `layouts`); `resolve.open_transaction` puts it in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, Protocol, TypedDict

from draftsmith.model.fields import Point
from draftsmith.model.ids import EdgeId, NodeId


class PendingPlacement(Protocol):
    """The nodes of a batch that get their places at its end, and what of the diagram was laid out.

    Attributes:
        waiting: node → index of the operation that has added it, in that order.
        neighbours: for some of them, the node that they were asked to stand near.
        frames: new groups around nodes that have a place → index of the operation; their corner follows from these.
        laid_out: the operation that has laid out the whole diagram, if any.
    """

    waiting: dict[NodeId, int]
    neighbours: dict[NodeId, NodeId]
    frames: dict[NodeId, int]
    laid_out: int | None

    def __bool__(self) -> bool:
        """Whether there is anything to find a place for."""

    def wait(self, node_id: NodeId, index: int, neighbour: NodeId | None = None) -> None:
        """Let a node wait for its place."""

    def has_place(self, node_id: NodeId) -> None:
        """Something has given the node a position."""

    def spot(self) -> dict[str, float]:
        """Where the next one waits."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The answer of a layout engine. Positions are relative to the group, routes to the diagram."""

    positions: Mapping[NodeId, Point]
    sizes: Mapping[NodeId, Mapping[str, float] | None]
    routes: Mapping[EdgeId, list[Point] | None]


class QuestionNode(TypedDict):
    """A node as the engine is asked about it; `locked`: it keeps its position."""

    id: NodeId
    type: str
    label: str
    technology: NotRequired[str]
    position: Point
    size: Mapping[str, float] | None
    parent: NodeId | None
    locked: bool


class QuestionEdge(TypedDict):
    """An edge as the engine is asked about it."""

    id: EdgeId
    source: NodeId
    target: NodeId
    label: str
    kind: str
    direction: str
    route: Sequence[Point] | None


class QuestionDiagram(TypedDict):
    """What the engine knows of."""

    nodes: list[QuestionNode]
    edges: list[QuestionEdge]


class LayoutQuestion(TypedDict):
    """What the engine is asked: places for all nodes (`arrange`, `plain`), or routes for some edges (`route`).

    `edges`, `around`: of `route`; `direction`: of `plain`; the others are of `arrange`.
    """

    task: Literal["arrange", "plain", "route"]
    diagram: QuestionDiagram
    edges: NotRequired[list[EdgeId]]
    around: NotRequired[list[NodeId]]
    direction: NotRequired[str]
    mode: NotRequired[Literal["scratch"]]
    ids: NotRequired[None]
    room: NotRequired[None]
    variants: NotRequired[None]


class LayoutAnswers(Protocol):
    """What a layout engine is asked for a batch, and has answered.

    Attributes:
        asks: questions that are not answered yet, by key.
        has_failed: whether a question was not answered.
    """

    asks: dict[str, bytes]
    has_failed: bool

    def arrangement(self, question: LayoutQuestion) -> Arrangement | None:
        """The answer to a question; None if there is none, or none yet."""

    def routes(self, question: LayoutQuestion) -> Mapping[EdgeId, list[Point] | None] | None:
        """The routes that were found; None if there is no answer, or none yet."""
