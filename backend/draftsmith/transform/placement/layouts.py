"""What a layout engine is asked for a batch, and what it has answered: evidence for the transaction.

A batch is run without answers first, which tells what it asks for; the engine is asked elsewhere; then the batch is run
again with the answers. A question says all that the answer depends on, so an answer is known by its question and still
counts where others have committed meanwhile. Not here: who asks the engine (`usecases.commits`), and the small layout
that serves where it does not answer (`model.nested_layout`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import orjson

from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import ORIGIN, Point, SparseEdge, SparseEdgeFields, SparseNode
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.transform.placement.placement import coordinate
from draftsmith.transform.placing import Arrangement, LayoutQuestion, QuestionDiagram, QuestionEdge, QuestionNode
from draftsmith.transform.transaction import Transaction

LEAST_NODES: Final = 6
"""Nodes of a block from which on the engine is asked, another process; the worker places fewer about as clearly."""

MOST_ELEMENTS: Final = 4_000
"""Nodes and edges beyond which the engine is not asked: it would hardly answer in time."""

MOST_CROWDED: Final = 3_000
"""Edges times edges per node beyond which the engine is not asked for a layout.

Its time grows with the layers that edges run through, which in a graph of few nodes and many edges are nearly all: 16
nodes with an edge each way between any two (3,600) take it half as long as 500 nodes with 600 edges (720), 24 (12,696)
longer than a question may take. Nobody could read such a drawing.
"""


@dataclass(slots=True)
class Layouts:
    """Questions and answers of one batch.

    Attributes:
        answers: by the key of the question; None where there is none: too late, or a failure.
        asks: questions that are not answered yet, by key.
        has_failed: whether a question was not answered.
    """

    answers: Mapping[str, bytes | None] = field(default_factory=dict)
    asks: dict[str, bytes] = field(default_factory=dict)
    has_failed: bool = False

    def arrangement(self, question: LayoutQuestion) -> Arrangement | None:
        """The answer to a question; None if there is none, or none yet."""
        if _is_too_large(question) or _is_too_crowded(question):
            self.has_failed = True
            return None
        key = self._note_question(question)
        if key in self.asks:
            return None
        found = read_arranged(self.answers[key], question)
        self.has_failed = self.has_failed or found is None
        return found

    def routes(self, question: LayoutQuestion) -> Mapping[EdgeId, list[Point] | None] | None:
        """The routes that were found; None if there is no answer, or none yet: the lines are then drawn without."""
        if _is_too_large(question):
            return None
        key = self._note_question(question)
        found = None if key in self.asks else read_arranged(self.answers[key], question)
        return None if found is None else found.routes

    def _note_question(self, question: LayoutQuestion) -> str:
        """The key of a question, which is asked unless it is answered."""
        raw = orjson.dumps(question, option=orjson.OPT_SORT_KEYS)
        key = hashlib.blake2b(raw, digest_size=16).hexdigest()
        if key not in self.answers:
            self.asks[key] = raw
        return key


def warn_of_simple_layout(tx: Transaction, index: int | None = None) -> None:
    """Warn that a simpler layout served, about this operation or that of an index, unless the engine is still asked."""
    if tx.layouts is None or tx.layouts.has_failed:
        message = "The layout engine is not there or has not answered, so a simpler layout served."
        tx.warn("simple_layout", "", message, index=index)


def _is_too_large(question: LayoutQuestion) -> bool:
    return len(question["diagram"]["nodes"]) + len(question["diagram"]["edges"]) > MOST_ELEMENTS


def _is_too_crowded(question: LayoutQuestion) -> bool:
    nodes, edges = len(question["diagram"]["nodes"]), len(question["diagram"]["edges"])
    return edges * edges > MOST_CROWDED * nodes


def read_arranged(answer: bytes | None, question: LayoutQuestion) -> Arrangement | None:
    """Read an answer, which tells only what differs from the question; None if it is missing or cannot be read."""
    positions = {node["id"]: node["position"] for node in question["diagram"]["nodes"] if not node["locked"]}
    try:
        operation = orjson.loads(answer or b"")["operation"] or {}
        positions |= {one: _point(place) for one, place in (operation.get("positions") or {}).items()}
        routes = {
            edge: None if not route else [_point(place) for place in route]
            for edge, route in (operation.get("routes") or {}).items()
        }
        sizes = {
            one: None if size is None else {"width": float(size["width"]), "height": float(size["height"])}
            for one, size in (operation.get("sizes") or {}).items()
        }
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    return Arrangement(positions, sizes, routes)


def _point(place: Point) -> Point:
    return {"x": float(place["x"]), "y": float(place["y"])}


def route_of(route: Sequence[Point] | None) -> list[dict[str, float]] | None:
    """A route in stored form; None for a straight one."""
    return [{axis: coordinate(at) for axis, at in point.items()} for point in route] if route else None


def arrange(diagram: Diagram, nodes: Iterable[NodeId], tops: Container[NodeId] | None) -> LayoutQuestion:
    """The question for a layout from scratch of some nodes, groups with what stands in them, and the edges among them.

    Args:
        diagram: read only.
        nodes: all that the engine is to know of.
        tops: those that are said to stand at the top, if they are new: none of them has a place yet, and all may move.
    """
    known = list(nodes)
    inside = set(known)
    edges = [
        (edge_id, one, target, fields)
        for one in known
        for target, between in diagram.outgoing(one).items()
        for edge_id, fields in between.items()
        if target in inside
    ]
    links = [_edge(*edge) for edge in sorted(edges, key=lambda edge: edge[:3])]
    return _question([_node(diagram, one, tops) for one in known], links)


def routing(diagram: Diagram, lines: Iterable[EdgeId], around: Iterable[NodeId]) -> LayoutQuestion:
    """The question for routes of some edges of a diagram in which everything has its place.

    Args:
        diagram: read only.
        lines: edges that have no route.
        around: nodes that are new where they stand; lines that run through them may get another route.
    """
    nodes: list[QuestionNode] = [
        {**_node(diagram, one, None), "position": diagram.position(one)} for one in sorted(diagram.node_ids())
    ]
    edges: list[QuestionEdge] = [
        {**_edge(edge_id, one["id"], target, fields), "route": fields.get("route")}
        for one in nodes
        for target, between in diagram.outgoing(one["id"]).items()
        for edge_id, fields in between.items()
    ]
    edges.sort(key=lambda edge: str(edge["id"]))
    return {
        "task": "route", "edges": sorted(lines), "around": sorted(around), "diagram": {"nodes": nodes, "edges": edges},
    }  # fmt: skip


def arrange_boxes(
    sizes: Mapping[NodeId, tuple[float, float]], links: Iterable[tuple[NodeId, NodeId]]
) -> LayoutQuestion:
    """The question for a layout from scratch of boxes without anything in them."""
    nodes: list[QuestionNode] = [
        {"id": one, "type": "other", "label": one, "position": ORIGIN, "size": {"width": width, "height": height},
         "parent": None, "locked": False}
        for one, (width, height) in sizes.items()
    ]  # fmt: skip
    return _question(nodes, [_edge(EdgeId(f"{source}--{target}"), source, target, {}) for source, target in links])


def plain(nodes: Iterable[SparseNode], edges: Iterable[SparseEdge], direction: str) -> LayoutQuestion:
    """The question for a layout in one direction of a diagram in export form, all of it without places."""
    given: list[QuestionNode] = [
        {"id": node["id"], "type": node["type"], "label": node.get("label", ""), "position": ORIGIN, "size": None,
         "technology": node.get("technology") or "", "parent": node.get("parent"), "locked": False}
        for node in nodes
    ]  # fmt: skip
    links = [_edge(edge["id"], edge["source"], edge["target"], edge) for edge in edges]
    return {"task": "plain", "direction": direction, "diagram": {"nodes": given, "edges": links}}


def _question(nodes: list[QuestionNode], edges: list[QuestionEdge]) -> LayoutQuestion:
    diagram: QuestionDiagram = {"nodes": nodes, "edges": edges}
    return {"task": "arrange", "mode": "scratch", "ids": None, "room": None, "variants": None, "diagram": diagram}


def _edge(edge_id: EdgeId, source: NodeId, target: NodeId, fields: SparseEdgeFields) -> QuestionEdge:
    return {
        "id": edge_id, "source": source, "target": target, "label": fields.get("label") or "",
        "kind": fields.get("kind") or "sync", "direction": fields.get("direction") or "forward", "route": None,
    }  # fmt: skip


def _node(diagram: Diagram, node_id: NodeId, tops: Container[NodeId] | None) -> QuestionNode:
    fields = diagram[node_id]
    is_top = tops is not None and node_id in tops
    is_locked = tops is None and diagram.lock_on(node_id) is not None
    return {
        "id": node_id, "type": fields["type"], "label": fields.get("label", ""), "size": fields.get("size"),
        "technology": fields.get("technology", ""),
        "position": fields.get("position", ORIGIN) if is_locked else ORIGIN,
        "parent": None if is_top else fields.get("parent"),
        "locked": is_locked,
    }  # fmt: skip
