"""Graphs in DOT as workspaces: a reader as `model.readers.reading` says, with a workspace for each graph of a file.

Clusters become groups; an edge that Graphviz cuts off at a cluster (`lhead`, `ltail`) is one of its group. Places are
kept where every node has one. A graph of ours comes in as it was written (`attributes`). What is invisible is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.model.dot.attributes import (
    ANCHOR,
    CLUSTER,
    PIXELS_PER_INCH,
    POINTS_PER_INCH,
    POINTS_PER_PIXEL,
    TYPE,
    without_escapes,
)
from draftsmith.model.dot.fields import cluster_fields, edge_fields, node_fields, number_in, route_of, text_of
from draftsmith.model.dot.syntax import Attributes, DotCluster, DotEdge, DotError, DotGraph, DotNode, read_graphs
from draftsmith.model.drawio.cells import Box
from draftsmith.model.drawio.places import fitted_boxes, place_nodes, stretch_for
from draftsmith.model.fields import SparseEdgeFields, shorten_to
from draftsmith.model.ids import NodeId, is_edge_id, is_id
from draftsmith.model.readers.alone import sets_of
from draftsmith.model.readers.building import DiagramBuilding, EdgeLeft, holders_within
from draftsmith.model.readers.limits import MAX_NAME, SHOWN, unread_within
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource, UnreadPart

__all__ = ["MAX_BYTES", "read", "recognizes", "sets_of"]

MAX_BYTES: Final = 10_000_000
_LOOKED_AT: Final = 4_096
_BEGINNING = re.compile(
    rb"\s*+(?:(?://[^\n]*+|/\*.{0,2000}?\*/|#[^\n]*+)\s*+)*+(?:strict\s+)?(?:di)?graph\b", re.I | re.S
)
_PART_OF_POS = re.compile(r"[^,!\s]+")
_USUAL_SIZE: Final = (0.75 * PIXELS_PER_INCH, 0.5 * PIXELS_PER_INCH)
Key = tuple[str, str]
"""`node` or `cluster`, and the name: a node may be called as a cluster is."""


def recognizes(file: SourceFile) -> bool:
    """Whether a file begins as a graph does."""
    return _BEGINNING.match(file.content[:_LOOKED_AT].removeprefix(b"\xef\xbb\xbf")) is not None


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read every graph of a file.

    Raises:
        UnreadableSource: it is no DOT, or beyond a bound.
    """
    path, content = sources.root.path, sources.root.content
    if len(content) > MAX_BYTES:
        raise UnreadableSource(f"the file is longer than {MAX_BYTES // 1_000_000} MB", path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # which Graphviz reads as well
    try:
        graphs = read_graphs(text)
    except DotError as error:
        raise UnreadableSource(error.reason, path, error.line) from None
    return [_workspace(graph, path) for graph in graphs]


def _workspace(graph: DotGraph, path: str) -> ReadWorkspace:
    drawn_nodes = {name: node for name, node in graph.nodes.items() if not _is_invisible(node.attributes)}
    clusters = _drawn_clusters(graph, drawn_nodes)
    parts: dict[Key, Key | None] = {("cluster", name): _cluster(one.holder) for name, one in clusters.items()}
    parts |= {("node", name): _cluster(node.cluster) for name, node in drawn_nodes.items()}
    holders = holders_within(parts)
    own_ids = _own_ids(drawn_nodes, clusters)
    building = DiagramBuilding(own_ids.values())
    said = {("cluster", name): cluster_fields(cluster, graph.name) for name, cluster in clusters.items()}
    said |= {("node", name): node_fields(node, graph.name) for name, node in drawn_nodes.items()}
    ids: dict[Key, NodeId] = {}
    for key, holder in holders.items():
        parent = None if holder is None else ids[holder]
        name = key[1].removeprefix(CLUSTER) if key[0] == "cluster" else key[1]
        ids[key] = building.add_node(said[key], key[1], own_id=own_ids.get(key), name=name, parent=parent)
    unread: list[UnreadPart] = []
    hidden = sum(not name.endswith(ANCHOR) for name in graph.nodes.keys() - drawn_nodes.keys())
    for edge in graph.edges:
        if _is_invisible(edge.attributes):
            hidden += 1
            continue
        ends, fields = _edge(graph, edge, ids)
        own_id = text_of(edge.attributes, "id", {})
        try:
            building.add_edge(ends, fields, own_id if is_edge_id(own_id) else "", own_id)
        except EdgeLeft as left:
            unread.append(UnreadPart(path, f"line {edge.line}", fields.get("label", "")[:SHOWN], left.reason))
    if hidden:
        unread.append(
            UnreadPart(path, "", "", f"what is invisible only shapes the layout ({hidden:,} nodes and edges)")
        )
    boxes = _boxes(graph, drawn_nodes, clusters, holders)
    if boxes is not None:
        place_nodes({key: building.nodes[ids[key]] for key in boxes}, boxes, holders)
    title = text_of(graph.attributes, "label", {"G": graph.name}) or without_escapes(graph.name, {})
    return ReadWorkspace(
        name=shorten_to(" ".join(title.split()), MAX_NAME),
        diagram=building.diagram(),
        unread=unread_within(unread, "nodes and edges"),
        sources=building.sources,
        is_placed=boxes is not None,
    )


def _cluster(name: str) -> Key | None:
    return ("cluster", name) if name else None


def _is_invisible(attributes: Attributes) -> bool:
    style = attributes.get("style")
    return style is not None and "invis" in [part.strip() for part in style.text.split(",")]


def _drawn_clusters(graph: DotGraph, drawn_nodes: Mapping[str, DotNode]) -> Mapping[str, DotCluster]:
    """The clusters that hold a node or say something of themselves, and those around them, each behind its own."""
    kept: set[str] = set()
    wanted = [node.cluster for node in drawn_nodes.values()]
    wanted += [name for name, cluster in graph.clusters.items() if cluster.attributes.keys() & {"label", TYPE}]
    for innermost in wanted:
        name = innermost
        while name and name not in kept:
            kept.add(name)
            name = graph.clusters[name].holder
    # A cluster is named behind the one around it, since it stands in that.
    return {name: cluster for name, cluster in graph.clusters.items() if name in kept}


def _own_ids(drawn_nodes: Mapping[str, DotNode], clusters: Mapping[str, DotCluster]) -> Mapping[Key, NodeId]:
    """The names that are ids of ours as they are: those of nodes, and those of clusters that no node has."""
    found: dict[Key, NodeId] = {("node", name): NodeId(name) for name in drawn_nodes if is_id(name)}
    taken = set(found.values())
    for name in clusters:
        own = NodeId(name.removeprefix(CLUSTER))
        if is_id(own) and own not in taken:
            taken.add(own)
            found["cluster", name] = own
    return found


def _edge(
    graph: DotGraph, edge: DotEdge, ids: Mapping[Key, NodeId]
) -> tuple[tuple[NodeId | None, NodeId | None], SparseEdgeFields]:
    """The ends of an edge and its fields."""
    fields = edge_fields(edge, graph)
    ends: list[NodeId | None] = []
    for end, cut_at in ((edge.source, "ltail"), (edge.target, "lhead")):
        cluster = edge.attributes.get(cut_at)
        key = ("cluster", cluster.text) if cluster is not None else ("node", end)
        ends.append(ids.get(key) or ids.get(("node", end)))
    direction = text_of(edge.attributes, "dir", {})
    if direction == "back":
        ends.reverse()
    route = route_of(edge.attributes)
    if route:
        fields["route"] = list(route)
    return (ends[0], ends[1]), fields


def _boxes(
    graph: DotGraph,
    drawn_nodes: Mapping[str, DotNode],
    clusters: Mapping[str, DotCluster],
    holders: Mapping[Key, Key | None],
) -> Mapping[Key, Box] | None:
    """Where nodes and clusters are drawn, in pixels; None where not every node says it."""
    unit = _points_per_unit(graph.attributes) / POINTS_PER_PIXEL
    leaves: dict[Key, Box] = {}
    for name, node in drawn_nodes.items():
        box = _node_box(node.attributes, unit)
        if box is None:
            return None
        leaves["node", name] = box
    boxes: dict[Key, Box] = {}
    for name, cluster in clusters.items():
        box = _cluster_box(cluster.attributes)
        if box is not None:
            boxes["cluster", name] = box
    exact = {key for key in leaves if TYPE in drawn_nodes[key[1]].attributes}
    exact |= {key for key in boxes if TYPE in clusters[key[1]].attributes}
    if not leaves and not boxes:
        return None
    factors = (1.0, 1.0) if exact else stretch_for(list(leaves.values()))
    missing = [("cluster", name) for name in clusters if ("cluster", name) not in boxes]
    boxes |= _around_members(missing, leaves, holders)
    ordered = {("cluster", name): boxes["cluster", name] for name in clusters} | leaves
    return fitted_boxes(ordered, holders, boxes.keys(), factors, {key: ordered[key] for key in exact})


def _around_members(
    groups: Sequence[Key], leaves: Mapping[Key, Box], holders: Mapping[Key, Key | None]
) -> Mapping[Key, Box]:
    """The box of each group that has none of its own: as much as the nodes in it take."""
    found: dict[Key, Box] = {}
    wanted = set(groups)
    for leaf, box in leaves.items():
        holder = holders[leaf]
        while holder is not None:
            if holder in wanted:
                found[holder] = found.get(holder, box).united_with(box)
            holder = holders[holder]
    return {group: found.get(group, Box(0, 0, 0, 0)) for group in groups}


def _points_per_unit(attributes: Attributes) -> float:
    """In what places are given: what Graphviz has laid out is in points, what people write in inches."""
    scale = number_in(text_of(attributes, "inputscale", {}))
    if scale:
        return POINTS_PER_INCH / scale
    return 1.0 if "bb" in attributes else POINTS_PER_INCH


def _node_box(attributes: Attributes, unit: float) -> Box | None:
    parts = [number_in(part) for part in _PART_OF_POS.findall(text_of(attributes, "pos", {}))[:2]]
    if len(parts) < 2 or parts[0] is None or parts[1] is None:
        return None
    width, height = (
        max(number_in(text_of(attributes, name, {})) or 0, 0) * PIXELS_PER_INCH or usual
        for name, usual in zip(("width", "height"), _USUAL_SIZE, strict=True)
    )
    # Graphviz counts upwards, from the middle of a node.
    return Box(parts[0] * unit - width / 2, -parts[1] * unit - height / 2, width, height)


def _cluster_box(attributes: Attributes) -> Box | None:
    corners = [number_in(part) for part in text_of(attributes, "bb", {}).split(",")[:4]]
    known = [corner / POINTS_PER_PIXEL for corner in corners if corner is not None]
    if len(known) < 4:
        return None
    left, bottom, right, top = known
    return Box(left, -top, max(right - left, 0), max(top - bottom, 0))
