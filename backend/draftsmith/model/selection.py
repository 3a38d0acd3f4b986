"""Nodes and edges chosen by what they are, in pages: oldest first, as the diagram lists them.

A text filter is plain: every word of it has to stand somewhere in the texts of the node or edge, without regard to
letter case and accents. Not here: search by meaning, with kinds and typing errors (`assistant.tools.node_search`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from draftsmith.model.custom_types import custom_type_named
from draftsmith.model.diagram import Diagram
from draftsmith.model.fields import EDGE_TEXTS, NODE_TEXTS, edge_json, node_json
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.shapes import EdgeOut, NodeOut

Place = tuple[int, str]
"""Birth and id, by which nodes and edges are ordered; no two have the same, and none changes while it is there."""

_NODE_TEXTS: Final = ("label", *NODE_TEXTS)
_EDGE_TEXTS: Final = ("label", *EDGE_TEXTS)


def node_page(
    diagram: Diagram, after: Place | None, limit: int, *, types: Collection[str] = (), text: str = ""
) -> tuple[list[NodeOut], Place | None]:
    """A page of the nodes of some types (any, where none is named) that hold a text; the place to go on after.

    A built-in type has the nodes of those that are based on it, too.
    """
    words = _fold(text).split()
    wanted = {custom_type_named(one, diagram.types) or one for one in types}
    found = (
        ((attributes["birth"], str(node_id)), node_id)
        for node_id, attributes in diagram.nodes().items()
        if (not wanted or attributes["type"] in wanted or diagram.custom_type(node_id) in wanted)
        and _holds(words, node_id, attributes, _NODE_TEXTS)
    )
    page, following = _page(found, after, limit)
    return [node_json(node_id, diagram[node_id]) for node_id in page], following


def edge_page(
    diagram: Diagram,
    after: Place | None,
    limit: int,
    *,
    kinds: Collection[str] = (),
    node: NodeId | None = None,
    source: NodeId | None = None,
    target: NodeId | None = None,
    text: str = "",
) -> tuple[list[EdgeOut], Place | None]:
    """A page of the edges of some kinds, at a node, or from or to one, that hold a text; the place to go on after."""
    words = _fold(text).split()
    found = (
        ((attributes["birth"], str(edge_id)), edge_id)
        for edge_id, begin, end, attributes in diagram.edges()
        if node in (None, begin, end)
        and source in (None, begin)
        and target in (None, end)
        and (not kinds or attributes.get("kind", "sync") in kinds)
        and _holds(words, edge_id, attributes, _EDGE_TEXTS)
    )
    page, following = _page(found, after, limit)
    return [edge_of(diagram, edge_id) for edge_id in page], following


def edge_of(diagram: Diagram, edge_id: EdgeId) -> EdgeOut:
    """The JSON shape of an edge that is there."""
    ends, attributes = diagram.ends(edge_id), diagram.edge(edge_id)
    if ends is None or attributes is None:
        raise KeyError(edge_id)
    return edge_json(edge_id, *ends, attributes)


def _page(found: Iterable[tuple[Place, Any]], after: Place | None, limit: int) -> tuple[list[Any], Place | None]:
    """The first so many behind a place, in order, and the place of the last one where more follow."""
    behind = sorted(one for one in found if after is None or one[0] > after)
    page = behind[:limit]
    return [item for _, item in page], page[-1][0] if len(behind) > limit else None


def _holds(words: list[str], name: str, attributes: Mapping[str, object], fields: Iterable[str]) -> bool:
    if not words:
        return True
    held = _fold("\n".join(_texts(name, attributes, fields)))
    return all(word in held for word in words)


def _texts(name: str, attributes: Mapping[str, Any], fields: Iterable[str]) -> Iterator[str]:
    yield name
    for field in fields:
        yield attributes.get(field, "")
    for key, value in attributes.get("properties", {}).items():
        yield from (key, value)


def _fold(text: str) -> str:
    """Without letter case and accents."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
